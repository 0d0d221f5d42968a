"""Which drawings need not be made again? Those made lately, and those being made just now."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from concurrent.futures import Future
from threading import Lock
from typing import Final

from cachetools import LRUCache

MAX_BYTES: Final = 16 * 1024 * 1024
"""What one server process keeps: some eighty pictures."""


class Kept:
    """Drawings by what they show; those that nobody has asked for longest make room."""

    def __init__(self, max_bytes: int = MAX_BYTES) -> None:
        self._lock = Lock()
        self._made: LRUCache[Hashable, bytes] = LRUCache(max_bytes, getsizeof=len)
        self._being_made: dict[Hashable, Future[bytes]] = {}

    def find(self, key: Hashable) -> bytes | None:
        """The drawing, if it was made lately."""
        with self._lock:
            return self._made.get(key)

    def clear(self) -> None:
        """Keep nothing any more."""
        with self._lock:
            self._made.clear()

    def make(
        self,
        key: Hashable,
        make: Callable[[], bytes],
        seconds: float,
        before_waiting: Callable[[], None] = lambda: None,
    ) -> bytes:
        """The drawing, made by ``make`` unless somebody else is making it already: then waited for.

        Raises what ``make`` raises, for everybody who waits, too; TimeoutError where another one
        takes longer than ``seconds``.
        """
        with self._lock:
            if (made := self._made.get(key)) is not None:
                return made
            future = self._being_made.get(key)
            is_ours = future is None
            if future is None:
                future = self._being_made[key] = Future()
        if not is_ours:
            before_waiting()
            return future.result(seconds)
        try:
            made = make()
        except BaseException as problem:
            with self._lock:
                del self._being_made[key]
            future.set_exception(problem)
            raise
        with self._lock:
            del self._being_made[key]
            if len(made) <= self._made.maxsize:
                self._made[key] = made
        future.set_result(made)
        return made
