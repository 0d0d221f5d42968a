"""Thread-safe cache for objects of which a process may have only one."""

from __future__ import annotations

from collections.abc import Callable
from threading import Condition
from typing import TypeVar

from cachetools import cached

Made = TypeVar("Made")


def one_per_process(make: Callable[..., Made]) -> Callable[..., Made]:
    """Decorate a function so that all threads share one call of it for each set of arguments.

    With `functools.cache`, threads that make the first call at the same time each get an object of
    their own: two connection pools, two queues, two groups of processes. The garbage collector
    then closes one of them while another thread still uses a part of it.
    """
    return cached({}, condition=Condition())(make)
