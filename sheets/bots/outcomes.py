"""How do games end that are played out after an option, and how good is that for a player?"""

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
"""A lead of so many points is nearly as good as twice as many."""

LEAD: Final = 2.0
"""What a large lead is worth beside the win: it tells sooner than wins do which option is best."""


class Ends(NamedTuple):
    """Ends of games: ``totals``, the points, and ``marks``, the crosses, by game and player."""

    totals: Ints
    marks: Ints


def play_after(options: Sequence[Option], randoms: Sequence[Random]) -> Ends:
    """How games end that players of the middle strength play out, each after an option.

    Many games at once where `sheets.bots.playouts.covers` the level, else one by one.

    Args:
        options: on one level, of games of as many players, with tracked dice; the same ones may
            come again and again.
        randoms: for each the numbers that its dice and bots draw on; those that are given the
            same one each draw all of it.
    """
    games = [option.game for option in options]
    if covers(games[0].level):
        dos = (option.actions[0].do for option in options)
        rerolling = [number for number, do in enumerate(dos) if do == "reroll"]
        scores = compare(games, randoms, rerolling)
        return Ends(scores.totals, scores.marks)
    ends = [_play_one(*pair).scores() for pair in zip(options, randoms, strict=True)]
    totals = [[score.total for score in scores] for scores in ends]
    return Ends(np.array(totals), np.array([[score.marks for score in scores] for scores in ends]))


def _play_one(option: Option, random: Random) -> Game:
    dice = Random()  # noqa: S311 dice, not secrets
    dice.setstate(random.getstate())
    game = option.game
    if option.actions[0].do == "reroll":
        game = act(game, option.actions[0], dice)
    return play_to_end(game, GreedyBot(dice), dice)


def judge(ends: Ends, players: Ints) -> Floats:
    """How good each end is for one player of its game.

    Alone it is the total; with others the part of the win, and what the lead is worth.
    """
    totals = ends.totals
    if totals.shape[1] == 1:
        return totals[:, 0].astype(np.float64)
    games = np.arange(len(totals))
    own, others = totals[games, players], totals.copy()
    others[games, players] = np.iinfo(np.intp).min
    lead = np.tanh((own - others.max(axis=1)) / MARGIN)
    value: Floats = share_wins(*ends)[games, players] + LEAD * lead
    return value
