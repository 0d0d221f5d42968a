"""Simulation: reproducible reports for any number of processes, and balance of the levels."""

from __future__ import annotations

from random import Random
from time import sleep

import pytest

from sheets.levels import find_level, shipped_levels
from sheets.rules import Level, parse_level
from sheets.simulation.dice2 import Dice2Tally, summarise_dice2
from sheets.simulation.games import WAIT_S, WIN_PARTS, Tally, play_game, run_in_processes, simulate
from sheets.simulation.summary import least_paid, summarise


def play(level: Level, *, players: int = 1, games: int = 30, bot: str = "greedy") -> Tally:
    return simulate(level, players=players, games=games, bot=bot, seed=7, processes=1)


def test_the_result_does_not_depend_on_the_number_of_processes() -> None:
    setting = {"players": 2, "games": 24, "bot": "random", "seed": 5}
    level = find_level("level-3")
    alone = simulate(level, **setting, processes=1)
    assert simulate(level, **setting, processes=2) == alone
    assert simulate(level, **setting | {"seed": 6}, processes=1) != alone


def test_more_games_begin_with_the_same_games() -> None:
    few, many = play(find_level("level-1"), games=3), play(find_level("level-1"), games=12)
    assert many.totals[:3] == few.totals
    assert len(set(many.totals)) > 3


def test_progress_is_reported_game_by_game() -> None:
    told: list[int] = []
    simulate(
        find_level("level-1"),
        players=1,
        games=12,
        bot="random",
        seed=1,
        processes=1,
        on_progress=told.append,
    )
    assert sum(told) == 12


def test_progress_is_reported_while_workers_take_long() -> None:
    told: list[str] = []
    shared = run_in_processes(sleep, [3 * WAIT_S] * 2, 2, lambda: told.append("still"))
    assert list(shared) == [None, None]
    assert told


def test_a_shared_win_counts_in_equal_parts() -> None:
    level = parse_level({"id": "bare", "name": "Bare", "grid": ["- 1"], "rounds": {"4": 1}})
    tally = Tally()
    tally.add_game(play_game(level, 4, "random", Random(1)))
    assert tally.wins == dict.fromkeys(range(4), WIN_PARTS // 4)


def test_the_report_counts_what_every_sheet_got() -> None:
    """The only field is always crossed, so the row, the gem and the score are known."""
    document = {
        "id": "sure",
        "name": "Sure",
        "grid": ["3xGy 4xP"],
        "lines": [{"row": 1, "points": 5}],
        "points": {"gem": {"yellow": 2}},
    }
    level = parse_level(document)
    summary = summarise(level, play(level, games=5))
    assert set(summary["scores"].values()) == {7}
    assert summary["crossed"] == 1
    assert summary["fields"] == {"a1": 1, "b1": 1}
    assert summary["pays"]["symbols"] == {"gem yellow": 1, "planet": 1}
    assert summary["pays"]["planets"] == {"b1": 1}
    assert summary["pays"]["lines"] == {"row 1": 1}
    assert summary["grades"] == {"median": 0, "best": 0, "shares": [1, 0, 0, 0, 0, 0, 0]}
    assert summary["wins"] == [1]
    assert least_paid(level, summary) == ("gem a1", 1)


def test_quartiles_lie_between_two_scores() -> None:
    level = parse_level(
        {"id": "bare", "name": "Bare", "grid": ["- 1"], "ratings": [1, 2, 3, 4, 6, 9]}
    )
    tally = Tally(games=4, totals=[9, 1, 5, 2], grades=[6, 1, 4, 2])
    summary = summarise(level, tally)
    assert list(summary["scores"].values()) == [1, 1.75, 3.5, 6, 9]
    assert summary["grades"]["median"] == 3
    dice2 = summarise_dice2(Dice2Tally(games=2, points=[4, 1, 3, 2]), 2)
    assert list(dice2["points"].values()) == [1, 1.75, 2.5, 3.25, 4]


def test_level_without_fields_to_cross_has_a_report() -> None:
    level = parse_level({"id": "bare", "name": "Bare", "grid": ["-V -V"]})
    summary = summarise(level, play(level, games=2))
    assert summary["crossed"] == 0


def test_categories_that_never_pay_are_in_the_report() -> None:
    document = {
        "id": "never",
        "name": "Never",
        "grid": ["3xGy . 1Jg", ".  . -P ", "3  . 1Fr"],
        "lines": [{"column": "c", "points": 5}, {"fields": ["c1"], "points": 1}],
        "areas": [{"fields": ["c1"], "points": 1}],
        "points": {"gem": {"yellow": 1}, "puzzle": {"green": 2}, "flag": {"red": [3]}},
    }
    level = parse_level(document)
    summary = summarise(level, play(level, games=2))
    never = {key: share for group in summary["pays"].values() for key, share in group.items()}
    assert never.pop("gem yellow") == 1
    assert set(never.values()) == {0}
    for key in ("column c", "fields 2", "1", "green", "red", "c2"):
        assert key in never
    assert least_paid(level, summary)[1] == 0


@pytest.mark.parametrize("level_id", [f"level-{number}" for number in range(1, 9)])
def test_a_level_is_roughly_in_balance(level_id: str) -> None:
    """A small sample with wide bounds; docs/levels.md has the complete measurement."""
    level = shipped_levels()[level_id]
    greedy = summarise(level, play(level, games=60))
    assert greedy["grades"]["median"] in (2, 3, 4)
    assert greedy["grades"]["best"] >= 4
    assert 0.4 <= greedy["crossed"] <= 0.8
    assert summarise(level, play(level, bot="random"))["grades"]["median"] <= 1


@pytest.mark.parametrize("level_id", ["level-1", "level-4", "level-8"])
def test_no_seat_is_far_from_its_fair_share(level_id: str) -> None:
    level = shipped_levels()[level_id]
    wins = summarise(level, play(level, players=2, games=60))["wins"]
    assert wins == pytest.approx([0.5, 0.5], abs=0.25)
