"""Application of edits to a draft: a new draft, or a refusal that changes nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec
from msgspec import Struct

from sheets.names.cleaning import clean_name, clean_text
from sheets.rules.documents.level import HOLE, MAX_SIDE, NO_NUMBER, OPEN_NUMBER
from sheets.rules.level import format_field, parse_column, parse_field
from sheets.rules.symbols import TOKENS_OFF_RAILS
from sheets.text.languages import in_every_language
from sheets.workshop.acts import (
    AnyEdit,
    AreaEdit,
    Arrange,
    Chain,
    Count,
    Difficulty,
    Edit,
    Grid,
    Identity,
    Insert,
    MarkKind,
    PairEdit,
    Put,
    Ratings,
    Remove,
    RepeatLast,
    RowLine,
    Shift,
    Size,
    Squares,
    SymbolPoints,
    Text,
    Track,
)
from sheets.workshop.arrangement import copy_lane, mirror_lane, swap_lanes
from sheets.workshop.draft import (
    BLANK,
    NO_FIELD,
    NUMBERS,
    VOLCANO_FIELD,
    Document,
    Draft,
    Square,
    in_reading_order,
    parse_squares,
)

MAX_ENTRIES: Final[Mapping[str, int]] = {"lines": 40, "areas": 40, "links": 400, "walls": 2000}
"""Maximum number of entries of a draft, by part."""


class EditRefused(Exception):
    """An act that cannot be applied to the current draft; nothing has changed.

    ``reason`` is ``gone`` (the part to change no longer exists), ``full`` (the maximum number of
    rows, columns or entries is reached), ``rails`` (impossible on a rail level), ``last`` (the
    only row or column cannot be removed), ``nothing`` (there is nothing to undo or redo) or
    ``theirs`` (see `history.ChangedElsewhere`).
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def apply_edit(document: Document, edit: AnyEdit) -> dict[str, Any]:
    """Return the draft after an edit; ``document`` is never modified.

    Raises:
        EditRefused: the edit cannot be applied to this draft.
    """
    draft = Draft(document)
    _APPLY[type(edit)](draft, edit)
    return draft.document()


def _squares(draft: Draft, edit: Squares) -> None:
    for name, put in edit.put.items():
        column, row = _existing_place(draft, name)
        draft.squares[row][column] = _changed_square(draft, draft.squares[row][column], put)


def _changed_square(draft: Draft, square: Square, put: Put) -> Square:
    number = put.number or square.number
    if number == HOLE and put.symbol is None and put.printed is None:
        return NO_FIELD
    if number == HOLE:
        raise EditRefused("gone")
    symbol = square.symbol if put.symbol is None else put.symbol
    printed = square.printed if put.printed is None else put.printed
    if put.number in (*NUMBERS, OPEN_NUMBER) and symbol == VOLCANO_FIELD.symbol:
        symbol = ""
    if symbol == VOLCANO_FIELD.symbol:
        return VOLCANO_FIELD
    if put.symbol == "P" and number == OPEN_NUMBER:
        number = NO_NUMBER
    if draft.is_rails and (printed or symbol in TOKENS_OFF_RAILS):
        raise EditRefused("rails")
    return Square(number, printed, symbol)


def _existing_place(draft: Draft, name: str) -> tuple[int, int]:
    column, row = parse_field(name)
    if column >= draft.columns or row >= draft.rows:
        raise EditRefused("gone")
    return column, row


def _check_fields(draft: Draft, names: list[str]) -> list[str]:
    """Return the names in reading order, each once. Raises EditRefused if a field is missing."""
    known = draft.names
    if not known.issuperset(names):
        raise EditRefused("gone")
    return in_reading_order(set(names))


def _grid(draft: Draft, edit: Grid) -> None:
    squares = parse_squares(edit.rows)
    if draft.is_rails and any(
        square.printed or square.symbol in TOKENS_OFF_RAILS for row in squares for square in row
    ):
        raise EditRefused("rails")
    draft.squares = squares
    _fit_shifts(draft)


def _size(draft: Draft, edit: Size) -> None:
    for row in draft.squares:
        row[edit.columns :] = []
        row += [BLANK] * (edit.columns - len(row))
    draft.squares[edit.rows :] = []
    while draft.rows < edit.rows:
        draft.squares.append([BLANK] * edit.columns)
    _fit_shifts(draft)


