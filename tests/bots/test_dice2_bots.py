"""Bots keep to the rules of Dice², and the greedy one is worth playing against."""

from random import Random

import pytest

from sheets.bots.dice2.strengths import ALL_DICE2_BOTS
from sheets.rules.dice2 import KINDS, new_game
from sheets.simulation.dice2 import play_dice2, simulate_dice2, summarise_dice2

GAMES = [("square", 1), ("four-wins", 2), ("last-man", 2), ("major", 2), ("major", 3)]


@pytest.mark.parametrize("bot", ["random", "greedy"])
@pytest.mark.parametrize(("name", "players"), GAMES)
def test_bots_play_whole_games_by_the_rules(name: str, players: int, bot: str) -> None:
    assert play_dice2(name, players, bot, Random(5)).is_finished


@pytest.mark.parametrize("name", ["four-wins", "last-man", "major"])
def test_greedy_bot_beats_the_random_one(name: str) -> None:
    wins = 0
    games = 16
    for seed in range(games):
        random = Random(seed)
        greedy = seed % 2
        bots = [
            ALL_DICE2_BOTS["greedy" if seat == greedy else "random"](random) for seat in range(2)
        ]
        game = new_game(KINDS[name], 2)
        while not game.is_finished:
            game = game.apply(bots[game.player].choose(game, random.randint(1, 6)))
        wins += greedy in game.winners
    assert wins > games / 2


def test_same_seed_gives_the_same_report_on_any_number_of_cores() -> None:
    reports = [
        summarise_dice2(
            simulate_dice2(
                "four-wins", players=2, games=12, bot="random", seed=3, processes=processes
            ),
            players=2,
        )
        for processes in (1, 2)
    ]
    assert reports[0] == reports[1]
    assert sum(reports[0]["wins"]) == pytest.approx(1)
