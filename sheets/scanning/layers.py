"""What small networks are made of, in NumPy: weights from a file, convolutions, pooling."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from pathlib import Path

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Weights = Mapping[str, Floats]
"""By the names of layers; ``a0`` is what is added to the outputs of ``a``.

Convolutions are height × width × in × out, other layers in × out.
"""


def read_weights(path: Path) -> Weights:
    """The weights of a file of plain arrays."""
    with np.load(path, allow_pickle=False) as file:
        return {name: file[name].astype(np.float32) for name in file.files}


def convolve(patches: Floats, kernel: Floats, step: int = 1) -> Floats:
    """As wide as before, or as a part of it with a larger step; what lies outside is 0.

    ``patches`` are N × height × width × in.
    """
    side = len(kernel)
    margin = side // 2
    padded = np.pad(patches, ((0, 0), (margin, margin), (margin, margin), (0, 0)))
    windows = sliding_window_view(padded, (side, side), (1, 2))[:, ::step, ::step]
    rows = windows.transpose(0, 1, 2, 4, 5, 3)
    columns = rows.reshape(-1, kernel.size // kernel.shape[-1])
    found = columns @ kernel.reshape(-1, kernel.shape[-1])
    return found.reshape(*rows.shape[:3], -1)


def pool(patches: Floats, by: int) -> Floats:
    """The most of each square of so many pixels."""
    parts = [patches[:, y::by, x::by] for y in range(by) for x in range(by)]
    return np.asarray(reduce(np.maximum, parts))


def run_layer(
    patches: Floats, weights: Weights, name: str, step: int = 1, pooled: int = 1
) -> Floats:
    """A layer of convolutions, pooled, with what is added to it, and nothing below 0.

    Pooled first: that is the same, and there is less to add to.
    """
    found = convolve(patches, weights[name], step)
    if pooled > 1:
        found = pool(found, pooled)
    return np.asarray(np.maximum(found + weights[f"{name}0"], 0))


def likelihoods(logits: Floats) -> Floats:
    """How likely each kind is, N × kinds: the softmax of each row."""
    raised = np.exp(logits - logits.max(1, keepdims=True))
    return np.asarray(raised / raised.sum(1, keepdims=True), np.float32)