def _fit_shifts(draft: Draft) -> None:
    if shifts := draft.parts.get("shifts"):
        draft.parts["shifts"] = (shifts + [0] * draft.rows)[: draft.rows]


def _insert(draft: Draft, edit: Insert) -> None:
    if edit.row is not None:
        at = edit.row - 1
        _check_room(at, draft.rows)
        draft.squares.insert(at, [BLANK] * draft.columns)
        if shifts := draft.parts.get("shifts"):
            shifts.insert(at, 0)
        draft.rename(lambda column, row: (column, row + (row >= at)))
        return
    at = parse_column(edit.column or "a")
    _check_room(at, draft.columns)
    for squares in draft.squares:
        squares.insert(at, BLANK)
    draft.rename(lambda column, row: (column + (column >= at), row))


def _check_room(at: int, length: int) -> None:
    if at > length:
        raise EditRefused("gone")
    if length >= MAX_SIDE:
        raise EditRefused("full")


def _remove(draft: Draft, edit: Remove) -> None:
    is_row = edit.row is not None
    at = (edit.row or 1) - 1 if is_row else parse_column(edit.column or "a")
    length = draft.rows if is_row else draft.columns
    if at >= length:
        raise EditRefused("gone")
    if length == 1:
        raise EditRefused("last")
    if is_row:
        del draft.squares[at]
        if shifts := draft.parts.get("shifts"):
            del shifts[at]
        draft.rename(lambda column, row: None if row == at else (column, row - (row > at)))
        return
    for squares in draft.squares:
        del squares[at]
    draft.rename(lambda column, row: None if column == at else (column - (column > at), row))


def _arrange(draft: Draft, edit: Arrange) -> None:
    at = (edit.row or 1) - 1 if edit.row else parse_column(edit.column or "a")
    to = at + {"up": -1, "down": 1}.get(edit.how, 0)
    length = draft.rows if edit.row else draft.columns
    if not (at < length and 0 <= to < length):
        raise EditRefused("gone")
    if edit.how == "copy":
        last = Insert(row=at + 2) if edit.row else Insert(column=format_field(at + 1, 0)[0])
        _insert(draft, last)
        copy_lane(draft, at, is_row=bool(edit.row))
    elif edit.how == "mirror":
        mirror_lane(draft, at, is_row=bool(edit.row))
    else:
        swap_lanes(draft, at, to, is_row=bool(edit.row))


def _shift(draft: Draft, edit: Shift) -> None:
    if draft.is_rails:
        raise EditRefused("rails")
    if edit.row > draft.rows:
        raise EditRefused("gone")
    shifts = draft.parts.setdefault("shifts", [0] * draft.rows)
    shifts[edit.row - 1] = edit.quarters / 4


def _row_line(draft: Draft, edit: RowLine) -> None:
    key, which = ("row", edit.row) if edit.row is not None else ("column", edit.column)
    _existing_place(draft, f"a{which}" if key == "row" else f"{which}1")
    lines = draft.parts.setdefault("lines", [])
    places = [i for i, line in enumerate(lines) if line.get(key) == which]
    if edit.points is None:
        draft.parts["lines"] = [line for line in lines if line.get(key) != which]
    elif places:
        lines[places[0]]["points"] = edit.points
    else:
        _append(draft, "lines", {key: which, "points": edit.points})


def _chain(draft: Draft, edit: Chain) -> None:
    _replace(draft, "lines", edit.was, edit.now)


def _area(draft: Draft, edit: AreaEdit) -> None:
    _replace(draft, "areas", edit.was, edit.now)


def _replace(draft: Draft, part: str, was: Struct | None, now: Struct | None) -> None:
    """Replace the entry of a part that equals ``was``. Raises EditRefused if there is none.

    If ``was`` is None, add the new entry; if ``now`` is None, remove the old one.
    """
    entries = draft.parts.setdefault(part, [])
    new = msgspec.to_builtins(now) if now else None
    if new:
        new["fields"] = _check_fields(draft, new["fields"])
    if was is None:
        if new:
            _append(draft, part, new)
        return
    old = msgspec.to_builtins(was)
    old["fields"] = sorted(old["fields"])
    for i, entry in enumerate(entries):
        if {**entry, "fields": sorted(entry.get("fields", ()))} == old:
            entries[i : i + 1] = [new] if new else []
            return
    raise EditRefused("gone")


