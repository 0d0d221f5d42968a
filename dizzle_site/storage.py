"""Can something be stored just now, and if not, why? A full disk is no mistake of the program.

Whatever fails for such a reason is answered with 503 and the promise that nothing is lost, is
logged in one line, and works again by itself as soon as the reason is gone.
"""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable
from threading import Event, Lock, Timer
from typing import Any, Final

from django.db import Error, OperationalError, connection
from django.http import HttpRequest, HttpResponse

from .errors import cannot_store
from .sqlite.base import Replaced

log = logging.getLogger(__name__)

QUIET_SECONDS: Final = 60.0
"""How long nothing is said of the same failure once more."""

_LOCKED = "The database is locked by another program."
_READ_ONLY = "The database or its folder cannot be written to."
_FULL = "The disk is full."
_DISK = "The disk does not do what it should."
_REPLACED = (
    "The database's file was replaced or taken away while the site ran: stop the site, see that "
    "the right file is there, and start it again."
)
DAMAGED: Final = "The database is damaged."
SILENT: Final = "The database does not answer."

# By SQLite's primary result codes. The others are mistakes in a statement or in the program.
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
# By how PostgreSQL's SQLSTATE begins; none at all means that the connection broke.
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


class StillLocked(OperationalError):
    """Somebody else has been writing for so long that it is no use to wait any longer."""


def failure_of(problem: BaseException) -> str:
    """Why nothing could be stored or read, in one sentence for whoever runs the site.

    Empty for all that is no failure of the storage, but a mistake of ours.
    """
    if not isinstance(problem, Error):
        return ""
    if isinstance(problem, StillLocked):
        return _LOCKED
    if isinstance(problem, Replaced):
        return _REPLACED
    cause = problem.__cause__
    if isinstance(cause, sqlite3.Error):
        code = getattr(cause, "sqlite_errorcode", None)
        return "" if code is None else _SQLITE.get(code & 0xFF, "")
    if cause is None:
        return SILENT if str(problem) == "connection already closed" else ""
    state = getattr(cause, "sqlstate", None)
    if state:
        return next((_POSTGRESQL[state[:n]] for n in (5, 2) if state[:n] in _POSTGRESQL), "")
    return SILENT if type(cause).__name__ in _WITHOUT_STATE else ""


_WITHOUT_STATE: Final = {"OperationalError", "ConnectionTimeout", "PoolTimeout", "TooManyRequests"}
"""What psycopg and its pool raise when the server itself has said nothing."""


class QuietLog:
    """Says the same thing once a minute at most, and then how often it has happened since."""

    def __init__(self, quiet_seconds: float = QUIET_SECONDS) -> None:
        self._quiet_seconds = quiet_seconds
        self._lock = Lock()
        self._more: dict[str, int] = {}

    def error(self, sentence: str, detail: object = "") -> None:
        """Log a sentence, with what the machine said the first time; safe from any thread."""
        with self._lock:
            if sentence in self._more:
                self._more[sentence] += 1
                return
            self._begin(sentence)
        log.error("%s (%s)", sentence, " ".join(str(detail).split()) or "no more is known")

    def _begin(self, sentence: str) -> None:
        self._more[sentence] = 0
        timer = Timer(self._quiet_seconds, self._end, (sentence,))
        timer.daemon = True
        timer.start()

    def _end(self, sentence: str) -> None:
        with self._lock:
            more = self._more.pop(sentence)
            if more:
                self._begin(sentence)
        if more:
            log.error("%s (%d more in the last %g s)", sentence, more, self._quiet_seconds)


quiet_log: Final = QuietLog()
has_failed: Final = Event()
"""Set when a request could store or read nothing, cleared by who then finds out more."""


class StorageFailures:
    """The middleware that answers 503 where nothing could be stored or read."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if postgresql := _postgresql():
            postgresql.begin_request()
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, problem: Exception) -> HttpResponse | None:
        """Repeat the request if its connection broke before anything was stored, else refuse it."""
        failure = failure_of(problem)
        if failure and _can_be_repeated():
            connection.close()
            try:
                return _repeat(request)
            except Error as again:
                problem, failure = again, failure_of(again)
                if not failure:
                    raise
        if not failure:
            return None
        quiet_log.error(failure, problem)
        has_failed.set()
        response = cannot_store(request)
        response._has_been_logged = True  # type: ignore[attr-defined]  # and not once more
        return response


def _can_be_repeated() -> bool:
    postgresql = _postgresql()
    return bool(postgresql and postgresql.was_lost and not postgresql.may_have_stored)


def _postgresql() -> Any:
    """This thread's connection, a `postgresql.base.DatabaseWrapper`; None if it is to SQLite.

    (Its module cannot be imported where only SQLite is used: psycopg is not there.)
    """
    return connection if connection.vendor == "postgresql" else None


def _repeat(request: HttpRequest) -> HttpResponse:
    for _name, files in request.FILES.lists():
        for file in files:
            file.seek(0)
    found: Any = request.resolver_match  # there was a view, for it has failed
    response: HttpResponse = found.func(request, *found.args, **found.kwargs)
    return response
