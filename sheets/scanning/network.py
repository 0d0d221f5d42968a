"""What does a patch show? A small network, whose weights `training.learn` has made.

Each patch is judged by itself down to a few numbers, then beside what all patches of its sheet have
in common: a pale cross is one among other pale crosses.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final

import numpy as np

from sheets.scanning.layers import Floats, Weights, likelihoods, read_weights, run_layer
from sheets.scanning.patches import Look
from sheets.scanning.ways import WAYS, held, seen_as

WEIGHTS: Final = Path(__file__).with_name("weights.npz")
PAD_WEIGHTS: Final = Path(__file__).parent / "unknown" / "pads.npz"
"""Those that have gone on to learn from sheets without markers, beside photos of empty ones."""

LAYERS: Final = (("a", 2, 1), ("b", 1, 2), ("c", 1, 2), ("d", 1, 1))
"""Of each convolution its name, its step, and how many pixels it is pooled by afterwards."""

AT_ONCE: Final = 32
"""So many patches are judged at once: more would need more memory and be no quicker."""


@cache
def load_weights(path: Path = WEIGHTS) -> Weights:
    """Convolutions ``a`` to ``d``, and ``e``, ``f`` and ``g``."""
    return read_weights(path)


def judge(look: Look, path: Path = WEIGHTS, *, again: float = 0.0) -> Floats:
    """How likely each of `KINDS` is, N × kinds, before what is possible is asked.

    Args:
        again: what is less sure is looked at in all `WAYS`, which costs as much for each; all that
            they say counts alike.
    """
    weights = load_weights(path)
    seen = np.concatenate([look.photo, look.printed], 3).astype(np.float32)
    each = _see(weights, seen)
    common = np.concatenate([each.mean(0), each.std(0)])
    logits = _told(weights, each, common)
    likely = likelihoods(logits)
    unsure = np.flatnonzero(likely.max(1) < again)
    if len(unsure):
        for way in range(1, WAYS):
            told = _told(weights, _see(weights, held(seen[unsure], way)), common)
            logits[unsure] += told[:, seen_as(way)]
        likely[unsure] = likelihoods(logits[unsure] / np.float32(WAYS))
    return likely


def _told(weights: Weights, each: Floats, common: Floats) -> Floats:
    both = np.concatenate([each, np.broadcast_to(common, (len(each), len(common)))], 1)
    hidden = np.maximum(both @ weights["f"] + weights["f0"], 0)
    return np.asarray(hidden @ weights["g"] + weights["g0"], np.float32)


def _see(weights: Weights, patches: Floats) -> Floats:
    parts = [_see_few(weights, patches[i : i + AT_ONCE]) for i in range(0, len(patches), AT_ONCE)]
    return np.concatenate(parts)


def _see_few(weights: Weights, patches: Floats) -> Floats:
    for name, step, pooled in LAYERS:
        patches = run_layer(patches, weights, name, step, pooled)
    flat = patches.reshape(len(patches), -1)
    return np.asarray(np.maximum(flat @ weights["e"] + weights["e0"], 0), np.float32)
