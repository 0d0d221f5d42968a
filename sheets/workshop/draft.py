"""Draft of a level: a ``dizzle-level/1`` document in which numbers and points may be missing.

In the grid of a draft, ``?`` stands for a number that is not entered yet; the field is *open*.
`visible_level` returns a level that shows the draft, `finished_level` the level to play.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from itertools import pairwise
from typing import Any, Final, NamedTuple

import msgspec

from sheets.documents.structure import read_level
from sheets.rules import DocumentError, Level, parse_level
from sheets.rules.documents.level import (
    HOLE,
    NO_NUMBER,
    OPEN_NUMBER,
    PRINTED_CROSS,
    VOLCANO,
    field_pattern,
)
from sheets.rules.level import format_field, parse_column, parse_field
from sheets.rules.symbols import PAYING, SYMBOL_BY_TOKEN, SYMBOL_KEYS, Pays, symbol_key
from sheets.text.symbols import in_language

ORDER: Final = (
    *("format", "id", "name", "about", "author", "difficulty", "grid", "shifts", "marks"),
    *("tracks", "lines", "areas", "links", "walls", "points", "repeat_last", "labels"),
    *("dice", "rounds", "house_rules", "ratings"),
)
"""Order in which a document's parts are written."""

NUMBERS: Final = "123456"
"""Numbers that a field can have."""

_FIELD: Final = field_pattern(f"{NUMBERS}{OPEN_NUMBER}{NO_NUMBER}")
"""Regular expression of a token other than a hole, with groups for number, cross and symbol."""

SQUARE_PATTERN: Final = rf"\.|{VOLCANO}|(?!.x?{VOLCANO[-1]}){_FIELD}"
"""Regular expression of any token of a draft's grid; the page's scripts use it, too."""

_TOKEN: Final = re.compile(_FIELD)
"""`_FIELD`, compiled."""

Document = Mapping[str, Any]
"""A level or draft as JSON."""

Rename = Callable[[int, int], "tuple[int, int] | None"]
"""Function from a field's old column and row (from 0) to the new ones; None if it is removed."""


class Square(NamedTuple):
    """A square of a draft's grid.

    ``number`` is ``1`` to ``6``, ``-`` (none), ``?`` (not entered yet) or ``.`` (a hole).
    ``printed``: it has a printed cross. ``symbol`` is a token of the format such as ``Gy``, or
    empty.
    """

    number: str
    printed: bool = False
    symbol: str = ""

    @property
    def token(self) -> str:
        """Notation in a grid."""
        return f"{self.number}{PRINTED_CROSS if self.printed else ''}{self.symbol}"

    @property
    def kind(self) -> str:
        """Key of the symbol in ``labels``, such as ``gem yellow``; empty without symbol."""
        return symbol_key(*SYMBOL_BY_TOKEN[self.symbol]) if self.symbol else ""

    @property
    def is_volcano(self) -> bool:
        """Whether it is a volcano, which has no number and takes no die."""
        return self.symbol == VOLCANO_FIELD.symbol


BLANK: Final = Square(OPEN_NUMBER)
"""Field whose number is not entered yet."""

NO_FIELD: Final = Square(HOLE)
"""Hole in the grid."""

VOLCANO_FIELD: Final = Square(VOLCANO[0], symbol=VOLCANO[1])
"""Field of a volcano."""


def parse_square(written: str) -> Square:
    """Return the square of a grid's token. Raises ValueError for anything else.

    >>> parse_square("3xGy")
    Square(number='3', printed=True, symbol='Gy')
    """
    if written == HOLE:
        return NO_FIELD
    match = _TOKEN.fullmatch(written)
    if not match:
        raise ValueError(written)
    square = Square(match[1], bool(match[2]), match[3])
    if square.is_volcano and square != VOLCANO_FIELD:
        raise ValueError(written)
    return square


def parse_squares(rows: Sequence[str]) -> list[list[Square]]:
    """Return the squares of a grid's rows. Raises ValueError for an invalid token."""
    return [[parse_square(token) for token in row.split()] for row in rows]


def format_squares(squares: Sequence[Sequence[Square]]) -> list[str]:
    """Return the rows of a grid, padded so that its columns are aligned."""
    return [" ".join(f"{square.token:<4}" for square in row).rstrip() for row in squares]


def in_reading_order(names: Iterable[str]) -> list[str]:
    """Return names of fields, sorted row by row."""
    return sorted(names, key=lambda name: parse_field(name)[::-1])


def new_draft(name: Mapping[str, str], level_id: str, columns: int, rows: int) -> dict[str, Any]:
    """Return a draft in which no field has a number yet."""
    grid = format_squares([[BLANK] * columns for _ in range(rows)])
    return {"format": "dizzle-level/1", "id": level_id, "name": dict(name), "grid": grid}


