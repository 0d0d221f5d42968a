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

from sheets.playouts.arrays import Bytes, Ints

BUFFER: Final = 1024
"""Words that are fetched at once for a game, besides those that one step may need."""

THROWS: Final = 4
"""As often a step of a game can throw dice …"""

DECISIONS: Final = 4
"""… or decide between equals."""

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


class Dice:
    """The random numbers of games, each from its own source.

    Args:
        randoms: the source of each game.
        most_dice: how many are thrown at once at most.
        most_choices: between how many equals has to be decided at once at most.
    """

    def __init__(self, randoms: Sequence[Random], most_dice: int, most_choices: int) -> None:
        self._randoms = randoms
        # One word in four shows no number from 1 to 6: never are so many such that this is too few.
        margin = THROWS * (4 * most_dice + 64) + DECISIONS * 2 * most_choices
        self._length = BUFFER + margin
        self._words = np.zeros((len(randoms), self._length), np.uint32)
        self._next = np.full(len(randoms), self._length, np.intp)
        self._starts = np.arange(len(randoms)) * self._length

    def prepare(self, games: Ints) -> None:
        """Fetch what a step of these games may need, where it is not there."""
        if (self._next.take(games) > BUFFER).any():
            for game in games:
                self._fetch(int(game))
            self._find_dice()

    def throw(self, games: Ints, counts: Ints) -> Pools:
        """So many dice for each game, at least one."""
        begun: Ints = self._begun.take(self._starts.take(games) + self._next.take(games))
        last = begun + counts
        self._next[games] = self._places.take(last - 1) + 1 - self._starts.take(games)
        return self._sums.take(last) - self._sums.take(begun)

    def coins(self, games: Ints, ranks: Ints) -> NDArray[np.uint64]:
        """What ``random()`` gives that often from now, in its 53 bits; nothing is used up."""
        at = self._starts.take(games) + self._next.take(games) + 2 * ranks
        words = self._words.reshape(-1)
        high, low = words.take(at) >> np.uint32(5), words.take(at + 1) >> np.uint32(6)
        return high.astype(np.uint64) << np.uint64(26) | low

    def use_coins(self, games: Ints, counts: Ints) -> None:
        """So many are used up."""
        self._next[games] += 2 * counts

    def _fetch(self, game: int) -> None:
        used = int(self._next[game])
        row = self._words[game]
        row[: self._length - used] = row[used:]
        fresh = self._randoms[game].getrandbits(32 * used) if used else 0
        row[self._length - used :] = np.frombuffer(fresh.to_bytes(4 * used, "little"), "<u4")
        self._next[game] = 0

    def _find_dice(self) -> None:
        """Where dice can be read, how many there are before each word, and their sums as pools."""
        shown = (self._words >> np.uint32(29)).reshape(-1)
        is_die = shown < 6
        self._places = is_die.nonzero()[0]
        self._begun: Ints = np.cumsum(is_die) - is_die
        dice = one_die(shown.take(self._places).astype(np.intp) + 1)
        self._sums = np.concatenate((np.zeros(1, np.uint64), np.cumsum(dice, dtype=np.uint64)))
