"""Training of the mark classifier `sheets.vision.mark_classifier`. Needs JAX.

    PYTHONPATH=. python -m training.train_marks FOLDER FOLDER --out sheets/vision/weights.npz

One folder has examples of `training.cases`, the other of `training.pad_cases`: one network reads
both. The same examples give the same bytes on the same kind of machine.
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
from jax import lax
from numpy.random import Generator
from numpy.typing import NDArray

from sheets.vision.augmentation import ORIENTATIONS, class_permutation, transform_patches
from sheets.vision.mark_classifier import LAYERS
from sheets.vision.mark_kinds import MARK_KINDS
from sheets.vision.network_layers import read_weights
from training.cases import Case, read_files, unpack_patches
from training.optimiser import (
    Weights,
    adam_step,
    initial_weights,
    negative_log_likelihood,
    write_weights,
)

SHAPES_OF: Final = {
    "a": (5, 5, 6, 16), "b": (3, 3, 16, 24), "c": (3, 3, 24, 40), "d": (3, 3, 40, 64),
    "e": (1600, 64), "f": (192, 64), "g": (64, len(MARK_KINDS)),
}  # fmt: skip
"""Shapes of the layers."""

SHEETS: Final = 12
"""Sheets per batch."""

TARGETS: Final = 40
"""Patches per sheet of a batch."""

INITIAL_RATE: Final = 2e-3
"""Maximum learning rate."""

FURTHER_RATE: Final = 6e-4
"""Maximum learning rate when training continues from other weights."""

WARM: Final = 100
"""Number of warm-up steps."""
HEAD: Final = ("f", "f0", "g", "g0")
"""Layers that classify an embedding together with mean and standard deviation of its sheet."""

DECAY: Final = 1e-4
"""Weight decay, as a share of the rate."""


def forward(weights: Weights, patches: Any) -> Any:
    """Return the logits of sheets × targets × side × side × 6, as `classify_marks`."""
    x = patches.reshape(-1, *patches.shape[2:])
    for name, step, pooled in LAYERS:
        margin = SHAPES_OF[name][0] // 2
        x = lax.conv_general_dilated(
            x, weights[name], (step, step), [(margin, margin)] * 2,
            dimension_numbers=("NHWC", "HWIO", "NHWC"),
        )  # fmt: skip
        x = jax.nn.relu(x + weights[f"{name}0"])
        if pooled > 1:
            n, height, width, depth = x.shape
            squares = (n, height // pooled, pooled, width // pooled, pooled, depth)
            x = x.reshape(squares).max((2, 4))
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


@jax.jit
def train_step(
    weights: Weights, frozen: Weights, state: Any, step: Any, rate: Any, batch: Any
) -> Any:
    """Do one step of Adam; the layers in ``frozen`` stay as they are."""
    loss, slope = jax.value_and_grad(lambda some: loss_of({**frozen, **some}, *batch))(weights)
    size = jnp.sqrt(sum((one**2).sum() for one in jax.tree.leaves(slope)))
    slope = jax.tree.map(lambda one: one / jnp.maximum(1.0, size), slope)
    return *adam_step(weights, state, slope, step=step, rate=rate, decay=DECAY), loss


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


def train(
    sheets: Sequence[Case],
    steps: int,
    begin: Weights | None = None,
    *,
    seed: int = 1,
    is_head_only: bool = False,
) -> dict[str, NDArray[np.float32]]:
    """Train for a number of steps; further training has a lower rate.

    Args:
        seed: seed of the batches; use another one to continue with the same sheets.
        is_head_only: train only the layers of `HEAD`.
    """
    rng = np.random.default_rng(seed)
    every: Any = jax.tree.map(jnp.asarray, dict(begin or initial_weights(rng, SHAPES_OF)))
    weights = {name: one for name, one in every.items() if name in HEAD or not is_head_only}
    frozen = {name: one for name, one in every.items() if name not in weights}
    top = FURTHER_RATE if begin else INITIAL_RATE
    state = (jax.tree.map(jnp.zeros_like, weights), jax.tree.map(jnp.zeros_like, weights))
    total = 0.0
    for step in range(1, steps + 1):
        rate = top * min(1, step / WARM) * 0.5 * (1 + np.cos(np.pi * step / (steps + 1)))
        batch = choose_batch(rng, sheets)
        weights, state, loss = train_step(weights, frozen, state, step, rate, batch)
        total += float(loss)
        if step % 100 == 0:
            print(f"{step} {total / 100:.4f}", flush=True)
            total = 0.0
    return {name: np.asarray(one) for name, one in {**frozen, **weights}.items()}


def masked_logits(weights: Weights, sheet: Case) -> NDArray[np.float64]:
    """Return the logits of a whole sheet, with impossible kinds masked."""
    patches = unpack_patches(sheet.patches)
    logits = np.asarray(forward(weights, patches[None])[0], np.float64)
    return np.where(sheet.possible, logits, -1e9)


def fit_temperature(weights: Weights, sheets: Sequence[Case]) -> float:
    """Return the temperature that calibrates the confidence on other sheets."""
    logits = np.concatenate([masked_logits(weights, sheet) for sheet in sheets])
    kinds = np.concatenate([sheet.kinds for sheet in sheets])
    return min(
        np.arange(0.6, 3.0, 0.05).tolist(),
        key=lambda by: negative_log_likelihood(logits / by, kinds),
    )


def main() -> None:
    """Train, calibrate on one sheet in ten, and write the weights."""
    parser = ArgumentParser()
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--begin", type=Path, help="weights to go on from")
    parser.add_argument(
        "--halfway", action="store_true", help="the mean of those and of what was learnt"
    )
    parser.add_argument(
        "--head", action="store_true", help="learn only the layers that see the whole sheet"
    )
    parser.add_argument(
        "--unfitted",
        action="store_true",
        help="as sure as it has become: usual sheets have fewer doubts than cases",
    )
    parser.add_argument(
        "--without", default="", help="leave out sheets with this pen, stroke or light"
    )
    options = parser.parse_args()
    sheets = [read_files(folder) for folder in options.folders]
    kept = [[one for one in some if not one.has(options.without)] for some in sheets]
    validation = [some[::10] for some in kept]
    taken = [one for some in kept for i, one in enumerate(some) if i % 10]
    begin = read_weights(options.begin) if options.begin else None
    learnt = train(taken, options.steps, begin, seed=options.seed, is_head_only=options.head)
    if begin and options.halfway:
        # Averaging learns a few cases of one kind without forgetting the others.
        learnt = {name: (one + begin[name]) / 2 for name, one in learnt.items()}
    # The sizes of the folders are arbitrary: use the temperature of the most difficult one.
    by = 1.0 if options.unfitted else max(fit_temperature(learnt, some) for some in validation)
    learnt["g"], learnt["g0"] = learnt["g"] / by, learnt["g0"] / by
    print(f"{sum(map(len, kept))} sheets, temperature {by:.2f}")
    write_weights(options.out, learnt)
    for some in validation:
        report(learnt, some)
    if options.without:
        report(learnt, [one for some in sheets for one in some if one.has(options.without)])


def report(weights: Weights, sheets: Sequence[Case]) -> None:
    """Print accuracy, confident errors, and the share of low confidence, by grade."""
    rows: dict[str, list[NDArray[np.float64]]] = {}
    for sheet in sheets:
        logits = masked_logits(weights, sheet)
        likely = np.exp(logits - logits.max(1, keepdims=True))
        likely /= likely.sum(1, keepdims=True)
        best, sure = likely.argmax(1), likely.max(1)
        right = best == sheet.kinds
        rows.setdefault(sheet.grade, []).append(np.stack([right, (sure >= 0.95) & ~right,
                                                          sure < 0.95], 1) * 100.0)  # fmt: skip
    for grade, some in sorted(rows.items()):
        all_ = np.concatenate(some)
        print(grade, len(all_), "right, sure and wrong, unsure:", np.round(all_.mean(0), 3))


if __name__ == "__main__":
    sys.exit(main())
