"""Comparison of a SQLite file's schema with the one that the site's migrations make."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from ..sqlite.base import find_damage
from . import Refused
from .rows import Migrations

OF_SQLITE: Final = {
    "sqlite_sequence": "CREATE TABLE sqlite_sequence(name,seq)",
    "sqlite_stat1": "CREATE TABLE sqlite_stat1(tbl,idx,stat)",
    "sqlite_stat4": "CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)",
}
"""Tables that SQLite itself makes, for numbers of rows and for ANALYZE."""


TABLES: Final = "SELECT name FROM sqlite_master WHERE type = 'table'"


def tables_after(migrations: Migrations) -> dict[str, set[str]]:
    """Return the columns of each table that there is after these migrations."""
    models: list[Any] = [MigrationRecorder.Migration]
    state = MigrationLoader(None).project_state(migrations)
    models += state.apps.get_models(include_auto_created=True)
    return {
        model._meta.db_table: {field.column for field in model._meta.local_concrete_fields}
        for model in models
    }


def is_sound(file: Path) -> bool:
    """Whether a file is a SQLite database without damage."""
    try:
        with closing(open_untrusted(file)) as database:
            return not find_damage(database.cursor())
    except sqlite3.DatabaseError:
        return False


def check_kinds(file: Path) -> None:
    """Check that a database has only ordinary tables and their indexes, before it is used.

    Raises:
        Refused: it has a trigger, a view or a virtual table.
    """
    with closing(open_untrusted(file)) as database:
        entries = database.execute("SELECT type, name, sql FROM sqlite_master").fetchall()
    for kind, name, sql in entries:
        if kind not in ("table", "index"):
            raise Refused(f"it has a {_quote(kind)} {_quote(name)}, which this site never has")
        # Any other word between these would make it another kind of table.
        is_ordinary = str(sql).startswith(f'CREATE TABLE "{name}" (')
        if kind == "table" and not is_ordinary and sql != OF_SQLITE.get(name):
            raise Refused(f"its table {_quote(name)} is not written as this site's are")


def check_tables(file: Path, tables: Mapping[str, set[str]]) -> None:
    """Check that a database has these tables with these columns, and no others.

    Raises:
        Refused: it has other tables or columns.
    """
    with closing(open_untrusted(file)) as database:
        found = {name for (name,) in database.execute(TABLES)} - set(OF_SQLITE)
        for name in sorted(found ^ set(tables)):
            has = "has a" if name in found else "lacks the"
            raise Refused(f"it {has} table {_quote(name)}, unlike this site")
        for name, expected in tables.items():
            columns = database.execute(f'PRAGMA table_xinfo("{name}")').fetchall()
            if {column[1] for column in columns} != expected or any(one[6] for one in columns):
                raise Refused(f"its table {name} has other columns than this site's")


def open_untrusted(file: Path) -> sqlite3.Connection:
    """Open a database for reading only, and let its schema call no function that could do harm."""
    database = sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro&immutable=1", uri=True)
    database.text_factory = lambda text: text.decode("utf-8", "replace")
    database.execute("PRAGMA trusted_schema = OFF")
    database.execute("PRAGMA cell_size_check = ON")
    return database


def _quote(text: object) -> str:
    return repr(str(text)[:40])
