"""What does a patch show? A small network, whose weights `training.learn` has made.

Each patch is judged by itself down to a few numbers, then beside what all patches of its sheet have
in common: a pale cross is one among other pale crosses.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from sheets.scanning.patches import Look

WEIGHTS: Final = Path(__file__).with_name("weights.npz")
LAYERS: Final = (("a", 2, 1), ("b", 1, 2), ("c", 1, 2), ("d", 1, 1))
"""Of each convolution its name, its step, and how many pixels it is pooled by afterwards."""

AT_ONCE: Final = 32
"""So many patches are judged at once: more would need more memory and be no quicker."""

Floats = NDArray[np.float32]


@cache
def load_weights() -> Mapping[str, Floats]:
    """The weights by name, and ``a0`` … for what is added to them.

    ``a`` to ``d`` are height × width × in × out, ``e``, ``f`` and ``g`` in × out.
    """
    with np.load(WEIGHTS, allow_pickle=False) as file:
        return {name: file[name].astype(np.float32) for name in file.files}


def judge(look: Look) -> Floats:
    """How likely each of `KINDS` is, N × kinds, before what is possible is asked."""
    weights = load_weights()
    seen = np.concatenate([look.photo, look.printed], 3).astype(np.float32)
    parts = [_see(weights, seen[i : i + AT_ONCE]) for i in range(0, len(seen), AT_ONCE)]
    each = np.concatenate(parts)
    common = np.concatenate([each.mean(0), each.std(0)])
    both = np.concatenate([each, np.broadcast_to(common, (len(each), len(common)))], 1)
    hidden = np.maximum(both @ weights["f"] + weights["f0"], 0)
    logits = hidden @ weights["g"] + weights["g0"]
    raised = np.exp(logits - logits.max(1, keepdims=True))
    return np.asarray(raised / raised.sum(1, keepdims=True), np.float32)


def _see(weights: Mapping[str, Floats], patches: Floats) -> Floats:
    for name, step, pooled in LAYERS:
        patches = np.maximum(_convolve(patches, weights[name], step) + weights[f"{name}0"], 0)
        if pooled > 1:
            n, height, width, depth = patches.shape
            squares = patches.reshape(n, height // pooled, pooled, width // pooled, pooled, depth)
            patches = squares.max((2, 4))
    flat = patches.reshape(len(patches), -1)
    return np.asarray(np.maximum(flat @ weights["e"] + weights["e0"], 0), np.float32)


def _convolve(patches: Floats, kernel: Floats, step: int) -> Floats:
    """As wide as before, or as a half of it; what lies outside is 0."""
    side = len(kernel)
    margin = side // 2
    padded = np.pad(patches, ((0, 0), (margin, margin), (margin, margin), (0, 0)))
    windows = sliding_window_view(padded, (side, side), (1, 2))[:, ::step, ::step]
    rows = windows.transpose(0, 1, 2, 4, 5, 3)
    columns = rows.reshape(-1, kernel.size // kernel.shape[-1])
    found = columns @ kernel.reshape(-1, kernel.shape[-1])
    return found.reshape(*rows.shape[:3], -1)
