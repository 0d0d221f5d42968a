"""Database contents that take long to create, created once for all tests that read them."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.apps import apps
from django.db import connection, transaction

from tests.shared_cache import shared_folder


def fill_once(name: str, store: Callable[[], Any]) -> Any:
    """Fill an empty database by calling ``store``, and return its result.

    Only the first test with this name calls ``store``; later ones, also in other processes, get a
    copy of the rows and of the result, which must be picklable and no model instance. On PostgreSQL
    each test calls ``store``.
    """
    if connection.vendor != "sqlite":
        return store()
    given: list[Any] = []

    def make(folder: Path) -> None:
        given.append(store())
        (folder / "stored").write_bytes(pickle.dumps((given[0], _rows())))

    folder = shared_folder(name, make)
    if not given:
        found, rows = pickle.loads((folder / "stored").read_bytes())  # noqa: S301  our own
        _fill(rows)
        given.append(found)
    return given[0]


def _rows() -> dict[str, list[Any]]:
    """Return all rows of all database tables of the site, by table name."""
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
