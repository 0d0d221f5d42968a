"""Training cases: patches as the reader extracts them, with their ground truth."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from sheets.rules.level import SHAPES
from sheets.vision.mark_classifier import classify_marks
from sheets.vision.mark_kinds import MARK_KINDS
from sheets.vision.patches import SIDE, SheetPatches
from training.cases import make_sheets, write_files
from training.filled_pages import Filling
from training.games import FILLED, play_sheets
from training.random_levels import choose_level

FIRM = Filling(families=("gel",), methods=("ribbon",), taken_back=0, stray=0)


@pytest.mark.slow
@pytest.mark.parametrize("filled", FILLED)
def test_cases_are_whole_reproducible_sheets(tmp_path: Path, filled: str) -> None:
    found = []
    for name in ("first", "again"):
        write_files(tmp_path / name, 6, islice(make_sheets(6, FIRM, filled), 1))
        with np.load(tmp_path / name / "cases-6-0.npz", allow_pickle=False) as file:
            found.append({key: file[key] for key in file.files})
    cases, again = found
    assert all((cases[key] == again[key]).all() for key in cases)
    count = int(cases["sizes"].sum())
    assert cases["patches"].shape == (count, SIDE, SIDE, 6)
    assert cases["possible"].shape == (count, len(MARK_KINDS))
    assert cases["possible"][np.arange(count), cases["kinds"]].all()
    darkness = cases["patches"].astype(np.float32) * (1.25 / 255) - 0.25
    look = SheetPatches(tuple(map(str, range(count))), darkness[..., :3], darkness[..., 3:])
    told = np.where(cases["possible"], classify_marks(look), 0).argmax(1)
    assert (told == cases["kinds"]).mean() > 0.95


def test_bots_can_play_the_training_levels() -> None:
    kinds = set()
    for seed in range(40):
        rng = np.random.default_rng(seed)
        level = choose_level(rng)
        (marked,) = play_sheets(rng, [level], FIRM, "games")
        assert marked.fields or level.rails, "a game leaves something on its sheet"
        kinds |= set(marked.fields.values())
        assert not play_sheets(rng, [level], FIRM, "chance"), "chance decides"
    assert kinds == {"cross", "exploded", "lava", *SHAPES}


def test_training_levels_have_every_kind_of_mark() -> None:
    levels = [choose_level(np.random.default_rng(seed)) for seed in range(40)]
    assert {level.rails for level in levels} == {True, False}
    for symbol in ("bomb", "volcano"):
        assert any(level.by_symbol[symbol] for level in levels)
    assert {track.kind for level in levels for track in level.number_tracks.values()} == {
        "flag", "race",
    }  # fmt: skip
