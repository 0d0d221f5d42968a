"""Layout and drawings of the Dice² board, its dice and its markers.

Lengths are in hundredths of a field, from the top left of a1. The board has 9×9 fields: a rim
around the light inner 7×7 fields, whose centre is dark. A game that is played only on the inner
fields shows no rim. The dice of the players differ in colour, in shape and in their pips.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from sheets.art.marks import PIPS
from sheets.art.shapes import Drawing, Shape, circle, polygon, rectangle
from sheets.rules.dice2 import Board, Dice2Game
from sheets.rules.dice2.board import CENTRE, INDEX, INNER, NAMES, SIDE
from sheets.rules.dice2.game import MAX_SPAN, PaidLine, bounds, is_inner
from sheets.rules.dice2.kinds import winning_line

FIELD: Final = 100.0
"""Side of a field."""

GROUPS: Final = ("blue", "yellow", "red")
"""Palette group of each player's dice, by seat."""

PLAIN_MARGIN: Final = 30.0
"""Margin around the fields on screen in games without markers.

It has room only for the names of rows and columns, so that fields are large enough for a thumb.
"""

MARKER_MARGIN: Final = 48.0
"""Margin around the fields on screen in games with markers."""

PAPER_MARGIN: Final = 58.0
"""Margin around the fields on paper: room for real markers."""

MARKER_RADIUS: Final = 22.0
"""Radius of a marker on screen."""

PAPER_MARKER_RADIUS: Final = 23.0
"""Radius of the circle for a marker on paper."""

FIELD_SHAPE: Final = rectangle(2.5, 2.5, 95, 95, 12)
"""Outline of a field as path data; the origin is the top left corner of the field."""

_BODIES: Final = (
    rectangle(6, 6, 86, 86, 18),
    polygon([(30, 5), (68, 5), (93, 30), (93, 68), (68, 93), (30, 93), (5, 68), (5, 30)]),
    circle(49, 49, 44),
)
"""Outline of each player's dice, by seat."""

_SHADOWS: Final = (
    rectangle(8, 11, 86, 86, 19),
    polygon([(32, 10), (70, 10), (95, 35), (95, 73), (70, 98), (32, 98), (7, 73), (7, 35)]),
    circle(51, 54, 44),
)
"""Shadow of each player's dice, by seat."""


class Box(NamedTuple):
    """Visible part of the board: a square of fields with a margin.

    ``first`` is the index of its first row and of its first column, ``across`` the number of fields
    on each side.
    """

    first: int
    across: int
    margin: float

    @property
    def start(self) -> float:
        """Left and top edge of the visible part."""
        return self.first * FIELD - self.margin

    @property
    def side(self) -> float:
        """Width and height of the visible part."""
        return self.across * FIELD + 2 * self.margin

    @property
    def lanes(self) -> range:
        """Visible rows, which are also the visible columns."""
        return range(self.first, self.first + self.across)


class Marker(NamedTuple):
    """Circle on which players put a marker of a row or column.

    ``x`` and ``y`` are its middle; ``lane`` is the index of the row or column.
    """

    x: float
    y: float
    is_row: bool
    lane: int


class DrawnLine(NamedTuple):
    """A line that has paid or won.

    ``fields`` are in order along the line; ``owners`` are the players that it has paid, or the
    winner.
    """

    fields: tuple[str, ...]
    owners: tuple[int, ...]


class DrawnBoard(NamedTuple):
    """A board with its dice and markers.

    ``dice`` maps the name of a field to (player, number). ``last`` is the field of the die placed
    last, ``earlier`` are the fields of the other players' last dice. ``lines`` have paid or won.
    ``markers`` maps (is_row, index) of a row or column to the players whose markers lie there.
    ``limits`` are the usable rows and columns, None for all. ``asked`` is the field that a player
    asks about; the dice on the fields ``in_the_way`` limit or prevent a die there.
    """

    box: Box
    has_markers: bool
    dice: dict[str, tuple[int, int]]
    last: str = ""
    lines: tuple[DrawnLine, ...] = ()
    markers: dict[tuple[bool, int], tuple[int, ...]] = {}  # noqa: RUF012  never changed
    limits: tuple[range, range] | None = None
    asked: str = ""
    in_the_way: tuple[str, ...] = ()
    earlier: tuple[str, ...] = ()


def visible_box(*, is_inner: bool, has_markers: bool, on_paper: bool = False) -> Box:
    """Return the visible part of the board; ``on_paper`` adds room for real markers."""
    margin = PAPER_MARGIN if on_paper else MARKER_MARGIN if has_markers else PLAIN_MARGIN
    return Box(1, len(INNER), margin) if is_inner else Box(0, SIDE, margin)


def board_view(game: Dice2Game, last: str = "", *earlier: str) -> DrawnBoard:
    """Return the board of a game to draw; `DrawnBoard` describes ``last`` and ``earlier``."""
    kind, board = game.kind, game.board
    has_markers = kind.collects == "markers"
    stays_inside = kind.is_bounded or not kind.is_on_board(game.players, 0)
    dice = dice_on(board)
    return DrawnBoard(
        visible_box(is_inner=stays_inside, has_markers=has_markers),
        has_markers,
        dice,
        last,
        tuple(_lines(game)),
        markers_of(kind.paid_lines(game)),
        _limits(game) if kind.is_bounded and dice else None,
        earlier=earlier,
    )


