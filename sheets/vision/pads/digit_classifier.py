"""Digit classifier: a small convolutional network; `training.train_digits` trains its weights."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np

from sheets.vision.network_layers import Floats, Weights, conv_layer, load_weights, softmax

WEIGHTS: Final = Path(__file__).with_name("digits.npz")
"""File of the weights."""

LAYERS: Final = ("a", "b", "c")
"""Names of the 3 × 3 convolutions, each followed by 2 × 2 pooling. Dense layers ``d`` and ``e``
follow."""

CLASSES: Final = (None, 1, 2, 3, 4, 5, 6)
"""Classes: no upright digit, or the digit."""

BATCH_SIZE: Final = 64
"""Number of patches per batch."""


def classify(patches: Floats) -> Floats:
    """Return the probability of each of `CLASSES`, N × classes, for patches N × side × side × 2."""
    weights = load_weights(WEIGHTS)
    parts = [
        _logits(weights, patches[i : i + BATCH_SIZE]) for i in range(0, len(patches), BATCH_SIZE)
    ]
    return softmax(np.concatenate([*parts, np.zeros((0, len(CLASSES)), np.float32)]))


def _logits(weights: Weights, patches: Floats) -> Floats:
    for name in LAYERS:
        patches = conv_layer(patches, weights, name, pooled=2)
    hidden = np.maximum(patches.reshape(len(patches), -1) @ weights["d"] + weights["d0"], 0)
    return np.asarray(hidden @ weights["e"] + weights["e0"], np.float32)
