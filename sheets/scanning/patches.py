"""What does the reader look at? A small picture of each field, beside the same of its blank."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

import cv2
import numpy as np

from sheets.scanning.pixels import Grey, Ink
from sheets.scanning.straighten import PX_PER_MM, Rect, Straight, darkness

SIDE: Final = 40
"""Pixels of a patch, each way."""

AROUND: Final = 1.3
"""What a patch shows, in sides of its field: strokes go over borders."""

SOFT: Final = 0.42
"""How far a patch is blurred before it is made smaller, in its own pixels: lines stay whole."""

Patches = Ink
"""N × `SIDE` × `SIDE`: how dark each pixel is, 0 paper … 1 black."""


class Look(NamedTuple):
    """The fields of a sheet as photographed, and as printed when nobody has drawn on them.

    ``contrast`` is how dark print is beside the blank's, ``noise`` how much bare paper varies.
    """

    names: tuple[str, ...]
    ink: Patches
    printed: Patches
    contrast: float
    noise: float


def look_at(straight: Straight, boxes: Mapping[str, Rect], blank: Grey) -> Look:
    """Patches of fields, each moved to where its print truly lies.

    Args:
        blank: the fields as printed, over the same box as ``straight``.
    """
    blank_ink = darkness(blank, np.full(blank.shape, 255, np.float32))
    shifts, of = straight.shifts, straight.box
    ink = np.stack([_cut(straight.ink, box, of, shifts[name]) for name, box in boxes.items()])
    printed = np.stack([_cut(blank_ink, box, of, (0.0, 0.0)) for box in boxes.values()])
    is_print = printed > 0.35
    contrast = float(np.median(ink[is_print] / printed[is_print])) if is_print.any() else 1.0
    bare = widened(printed) < 0.04
    noise = float(np.median(np.abs(ink[bare]))) if bare.any() else 0.0
    return Look(tuple(boxes), ink, printed, contrast, noise)


def widened(patches: Patches) -> Patches:
    """Patches whose print is a pixel wider all round: no print is where it should be to a hair."""
    square = np.ones((3, 3), np.uint8)
    return np.stack([cv2.dilate(patch, square) for patch in patches])


def _cut(layer: Ink, box: Rect, of: Rect, shift: tuple[float, float]) -> Ink:
    x, y, width, height = box
    side = max(width, height) * AROUND
    left = (x + width / 2 - side / 2 - of[0] + shift[0]) * PX_PER_MM
    top = (y + height / 2 - side / 2 - of[1] + shift[1]) * PX_PER_MM
    unit = side * PX_PER_MM / SIDE
    y0, y1 = max(0, int(top) - 4), int(top + SIDE * unit) + 6
    x0, x1 = max(0, int(left) - 4), int(left + SIDE * unit) + 6
    part = cv2.GaussianBlur(layer[y0:y1, x0:x1], (0, 0), SOFT * unit)
    half = unit / 2 - 0.5
    onto = np.array([[unit, 0, left + half - x0], [0, unit, top + half - y0]], np.float32)
    how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return cv2.warpAffine(part, onto, (SIDE, SIDE), flags=how, borderMode=cv2.BORDER_REPLICATE)
