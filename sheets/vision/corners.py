"""Corners of a sheet that the user placed in a photo in which the sheet was not found."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from sheets.vision.pixels import Picture
from sheets.vision.refusals import Refused

Corner = tuple[float, float]
"""A corner as shares of the width and of the height of the upright photo."""

_TOLERANCE: Final = 0.05
"""Maximum distance of a corner from the photo, as a share of its width or height."""

_MIN_SIDE: Final = 0.08
"""Minimum length of a side, as a share of the shorter side of the photo."""

_MAX_COSINE: Final = 0.94
"""Maximum cosine of an angle between two sides: the angles have 20 to 160 degrees."""


def locate_corners(photo: Picture, corners: Sequence[Corner]) -> NDArray[np.float64]:
    """Return the corners in pixels of the photo, 4 × 2, clockwise from the first one.

    Raises:
        Refused: ``corners``, if they are no convex quadrilateral that a sheet in this photo may be.
    """
    shares = np.array(corners, np.float64)
    if shares.shape != (4, 2) or not np.isfinite(shares).all():
        raise Refused("corners")
    if (shares < -_TOLERANCE).any() or (shares > 1 + _TOLERANCE).any():
        raise Refused("corners")
    height, width = photo.shape[:2]
    clockwise = _sort_clockwise(shares * (width, height))
    sides = np.roll(clockwise, -1, 0) - clockwise
    lengths = np.hypot(*sides.T)
    if lengths.min() < _MIN_SIDE * min(width, height):
        raise Refused("corners")
    unit = sides / lengths[:, None]
    following = np.roll(unit, -1, 0)
    turns = unit[:, 0] * following[:, 1] - unit[:, 1] * following[:, 0]
    if (turns <= 0).any() or (np.abs((unit * following).sum(1)) > _MAX_COSINE).any():
        raise Refused("corners")
    return clockwise


def corner_orders(corners: NDArray[np.float64]) -> list[NDArray[np.float64]]:
    """Return the corners clockwise from each of them, beginning with the given order.

    The user may have placed the marks as the photo shows the sheet, not as the sheet stands.
    """
    return [np.roll(corners, -first, 0) for first in range(4)]


def _sort_clockwise(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Sort points clockwise around their mean, beginning with the first one."""
    away = points - points.mean(0)
    angles = np.arctan2(away[:, 1], away[:, 0])
    return points[np.argsort((angles - angles[0]) % (2 * np.pi), kind="stable")]
