"""Training of the digit classifier `sheets.vision.pads.digit_classifier`. Needs JAX.

    PYTHONPATH=. python -m training.train_digits FILE.npz … --validation FILE.npz
        --out sheets/vision/pads/digits.npz

The validation fonts only calibrate the confidence.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import jax
import jax.numpy as jnp
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from sheets.vision.pads.digit_classifier import CLASSES, LAYERS
from training.layers import conv_layer, dropout
from training.optimiser import Weights, fit_temperature, initial_weights, minimise, write_weights

SHAPES_OF: Final = {
    "a": (3, 3, 2, 16), "b": (3, 3, 16, 32), "c": (3, 3, 32, 48), "d": (432, 96),
    "e": (96, len(CLASSES)),
}  # fmt: skip
"""Shapes of the layers."""

BATCH: Final = 256
"""Patches per batch."""

MAX_RATE: Final = 2e-3
"""Maximum learning rate."""

DECAY: Final = 2e-4
"""Weight decay, as a share of the rate."""

DROPPED: Final = 0.25
"""Dropout rate."""

SMOOTH: Final = 0.01
"""Label smoothing, because a few labels are wrong."""


def main() -> None:
    """Train, calibrate on the validation fonts, write the weights and report the accuracy."""
    parser = ArgumentParser()
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--validation", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=4000)
    options = parser.parse_args()
    patches, digits = load(options.files)
    validation, truths = load([options.validation])
    weights = train(patches, digits, options.steps)
    logits = logits_of(weights, validation)
    by = fit_temperature(logits, truths)
    weights["e"], weights["e0"] = weights["e"] / by, weights["e0"] / by
    write_weights(options.out, weights)
    print(f"{len(digits)} patches, temperature {by:.2f}")
    report(logits / by, truths)


def load(files: Sequence[Path]) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Read the patches of some files, and their digits."""
    found = []
    for path in files:
        with np.load(path, allow_pickle=False) as file:
            found.append((file["patches"], file["digits"]))
    patches, digits = (np.concatenate(some) for some in zip(*found, strict=True))
    return patches, digits


def forward(weights: Weights, x: Any, key: Any = None) -> Any:
    """Return the logits of patches, as `digits.judge`; with ``key``, apply dropout."""
    for name in LAYERS:
        x = conv_layer(x, weights, name, pooled=2)
    hidden = jax.nn.relu(x.reshape(len(x), -1) @ weights["d"] + weights["d0"])
    if key is not None:
        hidden = dropout(hidden, key, DROPPED, hidden.shape)
    return hidden @ weights["e"] + weights["e0"]


def loss_of(weights: Weights, patches: Any, digits: Any, key: Any) -> Any:
    """Return the cross-entropy with label smoothing."""
    likely = jax.nn.log_softmax(forward(weights, patches, key))
    log_likelihood = jnp.take_along_axis(likely, digits[:, None], -1)[:, 0]
    return -((1 - SMOOTH) * log_likelihood + SMOOTH * likely.mean(-1)).mean()


def train(
    patches: NDArray[np.uint8], digits: NDArray[np.uint8], steps: int
) -> dict[str, NDArray[np.float32]]:
    """Train for a number of steps; half of each batch are digits."""
    rng = np.random.default_rng(1)
    digit, none = np.nonzero(digits)[0], np.nonzero(digits == 0)[0]

    def batch_of(step: int) -> tuple[Any, ...]:
        chosen = np.concatenate([rng.choice(some, BATCH // 2) for some in (digit, none)])
        some = augment(rng, patches[chosen].astype(np.float32) * (1.6 / 255) - 0.3)
        return some, digits[chosen].astype(np.int32), jax.random.key(step)

    weights = initial_weights(rng, SHAPES_OF)
    return minimise(loss_of, weights, batch_of, steps, rate=MAX_RATE, decay=DECAY)


def augment(rng: Generator, patches: NDArray[np.float32]) -> NDArray[np.float32]:
    """Shift patches by a pixel, and vary contrast and noise."""
    dx, dy = (int(v) for v in rng.integers(-1, 2, 2))
    patches = np.roll(patches, (dy, dx), (1, 2)).copy()
    much = rng.uniform(0.75, 1.2, (len(patches), 1, 1)).astype(np.float32)
    patches[..., 0] = patches[..., 0] * much + rng.normal(0, 0.04, patches.shape[:3])
    return np.clip(patches, -0.3, 1.3)


def logits_of(weights: Weights, patches: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Return the logits of many patches, in batches."""
    run = jax.jit(forward)
    parts = [
        np.asarray(run(weights, patches[i : i + 1024].astype(np.float32) * (1.6 / 255) - 0.3))
        for i in range(0, len(patches), 1024)
    ]
    return np.concatenate(parts)


def report(logits: NDArray[np.float32], digits: NDArray[np.uint8]) -> None:
    """Print accuracy, and confident errors, on validation fonts."""
    likely = np.exp(logits - logits.max(1, keepdims=True))
    likely /= likely.sum(1, keepdims=True)
    best, sure = likely.argmax(1), likely.max(1)
    for label, some in (("digits", digits > 0), ("none", digits == 0)):
        right = 100 * (best == digits)[some].mean()
        wrong = 100 * ((best != digits) & (best > 0) & (sure >= 0.95))[some].mean()
        print(f"{label}: {some.sum()}, right {right:.2f} %, sure and wrong {wrong:.3f} %")


if __name__ == "__main__":
    sys.exit(main())
