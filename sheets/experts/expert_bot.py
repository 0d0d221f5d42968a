"""What does somebody do who thinks every option through to the end of the game?"""

from __future__ import annotations

from random import Random

from sheets.experts.search import Question, decide
from sheets.rules import Action, Game


class ExpertBot:
    """Plays the rest of the game out many times after each option and takes the best."""

    def __init__(self, random: Random) -> None:
        self._random = random

    def choose(self, game: Game, player: int) -> Action:
        """What the player does now (`sheets.bots.Bot`)."""
        return decide([Question(game, player, self._random)])[0]
