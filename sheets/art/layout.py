"""Layout of a whole sheet: the positions of fields, arrows, borders, badges, links and walls.

The unit of all lengths is the distance between the middles of two neighbouring fields. The origin
is the top left corner of the sheet. The screen, pictures and printed pages scale the lengths.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterator, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

from sheets.art.field_contents import SYMBOL, compose_number, compose_symbol
from sheets.art.glyphs import DIGIT_HEIGHT, text_width
from sheets.art.link_geometry import link_ends, visible_parts
from sheets.art.outlines import outline
from sheets.art.shapes import Point
from sheets.rules.level import Area, Field, Level, parse_column

GAP = 0.036
"""Gap between two fields."""

MARGIN = 0.03
"""Margin around the grid, for half an area's border."""

CHAIN_INSET = 0.07
"""Distance of a chain's dashes from the edges of its fields, because borders of areas are there.

A chain is a line with the kind ``fields``.
"""

ARROW_LENGTH = 0.38
"""Size of an arrow in the direction in which it points."""

ARROW_BREADTH = 0.6
"""Size of an arrow at right angles to its direction."""

ARROW_GAP = 0.02
"""Distance between an arrow and the grid."""

TEXT_SIZES = {1: 0.33, 2: 0.28, 3: 0.22}
"""Maximum font size of the points in a badge, by number of characters; 3 is for 3 and more."""

BADGE_PADDING = 0.08
"""Horizontal padding of a badge: the left and the right one together."""

MIN_TEXT_SIZE = 0.2
"""Font size at which the points of a race must fit a badge.

If they do not, the badge has only the first and the last; the score column has all.
"""

BADGE_HEIGHTS = {1: 0.28, 2: 0.25, 3: 0.195}
"""Height of a badge by number of characters; 3 is for 3 and more.

A badge with one character is next to the field's number, a wider one is above the number.
"""


PRINTED_CROSS = (14.0, 14.0, 72.0)
"""Left, top and side of a printed cross, in hundredths of its field."""

MAX_NARROW_WIDTH = 0.48
"""Width below which two badges fit side by side in a field."""

MAX_RETRIES = 6
"""Maximum number of further attempts to arrange the badges; more hardly improve the result."""

OVERLAP_QUARTERS = (0, -1, 1, -2, 2, -3, 3)
"""Horizontal offsets, in quarters of a field, at which two cells of adjacent rows overlap."""


class Box(NamedTuple):
    """A rectangle, as its top left corner and size."""

    x: float
    y: float
    width: float
    height: float

    @property
    def middle(self) -> Point:
        """Middle of the rectangle."""
        return self.x + self.width / 2, self.y + self.height / 2


class Arrow(NamedTuple):
    """An arrow with points, at a row's right end (direction ``left``) or below a column (``up``).

    ``line`` is the index of its line in ``level.lines``. If several lines have this row or column,
    it is the first index.
    """

    line: int
    direction: str
    box: Box
    text: str


class Border(NamedTuple):
    """The outlines of an area, or the dashed squares of a chain.

    ``kind`` is ``area`` or ``line`` (a chain); ``position`` is the index in the level's areas or
    lines. ``loops`` are closed polygons: an area has one around each piece and hole, a chain has a
    square inside each field. ``has_pattern``: the area shares fields with another area or consists
    of several pieces, so it needs a dash pattern of its own.
    """

    kind: str
    position: int
    loops: tuple[tuple[Point, ...], ...]
    has_pattern: bool = False


class Badge(NamedTuple):
    """The points of a chain or of one piece of an area, in a corner of one of its fields.

    ``kind`` and ``position`` are those of its `Border`; ``size`` is the font size. ``has_symbol``:
    the field has a symbol, so its number is in the upper left. ``is_top`` and ``is_right`` name the
    corner.
    """

    kind: str
    position: int
    box: Box
    text: str
    size: float
    has_symbol: bool
    is_top: bool = True
    is_right: bool = True


class Link(NamedTuple):
    """A straight link between two fields; ``position`` is its index in ``level.links``.

    ``parts`` are the segments of the line from ``start`` to ``end`` that are drawn: those that
    touch no number, symbol or cross.
    """

    position: int
    start: Point
    end: Point
    parts: tuple[tuple[Point, Point], ...]


