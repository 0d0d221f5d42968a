"""Overlay of the marks that were read on the picture of a rectified sheet."""

from __future__ import annotations

from math import cos, pi, sin
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from sheets.rules.level import SHAPES
from sheets.vision.layouts import SheetLayout
from sheets.vision.mark_kinds import CROSS, EMPTY, EXPLODED, LAVA
from sheets.vision.pixels import Picture
from sheets.vision.reading import MIN_CONFIDENCE, SheetReading
from sheets.vision.rectification import PX_PER_MM, RectifiedSheet

CONFIDENT_COLOUR: Final = (0, 120, 60)
"""Colour (RGB) of marks that were read with enough confidence."""

ASKED_COLOUR: Final = (225, 90, 0)
"""Colour (RGB) of marks that the app asks about."""

_EDGE_MIDDLES: Final = {"N": (0.5, 0.0), "E": (1.0, 0.5), "S": (0.5, 1.0), "W": (0.0, 0.5)}
"""Middle of each edge of a unit square, by compass direction."""

_FRAME: Final = [(0.04, 0.04), (0.96, 0.04), (0.96, 0.96), (0.04, 0.96), (0.04, 0.04)]
"""Frame around a field that the app asks about, in a unit square."""

_CIRCLE: Final = [
    (0.5 + 0.6 * cos(turn), 0.5 + 0.6 * sin(turn)) for turn in np.linspace(0, 2 * pi, 40).tolist()
]
"""Circle around a number, in a unit square."""

_LINE_MM: Final = 0.45
"""Line width in millimetres."""

_Lines = list[list[tuple[float, float]]]
"""Polylines in a unit square."""


def draw_overlay(sheet: SheetReading) -> Picture:
    """Draw the marks that were read over the rectified sheet and return the picture.

    Fields that the app asks about get a frame. Raises ValueError for a refused sheet.
    """
    if sheet.rectified is None or sheet.layout is None:
        raise ValueError("nothing was read on this sheet")
    picture = sheet.rectified.picture.copy()
    for name, (kind, confidence) in sheet.best().items():
        _draw(picture, sheet.layout, sheet.rectified, name, _shape(kind), confidence)
    for track, (points, confidence) in sheet.best_numbers().items():
        rooms = {name: room for name, room in sheet.layout.numbers.items() if room.track == track}
        for name, room in rooms.items():
            ring = [_CIRCLE] if room.points == points else []
            _draw(picture, sheet.layout, sheet.rectified, name, ring, confidence)
    return picture


def _draw(
    picture: Picture,
    layout: SheetLayout,
    rectified: RectifiedSheet,
    name: str,
    shape: _Lines,
    confidence: float,
) -> None:
    x, y, width, _height = layout.boxes[name]
    dx, dy = rectified.shifts[name]
    corner = np.array([x - layout.box[0] + dx, y - layout.box[1] + dy])
    lines = shape if confidence >= MIN_CONFIDENCE else [_FRAME, *shape]
    _lines(
        picture,
        corner,
        width,
        CONFIDENT_COLOUR if confidence >= MIN_CONFIDENCE else ASKED_COLOUR,
        lines,
    )


def _shape(kind: str) -> _Lines:
    """Return the polylines of a kind of mark, in a unit square."""
    if kind == EMPTY:
        return []
    if kind == CROSS:
        return [[(0.2, 0.2), (0.8, 0.8)], [(0.8, 0.2), (0.2, 0.8)]]
    if kind in SHAPES:
        return [[_EDGE_MIDDLES[kind[0]], (0.5, 0.5), _EDGE_MIDDLES[kind[1]]]]
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
