"""Lattice growth by local extrapolation, where curled paper deviates from the homography."""

from __future__ import annotations

from math import floor
from typing import Final

import numpy as np
from numpy.typing import NDArray

from sheets.vision.pads.quadrilaterals import Points, Quads

_RADIUS: Final = 2.6
"""Radius, in fields, within which known fields predict a neighbour's centre."""

_MIN_AFFINE: Final = 4
"""Minimum number of fields for an affine prediction."""

_MIN_BILINEAR: Final = 8
"""Minimum number of fields for a bilinear prediction."""

_MIN_SPACING: Final = 0.9
"""Minimum distance of two fields in a row, in fields."""

_MAX_ERROR: Final = 0.11
"""Maximum distance of a quadrilateral from its predicted centre, in fields."""

_MAX_ROUNDS: Final = 26
"""Maximum number of rounds; each adds neighbours of what is known."""

GridPosition = tuple[float, float]
"""Column and row of a field, in fields."""


def extrapolate(
    quads: Quads, at: Points, centres: Points, max_fields: int
) -> tuple[Points, list[int]]:
    """Find quadrilaterals at grid positions next to known ones, where known fields predict them.

    Args:
        at: known grid positions, N × 2 as in `Lattice`; ``centres`` are theirs in pixels.
        max_fields: stop once there are more fields than that, known and new.

    Returns:
        The new grid positions and the indices of their quadrilaterals.
    """
    known = {(float(x), float(y)): centre for (x, y), centre in zip(at, centres, strict=True)}
    count = len(known)
    room = np.zeros((len(quads.centres), 2))
    positions = np.concatenate([np.array(list(known)), room])
    centres_of = np.concatenate([np.array(list(known.values())), room])
    sizes = np.sqrt(np.abs(np.linalg.det(quads.sides)))
    new: dict[GridPosition, int] = {}
    tried_with: dict[GridPosition, int] = {}
    for _ in range(_MAX_ROUNDS):
        if count > max_fields:
            break
        before = len(new)
        for position in sorted(_candidates({*known, *new})):
            neighbours = _neighbours(positions[:count], position)
            if tried_with.get(position) == len(neighbours):
                continue
            tried_with[position] = len(neighbours)
            predicted = _predict(positions[neighbours] - position, centres_of[neighbours])
            if predicted is None:
                continue
            centre, sides = predicted
            size = float(np.sqrt(abs(np.linalg.det(sides))))
            off = np.hypot(*(quads.centres - centre).T)
            i = int(off.argmin())
            fits = size and off[i] < _MAX_ERROR * size and size * 0.55 < sizes[i] < size * 1.1
            if fits and i not in new.values():
                new[position] = i
                positions[count], centres_of[count] = position, quads.centres[i]
                count += 1
        if len(new) == before:
            break
    return np.array(list(new), float).reshape(-1, 2), list(new.values())


def _candidates(known: set[GridPosition]) -> set[GridPosition]:
    """Return unknown grid positions next to known ones; a row without fields is not shifted."""
    shifts = {y: x % 1 for x, y in known}
    candidates = set()
    for x, y in known:
        candidates |= {(x - 1, y), (x + 1, y)}
        for row in (y - 1, y + 1):
            start = floor(x) + shifts.get(row, 0.0)
            candidates |= {(start - 1, row), (start, row), (start + 1, row)}
    return candidates - known


def _neighbours(positions: Points, position: GridPosition) -> NDArray[np.int64]:
    """Return the indices of fields near a grid position; none if one of them overlaps it."""
    across, down = np.abs(positions - position).T
    if ((down == 0) & (across < _MIN_SPACING)).any():
        return np.zeros(0, np.int64)
    return np.flatnonzero((across < _RADIUS) & (down < _RADIUS))


def _predict(steps: Points, centres: Points) -> tuple[Points, Points] | None:
    """Predict the centre and the sides at a grid position by weighted least squares.

    ``steps`` lead from there to known fields.
    """
    if len(steps) < _MIN_AFFINE:
        return None
    terms = np.concatenate([np.ones((len(steps), 1)), steps], 1)
    if len(steps) >= _MIN_BILINEAR:
        terms = np.concatenate([terms, steps[:, :1] * steps[:, 1:]], 1)
    weight = np.exp(-(steps**2).sum(1) / 4)[:, None]
    found, _rest, rank, _values = np.linalg.lstsq(terms * weight, centres * weight, rcond=None)
    return (found[0], found[1:3]) if rank == terms.shape[1] else None
