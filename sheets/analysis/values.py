"""What is something worth by a sample of games, and how sure is that?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import sqrt
from statistics import NormalDist
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

CONFIDENCE: Final = 0.95

UNSEEN: Final = 9.0
"""What was never seen can still happen, at most three times in as many games as were played, by the
rule of three: so many squares of the usual distance are added to those that were seen."""

_NORMAL: Final = NormalDist()
_TWO_SIDED: Final = _NORMAL.inv_cdf((1 + CONFIDENCE) / 2)


class Estimate(NamedTuple):
    """A mean, and by how much it may be off in 95 of 100 cases; ``error`` is its standard error."""

    mean: float
    error: float = 0.0

    @property
    def within(self) -> float:
        """Half of the interval at `CONFIDENCE`."""
        return _TWO_SIDED * self.error

    @property
    def doubt(self) -> float:
        """The chance that what is nothing looks like this much, either way (a p-value)."""
        if not self.error:
            return 0.0 if self.mean else 1.0
        return 2 * _NORMAL.cdf(-abs(self.mean) / self.error)


def estimate(sample: NDArray[np.float64], usual: float) -> Estimate:
    """The mean of what was seen, and how far off it may be.

    Args:
        sample: at least two numbers.
        usual: how far apart such numbers usually lie.
    """
    count = len(sample)
    mean = float(sample.mean())
    squares = float(((sample - mean) ** 2).sum()) + UNSEEN * usual**2
    return Estimate(mean, sqrt(squares / (count - 1) / count) * _small(count))


def total(estimates: Iterable[Estimate]) -> Estimate:
    """The sum of what was measured independently."""
    found = list(estimates)
    return Estimate(
        sum(one.mean for one in found), sqrt(sum(one.error * one.error for one in found))
    )


def clear_ones(doubts: Sequence[float]) -> list[bool]:
    """Which of several are no chance, all of them together at `CONFIDENCE` (Holm)."""
    order = sorted(range(len(doubts)), key=lambda place: doubts[place])
    clear = [False] * len(doubts)
    for rank, place in enumerate(order):
        if doubts[place] > (1 - CONFIDENCE) / (len(doubts) - rank):
            break
        clear[place] = True
    return clear


def _small(count: int) -> float:
    """How much wider Student's interval is than that of so many that they need none."""
    return 1 + (_TWO_SIDED**2 + 1) / (4 * (count - 1))
