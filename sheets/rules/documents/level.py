"""Parser of ``dizzle-level/1`` documents, with semantic validation.

The document's types and ranges are already validated (`sheets.documents.structure`). This module
checks its meaning: fields exist, every symbol has its points, rails and crosses are not mixed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any, Final

from sheets.rules.house_rules import DICE_PER_EXTRA_PLAYER, ROUNDS_OF_MANY, HouseRules
from sheets.rules.level import (
    DICE,
    MAX_DICE,
    RATINGS,
    ROUNDS,
    Area,
    Field,
    Level,
    Line,
    Texts,
    format_field,
)
from sheets.rules.symbols import (
    PAYING,
    PAYING_BY_COLOUR,
    PLAIN_PAYING,
    SYMBOL_BY_TOKEN,
    SYMBOL_KEYS,
    SYMBOL_PATTERN,
    SYMBOLS,
    TOKENS_OFF_RAILS,
)
from sheets.rules.violations import DocumentError, DocumentPath

Faults = list[DocumentError]
"""The faults found so far.

Each parsing function appends to this list and continues with a best-effort value.
"""

MAX_SIDE: Final = 26
"""Maximum number of rows and of columns: a column's name is one letter."""

HOLE: Final = "."
"""The token of a grid position without a field."""

NO_NUMBER: Final = "-"
"""The notation of a field without a number."""

PRINTED_CROSS: Final = "x"
"""The notation of a printed cross, after the number."""

OPEN_NUMBER: Final = "?"
"""The placeholder in drafts for a number that is not entered yet."""

VOLCANO: Final = NO_NUMBER + SYMBOLS["volcano"].letter
"""The only valid token of a volcano."""

FAULTS_AT_FIELD: Final = ("volcano-number", "open-number")
"""The faults whose facts have the field's name instead of the faulty token."""

TOKEN: Final = re.compile(r"[^ \t]+")
"""The tokens of a row of the grid, separated by blanks and tabs."""


def field_pattern(numbers: str) -> str:
    """Return the regular expression of a field's token in a grid.

    Its groups are number, printed cross and symbol; ``numbers`` is the character set of the number,
    without brackets.
    """
    return rf"([{numbers}])({PRINTED_CROSS}?)({SYMBOL_PATTERN}?)"


FIELD_TOKEN: Final = re.compile(field_pattern("1-6-"))
"""The token of a field; groups as in `field_pattern`."""


def parse_level(document: Mapping[str, Any]) -> Level:
    """Return the level a ``dizzle-level/1`` document describes.

    Raises:
        DocumentError: the first of `find_faults`.
    """
    faults: Faults = []
    parts = _read(document, faults)
    if faults:
        raise faults[0]
    points = document.get("points", {})
    return Level(
        id=document["id"],
        name=parse_texts(document["name"]),
        rows=len(document["grid"]),
        document=document,
        about=parse_texts(document.get("about", "")),
        author=document.get("author", ""),
        difficulty=document.get("difficulty", 0),
        points={symbol: points.get(symbol, 0) for symbol in PLAIN_PAYING},
        points_by_colour={symbol: dict(points.get(symbol, {})) for symbol in PAYING_BY_COLOUR},
        **_parse_set_up(document),
        **parts,
    )


def with_house_rules(level: Level, house_rules: HouseRules) -> Level:
    """Return the level with these house rules, in place of its own."""
    if house_rules == level.house_rules:
        return level
    document = {key: value for key, value in level.document.items() if key != "house_rules"}
    if changed := house_rules.changed:
        document["house_rules"] = changed
    return parse_level(document)


