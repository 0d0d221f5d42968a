"""What does a player of Dice² who looks one throw ahead think of positions, many at once?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from sheets.experts.dice2 import square
from sheets.experts.dice2.square import count_different
from sheets.playouts.arrays import Floats, Ints
from sheets.playouts.dice2 import GreedyPolicy, Lanes
from sheets.playouts.dice2.greedy import promises_of
from sheets.rules.dice2 import Dice2Game

THREAT: Final = 100.0
"""What each number is worth that the others could win with at once …"""

OWN_THREAT: Final = 30.0
"""… and one that would do for the player's own next die."""

DECIDED: Final = 1e6
"""A won game, beside anything a board promises."""


class ThoughtfulPolicy:
    """What the greedy bot sees, and with which numbers a next die could win.

    In Last Man Dice, where who skips keeps a die for later, few numbers of one's own and many of
    the other's are worth most.
    """

    def __init__(self) -> None:
        self._greedy = GreedyPolicy()

    def lanes(self, games: Sequence[Dice2Game]) -> Lanes:
        """Positions with all that is asked of them (`sheets.playouts.dice2.Policy`)."""
        return Lanes(games, promises_of(games[0]), is_watched=True)

    def worths(self, after: Lanes, players: Ints) -> Floats:
        """What positions are worth to the players who have just moved there."""
        name = after.layout.kind.name
        if name == "square":
            return square.worths(after)
        if name == "four-wins":
            return self._greedy.worths(after, players) + self._threats(after, players)
        if name == "last-man":
            return self._numbers_kept(after, players)
        return self._greedy.worths(after, players)

    def _threats(self, after: Lanes, players: Ints) -> Floats:
        rows = np.arange(len(after))
        sets = after.fits & after.near
        own = count_different(sets & after.threats[rows, players])
        other = count_different(sets & after.threats[rows, 1 - players])
        return np.where(after.is_over, 0.0, OWN_THREAT * own - THREAT * other)

    def _numbers_kept(self, after: Lanes, players: Ints) -> Floats:
        rows = np.arange(len(after))
        sets = after.fits & after.near
        own = count_different(sets & after.own[rows, players])
        other = count_different(sets & after.own[rows, 1 - players])
        won = np.where(after.wins[rows, players] > 0, DECIDED, -DECIDED)
        worths: Floats = np.where(after.is_over, won, other - own)
        return worths
