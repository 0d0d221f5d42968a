"""Initialisation, Adam, loss and files of weights, shared by all networks. Needs JAX."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

Weights = Mapping[str, Any]
"""Weights by name of the layer; ``a0`` is the bias of layer ``a``."""

Shapes = Mapping[str, tuple[int, ...]]
"""Shapes of the weights by name of the layer."""


def initial_weights(rng: Generator, shapes: Shapes) -> dict[str, NDArray[np.float32]]:
    """Return random weights (He initialisation) and zero biases."""
    weights = {}
    for name, shape in shapes.items():
        spread = np.sqrt(2 / np.prod(shape[:-1]))
        weights[name] = rng.normal(0, spread, shape).astype(np.float32)
        weights[f"{name}0"] = np.zeros(shape[-1], np.float32)
    return weights


def adam_step(
    weights: Weights, state: Any, slope: Weights, *, step: Any, rate: Any, decay: float
) -> tuple[Weights, Any]:
    """Return weights and state after one step of Adam.

    Args:
        decay: weight decay, as a share of the rate.
    """
    first = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, state[0], slope)
    second = jax.tree.map(lambda v, g: 0.99 * v + 0.01 * g * g, state[1], slope)

    def move(weight: Any, m: Any, v: Any) -> Any:
        by = (m / (1 - 0.9**step)) / (jnp.sqrt(v / (1 - 0.99**step)) + 1e-7)
        return weight - rate * (by + decay * weight)

    return jax.tree.map(move, weights, first, second), (first, second)


def negative_log_likelihood(logits: NDArray[Any], kinds: NDArray[Any]) -> float:
    """Return the mean negative log-likelihood of labels (N) for logits (N × kinds)."""
    total = np.log(np.exp(logits - logits.max(1, keepdims=True)).sum(1)) + logits.max(1)
    return float((total - logits[np.arange(len(kinds)), kinds]).mean())


def write_weights(path: Path, weights: Weights) -> None:
    """Write weights as 16-bit floats, sorted by name, so that the bytes are reproducible."""
    halves = {name: np.asarray(weights[name]).astype(np.float16) for name in sorted(weights)}
    np.savez(path, **halves)  # type: ignore[arg-type]
