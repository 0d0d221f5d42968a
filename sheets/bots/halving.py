"""Successive halving: spend play-outs on the options of a decision that may still be the best.

Each round plays the same games after every option that is left, with common random numbers, so that
one option's lucky dice are every option's. Then only the best options go on, without those that are
clearly behind the best: plain decisions take one round.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sheets.bots.playouts.arrays import Floats

CLEAR: Final = 2.5
"""An option that many standard errors behind the best is dropped."""


class Round(NamedTuple):
    """A round: the best ``keeps`` options at most share ``playouts`` games evenly."""

    keeps: int
    playouts: int


class Batch(NamedTuple):
    """Games to be played after each of some options: those with these numbers."""

    options: tuple[int, ...]
    numbers: range


class Halving:
    """The values of the options of one decision, and the games that are to be played next.

    Args:
        options: how many there are; they are named by their numbers from 0.
        rounds: the rounds to play; there may be none.
    """

    def __init__(self, options: int, rounds: Sequence[Round]) -> None:
        self._values: list[Floats] = [np.empty(0)] * options
        self._rounds = iter(rounds)
        self._played = 0

    def next_batch(self) -> Batch | None:
        """Return what the next round plays; None once the decision is made."""
        part = next(self._rounds, None)
        if part is None:
            return None
        left = self._leading(part.keeps)
        if len(left) == 1:
            return None
        first = self._played
        self._played += max(part.playouts // len(left), 1)
        return Batch(left, range(first, self._played))

    def add(self, option: int, values: NDArray[Any]) -> None:
        """Add the values of an option's games of one batch, in the order of their numbers."""
        self._values[option] = np.concatenate((self._values[option], values))

    @property
    def ranking(self) -> list[int]:
        """All options, those with most games first, among these the ones of most value."""
        options = range(len(self._values))
        return sorted(options, key=lambda one: (self.playouts(one), self.value(one)), reverse=True)

    def playouts(self, option: int) -> int:
        """Return how many games were played after an option."""
        return len(self._values[option])

    def value(self, option: int) -> float:
        """Return the mean value of these games, 0 if there are none."""
        return float(self._values[option].mean()) if self.playouts(option) else 0.0

    def _leading(self, most: int) -> tuple[int, ...]:
        """The best options that are not behind the best one of all."""
        best, *others = self.ranking[:most]
        return best, *(one for one in others if not self._is_behind(one, best))

    def _is_behind(self, option: int, best: int) -> bool:
        """Whether the best option is clearly better, or the option has been dropped before.

        An option after which all games have ended as after the best one is behind, too: it does
        not matter which of them is taken.
        """
        if self.playouts(option) < self.playouts(best):
            return True
        if not self.playouts(best):
            return False
        less = self._values[best] - self._values[option]
        return bool(less.mean() >= CLEAR * less.std() / np.sqrt(len(less)))