class Layout(NamedTuple):
    """A whole sheet: its size, and the positions of all that is drawn on it."""

    width: float
    height: float
    fields: Mapping[str, Box]
    arrows: tuple[Arrow, ...]
    borders: tuple[Border, ...]
    badges: tuple[Badge, ...]
    links: tuple[Link, ...]
    walls: tuple[tuple[Point, Point], ...]


class _Corner(NamedTuple):
    """A corner of a field."""

    field: str
    is_top: bool
    is_right: bool


class _Place(NamedTuple):
    """A possible position of a badge, and all corners of fields that it covers there.

    ``crowd`` rates the position, lower is better: 0 usually, 1 above a symbol without a number, 2
    on a printed cross or rails, and 3 below a symbol without a number, which the badge may touch.
    """

    crowd: int
    field: Field
    corner: _Corner
    covered: frozenset[_Corner]


class _Arrangement(NamedTuple):
    """The position of each badge, by the badge's index, and the badges that overlap others."""

    places: Mapping[int, _Place]
    clashing: Collection[int]

    @property
    def badness(self) -> tuple[int, int, int]:
        """Measures to compare arrangements; lower is better.

        They are the number of badges that overlap others, the number of badges whose ``crowd``
        exceeds 1, and the sum of all ``crowd`` values.
        """
        crowds = [place.crowd for place in self.places.values()]
        return len(self.clashing), sum(crowd > 1 for crowd in crowds), sum(crowds)


@lru_cache(maxsize=16)
def lay_out(level: Level) -> Layout:
    """Return the layout of a level's sheet; cached, because one picture needs it several times."""
    cells = _cells(level)
    fields = {
        name: Box(x + GAP / 2, y + GAP / 2, 1 - GAP, 1 - GAP) for name, (x, y) in cells.items()
    }
    right = max(x for x, _ in cells.values()) + 1
    bottom = max(y for _, y in cells.values()) + 1
    arrows = tuple(_arrows(level, cells, (right, bottom)))
    sets = [("area", i, a.fields, _area_text(a)) for i, a in enumerate(level.areas)]
    sets += [
        ("line", i, line.fields, format_amount(line.points))
        for i, line in enumerate(level.lines)
        if line.kind == "fields"
    ]
    borders: list[Border] = []
    to_place: list[tuple[str, int, str, Sequence[Field]]] = []
    for kind, index, mask, text in sets:
        members = [f for f in level.fields if mask >> level.index[f.name] & 1]
        inside = [cells[field.name] for field in members]
        pieces = _pieces(members, cells) if kind == "area" else [members]
        if kind == "line":
            borders.append(Border(kind, index, tuple(map(_dashed_square, inside))))
        else:
            others = (area.fields for i, area in enumerate(level.areas) if i != index)
            shares = any(mask & other for other in others)
            borders.append(Border(kind, index, outline(inside), shares or len(pieces) > 1))
        to_place += [(kind, index, text, piece) for piece in pieces]
    badges = _badges(to_place, cells, level.printed_tracks)
    prints = [*_contents(level, fields), *(badge.box for badge in badges)] if level.links else []
    links = tuple(
        _link(index, fields[a].middle, fields[b].middle, prints)
        for index, (a, b) in enumerate(level.links)
    )
    sideways = any(arrow.direction == "left" for arrow in arrows)
    upwards = any(arrow.direction == "up" for arrow in arrows)
    return Layout(
        right + (ARROW_GAP + ARROW_LENGTH if sideways else MARGIN),
        bottom + (ARROW_GAP + ARROW_LENGTH if upwards else MARGIN),
        MappingProxyType(fields),
        arrows,
        tuple(borders),
        badges,
        links,
        tuple(wall for a, b in level.walls if (wall := _wall(cells[a], cells[b]))),
    )


