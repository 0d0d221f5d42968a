"""Expert bot: searches with play-outs (`search`)."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from sheets.bots.search import SearchTask, decide
from sheets.rules import Action, Game


class ExpertBot:
    """Bot that plays out many games after each option, and takes the best option."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._rest: tuple[Action, ...] = ()

    def choose(self, game: Game, player: int) -> Action:
        """Return what the player does now (`sheets.bots.Bot`).

        All track of a pass is planned at the first call; the next calls return the other pieces.
        """
        if not self._rest or not is_owed(game, self._rest):
            self._rest = self.think(game, player)
        action, *rest = self._rest
        self._rest = tuple(rest)
        return action

    def think(self, game: Game, player: int) -> tuple[Action, ...]:
        """Return the next actions of the player: all the track they owe, or one action."""
        return decide([SearchTask(game, player, self._random)])[0]


def is_owed(game: Game, pieces: Sequence[Action]) -> bool:
    """Return whether the player owes track on exactly the fields of these pieces."""
    if game.phase != "marking":
        return False
    owed = sum(1 << game.level.index[piece.at] for piece in pieces)
    return game.owed[pieces[0].player] == owed
