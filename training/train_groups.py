"""Training of the symbol embedding `sheets.vision.pads.symbol_clustering`. Needs PyTorch.

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

import numpy as np
import torch
from numpy.random import Generator
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional as F

from sheets.vision.pads.field_features import PRINT_SIDE, SIDE, FieldFeatures, network_inputs
from sheets.vision.pads.symbol_clustering import (
    CHANNEL_ORDERS,
    EMBEDDING_SIZE,
    MIN_SYMBOL_LOGIT,
    cluster,
    squared_distances,
)
from training.group_cases import FIELDS, NONE
from training.optimiser import minimise, prepare, weights_of, write_weights

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
    network = train(features, labels, options.steps)
    found = list(compare_sheets(network, validation, len(validation_labels)))
    threshold = fit_threshold(found, validation_labels, network.near.item())
    write_weights(options.out, {**weights_of(network), "near": np.full(1, threshold, np.float32)})


def load(files: Sequence[Path]) -> tuple[FieldFeatures, NDArray[np.int16]]:
    """Read the sheets of some files, and the symbols of their fields."""
    found = []
    for path in files:
        with np.load(path, allow_pickle=False) as file:
            found.append([file[name] for name in (*FieldFeatures._fields, "labels")])
    *features, labels = (np.concatenate(some) for some in zip(*found, strict=True))
    return FieldFeatures(*features), labels


class GroupNetwork(nn.Module):
    """The network of `sheets.vision.pads.symbol_clustering`, with dropout.

    ``near`` is the squared distance at which two fields are as likely equal as not.
    """

    def __init__(self) -> None:
        super().__init__()
        self.a = nn.Conv2d(7, 24, 3, padding=1)
        self.b = nn.Conv2d(24, 48, 3, padding=1)
        self.c = nn.Conv2d(48, 64, 3, padding=1)
        self.d = nn.Linear(((SIDE // 8) ** 2 + (PRINT_SIDE // 8) ** 2) * 64, 96)
        self.e = nn.Linear(3 * 96, 96)
        self.f = nn.Linear(96, EMBEDDING_SIZE + 1)
        self.near = nn.Parameter(torch.tensor(2.0))

    def forward(self, whole: Tensor, enlarged: Tensor) -> Tensor:
        """Return the outputs for sheets of fields, as `symbol_clustering.embed`.

        Args:
            whole, enlarged: `network_inputs` of S sheets with F fields, S × F × side × side × 7.
        """
        alone = F.relu(self.d(torch.cat([self._convolve(whole), self._convolve(enlarged)], 2)))
        # All fields of a sheet lose the same features, so that they stay comparable.
        kept = F.dropout(alone.new_ones(len(alone), 1, alone.shape[2]), DROPPED, self.training)
        alone = alone * kept
        spread = (alone.var(1, correction=0, keepdim=True) + 1e-8).sqrt()
        common = [one.expand_as(alone) for one in (alone.mean(1, keepdim=True), spread)]
        return self.f(F.relu(self.e(torch.cat([alone, *common], 2))))

    def _convolve(self, crops: Tensor) -> Tensor:
        x = crops.flatten(0, 1).permute(0, 3, 1, 2)
        for layer in (self.a, self.b, self.c):
            x = F.max_pool2d(F.relu(layer(x)), 2)
        return x.permute(0, 2, 3, 1).flatten(1).unflatten(0, crops.shape[:2])


def loss_of(network: nn.Module, whole: Tensor, enlarged: Tensor, labels: Tensor) -> Tensor:
    """Return the loss of pairs of fields, and half that of whether a field has a symbol.

    Equal symbols, different symbols, and symbols and fields without one count the same, each
    averaged per sheet. Pairs without symbols have `_PLAIN_PAIR_WEIGHT`.
    """
    found = network(whole, enlarged)
    embeddings, has_symbol = found[..., :EMBEDDING_SIZE], found[..., EMBEDDING_SIZE]
    alike = network.near - (embeddings[:, :, None] - embeddings[:, None]).square().sum(-1)
    one, other = labels[:, :, None], labels[:, None]
    apart = F.softplus(alike)
    same = (one == other) & ~torch.eye(labels.shape[1], dtype=torch.bool)
    weight = same * torch.where((one < 0) & (other < 0), _PLAIN_PAIR_WEIGHT, 1.0)
    like = _mean_per_sheet(F.softplus(-alike), weight)
    unlike = _mean_per_sheet(apart, (one != other) & (one >= 0) & (other >= 0))
    plain = _mean_per_sheet(apart, (one < 0) != (other < 0))
    symbol_loss = F.binary_cross_entropy_with_logits(has_symbol, (labels >= 0).float())
    return (like + unlike + plain).mean() + 0.5 * symbol_loss


def _mean_per_sheet(losses: Tensor, weight: Tensor) -> Tensor:
    """Return the weighted mean for each sheet; a few more pairs avoid division by nearly 0."""
    return (weight * losses).sum((1, 2)) / (weight.sum((1, 2)) + 4)


def train(features: FieldFeatures, labels: NDArray[np.int16], steps: int) -> nn.Module:
    """Train for a number of steps."""

    def batch_of(step: int) -> tuple[Any, ...]:
        rng = np.random.default_rng([1, step])
        chosen = rng.choice(len(labels), BATCH, replace=False)
        fields = rng.choice(labels.shape[1], FIELDS_PER_SHEET, replace=False)
        inputs = augment(rng, inputs_of(features, chosen, fields))
        return *inputs, labels[chosen][:, fields]

    network = prepare(GroupNetwork())
    with torch.no_grad():
        network.f.weight *= 0.3
    minimise(loss_of, network, batch_of, steps, rate=MAX_RATE, decay=DECAY, warm_up=WARM_UP)
    return network.eval()


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


@torch.inference_mode()
def compare_sheets(
    network: nn.Module, features: FieldFeatures, count: int
) -> Iterator[tuple[NDArray[np.float64], NDArray[np.float32]]]:
    """Yield the same as `symbol_clustering.compare_fields` for each sheet."""
    every = np.arange(FIELDS)
    for i in range(count):
        inputs = inputs_of(features, np.array([i]), every)
        found = [
            network(*(torch.from_numpy(crops[..., order]) for crops in inputs))[0].numpy()
            for order in CHANNEL_ORDERS
        ]
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
