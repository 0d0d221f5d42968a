"""How does a phone get what is new with the word that something is, instead of asking for it?

Its stream says what the page shows (`Looker`). A thread has the site say what is new for each
phone at a table (`settings.LIVE_NEWS`), so that no stream waits for it. Whoever gets no news hears
the revision alone, and asks.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from threading import Condition, Thread
from typing import Final, NamedTuple

from django.conf import settings
from django.db import Error as DatabaseError
from django.db import connection
from django.utils.module_loading import import_string

from dizzle_site.storage import SILENT, failure_of, quiet_log

MOST_SHOWN: Final = 200
"""The longest description of what a page shows that is looked at."""

MOST_BYTES: Final = 800
"""The longest query that may have it; shorter than one with more fields than Django reads."""

PAUSE_SECONDS: Final = 0.25
"""After so long without any news the thread's connection goes back to the pool. To take it from
there and to see whether it lives takes longer than to read a table."""

IDLE_SECONDS: Final = 5.0
"""After so long without any news the thread ends, and gives back its connection."""

log = logging.getLogger(__name__)


class Looker(NamedTuple):
    """One page that looks at a table.

    ``device`` is the digest of its device's secret, ``shows`` the query of its address, ``has`` the
    sums of what it was sent last, by fragment.
    """

    device: str
    shows: str
    language: str
    has: Mapping[str, str]


class News(NamedTuple):
    """What is new for a page, as one line, and the sums of all that it has then."""

    revision: int
    line: bytes
    has: Mapping[str, str]


Tell = Callable[[str, Sequence[Looker]], Sequence[News | None]]
"""What is new at a table for each who looks at it; None for who has to ask."""


class Teller:
    """Has news made, of each table only for its newest revision, by a thread of its own.

    ``deliver(code, revision, tell)`` gives them to the streams: it calls ``tell`` with all lookers.
    """

    def __init__(self, deliver: Callable[[str, int, Tell], None]) -> None:
        self._deliver = deliver
        self._changed = Condition()
        self._waiting: dict[str, int] = {}
        self._thread: Thread | None = None

    def tell(self, code: str, revision: int) -> None:
        """See to it that all at a table are told; waits for nobody."""
        with self._changed:
            self._waiting[code] = max(revision, self._waiting.get(code, -1))
            if self._thread is None or not self._thread.is_alive():
                self._thread = Thread(target=self._tell_all, name="live-news", daemon=True)
                self._thread.start()
            self._changed.notify()

    def _tell_all(self) -> None:
        try:
            while waiting := self._next():
                self._deliver(*waiting, _news)
        finally:
            connection.close()

    def _next(self) -> tuple[str, int] | None:
        """A table and its revision; None after a while without any: the thread is over."""
        with self._changed:
            is_busy = self._changed.wait_for(lambda: self._waiting, timeout=PAUSE_SECONDS)
        if not is_busy and connection.vendor != "sqlite":
            connection.close()  # given back to the pool, which others wait for
        with self._changed:
            if self._changed.wait_for(lambda: self._waiting, timeout=IDLE_SECONDS):
                code = next(iter(self._waiting))  # who has waited longest
                return code, self._waiting.pop(code)
            self._thread = None
            return None


def _news(code: str, lookers: Sequence[Looker]) -> Sequence[News | None]:
    """What is new for each, or nothing where that cannot be said now: then they ask."""
    try:
        tell: Tell = import_string(settings.LIVE_NEWS)
        return tell(code, lookers)
    except DatabaseError as problem:
        quiet_log.error(failure_of(problem) or SILENT, problem)
        connection.close()
    except Exception:  # whatever it is, phones are to hear of the revision
        log.exception("no news of a table")
    return [None] * len(lookers)
