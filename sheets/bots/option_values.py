"""Results of play-outs after the options of a decision, and their value for a player."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final, NamedTuple

import numpy as np

from sheets.bots import GreedyBot
from sheets.bots.dice_rolls import act, play_to_end
from sheets.bots.options import Option
from sheets.bots.playouts import play_out_with_common_dice, share_wins, supports
from sheets.bots.playouts.arrays import Floats, Ints
from sheets.rules import Game

LEAD_SCALE: Final = 20
"""Lead in points from which on more points add little to the value."""

LEAD_WEIGHT: Final = 2.0
"""Value of a very large lead; a win has the value 1. Leads show in fewer games than wins which
option is the best."""


class Ends(NamedTuple):
    """Final ``totals`` and numbers of crosses (``marks``), as arrays by game and player."""

    totals: Ints
    marks: Ints

    @property
    def wins(self) -> Floats:
        """Share of the win, by game and player."""
        return share_wins(self.totals, self.marks)


def play_after(options: Sequence[Option], randoms: Sequence[Random]) -> Ends:
    """Let greedy bots play one game to its end after each option, and return the final scores.

    The games are played in a batch if `sheets.bots.playouts.supports` the level, else one by one.

    Args:
        options: on one level, of games with the same number of players and tracked dice; an option
            may be repeated.
        randoms: for each option the random numbers of its dice and bots. Options with the same
            object have the same numbers.
    """
    games = [option.game for option in options]
    if supports(games[0].level):
        rerolling = [number for number, option in enumerate(options) if option.is_reroll]
        scores = play_out_with_common_dice(games, randoms, rerolling)
        return Ends(scores.totals, scores.marks)
    return ends_of([_play_one(*pair) for pair in zip(options, randoms, strict=True)])


def ends_of(games: Sequence[Game]) -> Ends:
    """Return the scores of games in their current state."""
    scores = [game.scores() for game in games]
    totals = [[score.total for score in of_game] for of_game in scores]
    marks = [[score.marks for score in of_game] for of_game in scores]
    return Ends(np.array(totals), np.array(marks))


def _play_one(option: Option, random: Random) -> Game:
    dice = Random()  # noqa: S311 dice, not secrets
    dice.setstate(random.getstate())
    game = option.game
    if option.is_reroll:
        game = act(game, option.actions[0], dice)
    return play_to_end(game, GreedyBot(dice), dice)


def evaluate_ends(ends: Ends, player: int) -> Floats:
    """Return the value of each game's final scores for one player.

    It is the total in a solo game, else the share of the win plus the value of the player's lead
    over the best other player.
    """
    totals = ends.totals
    if totals.shape[1] == 1:
        return totals[:, 0].astype(np.float64)
    lead = totals[:, player] - np.delete(totals, player, axis=1).max(axis=1)
    value: Floats = ends.wins[:, player] + LEAD_WEIGHT * np.tanh(lead / LEAD_SCALE)
    return value
