"""Batched play-outs of Dizzle: greedy bots play many games to their end at once, in NumPy arrays.

From any position with tracked dice, a game has the same moves as with `sheets.bots.GreedyBot` and
the rules, if the random numbers are the same. `supports` returns whether a level is implemented.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from sheets.bots.playouts.batch_state import REROLL, Lanes
from sheets.bots.playouts.board import supports
from sheets.bots.playouts.dice import CommonDice
from sheets.bots.playouts.passes import step
from sheets.bots.playouts.scores import Scores, score, share_wins
from sheets.rules import Game

__all__ = ["Scores", "play_out", "play_out_with_common_dice", "share_wins", "supports"]


def play_out(games: Sequence[Game], randoms: Sequence[Random]) -> Scores:
    """Let greedy bots play games to their end, and return the scores.

    Args:
        games: positions on one level that is implemented (`supports`), with the same number of
            players and tracked dice.
        randoms: the random numbers of each game's dice and bots. Games with the same object have
            the same numbers.
    """
    return _play(Lanes(games, randoms))


def play_out_with_common_dice(
    games: Sequence[Game], randoms: Sequence[Random], rerolling: Sequence[int] = ()
) -> Scores:
    """Let greedy bots play games to their end with common random numbers (`CommonDice`).

    Then the differences between their scores come from the positions more than from the dice.

    Args:
        games: as for `play_out`.
        randoms: as for `play_out`; games with the same object have the same dice in each pass.
        rerolling: the indexes of the games whose player has just chosen to reroll.
    """
    lanes = Lanes(games, randoms, CommonDice)
    lanes.phase[list(rerolling)] = REROLL
    return _play(lanes)


def _play(lanes: Lanes) -> Scores:
    while step(lanes):
        pass
    return score(lanes)
