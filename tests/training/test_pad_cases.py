"""Cases of filled pads, for training and for the comparison of weights."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from sheets.vision.mark_classifier import PAD_WEIGHTS
from sheets.vision.mark_kinds import CROSS, EMPTY, MARK_KINDS, TAKEN_BACK
from sheets.vision.patches import SheetPatches
from tests.vision.empty_sheet_shots import FONTS
from training.cases import pack_patches, read_files, unpack_patches, write_files
from training.compare_weights import count_answers
from training.pad_cases import PadOptions, make_cases

LEAVES = 4
"""More than are of one pad."""

EASY = (1.0, 0.0, 0.0)


@pytest.mark.slow
def test_weights_are_compared_on_reproducible_sheets(tmp_path: Path) -> None:
    usual = PadOptions(shares=EASY, is_usual=True)
    for name in ("first", "again"):
        write_files(tmp_path / name, 3, make_cases(3, LEAVES, FONTS, usual), LEAVES)
    first, again = (read_files(tmp_path / name) for name in ("first", "again"))
    assert len(first) == LEAVES
    assert {case.grade for case in first} == {"easy"}
    assert all((a.patches == b.patches).all() for a, b in zip(first, again, strict=True))
    counts = count_answers(first, PAD_WEIGHTS)
    assert counts["fields"] == sum(len(case.kinds) for case in first)
    wrong = sum(count for name, count in counts.items() if " as " in name)
    assert counts["right"] + wrong == counts["fields"]
    assert counts["right"] > 0.95 * counts["fields"]
    empty, cross = (MARK_KINDS.index(kind) for kind in (EMPTY, CROSS))
    lies = [replace(case, kinds=np.where(case.kinds == empty, cross, case.kinds)) for case in first]
    bare = sum((case.kinds == empty).sum() for case in first)
    assert count_answers(lies, PAD_WEIGHTS)["cross as empty"] > 0.95 * bare


@pytest.mark.slow
def test_training_sheets_have_more_erased_crosses() -> None:
    shares = {}
    for is_usual in (True, False):
        wanted = PadOptions(shares=EASY, is_usual=is_usual)
        kinds = np.concatenate([case.kinds for (case,) in make_cases(5, 12, FONTS, wanted)])
        shares[is_usual] = (kinds == MARK_KINDS.index(TAKEN_BACK)).mean()
    assert shares[False] > shares[True]


@pytest.mark.slow
def test_sheets_are_filled_randomly_unless_games_are_requested() -> None:
    (usual,), (games,) = (
        next(make_cases(7, 1, FONTS, wanted))
        for wanted in (PadOptions(), PadOptions(filled="games"))
    )
    (chance,) = next(make_cases(7, 1, FONTS, PadOptions(filled="chance")))
    assert (usual.patches == chance.patches).all()
    assert (usual.kinds != games.kinds).any()


def test_stored_darkness_is_rounded_to_half_a_step() -> None:
    dark = np.linspace(-0.25, 1, 3 * 600, dtype=np.float32).reshape(1, 20, 30, 3)
    kept = unpack_patches(pack_patches(SheetPatches(("a1",), dark, dark)))
    assert np.abs(kept[..., :3] - dark).max() <= 0.51 * 1.25 / 255
