"""Does the look into the database find all tables that somebody listens to, however many?

And does PostgreSQL tell of a move before anybody looks?
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection, transaction
from django.utils import timezone

from sheets.live import hub, watch
from sheets.live.watch import PostgresqlWatch, held_at, revisions_of
from sheets.models import Seat, Table
from sheets.tables.storing import Row, store_entries
from tests.site.running import PATIENCE_S

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]


@pytest.mark.parametrize("count", [0, 1, 2, 9, 64, 501])
def test_all_tables_are_found_and_who_sits_there(count: int) -> None:
    tables = [Table(code=f"T{number:07}", revision=number % 7) for number in range(count + 1)]
    tables = Table.objects.bulk_create(tables)
    Seat.objects.bulk_create(
        Seat(table=table, number=number, token_digest=f"{table.code} {number}" if number else "")
        for table in tables
        for number in range(3)
    )
    watched = tables[:count]
    codes = [table.code for table in watched]
    assert revisions_of([*codes, "GONE"]) == {one.code: one.revision for one in watched}
    held = {code: {f"{code} 1", f"{code} 2"} for code in codes}
    assert held_at([*codes, "GONE"]) == {**held, "GONE": set()}


def test_where_nothing_has_moved_nobody_is_asked(django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(0):
        assert held_at([]) == revisions_of([]) == {}


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    """What streams are told, on PostgreSQL; nobody looks again so soon."""
    if connection.vendor != "postgresql":
        pytest.skip("SQLite tells nobody")
    monkeypatch.setattr(watch, "POLL_SECONDS", PATIENCE_S)
    told: list[tuple[str, int]] = []
    monkeypatch.setattr(hub, "notify", lambda code, revision: told.append((code, revision)))
    return told


@pytest.fixture
def watching(transactional_db: None, told: list[tuple[str, int]]) -> Iterator[PostgresqlWatch]:
    """Somebody who has looked, and listens from then on."""
    watching = PostgresqlWatch()
    assert watching.must_ask()
    watching._listen(0)
    yield watching
    watching.close()


def moved() -> tuple[str, int]:
    """Somebody makes a move of two entries; gives its table and the revision it led to."""
    table = Table.objects.create(code=f"T{Table.objects.count():07}")
    rows = [Row(number, {"do": "done"}, None, None) for number in (1, 2)]
    assert store_entries(table, rows, timezone.now())
    return table.code, table.revision + 1


def test_postgresql_tells_of_a_move_at_once(
    told: list[tuple[str, int]], watching: PostgresqlWatch
) -> None:
    moves = [moved(), moved()]
    while len(told) < len(moves):
        assert not watching.must_ask()
    assert told == moves


def test_a_move_that_is_taken_back_is_told_to_nobody(
    told: list[tuple[str, int]], watching: PostgresqlWatch
) -> None:
    with transaction.atomic():
        moved()
        transaction.set_rollback(True)
    last = moved()
    assert not watching.must_ask()
    assert told == [last]


def test_who_hears_nothing_more_looks_and_listens_anew(
    told: list[tuple[str, int]], watching: PostgresqlWatch, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert watching._listening
    watching._listening._connection.close()
    missed = moved()
    watching._listen(0)
    assert watching._listening is None
    monkeypatch.setattr(watch, "POLL_SECONDS", 0.01)
    while not watching.must_ask():
        pass
    monkeypatch.setattr(watch, "POLL_SECONDS", PATIENCE_S)
    watching._listen(0)
    last = moved()
    assert not watching.must_ask()
    assert told == [last] != [missed]
