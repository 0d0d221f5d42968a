"""Pictures of the examples on the rules page: small sheets and boards with dice and signs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final, NamedTuple, Protocol

from sheets.art.board import FIELD_SHAPE, DrawnLine, board_view, die_id, field_role
from sheets.art.layout import Box, Layout, lay_out
from sheets.art.render.fonts import CAPITAL_HEIGHT, fitted_size
from sheets.art.render.items import (
    HAIRLINE_MM,
    POINT_MM,
    Item,
    Stamp,
    TextLine,
    disc,
    panel,
    polygon,
    stamp,
)
from sheets.art.shapes import Shape, circle, rectangle
from sheets.printing.geometry import place_fields
from sheets.printing.grid import draw_grid
from sheets.printing.rule_positions import BoardPosition, Position, Row, fields_between
from sheets.rules.dice2.board import INDEX
from sheets.rules.marks import DICE, marks_of

ALLOWED: Final = Stamp(
    "may-go", "", (Shape(rectangle(-1, -1, 102, 102, 12), "", "pen", 9),), 0, 0, 1
)
"""Frame around a field where the die may go."""

REFUSED: Final = Stamp(
    "may-not-go",
    "red",
    (
        Shape(circle(50, 50, 40) + "M22 78L78 22", "", "paper", 17),
        Shape(circle(50, 50, 40) + "M22 78L78 22", "", "line", 10),
    ),
    0,
    0,
    1,
)
"""Barred circle on a field where the die may not go."""

LINK_STROKES: Final = (("die-edge", 24), ("spark", 13))
"""Colours and widths of the bar between two dice of a line, in hundredths of a field."""

LINK_PATHS: Final = {
    (0, 1): "M90 50H110",
    (1, 0): "M50 90V110",
    (1, 1): "M88 88L112 112",
    (1, -1): "M12 88L-12 112",
}
"""Path data of this bar, by (rows, columns) from the first die to the second.

The origin is the top left of the first die's field.
"""

TRAY_EDGE: Final = 0.12
"""Width of the rim of the pool around its dice, in pitches (distances between two fields)."""

TRAY_GAP: Final = 0.3
"""Distance between the pool and its sheet, in pitches."""

ARROW_WIDTH: Final = 0.95
"""Width of the arrow between a position and the next one, with its gaps, in pitches."""

ROW_GAP: Final = 0.3
"""Distance between two rows of positions, in pitches."""

POSITION_GAP: Final = 0.55
"""Distance between two positions in a row that is not a sequence, in pitches."""

NUMBER_WIDTH: Final = 0.7
"""Diameter of a number to circle, in pitches."""

STRUCK: Final = (Shape("M18 82L82 18", "", "pen", 9),)
"""Line that strikes out a number that another player has taken."""

LABEL: Final = 0.36
"""Font size of the label of a position, in pitches."""

MIN_LABEL_MM: Final = 7 * POINT_MM
"""Minimum font size of the label of a position."""

LABEL_HEIGHT: Final = 0.48
"""Height of a position's label with the gap below it, in pitches."""

_TRAY: Final = 1 + 2 * TRAY_EDGE
"""Width and height of a pool with one die, in pitches."""


class Picture(Protocol):
    """Picture of an example; ``width`` and ``height`` are in pitches (field distances)."""

    @property
    def width(self) -> float:
        """Width without a margin."""

    @property
    def height(self) -> float:
        """Height without a margin."""

    def draw(self, x: float, y: float, pitch: float) -> Iterator[Item]:
        """Yield the items of the picture; ``x``, ``y`` is its top left; all lengths are in mm."""


class _GridFrame(NamedTuple):
    """Geometry of a small sheet, as needed by `draw_grid` (`GridFrame`)."""

    layout: Layout
    pitch_mm: float
    origin: tuple[float, float]
    fields: dict[str, Box]
    is_large: bool = False


