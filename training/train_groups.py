"""Training of the symbol embedding `sheets.vision.pads.symbol_clustering`. Needs JAX.

    PYTHONPATH=. python -m training.train_groups FILE.npz … --validation FILE.npz
        --out sheets/vision/pads/alike.npz

The validation fonts only determine the threshold of the clustering.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import jax
import jax.numpy as jnp
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from sheets.vision.pads.field_features import PRINT_SIDE, SIDE, FieldFeatures, network_inputs
from sheets.vision.pads.symbol_clustering import (
    CHANNEL_ORDERS,
    EMBEDDING_SIZE,
    LAYERS,
    MIN_SYMBOL_LOGIT,
    cluster,
    squared_distances,
)
from training.group_cases import FIELDS, NONE
from training.layers import conv_layer, dropout
from training.optimiser import Weights, initial_weights, minimise, write_weights

SHAPES_OF: Final = {
    "a": (3, 3, 7, 24), "b": (3, 3, 24, 48), "c": (3, 3, 48, 64),
    "d": (((SIDE // 8) ** 2 + (PRINT_SIDE // 8) ** 2) * 64, 96),
    "e": (3 * 96, 96), "f": (96, EMBEDDING_SIZE + 1),
}  # fmt: skip
"""Shapes of the layers."""

BATCH: Final = 8
"""Sheets per batch."""

FIELDS_PER_SHEET: Final = 24
"""Fields of each sheet of a batch."""

MAX_RATE: Final = 1.5e-3
"""Maximum learning rate."""

WARM_UP: Final = 150
"""Steps in which the learning rate rises to its maximum."""

DECAY: Final = 2e-4
"""Weight decay, as a share of the rate."""

DROPPED: Final = 0.15
"""Dropout rate."""

NOISE: Final = 0.01
"""Standard deviation of the noise that is added to each pixel."""

FACTORS: Final = tuple(np.linspace(0.4, 2, 17))
"""Thresholds that are tried, relative to the learnt one."""

MIXED_COST: Final = 2.5
"""Cost of different symbols in one group, relative to equal symbols apart."""

_PLAIN_PAIR_WEIGHT: Final = 0.3
"""Weight of a pair of fields without symbols, relative to a pair with the same symbol."""


def main() -> None:
    """Train, fit the threshold on the validation fonts, and write the weights."""
    parser = ArgumentParser()
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--validation", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=6000)
    options = parser.parse_args()
    features, labels = load(options.files)
    validation, validation_labels = load([options.validation])
    weights = train(np.random.default_rng(1), features, labels, options.steps)
    found = list(compare_sheets(weights, validation, len(validation_labels)))
    weights["near"] = np.full(
        1, fit_threshold(found, validation_labels, float(weights["near"][0])), np.float32
    )
    write_weights(options.out, weights)


def load(files: Sequence[Path]) -> tuple[FieldFeatures, NDArray[np.int16]]:
    """Read the sheets of some files, and the symbols of their fields."""
    found = []
    for path in files:
        with np.load(path, allow_pickle=False) as file:
            found.append([file[name] for name in (*FieldFeatures._fields, "labels")])
    *features, labels = (np.concatenate(some) for some in zip(*found, strict=True))
    return FieldFeatures(*features), labels


def forward(weights: Weights, whole: Any, enlarged: Any, key: Any = None) -> Any:
    """Return the outputs for sheets of fields, as `symbol_clustering.embed`; with ``key``, apply
    dropout.

    Args:
        whole, enlarged: `network_inputs` of S sheets with F fields, S × F × side × side × 7.
    """
    sheets, fields = whole.shape[:2]
    parts = []
    for crops in (whole, enlarged):
        x = crops.reshape(-1, *crops.shape[2:])
        for name in LAYERS:
            x = conv_layer(x, weights, name, pooled=2)
        parts.append(x.reshape(sheets, fields, -1))
    alone = jax.nn.relu(jnp.concatenate(parts, 2) @ weights["d"] + weights["d0"])
    if key is not None:
        alone = dropout(alone, key, DROPPED, (sheets, 1, alone.shape[2]))
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


def loss_of(weights: Weights, whole: Any, enlarged: Any, labels: Any, key: Any) -> Any:
    """Return the loss of pairs of fields, and half that of whether a field has a symbol.

    Equal symbols, different symbols, and symbols and fields without one count the same, each
    averaged per sheet. Pairs without symbols have `_PLAIN_PAIR_WEIGHT`.
    """
    alike, has_symbol = logits(weights, forward(weights, whole, enlarged, key))
    one, other = labels[:, :, None], labels[:, None]
    apart = jax.nn.softplus(alike)
    same = (one == other) & ~jnp.eye(labels.shape[1], dtype=bool)
    weight = same * jnp.where((one < 0) & (other < 0), _PLAIN_PAIR_WEIGHT, 1.0)
    like = _mean_per_sheet(jax.nn.softplus(-alike), weight)
    unlike = _mean_per_sheet(apart, (one != other) & (one >= 0) & (other >= 0))
    plain = _mean_per_sheet(apart, (one < 0) != (other < 0))
    symbol_loss = jnp.where(labels >= 0, jax.nn.softplus(-has_symbol), jax.nn.softplus(has_symbol))
    return (like + unlike + plain).mean() + 0.5 * symbol_loss.mean()


def _mean_per_sheet(losses: Any, weight: Any) -> Any:
    """Return the weighted mean for each sheet; a few more pairs avoid division by nearly 0."""
    return (weight * losses).sum((1, 2)) / (weight.sum((1, 2)) + 4)


def train(
    rng: Generator, features: FieldFeatures, labels: NDArray[np.int16], steps: int
) -> dict[str, NDArray[np.float32]]:
    """Train for a number of steps."""

    def batch_of(step: int) -> tuple[Any, ...]:
        chosen = rng.choice(len(labels), BATCH, replace=False)
        fields = rng.choice(labels.shape[1], FIELDS_PER_SHEET, replace=False)
        inputs = augment(rng, inputs_of(features, chosen, fields))
        own = labels[chosen][:, fields].astype(np.int32)
        return *inputs, own, jax.random.key(step)

    weights = {**initial_weights(rng, SHAPES_OF), "near": np.full(1, 2.0, np.float32)}
    weights["f"] *= 0.3
    return minimise(loss_of, weights, batch_of, steps, rate=MAX_RATE, decay=DECAY, warm_up=WARM_UP)


def inputs_of(
    features: FieldFeatures, chosen: NDArray[np.int64], fields: NDArray[np.int64]
) -> list[NDArray[np.float32]]:
    """Return the network's inputs for some fields of some sheets."""
    found = []
    for i in chosen:
        parts = (features.whole, features.enlarged, features.backgrounds)
        found.append(
            network_inputs(FieldFeatures(*(part[i][fields] for part in parts), features.paper[i]))
        )
    return [np.stack(crops) for crops in zip(*found, strict=True)]


