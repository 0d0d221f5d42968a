"""Where does everything lie on a whole sheet?

All lengths are in fields: neighbouring fields are 1 apart, from the sheet's top left corner. The
screen, the picture and the printed page multiply by what they need.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterator, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

from sheets.artwork.compose import SYMBOL, compose_number, compose_symbol
from sheets.artwork.glyphs import DIGIT_HEIGHT, text_width
from sheets.artwork.outline import outline
from sheets.artwork.shapes import Point
from sheets.artwork.ties import link_ends, stretches
from sheets.rules.level import Area, Field, Level, parse_column

GAP = 0.036
"""The gap between two fields."""

MARGIN = 0.03
"""Room around the grid for half an area's border."""

CHAIN_INSET = 0.07
"""How far inside its fields a chain's dashes run: beside the border of an area or another chain."""

ARROW_LENGTH, ARROW_BREADTH, ARROW_GAP = 0.38, 0.6, 0.02
"""An arrow's size along and across its direction, and its distance from the grid."""

TEXT_SIZES = {1: 0.33, 2: 0.28, 3: 0.22}
"""Font size of the points in badges by their number of characters, where there is room."""

BADGE_PADDING = 0.08
"""What a badge is wider than its points."""

LEAST_TEXT_SIZE = 0.2
"""A race's points are shortened rather than made smaller than this; the score column has all."""

BADGE_HEIGHTS = {1: 0.28, 2: 0.25, 3: 0.195}
"""A badge of one character stands beside the field's number, a wider one above it; that of a race
stands above all of it, and is low enough to keep away from it."""


PRINTED_CROSS = (14.0, 14.0, 72.0)
"""Left, top and side of what a printed cross covers, in hundredths of its field."""

MOST_NARROW = 0.48
"""Badges narrower than this have room beside each other in a field without a symbol."""

MORE_ARRANGEMENTS = 6
"""How often badges are placed anew because some have bad places: more mend next to nothing."""

NEAR_QUARTERS = (0, -1, 1, -2, 2, -3, 3)
"""How far apart, in quarters of a field, the left sides of cells are that lie over each other."""


class Box(NamedTuple):
    """A rectangle by its top left corner and size."""

    x: float
    y: float
    width: float
    height: float

    @property
    def middle(self) -> Point:
        """Its middle."""
        return self.x + self.width / 2, self.y + self.height / 2


class Arrow(NamedTuple):
    """An arrow at a row's right end (pointing ``left``) or below a column (pointing ``up``).

    ``line`` is the index in ``level.lines``: the first if several pay for the same row or column.
    """

    line: int
    direction: str
    box: Box
    text: str


class Border(NamedTuple):
    """The outlines of a set of fields: closed loops of corners, holes' outlines included.

    ``kind`` is ``area``, around all its fields, or ``line``, dashed inside each of them;
    ``position`` is its place in the level's areas or lines. ``is_told_apart`` is true of an area
    that shares fields with another or lies in pieces: it needs a pattern of its own.
    """

    kind: str
    position: int
    loops: tuple[tuple[Point, ...], ...]
    is_told_apart: bool = False


class Badge(NamedTuple):
    """The points of a border's fields, in a corner of one of them: of each piece of an area.

    ``has_symbol`` says whether that one shows a symbol, and its number in the upper left;
    ``is_top`` and ``is_right`` which corner it is.
    """

    kind: str
    position: int
    box: Box
    text: str
    size: float
    has_symbol: bool
    is_top: bool = True
    is_right: bool = True


class Tie(NamedTuple):
    """A link, straight from field to field; ``position`` as in the level.

    ``parts`` are the stretches of its line that touch no number, symbol or cross.
    """

    position: int
    start: Point
    end: Point
    parts: tuple[tuple[Point, Point], ...]


class Layout(NamedTuple):
    """A whole sheet: its size, and everything on it."""

    width: float
    height: float
    fields: Mapping[str, Box]
    arrows: tuple[Arrow, ...]
    borders: tuple[Border, ...]
    badges: tuple[Badge, ...]
    ties: tuple[Tie, ...]
    walls: tuple[tuple[Point, Point], ...]


class _Corner(NamedTuple):
    """A corner of a field."""

    field: str
    is_top: bool
    is_right: bool


class _Place(NamedTuple):
    """Where a badge could stand: all corners it would cover there, besides its own.

    ``crowd`` is 1 above a symbol without a number, 2 on a printed cross or rails, and 3 below a
    symbol without a number, which it may touch.
    """

    crowd: int
    field: Field
    corner: _Corner
    covered: frozenset[_Corner]


