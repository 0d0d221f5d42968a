"""Mark classifier: a small convolutional network with weights from `training.train_marks`.

The network embeds each patch. A dense head classifies the embedding together with mean and standard
deviation of all embeddings of the sheet, because a pale cross is one among other pale crosses.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np

from sheets.vision.augmentation import ORIENTATIONS, class_permutation, transform_patches
from sheets.vision.network_layers import (
    Floats,
    Weights,
    apply_convs,
    in_batches,
    load_weights,
    softmax,
)
from sheets.vision.patches import SheetPatches

WEIGHTS: Final = Path(__file__).with_name("weights.npz")
"""Weights for printed sheets."""

PAD_WEIGHTS: Final = Path(__file__).parent / "pads" / "pads.npz"
"""Weights for pads: fine-tuned on sheets without markers, with photos of empty sheets as reference.
"""

LAYERS: Final = (("a", 2, 1), ("b", 1, 2), ("c", 1, 2), ("d", 1, 1))
"""Convolutions, as in `apply_convs`; dense layers ``e``, ``f`` and ``g`` follow."""

BATCH_SIZE: Final = 32
"""Number of patches per batch; larger batches need more memory and are not faster."""


def classify_marks(
    patches: SheetPatches, path: Path = WEIGHTS, *, augment_below: float = 0.0
) -> Floats:
    """Return the probabilities of `MARK_KINDS` for each patch, N × kinds, without the rules.

    Args:
        augment_below: confidence below which test-time augmentation averages the logits of all
            `ORIENTATIONS`; each costs as much time as the first.
    """
    weights = load_weights(path)
    seen = np.concatenate([patches.photo, patches.printed], 3).astype(np.float32)
    embeddings = _embed(weights, seen)
    common = np.concatenate([embeddings.mean(0), embeddings.std(0)])
    logits = _head(weights, embeddings, common)
    probabilities = softmax(logits)
    uncertain = np.flatnonzero(probabilities.max(1) < augment_below)
    if len(uncertain):
        for orientation in range(1, ORIENTATIONS):
            turned_logits = _head(
                weights, _embed(weights, transform_patches(seen[uncertain], orientation)), common
            )
            logits[uncertain] += turned_logits[:, class_permutation(orientation)]
        probabilities[uncertain] = softmax(logits[uncertain] / np.float32(ORIENTATIONS))
    return probabilities


def _head(weights: Weights, embeddings: Floats, common: Floats) -> Floats:
    """Apply the dense head to embeddings and the sheet's common features; return the logits."""
    both = np.concatenate([embeddings, np.broadcast_to(common, (len(embeddings), len(common)))], 1)
    hidden = np.maximum(both @ weights["f"] + weights["f0"], 0)
    return np.asarray(hidden @ weights["g"] + weights["g0"], np.float32)


def _embed(weights: Weights, patches: Floats) -> Floats:
    def embed_batch(batch: Floats) -> Floats:
        flat = apply_convs(batch, weights, LAYERS)
        return np.asarray(np.maximum(flat @ weights["e"] + weights["e0"], 0))

    return in_batches(embed_batch, BATCH_SIZE, patches)
