"""Network of the mark classifier, compared with a naive implementation; its file of weights."""

from __future__ import annotations

import zipfile

import numpy as np
import pytest

from sheets.vision import mark_classifier
from sheets.vision.mark_classifier import LAYERS, WEIGHTS, classify_marks
from sheets.vision.mark_kinds import MARK_KINDS
from sheets.vision.network_layers import load_weights
from sheets.vision.patches import SIDE, SheetPatches


def look(count: int) -> SheetPatches:
    rng = np.random.default_rng(4)
    photo, printed = rng.uniform(0, 1, (2, count, SIDE, SIDE, 3)).astype(np.float32)
    return SheetPatches(tuple(map(str, range(count))), photo, printed)


def naive(look: SheetPatches) -> np.ndarray:
    """Naive convolution: each output pixel is a sum over its neighbourhood."""
    weights = load_weights(WEIGHTS)
    each = []
    for photo, printed in zip(look.photo, look.printed, strict=True):
        seen = np.concatenate([photo, printed], 2).astype(float)
        for name, step, pooled in LAYERS:
            kernel = weights[name]
            margin = len(kernel) // 2
            height, width, _ = seen.shape
            found = np.zeros((height // step, width // step, kernel.shape[-1]))
            for y in range(0, height, step):
                for x in range(0, width, step):
                    total = weights[f"{name}0"].astype(float)
                    for dy in range(len(kernel)):
                        for dx in range(len(kernel)):
                            v, u = y + dy - margin, x + dx - margin
                            if 0 <= v < height and 0 <= u < width:
                                total = total + seen[v, u] @ kernel[dy, dx]
                    found[y // step, x // step] = np.maximum(total, 0)
            side = len(found) // pooled
            seen = np.array([[found[y * pooled : (y + 1) * pooled, x * pooled : (x + 1) * pooled]
                              .max((0, 1)) for x in range(side)] for y in range(side)])  # fmt: skip
        each.append(np.maximum(seen.ravel() @ weights["e"] + weights["e0"], 0))
    common = [np.mean(each, 0), np.std(each, 0)]
    rows = []
    for one in each:
        hidden = np.concatenate([one, *common]) @ weights["f"] + weights["f0"]
        logits = np.maximum(hidden, 0) @ weights["g"] + weights["g0"]
        rows.append(np.exp(logits - logits.max()) / np.exp(logits - logits.max()).sum())
    return np.array(rows)


def test_output_equals_that_of_naive_layers() -> None:
    some = look(3)
    found = classify_marks(some)
    assert found.shape == (3, len(MARK_KINDS))
    assert found == pytest.approx(naive(some), abs=1e-4)


def test_batch_size_does_not_change_the_output(monkeypatch: pytest.MonkeyPatch) -> None:
    some = look(7)
    together = classify_marks(some)
    monkeypatch.setattr(mark_classifier, "BATCH_SIZE", 3)
    assert classify_marks(some) == pytest.approx(together, abs=1e-5)


def test_weights_are_plain_arrays_and_small() -> None:
    assert WEIGHTS.stat().st_size <= 1_000_000
    with zipfile.ZipFile(WEIGHTS) as file:
        assert all(name.endswith(".npy") for name in file.namelist())
        assert {info.date_time for info in file.infolist()} == {(1980, 1, 1, 0, 0, 0)}
    assert {array.dtype for array in load_weights(WEIGHTS).values()} == {np.dtype(np.float32)}
