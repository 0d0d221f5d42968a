"""What is the same for all networks that are learnt here: where they begin, steps, sureness, files.

Needs JAX, which nothing else does.
"""

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
Shapes = Mapping[str, tuple[int, ...]]


def new_weights(rng: Generator, shapes: Shapes) -> dict[str, NDArray[np.float32]]:
    """Where learning begins: by the names of layers, and ``a0`` for what is added to ``a``."""
    weights = {}
    for name, shape in shapes.items():
        spread = np.sqrt(2 / np.prod(shape[:-1]))
        weights[name] = rng.normal(0, spread, shape).astype(np.float32)
        weights[f"{name}0"] = np.zeros(shape[-1], np.float32)
    return weights


def moved(
    weights: Weights, state: Any, slope: Weights, *, step: Any, rate: Any, decay: float
) -> tuple[Weights, Any]:
    """The weights and the state after one step of Adam.

    ``decay`` is how much weights are drawn to 0, in parts of the rate.
    """
    first = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, state[0], slope)
    second = jax.tree.map(lambda v, g: 0.99 * v + 0.01 * g * g, state[1], slope)

    def move(weight: Any, m: Any, v: Any) -> Any:
        by = (m / (1 - 0.9**step)) / (jnp.sqrt(v / (1 - 0.99**step)) + 1e-7)
        return weight - rate * (by + decay * weight)

    return jax.tree.map(move, weights, first, second), (first, second)


def surprise(logits: NDArray[Any], kinds: NDArray[Any]) -> float:
    """How surprising the truth is on the average, N × kinds and N."""
    total = np.log(np.exp(logits - logits.max(1, keepdims=True)).sum(1)) + logits.max(1)
    return float((total - logits[np.arange(len(kinds)), kinds]).mean())


def write_weights(path: Path, weights: Weights) -> None:
    """As half floats, in an order that is always the same."""
    halves = {name: np.asarray(weights[name]).astype(np.float16) for name in sorted(weights)}
    np.savez(path, **halves)  # type: ignore[arg-type]