def lanes(places: Mapping[str, Point]) -> tuple[dict[str, float], dict[str, float]]:
    """Return the x of each column and the y of each row, by their names.

    ``places`` has a point of each field, by the field's name. If rows are shifted, a column has the
    x of its uppermost field.
    """
    columns: dict[str, float] = {}
    rows: dict[str, float] = {}
    for name, (x, y) in places.items():
        columns.setdefault(name[0], x)
        rows.setdefault(name[1:], y)
    return columns, rows


def format_amount(points: int) -> str:
    """Format points with a real minus sign.

    >>> format_amount(-3)
    '−3'
    """
    return str(points).replace("-", "−")


def _cells(level: Level) -> dict[str, Point]:
    """Return the top left corner of each field's cell, a square of side 1."""
    shifts = level.shifts or (0.0,) * level.rows
    left = min(f.column + shifts[f.row] for f in level.fields) - MARGIN
    top = min(f.row for f in level.fields) - MARGIN
    return {f.name: (f.column + shifts[f.row] - left, f.row - top) for f in level.fields}


def _arrows(level: Level, cells: Mapping[str, Point], edge: Point) -> Iterator[Arrow]:
    """Yield an arrow for each row and column that pays, with the sum of its lines' points."""
    paying: dict[tuple[str, str], list[int]] = {}
    for index, line in enumerate(level.lines):
        if line.kind != "fields":
            paying.setdefault((line.kind, line.which), []).append(index)
    columns = sorted(parse_column(which) for kind, which in paying if kind == "column")
    feet = _feet(level, columns, cells, edge)
    for (kind, which), indexes in paying.items():
        text = format_amount(sum(level.lines[index].points for index in indexes))
        if kind == "column":
            box = Box(*feet[parse_column(which)], ARROW_BREADTH, ARROW_LENGTH)
            yield Arrow(indexes[0], "up", box, text)
        else:
            (_, y), *_ = (cells[name] for name in level.names(level.lines[indexes[0]].fields))
            y += (1 - ARROW_BREADTH) / 2
            box = Box(edge[0] + ARROW_GAP, y, ARROW_LENGTH, ARROW_BREADTH)
            yield Arrow(indexes[0], "left", box, text)


def _feet(
    level: Level, columns: Sequence[int], cells: Mapping[str, Point], edge: Point
) -> dict[int, Point]:
    """Return the top left corner of the arrow of each column; ``columns`` are sorted from the left.

    An arrow is directly below the lowest field of its column. If a field of a shifted row is there,
    the arrow is at the bottom of the sheet, shifted like the lowest row. ``edge`` is the bottom
    right corner of the fields.
    """
    lowest = {field.column: field for field in level.fields}
    places = {(round(x * 4), round(y)) for x, y in cells.values()}
    shifts = level.shifts or (0.0,) * level.rows
    feet = {}
    for column in columns:
        field = lowest[column]
        x, y = cells[field.name]
        if any((round(x * 4) + by, round(y) + 1) in places for by in OVERLAP_QUARTERS):
            x += shifts[level.fields[-1].row] - shifts[field.row]
            y = edge[1] - 1
        feet[column] = (x + (1 - ARROW_BREADTH) / 2, y + 1 + ARROW_GAP)
    # At the bottom, arrows outside the sheet move inside and push their neighbours aside.
    foot = [column for column in columns if feet[column][1] > edge[1]]
    for side, limit, ordered in ((1, MARGIN, foot), (-1, edge[0] - ARROW_BREADTH, foot[::-1])):
        for column in ordered:
            x, y = feet[column]
            x = side * max(side * x, side * limit)
            feet[column] = (x, y)
            limit = x + side * (ARROW_BREADTH + ARROW_GAP)
    return feet


def _dashed_square(cell: Point) -> tuple[Point, ...]:
    """Return the corners of a chain's dashed square inside one of its fields."""
    left, top = cell[0] + CHAIN_INSET, cell[1] + CHAIN_INSET
    right, bottom = cell[0] + 1 - CHAIN_INSET, cell[1] + 1 - CHAIN_INSET
    return (left, top), (right, top), (right, bottom), (left, bottom)


