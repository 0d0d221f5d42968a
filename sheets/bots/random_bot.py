"""Random bot: chooses among the legal actions."""

from __future__ import annotations

from random import Random

from sheets.bots.legal_actions import find_choices
from sheets.rules import Action, Game


class RandomBot:
    """Bot that chooses among the legal actions, all with equal probability."""

    def __init__(self, random: Random) -> None:
        self._random = random

    def choose(self, game: Game, player: int) -> Action:
        """Return what the player does now (`sheets.bots.Bot`)."""
        return self._random.choice(find_choices(game, player))
