"""Suggested levels: they meet the wish and pass all checks."""

from __future__ import annotations

import json
from collections import Counter
from itertools import product
from random import Random
from typing import Any

import pytest

from sheets.documents.structure import read_level
from sheets.rules import Level
from sheets.rules.design_warnings import find_design_warnings
from sheets.rules.level import ROUNDS
from sheets.simulation.games import play_game, simulate
from sheets.simulation.summary import summarise
from sheets.workshop.suggest.outlines import OUTLINES, connected, draw_outline
from sheets.workshop.suggest.suggestion import LIMITS, CannotSuggest, SuggestionRequest
from sheets.workshop.suggest.tuning import suggest

WISHES: dict[str, dict[str, Any]] = {
    "usual": {},
    "rockets": {"rockets": 2, "planets": 5, "areas": 2},
    "rails": {"rails": True, "stops": 4, "bombs": 0},
    "volcanoes": {"volcanoes": 2, "players": 6},
    "small": {"columns": 5, "rows": 5, "gems": 4, "puzzles": 0, "keys": 0, "flags": 0, "lines": 2},
    "large": {"columns": 12, "rows": 14, "gems": 40, "puzzles": 3, "keys": 4, "flags": 3},
    "odd": {"columns": 7, "rows": 10, "bombs": 3, "heaps": 1, "starts": 3},
    "bare": dict.fromkeys(("gems", "puzzles", "keys", "flags", "bombs", "heaps", "lines"), 0),
}


def suggested(**wishes: Any) -> Level:
    """Return a suggested level, read from its file format."""
    return read_level(json.dumps(suggest(SuggestionRequest(**wishes))).encode())


def symbols(level: Level) -> Counter[str]:
    return Counter(f.symbol for f in level.fields if f.symbol)


def faults_of(level: Level) -> list[object]:
    """Return the design warnings of a level, and faults of its numbers."""
    faults: list[object] = [*find_design_warnings(level)]
    for number in range(1, 7):
        same = level.with_number[number]
        if touching := level.names(same & level.touching(same)):
            faults.append((number, "touch each other", touching))
    numbers = Counter(f.number for f in level.fields if f.number)
    if max(numbers.values()) - min(numbers[number] for number in range(1, 7)) > 3:
        faults.append(numbers)
    return faults


def check_seeds(seeds: range) -> None:
    faults = {
        (wish, seed): faults_of(suggested(seed=seed, **wishes))
        for wish, wishes in WISHES.items()
        for seed in seeds
    }
    assert {case: found for case, found in faults.items() if found} == {}


@pytest.mark.usefixtures("few_trials")
def test_suggestion_passes_every_check() -> None:
    check_seeds(range(2))


@pytest.mark.slow
@pytest.mark.usefixtures("few_trials")
def test_suggestion_of_more_seeds_passes_every_check() -> None:
    check_seeds(range(2, 6))


@pytest.mark.usefixtures("few_trials")
@pytest.mark.parametrize("wish", WISHES)
def test_suggestion_meets_the_wish(wish: str) -> None:
    wanted = SuggestionRequest(seed=11, **WISHES[wish])
    level = suggested(**wanted._asdict())
    found = symbols(level)
    assert (level.columns, level.rows) == (wanted.columns, wanted.rows)
    assert level.printed.bit_count() == wanted.starts
    assert found["gem"] == wanted.gems
    assert found["puzzle"] == 4 * wanted.puzzles
    assert found["lock"] == 2 * found["key"] == 2 * wanted.keys
    for symbol in ("flag", "bomb", "heap", "rocket", "planet", "volcano", "stop"):
        assert found[symbol] == getattr(
            wanted, f"{symbol}s" if symbol != "volcano" else "volcanoes"
        )
    assert (len(level.lines), len(level.areas)) == (wanted.lines, wanted.areas)
    assert level.player_counts == tuple(range(1, wanted.players + 1))
    assert level.rails == wanted.rails


@pytest.mark.usefixtures("few_trials")
@pytest.mark.parametrize("wish", WISHES)
def test_suggestion_can_be_played_to_the_end(wish: str) -> None:
    level = suggested(seed=3, **WISHES[wish])
    game = play_game(level, level.player_counts[-1], "greedy", Random(1))
    assert game.phase == "finished"