def _parse_set_up(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return the house rules, and what they and the document say about dice, rounds and tracks."""
    house = HouseRules(**document.get("house_rules", {}))
    dice = {**DICE} | {int(n): count for n, count in document.get("dice", {}).items()}
    rounds = {**ROUNDS} | {int(n): count for n, count in document.get("rounds", {}).items()}
    if house.more_players:
        for players in (5, 6):
            dice.setdefault(players, min(dice[players - 1] + DICE_PER_EXTRA_PLAYER, MAX_DICE))
            rounds.setdefault(players, ROUNDS_OF_MANY)
    return {
        "house_rules": house,
        "repeat_last": house.more_players or document.get("repeat_last", False),
        "dice": dict.fromkeys(dice, house.dice) if house.dice else dice,
        "rounds": dict.fromkeys(rounds, house.rounds) if house.rounds else rounds,
    }


def find_faults(document: Mapping[str, Any]) -> list[DocumentError]:
    """Return all semantic faults of a document, in the order of its parts.

    The document may be a draft: its ``id`` and ``name`` can be missing, and a field with ``?``
    instead of its number has the fault ``open-number``.
    """
    faults: Faults = []
    _read(document, faults)
    return faults


def _read(document: Mapping[str, Any], faults: Faults) -> dict[str, Any]:
    """Return the parts of a level that can have faults, by attribute of `Level`.

    Faults are appended to ``faults``; a faulty part has a best-effort value.
    """
    rails = document.get("marks", "crosses") == "tracks"
    fields, columns = _parse_grid(document["grid"], rails, faults)
    rows, points = len(document["grid"]), document.get("points", {})
    parts = {
        "fields": fields,
        "columns": columns,
        "rails": rails,
        "labels": _parse_labels(document.get("labels", {}), faults),
        "lines": _parse_lines(document.get("lines", ()), fields, columns, rows, faults),
        "areas": _parse_areas(document.get("areas", ()), fields, faults),
        "flag_tracks": {
            colour: _parse_track(("points", "flag", colour), numbers, faults)
            for colour, numbers in points.get("flag", {}).items()
        },
        "printed_tracks": _parse_printed_tracks(document, fields, rails, faults),
        "shifts": _parse_shifts(document, rails, faults),
        "links": _parse_pairs("links", document, fields, faults),
        "walls": _parse_pairs("walls", document, fields, faults),
        "ratings": _parse_ratings(document.get("ratings", RATINGS), faults),
    }
    _check_points(fields, points, faults)
    _check_pairs(document, faults)
    return parts


def format_level(level: Level) -> dict[str, Any]:
    """Return the document the level was read from."""
    return dict(level.document)


def _parse_grid(rows: Sequence[str], rails: bool, faults: Faults) -> tuple[tuple[Field, ...], int]:
    """Return the fields of a grid in reading order, and the number of columns.

    >>> [f.name for f in _parse_grid(["4x . 2Gy"], False, [])[0]]
    ['a1', 'c1']
    """
    if not 1 <= len(rows) <= MAX_SIDE:
        faults.append(DocumentError("wrong-size", ("grid",), count=len(rows), most=MAX_SIDE))
        return (), 0
    fields: list[Field] = []
    columns = len(TOKEN.findall(rows[0]))
    for row, text in enumerate(rows):
        place = ("grid", row)
        tokens = TOKEN.findall(text)
        if len(tokens) != columns:
            fault = DocumentError("uneven-rows", place, count=len(tokens), first=columns)
            faults.append(fault)
        elif not 1 <= columns <= MAX_SIDE:
            faults.append(DocumentError("wrong-size", place, count=columns, most=MAX_SIDE))
        for column, written in enumerate(tokens[:MAX_SIDE]):
            if written != HOLE:
                fields.append(_parse_field(place, written, column, row, rails, faults))
    if not fields:
        faults.append(DocumentError("no-fields", ("grid",)))
    return tuple(fields), columns


def _parse_field(
    place: DocumentPath, written: str, column: int, row: int, rails: bool, faults: Faults
) -> Field:
    """Parse a field; a faulty token becomes a field without number or symbol."""
    name = format_field(column, row)
    number, symbol, colour, printed, fault = _parse_token(written, rails)
    if fault in FAULTS_AT_FIELD:
        faults.append(DocumentError(fault, place, at=name))
    elif fault:
        faults.append(DocumentError(fault, place, written=written))
    return Field(name, column, row, number, symbol, colour, printed)


@lru_cache(maxsize=1024)
def _parse_token(written: str, rails: bool) -> tuple[int, str, str, bool, str]:
    """Return number, symbol, colour, whether it has a cross, and fault (or ``""``) of a token.

    >>> _parse_token("2Gy", rails=False)
    (2, 'gem', 'yellow', False, '')
    """
    is_open = written.startswith(OPEN_NUMBER)
    match = FIELD_TOKEN.fullmatch(NO_NUMBER + written[1:] if is_open else written)
    if not match:
        return 0, "", "", False, "not-a-field"
    number, printed, written_symbol = match.groups()
    symbol, colour = SYMBOL_BY_TOKEN.get(written_symbol, ("", ""))
    fault = ""
    if symbol == "volcano" and written != VOLCANO:
        fault = "volcano-number"
    elif rails and (printed or written_symbol in TOKENS_OFF_RAILS):
        fault = "not-on-rails"
    elif is_open:
        fault = "open-number"
    return 0 if number == NO_NUMBER else int(number), symbol, colour, bool(printed), fault


def parse_texts(text: str | Mapping[str, str]) -> Texts:
    """Return a document's text by language; a single text has the key ``""`` for all languages.

    Empty for an empty text.

    >>> parse_texts("Harbour")
    {'': 'Harbour'}
    """
    if isinstance(text, str):
        return {"": text} if text else {}
    return dict(text)


def _parse_labels(labels: Mapping[str, Any], faults: Faults) -> dict[str, Texts]:
    for key in labels:
        if key not in SYMBOL_KEYS:
            faults.append(DocumentError("unknown-symbol", ("labels",), key=key))
    return {key: parse_texts(text) for key, text in labels.items()}


def _parse_lines(
    lines: Sequence[Mapping[str, Any]],
    fields: Sequence[Field],
    columns: int,
    rows: int,
    faults: Faults,
) -> tuple[Line, ...]:
    result = []
    for index, line in enumerate(lines):
        place = ("lines", index)
        kinds = [kind for kind in ("row", "column", "fields") if kind in line]
        if len(kinds) != 1:
            faults.append(DocumentError("line-kind", place))
            continue
        (kind,) = kinds
        before = len(faults)
        which = ""
        if kind == "row":
            which = str(line["row"])
            if not 1 <= line["row"] <= rows:
                faults.append(DocumentError("unknown-row", place, row=line["row"]))
            names = [f.name for f in fields if f.row == line["row"] - 1]
        elif kind == "column":
            which = line["column"]
            if which not in [format_field(column, 0)[0] for column in range(columns)]:
                faults.append(DocumentError("unknown-column", place, column=which))
            names = [f.name for f in fields if f.name[0] == which]
        else:
            names = line["fields"]
        mask = _parse_fields(place, names, fields, faults)
        if not mask and len(faults) == before:
            faults.append(DocumentError("not-crossable", place))
        result.append(Line(kind, which, mask, line["points"]))
    return tuple(result)


def _parse_areas(
    areas: Sequence[Mapping[str, Any]], fields: Sequence[Field], faults: Faults
) -> tuple[Area, ...]:
    result = []
    for index, area in enumerate(areas):
        place = ("areas", index)
        before = len(faults)
        mask = _parse_fields(place, area["fields"], fields, faults)
        if not mask and len(faults) == before:
            faults.append(DocumentError("not-crossable", place))
        if ("points" in area) == ("race" in area):
            faults.append(DocumentError("points-or-race", place))
        race = _parse_track((*place, "race"), area["race"], faults) if "race" in area else ()
        result.append(Area(mask, area.get("points", 0), race))
    return tuple(result)


def _parse_fields(
    place: DocumentPath, names: Sequence[str], fields: Sequence[Field], faults: Faults
) -> int:
    """Return the mask of the named fields, without volcanoes: these belong to no line or area."""
    known = {f.name: 0 if f.symbol == "volcano" else 1 << i for i, f in enumerate(fields)}
    seen: set[str] = set()
    mask = 0
    for name in names:
        if name not in known:
            faults.append(DocumentError("unknown-field", place, at=name))
        elif name in seen:
            faults.append(DocumentError("field-twice", place, at=name))
        else:
            mask |= known[name]
        seen.add(name)
    return mask


def _parse_track(place: DocumentPath, numbers: Sequence[int], faults: Faults) -> tuple[int, ...]:
    if not numbers:
        faults.append(DocumentError("track-empty", place))
    if any(later > earlier for earlier, later in pairwise(numbers)):
        faults.append(DocumentError("track-rising", place))
    return tuple(numbers)


def _parse_printed_tracks(
    document: Mapping[str, Any], fields: Sequence[Field], rails: bool, faults: Faults
) -> dict[str, str]:
    place = ("tracks",)
    tracks = dict(document.get("tracks", {}))
    if tracks and not rails:
        faults.append(DocumentError("rails-only", place))
    symbols = {f.name: f.symbol for f in fields}
    for name in tracks:
        if name not in symbols:
            faults.append(DocumentError("unknown-field", place, at=name))
        elif symbols[name] == "volcano":
            faults.append(DocumentError("track-on-volcano", place, at=name))
    return tracks


def _parse_shifts(document: Mapping[str, Any], rails: bool, faults: Faults) -> tuple[float, ...]:
    if "shifts" not in document:
        return ()
    place = ("shifts",)
    shifts, rows = tuple(document["shifts"]), len(document["grid"])
    if rails:
        faults.append(DocumentError("rails-shifted", place))
    if len(shifts) != rows:
        faults.append(DocumentError("shift-count", place, count=len(shifts), rows=rows))
    for row, shift in enumerate(shifts, start=1):
        if shift * 4 % 1 or abs(shift) > 0.75:
            faults.append(DocumentError("shift-size", place, row=row, shift=shift))
    return shifts


def _parse_pairs(
    part: str, document: Mapping[str, Any], fields: Sequence[Field], faults: Faults
) -> tuple[tuple[str, str], ...]:
    known = {f.name for f in fields}
    result = []
    for index, (one, other) in enumerate(document.get(part, ())):
        for name in (one, other):
            if name not in known:
                faults.append(DocumentError("unknown-field", (part, index), at=name))
        if one == other:
            faults.append(DocumentError("same-field", (part, index)))
        result.append((one, other))
    return tuple(result)


def _parse_ratings(ratings: Sequence[int], faults: Faults) -> tuple[int, ...]:
    if len(ratings) != 6 or any(b <= a for a, b in pairwise(ratings)):
        faults.append(DocumentError("ratings-not-rising", ("ratings",)))
    return tuple(ratings)


def _check_points(fields: Sequence[Field], points: Mapping[str, Any], faults: Faults) -> None:
    """Append a fault for each paying symbol on the sheet that has no points in the document."""
    used = {(f.symbol, f.colour) for f in fields}
    for symbol, colour in SYMBOL_BY_TOKEN.values():
        if symbol in PAYING and (symbol, colour) in used:
            place = points.get(symbol, {}) if colour else points
            if (colour or symbol) not in place:
                facts = {"symbol": symbol, "colour": colour} if colour else {"symbol": symbol}
                faults.append(DocumentError("no-points", ("points",), **facts))


def _check_pairs(document: Mapping[str, Any], faults: Faults) -> None:
    """Append a fault if two fields have both a link and a wall."""
    links, walls = ({frozenset(pair) for pair in document.get(k, ())} for k in ("links", "walls"))
    if links & walls:
        pair = sorted(min(links & walls, key=sorted))
        faults.append(DocumentError("linked-and-walled", ("walls",), one=pair[0], other=pair[-1]))
