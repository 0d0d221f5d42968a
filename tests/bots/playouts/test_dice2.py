"""Batched games of Dice² follow the rules, and end as games played one by one."""

from random import Random

import numpy as np
import pytest

from sheets.bots.dice2.playouts import GreedyPolicy, Lanes, play_out
from sheets.bots.dice2.strengths import find_options
from sheets.rules.dice2 import KINDS, Dice2Action, Dice2Game, new_game
from sheets.rules.dice2.board import NAMES
from sheets.rules.dice2.game import DIE_NUMBERS
from sheets.simulation.dice2 import play_dice2
from tests.bots.playouts.naive_greedy import worth

GAMES = [("square", 1), ("four-wins", 2), ("last-man", 2), ("major", 2), ("major", 3)]
ONLY = np.array([0])
DERIVED = ("fits", "near", "own", "codes", "dice_left", "last_placed", "placed")


def legal_in(lanes: Lanes, die: int) -> list[str]:
    """Return the names of the fields where the player to move may place a die; one game only."""
    _, fields = lanes.choices(ONLY, np.array([die]))
    return [NAMES[lanes.layout.fields[field]] for field in fields]


def shares(game: Dice2Game) -> list[float]:
    """Return each player's share of the win."""
    return [(p in game.winners) / max(len(game.winners), 1) for p in range(game.players)]


def compare(lanes: Lanes, game: Dice2Game) -> None:
    """Compare a lane with a position of the rules."""
    assert bool(lanes.is_over[0]) == game.is_finished
    assert lanes.points[0].tolist() == list(game.points)
    assert lanes.wins[0].tolist() == pytest.approx(shares(game))
    if not game.is_finished:
        assert lanes.player[0] == game.player
        assert {die: legal_in(lanes, die) for die in DIE_NUMBERS} == game.legal()
        if sum(game.dice_left) % 4 == 0:
            laid_out = Lanes([game])
            for name in DERIVED:
                assert (getattr(laid_out, name) == getattr(lanes, name)).all(), name


@pytest.mark.parametrize(("name", "players"), GAMES)
def test_lanes_agree_with_the_rules_after_every_act(name: str, players: int) -> None:
    """Some 1,600 positions of all games, in random games."""
    for seed in range(12):
        random = Random(seed)
        game = new_game(KINDS[name], players, seed % players)
        lanes = Lanes([game])
        compare(lanes, game)
        while not game.is_finished:
            die = random.randint(1, 6)
            if fields := game.legal()[die]:
                at = random.choice(fields)
                game = game.apply(Dice2Action("place", game.player, die, at))
                place = lanes.layout.places[NAMES.index(at)]
                lanes.place(ONLY, np.array([place]), np.array([die]))
            else:
                game = game.apply(Dice2Action("skip", game.player, die))
                lanes.skip(ONLY)
            compare(lanes, game)


@pytest.mark.parametrize(("name", "players"), GAMES)
def test_greedy_policy_values_positions_like_the_naive_one(name: str, players: int) -> None:
    policy = GreedyPolicy()
    for seed in range(4):
        random = Random(seed)
        game = new_game(KINDS[name], players)
        while not game.is_finished:
            die = random.randint(1, 6)
            actions, after = find_options(policy, game, die)
            values = [worth(game.apply(action), game.player) for action in actions]
            if actions:
                worths = policy.values(after, np.full(len(after), game.player))
                assert worths.tolist() == pytest.approx(values)
            skip = Dice2Action("skip", game.player, die)
            game = game.apply(random.choice(actions) if actions else skip)


@pytest.mark.parametrize(("name", "players"), GAMES)
def test_greedy_bots_play_the_same_games_in_a_batch_as_one_by_one(name: str, players: int) -> None:
    games = [play_dice2(name, players, "greedy", Random(seed)) for seed in range(8)]
    start = new_game(KINDS[name], players)
    ends = play_out([start] * len(games), [Random(seed) for seed in range(8)])
    assert ends.points.tolist() == [list(game.points) for game in games]
    assert ends.dice_left.tolist() == [list(game.dice_left) for game in games]
    assert ends.wins.tolist() == [pytest.approx(shares(game)) for game in games]


def test_a_game_is_played_out_from_its_position() -> None:
    random = Random(4)
    game = new_game(KINDS["major"], 3)
    for _ in range(9):
        die = random.randint(2, 5)
        game = game.apply(Dice2Action("place", game.player, die, game.legal()[die][0]))
    ends = play_out([game, new_game(KINDS["major"], 3)], [Random(1), Random(2)])
    assert ends.is_over.all()
    assert (ends.placed >= 9).all()
    assert ends.wins.sum(axis=1).tolist() == pytest.approx([1, 1])
