"""Which digit is a blob, if any? A small network says so.

`training.learn_digits` has made its weights.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

WEIGHTS: Final = Path(__file__).with_name("digits.npz")
LAYERS: Final = ("a", "b", "c")
"""Convolutions of 3 × 3, each pooled by 2 afterwards."""

KINDS: Final = (None, 1, 2, 3, 4, 5, 6)
"""What a blob may be: no digit that stands upright, or which one."""

AT_ONCE: Final = 64

Floats = NDArray[np.float32]


@cache
def load_weights() -> Mapping[str, Floats]:
    """The weights by name, and ``a0`` … for what is added to them.

    ``a`` to ``c`` are height × width × in × out, ``d`` and ``e`` in × out.
    """
    with np.load(WEIGHTS, allow_pickle=False) as file:
        return {name: file[name].astype(np.float32) for name in file.files}


def judge(patches: Floats) -> Floats:
    """How likely each of `KINDS` is, N × kinds; of patches N × side × side × 2."""
    weights = load_weights()
    parts = [_see(weights, patches[i : i + AT_ONCE]) for i in range(0, len(patches), AT_ONCE)]
    logits = np.concatenate([*parts, np.zeros((0, len(KINDS)), np.float32)])
    raised = np.exp(logits - logits.max(1, keepdims=True))
    return np.asarray(raised / raised.sum(1, keepdims=True), np.float32)


def _see(weights: Mapping[str, Floats], patches: Floats) -> Floats:
    for name in LAYERS:
        padded = np.pad(patches, ((0, 0), (1, 1), (1, 1), (0, 0)))
        windows = sliding_window_view(padded, (3, 3), (1, 2)).transpose(0, 1, 2, 4, 5, 3)
        kernel = weights[name]
        columns = windows.reshape(-1, kernel.size // kernel.shape[-1])
        found = columns @ kernel.reshape(-1, kernel.shape[-1]) + weights[f"{name}0"]
        n, side = len(patches), patches.shape[1] // 2
        patches = np.maximum(found, 0).reshape(n, side, 2, side, 2, -1).max((2, 4))
    hidden = np.maximum(patches.reshape(len(patches), -1) @ weights["d"] + weights["d0"], 0)
    return np.asarray(hidden @ weights["e"] + weights["e0"], np.float32)
