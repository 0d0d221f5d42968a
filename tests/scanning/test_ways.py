"""A field looks another way to who holds the sheet another way, and so do tracks on it."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from sheets.rules.level import SHAPES
from sheets.scanning import network
from sheets.scanning.kinds import KINDS
from sheets.scanning.layers import likelihoods
from sheets.scanning.network import judge, load_weights
from sheets.scanning.patches import SIDE, Look
from sheets.scanning.ways import WAYS, held, seen_as

_ENDS = {"N": np.s_[: SIDE // 2, 19:21], "S": np.s_[SIDE // 2 :, 19:21],
         "W": np.s_[19:21, : SIDE // 2], "E": np.s_[19:21, SIDE // 2 :]}  # fmt: skip


def drawn(shape: str) -> NDArray[np.float32]:
    """A track of lines from the middle."""
    patch = np.zeros((SIDE, SIDE, 3), np.float32)
    for edge in shape:
        patch[_ENDS[edge]] = 1
    return patch


@pytest.mark.parametrize("way", range(WAYS))
def test_a_track_is_called_what_it_looks_like(way: int) -> None:
    names = seen_as(way)
    for shape in SHAPES:
        (seen,) = held(drawn(shape)[None], way)
        assert (seen == drawn(KINDS[names[KINDS.index(shape)]])).all()
    others = [KINDS.index(kind) for kind in KINDS if kind not in SHAPES]
    assert (names[others] == others).all()


def test_who_is_unsure_looks_once_more_in_all_ways() -> None:
    rng = np.random.default_rng(8)
    photo, printed = rng.uniform(0, 1, (2, 40, SIDE, SIDE, 3)).astype(np.float32)
    look = Look(tuple(map(str, range(40))), photo, printed)
    once = judge(look)
    half = float(np.median(once.max(1)))
    again, is_sure = judge(look, again=half), once.max(1) >= half
    assert is_sure.sum() == 20
    assert again[is_sure] == pytest.approx(once[is_sure])
    weights = load_weights()
    both = np.concatenate([photo, printed], 3)
    each = network._see(weights, both)
    common = np.concatenate([each.mean(0), each.std(0)])
    told = [
        network._told(weights, network._see(weights, held(both, way)), common)[:, seen_as(way)]
        for way in range(WAYS)
    ]
    wanted = likelihoods(np.mean(told, 0))
    assert again[~is_sure] == pytest.approx(wanted[~is_sure], abs=1e-4)
    assert np.abs(again - once).max() > 0.05
