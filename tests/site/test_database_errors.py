"""Classification of failures of the storage, and the rate of their log lines."""

from __future__ import annotations

import sqlite3
from types import SimpleNamespace

import pytest
from django.db import DatabaseError, IntegrityError, InterfaceError, OperationalError, connection
from django.test import Client

from dizzle_site import database_errors
from dizzle_site.database_errors import DAMAGED, SILENT, StillLocked, ThrottledLog, failure_of


def with_code(code: int) -> DatabaseError:
    """Return an error of SQLite as Django wraps it."""
    cause = sqlite3.OperationalError("in its words")
    cause.sqlite_errorcode = code
    problem = DatabaseError("in its words")
    problem.__cause__ = cause
    return problem


def with_state(state: str | None) -> OperationalError:
    """Return an error of PostgreSQL as Django wraps it; without a state for a broken connection."""
    import psycopg

    problem = OperationalError("in its words")
    cause = psycopg.OperationalError("in its words")
    cause.sqlstate = state
    problem.__cause__ = cause
    return problem


@pytest.mark.parametrize(
    ("problem", "words"),
    [
        (with_code(sqlite3.SQLITE_FULL), "full"),
        (with_code(sqlite3.SQLITE_IOERR_WRITE), "disk"),
        (with_code(sqlite3.SQLITE_READONLY), "cannot be written"),
        (with_code(sqlite3.SQLITE_READONLY_DIRECTORY), "cannot be written"),
        (with_code(sqlite3.SQLITE_BUSY), "locked"),
        (with_code(sqlite3.SQLITE_CANTOPEN), "cannot be opened"),
        (with_code(sqlite3.SQLITE_CORRUPT), DAMAGED),
        (with_code(sqlite3.SQLITE_NOTADB), DAMAGED),
        (with_state(None), SILENT),
        (with_state("57P01"), SILENT),
        (with_state("53100"), "full"),
        (with_state("25006"), "cannot be written"),
        (InterfaceError("connection already closed"), SILENT),
        (StillLocked(), "locked"),
    ],
)
def test_failure_is_named(problem: DatabaseError, words: str) -> None:
    assert words in failure_of(problem)


@pytest.mark.parametrize(
    "problem",
    [
        RuntimeError("of ours"),
        with_code(sqlite3.SQLITE_ERROR),
        with_code(sqlite3.SQLITE_MISUSE),
        with_state("42P01"),
        IntegrityError("twice"),
        InterfaceError("Cursor already closed"),
    ],
)
def test_bugs_are_no_failures_of_the_storage(problem: Exception) -> None:
    assert failure_of(problem) == ""


@pytest.mark.django_db
@pytest.mark.postgresql
def test_wrong_statement_is_no_failure_of_the_storage() -> None:
    with connection.cursor() as cursor, pytest.raises(DatabaseError) as raised:
        cursor.execute("SELECT * FROM no_such_table")
    assert failure_of(raised.value) == ""


@pytest.mark.urls("tests.site.broken_urls")
def test_bug_keeps_its_traceback(caplog: pytest.LogCaptureFixture) -> None:
    client = Client(raise_request_exception=False)
    assert client.get("/broken/").status_code == 500


def test_same_failure_is_logged_once_and_then_counted(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 1000.0
    monkeypatch.setattr(database_errors, "time", SimpleNamespace(monotonic=lambda: now))
    log = ThrottledLog()
    for _ in range(60):
        log.error("It is full.", "in\nmany\nlines")
    log.error("It is locked.")
    now += 61
    log.error("It is full.", "still")
    assert [record.getMessage() for record in caplog.records] == [
        "It is full. (in many lines)",
        "It is locked. (no details)",
        "It is full. (still; 59 more before)",
    ]
