"""Training of the symbol embedding `sheets.vision.pads.symbol_clustering`. Needs JAX.

    PYTHONPATH=. python -m training.train_groups FILE.npz … --held FILE.npz
        --out sheets/vision/pads/alike.npz

The held-out symbols only measure the accuracy.
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

from sheets.vision.network_layers import read_weights
from sheets.vision.pads.field_features import DESCRIPTORS, SIDE, FieldFeatures, network_inputs
from sheets.vision.pads.symbol_clustering import EMBEDDING_SIZE, LAYERS
from training.optimiser import Weights, adam_step, initial_weights, write_weights

_FEATURES: Final = (SIDE // 8) ** 2 * 40
"""Number of outputs of the last convolution."""

SHAPES_OF: Final = {
    "a": (3, 3, 7, 12), "b": (3, 3, 12, 24), "c": (3, 3, 24, 40),
    "d": (2 * _FEATURES + DESCRIPTORS, 80), "e": (3 * 80, 64), "f": (64, EMBEDDING_SIZE + 1),
}  # fmt: skip
"""Shapes of the layers."""

BATCH: Final = 8
"""Sheets per batch."""

INITIAL_RATE: Final = 1.5e-3
"""Maximum learning rate."""

FURTHER_RATE: Final = 7e-4
"""Maximum learning rate when training continues from other weights."""

WARM: Final = 150
"""Number of warm-up steps."""
DECAY: Final = 2e-4
"""Weight decay, as a share of the rate."""

DROPPED: Final = 0.15
"""Dropout rate."""
_PLAIN_PAIR_WEIGHT: Final = 0.3
"""Weight of a pair of fields without symbols, relative to a pair with the same symbol."""


def main() -> None:
    """Train, write the weights, and report the accuracy on held-out symbols."""
    parser = ArgumentParser()
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--held", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=4600)
    parser.add_argument("--begin", type=Path, help="weights to go on from")
    options = parser.parse_args()
    looks, signs = load(options.files)
    held, truths = load([options.held])
    begin = read_weights(options.begin) if options.begin else None
    weights = train(np.random.default_rng(1), looks, signs, options.steps, begin)
    write_weights(options.out, weights)
    report(weights, held, truths)


def load(files: Sequence[Path]) -> tuple[FieldFeatures, NDArray[np.int16]]:
    """Read the sheets of some files, and the symbols of their fields."""
    found = []
    for path in files:
        with np.load(path, allow_pickle=False) as file:
            found.append([file[name] for name in (*FieldFeatures._fields, "signs")])
    *looks, signs = (np.concatenate(some) for some in zip(*found, strict=True))
    return FieldFeatures(*looks), signs


def forward(weights: Weights, seen_as: Any, descriptors: Any, key: Any = None) -> Any:
    """Return the outputs for sheets of fields, as `alike.place`; with ``key``, apply dropout.

    Args:
        seen_as: pictures of S sheets with F fields, S × F × 2 × side × side × 7.
        descriptors: numeric features, S × F × numbers.
    """
    sheets, fields = descriptors.shape[:2]
    x = seen_as.reshape(-1, *seen_as.shape[3:])
    for name in LAYERS:
        x = lax.conv_general_dilated(
            x, weights[name], (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")
        )
        x = jax.nn.relu(x + weights[f"{name}0"])
        n, height, width, depth = x.shape
        x = x.reshape(n, height // 2, 2, width // 2, 2, depth).max((2, 4))
    x = jnp.concatenate([x.reshape(sheets, fields, -1), descriptors], 2)
    alone = jax.nn.relu(x @ weights["d"] + weights["d0"])
    if key is not None:
        kept = jax.random.bernoulli(key, 1 - DROPPED, (sheets, 1, alone.shape[2]))
        alone = alone * kept / (1 - DROPPED)
    spread = jnp.sqrt(alone.var(1, keepdims=True) + 1e-8)
    every = [jnp.broadcast_to(v, alone.shape) for v in (alone.mean(1, keepdims=True), spread)]
    among = jax.nn.relu(jnp.concatenate([alone, *every], 2) @ weights["e"] + weights["e0"])
    return among @ weights["f"] + weights["f0"]


def logits(weights: Weights, found: Any) -> tuple[Any, Any]:
    """Return the similarity of each two fields (S × F × F), and whether each has a symbol."""
    places = found[..., :EMBEDDING_SIZE]
    squares = (places**2).sum(-1)
    apart = squares[:, :, None] + squares[:, None] - 2 * places @ jnp.swapaxes(places, 1, 2)
    return weights["near"][0] - apart, found[..., EMBEDDING_SIZE]


def loss_of(weights: Weights, seen_as: Any, descriptors: Any, signs: Any, key: Any) -> Any:
    """Return the loss of pairs of fields, and half that of whether a field has a symbol.

    Different pairs count twice as much as equal ones, each averaged per sheet; pairs without
    symbols have `_PLAIN_PAIR_WEIGHT`."""
    alike, marked = logits(weights, forward(weights, seen_as, descriptors, key))
    same = (signs[:, :, None] == signs[:, None]) & ~jnp.eye(signs.shape[1], dtype=bool)
    other = signs[:, :, None] != signs[:, None]
    is_plain = (signs[:, :, None] < 0) & (signs[:, None] < 0)
    weight = same * jnp.where(is_plain, _PLAIN_PAIR_WEIGHT, 1.0)
    like = (weight * jax.nn.softplus(-alike)).sum((1, 2)) / (weight.sum((1, 2)) + 4)
    unlike = (other * jax.nn.softplus(alike)).sum((1, 2)) / (other.sum((1, 2)) + 4)
    has = signs >= 0
    told_so = jnp.where(has, jax.nn.softplus(-marked), jax.nn.softplus(marked)).mean()
    return (like + 2 * unlike).mean() + 0.5 * told_so


@jax.jit
def train_step(weights: Weights, state: Any, step: Any, rate: Any, batch: Any) -> Any:
    """Do one step of Adam."""
    loss, slope = jax.value_and_grad(loss_of)(weights, *batch)
    return *adam_step(weights, state, slope, step=step, rate=rate, decay=DECAY), loss


def train(
    rng: Generator,
    looks: FieldFeatures,
    signs: NDArray[np.int16],
    steps: int,
    begin: Weights | None = None,
) -> dict[str, NDArray[np.float32]]:
    """Train for a number of steps, from random weights or from others."""
    if begin:
        weights: Any = jax.tree.map(jnp.asarray, dict(begin))
    else:
        weights = {**initial_weights(rng, SHAPES_OF), "near": np.full(1, 2.0, np.float32)}
        weights["f"] *= 0.3
    top = FURTHER_RATE if begin else INITIAL_RATE
    zeros = jax.tree.map(np.zeros_like, weights)
    state: Any = (zeros, zeros)
    for step in range(1, steps + 1):
        chosen = rng.choice(len(signs), BATCH, replace=False)
        fields = rng.choice(signs.shape[1], 24, replace=False)
        pictures, descriptors = pictures_of(looks, chosen, fields)
        rate = top * min(1, step / WARM) * 0.5 * (1 + np.cos(np.pi * step / steps))
        own = signs[chosen][:, fields].astype(np.int32)
        batch = (*augment(rng, pictures, descriptors), own, jax.random.key(step))
        weights, state, loss = train_step(weights, state, step, rate, batch)
        if step % 100 == 0:
            print(step, f"{float(loss):.4f}", flush=True)
    return {name: np.asarray(one) for name, one in weights.items()}


def pictures_of(
    looks: FieldFeatures, chosen: NDArray[np.int64], fields: NDArray[np.int64]
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return the network's inputs for some fields of some sheets."""
    found = []
    for i in chosen:
        one = FieldFeatures(
            looks.whole[i][fields],
            looks.enlarged[i][fields],
            looks.backgrounds[i][fields],
            looks.paper[i],
            looks.descriptors[i][fields],
            looks.strongest[i][fields],
        )
        found.append(np.stack(network_inputs(one), 1))
    return np.stack(found), looks.descriptors[chosen][:, fields]


