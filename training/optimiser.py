"""Training loop, calibration and files of weights, shared by all networks. Needs JAX."""

from __future__ import annotations

from collections.abc import Callable, Mapping
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


def minimise(
    loss_of: Callable[..., Any],
    weights: Weights,
    batch_of: Callable[[int], tuple[Any, ...]],
    steps: int,
    *,
    rate: float,
    decay: float,
    warm_up: int = 100,
    max_norm: float = np.inf,
) -> dict[str, NDArray[np.float32]]:
    """Minimise a loss with Adam and return the weights; the rate falls like a cosine.

    Args:
        loss_of: function of the weights and of one batch.
        batch_of: function of the number of the step.
        rate: maximum learning rate.
        decay: weight decay, as a share of the rate.
        warm_up: steps in which the rate rises to its maximum.
        max_norm: larger gradients are scaled down to this norm.
    """

    @jax.jit
    def improve(weights: Weights, state: Any, step: Any, rate: Any, batch: Any) -> Any:
        loss, gradient = jax.value_and_grad(loss_of)(weights, *batch)
        norm = jnp.sqrt(sum((one**2).sum() for one in jax.tree.leaves(gradient)))
        scale = 1 / jnp.maximum(1.0, norm / max_norm)
        gradient = jax.tree.map(lambda one: one * scale, gradient)
        return *_adam_step(weights, state, gradient, step, rate, decay), loss

    zeros = jax.tree.map(jnp.zeros_like, dict(weights))
    state: Any = (zeros, zeros)
    total = 0.0
    for step in range(1, steps + 1):
        now = rate * min(1, step / warm_up) * 0.5 * (1 + np.cos(np.pi * step / steps))
        weights, state, loss = improve(weights, state, step, now, batch_of(step))
        total += float(loss)
        if step % 100 == 0:
            print(step, f"{total / 100:.4f}", flush=True)
            total = 0.0
    return {name: np.asarray(one) for name, one in weights.items()}


def _adam_step(
    weights: Weights, state: Any, gradient: Weights, step: Any, rate: Any, decay: float
) -> tuple[Weights, Any]:
    """Return weights and state after one step of Adam."""
    first = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, state[0], gradient)
    second = jax.tree.map(lambda v, g: 0.99 * v + 0.01 * g * g, state[1], gradient)

    def move(weight: Any, m: Any, v: Any) -> Any:
        by = (m / (1 - 0.9**step)) / (jnp.sqrt(v / (1 - 0.99**step)) + 1e-7)
        return weight - rate * (by + decay * weight)

    return jax.tree.map(move, weights, first, second), (first, second)


def fit_temperature(logits: NDArray[Any], labels: NDArray[Any]) -> float:
    """Return the temperature that calibrates the confidence: logits N × classes, labels N."""

    def loss(temperature: float) -> float:
        scaled = logits / temperature
        total = np.log(np.exp(scaled - scaled.max(1, keepdims=True)).sum(1)) + scaled.max(1)
        return float((total - scaled[np.arange(len(labels)), labels]).mean())

    return min(np.arange(0.6, 3.0, 0.05).tolist(), key=loss)


def write_weights(path: Path, weights: Weights) -> None:
    """Write weights as 16-bit floats, sorted by name, so that the bytes are reproducible."""
    halves = {name: np.asarray(weights[name]).astype(np.float16) for name in sorted(weights)}
    np.savez(path, **halves)  # type: ignore[arg-type]