class Draft:
    """Mutable draft: the grid as squares, all other parts as in the document."""

    def __init__(self, document: Document) -> None:
        self.parts: dict[str, Any] = deepcopy(dict(document))
        self.squares = parse_squares(self.parts.pop("grid"))

    @property
    def columns(self) -> int:
        """Number of columns."""
        return len(self.squares[0])

    @property
    def rows(self) -> int:
        """Number of rows."""
        return len(self.squares)

    @property
    def is_rails(self) -> bool:
        """Whether players draw tracks in place of crosses."""
        return bool(self.parts.get("marks") == "tracks")

    def places(self) -> Iterator[tuple[str, Square]]:
        """Yield the name and the square of every field; holes are left out."""
        for row, squares in enumerate(self.squares):
            for column, square in enumerate(squares):
                if square.number != HOLE:
                    yield format_field(column, row), square

    @property
    def names(self) -> set[str]:
        """Names of the fields, without holes."""
        return {name for name, _ in self.places()}

    def document(self) -> dict[str, Any]:
        """Return the document, without empty parts and without references to missing fields."""
        self._forget_missing()
        parts = self.parts | {"grid": format_squares(self.squares)}
        if not any(parts.get("shifts", ())):
            parts.pop("shifts", None)
        return {key: parts[key] for key in ORDER if key in parts and parts[key] not in ({}, [])}

    def rename(self, new_place: Rename) -> None:
        """Update the names of fields in all parts of the draft after squares have moved.

        Args:
            new_place: returns a field's new column and row (from 0); None if it was removed.
        """

        def moved(name: str) -> str:
            at = new_place(*parse_field(name))
            return format_field(*at) if at else ""

        for entry in (*self.parts.get("lines", ()), *self.parts.get("areas", ())):
            if "fields" in entry:
                entry["fields"] = [name for old in entry["fields"] if (name := moved(old))]
            elif "row" in entry:
                at = new_place(0, entry["row"] - 1) or new_place(1, entry["row"] - 1)
                entry["row"] = at[1] + 1 if at else 0
            else:
                column = parse_column(entry["column"])
                at = new_place(column, 0) or new_place(column, 1)
                entry["column"] = format_field(at[0], 0)[0] if at else ""
        tracks = self.parts.get("tracks", {})
        self.parts["tracks"] = {moved(name): shape for name, shape in tracks.items()}
        for kind in ("links", "walls"):
            self.parts[kind] = [list(map(moved, pair)) for pair in self.parts.get(kind, ())]

    def _forget_missing(self) -> None:
        names, parts = self.names, self.parts
        for entry in (*parts.get("lines", ()), *parts.get("areas", ())):
            if "fields" in entry:
                entry["fields"] = [name for name in entry["fields"] if name in names]
        columns = {format_field(column, 0)[0] for column in range(self.columns)}
        parts["lines"] = [
            entry
            for entry in parts.get("lines", ())
            if entry.get("fields")
            or 1 <= entry.get("row", 0) <= self.rows
            or entry.get("column", "") in columns
        ]
        parts["areas"] = [entry for entry in parts.get("areas", ()) if entry["fields"]]
        volcanoes = {name for name, square in self.places() if square.is_volcano}
        parts["tracks"] = {
            name: shape
            for name, shape in parts.get("tracks", {}).items()
            if name in names - volcanoes
        }
        for kind in ("links", "walls"):
            parts[kind] = [pair for pair in parts.get(kind, ()) if names.issuperset(pair)]


def visible_level(document: Document, open_as: str = NO_NUMBER) -> Level | None:
    """Return a level that shows a draft; None if that is impossible, for example without fields.

    Missing points become 0.

    Args:
        open_as: number to show on fields without an entered number.
    """
    draft = Draft(document)
    draft.squares = [
        [
            square._replace(number=open_as) if square.number == OPEN_NUMBER else square
            for square in row
        ]
        for row in draft.squares
    ]
    shown = draft.document()
    shown.setdefault("name", {"en": "…"})
    shown["points"] = points = deepcopy(shown.get("points", {}))
    for kind in kinds(draft):
        symbol, _, colour = kind.partition(" ")
        if symbol in PAYING:
            nothing = [0] if PAYING[symbol].pays is Pays.TRACK else 0
            place = points.setdefault(symbol, {}) if colour else points
            place.setdefault(colour or symbol, nothing)
    for numbers in _tracks(shown):
        numbers[:] = sorted(numbers or [0], reverse=True)
    ratings = shown.get("ratings", [])
    if any(b <= a for a, b in pairwise(ratings)):
        del shown["ratings"]
    crossable = {name for name, square in draft.places() if not square.is_volcano}
    for part in ("lines", "areas"):
        shown[part] = [
            entry for entry in shown.get(part, ()) if crossable & entry_fields(draft, entry)
        ]
    for area in shown["areas"]:
        if "race" not in area:
            area.setdefault("points", 0)
    try:
        return parse_level(shown)
    except DocumentError:
        return None


def finished_level(document: Document) -> Level:
    """Return the level of a draft without errors. Raises DocumentError if there are errors."""
    return read_level(msgspec.json.encode(document))


def kinds(draft: Draft) -> list[str]:
    """Return the used symbols with their colours, in the order of `SYMBOL_KEYS`."""
    used = {square.kind for _, square in draft.places()}
    return [kind for kind in SYMBOL_KEYS if kind in used]


def entry_fields(draft: Draft, entry: Mapping[str, Any]) -> set[str]:
    """Return the names of the fields of a line or an area."""
    if "fields" in entry:
        return set(entry["fields"])
    if "row" in entry:
        return {name for name in draft.names if parse_field(name)[1] + 1 == entry["row"]}
    return {name for name in draft.names if name[0] == entry.get("column")}


def in_language_or_blank(name: str | dict[str, str]) -> str:
    """Return a draft's name in the reader's language; empty if the draft has no name.

    Drafts store the name as one text, or by language.
    """
    return name if isinstance(name, str) else in_language(name)


def _tracks(document: Document) -> Iterable[list[int]]:
    yield from document.get("points", {}).get("flag", {}).values()
    for area in document.get("areas", ()):
        if "race" in area:
            yield area["race"]
