"""Where does everything lie on a whole sheet?

All lengths are in fields: neighbouring fields are 1 apart, from the sheet's top left corner. The
screen, the picture and the printed page multiply by what they need.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from sheets.artwork.glyphs import text_width
from sheets.artwork.shapes import Point
from sheets.rules.level import Area, Field, Level, Line

GAP = 0.036
"""The gap between two fields."""

MARGIN = 0.03
"""Room around the grid for half an area's border."""

ARROW_LENGTH, ARROW_BREADTH, ARROW_GAP = 0.38, 0.6, 0.02
"""An arrow's size along and across its direction, and its distance from the grid."""

TEXT_SIZES = {1: 0.33, 2: 0.28}
"""Font size of the points in badges by their number of characters, where there is room."""

BADGE_PADDING = 0.08
"""What a badge is wider than its points."""

BADGE_HEIGHTS = {1: 0.28, 2: 0.25}
"""A badge of one character stands beside the field's number, a wider one above it."""


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

    ``line`` is the index in ``level.lines``.
    """

    line: int
    direction: str
    box: Box
    text: str


class Border(NamedTuple):
    """The outlines around a set of fields: closed loops of corners, holes' outlines included.

    ``kind`` is ``area`` or ``line`` (dashed), ``position`` its place in the level's areas or lines.
    """

    kind: str
    position: int
    loops: tuple[tuple[Point, ...], ...]


class Badge(NamedTuple):
    """The points of a border's fields, in the top right corner of one of them."""

    kind: str
    position: int
    box: Box
    text: str
    size: float


class Tie(NamedTuple):
    """A straight connection from middle to middle: of a ``line`` (dashed) or a ``link``."""

    kind: str
    position: int
    start: Point
    end: Point


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


def lay_out(level: Level) -> Layout:
    """Where everything on a level's sheet lies."""
    cells = _cells(level)
    fields = {
        name: Box(x + GAP / 2, y + GAP / 2, 1 - GAP, 1 - GAP) for name, (x, y) in cells.items()
    }
    right = max(x for x, _ in cells.values()) + 1
    bottom = max(y for _, y in cells.values()) + 1
    arrows = tuple(
        _arrow(level, index, line, cells, (right, bottom))
        for index, line in enumerate(level.lines)
        if line.kind != "fields"
    )
    sets = [("area", i, a.fields, _area_text(a)) for i, a in enumerate(level.areas)]
    sets += [
        ("line", i, line.fields, number(line.points))
        for i, line in enumerate(level.lines)
        if line.kind == "fields"
    ]
    borders, badges, ties = [], [], []
    taken: set[str] = set()
    for kind, index, mask, text in sets:
        members = [f for f in level.fields if mask >> level.index[f.name] & 1]
        borders.append(Border(kind, index, outline(cells[f.name] for f in members)))
        badges.append(_badge(kind, index, text, members, cells, taken))
        if kind == "line":
            ties += _line_ties(index, [fields[f.name].middle for f in members])
    for index, (a, b) in enumerate(level.links):
        ties.append(Tie("link", index, fields[a].middle, fields[b].middle))
    sideways = any(arrow.direction == "left" for arrow in arrows)
    upwards = any(arrow.direction == "up" for arrow in arrows)
    return Layout(
        right + (ARROW_GAP + ARROW_LENGTH if sideways else MARGIN),
        bottom + (ARROW_GAP + ARROW_LENGTH if upwards else MARGIN),
        fields,
        arrows,
        tuple(borders),
        tuple(badges),
        tuple(ties),
        tuple(wall for a, b in level.walls if (wall := _wall(cells[a], cells[b]))),
    )


def number(points: int) -> str:
    """Points as text, with a real minus sign.

    >>> number(-3)
    '−3'
    """
    return str(points).replace("-", "−")


def outline(cells: Iterable[Point]) -> tuple[tuple[Point, ...], ...]:
    """The outlines of a union of cells of side 1, whose x are multiples of 1/4 of each other.

    Outer loops run clockwise, those of holes counter-clockwise.

    >>> outline([(0, 0), (1, 0)])
    (((0.0, 0.0), (2.0, 0.0), (2.0, 1.0), (0.0, 1.0)),)
    """
    corners = list(cells)
    x0 = min(x for x, _ in corners)
    y0 = min(y for _, y in corners)
    inside = {(round((x - x0) * 4) + part, round(y - y0)) for x, y in corners for part in range(4)}
    edges: dict[Point, list[Point]] = {}
    for x, y in sorted(inside):
        for beyond, start, end in (
            ((x, y - 1), (x, y), (x + 1, y)),
            ((x + 1, y), (x + 1, y), (x + 1, y + 1)),
            ((x, y + 1), (x + 1, y + 1), (x, y + 1)),
            ((x - 1, y), (x, y + 1), (x, y)),
        ):
            if beyond not in inside:
                edges.setdefault(start, []).append(end)
    loops = []
    while edges:
        loop = _trace(edges)
        loops.append(tuple((x / 4 + x0, y + y0) for x, y in _corners_only(loop)))
    return tuple(loops)


