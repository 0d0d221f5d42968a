"""Comparison of a SQLite file's schema with the one that the site's migrations make."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from ..database_check import find_damage
from . import Refused
from .rows import Migrations

OF_SQLITE: Final = {
    "sqlite_sequence": "CREATE TABLE sqlite_sequence(name,seq)",
    "sqlite_stat1": "CREATE TABLE sqlite_stat1(tbl,idx,stat)",
    "sqlite_stat4": "CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)",
}
"""Tables that SQLite itself makes, for numbers of rows and for ANALYZE."""

DJANGO_CHECKS: Final = re.compile(
    r'CHECK \("\w+" >= 0\)|CHECK \(\(JSON_VALID\("\w+"\) OR "\w+" IS NULL\)\)'
)

_COLUMN: Final = r'"\w+"(?: DESC)?'
PLAIN_INDEX: Final = re.compile(
    rf'CREATE (?:UNIQUE )?INDEX "\w+" ON "\w+" \({_COLUMN}(?:, {_COLUMN})*\)(?: WHERE [^()]+)?'
)

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
        is_ours = _is_plain_table(name, str(sql)) if kind == "table" else _is_plain_index(sql)
        if not is_ours and sql != OF_SQLITE.get(name):
            raise Refused(f"its {kind} {_quote(name)} is not written as this site's are")


def _is_plain_table(name: str, sql: str) -> bool:
    """Whether a table has no expressions but the checks that Django writes for its fields."""
    # Any other word between these would make it another kind of table.
    is_table = sql.startswith(f'CREATE TABLE "{name}" (')
    return is_table and not re.search("check|default", DJANGO_CHECKS.sub("", sql), re.IGNORECASE)


def _is_plain_index(sql: str | None) -> bool:
    """Whether an index calls no functions; one that SQLite itself has made has no text."""
    return sql is None or PLAIN_INDEX.fullmatch(sql) is not None


def drop_others(file: Path, tables: Mapping[str, set[str]]) -> None:
    """Drop triggers, views and tables that are not the site's, such as a replication tool's.

    Raises:
        Refused: one cannot be dropped.
    """
    with closing(sqlite3.connect(file)) as database:
        # Triggers and views first: they may be in the way of tables.
        entries = database.execute(
            "SELECT type, name FROM sqlite_master WHERE type <> 'index' ORDER BY type = 'table'"
        ).fetchall()
        for kind, name in entries:
            if kind == "table" and (name in tables or name in OF_SQLITE):
                continue
            quoted = name.replace('"', '""')
            try:
                database.execute(f'DROP {kind} IF EXISTS "{quoted}"')
            except sqlite3.Error as problem:
                raise Refused(f"its {kind} {_quote(name)} cannot be left out") from problem
        database.commit()


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
