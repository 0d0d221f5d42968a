"""Test-time augmentation: rotated and mirrored patches, and the permutation of their classes."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from sheets.rules.level import SHAPES
from sheets.vision.mark_kinds import MARK_KINDS

ORIENTATIONS: Final = 8
"""Number of orientations: four rotations, each also mirrored; the first is the identity."""


def transform_patches(patches: NDArray[np.float32], orientation: int) -> NDArray[np.float32]:
    """Rotate and mirror patches (N × side × side × channels) into one of the orientations."""
    turned = np.rot90(patches, orientation % 4, (1, 2))
    return turned[:, :, ::-1] if orientation >= 4 else turned


def class_permutation(orientation: int) -> NDArray[np.intp]:
    """Return the index of the class that each class becomes in an orientation: tracks turn."""
    # Counter-clockwise: north becomes west.
    left, mirrored = str.maketrans("NESW", "WNES"), str.maketrans("EW", "WE")
    names = list(MARK_KINDS)
    for turn in [left] * (orientation % 4) + [mirrored] * (orientation >= 4):
        names = [_as_shape(name.translate(turn)) if name in SHAPES else name for name in names]
    return np.array([MARK_KINDS.index(name) for name in names])


def _as_shape(edges: str) -> str:
    return next(shape for shape in SHAPES if set(shape) == set(edges))
