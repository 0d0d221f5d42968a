"""What do dice show in many games, and which of equals is taken?"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final, Protocol

import numpy as np

from sheets.bots.playouts.arrays import Ints
from sheets.rules.dice2.game import DIE_NUMBERS

FETCHED: Final = 32
"""Steps for which random numbers are made at once."""


class Chance(Protocol):
    """The random numbers of games, which are named by their lanes."""

    def throw(self, lanes: Ints) -> Ints:
        """A die for each lane."""
        ...

    def pick(self, lanes: Ints, counts: Ints) -> Ints:
        """For each lane, one of so many equals, from 0."""
        ...


class OwnChance:
    """One random source per game, asked in the order in which `simple_bots` ask it."""

    def __init__(self, randoms: Sequence[Random]) -> None:
        self._randoms = randoms

    def throw(self, lanes: Ints) -> Ints:
        """A die for each lane."""
        first, last = DIE_NUMBERS[0], DIE_NUMBERS[-1]
        return np.array([self._randoms[lane].randint(first, last) for lane in lanes.tolist()])

    def pick(self, lanes: Ints, counts: Ints) -> Ints:
        """For each lane, one of so many equals, from 0."""
        pairs = zip(lanes.tolist(), counts.tolist(), strict=True)
        return np.array([self._randoms[lane].choice(range(count)) for lane, count in pairs])


class CommonChance:
    """Lanes in groups of the same size; in those with the same seed games see the same dice.

    What one choice has in lucky dice all have, so that fewer games tell which is better.

    Args:
        seeds: name the random numbers of each group.
        size: how many lanes make a group.
    """

    def __init__(self, seeds: Sequence[int], size: int) -> None:
        different = {seed: row for row, seed in enumerate(dict.fromkeys(seeds))}
        self._sources = [np.random.Generator(np.random.PCG64(seed)) for seed in different]
        self._row_of = np.array([different[seed] for seed in seeds], np.intp)
        self._size = size
        self._used = FETCHED

    def throw(self, lanes: Ints) -> Ints:
        """A die for each lane; begins a step."""
        if self._used == FETCHED:
            shape = (FETCHED, 2, self._size)
            self._numbers = np.stack([source.random(shape) for source in self._sources], 2)
            self._used = 0
        numbers = self._numbers[self._used]
        self._used += 1
        self._parts = numbers[1].reshape(-1)
        parts = numbers[0].reshape(-1).take(self._places_of(lanes))
        return np.asarray(parts * len(DIE_NUMBERS), np.intp) + DIE_NUMBERS[0]

    def pick(self, lanes: Ints, counts: Ints) -> Ints:
        """For each lane, one of so many equals, from 0."""
        return np.asarray(self._parts.take(self._places_of(lanes)) * counts, np.intp)

    def _places_of(self, lanes: Ints) -> Ints:
        groups, places = np.divmod(lanes, self._size)
        return np.asarray(self._row_of.take(groups) * self._size + places)
