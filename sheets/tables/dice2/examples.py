"""Example board of each game of Dice², for the page that offers the games."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Final

from sheets.artwork.board import View, view_of
from sheets.bots.dice2.simple_bots import GreedyDice2Bot
from sheets.rules.dice2 import KINDS, new_game
from sheets.tables.playing import RELAY

MAX_DICE: Final = 11
"""Maximum number of dice on an example board, so that it shows the middle of a game."""

SEEDS: Final = {"square": 6, "four-wins": 3, "last-man": 3, "major": 3, RELAY: 8}
"""Seed of the random numbers of the game that bots play for the example, by game."""


@cache
def example_view(name: str) -> View:
    """Return the board after some moves of a game; a relay shows Major Dice for three players."""
    kind = KINDS["major" if name == RELAY else name]
    random = Random(SEEDS[name])  # noqa: S311  reproducible, not secret
    bot, game = GreedyDice2Bot(random), new_game(kind, kind.player_counts[-(name == RELAY)])
    for _move in range(MAX_DICE):
        after = game.apply(bot.choose(game, random.randint(2, 5)))
        if after.is_finished:
            break
        game = after
    return view_of(game)
