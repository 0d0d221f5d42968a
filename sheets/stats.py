"""Descriptive statistics."""

from __future__ import annotations

from collections.abc import Sequence


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
