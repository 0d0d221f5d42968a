"""How much ink lies on a field, and along which lines? The plain way: thresholds.

What is measured is what the photo shows beyond the blank.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from sheets.rules.level import SHAPES
from sheets.scanning.kinds import CROSS, EMPTY, EXPLODED, LAVA, TAKEN_BACK
from sheets.scanning.patches import AROUND, SIDE, Look, widened
from sheets.scanning.pixels import Ink

FAINTEST, PER_NOISE = 0.07, 4.0
"""What counts as ink: so much darker than paper and print, or so many times the noise."""

FEW, SPREAD = 0.055, 0.016
"""The inked share of a field at which a cross is as likely as nothing, and how soon it is sure."""

DENSE, DENSE_SPREAD = 0.42, 0.06
"""The same between a cross and a field that is scribbled over or coloured in."""

MOST_SURE = 0.94
"""Thresholds alone are never sure: a faint pencil is missed without a sign of it. So a person looks
at every field."""

EDGE_FEW, EDGE_SPREAD = 0.10, 0.03
"""The same for the side of a field that a track leaves it by."""


def over_blank(look: Look) -> Ink:
    """How much darker each pixel is than its blank, N × `SIDE` × `SIDE`.

    The blank is as pale as this print.
    """
    return np.maximum(look.ink - look.contrast * widened(look.printed), 0)


def answers_by_ink(
    look: Look, possible: Mapping[str, Sequence[str]]
) -> dict[str, dict[str, float]]:
    """How likely each kind is that can be drawn on a field, by the field's name."""
    over = over_blank(look)
    faintest = max(FAINTEST, PER_NOISE * look.noise)
    inked = (over > faintest).astype(np.float32)
    shares = inked[:, _inside()].mean(1)
    sides = np.stack([inked[:, mask].mean(1) for mask in _sides()], 1)
    found = {}
    for name, share, edges in zip(look.names, shares, sides, strict=True):
        found[name] = _answer(float(share), edges, possible[name])
    return found


def _answer(share: float, edges: NDArray[np.float32], possible: Sequence[str]) -> dict[str, float]:
    marked = _logistic((share - FEW) / SPREAD)
    dense = _logistic((share - DENSE) / DENSE_SPREAD)
    likely = dict.fromkeys(possible, 0.0)
    likely[EMPTY] = 1 - marked
    solid = [kind for kind in (EXPLODED, LAVA) if kind in likely]
    for kind in solid:
        likely[kind] = marked * dense / len(solid)
    rest = marked * (1 - dense) if solid else marked
    if TAKEN_BACK in likely:
        # A cross that is dense where nothing dense belongs has been scribbled out.
        crossed_out = rest * (dense if not solid else 0.04)
        likely[TAKEN_BACK] = crossed_out
        rest -= crossed_out
    if CROSS in likely:
        likely[CROSS] = rest
    shapes = [shape for shape in SHAPES if shape in likely]
    if shapes:
        open_ = {
            side: _logistic((e - EDGE_FEW) / EDGE_SPREAD)
            for side, e in zip("NESW", edges, strict=True)
        }
        weights = np.array(
            [
                np.prod([open_[s] if s in shape else 1 - open_[s] for s in "NESW"]) + 1e-4
                for shape in shapes
            ]
        )
        for shape, weight in zip(shapes, weights / weights.sum(), strict=True):
            likely[shape] = rest * float(weight)
    total = sum(likely.values()) or 1.0
    if len(likely) == 1:
        return {EMPTY: 1.0}
    doubt = (1 - MOST_SURE) / (len(likely) - 1)
    return {kind: doubt + value / total * (MOST_SURE - doubt) for kind, value in likely.items()}


def _logistic(x: float) -> float:
    return float(1 / (1 + np.exp(-np.clip(x, -30, 30))))


@cache
def _inside() -> NDArray[np.bool_]:
    """The pixels of a patch within its field's border."""
    at = np.abs((np.arange(SIDE) + 0.5) / SIDE - 0.5) * AROUND
    return (at[:, None] < 0.44) & (at[None, :] < 0.44)


@cache
def _sides() -> tuple[NDArray[np.bool_], ...]:
    """The pixels inside the middle of each side: north, east, south, west."""
    along = ((np.arange(SIDE) + 0.5) / SIDE - 0.5) * AROUND
    y, x = np.meshgrid(along, along, indexing="ij")
    near, far, half = 0.26, 0.43, 0.16
    return (
        (y < -near) & (y > -far) & (np.abs(x) < half),
        (x > near) & (x < far) & (np.abs(y) < half),
        (y > near) & (y < far) & (np.abs(x) < half),
        (x < -near) & (x > -far) & (np.abs(y) < half),
    )
