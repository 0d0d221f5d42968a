"""Messages between processes: revisions of all tables with streams, and moves by NOTIFY."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace

import pytest
from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from dizzle_site import database_errors
from sheets.live import bus, hub
from sheets.live.bus import PostgresqlSource
from sheets.models import Seat, Table
from sheets.tables.event_store import Row, store_entries
from tests.processes import TIMEOUT_S

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]


@pytest.mark.parametrize("count", [0, 1, 2, 9, 64, 501])
def test_revisions_and_seats_of_all_tables_are_read(
    count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = [Table(code=f"T{number:07}", revision=number % 7) for number in range(count + 1)]
    tables = Table.objects.bulk_create(tables)
    Seat.objects.bulk_create(
        Seat(table=table, number=number, token_digest=f"{table.code} {number}" if number else "")
        for table in tables
        for number in range(3)
    )
    sent: dict[str, int] = {}
    held: dict[str, frozenset[str]] = {}
    gone: list[str] = []
    codes = [table.code for table in tables[:count]]
    monkeypatch.setattr(hub, "codes", lambda: (*codes, "GONE"))
    monkeypatch.setattr(hub, "notify", sent.__setitem__)
    monkeypatch.setattr(hub, "end_unseated", held.__setitem__)
    monkeypatch.setattr(hub, "end_table", gone.append)
    revisions = {one.code: one.revision for one in tables[:count]}
    assert bus.read_changes({}) == sent == revisions
    assert held == {code: {f"{code} 1", f"{code} 2"} for code in codes}
    assert gone == ["GONE"]
    sent.clear()
    held.clear()
    Table.objects.filter(code__in=codes[:1]).update(revision=40)
    assert bus.read_changes(revisions) == revisions | dict.fromkeys(codes[:1], 40)
    assert sent == dict.fromkeys(codes[:1], 40)
    assert held.keys() == sent.keys()


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    """Record the revisions sent to streams on PostgreSQL, without polling in between."""
    if connection.vendor != "postgresql":
        pytest.skip("SQLite sends no messages")
    monkeypatch.setattr(bus, "POSTGRESQL_POLL_SECONDS", TIMEOUT_S)
    sent: list[tuple[str, int]] = []
    monkeypatch.setattr(hub, "notify", lambda code, revision: sent.append((code, revision)))
    return sent


@pytest.fixture
def source(transactional_db: None, sent: list[tuple[str, int]]) -> Iterator[PostgresqlSource]:
    """Return a source that has read the revisions and listens from then on."""
    source = PostgresqlSource()
    assert source.wait()
    source._listen(0)
    yield source
    source.close()


def moved() -> tuple[str, int]:
    """Store a move of two entries; return its table and the new revision."""
    table = Table.objects.create(code=f"T{Table.objects.count():07}")
    rows = [Row(number, {"do": "done"}, None, None) for number in (1, 2)]
    assert store_entries(table, rows, timezone.now())
    return table.code, table.revision + 1


def test_postgresql_notifies_of_a_move_immediately(
    sent: list[tuple[str, int]], source: PostgresqlSource
) -> None:
    moves = [moved(), moved()]
    while len(sent) < len(moves):
        assert not source.wait()
    assert sent == moves


@pytest.mark.parametrize("message", ["", "[]", '["CODE", 3, ""]', "CODE -1", "CODE 1 2"])
def test_messages_of_other_versions_are_ignored(
    message: str, sent: list[tuple[str, int]], source: PostgresqlSource
) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_notify(%s, %s)", [bus.CHANNEL, message])
    last = moved()
    while not sent:
        assert not source.wait()
    assert sent == [last]


def test_a_rolled_back_move_is_not_sent(
    sent: list[tuple[str, int]], source: PostgresqlSource
) -> None:
    with transaction.atomic():
        moved()
        transaction.set_rollback(True)
    last = moved()
    assert not source.wait()
    assert sent == [last]


def test_a_lost_connection_is_replaced_and_revisions_are_read(
    sent: list[tuple[str, int]], source: PostgresqlSource, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert source._listening
    source._listening.close()
    missed = moved()
    source._listen(0)
    assert source._listening is None
    monkeypatch.setattr(bus, "POSTGRESQL_POLL_SECONDS", 0.01)
    while not source.wait():
        pass
    monkeypatch.setattr(bus, "POSTGRESQL_POLL_SECONDS", TIMEOUT_S)
    source._listen(0)
    last = moved()
    assert not source.wait()
    assert sent == [last] != [missed]


def test_an_error_of_a_closed_connection_is_not_logged_while_the_site_stops(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The site closes the connections of all threads after the last stream has ended."""
    has_streams = True

    def wait() -> bool:
        nonlocal has_streams
        has_streams = False
        raise DatabaseError("Cannot operate on a closed database.")

    monkeypatch.setattr(bus, "_new_source", lambda: SimpleNamespace(wait=wait, close=int))
    bus._listen(lambda: has_streams)
    assert caplog.text == ""


def test_the_listening_thread_survives_errors(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    turns = [RuntimeError("a bug"), DatabaseError("no such column"), None]

    def read(known: dict[str, int]) -> dict[str, int]:
        if problem := turns.pop(0):
            raise problem
        return known

    monkeypatch.setattr(bus, "read_changes", read)
    monkeypatch.setattr(bus, "PAUSE_SECONDS", 0)
    monkeypatch.setattr(
        database_errors, "throttled_log", database_errors.ThrottledLog(interval_seconds=0)
    )
    monkeypatch.setattr(bus, "_new_source", lambda: SimpleNamespace(wait=lambda: True, close=int))
    bus._listen(lambda: bool(turns))
    assert turns == []
    assert "RuntimeError: a bug" in caplog.text  # the traceback
