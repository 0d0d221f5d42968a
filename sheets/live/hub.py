"""Open streams of this process by table, and messages to them (publish and subscribe)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from contextlib import suppress
from threading import Condition, Lock, Thread
from typing import Final, NamedTuple

MAX_STREAMS: Final = 5000
"""Maximum number of streams of a process."""

MAX_STREAMS_PER_DEVICE: Final = 3
"""Maximum number of streams of a device with a seat at one table; a new one ends its oldest.

A phone that lost its network leaves a stream behind that the server believes to be alive for a
while, so it is always the new one that must be let in.
"""

MAX_SPECTATORS: Final = 30
"""Maximum number of streams without a seat at one table; a new one ends the oldest."""


class Stream:
    """One page that listens to a table. Belongs to the event loop in which it was made.

    Attributes:
        device: digest of the secret of the device, "" without one.
        query: query of the page's address if the page wants its new state; None if it only wants
            to know that there is one.
        is_seated: whether the device held a seat when the stream was opened.
        is_displaced: whether it ends because of a newer stream (`make_room_for`).
        revision: newest revision that `wake` has received.
        announced: newest revision that `send` has sent; `wake` may not have received it yet.
            Threads write it without a lock: at worst, a stream gets the same news twice, and `wake`
            drops the second.
    """

    def __init__(
        self, code: str, device: str = "", query: str | None = None, language: str = ""
    ) -> None:
        self.code, self.device, self.query, self.language = code, device, query, language
        self.is_seated = self.is_displaced = self.is_over = False
        self.revision = self.announced = -1
        self.loop = asyncio.get_running_loop()
        self._state: object = None
        self._waiting: asyncio.Future[None] | None = None

    @property
    def bucket(self) -> str:
        """Key of the table's streams that share one limit.

        It is the device if it held a seat, and empty for all streams without a seat.
        """
        return self.device if self.is_seated else ""

    def take_state(self) -> object:
        """Return the state that came with the newest revision, and clear it; None for none."""
        state, self._state = self._state, None
        return state

    async def wait(self, seconds: float) -> None:
        """Wait for news, at most this long.

        `asyncio.timeout` with an `Event` is several times slower (`bench/load.py`).
        """
        self._waiting = self.loop.create_future()
        timer = self.loop.call_later(seconds, self._stop_waiting)
        try:
            await self._waiting
        finally:
            timer.cancel()
            self._waiting = None

    def wake(self, news: News) -> None:
        """Receive news, in the stream's own event loop; ignore a revision that it already has."""
        if news.revision > self.revision or news.is_over:
            self._state = news.state
            self.revision = max(self.revision, news.revision)
            self.is_over = self.is_over or news.is_over
            self._stop_waiting()

    def _stop_waiting(self) -> None:
        if self._waiting and not self._waiting.done():
            self._waiting.set_result(None)


class News(NamedTuple):
    """Message to a stream: a new revision, perhaps with the page's state, or its end."""

    stream: Stream
    revision: int = -1
    state: object = None
    is_over: bool = False


_streams: dict[str, list[Stream]] = {}
"""The open streams by code of the table, the oldest first."""

_lock = Lock()
_count = 0

_changed = Condition()
_to_render: dict[str, int] = {}
"""Tables whose state `sheets.live.sse.renderer` must render, each with its newest revision."""


def add(stream: Stream) -> bool:
    """Register a stream; return False if the process has too many."""
    global _count
    with _lock:
        if _count >= MAX_STREAMS:
            return False
        _streams.setdefault(stream.code, []).append(stream)
        _count += 1
    return True


def remove(stream: Stream) -> None:
    """Forget a stream that `add` has registered."""
    global _count
    with _lock:
        at_table = _streams[stream.code]
        at_table.remove(stream)
        _count -= 1
        if not at_table:
            del _streams[stream.code]
    if not _count:
        with _changed:
            _changed.notify_all()  # threads end


def make_room_for(stream: Stream) -> None:
    """End the oldest streams of the same bucket if there are too many."""
    limit = MAX_STREAMS_PER_DEVICE if stream.is_seated else MAX_SPECTATORS
    alike = [s for s in streams_at(stream.code) if s.bucket == stream.bucket and not s.is_over]
    oldest = alike[:-limit]
    for one in oldest:
        one.is_displaced = True
    _end(oldest)


def streams_at(code: str) -> tuple[Stream, ...]:
    """Return the streams of a table, the oldest first."""
    with _lock:
        return tuple(_streams.get(code, ()))


def codes() -> tuple[str, ...]:
    """Return the codes of all tables with streams."""
    with _lock:
        return tuple(_streams)


def count() -> int:
    """Return the number of streams."""
    return _count


def notify(code: str, revision: int) -> None:
    """Send the streams of a table its revision; thread-safe.

    Streams that want the state are notified when it is rendered (`next_to_render`).
    """
    behind = [stream for stream in streams_at(code) if stream.announced < revision]
    send(News(stream, revision) for stream in behind if stream.query is None)
    if any(stream.query is not None for stream in behind):
        with _changed:
            _to_render[code] = max(revision, _to_render.get(code, -1))
            _changed.notify_all()


def next_to_render(seconds: float) -> tuple[str, int] | None:
    """Wait for a table whose state must be rendered; return its code and revision.

    Return None after a while, or when there are no streams any more.
    """
    with _changed:
        _changed.wait_for(lambda: _to_render or not _count, timeout=seconds)
        if not _to_render:
            return None
        code = next(iter(_to_render))  # the one that has waited longest
        return code, _to_render.pop(code)


def send(news: Iterable[News]) -> None:
    """Send news to streams; thread-safe.

    To wake an event loop is the most expensive part, so each is woken only once.
    """
    by_loop: dict[asyncio.AbstractEventLoop, list[News]] = {}
    for one in news:
        one.stream.announced = max(one.stream.announced, one.revision)
        by_loop.setdefault(one.stream.loop, []).append(one)
    for loop, its_news in by_loop.items():
        # The loop of a server that has stopped is closed: nobody listens any more.
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(_wake, its_news)


def _wake(news: Iterable[News]) -> None:
    for one in news:
        one.stream.wake(one)


def end_device(code: str, device: str) -> None:
    """End the streams of a device at a table."""
    _end(stream for stream in streams_at(code) if stream.device == device)


def end_unseated(code: str, held: frozenset[str]) -> None:
    """End the streams of devices that had a seat at a table and are not among ``held`` any more."""
    _end(stream for stream in streams_at(code) if stream.is_seated and stream.device not in held)


def end_table(code: str) -> None:
    """End all streams of a table that is gone."""
    _end(streams_at(code))


def end_all() -> None:
    """End all streams of this process, because it stops; the pages connect again."""
    for code in codes():
        end_table(code)


def _end(streams: Iterable[Stream]) -> None:
    send(News(stream, is_over=True) for stream in streams)


class StreamThread:
    """A background thread that runs only while this process has streams."""

    def __init__(self, name: str, work: Callable[[Callable[[], bool]], None]) -> None:
        """``work`` is passed a function that returns whether there are streams; it ends if not."""
        self._name, self._work = name, work
        self._lock = Lock()
        self._thread: Thread | None = None

    def keep_running(self) -> None:
        """Start the thread unless it runs."""
        with self._lock:
            if self._thread is None or not self._thread.is_alive():
                work = (self._is_needed,)
                thread = Thread(target=self._work, args=work, name=self._name, daemon=True)
                thread.start()
                self._thread = thread

    def _is_needed(self) -> bool:
        with self._lock:
            if not count():
                self._thread = None
            return self._thread is not None
