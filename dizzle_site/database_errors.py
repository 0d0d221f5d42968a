"""Middleware for failures of the database, such as a full disk: status 503 and one log line.

Phones store unsent changes and send them again, so nothing is lost. Errors in a statement or in the
program are not handled here: they get a traceback and status 500.
"""

from __future__ import annotations

import logging
import math
import sqlite3
import time
from collections.abc import Callable
from threading import Lock
from typing import Final

from django.db import Error, InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse

from dizzle_site.errors import cannot_store

log = logging.getLogger(__name__)

LOG_INTERVAL_SECONDS: Final = 60.0
"""Minimum time between two log lines about the same failure."""

_LOCKED = "The database is locked by another program."
_READ_ONLY = "The database or its folder cannot be written to."
_FULL = "The disk is full."
_DISK = "The disk does not do what it should."
DAMAGED: Final = "The database is damaged."
SILENT: Final = "The database does not answer."

_SQLITE: Final = {
    sqlite3.SQLITE_PERM: _READ_ONLY,
    sqlite3.SQLITE_BUSY: _LOCKED,
    sqlite3.SQLITE_LOCKED: _LOCKED,
    sqlite3.SQLITE_READONLY: _READ_ONLY,
    sqlite3.SQLITE_IOERR: _DISK,
    sqlite3.SQLITE_CORRUPT: DAMAGED,
    sqlite3.SQLITE_FULL: _FULL,
    sqlite3.SQLITE_CANTOPEN: "The database cannot be opened.",
    sqlite3.SQLITE_PROTOCOL: _LOCKED,
    sqlite3.SQLITE_NOTADB: DAMAGED,
}
"""Failures by SQLite's primary result code."""

_POSTGRESQL: Final = {
    "08": SILENT,
    "25006": _READ_ONLY,
    "40": _LOCKED,
    "53100": _FULL,
    "53": "The database has too much to do.",
    "55P03": _LOCKED,
    "57": SILENT,
    "58": _DISK,
    "XX001": DAMAGED,
    "XX002": DAMAGED,
}
"""Failures by prefix of PostgreSQL's SQLSTATE; the first prefix that fits decides."""


class StillLocked(OperationalError):
    """Another program has kept the database locked for too long."""


def failure_of(problem: BaseException) -> str:
    """Return why the database could not read or store; empty for all other errors."""
    if not isinstance(problem, Error):
        return ""
    if isinstance(problem, StillLocked):
        return _LOCKED
    cause = problem.__cause__
    if isinstance(cause, sqlite3.Error):
        return _SQLITE.get(getattr(cause, "sqlite_errorcode", 0) & 0xFF, "")
    if state := getattr(cause, "sqlstate", None):
        return next((said for code, said in _POSTGRESQL.items() if state.startswith(code)), "")
    # Without a state, PostgreSQL itself has said nothing: the connection broke, or there is none.
    is_closed = isinstance(problem, InterfaceError) and str(problem) == "connection already closed"
    return SILENT if is_closed or (cause and isinstance(problem, OperationalError)) else ""


class ThrottledLog:
    """Log with the same sentence at most once a minute, and the number of suppressed lines."""

    def __init__(self, interval_seconds: float = LOG_INTERVAL_SECONDS) -> None:
        self._interval_seconds = interval_seconds
        self._lock = Lock()
        self._said: dict[str, float] = {}
        self._left_out: dict[str, int] = {}

    def error(
        self, sentence: str, detail: object = "", *, traceback_of: BaseException | None = None
    ) -> None:
        """Log a sentence with the details of an error. Thread-safe."""
        now = time.monotonic()
        with self._lock:
            if now - self._said.get(sentence, -math.inf) < self._interval_seconds:
                self._left_out[sentence] = self._left_out.get(sentence, 0) + 1
                return
            self._said[sentence] = now
            left_out = self._left_out.pop(sentence, 0)
        more = f"; {left_out} more before" if left_out else ""
        words = " ".join(str(detail).split()) or "no details"
        log.error("%s (%s%s)", sentence, words, more, exc_info=traceback_of)


throttled_log: Final = ThrottledLog()


def log_thread_error(problem: Exception) -> None:
    """Log an error that a background thread survives; a bug of ours with its traceback."""
    if failure := failure_of(problem):
        throttled_log.error(failure, problem)
    else:
        sentence = "A background thread failed, and goes on."
        throttled_log.error(sentence, problem, traceback_of=problem)


class StorageFailures:
    """Middleware that answers 503 if the database failed."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, problem: Exception) -> HttpResponse | None:
        """Return a 503 response if a view failed because of the database, else None.

        Django itself closes a broken connection.
        """
        failure = failure_of(problem)
        if not failure:
            return None
        throttled_log.error(failure, problem)
        return cannot_store(request)
