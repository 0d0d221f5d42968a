"""Atomic restore of a backup into an SQLite or PostgreSQL database."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from django.apps import apps
from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, connection, transaction

from dizzle_site.backup import DATABASE, SECRET_KEY, Refused, reader, rows
from dizzle_site.database_check import MIGRATIONS, check_database, find_damage, make_data_dir
from dizzle_site.database_errors import DAMAGED, failure_of
from dizzle_site.health import HEARTBEAT
from dizzle_site.preparation import migrate, without_constraint_checks
from dizzle_site.secret_key import MINIMUM_LENGTH

DJANGO_TABLES: Final = (MIGRATIONS, "django_session")
"""Tables of Django. A site with rows only in these tables counts as empty."""

FOLDER_PREFIX: Final = ".dizzle-restore-"
"""Prefix of the temporary folder of a restore."""


def restore(file: Path, *, replace: bool = False) -> str:
    """Replace all data of the site with a backup; return the time of the backup in UTC.

    First a copy of the backup is migrated. Then one transaction replaces the rows of the site with
    the rows of the copy. The secret key is replaced last.

    Raises:
        Refused: the file is not a backup, or a newer version of the site wrote it; or the site has
            data and ``replace`` is not set.
        Unusable: the data folder or the database cannot be used.
        OSError: the backup cannot be read, or the disk is full.
        django.db.Error: the database failed during the restore.
    """
    made = reader.read_time(file)
    make_data_dir()
    check_database()
    with tempfile.TemporaryDirectory(prefix=FOLDER_PREFIX, dir=settings.DATA_DIR) as name:
        folder = Path(name)
        reader.unpack(file, folder)
        with (
            rows.attached_database(folder / DATABASE) as copy,
            _new_key(folder / SECRET_KEY) as take_key,
        ):
            with _refuse_foreign_rows(file), rows.as_default(copy):
                if find_damage():  # SQLite may read a damaged file without an error, but fewer rows
                    raise Refused("its database is damaged")
                rows.stored_state(copy)  # refuses what migrations must not alter
                migrate()
            if not replace and _has_data():
                raise Refused(
                    "The site has something already: it would be lost. Back it up, and say "
                    "--replace if the backup is to take its place."
                )
            with _refuse_foreign_rows(file):
                _replace_rows(copy)
            take_key()
    return made


@contextmanager
def _refuse_foreign_rows(file: Path) -> Iterator[None]:
    """Turn exceptions about invalid rows of a backup into `Refused`.

    The message does not repeat the database's message, which could contain text of the rows.
    OSErrors, and failures of the database such as a full disk, are raised unchanged.
    """
    try:
        yield
    except Refused as problem:
        raise Refused(f"{file} cannot be restored: {problem}.") from problem
    except OSError:
        raise
    except Exception as problem:
        if failure_of(problem) not in ("", DAMAGED):
            raise
        raise Refused(f"{file} cannot be restored: its rows are not those of a site.") from problem


def _has_data() -> bool:
    unused = {*DJANGO_TABLES, apps.get_model(HEARTBEAT)._meta.db_table}
    with connection.cursor() as cursor:
        for table in set(_site_tables()) - unused:
            cursor.execute(f"SELECT 1 FROM {connection.ops.quote_name(table)} LIMIT 1")  # noqa: S608
            if cursor.fetchone():
                return True
    return False


def _site_tables() -> list[str]:
    """Return the names of the site's tables in the database, without tables of other programs.

    Tables that only other versions of the site use are included.
    """
    labels = tuple(f"{app.label}_" for app in apps.get_app_configs())
    found = connection.introspection.table_names()
    return [table for table in found if table in DJANGO_TABLES or table.startswith(labels)]


def _replace_rows(copy: str) -> None:
    with without_constraint_checks(), transaction.atomic():
        with connection.schema_editor() as editor:
            for table in _site_tables():
                name = editor.quote_name(table)
                editor.execute(editor.sql_delete_table % {"table": name})
        rows.copy_all(copy, DEFAULT_DB_ALIAS)
        connection.check_constraints()


@contextmanager
def _new_key(key: Path) -> Iterator[Callable[[], object]]:
    """Copy the backup's secret key next to the site's key; yield a function that installs it.

    So a failure to write is noticed before rows are replaced. If the backup has no key or the site
    no key file, the function does nothing.

    Raises:
        Refused: the key of the backup is too short.
    """
    target = settings.SECRET_KEY_FILE
    if not target or not key.exists():
        yield lambda: None
        return
    text = key.read_bytes()
    if len(text.strip()) < MINIMUM_LENGTH:
        raise Refused("The secret key of the backup is too short: its file has been changed.")
    with tempfile.TemporaryDirectory(prefix=FOLDER_PREFIX, dir=target.parent) as folder:
        written = Path(folder) / SECRET_KEY
        written.touch(mode=0o600)
        with written.open("r+b") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        yield lambda: written.replace(target)