class _Arrangement(NamedTuple):
    """The places of all badges, and which of these stand on others."""

    places: Mapping[int, _Place]
    clashing: Collection[int]

    @property
    def badness(self) -> tuple[int, int, int]:
        """How many clash, how many stand on something, and how crowded all are."""
        crowds = [place.crowd for place in self.places.values()]
        return len(self.clashing), sum(crowd > 1 for crowd in crowds), sum(crowds)


@lru_cache(maxsize=16)
def lay_out(level: Level) -> Layout:
    """Where everything on a level's sheet lies; one picture asks for it several times."""
    cells = _cells(level)
    fields = {
        name: Box(x + GAP / 2, y + GAP / 2, 1 - GAP, 1 - GAP) for name, (x, y) in cells.items()
    }
    right = max(x for x, _ in cells.values()) + 1
    bottom = max(y for _, y in cells.values()) + 1
    arrows = tuple(_arrows(level, cells, (right, bottom)))
    sets = [("area", i, a.fields, _area_text(a)) for i, a in enumerate(level.areas)]
    sets += [
        ("line", i, line.fields, number(line.points))
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
    ties = tuple(
        _tie(index, fields[a].middle, fields[b].middle, prints)
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
        ties,
        tuple(wall for a, b in level.walls if (wall := _wall(cells[a], cells[b]))),
    )


def lanes(places: Mapping[str, Point]) -> tuple[dict[str, float], dict[str, float]]:
    """How far right columns are and how far down rows, by the names that fields have from them.

    A column of rows that are moved is where its uppermost field is.
    """
    columns: dict[str, float] = {}
    rows: dict[str, float] = {}
    for name, (x, y) in places.items():
        columns.setdefault(name[0], x)
        rows.setdefault(name[1:], y)
    return columns, rows


def number(points: int) -> str:
    """Points as text, with a real minus sign.

    >>> number(-3)
    '−3'
    """
    return str(points).replace("-", "−")


def _cells(level: Level) -> dict[str, Point]:
    """The top left corner of each field's square of side 1."""
    shifts = level.shifts or (0.0,) * level.rows
    left = min(f.column + shifts[f.row] for f in level.fields) - MARGIN
    top = min(f.row for f in level.fields) - MARGIN
    return {f.name: (f.column + shifts[f.row] - left, f.row - top) for f in level.fields}


def _arrows(level: Level, cells: Mapping[str, Point], edge: Point) -> Iterator[Arrow]:
    """One for each row and column that pays, with the points of all its lines together."""
    paying: dict[tuple[str, str], list[int]] = {}
    for index, line in enumerate(level.lines):
        if line.kind != "fields":
            paying.setdefault((line.kind, line.which), []).append(index)
    columns = sorted(parse_column(which) for kind, which in paying if kind == "column")
    feet = _feet(level, columns, cells, edge)
    for (kind, which), indexes in paying.items():
        text = number(sum(level.lines[index].points for index in indexes))
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
    """The top left corners of the arrows of columns, given from the left.

    Each stands right below the lowest field of its column. Where a field of a shifted row is in
    its way it goes with the lowest row to the sheet's foot.
    """
    lowest = {field.column: field for field in level.fields}
    places = {(round(x * 4), round(y)) for x, y in cells.values()}
    shifts = level.shifts or (0.0,) * level.rows
    feet = {}
    for column in columns:
        field = lowest[column]
        x, y = cells[field.name]
        if any((round(x * 4) + by, round(y) + 1) in places for by in NEAR_QUARTERS):
            x += shifts[level.fields[-1].row] - shifts[field.row]
            y = edge[1] - 1
        feet[column] = (x + (1 - ARROW_BREADTH) / 2, y + 1 + ARROW_GAP)
    # At the foot some would stand beyond the sheet's sides; they move those beside them on.
    foot = [column for column in columns if feet[column][1] > edge[1]]
    for side, limit, ordered in ((1, MARGIN, foot), (-1, edge[0] - ARROW_BREADTH, foot[::-1])):
        for column in ordered:
            x, y = feet[column]
            x = side * max(side * x, side * limit)
            feet[column] = (x, y)
            limit = x + side * (ARROW_BREADTH + ARROW_GAP)
    return feet


def _dashed_square(cell: Point) -> tuple[Point, ...]:
    """Where the dashes of a chain run inside one of its fields."""
    left, top = cell[0] + CHAIN_INSET, cell[1] + CHAIN_INSET
    right, bottom = cell[0] + 1 - CHAIN_INSET, cell[1] + 1 - CHAIN_INSET
    return (left, top), (right, top), (right, bottom), (left, bottom)


def _area_text(area: Area) -> str:
    """An area's points, or those of a race: all if there is room for them, else first and last."""
    if not area.race:
        return number(area.points)
    text = "·".join(map(number, area.race))
    if text_width(text, LEAST_TEXT_SIZE) <= 1 - GAP - BADGE_PADDING:
        return text
    return f"{number(area.race[0])}··{number(area.race[-1])}"


def _pieces(members: Sequence[Field], cells: Mapping[str, Point]) -> list[list[Field]]:
    """The fields of an area in groups that hang together by a part of their sides."""
    left = {(round(cells[f.name][0] * 4), f.row): f for f in members}
    pieces = []
    while left:
        place = next(iter(left))
        piece, ahead = [left.pop(place)], [place]
        while ahead:
            x, y = ahead.pop()
            around = [(x - 4, y), (x + 4, y)]
            around += [(x + by, y + down) for by in NEAR_QUARTERS for down in (-1, 1)]
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
    """The badges of sets of fields; those with the least choice are placed first.

    Where that leaves some without a good place that they could have, these are placed before the
    others, a few times.
    """
    choices = [_places(text, members, cells, tracks) for _, _, text, members in to_place]
    order = sorted(range(len(to_place)), key=lambda i: len(to_place[i][3]))
    best = tried = _arrange(order, choices)
    for _ in range(MORE_ARRANGEMENTS):
        crowded = [i for i, place in tried.places.items() if place.crowd > choices[i][0].crowd]
        if not crowded and not tried.clashing:
            break
        # One at a time: two that change places with two others would do so for ever.
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
    """Each badge, in this order, in the first place where none is yet."""
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
    """Where a badge of these fields could stand: least crowded, then as far up and right as can be.

    ``tracks`` are the fields with printed rails.
    """
    x0 = cells[members[0].name][0]
    # In quarters of a field from the first member, as shifts are.
    inside = {(round((cells[f.name][0] - x0) * 4), f.row) for f in members}

    def rank(place: _Place) -> tuple[int, bool, bool, bool, float, float]:
        x, y = cells[place.field.name]
        quarters, above = round((x - x0) * 4), place.field.row - 1
        covered = any((quarters + by, above) in inside for by in NEAR_QUARTERS)
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
    """The corners in which a field may have a badge, the usual one first."""
    if field.symbol:
        return [_Corner(field.name, True, True), _Corner(field.name, False, False)]
    sides = (True, False) if _is_narrow(text, field) else (True,)
    return [_Corner(field.name, top, right) for right in sides for top in (True, False)]


def _covered(text: str, field: Field, corner: _Corner) -> frozenset[_Corner]:
    if _is_narrow(text, field):
        return frozenset({corner})
    return frozenset({corner, corner._replace(is_right=not corner.is_right)})


def _is_narrow(text: str, field: Field) -> bool:
    """Whether two such badges have room beside each other."""
    return _badge_size(text, field)[0] < MOST_NARROW


def _badge_size(text: str, field: Field, *, is_top: bool = True) -> tuple[float, float, float]:
    """Width, height and font size of a badge: beside a symbol there is less room than above."""
    beside = 0.5 if is_top else SYMBOL.x / 100 - GAP
    room = (beside if field.symbol else 1 - GAP) - BADGE_PADDING
    count = min(len(text), 3)
    height, size = BADGE_HEIGHTS[count], TEXT_SIZES[count]
    size = min(size, size * room / text_width(text, size))
    return max(text_width(text, size) + BADGE_PADDING, height), height, size


def _contents(level: Level, fields: Mapping[str, Box]) -> Iterator[Box]:
    """Where the printed numbers, symbols and crosses stand."""
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


def _tie(index: int, start: Point, end: Point, prints: Sequence[Box]) -> Tie:
    first, last = link_ends(start, end)
    left, right = sorted((first[0], last[0]))
    near = [box for box in prints if box.x < right + 1 and box.x + box.width > left - 1]
    return Tie(index, first, last, tuple(stretches(first, last, near)))


def _wall(a: Point, b: Point) -> tuple[Point, Point] | None:
    """The stretch of edge two cells share, if they touch by it: at least half of a side."""
    (ax, ay), (bx, by) = sorted((a, b), key=lambda cell: (round(cell[1]), cell[0]))
    # Exact in quarters of a field, as shifts are; the places themselves are rounded sums.
    across, down = round((bx - ax) * 4), round((by - ay) * 4)
    if (across, down) == (4, 0):
        return (bx, by + 0.08), (bx, by + 0.92)
    if down == 4 and abs(across) <= 2:
        left, right = max(ax, bx), min(ax, bx) + 1
        return (left + 0.08, by), (right - 0.08, by)
    return None
