"""Quantiles, confidence intervals of shares, counts and means, and p-values."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate
from math import exp, lgamma, log, sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

CONFIDENCE: Final = 0.95
"""Level of all confidence intervals and tests."""

_NORMAL: Final = NormalDist()

Z_95: Final = _NORMAL.inv_cdf((1 + CONFIDENCE) / 2)
"""Half the width of the central 95 % of a normal distribution, in standard deviations: 1.96."""

PRIOR_SQUARES: Final = 9.0
"""Term that `estimate` adds to a sample's sum of squared deviations, in units of ``spread ** 2``.

Without it, a small sample of equal numbers would have no error. By the rule of three, an outcome
that n games have not shown can still have a probability of 3 / n.
"""

FIVE_NUMBERS: Final = ("worst", "lower_quartile", "median", "upper_quartile", "best")
"""Keys of the results of `five_numbers` in documents, in their order."""


class Interval(NamedTuple):
    """A share from 0 to 1 with its confidence interval."""

    share: float
    low: float
    high: float


class Estimate(NamedTuple):
    """A mean and its standard error."""

    mean: float
    error: float = 0.0

    def __neg__(self) -> Estimate:
        return self._replace(mean=-self.mean)

    @property
    def within(self) -> float:
        """Half the width of the confidence interval."""
        return Z_95 * self.error

    @property
    def p_value(self) -> float:
        """Two-sided p-value, the chance of a mean at least this far from 0 if the true one is 0."""
        if not self.error:
            return 0.0 if self.mean else 1.0
        return 2 * _NORMAL.cdf(-abs(self.mean) / self.error)


def wilson_interval(wins: float, games: int) -> Interval:
    """Return the share of wins with Wilson's interval at 95 %.

    The interval is also valid for few games, and for shares near 0 and 1. A shared win counts as a
    fraction of a win.

    >>> [round(part, 2) for part in wilson_interval(5, 10)]
    [0.5, 0.24, 0.76]
    """
    share, square = wins / games, Z_95 * Z_95 / games
    middle = (share + square / 2) / (1 + square)
    half = Z_95 * sqrt(share * (1 - share) / games + square / (4 * games)) / (1 + square)
    return Interval(share, max(0.0, middle - half), min(1.0, middle + half))


def chance_margin(share: float, games: int) -> float:
    """Return how far an observed share of wins may be from the true ``share`` by chance, at 95 %.

    >>> round(chance_margin(0.5, 100), 3)
    0.098
    """
    return Z_95 * sqrt(share * (1 - share) / games)


def binomial_range(trials: int, share: float) -> tuple[int, int]:
    """Return the range of a count at 95 %: at most 2.5 % lie below it, and as many above it.

    ``share`` is the probability of one trial, above 0 and below 1.

    >>> binomial_range(156, 1 / 6)
    (17, 35)
    """
    tail = (1 - CONFIDENCE) / 2
    below = _binomial_sums(trials, share)
    low = next(count for count, chance in enumerate(below) if chance > tail)
    above = _binomial_sums(trials, 1 - share)
    high = next(trials - count for count, chance in enumerate(above) if chance > tail)
    return low, high


def binomial_p_value(count: int, trials: int, share: float) -> float:
    """Return the two-sided p-value of a count: twice the chance of one as low, or as high.

    >>> round(binomial_p_value(16, 156, 1 / 6), 3), round(binomial_p_value(17, 156, 1 / 6), 3)
    (0.033, 0.058)
    """
    low = _binomial_sums(trials, share)[count]
    high = _binomial_sums(trials, 1 - share)[trials - count]
    return min(1.0, 2 * min(low, high))


def _binomial_sums(trials: int, share: float) -> list[float]:
    """Return the chances of at most 0, 1, 2 … successes in independent trials."""
    yes, no, whole = log(share), log(1 - share), lgamma(trials + 1)
    chances = (
        exp(whole - lgamma(k + 1) - lgamma(trials - k + 1) + k * yes + (trials - k) * no)
        for k in range(trials + 1)
    )
    return list(accumulate(chances))


def estimate(sample: NDArray[np.float64], spread: float) -> Estimate:
    """Return the mean of a sample and its standard error, which is cautious for small samples.

    Args:
        sample: at least two numbers.
        spread: the assumed standard deviation of such numbers, see `PRIOR_SQUARES`.
    """
    count = len(sample)
    mean = float(sample.mean())
    squares = float(((sample - mean) ** 2).sum()) + PRIOR_SQUARES * spread**2
    # Student's interval is wider than the normal one by about this factor.
    student = 1 + (Z_95**2 + 1) / (4 * (count - 1))
    return Estimate(mean, sqrt(squares / (count - 1) / count) * student)


def add_estimates(estimates: Iterable[Estimate]) -> Estimate:
    """Return the sum of independent estimates."""
    found = list(estimates)
    return Estimate(
        sum(one.mean for one in found), sqrt(sum(one.error * one.error for one in found))
    )


def find_significant(p_values: Sequence[float]) -> list[bool]:
    """Return whether each p-value is significant at `CONFIDENCE`, with Holm's correction."""
    order = sorted(range(len(p_values)), key=lambda place: p_values[place])
    found = [False] * len(p_values)
    for rank, place in enumerate(order):
        if p_values[place] > (1 - CONFIDENCE) / (len(p_values) - rank):
            break
        found[place] = True
    return found


def quantile(values: Sequence[int], share: float) -> float:
    """Return the quantile of ascending values, interpolated linearly between two of them.

    >>> [quantile([1, 2, 4, 10], share) for share in (0, 0.5, 1)]
    [1, 3, 10]
    """
    below, part = divmod((len(values) - 1) * share, 1)
    first, last = values[int(below)], values[min(int(below) + 1, len(values) - 1)]
    found = first + part * (last - first)
    return int(found) if found == int(found) else found


def five_numbers(values: Sequence[int]) -> list[float]:
    """Return minimum, lower quartile, median, upper quartile and maximum of ascending values.

    >>> five_numbers([1, 2, 4, 10])
    [1, 1.75, 3, 5.5, 10]
    """
    return [quantile(values, quarter / 4) for quarter in range(5)]
