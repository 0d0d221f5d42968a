"""How does a field look to somebody who holds the sheet in another way, and what is seen then?"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from sheets.rules.level import SHAPES
from sheets.scanning.kinds import KINDS

WAYS: Final = 8
"""To turn a sheet by quarters, and to see the same in a mirror; the first is as it lies."""


def held(patches: NDArray[np.float32], way: int) -> NDArray[np.float32]:
    """Patches, N × side × side × colours, as they look in one of the ways."""
    turned = np.rot90(patches, way % 4, (1, 2))
    return turned[:, :, ::-1] if way >= 4 else turned


def seen_as(way: int) -> NDArray[np.intp]:
    """Of each of `KINDS` the place of what it looks like in one of the ways: tracks turn along."""
    # To the left: what was north is west.
    left, mirrored = str.maketrans("NESW", "WNES"), str.maketrans("EW", "WE")
    names = list(KINDS)
    for turn in [left] * (way % 4) + [mirrored] * (way >= 4):
        names = [_shape(name.translate(turn)) if name in SHAPES else name for name in names]
    return np.array([KINDS.index(name) for name in names])


def _shape(edges: str) -> str:
    return next(shape for shape in SHAPES if set(shape) == set(edges))
