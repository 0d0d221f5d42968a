"""Random bot: chooses among the legal actions."""

from __future__ import annotations

from random import Random

from sheets.rules import Action, Game
from sheets.rules.level import SHAPES


class RandomBot:
    """Chooses a legal action, all with equal probability."""

    def __init__(self, random: Random) -> None:
        self._random = random

    def choose(self, game: Game, player: int) -> Action:
        """Return what the player does now (`sheets.bots.Bot`)."""
        pick = self._random.choice
        if game.phase == "turn":
            places = [
                Action("place", player, at, die)
                for die, fields in game.legal().items()
                for at in fields
            ]
            return pick(places or [Action("reroll", player), Action("drop", player)])
        if game.phase == "return":
            sheet = game.sheets[player]
            return Action("return", player, pick(sheet.level.names(sheet.dice)))
        owed = next(owed for owed in game.pending() if owed.player == player)
        shape = pick(SHAPES) if owed.do == "track" else ""
        return Action(owed.do, player, pick(owed.at), shape=shape)
