"""Growth of CPU time with the size of the input."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Final

STEP: Final = 4
"""Factor between two sizes of the input."""

MAX_GROWTH: Final = 2 * STEP
"""Maximum factor between the times of two sizes; linear growth makes 4, quadratic growth 16."""

UNMEASURABLE_S: Final = 0.004
"""CPU time below which the growth is not measured."""


def cpu_seconds(act: Callable[[Any], object], given: Any) -> float:
    """Return the CPU time of a call in this thread."""
    begun = time.thread_time()
    act(given)
    return time.thread_time() - begun


def is_linear(act: Callable[[Any], object], make: Callable[[int], Any], most: int) -> bool:
    """Return whether the CPU time of ``act`` grows linearly with its input, up to a size.

    Args:
        act: the function to measure.
        make: returns an input of a given size.
        most: the largest size.
    """
    sizes = [most // STEP**power for power in (2, 1, 0)]
    before = cpu_seconds(act, make(sizes[0]))
    for size in sizes[1:]:
        given = make(size)
        now = cpu_seconds(act, given)
        if now > max(UNMEASURABLE_S, MAX_GROWTH * before):
            # Repeated measurements rule out that the machine was only busy for a moment.
            before = max(before, *(cpu_seconds(act, make(size // STEP)) for _ in range(2)))
            now = min(now, *(cpu_seconds(act, given) for _ in range(2)))
            if now > max(UNMEASURABLE_S, MAX_GROWTH * before):
                return False
        before = now
    return True
