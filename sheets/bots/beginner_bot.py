"""Beginner bot: takes the most immediate points, and rarely looks ahead."""

from __future__ import annotations

from random import Random
from typing import Final

from sheets.bots import GreedyBot
from sheets.bots.options import Option, find_options
from sheets.rules import Action, Game, score_sheet

GREEDY_PROBABILITY: Final = 0.25
"""Probability that a decision is the greedy bot's."""


class BeginnerBot:
    """Bot that takes an option with the most immediate points; ties are random.

    Some decisions, chosen at random, are the greedy bot's.
    """

    def __init__(self, random: Random) -> None:
        self._random = random
        self._greedy = GreedyBot(random)

    def choose(self, game: Game, player: int) -> Action:
        """Return what the player does now (`sheets.bots.Bot`)."""
        if self._random.random() < GREEDY_PROBABILITY:
            return self._greedy.choose(game, player)
        options = find_options(game, player)
        paid = [_pays(option, player) for option in options]
        best = [option for option, points in zip(options, paid, strict=True) if points == max(paid)]
        return self._random.choice(best).actions[0]


def _pays(option: Option, player: int) -> int:
    """Return the score of the player's sheet if the pass ended after the option."""
    sheet = option.game.sheets[player].with_dice_crossed()
    return score_sheet(sheet, solo=option.game.is_solo).total
