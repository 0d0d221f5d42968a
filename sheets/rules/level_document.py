"""How does a ``dizzle-level/1`` document become a level?

The document's types and ranges have been checked before (`sheets.documents`); here its meaning is:
that fields exist, that every symbol has its points, that rails and crosses are not mixed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, Final

from sheets.rules.level import (
    DICE,
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
    BY_COLOUR,
    KEYS,
    OFF_RAILS,
    PAYING,
    PLAIN,
    SYMBOL_PATTERN,
    WRITTEN,
)
from sheets.rules.violations import DocumentError

MAX_SIDE: Final = 26
HOLE: Final = "."
TOKEN: Final = re.compile(r"[^ \t]+")
WRITTEN_FIELD: Final = re.compile(rf"([1-6-])(x?)({SYMBOL_PATTERN}?)")


def parse_level(document: Mapping[str, Any]) -> Level:
    """The level a ``dizzle-level/1`` document describes.

    Raises:
        DocumentError: naming the place, for example ``grid row 3``.
    """
    rails = document.get("marks", "crosses") == "tracks"
    fields, columns = parse_grid(document["grid"], rails)
    index = {f.name for f in fields}
    points = document.get("points", {})
    level = Level(
        id=document["id"],
        name=parse_texts(document["name"]),
        fields=fields,
        columns=columns,
        rows=len(document["grid"]),
        document=document,
        about=parse_texts(document.get("about", "")),
        author=document.get("author", ""),
        difficulty=document.get("difficulty", 0),
        labels=_parse_labels(document.get("labels", {})),
        lines=_parse_lines(document.get("lines", ()), fields, columns, len(document["grid"])),
        areas=_parse_areas(document.get("areas", ()), fields),
        points={symbol: points.get(symbol, 0) for symbol in PLAIN},
        points_by_colour={symbol: dict(points.get(symbol, {})) for symbol in BY_COLOUR},
        flag_tracks={
            colour: _parse_track(f"points flag {colour}", numbers)
            for colour, numbers in points.get("flag", {}).items()
        },
        repeat_last=document.get("repeat_last", False),
        rails=rails,
        printed_tracks=_parse_printed_tracks(document, fields, rails),
        shifts=_parse_shifts(document, rails),
        links=_parse_pairs("links", document.get("links", ()), index),
        walls=_parse_pairs("walls", document.get("walls", ()), index),
        dice={**DICE} | {int(n): count for n, count in document.get("dice", {}).items()},
        rounds={**ROUNDS} | {int(n): count for n, count in document.get("rounds", {}).items()},
        ratings=_parse_ratings(document.get("ratings", RATINGS)),
    )
    _check_points(level, points)
    both = {frozenset(pair) for pair in level.links} & {frozenset(pair) for pair in level.walls}
    if both:
        pair = " and ".join(sorted(min(both, key=sorted)))
        raise DocumentError("walls", f"{pair} are linked and walled off at once")
    return level


def format_level(level: Level) -> dict[str, Any]:
    """The document the level was read from."""
    return dict(level.document)


def parse_grid(rows: Sequence[str], rails: bool) -> tuple[tuple[Field, ...], int]:
    """The fields of a grid in reading order, and how many columns it has.

    >>> [f.name for f in parse_grid(["4x . 2Gy"], rails=False)[0]]
    ['a1', 'c1']
    """
    if not 1 <= len(rows) <= MAX_SIDE:
        raise DocumentError("grid", f"has {len(rows)} rows, 1 to {MAX_SIDE} are possible")
    fields: list[Field] = []
    columns = len(TOKEN.findall(rows[0]))
    for row, text in enumerate(rows):
        place = f"grid row {row + 1}"
        tokens = TOKEN.findall(text)
        if len(tokens) != columns:
            raise DocumentError(place, f"has {len(tokens)} fields, the first row has {columns}")
        if not 1 <= columns <= MAX_SIDE:
            raise DocumentError(place, f"has {columns} fields, 1 to {MAX_SIDE} are possible")
        for column, written in enumerate(tokens):
            if written != HOLE:
                fields.append(_parse_field(place, written, column, row, rails))
    if not fields:
        raise DocumentError("grid", "has no field at all")
    return tuple(fields), columns


def _parse_field(place: str, written: str, column: int, row: int, rails: bool) -> Field:
    match = WRITTEN_FIELD.fullmatch(written)
    if not match:
        raise DocumentError(place, f"{written[:20]!r} is no field")
    number, printed, written_symbol = match.groups()
    symbol, colour = WRITTEN.get(written_symbol, ("", ""))
    if symbol == "volcano" and (number != "-" or printed):
        raise DocumentError(place, "a volcano is always written -V")
    if rails and (printed or written_symbol in OFF_RAILS):
        raise DocumentError(place, f"{written!r} cannot stand on a rail level")
    return Field(
        name=format_field(column, row),
        column=column,
        row=row,
        number=0 if number == "-" else int(number),
        symbol=symbol,
        colour=colour,
        printed=bool(printed),
    )


def parse_texts(text: str | Mapping[str, str]) -> Texts:
    """A text, or texts by language, as texts by language (``""``: for all).

    >>> parse_texts("Harbour")
    {'': 'Harbour'}
    """
    if isinstance(text, str):
        return {"": text} if text else {}
    return dict(text)


def _parse_labels(labels: Mapping[str, Any]) -> dict[str, Texts]:
    for key in labels:
        if key not in KEYS:
            raise DocumentError("labels", f"{key[:40]!r} names no symbol")
    return {key: parse_texts(text) for key, text in labels.items()}


def _parse_lines(
    lines: Sequence[Mapping[str, Any]], fields: Sequence[Field], columns: int, rows: int
) -> tuple[Line, ...]:
    result = []
    for number, line in enumerate(lines, start=1):
        place = f"lines entry {number}"
        kinds = [kind for kind in ("row", "column", "fields") if kind in line]
        if len(kinds) != 1:
            raise DocumentError(place, "names exactly one of row, column and fields")
        (kind,) = kinds
        which = ""
        if kind == "row":
            which = str(line["row"])
            if not 1 <= line["row"] <= rows:
                raise DocumentError(place, f"there is no row {which}")
            mask = _mask(fields, lambda f, line=line: f.row == line["row"] - 1)
        elif kind == "column":
            which = line["column"]
            if which not in [format_field(column, 0)[0] for column in range(columns)]:
                raise DocumentError(place, f"there is no column {which[:20]!r}")
            mask = _mask(fields, lambda f, which=which: f.name[0] == which)
        else:
            mask = _parse_fields(place, line["fields"], fields)
        if not mask:
            raise DocumentError(place, "has no field that can be crossed")
        result.append(Line(kind, which, mask, line["points"]))
    return tuple(result)


def _parse_areas(areas: Sequence[Mapping[str, Any]], fields: Sequence[Field]) -> tuple[Area, ...]:
    result = []
    for number, area in enumerate(areas, start=1):
        place = f"areas entry {number}"
        mask = _parse_fields(place, area["fields"], fields)
        if not mask:
            raise DocumentError(place, "has no field that can be crossed")
        if ("points" in area) == ("race" in area):
            raise DocumentError(place, "has either points or a race")
        race = _parse_track(f"{place} race", area["race"]) if "race" in area else ()
        result.append(Area(mask, area.get("points", 0), race))
    return tuple(result)


def _parse_fields(place: str, names: Sequence[str], fields: Sequence[Field]) -> int:
    """The named fields that can be crossed: a volcano is in no line or area."""
    known = {f.name for f in fields}
    wanted: set[str] = set()
    for name in names:
        if name not in known:
            raise DocumentError(place, f"there is no field {name[:20]!r}")
        if name in wanted:
            raise DocumentError(place, f"{name} is named twice")
        wanted.add(name)
    return _mask(fields, lambda f: f.name in wanted)


def _mask(fields: Sequence[Field], wanted: Any) -> int:
    return sum(1 << i for i, f in enumerate(fields) if f.symbol != "volcano" and wanted(f))


def _parse_track(place: str, numbers: Sequence[int]) -> tuple[int, ...]:
    if not numbers:
        raise DocumentError(place, "has no number")
    if any(later > earlier for earlier, later in pairwise(numbers)):
        raise DocumentError(place, "its numbers must not rise")
    return tuple(numbers)


def _parse_printed_tracks(
    document: Mapping[str, Any], fields: Sequence[Field], rails: bool
) -> dict[str, str]:
    tracks = dict(document.get("tracks", {}))
    if tracks and not rails:
        raise DocumentError("tracks", "only a rail level has printed tracks")
    symbols = {f.name: f.symbol for f in fields}
    for name in tracks:
        if name not in symbols:
            raise DocumentError("tracks", f"there is no field {name[:20]!r}")
        if symbols[name] == "volcano":
            raise DocumentError("tracks", f"{name} is a volcano")
    return tracks


def _parse_shifts(document: Mapping[str, Any], rails: bool) -> tuple[float, ...]:
    if "shifts" not in document:
        return ()
    shifts = tuple(document["shifts"])
    if rails:
        raise DocumentError("shifts", "a rail level cannot shift its rows")
    if len(shifts) != len(document["grid"]):
        raise DocumentError("shifts", f"has {len(shifts)} numbers for {len(document['grid'])} rows")
    for row, shift in enumerate(shifts, start=1):
        if shift * 4 % 1 or abs(shift) > 0.75:
            raise DocumentError(
                "shifts", f"row {row}: {shift} is no multiple of 0.25 from -0.75 to 0.75"
            )
    return shifts


def _parse_pairs(
    place: str, pairs: Sequence[Sequence[str]], known: set[str]
) -> tuple[tuple[str, str], ...]:
    result = []
    for number, pair in enumerate(pairs, start=1):
        for name in pair:
            if name not in known:
                raise DocumentError(f"{place} entry {number}", f"there is no field {name[:20]!r}")
        if len(pair) != 2 or pair[0] == pair[1]:
            raise DocumentError(f"{place} entry {number}", "names two different fields")
        result.append((pair[0], pair[1]))
    return tuple(result)


def _parse_ratings(ratings: Sequence[int]) -> tuple[int, ...]:
    if len(ratings) != 6 or any(b <= a for a, b in pairwise(ratings)):
        raise DocumentError("ratings", "are six rising totals")
    return tuple(ratings)


def _check_points(level: Level, points: Mapping[str, Any]) -> None:
    """Every symbol that pays on this sheet has an entry that says how much."""
    for symbol in PAYING:
        for colour in level.by_colour.get(symbol, ()):
            if colour not in points.get(symbol, {}):
                raise DocumentError("points", f"{symbol} {colour} has no entry")
        if level.by_symbol[symbol] and symbol not in points:
            raise DocumentError("points", f"{symbol} has no entry")
