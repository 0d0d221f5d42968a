"""Layers of the networks for training, as in `sheets.vision.network_layers`. Needs JAX."""

from __future__ import annotations

from typing import Any

import jax
from jax import lax

from training.optimiser import Weights


def conv_layer(x: Any, weights: Weights, name: str, step: int = 1, pooled: int = 1) -> Any:
    """Apply a convolution, the bias, ReLU and max pooling to N × height × width × channels."""
    margin = weights[name].shape[0] // 2
    x = lax.conv_general_dilated(
        x, weights[name], (step, step), [(margin, margin)] * 2,
        dimension_numbers=("NHWC", "HWIO", "NHWC"),
    )  # fmt: skip
    x = jax.nn.relu(x + weights[f"{name}0"])
    n, height, width, depth = x.shape
    return x.reshape(n, height // pooled, pooled, width // pooled, pooled, depth).max((2, 4))


def dropout(x: Any, key: Any, rate: float, shape: tuple[int, ...]) -> Any:
    """Set a share of the values to 0, with the same choice where ``shape`` has 1."""
    return x * jax.random.bernoulli(key, 1 - rate, shape) / (1 - rate)