def _append(draft: Draft, part: str, entry: Any) -> None:
    entries = draft.parts.setdefault(part, [])
    if len(entries) >= MAX_ENTRIES[part]:
        raise EditRefused("full")
    entries.append(entry)


def _pair(draft: Draft, edit: PairEdit) -> None:
    pair = set(_check_fields(draft, edit.fields))
    if len(pair) != 2:
        raise EditRefused("gone")
    for kind in ("links", "walls"):
        draft.parts[kind] = [old for old in draft.parts.get(kind, ()) if set(old) != pair]
    if edit.on:
        _append(draft, edit.kind, _check_fields(draft, edit.fields))


def _track(draft: Draft, edit: Track) -> None:
    if not draft.is_rails:  # the page offers tracks only on rail levels
        raise EditRefused("gone")
    _check_fields(draft, [edit.at])
    tracks = draft.parts.setdefault("tracks", {})
    tracks.pop(edit.at, None)
    if edit.shape:
        tracks[edit.at] = edit.shape


def _points(draft: Draft, edit: SymbolPoints) -> None:
    points = draft.parts.setdefault("points", {})
    place, key = (points.setdefault(edit.of, {}), edit.colour) if edit.colour else (points, edit.of)
    place.pop(key, None)
    if edit.points is not None:
        place[key] = edit.points
    if points.get(edit.of) == {}:
        del points[edit.of]


def _count(draft: Draft, edit: Count) -> None:
    counts = draft.parts.setdefault(edit.of, {})
    counts.pop(edit.players, None)
    if edit.count is not None:
        counts[edit.players] = edit.count
    draft.parts[edit.of] = dict(sorted(counts.items()))


def _ratings(draft: Draft, edit: Ratings) -> None:
    draft.parts["ratings"] = edit.totals or []


def _text(draft: Draft, edit: Text) -> None:
    parts = draft.parts if edit.of in ("name", "about", "author") else None
    place = draft.parts.setdefault("labels", {}) if parts is None else parts
    text = clean_text(edit.text) if edit.of == "about" else clean_name(edit.text)
    if not edit.language:
        place[edit.of] = text
        if not text:
            del place[edit.of]
        return
    texts = place.get(edit.of, {})
    if isinstance(texts, str):
        texts = in_every_language(texts)
    texts = {language: kept for language, kept in texts.items() if language != edit.language}
    if text:
        texts[edit.language] = text
    place[edit.of] = dict(sorted(texts.items()))
    if not texts and edit.of != "name":
        del place[edit.of]


def _difficulty(draft: Draft, edit: Difficulty) -> None:
    draft.parts.pop("difficulty", None)
    if edit.stars:
        draft.parts["difficulty"] = edit.stars


def _identity(draft: Draft, edit: Identity) -> None:
    draft.parts["id"] = edit.level_id


def _repeat_last(draft: Draft, edit: RepeatLast) -> None:
    draft.parts.pop("repeat_last", None)
    if edit.on:
        draft.parts["repeat_last"] = True


def _marks(draft: Draft, edit: MarkKind) -> None:
    """Set whether players draw crosses or tracks, and remove parts that become impossible."""
    draft.parts.pop("marks", None)
    draft.parts.pop("tracks", None)
    if edit.marks == "tracks":
        draft.parts["marks"] = "tracks"
        draft.parts.pop("shifts", None)
        draft.squares = [
            [
                square._replace(
                    printed=False, symbol="" if square.symbol in TOKENS_OFF_RAILS else square.symbol
                )
                for square in row
            ]
            for row in draft.squares
        ]


_APPLY: Final[Mapping[type[Edit], Callable[[Draft, Any], None]]] = {
    Squares: _squares,
    Grid: _grid,
    Size: _size,
    Insert: _insert,
    Remove: _remove,
    Arrange: _arrange,
    Shift: _shift,
    RowLine: _row_line,
    Chain: _chain,
    AreaEdit: _area,
    PairEdit: _pair,
    Track: _track,
    SymbolPoints: _points,
    Count: _count,
    Ratings: _ratings,
    Text: _text,
    Difficulty: _difficulty,
    Identity: _identity,
    RepeatLast: _repeat_last,
    MarkKind: _marks,
}
"""Function that applies an edit to a draft, by the type of the edit."""