def _trace(edges: dict[Point, list[Point]]) -> list[Point]:
    """Take one closed loop out of the directed edges; where two meet, keep to the right."""
    start = min(edges)
    loop, at, heading = [start], start, (1.0, 0.0)
    while True:
        ends = edges[at]
        ends.sort(key=lambda end: _left_turn(heading, (end[0] - at[0], end[1] - at[1])))
        end = ends.pop(0)
        if not ends:
            del edges[at]
        heading = (end[0] - at[0], end[1] - at[1])
        if end == start:
            return loop
        loop.append(end)
        at = end


def _left_turn(heading: Point, step: Point) -> float:
    """Smaller the further right (clockwise, y down) a step turns."""
    return heading[1] * step[0] - heading[0] * step[1]


def _corners_only(loop: Sequence[Point]) -> list[Point]:
    kept = []
    for i, (x, y) in enumerate(loop):
        (px, py), (nx, ny) = loop[i - 1], loop[(i + 1) % len(loop)]
        if (x - px) * (ny - y) != (y - py) * (nx - x):
            kept.append((x, y))
    return kept


def _cells(level: Level) -> dict[str, Point]:
    """The top left corner of each field's square of side 1."""
    shifts = level.shifts or (0.0,) * level.rows
    left = min(f.column + shifts[f.row] for f in level.fields) - MARGIN
    top = min(f.row for f in level.fields) - MARGIN
    return {f.name: (f.column + shifts[f.row] - left, f.row - top) for f in level.fields}


def _arrow(level: Level, index: int, line: Line, cells: Mapping[str, Point], edge: Point) -> Arrow:
    members = [cells[name] for name in level.names(line.fields)]
    text = number(line.points)
    if line.kind == "row":
        y = members[0][1] + (1 - ARROW_BREADTH) / 2
        return Arrow(index, "left", Box(edge[0] + ARROW_GAP, y, ARROW_LENGTH, ARROW_BREADTH), text)
    x = max(members, key=lambda cell: cell[1])[0] + (1 - ARROW_BREADTH) / 2
    return Arrow(index, "up", Box(x, edge[1] + ARROW_GAP, ARROW_BREADTH, ARROW_LENGTH), text)


def _area_text(area: Area) -> str:
    return "·".join(map(number, area.race)) if area.race else number(area.points)


def _badge(
    kind: str,
    index: int,
    text: str,
    members: Sequence[Field],
    cells: Mapping[str, Point],
    taken: set[str],
) -> Badge:
    """A badge in a top right corner where it meets nothing, as far up and right as possible."""
    names = {f.name for f in members}
    x0 = cells[members[0].name][0]
    # In quarters of a field from the first member, as shifts are.
    quarters = {f.name: round((cells[f.name][0] - x0) * 4) for f in members}
    below = {(quarters[f.name] + by, f.row + 1) for f in members for by in range(-3, 4)}

    def rank(field: Field) -> tuple[bool, bool, bool, float, float]:
        x, y = cells[field.name]
        covered = (quarters[field.name], field.row) in below
        wide = len(text) > 2 and bool(field.symbol)
        crowded = field.printed or (bool(field.symbol) and not field.number)
        return field.name in taken, covered, wide or crowded, y, -x

    field = min(members, key=rank)
    taken |= names & {field.name}
    x, y = cells[field.name]
    room = (0.5 if field.symbol else 1 - GAP) - BADGE_PADDING
    count = min(len(text), 2)
    height, size = BADGE_HEIGHTS[count], TEXT_SIZES[count]
    size = min(size, size * room / text_width(text, size))
    width = max(text_width(text, size) + BADGE_PADDING, height)
    return Badge(kind, index, Box(x + 1 - width, y, width, height), text, size)


def _line_ties(index: int, middles: Sequence[Point]) -> list[Tie]:
    """Ties that make one chain of fields that do not touch, each to the nearest before it."""
    ties = []
    for i, (x, y) in enumerate(middles[1:], 1):
        ox, oy = min(middles[:i], key=lambda o: (o[0] - x) ** 2 + (o[1] - y) ** 2)
        if abs(ox - x) + abs(oy - y) > 1.01:
            ties.append(Tie("line", index, (ox, oy), (x, y)))
    return ties


def _wall(a: Point, b: Point) -> tuple[Point, Point] | None:
    """The stretch of edge two cells share, if they do."""
    (ax, ay), (bx, by) = sorted((a, b), key=lambda cell: (cell[1], cell[0]))
    if ay == by and abs(bx - ax) == 1:
        return (bx, by + 0.08), (bx, by + 0.92)
    if by - ay == 1 and abs(ax - bx) < 1:
        left, right = max(ax, bx), min(ax, bx) + 1
        return (left + 0.08, by), (right - 0.08, by)
    return None
