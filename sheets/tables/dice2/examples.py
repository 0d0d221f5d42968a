"""What does each game of Dice² look like in the middle? For the page where one is chosen."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Final

from sheets.artwork.board import View, view_of
from sheets.bots.dice2.simple_bots import GreedyDice2Bot
from sheets.rules.dice2 import KINDS, new_game
from sheets.tables.playing import RELAY

DICE_SHOWN: Final = 11
SEEDS: Final = {"square": 6, "four-wins": 3, "last-man": 3, "major": 3, RELAY: 8}
"""Which game of two bots is shown."""


@cache
def example_view(name: str) -> View:
    """The board after some moves of a game; a relay shows Major Dice for three."""
    kind = KINDS["major" if name == RELAY else name]
    random = Random(SEEDS[name])  # noqa: S311  always the same game
    bot, game = GreedyDice2Bot(random), new_game(kind, kind.player_counts[-(name == RELAY)])
    for _move in range(DICE_SHOWN):
        after = game.apply(bot.choose(game, random.randint(2, 5)))
        if after.is_finished:
            break
        game = after
    return view_of(game)