def augment(rng: Generator, inputs: Sequence[NDArray[np.float32]]) -> list[NDArray[np.float32]]:
    """Add noise, and permute the colours."""
    order = rng.permutation(3)
    found = []
    for crops in inputs:
        noise = rng.normal(0, NOISE, crops.shape[:-1]).astype(np.float32)
        found.append(crops[..., [*order, *(order + 3), 6]] + noise[..., None])
    return found


def compare_sheets(
    weights: Weights, features: FieldFeatures, count: int
) -> Iterator[tuple[NDArray[np.float64], NDArray[np.float32]]]:
    """Yield the same as `symbol_clustering.compare_fields` for each sheet."""
    run = jax.jit(forward)
    every = np.arange(FIELDS)
    for i in range(count):
        inputs = inputs_of(features, np.array([i]), every)
        found = [np.asarray(run(weights, *(crops[..., order] for crops in inputs))[0])
                 for order in CHANNEL_ORDERS]  # fmt: skip
        distances = [squared_distances(one[:, :EMBEDDING_SIZE]) for one in found]
        yield np.mean(distances, 0), np.mean([one[:, EMBEDDING_SIZE] for one in found], 0)


def grouping_errors(
    sheets: Sequence[tuple[NDArray[np.float64], NDArray[np.float32]]],
    labels: NDArray[np.int16],
    threshold: float,
) -> tuple[float, float]:
    """Return the shares of equal symbols apart and of different ones together, as means of sheets.

    Only pairs with at least one symbol count.
    """
    apart, mixed = [], []
    for (distances, symbol_logits), own in zip(sheets, labels, strict=True):
        groups = np.full(len(own), NONE)
        for number, group in enumerate(cluster(distances, threshold)):
            if symbol_logits[group].mean() > MIN_SYMBOL_LOGIT:
                groups[group] = number
        one, other = np.triu_indices(len(own), 1)
        counts = (own[one] != NONE) | (own[other] != NONE)
        same = (own[one] == own[other])[counts]
        together = (groups[one] == groups[other])[counts]
        apart += [1 - together[same].mean()] if same.any() else []
        mixed += [together[~same].mean()] if (~same).any() else []
    return float(np.mean(apart)), float(np.mean(mixed))


def fit_threshold(
    sheets: Sequence[tuple[NDArray[np.float64], NDArray[np.float32]]],
    labels: NDArray[np.int16],
    learnt: float,
) -> float:
    """Return the threshold with the fewest errors on other sheets; mixed groups count more."""
    found = {}
    for factor in FACTORS:
        apart, mixed = grouping_errors(sheets, labels, learnt * factor)
        found[learnt * factor] = apart + MIXED_COST * mixed
        print(f"{factor:.1f}: {100 * (1 - apart):.2f} % together, {100 * mixed:.2f} % mixed")
    return min(found, key=lambda threshold: found[threshold])


if __name__ == "__main__":
    sys.exit(main())
