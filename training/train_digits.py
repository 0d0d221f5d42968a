"""Training of the digit classifier `sheets.vision.pads.digit_classifier`. Needs PyTorch.

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

import numpy as np
import torch
from numpy.random import Generator
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional as F

from sheets.vision.pads.digit_classifier import CLASSES
from training.optimiser import fit_temperature, minimise, prepare, write_calibrated

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
    network = train(patches, digits, options.steps)
    logits = logits_of(network, validation)
    by = fit_temperature(logits, truths)
    write_calibrated(options.out, network, network.e, by)
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


class DigitNetwork(nn.Module):
    """The network of `sheets.vision.pads.digit_classifier`, with dropout."""

    def __init__(self) -> None:
        super().__init__()
        self.a = nn.Conv2d(2, 16, 3, padding=1)
        self.b = nn.Conv2d(16, 32, 3, padding=1)
        self.c = nn.Conv2d(32, 48, 3, padding=1)
        self.d = nn.Linear(432, 96)
        self.e = nn.Linear(96, len(CLASSES))

    def forward(self, patches: Tensor) -> Tensor:
        """Return the logits of N × side × side × 2."""
        x = patches.permute(0, 3, 1, 2)
        for layer in (self.a, self.b, self.c):
            x = F.max_pool2d(F.relu(layer(x)), 2)
        hidden = F.relu(self.d(x.permute(0, 2, 3, 1).flatten(1)))
        return self.e(F.dropout(hidden, DROPPED, self.training))


def loss_of(network: nn.Module, patches: Tensor, digits: Tensor) -> Tensor:
    """Return the cross-entropy with label smoothing."""
    return F.cross_entropy(network(patches), digits, label_smoothing=SMOOTH)


def train(patches: NDArray[np.uint8], digits: NDArray[np.uint8], steps: int) -> nn.Module:
    """Train for a number of steps; half of each batch are digits."""
    digit, none = np.nonzero(digits)[0], np.nonzero(digits == 0)[0]

    def batch_of(step: int) -> tuple[Any, ...]:
        rng = np.random.default_rng([1, step])
        chosen = np.concatenate([rng.choice(some, BATCH // 2) for some in (digit, none)])
        return augment(rng, darkness(patches[chosen])), digits[chosen].astype(np.int64)

    network = prepare(DigitNetwork())
    minimise(loss_of, network, batch_of, steps, rate=MAX_RATE, decay=DECAY)
    return network.eval()


def darkness(patches: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Return the darkness of quantised patches."""
    return patches.astype(np.float32) * np.float32(1.6 / 255) - np.float32(0.3)


def augment(rng: Generator, patches: NDArray[np.float32]) -> NDArray[np.float32]:
    """Shift patches by a pixel, and vary contrast and noise."""
    dx, dy = (int(v) for v in rng.integers(-1, 2, 2))
    patches = np.roll(patches, (dy, dx), (1, 2)).copy()
    much = rng.uniform(0.75, 1.2, (len(patches), 1, 1)).astype(np.float32)
    patches[..., 0] = patches[..., 0] * much + rng.normal(0, 0.04, patches.shape[:3])
    return np.clip(patches, -0.3, 1.3)


@torch.inference_mode()
def logits_of(network: nn.Module, patches: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Return the logits of many patches, in batches."""
    return np.concatenate([
        network(torch.from_numpy(darkness(patches[i : i + 1024]))).numpy()
        for i in range(0, len(patches), 1024)
    ])  # fmt: skip


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
