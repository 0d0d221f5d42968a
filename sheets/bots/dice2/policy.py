"""Policies of Dice² that consider the next throw; they value many positions at once."""

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

THREAT_COST: Final = 100.0
"""Cost of each number with which the other player could win at once."""

OWN_THREAT_VALUE: Final = 30.0
"""Value of each number with which the player's own next die could win."""

LAST_MAN_WEIGHTS: Final = np.array([(-0.2, 0.2, -0.1), (-0.3, 0.6, -0.15), (-0.3, 1.8, -0.3)])
"""Last Man Dice: change of the log-odds to win for each number, field, and way to place a die that
is open to a player; a row for each stage of the game (`LAST_MAN_STAGES`). Fitted to 30,000 games of
this policy."""

LAST_MAN_STAGES: Final = (9, 12)
"""Numbers of dice on the board at which the second and the third stage begin."""

GREEDY_LAST_MAN_WEIGHTS: Final = np.array((0.0, 0.0, 1.0))
"""The row of `LAST_MAN_WEIGHTS` that plays like the greedy bot: only ways to place a die count."""

WIN_VALUE: Final = 1e6
"""Value of a won game, larger than that of any board."""


class ThoughtfulPolicy:
    """Policy with the values of the greedy bot, and others for three of the games.

    4 Dice Wins also counts threats: the numbers with which the next die could win. Square Dice has
    separate values (`square`). In Last Man Dice, players keep a skipped die for later. So the
    player should have much room at the end and not use it yet: many fields, but few numbers.
    """

    def __init__(self) -> None:
        self._greedy = GreedyPolicy()

    def lanes(self, games: Sequence[Dice2Game]) -> Lanes:
        """Return positions as a batch, with the arrays that `values` needs."""
        return Lanes(games, prospects_of(games[0]), is_watched=True)

    def values(self, after: Lanes, players: Ints) -> Floats:
        """Return the values of positions for the players who have just moved there."""
        name = after.layout.kind.name
        if name == "square":
            return square.board_values(after)
        if name == "four-wins":
            return self._greedy.values(after, players) + self._threats(after, players)
        if name == "last-man":
            return self._room_kept(after, players)
        return self._greedy.values(after, players)

    def _threats(self, after: Lanes, players: Ints) -> Floats:
        rows = np.arange(len(after))
        sets = after.fits & after.near
        own = count_different(sets & after.threats[rows, players])
        other = count_different(sets & after.threats[rows, 1 - players])
        return np.where(after.is_over, 0.0, OWN_THREAT_VALUE * own - THREAT_COST * other)

    def _room_kept(self, after: Lanes, players: Ints) -> Floats:
        rows = np.arange(len(after))
        own, other = (_count_open(after, rows, who) for who in (players, 1 - players))
        weights = self._last_man_weights(after, players)
        won = np.where(after.wins[rows, players] > 0, WIN_VALUE, -WIN_VALUE)
        kept = ((own - other) * weights).sum(axis=1)
        values: Floats = np.where(after.is_over, won, kept)
        return values

    def _last_man_weights(self, after: Lanes, players: Ints) -> Floats:
        """Return the weights for each position; ``players`` have just moved there."""
        weights: Floats = LAST_MAN_WEIGHTS[np.searchsorted(LAST_MAN_STAGES, after.placed, "right")]
        return weights


class AgainstGreedyPolicy(ThoughtfulPolicy):
    """`ThoughtfulPolicy` with an opponent who plays Last Man Dice like the greedy bot.

    Args:
        player: the player who does not play like the greedy bot.
    """

    def __init__(self, player: int) -> None:
        super().__init__()
        self._player = player

    def _last_man_weights(self, after: Lanes, players: Ints) -> Floats:
        is_one = (players == self._player)[:, None]
        return np.where(is_one, super()._last_man_weights(after, players), GREEDY_LAST_MAN_WEIGHTS)


def _count_open(lanes: Lanes, rows: Ints, players: Ints) -> Ints:
    """Return for each lane how many numbers, fields, and ways to place a die a player has."""
    sets = lanes.open_to(rows, players)
    fields = np.count_nonzero(sets.view(np.uint8), axis=1)
    ways = np.bitwise_count(sets).sum(axis=1, dtype=np.intp)
    return np.stack((count_different(sets), fields, ways), axis=1)
