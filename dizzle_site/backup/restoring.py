"""Restoring of a backup into either kind of database: as a whole, or not at all."""

from __future__ import annotations

import os
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from django.apps import apps
from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, connection, connections, transaction

from ..database_check import MIGRATIONS, check_database, make_data_dir
from ..preparing import migrate
from ..storage import DAMAGED, failure_of
from . import DATABASE, SECRET_KEY, Refused, reading, rows, schema

PATIENCE_S: Final = 5.0
"""How long another program may keep the database locked."""

OF_DJANGO: Final = ("django_migrations", "django_session")
"""Tables that say nothing about whether anybody has used the site."""


def restore(file: Path, *, replace: bool = False) -> str:
    """Replace all that the site has by what is in a backup; return when that was made, in UTC.

    A backup of an earlier version is brought up to date. Everything is checked and prepared in a
    copy first. Then the database is replaced in one transaction, and the secret key last.

    Raises:
        Refused: it is no backup, a hostile or a newer version's; or the site has something already
            and ``replace`` does not say that this may go.
        Unusable: the data folder or the database cannot be used.
        OSError: the backup cannot be read, or there is no room.
        django.db.Error: the database failed meanwhile.
    """
    made = reading.read_time(file)
    make_data_dir()
    with tempfile.TemporaryDirectory(prefix=".dizzle-restore-", dir=settings.DATA_DIR) as name:
        folder = Path(name)
        reading.unpack(file, folder)
        if not schema.is_sound(folder / DATABASE):
            raise Refused(f"{file} is no whole backup.")
        try:
            _check_tables(folder / DATABASE)
        except Refused as problem:
            raise Refused(f"{file} cannot be restored: {problem}.") from problem
        check_database()
        if not replace and _has_anything():
            raise Refused(
                "The site has something already: it would be lost. Back it up, and say "
                "--replace if the backup is to take its place."
            )
        with rows.opened(folder / DATABASE) as copy, _new_key(folder / SECRET_KEY) as take_key:
            with _refused_if_rows_are_wrong(file), rows.as_default(copy):
                migrate()
            if connection.vendor == "sqlite":
                connections[copy].close()
                _take_file(folder / DATABASE)
            else:
                with _refused_if_rows_are_wrong(file):
                    _take_rows(copy, rows.last_migrations(copy))
            take_key()
    return made


def _check_tables(database: Path) -> None:
    schema.check_kinds(database)
    with rows.opened(database) as copy:
        migrations = rows.last_migrations(copy)
    schema.check_tables(database, schema.tables_after(migrations))


@contextmanager
def _refused_if_rows_are_wrong(file: Path) -> Iterator[None]:
    """Refuse rows that the site cannot have written; their text is not for the terminal."""
    try:
        yield
    except OSError:
        raise
    except Exception as problem:
        if failure_of(problem) not in ("", DAMAGED):
            raise
        raise Refused(f"{file} cannot be restored: its rows are not those of a site.") from problem


def _has_anything() -> bool:
    unused = {*OF_DJANGO, apps.get_model(settings.HEARTBEAT_MODEL)._meta.db_table}
    with connection.cursor() as cursor:
        for table in sorted(_our_tables() - unused):
            cursor.execute(f"SELECT 1 FROM {connection.ops.quote_name(table)} LIMIT 1")  # noqa: S608
            if cursor.fetchone():
                return True
    return False


def _our_tables() -> set[str]:
    """Those of earlier versions, too; others may lie beside them in a PostgreSQL."""
    ours = {*connection.introspection.django_table_names(), MIGRATIONS}
    labels = tuple(f"{app.label}_" for app in apps.get_app_configs())
    found = connection.introspection.table_names()
    return {table for table in found if table in ours or table.startswith(labels)}


def _take_file(file: Path) -> None:
    give_up = time.monotonic() + PATIENCE_S

    def wait(status: int, remaining: int, total: int) -> None:
        is_locked = status in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
        if is_locked and time.monotonic() > give_up:
            raise Refused("The database is locked by another program: end it first.")

    connection.ensure_connection()
    with closing(sqlite3.connect(file)) as source, connection.wrap_database_errors:
        source.backup(connection.connection, progress=wait)


def _take_rows(copy: str, migrations: rows.Migrations) -> None:
    with transaction.atomic():
        if tables := sorted(_our_tables()):
            names = ", ".join(connection.ops.quote_name(table) for table in tables)
            with connection.cursor() as cursor:
                cursor.execute(f"DROP TABLE {names} CASCADE")
        rows.make_tables(DEFAULT_DB_ALIAS, migrations)
        rows.copy_rows(copy, DEFAULT_DB_ALIAS, migrations)


@contextmanager
def _new_key(key: Path) -> Iterator[Callable[[], object]]:
    """Write an unpacked key next to the site's; yield the function that replaces that one."""
    target = settings.SECRET_KEY_FILE
    if not target or not key.exists():
        yield lambda: None
        return
    written = target.with_name(f".{target.name}.restored")
    written.unlink(missing_ok=True)
    try:
        with open(written, "xb", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
            file.write(key.read_bytes())
            file.flush()
            os.fsync(file.fileno())
        yield lambda: written.replace(target)
    finally:
        written.unlink(missing_ok=True)