def _area_text(area: Area) -> str:
    """Format the points of an area for its badge.

    A race has several amounts: all if they fit, else the first and the last.
    """
    if not area.race:
        return format_amount(area.points)
    text = "·".join(map(format_amount, area.race))
    if text_width(text, MIN_TEXT_SIZE) <= 1 - GAP - BADGE_PADDING:
        return text
    return f"{format_amount(area.race[0])}··{format_amount(area.race[-1])}"


def _pieces(members: Sequence[Field], cells: Mapping[str, Point]) -> list[list[Field]]:
    """Split an area's fields into connected components; touching sides connect two fields."""
    left = {(round(cells[f.name][0] * 4), f.row): f for f in members}
    pieces = []
    while left:
        place = next(iter(left))
        piece, ahead = [left.pop(place)], [place]
        while ahead:
            x, y = ahead.pop()
            around = [(x - 4, y), (x + 4, y)]
            around += [(x + by, y + down) for by in OVERLAP_QUARTERS for down in (-1, 1)]
            for near in around:
                if near in left:
                    piece.append(left.pop(near))
                    ahead.append(near)
        pieces.append(sorted(piece, key=lambda field: (field.row, field.column)))
    return pieces


def _badges(
    to_place: Sequence[tuple[str, int, str, Sequence[Field]]],
    cells: Mapping[str, Point],
    tracks: Container[str],
) -> tuple[Badge, ...]:
    """Place the badges of chains and areas greedily, those with the fewest fields first.

    If a badge gets a worse position than its best one, it moves to the front of the order, and all
    badges are placed again, up to `MAX_RETRIES` times. The best arrangement is returned.

    Args:
        to_place: kind, index, text and fields of each badge.
        cells: top left corner of each field's cell.
        tracks: the fields with printed rails.
    """
    choices = [_places(text, members, cells, tracks) for _, _, text, members in to_place]
    order = sorted(range(len(to_place)), key=lambda i: len(to_place[i][3]))
    best = tried = _arrange(order, choices)
    for _ in range(MAX_RETRIES):
        crowded = [i for i, place in tried.places.items() if place.crowd > choices[i][0].crowd]
        if not crowded and not tried.clashing:
            break
        # One at a time, because two badges could swap with two others for ever.
        unlucky = [*tried.clashing, *crowded][0]
        order.remove(unlucky)
        order.insert(0, unlucky)
        tried = _arrange(order, choices)
        best = min(best, tried, key=lambda found: found.badness)
    return tuple(
        _badge(kind, index, text, best.places[i], cells)
        for i, (kind, index, text, _) in enumerate(to_place)
    )


def _arrange(order: Sequence[int], choices: Sequence[Sequence[_Place]]) -> _Arrangement:
    """Place each badge, in this order, in its first free position, or else in its first one."""
    taken: set[_Corner] = set()
    places: dict[int, _Place] = {}
    clashing = []
    for i in order:
        free = (place for place in choices[i] if taken.isdisjoint(place.covered))
        place = next(free, None)
        if not place:
            place = choices[i][0]
            clashing.append(i)
        places[i] = place
        taken |= place.covered
    return _Arrangement(places, clashing)


def _places(
    text: str, members: Sequence[Field], cells: Mapping[str, Point], tracks: Container[str]
) -> list[_Place]:
    """Return the possible positions of a badge, from the best to the worst.

    The first criterion is `_Place.crowd`, the second an upper right corner. ``members`` are the
    fields that may have the badge, ``tracks`` the fields with printed rails.
    """
    x0 = cells[members[0].name][0]
    # x in quarters of a field, the unit of shifts, relative to the first member.
    inside = {(round((cells[f.name][0] - x0) * 4), f.row) for f in members}

    def rank(place: _Place) -> tuple[int, bool, bool, bool, float, float]:
        x, y = cells[place.field.name]
        quarters, above = round((x - x0) * 4), place.field.row - 1
        covered = any((quarters + by, above) in inside for by in OVERLAP_QUARTERS)
        wide = len(text) > 2 and bool(place.field.symbol)
        usual = place.corner.is_top and place.corner.is_right
        return place.crowd, not usual, covered, wide, y, -x

    places = [
        _Place(_crowd(field, corner, tracks), field, corner, _covered(text, field, corner))
        for field in members
        for corner in _corners(text, field)
    ]
    return sorted(places, key=rank)


