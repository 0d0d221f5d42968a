"""What do dice show in many games, and which of equals is taken?"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Protocol

import numpy as np

from sheets.playouts.arrays import Ints
from sheets.rules.dice2.game import DIE_NUMBERS


class Chance(Protocol):
    """The random numbers of games, which are named by their lanes."""

    def throw(self, lanes: Ints) -> Ints:
        """A die for each lane."""
        ...

    def pick(self, lanes: Ints, counts: Ints) -> Ints:
        """For each lane, one of so many equals, from 0."""
        ...


class OwnChance:
    """Each game has a source of its own, asked as the bots of `sheets.bots.dice2` ask it."""

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
    """Lanes in groups of the same size, whose games see the same dice, place by place.

    What one choice has in lucky dice all have, so that fewer games tell which is better.

    Args:
        seed: names all random numbers.
        size: how many lanes make a group.
    """

    def __init__(self, seed: int, size: int) -> None:
        self._source = np.random.Generator(np.random.PCG64(seed))
        self._size = size

    def throw(self, lanes: Ints) -> Ints:
        """A die for each lane."""
        dice = self._source.integers(1, DIE_NUMBERS[-1] + 1, self._size)
        return dice.take(lanes % self._size)

    def pick(self, lanes: Ints, counts: Ints) -> Ints:
        """For each lane, one of so many equals, from 0."""
        part = self._source.random(self._size).take(lanes % self._size)
        return (part * counts).astype(np.intp)
