"""Which digit is a blob, if any? A small network says so.

`training.learn_digits` has made its weights.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final

import numpy as np

from sheets.scanning.layers import Floats, Weights, likelihoods, read_weights, run_layer

WEIGHTS: Final = Path(__file__).with_name("digits.npz")
LAYERS: Final = ("a", "b", "c")
"""Convolutions of 3 × 3, each pooled by 2 afterwards."""

KINDS: Final = (None, 1, 2, 3, 4, 5, 6)
"""What a blob may be: no digit that stands upright, or which one."""

AT_ONCE: Final = 64


@cache
def load_weights() -> Weights:
    """Convolutions ``a`` to ``c``, and ``d`` and ``e``."""
    return read_weights(WEIGHTS)


def judge(patches: Floats) -> Floats:
    """How likely each of `KINDS` is, N × kinds; of patches N × side × side × 2."""
    weights = load_weights()
    parts = [_see(weights, patches[i : i + AT_ONCE]) for i in range(0, len(patches), AT_ONCE)]
    return likelihoods(np.concatenate([*parts, np.zeros((0, len(KINDS)), np.float32)]))


def _see(weights: Weights, patches: Floats) -> Floats:
    for name in LAYERS:
        patches = run_layer(patches, weights, name, pooled=2)
    hidden = np.maximum(patches.reshape(len(patches), -1) @ weights["d"] + weights["d0"], 0)
    return np.asarray(hidden @ weights["e"] + weights["e0"], np.float32)