def dice_on(board: Board) -> dict[str, tuple[int, int]]:
    """Return (player, number) of each die on a board, by the name of its field."""
    return {
        name: (owner, number)
        for name, owner, number in zip(NAMES, board.owners, board.numbers, strict=True)
        if number
    }


def _lines(game: Dice2Game) -> Iterator[DrawnLine]:
    for line in game.kind.paid_lines(game):
        yield DrawnLine(line.fields, line.owners)
    if game.kind.name == "four-wins":
        for player in game.winners:
            if fields := winning_line(game.board, player):
                yield DrawnLine(fields, (player,))


def markers_of(lines: Iterable[PaidLine]) -> dict[tuple[bool, int], tuple[int, ...]]:
    """Return the players whose markers lie at each row and column, by (is_row, index)."""
    found = {}
    for line in lines:
        if line.what == "run":
            first, second = (INDEX[name] for name in line.fields[:2])
            is_row = second - first == 1
            lane = first // SIDE if is_row else first % SIDE
            found[is_row, lane] = line.owners * line.each
    return found


def _limits(game: Dice2Game) -> tuple[range, range]:
    """Return the rows and columns that the rule `square-bounds` still allows."""
    rows, columns = bounds(game.board)
    return _reach(rows), _reach(columns)


def _reach(lanes: range) -> range:
    return range(max(0, lanes[-1] - MAX_SPAN + 1), min(SIDE, lanes[0] + MAX_SPAN))


def field_role(index: int) -> str:
    """Return the palette role of a field of the empty board."""
    if index == CENTRE:
        return "board-centre"
    return "board-inner" if is_inner(index) else "board-rim"


def field_place(index: int) -> tuple[float, float]:
    """Return the top left corner of a field."""
    return index % SIDE * FIELD, index // SIDE * FIELD


def ground(box: Box) -> tuple[Shape, ...]:
    """Return the background of the fields: the rim and the light inner square."""
    low, side = box.start, box.side
    inner = INNER[0] * FIELD - 6, len(INNER) * FIELD + 12
    return (
        Shape(rectangle(low + 3, low + 3, side - 6, side - 6, 34), "board-rim", "board-line", 6),
        Shape(rectangle(inner[0], inner[0], inner[1], inner[1], 18), "board-inner"),
    )


def markers(box: Box) -> Iterator[Marker]:
    """Yield the circles for markers: one at each end of each row and column."""
    low = box.start + box.margin / 2
    high = box.start + box.side - box.margin / 2
    for lane in box.lanes:
        middle = lane * FIELD + FIELD / 2
        for end in (low, high):
            yield Marker(end, middle, True, lane)
            yield Marker(middle, end, False, lane)


def lane_names(box: Box) -> Iterator[tuple[str, float, float]]:
    """Yield the name of each column (above) and row (to the left), with x and y of its middle."""
    edge = box.start + box.margin / 2
    for lane in box.lanes:
        middle = lane * FIELD + FIELD / 2
        yield chr(ord("a") + lane), middle, edge
        yield str(lane + 1), edge, middle


def die_id(player: int, number: int) -> str:
    """Return the drawing id of a player's die."""
    return f"die2-{player}-{number}"


def die_body(player: int) -> str:
    """Return the outline of a player's dice as path data."""
    return _BODIES[player]


def marker_id(player: int) -> str:
    """Return the drawing id of a player's marker."""
    return f"marker-{player}"


def die(player: int, number: int) -> Drawing:
    """Draw a player's die: square with round pips, octagonal with diamonds, round with squares."""
    pips = "".join(_pip(player, x - 1, y - 1) for x, y in PIPS[number])
    shapes = (
        Shape(_SHADOWS[player], "die-shadow"),
        Shape(_BODIES[player], "solid", "die-edge", 6),
        Shape(pips, "on"),
    )
    return Drawing(die_id(player, number), GROUPS[player], shapes)


def _pip(player: int, x: float, y: float) -> str:
    if player == 0:
        return circle(x, y, 9.5)
    if player == 1:
        return polygon([(x, y - 12), (x + 12, y), (x, y + 12), (x - 12, y)])
    return rectangle(x - 8.5, y - 8.5, 17, 17)


def marker(player: int) -> Drawing:
    """Draw a player's marker: the die without pips, with a ring."""
    shapes = (
        Shape(_BODIES[player], "solid", "die-edge", 8),
        Shape(circle(49, 49, 20), "", "on", 9),
    )
    return Drawing(marker_id(player), GROUPS[player], shapes)


def all_pieces() -> list[Drawing]:
    """Return every die and marker of the three players."""
    found = [die(player, number) for player in range(len(GROUPS)) for number in range(1, 7)]
    return found + [marker(player) for player in range(len(GROUPS))]
