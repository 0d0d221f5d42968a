"""Round tracker of a sheet: boxes to tick, one for each round."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from django.utils.translation import gettext as _

from sheets.art.render.fonts import CAPITAL_HEIGHT, face, fitted_size
from sheets.art.render.items import HAIRLINE_MM, Item, PathItem, TextLine, disc, panel
from sheets.art.shapes import Point
from sheets.printing.geometry import Frame
from sheets.rules.level import Level

TITLE_MM: Final = 4.3
"""Height of the title."""

STEP_MM: Final = 3.75
"""Distance between the centres of two boxes."""

BOX_SIDE: Final = 0.8
"""Side of a box, as a share of the distance between the centres of two boxes."""

LARGE_STEP_MM: Final = 7.6
"""Distance between the centres of two boxes of a large sheet."""

LARGE_BOX_SIDE: Final = 0.86
"""Side of a box of a large sheet, as a share of the distance between the centres of two boxes.

It is usually 6.5 mm, for players with unsteady hands.
"""

NUMBER_IN_BOX: Final = 0.66
"""Maximum font size of a number in a box, in sides of the box."""

MAX_TRACKER_SHARE: Final = 0.3
"""Maximum height of a tracker, as a share of the height of the column."""

BOXES_PER_LINE: Final = 5
"""Number of boxes in a line, in a tracker with one set of boxes for all numbers of players."""

FIRST_IN_LINE: Final = (2, 3, 4, 5)
"""Numbers of players whose boxes begin a new line."""


def draw_tracker(level: Level, frame: Frame) -> tuple[list[Item], float]:
    """Return the items of a tracker and the y at which it ends.

    There is a set of boxes for each number of players, unless this is too high for the column. Then
    one set of boxes in lines of five serves all numbers of players, and players read the number of
    rounds in the table below the sheet. A large sheet has one set of larger, numbered boxes.
    """
    column, scale = frame.column, frame.text_scale
    most = max(level.rounds[players] for players in level.player_counts)
    if frame.is_large:
        items, low = _numbered_boxes(frame, most)
    else:
        items, low = _boxes_by_players(level, frame)
        if low - column.y > MAX_TRACKER_SHARE * column.height:
            items, low = _boxes_by_fives(frame, most)
    title = TextLine(_("Rounds"), column.x, column.y + 2.5 * scale, 2.9 * scale, True)
    return [title, *items], low


def _boxes_by_players(level: Level, frame: Frame) -> tuple[list[Item], float]:
    column, scale = frame.column, frame.text_scale
    size, step, label_mm = 2.6 * scale, STEP_MM * scale, 5.2 * scale
    side, right = BOX_SIDE * step, column.x + column.width
    per_line = int((column.width - label_mm + step - side) // step)
    items: list[Item] = []
    x, y, low = column.x, column.y + TITLE_MM * scale, column.y
    for players in level.player_counts:
        rounds = level.rounds[players]
        lines = -(-rounds // per_line)
        columns = rounds if lines == 1 else min(per_line, -(-rounds // lines))
        fits = x + label_mm + columns * step - step + side <= right + 0.01
        if players in FIRST_IN_LINE or not fits:
            x, y = column.x, low + step - side
        items += _players(players, x, y + side / 2, size)
        for place in _places((x + label_mm, y), rounds, columns, step, step):
            items.append(_box(place, side, scale))
            low = max(low, place[1] + side)
        x += label_mm + columns * step + 1.2 * scale
    return items, low


def _boxes_by_fives(frame: Frame, rounds: int) -> tuple[list[Item], float]:
    column, scale = frame.column, frame.text_scale
    size = 2.6 * scale
    number_mm = face(True).width(str(rounds)) * size + 0.8 * scale
    step = min(STEP_MM * scale, (column.width - number_mm) / BOXES_PER_LINE)
    side, corner = BOX_SIDE * step, (column.x, column.y + TITLE_MM * scale)
    places = _places(corner, rounds, BOXES_PER_LINE, step, max(step, 1.15 * size))
    items: list[Item] = []
    for count, (left, top) in enumerate(places, start=1):
        items.append(_box((left, top), side, scale))
        if count % BOXES_PER_LINE == 0 or count == rounds:
            base = top + side / 2 + 0.355 * size
            items.append(TextLine(str(count), left + step + 0.4 * scale, base, size, True))
    return items, places[-1][1] + side


def _numbered_boxes(frame: Frame, rounds: int) -> tuple[list[Item], float]:
    column, scale = frame.column, frame.text_scale
    corner, step = (column.x, column.y + TITLE_MM * scale), LARGE_STEP_MM
    while True:
        side = LARGE_BOX_SIDE * step
        columns = int((column.width - side) / step + 1e-6) + 1
        places = _places(corner, rounds, columns, step, step)
        low = places[-1][1] + side
        if low - column.y <= MAX_TRACKER_SHARE * column.height:
            break
        step *= 0.97
    items: list[Item] = []
    for number, (left, top) in enumerate(places, start=1):
        size = fitted_size(str(number), NUMBER_IN_BOX * side, 0.85 * side)
        base = top + side / 2 + CAPITAL_HEIGHT / 2 * size
        items.append(_box((left, top), side, scale))
        items.append(TextLine(str(number), left + side / 2, base, size, anchor="middle"))
    return items, low


def _places(corner: Point, count: int, columns: int, step: float, line_mm: float) -> list[Point]:
    """Return the top left corners of ``count`` boxes in lines of ``columns`` boxes."""
    x, y = corner
    return [(x + i % columns * step, y + i // columns * line_mm) for i in range(count)]


def _box(corner: Point, side: float, scale: float) -> PathItem:
    box = (*corner, side, side)
    return panel(box, 0.55 * scale, fill="paper", stroke="line", width=HAIRLINE_MM)


def _players(count: int, x: float, y: float, size: float) -> Iterator[Item]:
    """Yield the drawing of a person, and the number of players next to it."""
    middle, half = x + 0.62 * size, 0.36 * size
    yield disc((middle, y - 0.36 * size), 0.19 * size, fill="text")
    yield panel((middle - half, y - 0.08 * size, 2 * half, 0.5 * size), 0.3 * size, fill="text")
    yield TextLine(str(count), x + 1.1 * size, y + 0.35 * size, size, True)
