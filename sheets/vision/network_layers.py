"""Layers of small neural networks in NumPy: weights, convolution, max pooling and softmax."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, reduce
from pathlib import Path

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

Floats = NDArray[np.float32]
"""Array of 32-bit floats."""

Weights = Mapping[str, Floats]
"""Weights by name of the layer; ``a0`` is the bias of layer ``a``.

Convolution kernels are height × width × in × out, dense layers in × out.
"""


@cache
def load_weights(path: Path) -> Weights:
    """Read and cache the weights from a file of plain arrays."""
    with np.load(path, allow_pickle=False) as file:
        return {name: file[name].astype(np.float32) for name in file.files}


def convolve(patches: Floats, kernel: Floats, step: int = 1) -> Floats:
    """Convolve zero-padded patches (N × height × width × in) with a stride of ``step``."""
    side = len(kernel)
    margin = side // 2
    padded = np.pad(patches, ((0, 0), (margin, margin), (margin, margin), (0, 0)))
    windows = sliding_window_view(padded, (side, side), (1, 2))[:, ::step, ::step]
    rows = windows.transpose(0, 1, 2, 4, 5, 3)
    columns = rows.reshape(-1, kernel.size // kernel.shape[-1])
    found = columns @ kernel.reshape(-1, kernel.shape[-1])
    return found.reshape(*rows.shape[:3], -1)


def max_pool(patches: Floats, by: int) -> Floats:
    """Return the maximum of each square of ``by`` × ``by`` pixels."""
    parts = [patches[:, y::by, x::by] for y in range(by) for x in range(by)]
    return np.asarray(reduce(np.maximum, parts))


def apply_convs(
    patches: Floats, weights: Weights, layers: Sequence[tuple[str, int, int]]
) -> Floats:
    """Apply convolutions with max pooling, bias and ReLU; return N × features.

    ``layers`` has the name and stride of each convolution, and the size of the pooling after it.
    """
    for name, step, pooled in layers:
        found = max_pool(convolve(patches, weights[name], step), pooled)  # faster before the bias
        patches = np.maximum(found + weights[f"{name}0"], 0)
    return patches.reshape(len(patches), -1)


def in_batches(layers: Callable[..., Floats], size: int, *inputs: Floats) -> Floats:
    """Apply layers to batches of ``size`` rows of the inputs, to bound the memory."""
    starts = range(0, len(inputs[0]), size)
    return np.concatenate([layers(*(one[i : i + size] for one in inputs)) for i in starts])


def softmax(logits: Floats) -> Floats:
    """Return the softmax of each row of logits, N × classes."""
    raised = np.exp(logits - logits.max(1, keepdims=True))
    return np.asarray(raised / raised.sum(1, keepdims=True), np.float32)
