"""Messages about changed tables between the server processes of a site.

On SQLite a thread polls every 50 ms for writes of other connections. On PostgreSQL moves are sent
with NOTIFY, and a thread listens; every 250 ms it also reads the revisions of all tables with
streams, because other changes are not sent, and a connection pooler may lose messages.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, Protocol

from django.db import Error as DatabaseError
from django.db import connection

from dizzle_site.database_errors import log_thread_error
from sheets.live import hub

if TYPE_CHECKING:
    import psycopg

SQLITE_POLL_SECONDS: Final = 0.05
"""Interval between two polls of SQLite for writes of other connections."""

POSTGRESQL_POLL_SECONDS: Final = 0.25
"""Interval between two reads of all revisions on PostgreSQL."""

PAUSE_SECONDS: Final = 0.5
"""Pause of the listening thread after an error, before it opens a new connection."""

CODES: Final = {
    "sqlite": "SELECT value FROM json_each(%s)",
    "postgresql": "SELECT jsonb_array_elements_text(%s::jsonb)",
}
"""SQL that turns one JSON parameter into a list of codes, by vendor of the database."""

REVISIONS: Final = "SELECT code, revision FROM sheets_table WHERE code IN ({codes})"
"""Query of the revisions of tables."""

DEVICES: Final = """
SELECT code, token_digest FROM sheets_seat JOIN sheets_table ON table_id = sheets_table.id
WHERE token_digest <> '' AND code IN ({codes})"""
"""Query of the devices that hold seats at tables, by their digests."""

CHANNEL: Final = "dizzle_live"
"""Name of the NOTIFY channel. PostgreSQL delivers only to listeners in the same database."""


def publish(code: str, revision: int) -> None:
    """Send a table's new revision to the streams of this process; called after the commit.

    On PostgreSQL, `sheets.tables.event_store` notifies other processes in a move's transaction.
    """
    hub.notify(code, revision)


def revoke(code: str, device_digest: str) -> None:
    """End the streams of a device that has lost its seat; called after the commit.

    Other processes end them when they read the seats of the table, which has a new revision.
    """
    if device_digest:
        hub.end_device(code, device_digest)


def message(code: str, revision: int) -> str:
    """Return the payload of NOTIFY on the `CHANNEL` for a table's new revision."""
    return f"{code} {revision}"


class Source(Protocol):
    """Source of changes that other processes have made."""

    def wait(self) -> bool:
        """Wait a moment; return whether the revisions must be read."""

    def close(self) -> None:
        """Close the connection."""


class SqliteSource:
    """Source that polls SQLite for writes of other connections."""

    def __init__(self) -> None:
        self._version = -1

    def wait(self) -> bool:
        """See `Source`."""
        time.sleep(SQLITE_POLL_SECONDS)
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA data_version")
            (version,) = cursor.fetchone()
        is_new = bool(version != self._version)
        self._version = version
        return is_new

    def close(self) -> None:
        """See `Source`."""
        connection.close()


class PostgresqlSource:
    """Source that passes NOTIFY messages to the streams until it is time to read the revisions."""

    def __init__(self) -> None:
        self._listening: psycopg.Connection[Any] | None = None
        self._last_read = 0.0

    def wait(self) -> bool:
        """See `Source`."""
        connection.close()  # back to the pool
        left = self._last_read + POSTGRESQL_POLL_SECONDS - time.monotonic()
        if left > 0:
            self._listen(left)
            if time.monotonic() < self._last_read + POSTGRESQL_POLL_SECONDS:
                return False
        self._last_read = time.monotonic()
        return True

    def _listen(self, seconds: float) -> None:
        try:
            with connection.wrap_database_errors:
                listening = self._listening or self._connect()
                for one in listening.notifies(timeout=seconds, stop_after=1):
                    code, _, revision = one.payload.partition(" ")
                    if revision.isdecimal():  # else another version of the site has sent it
                        hub.notify(code, int(revision))
        except DatabaseError:  # reading the revisions shows whether the database works
            self._disconnect()
            time.sleep(seconds)

    def _connect(self) -> psycopg.Connection[Any]:
        """Open a connection that only listens, outside the pool."""
        import psycopg  # not needed for SQLite

        self._listening = psycopg.connect(**connection.get_connection_params(), autocommit=True)
        self._listening.execute(f"LISTEN {CHANNEL}")
        return self._listening

    def _disconnect(self) -> None:
        if self._listening:
            self._listening.close()
            self._listening = None

    def close(self) -> None:
        """See `Source`."""
        self._disconnect()
        connection.close()


def _listen(is_needed: Callable[[], bool]) -> None:
    source = _new_source()
    known: dict[str, int] = {}
    try:
        while is_needed():
            try:
                if source.wait():
                    known = read_changes(known)
            except Exception as problem:  # the thread must go on
                if not is_needed():  # a site that stops has closed the connection
                    break
                log_thread_error(problem)
                source.close()
                source, known = _new_source(), {}
                time.sleep(PAUSE_SECONDS)
    finally:
        source.close()


def _new_source() -> Source:
    return SqliteSource() if connection.vendor == "sqlite" else PostgresqlSource()


listener: Final = hub.StreamThread("live-bus", _listen)
"""Thread that detects changes of tables and notifies the streams of this process."""


def read_changes(known: dict[str, int]) -> dict[str, int]:
    """Read the revisions of all tables with streams, notify the streams, return the revisions.

    No seat is lost without a new revision, so seats are read only at tables with a new revision.

    Args:
        known: revisions by table, as the last call has returned them.
    """
    watched = hub.codes()
    found = dict(_select(REVISIONS, watched))
    for code in set(watched) - set(found):
        hub.end_table(code)
    changed = [code for code, revision in found.items() if known.get(code) != revision]
    for code, held in _devices_at(changed).items():
        hub.end_unseated(code, frozenset(held))
    for code in changed:
        hub.notify(code, found[code])
    return found


def _devices_at(codes: list[str]) -> dict[str, set[str]]:
    """Return the devices that hold a seat at each table, by their digests."""
    held: dict[str, set[str]] = {code: set() for code in codes}
    for code, device in _select(DEVICES, codes):
        held[code].add(device)
    return held


def _select(query: str, codes: Sequence[str]) -> list[tuple[Any, ...]]:
    """Select rows of tables by their codes, which are one parameter of the query.

    With the ORM and a parameter for each code, 100 tables take 5 % of the site's processor time.
    """
    if not codes:
        return []
    with connection.cursor() as cursor:
        cursor.execute(query.format(codes=CODES[connection.vendor]), [json.dumps(codes)])
        return [*cursor.fetchall()]
