"""Tests that the entries of a move and the table's revision are stored atomically."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.db import IntegrityError, transaction

from sheets.models import Entry, Table
from sheets.tables.event_store import Row, store_entries
from tests.table_games import TINY, sit_down

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgresql]

NOW = datetime(2026, 2, 3, 4, 5, 6, 789_000, tzinfo=UTC)
ROWS = [
    Row(1, {"do": "place", "player": 0, "at": ["b1", 'é "quoted" {7}', None]}, 0, "its-request"),
    Row(2, {"do": "end-pass", "note": "Ζήτα\n骰子"}, None, None),
]


def table_of() -> Table:
    """Return a table that has begun and has no entries."""
    return Table.objects.get(code=sit_down(level=TINY).code)


def stored() -> list[tuple[object, ...]]:
    """Return all stored entries."""
    named = ("number", "action", "seat", "request", "made")
    return list(Entry.objects.order_by("number").values_list(*named))


@pytest.mark.parametrize("has_begun", [False, True])
def test_entries_are_stored_with_the_tables_next_revision(has_begun: bool) -> None:
    """Both in a transaction of their own, and in one that has begun."""
    table = table_of()
    if has_begun:
        with transaction.atomic():
            assert store_entries(table, ROWS, NOW)
    else:
        assert store_entries(table, ROWS, NOW)
    assert stored() == [(*row, NOW) for row in ROWS]
    now = Table.objects.get(pk=table.pk)
    assert (now.revision, now.length, now.touched) == (table.revision + 1, 2, NOW)


def test_nothing_is_stored_if_the_revision_has_changed() -> None:
    table = table_of()
    assert store_entries(table, ROWS[:1], NOW)
    assert not store_entries(table, ROWS[1:], NOW)
    assert [row[0] for row in stored()] == [1]
    assert Table.objects.get(pk=table.pk).length == 1


@pytest.mark.parametrize(
    "there", [{"number": 2}, {"number": 9, "request": "its-request"}], ids=["number", "request"]
)
def test_a_refused_entry_prevents_the_whole_move(there: dict[str, object]) -> None:
    table = table_of()
    Entry.objects.create(table=table, action={}, **there)
    before = stored()
    with pytest.raises(IntegrityError):
        store_entries(table, ROWS, NOW)
    assert stored() == before
    assert Table.objects.get(pk=table.pk).revision == table.revision
    assert not transaction.get_connection().in_atomic_block


def test_a_rollback_removes_the_entries() -> None:
    table = table_of()
    with transaction.atomic():
        store_entries(table, ROWS, NOW)
        transaction.set_rollback(True)
    assert stored() == []
    assert Table.objects.get(pk=table.pk).revision == table.revision
