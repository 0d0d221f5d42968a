"""Batched play-outs of Dizzle: greedy bots play many games to their end at once, in NumPy arrays.

With the same random numbers, a game has the same moves as with `sheets.bots.GreedyBot` and the
rules, from any position with tracked dice. `covers` says on which levels.
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
    """Let greedy bots play games to their end, and return the scores.

    Args:
        games: positions on one level that `covers`, with the same number of players and tracked
            dice.
        randoms: the random numbers of each game's dice and bots. Games with the same object each
            draw all its numbers.
    """
    return _play(Lanes(games, randoms))


def compare(
    games: Sequence[Game], randoms: Sequence[Random], rerolling: Sequence[int] = ()
) -> Scores:
    """Do the same with common random numbers (`CommonDice`), to compare games.

    Args:
        games: as for `play_out`.
        randoms: as for `play_out`; games with the same object have the same dice.
        rerolling: the places of the games whose player has just chosen to reroll.
    """
    lanes = Lanes(games, randoms, CommonDice)
    lanes.phase[list(rerolling)] = REROLL
    return _play(lanes)


def _play(lanes: Lanes) -> Scores:
    while step(lanes):
        pass
    return score(lanes)
