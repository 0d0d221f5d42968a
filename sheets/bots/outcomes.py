"""Play-outs after options of Dizzle, and their value for a player."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final, NamedTuple

import numpy as np

from sheets.bots import GreedyBot
from sheets.bots.options import Option
from sheets.bots.playouts import compare, covers, share_wins
from sheets.bots.playouts.arrays import Floats, Ints
from sheets.bots.throwing import act, play_to_end
from sheets.rules import Game

MARGIN: Final = 20
"""Lead in points from which on more points add little to the value."""

LEAD: Final = 2.0
"""Value of a large lead, a win being 1: leads show the best option in fewer games than wins."""


class Ends(NamedTuple):
    """Ends of games, by game and player: ``totals``, the points, and ``marks``, the crosses."""

    totals: Ints
    marks: Ints

    @property
    def wins(self) -> Floats:
        """Each player's share of the win."""
        return share_wins(self.totals, self.marks)


def play_after(options: Sequence[Option], randoms: Sequence[Random]) -> Ends:
    """Let greedy bots play one game out after each option, and return the ends.

    The games are played in a batch if `sheets.bots.playouts.covers` the level, else one by one.

    Args:
        options: on one level, of games with the same number of players and tracked dice; an option
            may be repeated.
        randoms: for each option the random numbers of its dice and bots. Options with the same
            object each draw all its numbers.
    """
    games = [option.game for option in options]
    if covers(games[0].level):
        rerolling = [number for number, option in enumerate(options) if option.is_reroll]
        scores = compare(games, randoms, rerolling)
        return Ends(scores.totals, scores.marks)
    return ends_of([_play_one(*pair) for pair in zip(options, randoms, strict=True)])


def ends_of(games: Sequence[Game]) -> Ends:
    """Return the totals and marks of games as they stand."""
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


def judge(ends: Ends, player: int) -> Floats:
    """Return the value of each end for one player.

    It is the total in a solo game, else the share of the win and the value of the lead.
    """
    totals = ends.totals
    if totals.shape[1] == 1:
        return totals[:, 0].astype(np.float64)
    lead = totals[:, player] - np.delete(totals, player, axis=1).max(axis=1)
    value: Floats = ends.wins[:, player] + LEAD * np.tanh(lead / MARGIN)
    return value
