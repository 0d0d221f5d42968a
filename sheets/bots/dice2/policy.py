"""Policies of Dice² that consider the next throw: values of many positions at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from sheets.bots.dice2 import square
from sheets.bots.dice2.playouts import GreedyPolicy, Lanes
from sheets.bots.dice2.playouts.greedy import prospects_of
from sheets.bots.dice2.square import count_different
from sheets.bots.playouts.arrays import Floats, Ints
from sheets.rules.dice2 import Dice2Game

THREAT: Final = 100.0
"""Cost of each number with which the other player could win at once."""

OWN_THREAT: Final = 30.0
"""Value of each number with which the player's own next die could win."""

LAST_MAN: Final = np.array([(-0.2, 0.2, -0.1), (-0.3, 0.6, -0.15), (-0.3, 1.8, -0.3)])
"""Last Man Dice: value of each number, field, and way to place a die that is open to a player, in
log-odds to win, by stage of the game (`LAST_MAN_FROM`). Fitted to 30,000 games of this policy."""

LAST_MAN_FROM: Final = (9, 12)
"""Numbers of dice on the board at which the second and the third stage begin."""

GREEDY_LAST_MAN: Final = np.array((0.0, 0.0, 1.0))
"""The same values for the greedy bot."""

DECIDED: Final = 1e6
"""Value of a won game, larger than that of any board."""


class ThoughtfulPolicy:
    """The values of the greedy bot, and threats: the numbers with which the next die could win.

    Square Dice has values of its own (`square`). In Last Man Dice a skipped die is kept for later,
    so it is good to have room for the end and not to use it now: many fields, but few numbers.
    """

    def __init__(self) -> None:
        self._greedy = GreedyPolicy()

    def lanes(self, games: Sequence[Dice2Game]) -> Lanes:
        """Lay out positions with the arrays that `worths` needs."""
        return Lanes(games, prospects_of(games[0]), is_watched=True)

    def worths(self, after: Lanes, players: Ints) -> Floats:
        """Return the values of positions for the players who have just moved there."""
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
        """Return the weights of `LAST_MAN` for each position; ``players`` have just moved there."""
        weights: Floats = LAST_MAN[np.searchsorted(LAST_MAN_FROM, after.placed, "right")]
        return weights


class AgainstGreedyPolicy(ThoughtfulPolicy):
    """`ThoughtfulPolicy` for one player, and in Last Man Dice the greedy bot for the other.

    Args:
        player: the one player.
    """

    def __init__(self, player: int) -> None:
        super().__init__()
        self._player = player

    def _last_man_weights(self, after: Lanes, players: Ints) -> Floats:
        is_one = (players == self._player)[:, None]
        return np.where(is_one, super()._last_man_weights(after, players), GREEDY_LAST_MAN)


def _count_open(lanes: Lanes, rows: Ints, players: Ints) -> Ints:
    """Return how many numbers, fields, and ways to place a die each lane's player has."""
    sets = lanes.open_to(rows, players)
    fields = np.count_nonzero(sets.view(np.uint8), axis=1)
    ways = np.bitwise_count(sets).sum(axis=1, dtype=np.intp)
    return np.stack((count_different(sets), fields, ways), axis=1)
