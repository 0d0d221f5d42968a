"""What does the greedy bot of Dice² think of positions, many at once?"""

from __future__ import annotations

import numpy as np

from sheets.bots.dice2 import MARKER_WORTH, POINT_WORTH, WIN_WORTH
from sheets.playouts.arrays import Floats, Ints, Sets
from sheets.playouts.dice2.lanes import Lanes
from sheets.playouts.dice2.lines import Table, greedy_promises


class GreedyPolicy:
    """`sheets.bots.dice2.GreedyDice2Bot`: the same values, from tables of lines and sets."""

    def promises(self, name: str, players: int) -> Table | None:
        """What lines are worth to each player, by code."""
        return None if name == "last-man" else greedy_promises(name, players)

    def worths(self, after: Lanes, players: Ints) -> Floats:
        """What positions are worth to the players who have just moved there."""
        rows = np.arange(len(after))
        points = after.points[rows, players] * POINT_WORTH
        won = np.where(after.wins[rows, players] > 0, WIN_WORTH, -WIN_WORTH)
        worths: Floats = np.where(after.is_over, points + won, self._going_on(after, players))
        return worths

    def _going_on(self, after: Lanes, players: Ints) -> Floats:
        name = after.layout.kind.name
        rows = np.arange(len(after))
        if name == "last-man":
            rooms = [
                count_numbers(after.open_to(rows, np.full(len(rows), player)))
                for player in range(after.layout.players)
            ]
            own = np.stack(rooms, 1)[rows, players]
            return (2 * own - sum(rooms)).astype(np.float64)
        promised = after.promise[rows, players] / 2
        if name == "square":
            room = count_numbers(after.open_to(rows, players))
            return after.points[:, 0] * POINT_WORTH + promised + room / 2
        if name == "major":
            own = after.points[rows, players]
            others = after.points.copy()
            others[rows, players] = -1
            return MARKER_WORTH * (own - others.max(axis=1)) + promised
        return promised


def count_numbers(sets: Sets) -> Ints:
    """How many numbers of how many fields sets have."""
    return np.bitwise_count(sets).sum(axis=1, dtype=np.intp)
