"""How is a straightened sheet shown with what was read on it?"""

from __future__ import annotations

from math import cos, pi, sin
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from sheets.rules.level import SHAPES
from sheets.scanning.forms import Leaf
from sheets.scanning.kinds import CROSS, EMPTY, EXPLODED, LAVA
from sheets.scanning.pixels import Picture
from sheets.scanning.reading import SURE, SheetReading
from sheets.scanning.straighten import PX_PER_MM, Straight

SURE_COLOUR: Final = (0, 120, 60)
ASKED_COLOUR: Final = (225, 90, 0)
_SIDES: Final = {"N": (0.5, 0.0), "E": (1.0, 0.5), "S": (0.5, 1.0), "W": (0.0, 0.5)}
_FRAME: Final = [(0.04, 0.04), (0.96, 0.04), (0.96, 0.96), (0.04, 0.96), (0.04, 0.04)]
_RING: Final = [
    (0.5 + 0.6 * cos(turn), 0.5 + 0.6 * sin(turn)) for turn in np.linspace(0, 2 * pi, 40).tolist()
]
_LINE_MM: Final = 0.45

_Lines = list[list[tuple[float, float]]]
"""Lines in a box of side 1."""


def draw_answer(sheet: SheetReading) -> Picture:
    """The sheet as photographed, with every answer as a shape over its field.

    What the reader is unsure of has a frame of its own. Raises ValueError for a refused sheet.
    """
    if sheet.straight is None or sheet.form is None:
        raise ValueError("nothing was read on this sheet")
    picture = sheet.straight.picture.copy()
    for name, (kind, sure) in sheet.best().items():
        _draw(picture, sheet.form, sheet.straight, name, _shape(kind), sure)
    for track, (points, sure) in sheet.best_numbers().items():
        rooms = {name: room for name, room in sheet.form.numbers.items() if room.track == track}
        for name, room in rooms.items():
            ring = [_RING] if room.points == points else []
            _draw(picture, sheet.form, sheet.straight, name, ring, sure)
    return picture


def _draw(
    picture: Picture, form: Leaf, straight: Straight, name: str, shape: _Lines, sure: float
) -> None:
    x, y, width, _height = form.boxes[name]
    dx, dy = straight.shifts[name]
    corner = np.array([x - form.box[0] + dx, y - form.box[1] + dy])
    lines = shape if sure >= SURE else [_FRAME, *shape]
    _lines(picture, corner, width, SURE_COLOUR if sure >= SURE else ASKED_COLOUR, lines)


def _shape(kind: str) -> _Lines:
    """A kind as lines in a field of side 1."""
    if kind == EMPTY:
        return []
    if kind == CROSS:
        return [[(0.2, 0.2), (0.8, 0.8)], [(0.8, 0.2), (0.2, 0.8)]]
    if kind in SHAPES:
        return [[_SIDES[kind[0]], (0.5, 0.5), _SIDES[kind[1]]]]
    steps = np.linspace(0.15, 0.85, 6)
    hatched = [[(0.15, float(y)), (0.85, float(y))] for y in steps]
    if kind == EXPLODED:
        return [*hatched, *([(float(x), 0.15), (float(x), 0.85)] for x in steps)]
    return hatched if kind == LAVA else []


def _lines(
    picture: Picture,
    corner: NDArray[np.float64],
    side_mm: float,
    colour: tuple[int, int, int],
    lines: _Lines,
) -> None:
    for line in lines:
        points = (np.array(line) * side_mm + corner) * PX_PER_MM
        cv2.polylines(
            picture, [np.round(points * 16).astype(np.int32)], False, colour,
            max(1, round(_LINE_MM * PX_PER_MM)), cv2.LINE_AA, 4,
        )  # fmt: skip
