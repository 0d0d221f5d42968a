"""What becomes of games when greedy bots play what is left of them, many games at once?

From any position of a game with tracked dice, with the same random numbers, a game takes the same
course as with `sheets.bots.GreedyBot` and the rules themselves; `covers` says on which levels.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from sheets.bots.playouts.board import covers
from sheets.bots.playouts.dice import CommonDice
from sheets.bots.playouts.lanes import REROLL, Lanes
from sheets.bots.playouts.passes import step
from sheets.bots.playouts.scores import Scores, score, share_wins
from sheets.rules import Game

__all__ = ["Scores", "compare", "covers", "play_out", "share_wins"]


def play_out(games: Sequence[Game], randoms: Sequence[Random]) -> Scores:
    """The final scores of games that greedy bots play to their end.

    Args:
        games: positions on one level that `covers`, of as many players, with tracked dice.
        randoms: for each game the numbers that its dice and bots draw on; those that are given the
            same one each draw all of it.
    """
    return _play(Lanes(games, randoms))


def compare(
    games: Sequence[Game], randoms: Sequence[Random], rerolling: Sequence[int] = ()
) -> Scores:
    """The same for games that are to be compared: their dice are those of `CommonDice`.

    Args:
        games: as for `play_out`.
        randoms: as for `play_out`; dice fall alike in games that are given the same one.
        rerolling: the games, by their place, whose player has just chosen to reroll.
    """
    lanes = Lanes(games, randoms, CommonDice)
    lanes.phase[list(rerolling)] = REROLL
    return _play(lanes)


def _play(lanes: Lanes) -> Scores:
    while step(lanes):
        pass
    return score(lanes)
