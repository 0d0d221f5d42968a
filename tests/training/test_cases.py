"""What the network learns from is what the reader sees, with what is true of it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from sheets.rules.level import SHAPES
from sheets.scanning.kinds import KINDS
from sheets.scanning.network import judge
from sheets.scanning.patches import SIDE, Look
from training.cases import write_cases
from training.games import FILLED, play_sheets
from training.levels import choose_level
from training.papers import Filling

FIRM = Filling(families=("gel",), methods=("ribbon",), taken_back=0, stray=0)


@pytest.mark.slow
@pytest.mark.parametrize("filled", FILLED)
def test_cases_are_whole_sheets_that_repeat(tmp_path: Path, filled: str) -> None:
    found = []
    for name in ("first", "again"):
        folder = tmp_path / name
        folder.mkdir()
        write_cases(folder, 6, 1, FIRM, filled)
        with np.load(folder / "cases-6-0.npz", allow_pickle=False) as file:
            found.append({key: file[key] for key in file.files})
    cases, again = found
    assert all((cases[key] == again[key]).all() for key in cases)
    count = int(cases["sizes"].sum())
    assert cases["patches"].shape == (count, SIDE, SIDE, 6)
    assert cases["possible"].shape == (count, len(KINDS))
    assert cases["possible"][np.arange(count), cases["kinds"]].all()
    darkness = cases["patches"].astype(np.float32) * (1.25 / 255) - 0.25
    look = Look(tuple(map(str, range(count))), darkness[..., :3], darkness[..., 3:])
    told = np.where(cases["possible"], judge(look), 0).argmax(1)
    assert (told == cases["kinds"]).mean() > 0.95


def test_bots_can_play_the_levels_that_are_learnt_from() -> None:
    kinds = set()
    for seed in range(40):
        rng = np.random.default_rng(seed)
        level = choose_level(rng)
        (marked,) = play_sheets(rng, [level], FIRM, "games")
        assert marked.fields or level.rails, "a game leaves something on its sheet"
        kinds |= set(marked.fields.values())
        assert not play_sheets(rng, [level], FIRM, "chance"), "chance decides"
    assert kinds == {"cross", "exploded", "lava", *SHAPES}


def test_levels_that_are_learnt_from_have_all_that_can_be_marked() -> None:
    levels = [choose_level(np.random.default_rng(seed)) for seed in range(40)]
    assert {level.rails for level in levels} == {True, False}
    for symbol in ("bomb", "volcano"):
        assert any(level.by_symbol[symbol] for level in levels)
    assert {track.kind for level in levels for track in level.number_tracks.values()} == {
        "flag", "race",
    }  # fmt: skip
