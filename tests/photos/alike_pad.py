"""Test pad that is symmetric under a half turn: its lower half is its upper half, turned."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import cv2
import numpy as np

from sheets.rules import parse_level
from sheets.rules.level import Level
from sheets.vision.pads.template import Template
from training.camera import photograph

_SIDE = 64
"""Side of a field, in pixels."""

_MARGIN = 96
"""Margin of the page, in pixels."""

_COLUMNS = 6
"""Number of columns."""

_ROWS = 6
"""Number of rows."""

_PX_PER_MM = 6.0
"""Resolution of the drawn page."""


class AlikePad(NamedTuple):
    """The pad's level, its template's parts, and a photo of a sheet with one cross on ``b1``."""

    level: Level
    picture: bytes
    layout: dict[str, Any]
    jpeg: bytes


@cache
def take_alike_pad() -> AlikePad:
    """Draw and photograph the pad."""
    grid = [[1 + (2 * x + 3 * y) % 6 for x in range(_COLUMNS)] for y in range(_ROWS // 2)]
    size = (_ROWS * _SIDE + 2 * _MARGIN, _COLUMNS * _SIDE + 2 * _MARGIN, 3)
    page = np.full(size, 250, np.uint8)
    for y, row in enumerate(grid):
        for x, digit in enumerate(row):
            left, top = _MARGIN + x * _SIDE, _MARGIN + y * _SIDE
            cv2.rectangle(page, (left, top), (left + _SIDE, top + _SIDE), (40, 40, 40), 2)
            font = cv2.FONT_HERSHEY_SIMPLEX
            cv2.putText(page, str(digit), (left + 18, top + 48), font, 1.4, (30, 30, 30), 4)
    half = size[0] // 2
    page[half:] = page[:half][::-1, ::-1]
    # The lower rows have the digits of the upper ones, turned by a half.
    rows = grid + [row[::-1] for row in reversed(grid)]
    level = parse_level(
        {
            "format": "dizzle-level/1",
            "id": "alike",
            "name": "Alike",
            "grid": [" ".join(map(str, row)) for row in rows],
        }
    )
    digits = {(float(x), float(y)): rows[y][x] for y in range(_ROWS) for x in range(_COLUMNS)}
    first = (0.5 * _SIDE + _MARGIN, 0.5 * _SIDE + _MARGIN)
    data = cv2.imencode(".webp", page)[1].tobytes()
    small = Template(page, data, float(_SIDE), first, (1.0, 1.0), digits)
    crossed = page.copy()
    at = (_MARGIN + _SIDE, _MARGIN)
    cv2.line(crossed, (at[0] + 10, at[1] + 11), (at[0] + 56, at[1] + 53), (20, 30, 130), 5)
    cv2.line(crossed, (at[0] + 53, at[1] + 9), (at[0] + 11, at[1] + 56), (20, 30, 130), 5)
    shot = photograph(np.random.default_rng(3), crossed, _PX_PER_MM, "easy", megapixels=3)
    return AlikePad(level, *small.to_parts(), shot.jpeg)
