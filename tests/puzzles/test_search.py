"""Search for puzzles, compared with exact values, and the puzzles of the release measured again."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from random import Random

import pytest

from sheets.analysis.decisions import find_course
from sheets.analysis.playouts import POINTS, Comparison, play_comparisons
from sheets.bots.legal_actions import find_choices
from sheets.bots.options import make_option
from sheets.bots.strengths import STRENGTHS
from sheets.levels import shipped_levels
from sheets.puzzles import search
from sheets.puzzles.document import format_puzzle, parse_puzzle
from sheets.puzzles.generation import generate
from sheets.puzzles.puzzle import GRADES, MIN_FOUND, MIN_LEAD, Puzzle
from sheets.puzzles.search import MIN_CHOICES, find_puzzles
from sheets.puzzles.store import find_puzzle, shipped_puzzles
from sheets.rules.documents.game import history
from sheets.rules.level import SHAPES
from tests.analysis.exhaustive import Exhaustive
from tests.analysis.tiny_games import play_tiny_game, tiny_level

KEYS = tuple(shipped_puzzles())
GAMES = 512
"""Number of games with new dice after each choice of a puzzle that is measured again."""


def leads_of(puzzle: Puzzle, seed: str) -> list[float]:
    """Return the leads of the answer over each choice, in points, with other dice."""
    game = puzzle.position()
    options = tuple(make_option(game, choice.action) for choice in puzzle.choices)
    (results,) = play_comparisons([Comparison(seed, options, GAMES)])
    points = results[:, :, puzzle.player, POINTS].mean(axis=1)
    return list(points[puzzle.answer] - points)


def test_answers_are_best_by_exact_values(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other code computes the exact values without sampling, on levels of four fields.

    Few decisions on them have more than two choices.
    """
    monkeypatch.setattr(search, "MIN_CHOICES", 2)
    found = missed = 0
    for seed in range(60):
        random = Random(f"tiny/{seed}")
        record = play_tiny_game(tiny_level(random), ("Ana",), random)
        puzzles = {puzzle.decision: puzzle for puzzle in find_puzzles(record, str(seed))}
        exhaustive = Exhaustive(record.start())
        for decision in find_course(record).decisions:
            values = [
                float(exhaustive.after(decision.game, choice)[0, POINTS])
                for choice in decision.choices
            ]
            *_, second, best = sorted(values)
            if puzzle := puzzles.get(decision.number):
                assert puzzle.answer == values.index(best)
                assert best - second >= MIN_LEAD
                assert puzzle.played == decision.played
                found += 1
            elif best - second > MIN_LEAD + 1:
                missed += 1
    assert found > 3
    assert missed <= found / 10


@pytest.mark.parametrize("key", KEYS)
def test_shipped_puzzle_is_a_position_with_these_choices(key: str) -> None:
    puzzle = find_puzzle(key)
    *_, end = history(puzzle.record)
    assert end.is_finished
    game = puzzle.position()
    choices = tuple(choice.action for choice in puzzle.choices)
    if choices[0].do == "track":  # of the fields with a die, the recorded game drew this one first
        assert choices == tuple(choices[0]._replace(shape=shape) for shape in SHAPES)
    else:
        assert choices == tuple(find_choices(game, puzzle.player))
    assert len(choices) >= MIN_CHOICES
    done = puzzle.record.actions[puzzle.decision]
    assert choices[puzzle.answer] == done
    behind = [one for place, one in enumerate(puzzle.choices) if place != puzzle.answer]
    # The document has two decimals.
    assert all(one.behind.mean - one.behind.within > MIN_LEAD - 0.02 for one in behind)
    assert puzzle.right.behind.mean == 0


def test_shipped_puzzles_have_all_levels_and_grades() -> None:
    assert len(KEYS) == 100
    puzzles = [find_puzzle(key) for key in KEYS]
    assert {puzzle.record.level_id for puzzle in puzzles} == set(shipped_levels())
    grades = Counter(puzzle.grade for puzzle in puzzles)
    assert set(grades) == set(GRADES.values())
    assert max(grades.values()) <= 34


@pytest.mark.parametrize(
    "key",
    [
        pytest.param(key, marks=[] if place % 20 == 0 else pytest.mark.slow)
        for place, key in enumerate(KEYS)
    ],
)
def test_answer_leads_with_other_dice_too(key: str) -> None:
    puzzle = find_puzzle(key)
    leads = leads_of(puzzle, f"again/{key}")
    del leads[puzzle.answer]
    # Five standard errors of 512 games.
    margins = [
        5 * one.behind.within / 2.58 * (puzzle.games / GAMES) ** 0.5 for one in puzzle.choices
    ]
    del margins[puzzle.answer]
    assert all(lead > MIN_LEAD - margin for lead, margin in zip(leads, margins, strict=True))


def test_grade_is_that_of_the_weakest_bot_that_finds_the_answer() -> None:
    for key in KEYS:
        puzzle = find_puzzle(key)
        weakest = next((name for name in STRENGTHS if puzzle.found_shares[name] >= MIN_FOUND), "")
        assert puzzle.grade == GRADES[weakest]
        if puzzle.found_shares["player"] in (
            0,
            1,
        ):  # else it chooses at random between equal choices
            bot = STRENGTHS["player"](Random(f"again/{key}"))
            chosen = bot.choose(puzzle.position(), puzzle.player)
            assert (chosen == puzzle.right.action) == bool(puzzle.found_shares["player"]), key


def test_bots_yield_the_same_puzzles_with_any_number_of_processes() -> None:
    one, two = (
        list(islice(generate(["level-1"], 2, "test", processes=count), 2)) for count in (1, 2)
    )
    assert len(one) == 2
    assert one == two


def test_document_can_be_read_back() -> None:
    for key in KEYS[::10]:
        document = shipped_puzzles()[key]
        assert format_puzzle(parse_puzzle(document)) == document
