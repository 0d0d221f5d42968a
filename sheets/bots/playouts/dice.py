"""Dice and tie-breaking random numbers of batched games; each game has its own source.

The numbers are those of ``random.Random``: ``randint(1, 6)`` for dice, ``random()`` to break ties.
So a game has the same moves whether it is played in a batch or alone. Both methods make their
numbers from 32-bit words, which are fetched in bulk here. Tie-breaking numbers are called coins.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

import numpy as np
from numpy.typing import NDArray

from sheets.bots.playouts.arrays import Bytes, Ints

BUFFER: Final = 1024
"""Number of words fetched at first for each game, in addition to the needs of one action."""

Pools = NDArray[np.uint64]
"""The dice of one game per element: byte *n* counts the dice that show *n*."""


def count_dice(pools: Pools) -> Ints:
    """Return how many dice are in each pool."""
    return (pools * np.uint64(0x0101010101010101) >> np.uint64(56)).astype(np.intp)


def numbers_in(pools: Pools) -> Bytes:
    """Return for each pool a byte whose bit *n* is set if a die shows *n*."""
    return np.packbits(pools.view(np.uint8) != 0, bitorder="little")


def one_die(numbers: Ints) -> Pools:
    """Return pools of one die each."""
    return np.uint64(1) << (8 * numbers).astype(np.uint64)


BY_WORD: Final = np.array([*(1 << 8 * number for number in range(1, 7)), 0, 0], np.uint64)
"""Die of a word, as a pool, by the word's highest three bits. Two of the eight values have no die,
because ``randint`` skips these words."""


class Dice:
    """The random numbers of games, each from its own source.

    Args:
        randoms: the source of each game. Games with the same object have the same numbers.
        max_dice: maximum number of dice of one throw.
        max_choices: maximum number of choices of one decision.
    """

    def __init__(self, randoms: Sequence[Random], max_dice: int, max_choices: int) -> None:
        sources = {id(random): random for random in randoms}
        rows = {key: row for row, key in enumerate(sources)}
        self._randoms = list(sources.values())
        self._row = np.array([rows[id(random)] for random in randoms], np.intp)
        # One word in four has no die. With this margin, the words of one action never run out.
        self._margin = 4 * max_dice + 64 + 2 * max_choices
        self._words = np.zeros((len(self._randoms), 0), np.uint32)
        self._next = np.zeros(len(randoms), np.intp)
        self._starts = self._next

    def begin_pass(self, games: Ints, passes: Ints) -> None:
        """Begin a pass in these games; without common random numbers, there is nothing to do.

        ``passes`` has for each game the number of passes that were played in the batch.
        """

    def prepare(self, games: Ints) -> None:
        """Fetch the words that one action of these games may need."""
        length = self._words.shape[1]
        if (self._next.take(games) > length - self._margin).any():
            self._fetch(max(length, BUFFER + self._margin))
            self._find_dice()

    def throw(self, games: Ints, counts: Ints) -> Pools:
        """Throw ``counts`` dice for each game, at least one; return the pools."""
        starts = self._starts.take(games)
        begin = starts + self._next.take(games)
        end = self._places.take(self._before.take(begin) + counts - 1) + 1
        self._next[games] = end - starts
        return self._sums.take(end) - self._sums.take(begin)

    def coins(self, games: Ints, ranks: Ints) -> NDArray[np.uint64]:
        """Return coins: the 53 random bits of ``random()``, after ``ranks`` other calls of it.

        The arguments have one element for each coin.
        """
        at = self._starts.take(games) + self._next.take(games) + 2 * ranks
        words = self._words.reshape(-1)
        high, low = words.take(at) >> np.uint32(5), words.take(at + 1) >> np.uint32(6)
        return high.astype(np.uint64) << np.uint64(26) | low

    def use_coins(self, games: Ints, counts: Ints) -> None:
        """Skip ``counts`` calls of ``random()`` in each game."""
        self._next[games] += 2 * counts

    def _fetch(self, count: int) -> None:
        """Fetch that many more words from each source."""
        self._words = np.concatenate((self._words, self._draw(count)), axis=1, dtype=np.uint32)
        self._starts = self._row * self._words.shape[1]

    def _draw(self, count: int) -> NDArray[np.uint32]:
        fresh = [random.getrandbits(32 * count) for random in self._randoms]
        data = b"".join(number.to_bytes(4 * count, "little") for number in fresh)
        return np.frombuffer(data, "<u4").reshape(-1, count)

    def _find_dice(self) -> None:
        """Index the words with dice, and sum up the dice before each word."""
        shown = (self._words >> np.uint32(29)).reshape(-1)
        is_die = shown < 6
        self._places = is_die.nonzero()[0]
        self._before = np.zeros(len(shown) + 1, np.int32)
        np.cumsum(is_die, out=self._before[1:])
        self._sums = np.zeros(len(shown) + 1, np.uint64)
        np.cumsum(BY_WORD.take(shown), out=self._sums[1:])


class CommonDice(Dice):
    """Common random numbers: games with the same source have the same dice in each pass.

    So fewer games are enough to compare decisions. The dice of a pass begin at a fixed index of the
    words, and the coins have separate words. So a game differs from a game that is played alone
    with the same ``random.Random``.
    """

    def __init__(self, randoms: Sequence[Random], max_dice: int, max_choices: int) -> None:
        super().__init__(randoms, max_dice, max_choices)
        self._own = 6 * max_dice + 32
        self._coins = self._draw(self._own + 2 * max_choices)
        self._margin = 4 * max_dice + 64

    def begin_pass(self, games: Ints, passes: Ints) -> None:
        """Move on to the words for the dice of this pass."""
        self._next[games] = passes * self._own
        self.prepare(games)

    def coins(self, games: Ints, ranks: Ints) -> NDArray[np.uint64]:
        """Return coins, which stay the same until the game's next throw."""
        at = self._next.take(games) % self._own + 2 * ranks
        coins: NDArray[np.uint64] = self._coins[self._row.take(games), at].astype(np.uint64)
        return coins

    def use_coins(self, games: Ints, counts: Ints) -> None:
        """Do nothing: a game has new coins after each throw."""
