"""Synthetic sheets of whole games: only erased marks are illegal."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from sheets.levels import shipped_levels
from sheets.printing.geometry import PageOptions
from sheets.rules.doubts import find_doubts
from sheets.rules.level import SHAPES, bits
from sheets.rules.paper_scoring import Paper
from sheets.rules.sheet import finished_sheet
from sheets.vision.mark_kinds import possible_kinds
from tests.vision.empty_sheet_shots import FONTS
from training.filled_pages import Filling, PlannedMarks, fill_page
from training.games import play_sheet
from training.pads import choose_pad, fill_pad, play_pad

NEVER = Filling(taken_back=0, stray=0)
PADS = (6, 9, 10, 11)
"""Small ones: one with rails, one with a volcano."""

MAY_BE = {"lonely-cross"}
"""A die that was put back may leave others behind that no chain of crosses reaches."""


@pytest.mark.parametrize("name", shipped_levels())
def test_a_sheet_is_that_of_a_legal_game(name: str) -> None:
    level, seen = shipped_levels()[name], Counter[str]()
    for seed in range(8):
        marked = play_sheet(np.random.default_rng(seed), level, NEVER)
        again = play_sheet(np.random.default_rng(seed), level, NEVER)
        assert again == marked
        seen.update(marked.fields.values())
        for at, kind in marked.fields.items():
            assert kind in possible_kinds(level, level.fields[level.index[at]])
        masks = {
            kind: level.mask(at for at, one in marked.fields.items() if one == kind)
            for kind in ("cross", "exploded", "lava")
        }
        tracks = {at: kind for at, kind in marked.fields.items() if kind in SHAPES}
        sheet = finished_sheet(
            level,
            crosses=masks["cross"] | level.mask(tracks),
            exploded=masks["exploded"],
            lava=masks["lava"],
            tracks=tracks,
        )
        paper = Paper(level, "", ("",), (sheet,), is_solo=False, unclear=())
        assert {doubt.name for doubt in find_doubts(paper)} <= MAY_BE
        for track in level.number_tracks.values():
            name_ = f"{track.kind}-{track.key}"
            is_got = name_ in marked.circled
            assert track.is_reached(sheet.crosses) or not is_got
            assert marked.struck[name_] >= is_got
    assert seen["cross"] > 50 or level.rails
    assert bool(seen["lava"]) == bool(level.by_symbol["volcano"])
    assert bool(set(seen) & set(SHAPES)) == level.rails


def test_erased_crosses_lie_on_empty_fields_next_to_others() -> None:
    level = shipped_levels()["level-3"]
    plain = play_sheet(np.random.default_rng(5), level, NEVER).fields
    fields = play_sheet(np.random.default_rng(5), level, Filling(taken_back=0.3)).fields
    back = {at for at, kind in fields.items() if kind == "taken-back"}
    assert back
    assert not back & plain.keys()
    assert {at: kind for at, kind in fields.items() if at not in back} == plain
    crosses = level.printed | level.mask(at for at, kind in plain.items() if kind == "cross")
    beside = {level.fields[index].name for index in bits(level.touching(crosses))}
    assert back <= beside


def test_planned_marks_are_the_ground_truth_of_the_page() -> None:
    level = shipped_levels()["level-4"]
    marked = PlannedMarks(
        {"b1": "cross", "c1": "taken-back"}, (), {"flag-red": 2, "flag-yellow": 0}, {"flag-red": 6}
    )
    options = PageOptions(paper="a5")
    page, (truth,) = fill_page(np.random.default_rng(1), [level], options, NEVER, [marked])
    bare, _truths = fill_page(np.random.default_rng(1), [level], options, NEVER, [PlannedMarks({})])
    assert {at: kind for at, kind in truth.fields.items() if kind not in ("empty", "printed")} == {
        "b1": "cross", "c1": "taken-back",
    }  # fmt: skip
    assert truth.numbers == {"flag-red": {"10": "struck", "6": "circled"}, "flag-yellow": {}}
    assert (page != bare).any()


def test_extreme_training_sheets_have_no_mark_one_mark_or_all() -> None:
    level = shipped_levels()["level-3"]
    for extremes, expected in (
        ((1, 0, 0), {"empty": 71}),
        ((0, 1, 0), {"empty": 70, "cross": 1}),
        ((0, 0, 1), {"cross": 71}),
    ):
        filling = replace(NEVER, extremes=extremes)
        rng = np.random.default_rng(1)
        _picture, (truth,) = fill_page(rng, [level], PageOptions(paper="a5"), filling)
        kinds = Counter(truth.fields.values())
        del kinds["printed"]
        assert kinds == expected
        assert truth.numbers == {track: {} for track in truth.numbers}


def test_sheets_of_pads_are_filled_by_whole_games_too() -> None:
    seen = Counter[str]()
    for seed in PADS:
        rng = np.random.default_rng(seed)
        pad = choose_pad(rng, FONTS)
        marked = play_pad(rng, pad.level, NEVER)
        assert marked.fields, "a game leaves something on its leaf, where it began at least"
        seen.update(marked.fields.values())
        for at, kind in marked.fields.items():
            assert kind in possible_kinds(pad.level, pad.level.fields[pad.level.index[at]])
    _picture, truth = fill_pad(rng, pad, NEVER, marked)
    assert {at: kind for at, kind in truth.fields.items() if kind != "empty"} == marked.fields
    assert seen["cross"] > 20
    assert set(seen) & set(SHAPES)
