"""Quantiles, and confidence intervals of shares."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Final, NamedTuple

Z_95: Final = 1.96
"""Standard deviations of a normal distribution within which 95 % lie."""


class Interval(NamedTuple):
    """A share from 0 to 1 with its confidence interval."""

    share: float
    low: float
    high: float


def wilson(wins: float, games: int) -> Interval:
    """Return the share of wins with Wilson's interval at 95 %.

    It also holds for few games, and for shares near 0 and 1. A shared win counts as a part of one.

    >>> [round(part, 2) for part in wilson(5, 10)]
    [0.5, 0.24, 0.76]
    """
    share, square = wins / games, Z_95 * Z_95 / games
    middle = (share + square / 2) / (1 + square)
    half = Z_95 * sqrt(share * (1 - share) / games + square / (4 * games)) / (1 + square)
    return Interval(share, max(0.0, middle - half), min(1.0, middle + half))


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
