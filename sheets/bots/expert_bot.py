"""Expert bot: searches with play-outs (`search`)."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from sheets.bots.search import Question, decide
from sheets.rules import Action, Game


class ExpertBot:
    """Plays the rest of the game out many times after each option, and takes the best one."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._rest: tuple[Action, ...] = ()

    def choose(self, game: Game, player: int) -> Action:
        """Return what the player does now (`sheets.bots.Bot`); track is drawn as planned before."""
        if not self._rest or not is_owed(game, self._rest):
            self._rest = self.think(game, player)
        action, *rest = self._rest
        self._rest = tuple(rest)
        return action

    def think(self, game: Game, player: int) -> tuple[Action, ...]:
        """Return the next actions of the player: all the track they owe, or one action."""
        return decide([Question(game, player, self._random)])[0]


def is_owed(game: Game, pieces: Sequence[Action]) -> bool:
    """Return whether these pieces of track are exactly those that their player owes."""
    if game.phase != "marking":
        return False
    owed = sum(1 << game.level.index[piece.at] for piece in pieces)
    return game.owed[pieces[0].player] == owed
