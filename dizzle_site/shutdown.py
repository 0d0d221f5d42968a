"""Signals that end the process, and a clean stop that leaves SQLite's data in one file."""

from __future__ import annotations

import logging
import signal
import sqlite3
import sys
import time
from contextlib import closing
from pathlib import Path
from types import FrameType
from typing import Any, Final
from weakref import WeakSet

from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created
from django.dispatch import receiver

log = logging.getLogger(__name__)

MAX_WAIT_S: Final = 4.0
"""Maximum wait, in seconds, for other processes that have SQLite's file open, such as a worker."""

RETRY_S: Final = 0.05
"""Interval between two tries, in seconds."""

_connections: WeakSet[BaseDatabaseWrapper] = WeakSet()
"""The connections of all threads. Each thread sees only its own in `django.db.connections`."""


@receiver(connection_created)
def _note(connection: BaseDatabaseWrapper, **_more: Any) -> None:
    _connections.add(connection)


def end_by_exception() -> None:
    """Let SIGTERM and a closed terminal end the process by SystemExit, so that it cleans up.

    A server replaces the handler of SIGTERM by its own while it serves.
    """

    def end(number: int, _frame: FrameType | None) -> None:
        signal.signal(number, signal.SIG_IGN)  # a second signal must not interrupt the cleaning up
        sys.exit(128 + number)

    signal.signal(signal.SIGTERM, end)
    if sys.platform != "win32" and signal.getsignal(signal.SIGHUP) is signal.SIG_DFL:
        signal.signal(signal.SIGHUP, lambda _number, _frame: signal.raise_signal(signal.SIGTERM))


def close_database() -> None:
    """Close the connections of all threads, and write SQLite's write-ahead log into its file.

    Signals are ignored meanwhile; afterwards they end the process at once.
    """
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    for database in list(_connections):
        if database.connection:
            database.connection.close()
    if connection.vendor == "sqlite":
        _make_one_file(Path(connection.settings_dict["NAME"]))
    else:
        connection.close_pool()  # type: ignore[attr-defined]
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)


def _make_one_file(path: Path) -> None:
    """Write SQLite's write-ahead log into the database file, and wait until the log is gone.

    SQLite removes the log when the last process closes the database. Waits `MAX_WAIT_S` at most.
    """
    end = time.monotonic() + MAX_WAIT_S
    log_path = path.with_name(path.name + "-wal")
    while log_path.exists() and time.monotonic() < end:
        try:
            with closing(sqlite3.connect(path, timeout=1)) as database:
                database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        except sqlite3.Error as problem:
            log.warning("%s could not be written into %s: %s", log_path.name, path.name, problem)
        if log_path.exists():
            time.sleep(RETRY_S)