@pytest.mark.usefixtures("few_trials")
@pytest.mark.parametrize("outline", sorted(OUTLINES.keys() - {"coast"}))
def test_both_sides_are_alike_in_symbols_and_add_up_to_7_in_numbers(outline: str) -> None:
    level = suggested(seed=5, outline=outline, gems=12, rockets=2, planets=2)
    by_place = {(f.column, f.row): f for f in level.fields}
    for (column, row), field in by_place.items():
        twin = by_place[level.columns - 1 - column, row]
        if twin != field:
            assert field.number + twin.number == 7
    twins = [(f, by_place[level.columns - 1 - f.column, f.row]) for f in level.fields]
    alike = sum(one.symbol == other.symbol for one, other in twins)
    assert alike >= len(level.fields) - 6


@pytest.mark.parametrize(
    "size",
    [
        pytest.param((6, 8), marks=pytest.mark.slow),
        (8, 11),
        pytest.param((12, 13), marks=pytest.mark.slow),
    ],
)
@pytest.mark.parametrize("rails", [False, True])
def test_solo_games_cross_a_fair_part_and_get_middling_grades(
    size: tuple[int, int], rails: bool
) -> None:
    few = {"keys": 1, "puzzles": 1, "gems": 10, "bombs": 0, "heaps": 0}
    level = suggested(seed=2, columns=size[0], rows=size[1], rails=rails, **few)
    summary = summarise(
        level, simulate(level, players=1, games=30, bot="greedy", seed=9, processes=1)
    )
    assert (0.3 if rails else 0.4) <= summary["crossed"] <= 0.8
    assert 1 <= summary["grades"]["median"] <= 4


@pytest.mark.usefixtures("few_trials")
def test_usual_sizes_have_the_usual_rounds_and_others_suitable_ones() -> None:
    assert suggested(seed=1).rounds == ROUNDS
    small, large = suggested(seed=2, **WISHES["small"]), suggested(seed=2, **WISHES["large"])
    assert small.rounds[1] < ROUNDS[1] < large.rounds[1]
    assert min(small.rounds.values()) >= 2


@pytest.mark.usefixtures("few_trials")
def test_same_wish_yields_the_same_level_and_another_seed_another() -> None:
    assert suggest(SuggestionRequest(seed=4)) == suggest(SuggestionRequest(seed=4))
    assert suggest(SuggestionRequest(seed=4))["grid"] != suggest(SuggestionRequest(seed=5))["grid"]


@pytest.mark.usefixtures("few_trials")
def test_bombs_stay_out_of_goals() -> None:
    for seed in range(10):
        level = suggested(seed=seed, bombs=4, areas=2)
        for goal in (*level.lines, *level.areas):
            assert not goal.fields & level.by_symbol["bomb"]


def test_impossible_wishes_are_refused() -> None:
    cases: list[tuple[dict[str, Any], str, str]] = [
        ({"gems": 40, "columns": 5, "rows": 5}, "crowded", ""),
        ({"rockets": 2}, "rockets", "planets"),
        ({"planets": 2}, "rockets", "rockets"),
        ({"rails": True, "rockets": 1, "planets": 1}, "rails", "rockets"),
        ({"rails": True, "volcanoes": 1}, "rails", "volcanoes"),
        ({"stops": 3}, "rails", "stops"),
        ({"outline": "heart"}, "out-of-range", "outline"),
        *[({key: least - 1}, "out-of-range", key) for key, (least, _) in LIMITS.items()],
        *[({key: most + 1}, "out-of-range", key) for key, (_, most) in LIMITS.items()],
    ]
    wrong = []
    for wishes, *expected in cases:
        try:
            suggest(SuggestionRequest(**wishes))
        except CannotSuggest as refused:
            if [refused.reason, refused.key] != expected:
                wrong.append((wishes, refused.reason, refused.key))
        else:
            wrong.append((wishes, "was suggested"))
    assert wrong == []


@pytest.mark.parametrize("outline", OUTLINES)
def test_outlines_are_connected_and_fill_most_of_the_grid(outline: str) -> None:
    wrong = []
    sizes = ((5, 5), (6, 9), (7, 7), (8, 11), (12, 14))
    for (columns, rows), seed in product(sizes, range(4)):
        places = draw_outline(outline, columns, rows, Random(seed))
        is_inside = all(0 <= x < columns and 0 <= y < rows for x, y in places)
        is_whole = connected(min(places), places) == places
        if not is_inside or not is_whole or len(places) < 0.4 * columns * rows:
            wrong.append((columns, rows, seed, is_inside, is_whole, len(places)))
    assert wrong == []
