"""Policy of the greedy bot of Dice²: it values many positions at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from sheets.bots.dice2.playouts.batch_state import Lanes
from sheets.bots.dice2.playouts.lines import Table, greedy_prospects
from sheets.bots.playouts.arrays import Floats, Ints, Sets
from sheets.rules.dice2 import Dice2Game

WIN_VALUE: Final = 10_000.0
"""Value of a won game, and loss in a finished game that the player has not won."""

MARKER_VALUE: Final = 100.0
"""Value of each marker by which a player leads the best other player in Major Dice."""

POINT_VALUE: Final = 20.0
"""Value of a point."""


class GreedyPolicy:
    """Policy of the greedy bot; positions are valued for the player who has just moved.

    A won game counts most, then points and markers. Square Dice: lines that can become four alike
    or in order, and room for later dice. 4 Dice Wins: own unfinished lines of four, compared with
    the lines of the other players, who move next. Last Man Dice: room for own dice, compared with
    the other players' room. Major Dice: the lead in runs, most of all in runs that one more die
    settles.
    """

    def lanes(self, games: Sequence[Dice2Game]) -> Lanes:
        """Return positions of one kind of game, with the same number of players, as a batch."""
        return Lanes(games, prospects_of(games[0]))

    def values(self, after: Lanes, players: Ints) -> Floats:
        """Return the values of positions for the players who have just moved there."""
        rows = np.arange(len(after))
        points = after.points[rows, players] * POINT_VALUE
        won = np.where(after.wins[rows, players] > 0, WIN_VALUE, -WIN_VALUE)
        values: Floats = np.where(after.is_over, points + won, self._going_on(after, players))
        return values

    def _going_on(self, after: Lanes, players: Ints) -> Floats:
        name = after.layout.kind.name
        rows = np.arange(len(after))
        if name == "last-man":
            rooms = [
                count_numbers(after.open_to(rows, np.full(len(rows), player)))
                for player in range(after.layout.players)
            ]
            room = np.stack(rooms, 1)
            return np.asarray(2.0 * room[rows, players] - room.sum(axis=1))
        prospect: Floats = after.prospect[rows, players] / 2
        if name == "square":
            room = count_numbers(after.open_to(rows, players))
            prospect = prospect + after.points[:, 0] * POINT_VALUE + room / 2
        if name == "major":
            own = after.points[rows, players]
            others = after.points.copy()
            others[rows, players] = -1
            prospect = prospect + MARKER_VALUE * (own - others.max(axis=1))
        return prospect


def prospects_of(game: Dice2Game) -> Table | None:
    """Return the greedy bot's values of lines, by code; None for a game where it ignores lines."""
    name = game.kind.name
    return None if name == "last-man" else greedy_prospects(name, game.players)


def count_numbers(sets: Sets) -> Ints:
    """Return how many numbers fit the fields of each set, added up over the fields."""
    return np.asarray(np.bitwise_count(sets).sum(axis=1), np.intp)
