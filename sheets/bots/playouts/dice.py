"""What do dice and coins show in many games, each of which has random numbers of its own?

The numbers are those that `random.Random` would give one by one, for dice by ``randint(1, 6)`` and
to decide between equals by ``random()``: whoever plays a game, it takes the same course. They are
fetched in bulk as the words that both make theirs of.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

import numpy as np
from numpy.typing import NDArray

from sheets.bots.playouts.arrays import Bytes, Ints

BUFFER: Final = 1024
"""Words that are fetched at first for each game, besides those that one act may need."""

Pools = NDArray[np.uint64]
"""Dice of a game each: the byte *n* of the number counts those that show *n*."""


def count_dice(pools: Pools) -> Ints:
    """How many dice are in each pool."""
    return (pools * np.uint64(0x0101010101010101) >> np.uint64(56)).astype(np.intp)


def numbers_in(pools: Pools) -> Bytes:
    """For each pool a byte whose bit *n* says whether a die shows *n*."""
    return np.packbits(pools.view(np.uint8) != 0, bitorder="little")


def one_die(numbers: Ints) -> Pools:
    """Pools of one die each."""
    return np.uint64(1) << (8 * numbers).astype(np.uint64)


BY_WORD: Final = np.array([*(1 << 8 * number for number in range(1, 7)), 0, 0], np.uint64)
"""By the first three bits of a word: the die that it shows as a pool; two show none."""


class Dice:
    """The random numbers of games, each from its own source.

    Args:
        randoms: the source of each game. Games that are given the same one each draw all its
            numbers from its first on.
        most_dice: how many are thrown in one act at most.
        most_choices: between how many equals has to be decided in one act at most.
    """

    def __init__(self, randoms: Sequence[Random], most_dice: int, most_choices: int) -> None:
        sources = {id(random): random for random in randoms}
        rows = {key: row for row, key in enumerate(sources)}
        self._randoms = list(sources.values())
        self._row = np.array([rows[id(random)] for random in randoms], np.intp)
        # One word in four shows no number from 1 to 6: never are so many such that this is too few.
        self._margin = 4 * most_dice + 64 + 2 * most_choices
        self._words = np.zeros((len(self._randoms), 0), np.uint32)
        self._next = np.zeros(len(randoms), np.intp)
        self._starts = self._next

    def begin_pass(self, games: Ints, passes: Ints) -> None:
        """A pass begins in these games, after so many since they were given."""

    def prepare(self, games: Ints) -> None:
        """Fetch what an act of these games may need, where it is not there."""
        length = self._words.shape[1]
        if (self._next.take(games) > length - self._margin).any():
            self._fetch(max(length, BUFFER + self._margin))
            self._find_dice()

    def throw(self, games: Ints, counts: Ints) -> Pools:
        """So many dice for each game, at least one."""
        starts = self._starts.take(games)
        begin = starts + self._next.take(games)
        end = self._places.take(self._before.take(begin) + counts - 1) + 1
        self._next[games] = end - starts
        return self._sums.take(end) - self._sums.take(begin)

    def coins(self, games: Ints, ranks: Ints) -> NDArray[np.uint64]:
        """What ``random()`` gives that often from now, in its 53 bits; nothing is used up."""
        at = self._starts.take(games) + self._next.take(games) + 2 * ranks
        words = self._words.reshape(-1)
        high, low = words.take(at) >> np.uint32(5), words.take(at + 1) >> np.uint32(6)
        return high.astype(np.uint64) << np.uint64(26) | low

    def use_coins(self, games: Ints, counts: Ints) -> None:
        """So many are used up."""
        self._next[games] += 2 * counts

    def _fetch(self, count: int) -> None:
        """So many more words from each source."""
        self._words = np.concatenate((self._words, self._draw(count)), axis=1, dtype=np.uint32)
        self._starts = self._row * self._words.shape[1]

    def _draw(self, count: int) -> NDArray[np.uint32]:
        fresh = [random.getrandbits(32 * count) for random in self._randoms]
        data = b"".join(number.to_bytes(4 * count, "little") for number in fresh)
        return np.frombuffer(data, "<u4").reshape(-1, count)

    def _find_dice(self) -> None:
        """Where dice can be read, and how many and which there are before each word."""
        shown = (self._words >> np.uint32(29)).reshape(-1)
        is_die = shown < 6
        self._places = is_die.nonzero()[0]
        self._before = np.zeros(len(shown) + 1, np.int32)
        np.cumsum(is_die, out=self._before[1:])
        self._sums = np.zeros(len(shown) + 1, np.uint64)
        np.cumsum(BY_WORD.take(shown), out=self._sums[1:])


class CommonDice(Dice):
    """Dice that fall the same in all games of one source, pass by pass, whatever is decided.

    Who compares what comes of different decisions needs fewer games so. What a pass throws begins
    at a place of its own, and coins are no part of it: no longer is it what `Random` would give.
    """

    def __init__(self, randoms: Sequence[Random], most_dice: int, most_choices: int) -> None:
        super().__init__(randoms, most_dice, most_choices)
        self._own = 6 * most_dice + 32
        self._coins = self._draw(self._own + 2 * most_choices)
        self._margin = 4 * most_dice + 64

    def begin_pass(self, games: Ints, passes: Ints) -> None:
        """The dice of the pass come next."""
        self._next[games] = passes * self._own
        self.prepare(games)

    def coins(self, games: Ints, ranks: Ints) -> NDArray[np.uint64]:
        """Some numbers, the same as long as no dice are thrown."""
        at = self._next.take(games) % self._own + 2 * ranks
        coins: NDArray[np.uint64] = self._coins[self._row.take(games), at].astype(np.uint64)
        return coins

    def use_coins(self, games: Ints, counts: Ints) -> None:
        """They go on with the dice."""
