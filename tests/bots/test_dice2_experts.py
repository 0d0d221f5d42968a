"""Bots of Dice²: legal and reproducible decisions, and obvious wins."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from sheets.bots.dice2 import strengths
from sheets.bots.dice2.playouts import GreedyPolicy
from sheets.bots.dice2.policy import AgainstGreedyPolicy, ThoughtfulPolicy
from sheets.bots.dice2.strengths import DICE2_STRENGTHS
from sheets.bots.halving import Round
from sheets.rules.dice2 import KINDS, Dice2Action, Dice2Game, new_game

GAMES = [("square", 1), ("four-wins", 2), ("last-man", 2), ("major", 2), ("major", 3)]
THINKING = ("player", "expert")


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use few play-outs, for speed."""
    monkeypatch.setattr(strengths, "ROUNDS", dict.fromkeys(KINDS, (Round(99, 80), Round(3, 48))))


def play(name: str, players: int, seed: int) -> Dice2Game:
    """Return a game of bots of all strengths, the strongest first."""
    random = Random(seed)
    seats = [DICE2_STRENGTHS[strength](random) for strength in reversed(DICE2_STRENGTHS)]
    game = new_game(KINDS[name], players)
    while not game.is_finished:
        game = game.apply(seats[game.player].choose(game, random.randint(1, 6)))
    return game


def after(name: str, *dice: str) -> Dice2Game:
    """Return a game of two after placements in turn such as ``e5=6``."""
    game = new_game(KINDS[name], 2)
    for die in dice:
        at, _, number = die.partition("=")
        game = game.apply(Dice2Action("place", game.player, int(number), at))
    return game


@pytest.mark.slow
@pytest.mark.parametrize(("name", "players"), GAMES)
def test_all_strengths_play_by_the_rules_and_the_same_again(name: str, players: int) -> None:
    """An action the rules forbid would raise."""
    assert play(name, players, 7) == play(name, players, 7)


@pytest.mark.parametrize("strength", THINKING)
def test_a_win_is_taken(strength: str) -> None:
    game = after("four-wins", "e5=3", "e4=1", "d5=3", "d4=1", "c5=3", "c4=1")
    for seed in range(4):
        chosen = DICE2_STRENGTHS[strength](Random(seed)).choose(game, 3)
        assert game.apply(chosen).winners == (0,)


@pytest.mark.parametrize("strength", THINKING)
def test_a_line_of_three_is_blocked(strength: str) -> None:
    """With f4, the second player would win by five of six numbers, after b5 by one."""
    game = after("four-wins", "e5=6", "e4=2", "d5=6", "d4=2", "c5=4")
    for seed in range(4):
        assert DICE2_STRENGTHS[strength](Random(seed)).choose(game, 2).at == "b5"


@pytest.mark.parametrize("strength", THINKING)
def test_a_run_of_five_is_settled(strength: str) -> None:
    """With b6, three of the dice in the run are own ones, which pays two markers."""
    game = after("major", "e5=3", "e4=1", "d5=2", "e6=5", "d6=3", "c6=3", "f6=6")
    for seed in range(4):
        chosen = DICE2_STRENGTHS[strength](Random(seed)).choose(game, 2)
        assert game.apply(chosen).markers == (0, 2)


@pytest.mark.parametrize("player", [0, 1])
def test_search_of_last_man_assumes_greedy_opponents(player: int) -> None:
    """Positions after two dice, for either player."""
    game = new_game(KINDS["last-man"], 2).apply(Dice2Action("place", 0, 4, "e5"))
    games = [game.apply(Dice2Action("place", 1, 2, at)) for at in game.legal()[2]]
    lanes = GreedyPolicy().lanes(games * 2)
    players = np.arange(2).repeat(len(games))
    found = AgainstGreedyPolicy(player).values(lanes, players)
    own, others = ThoughtfulPolicy(), GreedyPolicy()
    of_player = players == player
    assert found[of_player].tolist() == own.values(lanes, players)[of_player].tolist()
    assert found[~of_player].tolist() == others.values(lanes, players)[~of_player].tolist()
    assert own.values(lanes, players).tolist() != others.values(lanes, players).tolist()
