"""Test-time augmentation: patches in other orientations, and the permutation of their classes."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from sheets.rules.level import SHAPES
from sheets.vision import mark_classifier
from sheets.vision.augmentation import ORIENTATIONS, class_permutation, transform_patches
from sheets.vision.mark_classifier import WEIGHTS, classify_marks
from sheets.vision.mark_kinds import MARK_KINDS
from sheets.vision.network_layers import load_weights, softmax
from sheets.vision.patches import SIDE, SheetPatches

_ENDS = {"N": np.s_[: SIDE // 2, 19:21], "S": np.s_[SIDE // 2 :, 19:21],
         "W": np.s_[19:21, : SIDE // 2], "E": np.s_[19:21, SIDE // 2 :]}  # fmt: skip


def drawn(shape: str) -> NDArray[np.float32]:
    """A track of lines from the middle."""
    patch = np.zeros((SIDE, SIDE, 3), np.float32)
    for edge in shape:
        patch[_ENDS[edge]] = 1
    return patch


@pytest.mark.parametrize("way", range(ORIENTATIONS))
def test_class_permutation_follows_the_orientation_of_tracks(way: int) -> None:
    names = class_permutation(way)
    for shape in SHAPES:
        (seen,) = transform_patches(drawn(shape)[None], way)
        assert (seen == drawn(MARK_KINDS[names[MARK_KINDS.index(shape)]])).all()
    others = [MARK_KINDS.index(kind) for kind in MARK_KINDS if kind not in SHAPES]
    assert (names[others] == others).all()


def test_unsure_fields_are_classified_in_all_orientations() -> None:
    rng = np.random.default_rng(8)
    photo, printed = rng.uniform(0, 1, (2, 40, SIDE, SIDE, 3)).astype(np.float32)
    look = SheetPatches(tuple(map(str, range(40))), photo, printed)
    once = classify_marks(look)
    half = float(np.median(once.max(1)))
    again, is_sure = classify_marks(look, augment_below=half), once.max(1) >= half
    assert is_sure.sum() == 20
    assert again[is_sure] == pytest.approx(once[is_sure])
    weights = load_weights(WEIGHTS)
    both = np.concatenate([photo, printed], 3)
    each = mark_classifier._embed(weights, both)
    common = np.concatenate([each.mean(0), each.std(0)])
    told = [
        mark_classifier._head(
            weights, mark_classifier._embed(weights, transform_patches(both, way)), common
        )[:, class_permutation(way)]
        for way in range(ORIENTATIONS)
    ]
    wanted = softmax(np.mean(told, 0))
    assert again[~is_sure] == pytest.approx(wanted[~is_sure], abs=1e-4)
    assert np.abs(again - once).max() > 0.05
