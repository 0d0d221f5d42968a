"""Training of the mark classifier `sheets.vision.mark_classifier`. Needs JAX.

    PYTHONPATH=. python -m training.train_marks FOLDER … --validation FOLDER … --out weights.npz

The folders have examples of `training.cases`, `training.pad_cases` or both. The validation sheets
only calibrate the confidence.
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

from sheets.vision.augmentation import ORIENTATIONS, class_permutation, transform_patches
from sheets.vision.mark_classifier import LAYERS
from sheets.vision.mark_kinds import MARK_KINDS
from training.cases import Case, read_files, unpack_patches
from training.layers import conv_layer
from training.optimiser import Weights, fit_temperature, initial_weights, minimise, write_weights

SHAPES_OF: Final = {
    "a": (5, 5, 6, 16), "b": (3, 3, 16, 24), "c": (3, 3, 24, 40), "d": (3, 3, 40, 64),
    "e": (1600, 64), "f": (192, 64), "g": (64, len(MARK_KINDS)),
}  # fmt: skip
"""Shapes of the layers."""

SHEETS: Final = 12
"""Sheets per batch."""

TARGETS: Final = 40
"""Patches per sheet of a batch."""

MAX_RATE: Final = 2e-3
"""Maximum learning rate."""

DECAY: Final = 1e-4
"""Weight decay, as a share of the rate."""


def forward(weights: Weights, patches: Any) -> Any:
    """Return the logits of sheets × targets × side × side × 6, as `classify_marks`."""
    x = patches.reshape(-1, *patches.shape[2:])
    for name, step, pooled in LAYERS:
        x = conv_layer(x, weights, name, step, pooled)
    flat = x.reshape(*patches.shape[:2], -1)
    each = jax.nn.relu(flat @ weights["e"] + weights["e0"])
    # The derivative of the root is unbounded at 0.
    spread = jnp.sqrt(each.var(1) + 1e-6)
    common = jnp.concatenate([each.mean(1), spread], -1)[:, None]
    both = jnp.concatenate([each, jnp.broadcast_to(common, (*each.shape[:2], 128))], -1)
    hidden = jax.nn.relu(both @ weights["f"] + weights["f0"])
    return hidden @ weights["g"] + weights["g0"]


def loss_of(weights: Weights, patches: Any, kinds: Any, possible: Any) -> Any:
    """Return the masked cross-entropy, over the possible kinds."""
    logits = jnp.where(possible, forward(weights, patches), -1e9)
    likely = jax.nn.log_softmax(logits)
    return -jnp.take_along_axis(likely, kinds[..., None], -1).mean()


def choose_batch(rng: Generator, sheets: Sequence[Case]) -> tuple[Any, Any, Any]:
    """Choose patches of some sheets, augmented."""
    found = []
    for number in rng.integers(0, len(sheets), SHEETS):
        sheet = sheets[int(number)]
        chosen = rng.choice(len(sheet.kinds), TARGETS, replace=len(sheet.kinds) < TARGETS)
        patches = unpack_patches(sheet.patches[chosen])
        patches, kinds = turn_patches(patches, sheet.kinds[chosen], int(rng.integers(ORIENTATIONS)))
        found.append((augment(rng, patches), kinds, sheet.possible[chosen]))
    return tuple(np.stack(some) for some in zip(*found, strict=True))  # type: ignore[return-value]


def turn_patches(
    patches: NDArray[np.float32], kinds: NDArray[np.uint8], orientation: int
) -> tuple[NDArray[np.float32], NDArray[np.int32]]:
    """Rotate and mirror patches into one of the eight orientations; tracks turn along."""
    return transform_patches(patches, orientation), class_permutation(orientation).astype(np.int32)[
        kinds
    ]


def augment(rng: Generator, patches: NDArray[np.float32]) -> NDArray[np.float32]:
    """Vary pens, colours, registration and noise."""
    photo, printed = patches[..., :3], patches[..., 3:]
    if rng.random() < 0.4:
        photo = printed + (photo - printed) * rng.uniform(0.45, 1.3)
    photo = photo * rng.uniform(0.88, 1.12) + rng.normal(0, 0.015)
    if rng.random() < 0.3:
        photo = photo * rng.uniform(0.8, 1.2, 3).astype(np.float32)
    if rng.random() < 0.15:
        photo = np.broadcast_to(photo.mean(-1, keepdims=True), photo.shape)
        if rng.random() < 0.5:
            printed = np.broadcast_to(printed.mean(-1, keepdims=True), printed.shape)
    if rng.random() < 0.3:
        printed = np.roll(printed, rng.integers(-1, 2, 2), (1, 2))
    if rng.random() < 0.5:
        noise = rng.standard_normal((*photo.shape[:3], 1), np.float32)
        photo = photo + noise * rng.uniform(0, 0.05)
    return np.concatenate([photo, printed], -1).astype(np.float32)


def train(sheets: Sequence[Case], steps: int) -> dict[str, NDArray[np.float32]]:
    """Train for a number of steps."""
    rng = np.random.default_rng(1)
    return minimise(
        loss_of,
        initial_weights(rng, SHAPES_OF),
        lambda _step: choose_batch(rng, sheets),
        steps,
        rate=MAX_RATE,
        decay=DECAY,
        max_norm=1.0,
    )


def masked_logits(weights: Weights, sheet: Case) -> NDArray[np.float64]:
    """Return the logits of a whole sheet, with impossible kinds masked."""
    patches = unpack_patches(sheet.patches)
    logits = np.asarray(forward(weights, patches[None])[0], np.float64)
    return np.where(sheet.possible, logits, -1e9)


def fitted_temperature(weights: Weights, sheets: Sequence[Case]) -> float:
    """Return the temperature that calibrates the confidence on some sheets."""
    return fit_temperature(
        np.concatenate([masked_logits(weights, sheet) for sheet in sheets]),
        np.concatenate([sheet.kinds for sheet in sheets]),
    )


def main() -> None:
    """Train, calibrate on the validation sheets, and write the weights."""
    parser = ArgumentParser()
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--validation", type=Path, nargs="+", required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=10000)
    options = parser.parse_args()
    sheets = [sheet for folder in options.folders for sheet in read_files(folder)]
    weights = train(sheets, options.steps)
    # The network must not be too sure of any kind of sheets.
    by = max(fitted_temperature(weights, read_files(folder)) for folder in options.validation)
    weights["g"], weights["g0"] = weights["g"] / by, weights["g0"] / by
    write_weights(options.out, weights)
    print(f"{len(sheets)} sheets, temperature {by:.2f}")


if __name__ == "__main__":
    sys.exit(main())
