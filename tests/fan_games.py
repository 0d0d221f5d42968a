"""Counts of events in games that bots play on a level, such as one that a user invented."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

from sheets.bots import BOTS, deciding_players
from sheets.bots.dice_rolls import throw, throw_next
from sheets.rules import Game, Level, new_game


def count_events(level: Level, players: int, games: int) -> Counter[tuple[Any, ...]]:
    """Let greedy bots play games and count their events.

    ``("jump", field)`` is a die placed there by a boxed-in player, ``("rocket", field)`` a planet
    crossed by a rocket, ``(category, key, points)`` an item of a final score, and ``("passes", n)``
    the number of passes of a game.
    """
    noted: Counter[tuple[Any, ...]] = Counter()
    for seed in range(games):
        game = _play(level, players, Random(seed), noted)
        noted["passes", game.passes_done] += 1
        for score in game.scores():
            noted.update((item.category, item.key, item.points) for item in score.items)
    return noted


def _play(level: Level, players: int, random: Random, noted: Counter[tuple[Any, ...]]) -> Game:
    bots = [BOTS["greedy"](random) for _ in range(players)]
    game = new_game(level, [f"Bot {number}" for number in range(players)], tracked=True)
    while game.phase != "finished":
        if deciding := deciding_players(game):
            action = bots[deciding[0]].choose(game, deciding[0])
            if action.do == "reroll":
                action = action._replace(dice=throw(random, len(game.pool)))
            elif action.do == "rocket":
                noted["rocket", action.at] += 1
            elif action.do == "place" and game.is_boxed_in():
                noted["jump", action.at] += 1
        else:
            action = throw_next(game, random)
        game = game.apply(action)
    return game