class SheetPicture:
    """Picture of positions of Dizzle in rows."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self.rows = rows

    @property
    def width(self) -> float:
        return max(map(_row_width, self.rows))

    @property
    def height(self) -> float:
        return sum(map(_row_height, self.rows)) + (len(self.rows) - 1) * ROW_GAP

    def draw(self, x: float, y: float, pitch: float) -> Iterator[Item]:
        for row in self.rows:
            yield from _draw_row(row, x, y, pitch)
            y += (_row_height(row) + ROW_GAP) * pitch


class BoardPicture:
    """Picture of a part of the board of Dice², with the rolled die to its left."""

    def __init__(self, position: BoardPosition) -> None:
        self.position = position
        self.fields = fields_between(position.first, position.last)
        self.tray_width = _TRAY + TRAY_GAP if position.die else 0.0

    @property
    def width(self) -> float:
        return self.tray_width + self._across

    @property
    def height(self) -> float:
        return len(self.fields) / self._across

    @property
    def _across(self) -> int:
        """Number of columns."""
        return ord(self.position.last[0]) - ord(self.position.first[0]) + 1

    def draw(self, x: float, y: float, pitch: float) -> Iterator[Item]:
        position, view = self.position, board_view(self.position.game)
        places = {}
        left = x + self.tray_width * pitch
        for number, name in enumerate(self.fields):
            row, column = divmod(number, self._across)
            places[name] = (left + column * pitch, y + row * pitch)
            role = field_role(INDEX[name])
            shape = Shape(FIELD_SHAPE, role, "board-line", 3)
            yield Stamp(f"field-{role}", "", (shape,), *places[name], pitch)
        for name, (player, number) in view.dice.items():
            yield stamp(die_id(player, number), *places[name], pitch)
        for drawn in view.lines:
            yield from _links(drawn, places, pitch)
        if position.die:
            die = die_id(position.game.player, position.die)
            yield from draw_tray((die,), x, y, pitch)
        yield from _signs(position, {name: (*place, pitch) for name, place in places.items()})


def _draw_row(row: Row, x: float, y: float, pitch: float) -> Iterator[Item]:
    height = _row_height(row)
    for number, position in enumerate(row.positions):
        if number and row.is_sequence:
            middle = y + (height - position.sheet.level.rows / 2) * pitch
            yield _arrow(x + ARROW_WIDTH * pitch / 2, middle, pitch)
        if number:
            x += (ARROW_WIDTH if row.is_sequence else POSITION_GAP) * pitch
        yield from _draw_position(position, row, x, y, pitch)
        x += _position_width(position, row) * pitch


def _draw_position(
    position: Position, row: Row, x: float, y: float, pitch: float
) -> Iterator[Item]:
    sheet, width = position.sheet, _position_width(position, row)
    if _has_labels(row):
        wanted = max(MIN_LABEL_MM, LABEL * pitch)
        size = fitted_size(str(position.label), wanted, width * pitch)
        yield TextLine(str(position.label), x, y + CAPITAL_HEIGHT * wanted, size)
        y += LABEL_HEIGHT * pitch
    if position.pool:
        yield from draw_tray([DICE[die - 1] for die in position.pool], x, y, pitch)
    if _is_pool_above(row):
        y += (_TRAY + TRAY_GAP) * pitch
    elif position.pool:
        x += (_TRAY + TRAY_GAP) * pitch
    layout = lay_out(sheet.level)
    fields = place_fields(layout, pitch, (x, y))
    frame = _GridFrame(layout, pitch, (x, y), fields)
    yield from draw_grid(sheet.level, frame, marks_of(sheet, position.by_rocket))
    yield from _signs(position, {name: box[:3] for name, box in fields.items()})
    yield from _numbers(position, x, y + (sheet.level.rows + ROW_GAP / 2) * pitch, pitch)


def _has_labels(row: Row) -> bool:
    return any(position.label for position in row.positions)


def _is_pool_above(row: Row) -> bool:
    """Return whether pools are above their sheets, because the row has several sheets."""
    return len(row.positions) > 1 and any(position.pool for position in row.positions)


def _position_width(position: Position, row: Row) -> float:
    level, tray = position.sheet.level, len(position.pool) - 1 + _TRAY if position.pool else 0.0
    if _is_pool_above(row):
        return max(level.columns, tray)
    across = max(level.columns, len(position.numbers) * NUMBER_WIDTH)
    return across + (tray + TRAY_GAP if position.pool else 0.0)


def _row_width(row: Row) -> float:
    gap = ARROW_WIDTH if row.is_sequence else POSITION_GAP
    widths = [_position_width(position, row) for position in row.positions]
    return sum(widths) + gap * (len(widths) - 1)


def _row_height(row: Row) -> float:
    height = float(max(position.sheet.level.rows for position in row.positions))
    if _is_pool_above(row):
        height += _TRAY + TRAY_GAP
    if any(position.numbers for position in row.positions):
        height += ROW_GAP / 2 + NUMBER_WIDTH
    return height + (LABEL_HEIGHT if _has_labels(row) else 0.0)


def draw_tray(dice: Sequence[str], x: float, y: float, pitch: float) -> Iterator[Item]:
    """Yield the pool with dice next to each other; ``dice`` are the ids of their drawings."""
    edge = TRAY_EDGE * pitch
    box = (x, y, len(dice) * pitch + 2 * edge, pitch + 2 * edge)
    yield panel(box, 0.3 * pitch, fill="board-rim", stroke="board-line", width=HAIRLINE_MM)
    for number, die in enumerate(dice):
        yield stamp(die, x + edge + number * pitch, y + edge, pitch)


def _signs(
    position: Position | BoardPosition, boxes: Mapping[str, tuple[float, float, float]]
) -> Iterator[Item]:
    for sign, names in ((ALLOWED, position.allowed), (REFUSED, position.refused)):
        for name in names:
            x, y, size = boxes[name]
            yield sign._replace(x=x, y=y, size=size)


def _numbers(position: Position, x: float, y: float, pitch: float) -> Iterator[Item]:
    """Yield the number track of a flag: one number is circled, higher ones are struck out."""
    size, radius = 0.42 * pitch, NUMBER_WIDTH / 2 * pitch
    for number, points in enumerate(position.numbers):
        middle = (x + (2 * number + 1) * radius, y + radius)
        base = middle[1] + CAPITAL_HEIGHT / 2 * size
        yield TextLine(str(points), middle[0], base, size, True, anchor="middle")
        if points == position.circled:
            yield disc(middle, 0.93 * radius, stroke="pen", width=0.045 * pitch)
        elif points > position.circled:
            yield Stamp("struck", "", STRUCK, middle[0] - radius, middle[1] - radius, 2 * radius)


def _arrow(x: float, y: float, pitch: float) -> Item:
    """Return an arrow to the right with its centre at a point."""
    shape = ((-0.3, -0.07), (0.02, -0.07), (0.02, -0.24), (0.3, 0), (0.02, 0.24), (0.02, 0.07))
    points = [(x + right * pitch, y + down * pitch) for right, down in (*shape, (-0.3, 0.07))]
    return polygon(points, "text")


def _links(
    drawn: DrawnLine, places: Mapping[str, tuple[float, float]], pitch: float
) -> Iterator[Item]:
    """Yield bars between the dice of a line that has paid or won."""
    for first, second in pairwise(drawn.fields):
        down, right = (int(second[1]) - int(first[1]), ord(second[0]) - ord(first[0]))
        path = LINK_PATHS[down, right]
        shapes = tuple(Shape(path, "", role, width) for role, width in LINK_STROKES)
        yield Stamp(f"link-{down}-{right}", "", shapes, *places[first], pitch)