def augment(
    rng: Generator, pictures: NDArray[np.float32], descriptors: NDArray[np.float32]
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Add noise, and permute the colours."""
    way = rng.permutation(3)
    pictures = pictures[..., [*way, *(way + 3), 6]]
    descriptors = descriptors[..., [*way, *(way + 3), *(way + 6), *range(9, DESCRIPTORS)]]
    noise = rng.normal(0, 0.02, pictures.shape[:-1]).astype(np.float32)
    return pictures + noise[..., None], descriptors


def report(weights: Weights, looks: FieldFeatures, signs: NDArray[np.int16]) -> None:
    """Print the accuracy on pairs of equal and of different fields, without pairs of plain ones."""
    see = jax.jit(
        lambda some, pictures, descriptors: logits(some, forward(some, pictures, descriptors))
    )
    every = np.arange(signs.shape[1])
    right: dict[str, list[float]] = {"like": [], "unlike": [], "marked": []}
    for i in range(0, len(signs), BATCH):
        chosen = np.arange(i, min(i + BATCH, len(signs)))
        alike, marked = (np.asarray(v) for v in see(weights, *pictures_of(looks, chosen, every)))
        own = signs[chosen]
        upper = np.triu(np.ones(alike.shape[1:], bool), 1)
        either = ((own[:, :, None] >= 0) | (own[:, None] >= 0)) & upper
        same = own[:, :, None] == own[:, None]
        right["like"] += (alike > 0)[either & same].tolist()
        right["unlike"] += (alike > 0)[either & ~same].tolist()
        right["marked"] += ((marked > 0) == (own >= 0)).ravel().tolist()
    print(*(f"{name}: {100 * np.mean(some):.2f} %" for name, some in right.items()), flush=True)


if __name__ == "__main__":
    sys.exit(main())
