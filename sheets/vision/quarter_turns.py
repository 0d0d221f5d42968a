"""Rotation of points, vectors and homographies by quarter turns.

The y axis points down, so a positive turn is clockwise in a picture.
"""

from __future__ import annotations

from math import atan2, pi
from typing import Final

import numpy as np
from numpy.typing import NDArray

_CLOCKWISE: Final = np.array([[0.0, -1], [1, 0]])
"""Matrix of a clockwise quarter turn."""


def turn_points(points: NDArray[np.float64], turns: int) -> NDArray[np.float64]:
    """Rotate points or vectors, … × 2, clockwise about the origin."""
    return np.asarray(points @ np.linalg.matrix_power(_CLOCKWISE, turns % 4).T)


def turn_step(step: tuple[int, int], turns: int) -> tuple[int, int]:
    """Rotate one vector of integers clockwise; much faster than `turn_points`."""
    x, y = step
    for _ in range(turns % 4):
        x, y = -y, x
    return x, y


def turn_matrix(turns: int, centre: tuple[float, float] = (0.0, 0.0)) -> NDArray[np.float64]:
    """Return the homography of a clockwise rotation about a centre."""
    found = np.eye(3)
    found[:2, :2] = np.linalg.matrix_power(_CLOCKWISE, turns % 4)
    found[:2, 2] = centre - turn_points(np.array(centre), turns)
    return found


def turn_sides(sides: NDArray[np.float64], turns: int) -> NDArray[np.float64]:
    """Return the sides along x and y, … × 2 × 2, of shapes whose axes are turned clockwise."""
    return np.asarray(np.linalg.matrix_power(_CLOCKWISE, turns % 4) @ sides)


def turns_until_upright(across: float, down: float) -> int:
    """Return the counter-clockwise quarter turns until a sheet's x axis, as seen in the photo, is
    level."""
    return round(atan2(down, across) / (pi / 2)) % 4
