"""Growth of computing time with the size of the input."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Final

STEP: Final = 4
MOST_GROWTH: Final = 2 * STEP
"""Twice the input at most about twice the time: of four times quadratic growth makes sixteen."""
UNMEASURABLE_S: Final = 0.004


def seconds(act: Callable[[Any], object], given: Any) -> float:
    """Return the time that this thread has computed, whatever else the machine does."""
    begun = time.thread_time()
    act(given)
    return time.thread_time() - begun


def is_linear(act: Callable[[Any], object], make: Callable[[int], Any], most: int) -> bool:
    """Return whether the time grows like the input, up to the most; stops where it does not."""
    sizes = [most // STEP**power for power in (2, 1, 0)]
    before = seconds(act, make(sizes[0]))
    for size in sizes[1:]:
        given = make(size)
        now = seconds(act, given)
        if now > max(UNMEASURABLE_S, MOST_GROWTH * before):
            # A machine that was busy for a moment is not that again and again.
            before = max(before, *(seconds(act, make(size // STEP)) for _ in range(2)))
            now = min(now, *(seconds(act, given) for _ in range(2)))
            if now > max(UNMEASURABLE_S, MOST_GROWTH * before):
                return False
        before = now
    return True
