"""A pad that looks alike from two sides, for the tests: its lower half is its upper one, turned."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import cv2
import numpy as np

from sheets.rules import parse_level
from sheets.rules.level import Level
from sheets.scanning.unknown.template import Template
from training.camera import photograph

_SIDE, _AROUND = 64, 96
_COLUMNS, _ROWS = 6, 6
_PX_PER_MM = 6.0


class AlikePad(NamedTuple):
    """Its level; the parts of its template; a photo of a leaf with one cross, on ``b1``."""

    level: Level
    picture: bytes
    layout: dict[str, Any]
    jpeg: bytes


@cache
def take_alike_pad() -> AlikePad:
    """Draw and photograph it."""
    grid = [[1 + (2 * x + 3 * y) % 6 for x in range(_COLUMNS)] for y in range(_ROWS // 2)]
    size = (_ROWS * _SIDE + 2 * _AROUND, _COLUMNS * _SIDE + 2 * _AROUND, 3)
    page = np.full(size, 250, np.uint8)
    for y, row in enumerate(grid):
        for x, digit in enumerate(row):
            left, top = _AROUND + x * _SIDE, _AROUND + y * _SIDE
            cv2.rectangle(page, (left, top), (left + _SIDE, top + _SIDE), (40, 40, 40), 2)
            font = cv2.FONT_HERSHEY_SIMPLEX
            cv2.putText(page, str(digit), (left + 18, top + 48), font, 1.4, (30, 30, 30), 4)
    half = size[0] // 2
    page[half:] = page[:half][::-1, ::-1]
    # In rows from below each field has the digit of the one that it is turned onto.
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
    first = (0.5 * _SIDE + _AROUND, 0.5 * _SIDE + _AROUND)
    data = cv2.imencode(".webp", page)[1].tobytes()
    small = Template(page, data, float(_SIDE), first, (1.0, 1.0), digits)
    crossed = page.copy()
    at = (_AROUND + _SIDE, _AROUND)
    cv2.line(crossed, (at[0] + 10, at[1] + 11), (at[0] + 56, at[1] + 53), (20, 30, 130), 5)
    cv2.line(crossed, (at[0] + 53, at[1] + 9), (at[0] + 11, at[1] + 56), (20, 30, 130), 5)
    shot = photograph(np.random.default_rng(3), crossed, _PX_PER_MM, "easy", megapixels=3)
    return AlikePad(level, *small.to_parts(), shot.jpeg)