def _crowd(field: Field, corner: _Corner, tracks: Container[str]) -> int:
    is_alone = bool(field.symbol) and not field.number
    if is_alone and not corner.is_top:
        return 3
    return 2 if field.printed or field.name in tracks else int(is_alone)


def _badge(kind: str, index: int, text: str, place: _Place, cells: Mapping[str, Point]) -> Badge:
    _, field, corner, _ = place
    x, y = cells[field.name]
    width, height, size = _badge_size(text, field, is_top=corner.is_top)
    left = x + 1 - width if corner.is_right else x
    box = Box(left, y if corner.is_top else y + 1 - height, width, height)
    return Badge(kind, index, box, text, size, bool(field.symbol), corner.is_top, corner.is_right)


def _corners(text: str, field: Field) -> list[_Corner]:
    """Return the corners of a field that can hold a badge, the usual one first."""
    if field.symbol:
        return [_Corner(field.name, True, True), _Corner(field.name, False, False)]
    sides = (True, False) if _is_narrow(text, field) else (True,)
    return [_Corner(field.name, top, right) for right in sides for top in (True, False)]


def _covered(text: str, field: Field, corner: _Corner) -> frozenset[_Corner]:
    if _is_narrow(text, field):
        return frozenset({corner})
    return frozenset({corner, corner._replace(is_right=not corner.is_right)})


def _is_narrow(text: str, field: Field) -> bool:
    """Return whether two badges with this text fit side by side in the field."""
    return _badge_size(text, field)[0] < MAX_NARROW_WIDTH


def _badge_size(text: str, field: Field, *, is_top: bool = True) -> tuple[float, float, float]:
    """Return width, height and font size of a badge; next to a symbol it is narrower."""
    next_to_symbol = 0.5 if is_top else SYMBOL.x / 100 - GAP
    room = (next_to_symbol if field.symbol else 1 - GAP) - BADGE_PADDING
    count = min(len(text), 3)
    height, size = BADGE_HEIGHTS[count], TEXT_SIZES[count]
    size = min(size, size * room / text_width(text, size))
    return max(text_width(text, size) + BADGE_PADDING, height), height, size


def _contents(level: Level, fields: Mapping[str, Box]) -> Iterator[Box]:
    """Yield the boxes of printed numbers, symbols and crosses."""
    for field in level.fields:
        box = fields[field.name]
        unit = box.width / 100
        for text in compose_number(field):
            width, height = text_width(text.text, text.size), text.size * DIGIT_HEIGHT
            left, top = text.x - width / 2, text.y - height
            yield Box(box.x + left * unit, box.y + top * unit, width * unit, height * unit)
        places = [(item.x, item.y, item.size) for item in compose_symbol(field)]
        if field.name in level.printed_tracks:
            places = [(0.0, 0.0, 100.0)]
        elif field.printed:
            places.append(PRINTED_CROSS)
        for left, top, side in places:
            yield Box(box.x + left * unit, box.y + top * unit, side * unit, side * unit)


def _link(index: int, start: Point, end: Point, prints: Sequence[Box]) -> Link:
    first, last = link_ends(start, end)
    left, right = sorted((first[0], last[0]))
    near = [box for box in prints if box.x < right + 1 and box.x + box.width > left - 1]
    return Link(index, first, last, tuple(visible_parts(first, last, near)))


def _wall(a: Point, b: Point) -> tuple[Point, Point] | None:
    """Return the ends of a wall between two cells, None if they share less than half a side."""
    (ax, ay), (bx, by) = sorted((a, b), key=lambda cell: (round(cell[1]), cell[0]))
    # Exact in quarters of a field, the unit of shifts; the coordinates have rounding errors.
    across, down = round((bx - ax) * 4), round((by - ay) * 4)
    if (across, down) == (4, 0):
        return (bx, by + 0.08), (bx, by + 0.92)
    if down == 4 and abs(across) <= 2:
        left, right = max(ax, bx), min(ax, bx) + 1
        return (left + 0.08, by), (right - 0.08, by)
    return None
