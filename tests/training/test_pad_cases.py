"""Cases of filled pads, for training and for the comparison of weights."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from sheets.vision.mark_classifier import PAD_WEIGHTS
from sheets.vision.mark_kinds import CROSS, EMPTY, MARK_KINDS, TAKEN_BACK
from sheets.vision.patches import SheetPatches
from tests.vision.empty_sheet_shots import FONTS
from training.cases import (
    Case,
    choose_filling,
    pack_patches,
    read_files,
    unpack_patches,
    write_files,
)
from training.compare_weights import count_answers
from training.pad_cases import make_sheets

SHEETS = 4
"""More than are of one pad."""


def make(seed: int, count: int, validation: bool = False, filled: str = "chance") -> list[Case]:
    filling = choose_filling(filled, validation)
    return list(islice(make_sheets(seed, FONTS, filling, filled), count))


@pytest.mark.slow
def test_weights_are_compared_on_reproducible_sheets(tmp_path: Path) -> None:
    for name in ("first", "again"):
        write_files(tmp_path / name, 3, iter(make(3, SHEETS, validation=True)))
    first, again = (read_files(tmp_path / name) for name in ("first", "again"))
    assert len(first) == SHEETS
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
    erased = MARK_KINDS.index(TAKEN_BACK)
    training, validation = (
        np.concatenate([case.kinds for case in make(5, 12, validation, "games")])
        for validation in (False, True)
    )
    assert (training == erased).mean() > (validation == erased).mean()


@pytest.mark.slow
def test_sheets_are_filled_by_chance_or_by_games() -> None:
    (chance,), (games,) = (make(7, 1, filled=filled) for filled in ("chance", "games"))
    assert (chance.kinds != games.kinds).any()


def test_stored_darkness_is_rounded_to_half_a_step() -> None:
    dark = np.linspace(-0.25, 1, 3 * 600, dtype=np.float32).reshape(1, 20, 30, 3)
    kept = unpack_patches(pack_patches(SheetPatches(("a1",), dark, dark)))
    assert np.abs(kept[..., :3] - dark).max() <= 0.51 * 1.25 / 255
