"""Detection of overexposed fields, on which strokes of a pale pen do not show.

On overexposed paper the dark print remains visible, but pencil hardly does. Ordinary pens remain
visible.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

import numpy as np
from numpy.typing import NDArray

from sheets.vision.layouts import Rect, SheetLayout
from sheets.vision.patches import CENTRE, SheetPatches
from sheets.vision.pixels import min_channel
from sheets.vision.rectification import PX_PER_MM, RectifiedSheet

_MIN_WHITE: Final = 250
"""Minimum of the three channels (0 to 255) from which on a pixel is saturated."""

_MAX_WHITE_SHARE: Final = 0.4
"""Maximum share of saturated pixels in a field that is not overexposed."""

_MIN_PEN_DARKNESS: Final = 0.2
"""Darkness that strokes add to the print (0 to 1) from which on a pen shows even on overexposed
paper. Strokes of ball pens add 0.2 to 0.5 in good light."""

_STROKE_QUANTILE: Final = 0.9
"""Quantile of the pixels of a marked field that estimates the darkness of its strokes."""

_MIN_VISIBLE_SHARE: Final = 0.7
"""Minimum darkness of strokes on an overexposed field, relative to the median of other fields, that
proves that the overexposure hides no strokes."""

_NEAR_FIELDS: Final = 1.6
"""Distance, in sides of a field, within which the exposure is assumed to be equal."""


def find_overexposed(
    rectified: RectifiedSheet, layout: SheetLayout, patches: SheetPatches, marked: Collection[str]
) -> frozenset[str]:
    """Return the fields that may seem empty only because of overexposure.

    Return none if the pen is dark. Leave out fields near an equally bright field with a clearly
    visible mark.

    Args:
        marked: fields with a detected mark, from which the darkness of the pen is estimated.
    """
    white = _white_fields(rectified, layout)
    shown = {
        name: strokes
        for name, strokes in zip(patches.names, _stroke_darkness(patches), strict=True)
        if name in marked
    }
    others = [strokes for name, strokes in shown.items() if name not in white]
    if not others:
        return frozenset(white)
    pen = np.median(others)
    if pen >= _MIN_PEN_DARKNESS:
        return frozenset()
    clear = [
        layout.boxes[one] for one in white & shown.keys() if shown[one] >= _MIN_VISIBLE_SHARE * pen
    ]
    return frozenset(
        name for name in white if not any(_are_near(layout.boxes[name], one) for one in clear)
    )


def _stroke_darkness(patches: SheetPatches) -> NDArray[np.float32]:
    """Return the darkness that strokes add to the print of each field."""
    middle = (slice(None), CENTRE, CENTRE)
    darker = (patches.photo - patches.printed).mean(3)[middle]
    return np.asarray(np.quantile(darker, _STROKE_QUANTILE, axis=(1, 2)))


def _are_near(box: Rect, other: Rect) -> bool:
    (x, y, width, height), (left, top, _width, _height) = box, other
    return abs(x - left) <= _NEAR_FIELDS * width and abs(y - top) <= _NEAR_FIELDS * height


def _white_fields(rectified: RectifiedSheet, layout: SheetLayout) -> set[str]:
    """Return the fields with too many saturated pixels."""
    is_white = min_channel(rectified.picture) >= _MIN_WHITE
    left, top = layout.box[:2]
    found = set()
    for name, (x, y, width, height) in layout.boxes.items():
        right, down = rectified.shifts.get(name, (0.0, 0.0))
        x0 = max(0, round((x - left + right) * PX_PER_MM))
        y0 = max(0, round((y - top + down) * PX_PER_MM))
        part = is_white[y0 : y0 + round(height * PX_PER_MM), x0 : x0 + round(width * PX_PER_MM)]
        if part.size and part.mean() > _MAX_WHITE_SHARE:
            found.add(name)
    return found
