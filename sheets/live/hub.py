"""Who listens in this process, and who of them is to be told?"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from contextlib import suppress
from threading import Lock
from typing import Final, NamedTuple

from sheets.live.news import Looker, News, Tell, Teller

MAX_STREAMS: Final = 5000
"""How many streams one process holds."""

MAX_PER_DEVICE: Final = 3
"""How many streams a device with a seat holds at one table; a new one ends its oldest.

A phone that lost its network leaves a stream behind which the server takes for alive for a while,
so it is always the new one that must be let in.
"""

MAX_SPECTATORS: Final = 30
"""How many streams without a seat are held at one table; a new one ends the oldest."""


class Stream:
    """One phone that listens to a table.

    ``token_digest`` is empty without a token; ``is_seated`` says that the token held a seat when
    the stream was opened. ``looker`` is its page where that wants the news themselves, ``news``
    what it was not sent yet of them. ``revision`` is the last it has heard of, ``told`` the last
    that is on its way to it, which all threads may read. All else belongs to the event loop of the
    stream except where said.
    """

    __slots__ = (
        "_waiting",
        "code",
        "is_over",
        "is_seated",
        "looker",
        "loop",
        "news",
        "revision",
        "token_digest",
        "told",
    )

    def __init__(self, code: str, token_digest: str, looker: Looker | None = None) -> None:
        self.code = code
        self.token_digest = token_digest
        self.looker = looker
        self.news: News | None = None
        self.is_seated = False
        self.is_over = False
        self.revision = self.told = -1
        self.loop = asyncio.get_running_loop()
        self._waiting: asyncio.Future[None] | None = None

    @property
    def bucket(self) -> str:
        """What its number is limited with: the device, or all who only watch."""
        return self.token_digest if self.is_seated else ""

    def notify(self, revision: int, *, is_over: bool = False) -> None:
        """Wake the stream with a revision, or end it; safe from any thread."""
        _wake_all([_Word(self, revision, is_over)])

    def wake(self, revision: int = -1, is_over: bool = False, news: News | None = None) -> None:
        """Note what there is to tell, in the stream's own loop; what is known wakes nobody."""
        if revision > self.revision or is_over:
            self.news = news
            self.revision = max(self.revision, revision)
            self.is_over = self.is_over or is_over
            self._stop_waiting()

    def take_news(self) -> News | None:
        """The news that are to be sent now: from then on the page has them."""
        news, self.news = self.news, None
        if news and self.looker:
            self.looker = self.looker._replace(has=news.has)
        return news

    def _stop_waiting(self) -> None:
        if self._waiting and not self._waiting.done():
            self._waiting.set_result(None)

    async def wait(self, seconds: float) -> None:
        """Wait until there may be something to tell, so long at most."""
        self._waiting = self.loop.create_future()
        timer = self.loop.call_later(seconds, self._stop_waiting)
        try:
            await self._waiting
        finally:
            timer.cancel()
            self._waiting = None


class _Word(NamedTuple):
    """What one stream is told."""

    stream: Stream
    revision: int
    is_over: bool = False
    news: News | None = None


def _wake_all(words: Iterable[_Word]) -> None:
    """Tell streams, each in its own loop, which is woken once for all of them: that costs most."""
    by_loop: dict[asyncio.AbstractEventLoop, list[_Word]] = {}
    for word in words:
        word.stream.told = max(word.stream.told, word.revision)
        by_loop.setdefault(word.stream.loop, []).append(word)
    for loop, its_words in by_loop.items():
        # A loop that is closed is that of a server that goes down: nobody listens any more.
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(_say, its_words)


def _say(words: Iterable[_Word]) -> None:
    for stream, revision, is_over, news in words:
        stream.wake(revision, is_over, news)


_streams: dict[str, list[Stream]] = {}
"""By table, the oldest first."""

_lock = Lock()
_count = 0


def add(stream: Stream) -> bool:
    """Let a stream listen; False if the process is full."""
    global _count
    with _lock:
        if _count >= MAX_STREAMS:
            return False
        _streams.setdefault(stream.code, []).append(stream)
        _count += 1
    return True


def remove(stream: Stream) -> None:
    """Forget a stream that `add` let in."""
    global _count
    with _lock:
        at_table = _streams[stream.code]
        at_table.remove(stream)
        _count -= 1
        if not at_table:
            del _streams[stream.code]


def make_room_for(stream: Stream) -> None:
    """End the oldest streams of the same device, or of those who only watch, if it is too many."""
    limit = MAX_PER_DEVICE if stream.is_seated else MAX_SPECTATORS
    alike = [s for s in at(stream.code) if s.bucket == stream.bucket and not s.is_over]
    for old in alike[:-limit]:
        old.notify(-1, is_over=True)


def at(code: str) -> tuple[Stream, ...]:
    """The streams of one table, the oldest first."""
    with _lock:
        return tuple(_streams.get(code, ()))


def codes() -> tuple[str, ...]:
    """The tables somebody listens to."""
    with _lock:
        return tuple(_streams)


def count() -> int:
    """How many streams there are."""
    return _count


def notify(code: str, revision: int) -> None:
    """Tell all who listen to a table its revision; safe from any thread.

    Who wants the news themselves hears of it as soon as they are made.
    """
    late = [stream for stream in at(code) if stream.told < revision]
    _wake_all(_Word(stream, revision) for stream in late if not stream.looker)
    if any(stream.looker for stream in late):
        _teller.tell(code, revision)


def _deliver(code: str, revision: int, tell: Tell) -> None:
    late = [(stream, stream.looker) for stream in at(code) if stream.told < revision]
    lookers = [looker for _stream, looker in late if looker]
    found = iter(tell(code, lookers) if lookers else ())
    words = []
    for stream, looker in late:
        news = next(found) if looker else None
        # It may have moved on since; of a revision that is not there yet there is no news.
        if news and news.revision >= revision:
            words.append(_Word(stream, news.revision, news=news))
        else:
            words.append(_Word(stream, revision))
    _wake_all(words)


_teller = Teller(_deliver)


def end_device(code: str, token_digest: str) -> None:
    """End the streams of a device at a table."""
    _end(stream for stream in at(code) if stream.token_digest == token_digest)


def end_unseated(code: str, held: frozenset[str]) -> None:
    """End the streams of devices that had a seat at a table and have none any more.

    ``held`` are the digests of the tokens that hold a seat now.
    """
    _end(stream for stream in at(code) if stream.is_seated and stream.token_digest not in held)


def end_table(code: str) -> None:
    """End all streams of a table that is gone."""
    _end(at(code))


def end_all() -> None:
    """End every stream of this process, because it is about to end; phones come back."""
    for code in codes():
        end_table(code)


def _end(streams: Iterable[Stream]) -> None:
    _wake_all(_Word(stream, -1, is_over=True) for stream in streams)
