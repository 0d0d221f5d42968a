"""Digit classifier: a small convolutional network; `training.train_digits` trains its weights."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np

from sheets.vision.network_layers import Floats, apply_convs, in_batches, load_weights, softmax

WEIGHTS: Final = Path(__file__).with_name("digits.npz")
"""File of the weights."""

LAYERS: Final = (("a", 1, 2), ("b", 1, 2), ("c", 1, 2))
"""Convolutions, as in `apply_convs`; dense layers ``d`` and ``e`` follow."""

CLASSES: Final = (None, 1, 2, 3, 4, 5, 6)
"""Classes: no upright digit, or the digit."""

BATCH_SIZE: Final = 64
"""Number of patches per batch."""


def classify(patches: Floats) -> Floats:
    """Return the probability of each of `CLASSES`, N × classes, for patches N × side × side × 2."""
    weights = load_weights(WEIGHTS)

    def logits(batch: Floats) -> Floats:
        flat = apply_convs(batch, weights, LAYERS)
        hidden = np.maximum(flat @ weights["d"] + weights["d0"], 0)
        return np.asarray(hidden @ weights["e"] + weights["e0"])

    return softmax(in_batches(logits, BATCH_SIZE, patches))
