"""What takes long to store, as people store it, is stored once for all tests that look at it."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.apps import apps
from django.db import connection, transaction

from tests.made_once import made_once


def stored_once(name: str, store: Callable[[], Any]) -> Any:
    """What ``store`` gives, which must be pickled and know no rows, after it has filled a database.

    That is empty before. The first test to ask has it filled, and all others, in other processes
    too, get the same rows. On PostgreSQL each test has it filled anew.
    """
    if connection.vendor != "sqlite":
        return store()
    given: list[Any] = []

    def make(folder: Path) -> None:
        given.append(store())
        (folder / "stored").write_bytes(pickle.dumps((given[0], _rows())))

    folder = made_once(name, make)
    if not given:
        found, rows = pickle.loads((folder / "stored").read_bytes())  # noqa: S301  our own
        _fill(rows)
        given.append(found)
    return given[0]


def _rows() -> dict[str, list[Any]]:
    """All rows of all tables of the site, as they lie there, by table."""
    found = {}
    with connection.cursor() as cursor:
        for model in apps.get_app_config("sheets").get_models(include_auto_created=True):
            cursor.execute(f"SELECT * FROM {model._meta.db_table}")  # noqa: S608  our own
            found[model._meta.db_table] = cursor.fetchall()
    return found


def _fill(rows: dict[str, list[Any]]) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        for table, lines in rows.items():
            if lines:
                places = ", ".join(["%s"] * len(lines[0]))
                cursor.executemany(f"INSERT INTO {table} VALUES ({places})", lines)  # noqa: S608
