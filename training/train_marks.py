"""Training of the mark classifier `sheets.vision.mark_classifier`. Needs PyTorch.

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

import numpy as np
import torch
from numpy.random import Generator
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional as F

from sheets.vision.augmentation import ORIENTATIONS, class_permutation, transform_patches
from sheets.vision.mark_kinds import MARK_KINDS
from training.cases import Case, read_files, unpack_patches
from training.optimiser import fit_temperature, minimise, prepare, write_calibrated

SHEETS: Final = 12
"""Sheets per batch."""

TARGETS: Final = 40
"""Patches per sheet of a batch."""

MAX_RATE: Final = 2e-3
"""Maximum learning rate."""

DECAY: Final = 1e-4
"""Weight decay, as a share of the rate."""


class MarkNetwork(nn.Module):
    """The network of `sheets.vision.mark_classifier`."""

    def __init__(self) -> None:
        super().__init__()
        self.a = nn.Conv2d(6, 16, 5, stride=2, padding=2)
        self.b = nn.Conv2d(16, 24, 3, padding=1)
        self.c = nn.Conv2d(24, 40, 3, padding=1)
        self.d = nn.Conv2d(40, 64, 3, padding=1)
        self.e = nn.Linear(1600, 64)
        self.f = nn.Linear(3 * 64, 64)
        self.g = nn.Linear(64, len(MARK_KINDS))

    def forward(self, patches: Tensor) -> Tensor:
        """Return the logits of sheets × targets × side × side × 6."""
        x = patches.flatten(0, 1).permute(0, 3, 1, 2)
        x = F.relu(self.a(x))
        x = F.max_pool2d(F.relu(self.b(x)), 2)
        x = F.max_pool2d(F.relu(self.c(x)), 2)
        x = F.relu(self.d(x)).permute(0, 2, 3, 1).flatten(1)
        each = F.relu(self.e(x)).unflatten(0, patches.shape[:2])
        # The derivative of the root is unbounded at 0.
        spread = (each.var(1, correction=0) + 1e-6).sqrt()
        common = torch.cat([each.mean(1), spread], -1)[:, None].expand(-1, each.shape[1], -1)
        return self.g(F.relu(self.f(torch.cat([each, common], -1))))


def loss_of(network: nn.Module, patches: Tensor, kinds: Tensor, possible: Tensor) -> Tensor:
    """Return the masked cross-entropy, over the possible kinds."""
    logits = network(patches).masked_fill(~possible, -1e9)
    return F.cross_entropy(logits.flatten(0, 1), kinds.flatten())


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
) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """Rotate and mirror patches into one of the eight orientations; tracks turn along."""
    return transform_patches(patches, orientation), class_permutation(orientation).astype(np.int64)[
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


def train(sheets: Sequence[Case], steps: int) -> nn.Module:
    """Train for a number of steps."""
    network = prepare(MarkNetwork())
    minimise(
        loss_of,
        network,
        lambda step: choose_batch(np.random.default_rng([1, step]), sheets),
        steps,
        rate=MAX_RATE,
        decay=DECAY,
        max_norm=1.0,
    )
    return network


@torch.inference_mode()
def masked_logits(network: nn.Module, sheet: Case) -> NDArray[np.float64]:
    """Return the logits of a whole sheet, with impossible kinds masked."""
    logits = network(torch.from_numpy(unpack_patches(sheet.patches)[None]))[0].double().numpy()
    return np.where(sheet.possible, logits, -1e9)


def fitted_temperature(network: nn.Module, sheets: Sequence[Case]) -> float:
    """Return the temperature that calibrates the confidence on some sheets."""
    return fit_temperature(
        np.concatenate([masked_logits(network, sheet) for sheet in sheets]),
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
    network = train(sheets, options.steps)
    # The network must not be too sure of any kind of sheets.
    by = max(fitted_temperature(network, read_files(folder)) for folder in options.validation)
    write_calibrated(options.out, network, network.g, by)
    print(f"{len(sheets)} sheets, temperature {by:.2f}")


if __name__ == "__main__":
    sys.exit(main())
