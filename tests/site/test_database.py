"""Settings of SQLite for durability and simultaneous writers."""

import threading
import time
from pathlib import Path

import pytest
from django.db import connection, transaction
from django.db.utils import ConnectionHandler

from dizzle_site.databases import database_settings

HOLD_S = 0.3


@pytest.mark.django_db
def test_acknowledged_changes_survive_a_power_cut(tmp_path: Path) -> None:
    """With the settings of sites: tests do not wait for the disk, see `tests.settings`."""
    kept = ConnectionHandler({"default": database_settings("", tmp_path)})["default"]

    def pragma(name: str) -> object:
        with kept.cursor() as cursor:
            cursor.execute(f"PRAGMA {name}")
            return cursor.fetchone()[0]

    assert pragma("journal_mode") == "wal"
    assert pragma("synchronous") == 2  # FULL
    assert pragma("foreign_keys") == 1
    kept.close()


@pytest.mark.django_db(transaction=True)
def test_second_writer_waits_for_the_first() -> None:
    """Without IMMEDIATE it would read first and then fail with "database is locked"."""
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE tally (marks INTEGER)")
        cursor.execute("INSERT INTO tally VALUES (0)")

    def add_one() -> None:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SELECT marks FROM tally")
            marks = cursor.fetchone()[0]
            time.sleep(HOLD_S)
            cursor.execute("UPDATE tally SET marks = %s", [marks + 1])
        connection.close()

    writers = [threading.Thread(target=add_one) for _ in range(2)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    with connection.cursor() as cursor:
        cursor.execute("SELECT marks FROM tally")
        marks = cursor.fetchone()[0]
        cursor.execute("DROP TABLE tally")
    assert marks == 2
