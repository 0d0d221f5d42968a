"""Where has so much light fallen on a sheet that pale strokes cannot be seen?

Paper that is white altogether in the photo still shows its print, which is dark, but hardly a
pencil. An ordinary pen is seen there as everywhere.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

import numpy as np
from numpy.typing import NDArray

from sheets.scanning.forms import Leaf, Rect
from sheets.scanning.patches import WITHIN, Look
from sheets.scanning.pixels import darkest
from sheets.scanning.straighten import PX_PER_MM, Straight

_WHITE: Final = 250
"""A pixel's darkest colour from which on it is white altogether."""

_MOST_WHITE: Final = 0.4
"""The share of a field that may be."""

_PALE: Final = 0.2
"""How much darker than the print the strokes of a pale pen are: those of a ball pen are
0.2 to 0.5 in good light."""

_STROKES: Final = 0.9
"""Of the pixels of a field with a mark so many are at most as dark as its strokes."""

_STILL_SEEN: Final = 0.7
"""Strokes that are so dark beside those elsewhere show that light has taken hardly any."""

_BESIDE: Final = 1.6
"""How far away, in sides of a field, light is about the same."""


def find_bleached(
    straight: Straight, form: Leaf, look: Look, marked: Collection[str]
) -> frozenset[str]:
    """What seems empty only because the light has taken it, perhaps; nothing where a pen is dark,
    nor beside fields that are as white and show a mark well.

    ``marked`` are the fields on which a mark was seen: they say how dark the pen is.
    """
    white = _white_ones(straight, form)
    shown = {
        name: strokes
        for name, strokes in zip(look.names, _strokes(look), strict=True)
        if name in marked
    }
    others = [strokes for name, strokes in shown.items() if name not in white]
    if not others:
        return frozenset(white)
    pen = np.median(others)
    if pen >= _PALE:
        return frozenset()
    clear = [form.boxes[one] for one in white & shown.keys() if shown[one] >= _STILL_SEEN * pen]
    return frozenset(
        name for name in white if not any(_are_near(form.boxes[name], one) for one in clear)
    )


def _strokes(look: Look) -> NDArray[np.float32]:
    """How much darker than print the strokes on each field are, if there are any."""
    middle = (slice(None), WITHIN, WITHIN)
    darker = (look.photo - look.printed).mean(3)[middle]
    return np.asarray(np.quantile(darker, _STROKES, axis=(1, 2)))


def _are_near(box: Rect, other: Rect) -> bool:
    (x, y, width, height), (left, top, _width, _height) = box, other
    return abs(x - left) <= _BESIDE * width and abs(y - top) <= _BESIDE * height


def _white_ones(straight: Straight, form: Leaf) -> set[str]:
    is_white = darkest(straight.picture) >= _WHITE
    left, top = form.box[:2]
    found = set()
    for name, (x, y, width, height) in form.boxes.items():
        right, down = straight.shifts.get(name, (0.0, 0.0))
        x0 = max(0, round((x - left + right) * PX_PER_MM))
        y0 = max(0, round((y - top + down) * PX_PER_MM))
        part = is_white[y0 : y0 + round(height * PX_PER_MM), x0 : x0 + round(width * PX_PER_MM)]
        if part.size and part.mean() > _MOST_WHITE:
            found.add(name)
    return found
