"""What does a player of Dice² who looks one throw ahead think of positions, many at once?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from sheets.bots.dice2 import square
from sheets.bots.dice2.playouts import GreedyPolicy, Lanes
from sheets.bots.dice2.playouts.greedy import promises_of
from sheets.bots.dice2.square import count_different
from sheets.bots.playouts.arrays import Floats, Ints
from sheets.rules.dice2 import Dice2Game

THREAT: Final = 100.0
"""What each number is worth that the others could win with at once …"""

OWN_THREAT: Final = 30.0
"""… and one that would do for the player's own next die."""

LAST_MAN: Final = np.array([(-0.2, 0.2, -0.1), (-0.3, 0.6, -0.15), (-0.3, 1.8, -0.3)])
"""What each number, field, and way to place a die is worth in Last Man Dice that is open to the
player and not to the other, in odds to win: fitted to 30,000 games of bots that played so …"""

LAST_MAN_FROM: Final = (9, 12)
"""… for boards with fewer dice than the first of these, fewer than the second, and more."""

GREEDY_LAST_MAN: Final = np.array((0.0, 0.0, 1.0))
"""What the greedy bot thinks of the same."""

DECIDED: Final = 1e6
"""A won game, beside anything a board promises."""


class ThoughtfulPolicy:
    """What the greedy bot sees, and with which numbers a next die could win.

    In Last Man Dice, where who skips keeps a die for later, it is good to have room for the end
    and not to have to use it now: many fields, few numbers, and for the other the other way round.
    """

    def __init__(self) -> None:
        self._greedy = GreedyPolicy()

    def lanes(self, games: Sequence[Dice2Game]) -> Lanes:
        """Positions with all that is asked of them (`sheets.bots.dice2.playouts.Policy`)."""
        return Lanes(games, promises_of(games[0]), is_watched=True)

    def worths(self, after: Lanes, players: Ints) -> Floats:
        """What positions are worth to the players who have just moved there."""
        name = after.layout.kind.name
        if name == "square":
            return square.worths(after)
        if name == "four-wins":
            return self._greedy.worths(after, players) + self._threats(after, players)
        if name == "last-man":
            return self._room_kept(after, players)
        return self._greedy.worths(after, players)

    def _threats(self, after: Lanes, players: Ints) -> Floats:
        rows = np.arange(len(after))
        sets = after.fits & after.near
        own = count_different(sets & after.threats[rows, players])
        other = count_different(sets & after.threats[rows, 1 - players])
        return np.where(after.is_over, 0.0, OWN_THREAT * own - THREAT * other)

    def _room_kept(self, after: Lanes, players: Ints) -> Floats:
        rows = np.arange(len(after))
        own, other = (_count_open(after, rows, who) for who in (players, 1 - players))
        weights = self._last_man_weights(after, players)
        won = np.where(after.wins[rows, players] > 0, DECIDED, -DECIDED)
        kept = ((own - other) * weights).sum(axis=1)
        worths: Floats = np.where(after.is_over, won, kept)
        return worths

    def _last_man_weights(self, after: Lanes, players: Ints) -> Floats:
        """By position what `LAST_MAN` says; ``players`` have just moved there."""
        weights: Floats = LAST_MAN[np.searchsorted(LAST_MAN_FROM, after.placed, "right")]
        return weights


class AgainstGreedyPolicy(ThoughtfulPolicy):
    """One player who looks at all that `ThoughtfulPolicy` does, and others who are simpler.

    In Last Man Dice the others play as the greedy bot, which counts the ways to place a die.

    Args:
        player: who looks at more.
    """

    def __init__(self, player: int) -> None:
        super().__init__()
        self._player = player

    def _last_man_weights(self, after: Lanes, players: Ints) -> Floats:
        is_one = (players == self._player)[:, None]
        return np.where(is_one, super()._last_man_weights(after, players), GREEDY_LAST_MAN)


def _count_open(lanes: Lanes, rows: Ints, players: Ints) -> Ints:
    """How many numbers, fields, and ways to place a die are open to a player of each lane."""
    sets = lanes.open_to(rows, players)
    fields = np.count_nonzero(sets.view(np.uint8), axis=1)
    ways = np.bitwise_count(sets).sum(axis=1, dtype=np.intp)
    return np.stack((count_different(sets), fields, ways), axis=1)
