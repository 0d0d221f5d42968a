"""Which field turns out best when the rest of the game is played out many times after each?

Each round plays the same number of games after every option that is still in question, with the
same dice for all, and keeps the better part, but none clearly behind the best. Several decisions
may be thought through at once, which costs less for each; that changes none of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

import numpy as np

from sheets.bots.dice2.playouts import CommonChance, Lanes, Policy, step
from sheets.bots.playouts.arrays import Bools, Floats, Ints, first_of_rows, where

AT_ONCE: Final = 4000
"""So many games are played at once: more would cost more each."""

CLEAR: Final = 2.5
"""So many standard errors behind the best of a round an option is given up."""


class Round(NamedTuple):
    """So many games are played after each option, once only so many options are kept."""

    keeps: int
    games: int


Expected = Callable[[int], Policy]
"""How everybody is expected to play on, by who decides."""


class Options(NamedTuple):
    """What can be done in some decisions.

    ``after`` are the positions to which the options lead, ``players`` who decides; ``rows`` says
    in which decision, in ascending order.
    """

    after: Lanes
    players: Ints
    rows: Ints

    def kept(self, numbers: Ints) -> Options:
        """Some of them."""
        return Options(self.after.taken(numbers), self.players[numbers], self.rows[numbers])


def decide(
    options: Options, expected: Expected, rounds: Sequence[Round], seeds: Sequence[int]
) -> Ints:
    """The best option of each decision.

    Args:
        options: at least one for each decision.
        expected: how everybody plays on.
        rounds: how often that is played.
        seeds: of each decision; they name its dice.
    """
    sums = np.zeros(len(options.rows))
    kept = np.arange(len(sums))
    for number, part in enumerate(rounds):
        kept = _best(options.rows, sums, kept, part.keeps)
        counts = np.bincount(options.rows[kept], minlength=len(seeds))
        open_ones = kept[counts[options.rows[kept]] > 1]
        if open_ones.size:
            of_round = [seed + number for seed in seeds]
            values = end_values(options.kept(open_ones), expected, part.games, of_round)
            sums[open_ones] += values.sum(axis=1)
            behind = open_ones[are_behind(options.rows[open_ones], values)]
            kept = kept[~np.isin(kept, behind)]
    return _best(options.rows, sums, kept, 1)


def _best(rows: Ints, sums: Floats, kept: Ints, most: int) -> Ints:
    """So many at most of the kept options of each decision, those with the largest sums."""
    order = kept[np.lexsort((-sums[kept], rows[kept]))]
    firsts = first_of_rows(rows[order])
    places = np.arange(len(order)) - firsts.repeat(np.diff(firsts, append=len(order)))
    return np.sort(order[places < most])


def are_behind(rows: Ints, values: Floats) -> Bools:
    """Whether an option's games have ended clearly worse than those of the best of its decision."""
    firsts = first_of_rows(rows)
    counts = np.diff(firsts, append=len(rows))
    order = np.lexsort((-values.mean(axis=1), rows))
    less = values[order[firsts]].repeat(counts, axis=0) - values
    errors = less.std(axis=1) / np.sqrt(values.shape[1])
    behind: Bools = less.mean(axis=1) > CLEAR * errors
    return behind


def end_values(options: Options, expected: Expected, games: int, seeds: Sequence[int]) -> Floats:
    """By option and game, what it brings who decides: their part of the win, or points alone."""
    values = np.zeros((len(options.rows), games))
    size = max(AT_ONCE // games, 1)
    for player in np.unique(options.players).tolist():
        policy = expected(player)
        of_player = where(options.players == player)
        for first in range(0, len(of_player), size):
            part = of_player[first : first + size]
            lanes = options.after.taken(part.repeat(games))
            chance = CommonChance([seeds[row] for row in options.rows[part]], games)
            while step(lanes, chance, policy):
                pass
            ends = lanes.points if lanes.layout.players == 1 else lanes.wins
            values[part] = ends[:, player].reshape(-1, games)
    return values
