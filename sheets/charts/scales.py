"""Round numbers for the scales of charts."""

from __future__ import annotations

from collections.abc import Sequence


def ticks(low: float, high: float) -> list[int]:
    """Return a few round numbers from low to high.

    >>> ticks(27, 96)
    [40, 60, 80]
    """
    reach = max(1.0, high - low)
    step = next((s for s in (1, 2, 5, 10, 20, 50, 100, 200) if reach / s <= 6), 500)
    first = -(-int(low) // step) * step
    return list(range(first, int(high) + 1, step))


def bin_width(values: Sequence[int]) -> int:
    """Return a round width that makes about twenty bins.

    >>> bin_width([30, 95])
    5
    """
    reach = max(values) - min(values)
    return next((step for step in (1, 2, 5, 10, 20, 50) if reach / step <= 22), 100)
