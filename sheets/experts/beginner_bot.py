"""What does somebody do who has just learnt the rules?"""

from __future__ import annotations

from random import Random
from typing import Final

from sheets.bots import GreedyBot
from sheets.experts.options import find_options
from sheets.rules import Action, Game

CARELESS: Final = 0.5
"""How often the first thing that comes to mind is done."""


class BeginnerBot:
    """Looks at what pays most now and then, and otherwise puts the die anywhere it fits."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._greedy = GreedyBot(random)

    def choose(self, game: Game, player: int) -> Action:
        """What the player does now (`sheets.bots.Bot`)."""
        if self._random.random() < CARELESS:
            return self._random.choice(find_options(game, player)).action
        return self._greedy.choose(game, player)
