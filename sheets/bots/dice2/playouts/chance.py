"""Random numbers of batched games: dice, and picks among equal choices."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Protocol

import numpy as np

from sheets.bots.playouts.arrays import Ints
from sheets.rules.dice2.game import DIE_NUMBERS


class Chance(Protocol):
    """Source of the random numbers of games, which are named by their lanes."""

    def throw(self, lanes: Ints) -> Ints:
        """Return a die for each lane."""
        ...

    def pick(self, lanes: Ints, counts: Ints) -> Ints:
        """Return for each lane one of that many equal choices, from 0."""
        ...


class OwnChance:
    """One random source per game, asked for a die, then for a pick among its best fields."""

    def __init__(self, randoms: Sequence[Random]) -> None:
        self._randoms = randoms

    def throw(self, lanes: Ints) -> Ints:
        """Return a die for each lane."""
        first, last = DIE_NUMBERS[0], DIE_NUMBERS[-1]
        return np.array([self._randoms[lane].randint(first, last) for lane in lanes.tolist()])

    def pick(self, lanes: Ints, counts: Ints) -> Ints:
        """Return for each lane one of that many equal choices, from 0."""
        pairs = zip(lanes.tolist(), counts.tolist(), strict=True)
        return np.array([self._randoms[lane].choice(range(count)) for lane, count in pairs])


class CommonChance:
    """The same dice for all games with the same number, in groups of games.

    Options that see the same dice need fewer games until the better one shows.

    Args:
        seed: names the random numbers.
        size: number of games in a group; game *n* has the dice of game *n* of each other group.
    """

    def __init__(self, seed: Sequence[int], size: int) -> None:
        self._source = np.random.Generator(np.random.PCG64(seed))
        self._size = size

    def throw(self, lanes: Ints) -> Ints:
        """Return a die for each lane; begins a step."""
        numbers = self._source.random((2, self._size))
        self._parts = numbers[1]
        parts = numbers[0].take(lanes % self._size)
        return np.asarray(parts * len(DIE_NUMBERS), np.intp) + DIE_NUMBERS[0]

    def pick(self, lanes: Ints, counts: Ints) -> Ints:
        """Return for each lane one of that many equal choices, from 0."""
        return np.asarray(self._parts.take(lanes % self._size) * counts, np.intp)
