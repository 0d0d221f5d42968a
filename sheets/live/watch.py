"""How does this process learn what other processes have changed?

One thread looks while anybody listens: on SQLite it asks every 50 ms whether anybody has written,
on PostgreSQL it asks for the revisions themselves, and waits for letters in between. What it finds
goes to
the streams; whenever something may have been missed it reads the revisions from the database.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable
from threading import Lock, Thread
from typing import TYPE_CHECKING, Any, Final, Protocol

from django.db import Error as DatabaseError
from django.db import connection

from dizzle_site.storage import SILENT, failure_of, quiet_log
from sheets.live import hub, post

if TYPE_CHECKING:
    from dizzle_site.postgresql.listening import Listening

SQLITE_ASK_SECONDS: Final = 0.05
POLL_SECONDS: Final = 0.25
LETTER_SECONDS: Final = 0.5

CODES: Final = {
    "sqlite": "SELECT value FROM json_each(%s)",
    "postgresql": "SELECT jsonb_array_elements_text(%s::jsonb)",
}
"""The tables asked about, however many, as one value: to put in each by itself takes longer than
the database does to answer."""

REVISIONS: Final = "SELECT code, revision FROM sheets_table WHERE code IN ({codes})"

HELD: Final = """
SELECT code, token_digest FROM sheets_seat JOIN sheets_table ON table_id = sheets_table.id
WHERE token_digest <> '' AND code IN ({codes})"""


class Watch(Protocol):
    """One way of noticing: waits a moment, then says whether the database must be read."""

    def must_ask(self) -> bool:
        """Wait a moment; whether something may have changed that nobody has told."""

    def close(self) -> None:
        """Give back what it holds."""


class SqliteWatch:
    """Asks SQLite whether any connection but this one has written."""

    def __init__(self) -> None:
        self._version = -1

    def must_ask(self) -> bool:
        time.sleep(SQLITE_ASK_SECONDS)
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA data_version")
            (version,) = cursor.fetchone()
        is_new = bool(version != self._version)
        self._version = version
        return is_new

    def close(self) -> None:
        connection.close()


class PostgresqlWatch:
    """Looks every time, and passes on the letters that come in between.

    Moves come as letters at once. What else changes, and moves where letters are not heard, it
    finds when it looks.
    """

    def __init__(self) -> None:
        self._listening: Listening | None = None
        self._looked = 0.0

    def must_ask(self) -> bool:
        connection.close()  # given back to the pool while nobody looks
        left = self._looked + POLL_SECONDS - time.monotonic()
        if left > 0:
            self._listen(left)
        if time.monotonic() < self._looked + POLL_SECONDS:
            return False
        self._looked = time.monotonic()
        return True

    def _listen(self, seconds: float) -> None:
        from dizzle_site.postgresql.listening import Listening

        try:
            self._listening = self._listening or Listening()
            for message in self._listening.wait(seconds):
                _pass_on(message)
        except DatabaseError:  # whether the database is well is seen when it is asked
            self._hang_up()
            time.sleep(seconds)

    def _hang_up(self) -> None:
        if self._listening:
            self._listening.close()
            self._listening = None

    def close(self) -> None:
        self._hang_up()
        connection.close()


def _pass_on(message: bytes) -> None:
    letter = post.open_letter(message)
    if letter:
        hub.notify(letter.code, letter.revision)


_lock = Lock()
_thread: Thread | None = None


def keep_watch() -> None:
    """See to it that somebody looks, from now on until nobody listens any more."""
    global _thread
    with _lock:
        if _thread is None:
            _thread = Thread(target=_watch, name="live-watch", daemon=True)
            _thread.start()


def _is_needed() -> bool:
    """Whether anybody listens; if not, the thread is over and the next stream starts a new one."""
    global _thread
    with _lock:
        if not hub.count():
            _thread = None
        return _thread is not None


def _watch() -> None:
    watch = _make_watch()
    seen: dict[str, int] = {}
    try:
        while _is_needed():
            try:
                if watch.must_ask():
                    seen = ask(seen)
            except DatabaseError as problem:
                # It will be back, and then everything is read anew.
                quiet_log.error(failure_of(problem) or SILENT, problem)
                connection.close()
                seen = {}
                time.sleep(LETTER_SECONDS)
    finally:
        watch.close()


def _make_watch() -> Watch:
    return SqliteWatch() if connection.vendor == "sqlite" else PostgresqlWatch()


def ask(seen: dict[str, int]) -> dict[str, int]:
    """Read the revisions of all tables somebody listens to, and tell what is new.

    ``seen`` are the revisions found the last time; given back are those found now. A seat is never
    lost without a new revision, so only at tables that have one it is asked who sits there.
    """
    watched = hub.codes()
    found = revisions_of(watched)
    for code in set(watched) - set(found):
        hub.end_table(code)
    moved = [code for code, revision in found.items() if seen.get(code) != revision]
    for code, held in held_at(moved).items():
        hub.end_unseated(code, held)
    for code in moved:
        hub.notify(code, found[code])
    return found


def revisions_of(codes: Iterable[str]) -> dict[str, int]:
    """The revisions of tables; none of one that is gone."""
    return dict(_rows(REVISIONS, codes))


def held_at(codes: Iterable[str]) -> dict[str, frozenset[str]]:
    """The digests of the tokens that hold a seat at each table."""
    held: dict[str, set[str]] = {code: set() for code in codes}
    for code, token_digest in _rows(HELD, held):
        held[code].add(token_digest)
    return {code: frozenset(digests) for code, digests in held.items()}


def _rows(query: str, codes: Iterable[str]) -> list[tuple[Any, ...]]:
    asked = list(codes)
    if not asked:  # as where nothing has moved, at most looks
        return []
    with connection.cursor() as cursor:
        cursor.execute(query.format(codes=CODES[connection.vendor]), [json.dumps(asked)])
        return [*cursor.fetchall()]
