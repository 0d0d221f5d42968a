"""Writing of a backup while the site is in use."""

from __future__ import annotations

import json
import os
import sqlite3
import tempfile
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, connection, transaction

from ..database_check import MIGRATIONS, check_database, find_damage
from . import ABOUT, DATABASE, FORMAT, SECRET_KEY, Refused, rows, schema
from .reading import read_time


def back_up(file: Path) -> None:
    """Write a backup: the file is whole, for its owner alone, or what was there before.

    What is stored meanwhile is in it altogether or not at all. Of a process that was killed a
    folder `.dizzle-backup-…` stays beside the file.

    Raises:
        Refused: there is nothing to back up, or something else at the file's place.
        Unusable: the database cannot be used.
        OSError: the file cannot be written.
        django.db.Error: the database failed meanwhile.
    """
    _see_what_is_there(file)
    with tempfile.TemporaryDirectory(prefix=".dizzle-backup-", dir=file.parent) as name:
        folder = Path(name)
        _copy_database(folder / DATABASE)
        written = folder / "backup.zip"
        with open(written, "xb", opener=_for_its_owner) as target:
            with ZipFile(target, "w", ZIP_DEFLATED) as archive:
                made = datetime.now(UTC).isoformat(timespec="seconds")
                archive.writestr(ABOUT, json.dumps({"format": FORMAT, "made": made}) + "\n")
                archive.write(folder / DATABASE, DATABASE)
                if settings.SECRET_KEY_FILE:
                    archive.write(settings.SECRET_KEY_FILE, SECRET_KEY)
            target.flush()
            os.fsync(target.fileno())
        written.replace(file)
        _sync_folder(file.parent)


def _see_what_is_there(file: Path) -> None:
    if file.exists():
        try:
            read_time(file)
        except Refused as problem:
            raise Refused(
                f"{file} is there and is no backup: name another, or take it away."
            ) from problem
    database = Path(connection.settings_dict["NAME"])
    if connection.vendor == "sqlite" and not database.exists():
        raise Refused(f"There is nothing to back up: {database} does not exist.")
    check_database()
    if MIGRATIONS not in connection.introspection.table_names():
        raise Refused("There is nothing to back up: the database has no tables yet.")


def _copy_database(file: Path) -> None:
    if connection.vendor == "sqlite":
        with closing(sqlite3.connect(file)) as copy:
            connection.ensure_connection()
            connection.connection.backup(copy)  # one snapshot: writers need not wait for it
            copy.execute("PRAGMA journal_mode=DELETE")  # one file, without a log beside it
            if damage := find_damage(copy.cursor()):
                raise Refused(f"The database is damaged ({damage}): there is nothing to keep.")
    try:
        if connection.vendor == "sqlite":
            _check_tables(file)
        else:
            _copy_rows(file)
    except Refused as problem:
        raise Refused(f"The database cannot be backed up: {problem}.") from problem


def _check_tables(file: Path) -> None:
    """Leave out of a copy what is not the site's, and refuse what `restore` would refuse."""
    try:
        migrations = rows.last_migrations(DEFAULT_DB_ALIAS)
    except Refused:
        return  # only the newer version that has stored it knows its tables
    tables = schema.tables_after(migrations)
    schema.drop_others(file, tables)
    schema.check_kinds(file)
    schema.check_tables(file, tables)


def _copy_rows(file: Path) -> None:
    with rows.opened(file) as copy, transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        migrations = rows.last_migrations(DEFAULT_DB_ALIAS)
        rows.make_tables(copy, migrations)
        with transaction.atomic(copy):
            rows.copy_rows(DEFAULT_DB_ALIAS, copy, migrations)


def _for_its_owner(name: str, flags: int) -> int:
    return os.open(name, flags, 0o600)


def _sync_folder(folder: Path) -> None:
    """Let the new name survive a power cut, where folders can be synced."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
