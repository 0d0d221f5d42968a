"""Random bot of Dice², and the protocol of all its bots."""

from __future__ import annotations

from random import Random
from typing import Protocol

from sheets.rules.dice2 import Dice2Action, Dice2Game


class Dice2Bot(Protocol):
    """Bot that plays one seat of a game of Dice²; it does not throw the dice."""

    def choose(self, game: Dice2Game, die: int) -> Dice2Action:
        """Return what the player to move does with a die: place it, or skip if it fits nowhere."""
        ...


class RandomDice2Bot:
    """Bot that chooses among the fields that take the die, all with equal probability."""

    def __init__(self, random: Random) -> None:
        self._random = random

    def choose(self, game: Dice2Game, die: int) -> Dice2Action:
        """Return what the player to move does with a die: place it, or skip if it fits nowhere."""
        if fields := game.legal()[die]:
            return Dice2Action("place", game.player, die, self._random.choice(fields))
        return Dice2Action("skip", game.player, die)
