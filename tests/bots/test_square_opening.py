"""Are boards of Square Dice worth what the file for few dice says, and does an expert follow it?"""

from __future__ import annotations

from random import Random
from statistics import fmean

import numpy as np
import pytest

from sheets.bots.dice2 import square_ending, strengths
from sheets.bots.dice2.playouts import Lanes
from sheets.bots.dice2.policy import ThoughtfulPolicy
from sheets.bots.dice2.search import Round
from sheets.bots.dice2.square_boards import boards_of, least
from sheets.bots.dice2.square_opening import (
    MOST_DICE,
    PARTS,
    best_option,
    expected_points,
    from_bytes,
    load_opening,
    to_bytes,
)
from sheets.bots.dice2.strengths import ExpertDice2Bot, Question
from sheets.rules.dice2 import KINDS, Dice2Action, Dice2Game, new_game
from sheets.rules.dice2.board import SIDE
from sheets.rules.dice2.game import DIE_NUMBERS

from .by_chance import play_by_chance

ROUNDED = 1 / PARTS
"""By so much may two values of the file be apart that are the same."""

Spots = frozenset[tuple[int, int, int]]
"""The row, the column and the number of each die."""


def with_dice(dice: int, seed: int) -> Dice2Game:
    """A game played by chance until so many dice lie, or until it is over."""
    return play_by_chance("square", 1, seed, KINDS["square"].dice_each - dice)


def following(game: Dice2Game, die: int) -> list[Dice2Game]:
    """All that can be made of a die."""
    return [game.apply(Dice2Action("place", 0, die, at)) for at in game.legal().get(die, ())]


def worths(games: list[Dice2Game]) -> list[float]:
    """What the file says of games."""
    return expected_points(Lanes(games, is_watched=True)).tolist() if games else []


def moved(dice: list[tuple[int, int, int]]) -> Spots:
    """Dice as seen from the top left one of all fields that they need."""
    top, left = min(row for row, _, _ in dice), min(column for _, column, _ in dice)
    return frozenset((row - top, column - left, number) for row, column, number in dice)


def spots(game: Dice2Game) -> Spots:
    """The dice of a game, wherever they lie."""
    numbers = enumerate(game.board.numbers)
    return moved([(*divmod(index, SIDE), number) for index, number in numbers if number])


def same(dice: Spots) -> frozenset[Spots]:
    """All boards that are worth as much because they are the same turned, or mirrored."""
    both = (dice, moved([(-row, -column, 7 - number) for row, column, number in dice]))
    return frozenset({*both, *(moved([(c, r, n) for r, c, n in one]) for one in both)})


@pytest.mark.slow
def test_a_number_stands_for_boards_that_are_worth_the_same_and_for_no_others() -> None:
    """All that follows on some games by chance."""
    before = [with_dice(2 + seed % 8, seed) for seed in range(40)]
    games = [after for game in before for die in DIE_NUMBERS for after in following(game, die)]
    numbers = least(boards_of(Lanes(games, is_watched=True))).tolist()
    classes = [same(spots(game)) for game in games]
    assert len(set(zip(numbers, classes, strict=True))) == len(set(numbers)) == len(set(classes))
    assert len(set(numbers)) < len({spots(game) for game in games})


def test_a_board_is_a_number_with_a_digit_for_each_field() -> None:
    game = new_game(KINDS["square"], 1)
    for die, at in ((3, "e5"), (5, "f5"), (1, "e4")):
        game = game.apply(Dice2Action("place", 0, die, at))
    assert boards_of(Lanes([game], is_watched=True)).tolist() == [0o0053_0001]


def test_numbers_in_rows_of_bytes_are_the_same_again() -> None:
    numbers = np.array([0, 255, 256, 0o7777_7777_7777_7777])
    assert to_bytes(numbers).shape == (6, 4)
    assert from_bytes(to_bytes(numbers)).tolist() == numbers.tolist()


@pytest.mark.slow
@pytest.mark.parametrize("dice", range(1, MOST_DICE))
def test_a_board_is_worth_what_can_be_made_of_it_by_the_rules(dice: int) -> None:
    """The mean over the numbers of the best that follows, or the end, for games by chance."""
    compared = 0
    for seed in range(30):
        game = with_dice(dice, seed)
        if game.is_finished:
            continue
        ends = [max(worths(following(game, die)), default=game.points[0]) for die in DIE_NUMBERS]
        assert worths([game]) == pytest.approx([fmean(ends)], abs=ROUNDED)
        compared += min(ends) < max(ends)
    assert compared > 1


@pytest.mark.parametrize("seed", [43, 56])
def test_with_the_most_dice_it_is_worth_what_the_ending_is(seed: int) -> None:
    """Games by chance from which few boards follow, so that they can be worked out to the end."""
    game = with_dice(MOST_DICE, seed)
    assert game.dice_left == (10,)
    exact = square_ending.expected_points(Lanes([game], is_watched=True), 8000)
    assert exact[0] > 0
    assert worths([game]) == pytest.approx(exact.tolist(), abs=ROUNDED)


def test_best_play_reaches_what_was_worked_out() -> None:
    """As `bench/square_best.py` prints it, by the first die."""
    first = worths([after for die in DIE_NUMBERS for after in following(with_dice(0, 0), die)])
    assert first == pytest.approx([2.0259, 2.3380, 2.5332, 2.5332, 2.3380, 2.0259], abs=ROUNDED)
    assert fmean(first) == pytest.approx(2.2990, abs=ROUNDED)


def test_the_file_has_each_board_once() -> None:
    opening = load_opening()
    assert (np.diff(opening.boards) > 0).all()
    assert len(opening.boards) == len(opening.points)


def test_the_expert_takes_what_is_worth_most(monkeypatch: pytest.MonkeyPatch) -> None:
    """Even if it would hardly play anything out."""
    monkeypatch.setitem(strengths.ROUNDS, "square", (Round(99, 1),))
    decided = 0
    for seed in range(60):
        game, die = with_dice(1 + seed % (MOST_DICE - 1), seed), 1 + seed % 6
        found = worths(following(game, die))
        if found:
            chosen = ExpertDice2Bot(Random(seed)).choose(game, die)
            assert found[game.legal()[die].index(chosen.at)] == max(found)
            decided += min(found) < max(found)
    assert decided > 20


def test_nothing_is_known_of_boards_with_more_dice() -> None:
    game = with_dice(MOST_DICE, 1)
    die = next(die for die, fields in game.legal().items() if fields)
    assert best_option(Question(ThoughtfulPolicy(), [game], [die]).options) is None
