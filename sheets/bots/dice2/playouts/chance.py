"""Random numbers of batched games: dice, and picks among equally good choices."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Protocol

import numpy as np

from sheets.bots.playouts.arrays import Ints
from sheets.rules.dice2.game import DIE_NUMBERS


class Chance(Protocol):
    """Protocol of sources of random numbers for the games of a batch."""

    def throw(self, lanes: Ints) -> Ints:
        """Return a die for each lane."""
        ...

    def pick(self, lanes: Ints, counts: Ints) -> Ints:
        """Return for each lane the index of one of its ``counts`` equally good choices."""
        ...


class OwnChance:
    """Random numbers of games that each have a source of their own.

    A source yields a die, then a pick among the best fields for it, and so on.
    """

    def __init__(self, randoms: Sequence[Random]) -> None:
        self._randoms = randoms

    def throw(self, lanes: Ints) -> Ints:
        """Return a die for each lane."""
        first, last = DIE_NUMBERS[0], DIE_NUMBERS[-1]
        return np.array([self._randoms[lane].randint(first, last) for lane in lanes.tolist()])

    def pick(self, lanes: Ints, counts: Ints) -> Ints:
        """Return for each lane the index of one of its ``counts`` equally good choices."""
        pairs = zip(lanes.tolist(), counts.tolist(), strict=True)
        return np.array([self._randoms[lane].choice(range(count)) for lane, count in pairs])


class CommonChance:
    """Common random numbers for groups of games, such as one group for each option.

    Games with the same index in their group have the same dice. So fewer games show which option is
    better.

    Args:
        seed: seed of the random numbers.
        size: number of games in a group; lane *n* has the index ``n % size`` in its group.
    """

    def __init__(self, seed: Sequence[int], size: int) -> None:
        self._source = np.random.Generator(np.random.PCG64(seed))
        self._size = size

    def throw(self, lanes: Ints) -> Ints:
        """Return a die for each lane, and draw the random numbers of the next `pick`."""
        numbers = self._source.random((2, self._size))
        self._parts = numbers[1]
        parts = numbers[0].take(lanes % self._size)
        return np.asarray(parts * len(DIE_NUMBERS), np.intp) + DIE_NUMBERS[0]

    def pick(self, lanes: Ints, counts: Ints) -> Ints:
        """Return for each lane the index of one of its ``counts`` equally good choices."""
        return np.asarray(self._parts.take(lanes % self._size) * counts, np.intp)
