"""How does a backup become a site again, of either kind, or nothing change at all?"""

from __future__ import annotations

import os
import sqlite3
import tempfile
import time
from contextlib import closing
from pathlib import Path
from typing import Final

from django.apps import apps
from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, connection, transaction

from ..database_check import MIGRATIONS, check_database, make_data_dir
from ..preparing import migrate
from . import DATABASE, SECRET_KEY, Refused, reading, rows

PATIENCE_S: Final = 5.0
"""How long another program may keep the database locked."""

OF_DJANGO: Final = ("django_migrations", "django_session")
"""Tables that say nothing about whether anybody has used the site."""


def restore(file: Path, *, replace: bool = False) -> str:
    """Let the site have what is in a backup, and nothing else; gives when that was made, in UTC.

    A backup of an earlier version is brought up to date. All is as it was until the database has
    taken everything over, in one transaction.

    Raises:
        Refused: it is no backup, or a newer version's; or the site has something already and
            ``replace`` does not say that this may go.
        Unusable: the data folder or the database cannot be used.
        OSError: the backup cannot be read, or there is no room.
        django.db.Error: the database failed meanwhile.
    """
    made = str(reading.about(file)["made"])
    make_data_dir()
    with tempfile.TemporaryDirectory(prefix=".dizzle-restore-", dir=settings.DATA_DIR) as name:
        folder = Path(name)
        reading.unpack(file, folder)
        with rows.opened(folder / DATABASE) as copy:
            try:
                migrations = rows.last_migrations(copy)
            except Refused as problem:
                raise Refused(f"{file} cannot be restored: {problem}.") from problem
            check_database()
            if not replace and _has_anything():
                raise Refused(
                    "The site has something already: it would be lost. Back it up, and say "
                    "--replace if the backup is to take its place."
                )
            if connection.vendor == "sqlite":
                _take_file(folder / DATABASE)
            else:
                _take_rows(copy, migrations)
        if settings.SECRET_KEY_FILE and (folder / SECRET_KEY).exists():
            _take_key(folder / SECRET_KEY, settings.SECRET_KEY_FILE)
    migrate()
    return made


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
    with closing(sqlite3.connect(file)) as source:
        source.backup(connection.connection, progress=wait)


def _take_rows(copy: str, migrations: rows.Migrations) -> None:
    with transaction.atomic():
        if tables := sorted(_our_tables()):
            names = ", ".join(connection.ops.quote_name(table) for table in tables)
            with connection.cursor() as cursor:
                cursor.execute(f"DROP TABLE {names} CASCADE")
        rows.make_tables(DEFAULT_DB_ALIAS, migrations)
        rows.copy_rows(copy, DEFAULT_DB_ALIAS, migrations)


def _take_key(key: Path, target: Path) -> None:
    beside = target.with_name(f".{target.name}.restored")
    beside.unlink(missing_ok=True)
    with open(beside, "xb", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
        file.write(key.read_bytes())
    beside.replace(target)
