"""Where has so much light fallen on a sheet that pale strokes cannot be seen?

Paper that is white altogether in the photo still shows its print, which is dark, but hardly a
pencil. An ordinary pen is seen there as everywhere.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

import numpy as np

from sheets.scanning.forms import Leaf
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


def find_bleached(
    straight: Straight, form: Leaf, look: Look, marked: Collection[str]
) -> frozenset[str]:
    """What seems empty only because the light has taken it, perhaps; nothing where a pen is dark.

    ``marked`` are the fields on which a mark was seen: they say how dark the pen is.
    """
    white = _white_ones(straight, form)
    shown = [at for at, name in enumerate(look.names) if name in marked and name not in white]
    if not shown:
        return frozenset(white)
    middle = (slice(None), WITHIN, WITHIN)
    darker = (look.photo[shown] - look.printed[shown]).mean(3)[middle]
    pen = np.median(np.quantile(darker, _STROKES, axis=(1, 2)))
    return frozenset(white) if pen < _PALE else frozenset()


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
