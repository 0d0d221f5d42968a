"""Picture types and operations on channels: minimum, maximum, contrast.

The types are OpenCV's, which leave the type of the numbers open.
"""

from __future__ import annotations

from typing import Final

import cv2
from cv2.typing import MatLike

Picture = MatLike
"""Height × width × 3: red, green and blue, 0 to 255."""

Grey = MatLike
"""Height × width: 0 black to 255 white."""

Ink = MatLike
"""Height × width: 0 as bright as bare paper to 1 black."""

_CLIP_LIMIT: Final = 8.0
"""Clip limit of the adaptive histogram equalisation (CLAHE)."""

_GRID_TILES: Final = 24
"""Number of CLAHE tiles along each side."""


def min_channel(picture: Picture) -> Grey:
    """Return the minimum of each pixel's channels; only white is bright in it."""
    red, green, blue = cv2.split(picture)
    return cv2.min(cv2.min(red, green), blue)


def max_channel(picture: Picture) -> Grey:
    """Return the maximum of each pixel's channels; coloured print is pale in it."""
    red, green, blue = cv2.split(picture)
    return cv2.max(cv2.max(red, green), blue)


def grey_to_rgb(grey: Grey) -> Picture:
    """Convert a grey picture to RGB."""
    return cv2.merge([grey, grey, grey])


def enhance_contrast(picture: Picture) -> Picture:
    """Enhance local contrast (CLAHE), for example within dark areas."""
    lab = cv2.cvtColor(picture, cv2.COLOR_RGB2LAB)
    light, *colours = cv2.split(lab)
    light = cv2.createCLAHE(_CLIP_LIMIT, (_GRID_TILES, _GRID_TILES)).apply(light)
    return cv2.cvtColor(cv2.merge([light, *colours]), cv2.COLOR_LAB2RGB)
