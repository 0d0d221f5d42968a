"""Successive halving: spend play-outs on the options of a decision that may still be the best.

Each round plays the same games after every remaining option, with common random numbers, so that
luck with the dice favours no option. Only the best options reach the next round, and only if they
are not clearly worse than the best one. A decision with one clearly best option ends after one
round.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sheets.bots.playouts.arrays import Floats

MAX_DEFICIT_SE: Final = 2.5
"""Deficit to the best option, in standard errors, from which on an option is dropped."""


class Round(NamedTuple):
    """A round, in which the best options, at most ``keeps``, share ``playouts`` games evenly."""

    keeps: int
    playouts: int


class Batch(NamedTuple):
    """The games of one round: those with these ``numbers``, after each of the ``options``.

    ``options`` are indexes. Games with the same number have the same dice.
    """

    options: tuple[int, ...]
    numbers: range


class Halving:
    """Search for the best option of one decision by successive halving.

    The caller plays the games of each `next_batch`, and adds their values with `add`.

    Args:
        options: how many options there are; they are named by their indexes.
        rounds: the rounds to play; there may be none.
    """

    def __init__(self, options: int, rounds: Sequence[Round]) -> None:
        self._values: list[Floats] = [np.empty(0)] * options
        self._rounds = iter(rounds)
        self._played = 0

    def next_batch(self) -> Batch | None:
        """Return the games of the next round, or None once the decision is made."""
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
        """Add the values of a batch's games after an option, in the order of the games' numbers."""
        self._values[option] = np.concatenate((self._values[option], values))

    @property
    def ranking(self) -> list[int]:
        """All options, the best first: by number of games, then by mean value."""
        options = range(len(self._values))
        return sorted(options, key=lambda one: (self.playouts(one), self.value(one)), reverse=True)

    def playouts(self, option: int) -> int:
        """Return how many games were played after an option."""
        return len(self._values[option])

    def value(self, option: int) -> float:
        """Return the mean value of the games after an option, 0 if there are none."""
        return float(self._values[option].mean()) if self.playouts(option) else 0.0

    def _leading(self, max_options: int) -> tuple[int, ...]:
        """Return the best options, at most ``max_options``, without those that are behind."""
        best, *others = self.ranking[:max_options]
        return best, *(one for one in others if not self._is_behind(one, best))

    def _is_behind(self, option: int, best: int) -> bool:
        """Return whether an option is clearly worse than the best one, or was dropped before.

        An option is also dropped if all its games had the same values as those after the best
        option: it does not matter which of the two the player takes.
        """
        if self.playouts(option) < self.playouts(best):
            return True
        if not self.playouts(best):
            return False
        less = self._values[best] - self._values[option]
        return bool(less.mean() >= MAX_DEFICIT_SE * less.std() / np.sqrt(len(less)))
