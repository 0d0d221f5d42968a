"""Optimistic append to a table's log: all entries with the new revision, or nothing.

This is plain SQL because a tap waits for it: with the ORM, a tap on SQLite costs a sixth more
processor time. On PostgreSQL, one statement is its own transaction and takes one round trip; an
update, an insert and NOTIFY in a transaction cost a tap 9 % more (`bench/tap.py`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from datetime import datetime
from typing import Any, Final, NamedTuple

from django.db import connection, transaction

from sheets.live import bus
from sheets.models import Table


class Row(NamedTuple):
    """One entry to store.

    Attributes:
        number: its number in the log, counted from 1.
        action: the entry itself (`event_log.Entry`).
        seat: the seat that acts, None for an automatic action.
        request: idempotency key that the device sent, None without one.
    """

    number: int
    action: Mapping[str, Any]
    seat: int | None
    request: str | None


ADVANCE_REVISION: Final = """
UPDATE sheets_table SET revision = %s, length = %s, touched = %s, is_paused = is_paused AND %s
WHERE id = %s AND revision = %s"""
"""SQL statement that sets the next revision of a table if it is still at the expected one."""

INSERT: Final = """
INSERT INTO sheets_entry (made, table_id, number, action, seat, request)
VALUES (%s, %s, %s, %s, %s, %s)"""
"""SQL statement that inserts one entry."""

ADVANCE_AND_INSERT: Final = f"""
WITH moved AS ({ADVANCE_REVISION} RETURNING id)
INSERT INTO sheets_entry (made, table_id, number, action, seat, request)
SELECT %s::timestamptz, moved.id, new.* FROM moved, unnest(
    %s::integer[], %s::jsonb[], %s::smallint[], %s::text[]
) AS new
RETURNING pg_notify(%s, %s)"""  # noqa: S608  made of constants
"""PostgreSQL statement that sets the revision, inserts entries and notifies other processes.

It notifies once for each entry, but PostgreSQL sends equal messages of one transaction only once.
"""


def store_entries(table: Table, rows: Sequence[Row], now: datetime) -> bool:
    """Append entries, at least one, and increment the table's revision if it is unchanged.

    Return False, and store nothing, if the stored revision is not ``table.revision``. ``now`` is
    stored as the time of the entries and of the table's last use. An entry of a seat ends a pause.

    Raises:
        IntegrityError: the log has an entry with such a number or request id; nothing is stored.
    """
    at = connection.ops.adapt_datetimefield_value(now)
    stays_paused = not ends_pause(rows)
    move = (table.revision + 1, rows[-1].number, at, stays_paused, table.pk, table.revision)
    stored = [(one.number, json.dumps(one.action), one.seat, one.request) for one in rows]
    with _all_or_nothing(), connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            columns = [list(column) for column in zip(*stored, strict=True)]
            message = (bus.CHANNEL, bus.message(table.code, table.revision + 1))
            cursor.execute(ADVANCE_AND_INSERT, [*move, at, *columns, *message])
            return bool(cursor.rowcount)
        cursor.execute(ADVANCE_REVISION, move)
        if not cursor.rowcount:
            return False
        cursor.executemany(INSERT, [(at, table.pk, *one) for one in stored])
    return True


def ends_pause(rows: Sequence[Row]) -> bool:
    """Return whether entries end the pause of a table: whether one of them is of a seat."""
    return any(row.seat is not None for row in rows)


def _all_or_nothing() -> AbstractContextManager[None]:
    """Return a transaction context; an empty one for PostgreSQL, whose one statement is atomic."""
    if connection.vendor == "postgresql" and not connection.in_atomic_block:
        return nullcontext()
    return transaction.atomic()
