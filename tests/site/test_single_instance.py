"""Objects of which a process has only one, created by several threads."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Barrier

import pytest

from dizzle_site.single_instance import one_per_process

THREADS = 4
SLOW_S = 0.05
"""Run time of the function in seconds, longer than all threads need to call it."""


def made_by_threads(make: Callable[[], object]) -> set[int]:
    """Call a function from several threads at once; return the identities of the results."""
    barrier = Barrier(THREADS)

    def get(_number: int) -> object:
        barrier.wait()
        return make()

    with ThreadPoolExecutor(THREADS) as pool:
        return {id(made) for made in list(pool.map(get, range(THREADS)))}


def test_threads_get_the_same_object_for_the_same_arguments() -> None:
    @one_per_process
    def make(name: str) -> list[str]:
        time.sleep(SLOW_S)
        return [name]

    assert len(made_by_threads(partial(make, "one"))) == 1
    assert make("one") is make("one")
    assert make("one") is not make("two")


def test_function_that_fails_is_called_again() -> None:
    answers = iter([ValueError("not yet"), None])

    @one_per_process
    def make() -> str:
        if answer := next(answers):
            raise answer
        return "made"

    with pytest.raises(ValueError, match="not yet"):
        make()
    assert make() == "made"
