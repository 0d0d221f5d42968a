"""Creation of a backup while the site is in use."""

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

from dizzle_site.backup import ABOUT, DATABASE, FORMAT, SECRET_KEY, Refused, rows
from dizzle_site.backup.reader import read_time
from dizzle_site.database_check import MIGRATIONS, check_database


def back_up(file: Path) -> None:
    """Write a backup atomically, readable only for its owner; an older backup is replaced.

    It is a snapshot of the database. A killed process leaves a folder `.dizzle-backup-…` next to
    the file.

    Raises:
        Refused: there is nothing to back up, or the file exists and is not a backup.
        Unusable: the database cannot be used.
        OSError: the file cannot be written.
        django.db.Error: the database failed during the backup.
    """
    _check_target(file)
    _check_source()
    with tempfile.TemporaryDirectory(prefix=".dizzle-backup-", dir=file.parent) as name:
        folder = Path(name)
        _copy_database(folder / DATABASE)
        written = folder / "backup.zip"
        written.touch(mode=0o600)
        with written.open("r+b") as target:
            with ZipFile(target, "w", ZIP_DEFLATED) as archive:
                made = datetime.now(UTC).isoformat(timespec="seconds")
                archive.writestr(ABOUT, json.dumps({"format": FORMAT, "made": made}) + "\n")
                archive.write(folder / DATABASE, DATABASE)
                if settings.SECRET_KEY_FILE:
                    archive.write(settings.SECRET_KEY_FILE, SECRET_KEY)
            target.flush()
            os.fsync(target.fileno())
        written.replace(file)


def _check_target(file: Path) -> None:
    if file.exists():
        try:
            read_time(file)
        except Refused as problem:
            raise Refused(
                f"{file} is there and is no backup: name another, or take it away."
            ) from problem


def _check_source() -> None:
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
            copy.execute("PRAGMA journal_mode=DELETE")  # one file, without a separate log
        return
    with rows.attached_database(file) as name, transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        try:
            with transaction.atomic(name):
                rows.copy_all(DEFAULT_DB_ALIAS, name)
        except Refused as problem:
            raise Refused(f"The database cannot be backed up: {problem}.") from problem
