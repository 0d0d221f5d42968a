"""Atomic restore of a backup into either kind of database."""

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

from ..database_check import MIGRATIONS, check_database, find_damage, make_data_dir
from ..health import HEARTBEAT
from ..preparing import migrate, without_constraint_checks
from ..secret import MINIMUM_LENGTH
from ..storage import DAMAGED, failure_of
from . import DATABASE, SECRET_KEY, Refused, reading, rows

DJANGO_TABLES: Final = (MIGRATIONS, "django_session")
"""Tables whose rows do not show that the site is in use."""

FOLDER_PREFIX: Final = ".dizzle-restore-"
"""Prefix of the temporary folder of a restore."""


def restore(file: Path, *, replace: bool = False) -> str:
    """Replace all data of the site with a backup; return the time of the backup in UTC.

    A copy of the backup is migrated first. Then its rows replace the site's in one transaction,
    and the secret key last.

    Raises:
        Refused: it is not a backup, or one of a newer version; or the site has data and ``replace``
            is not set.
        Unusable: the data folder or the database cannot be used.
        OSError: the backup cannot be read, or there is no room.
        django.db.Error: the database failed meanwhile.
    """
    made = reading.read_time(file)
    make_data_dir()
    check_database()
    with tempfile.TemporaryDirectory(prefix=FOLDER_PREFIX, dir=settings.DATA_DIR) as name:
        folder = Path(name)
        reading.unpack(file, folder)
        with rows.opened(folder / DATABASE) as copy, _new_key(folder / SECRET_KEY) as take_key:
            with _explained(file), rows.as_default(copy):
                if find_damage():  # SQLite may read a damaged file without an error, but fewer rows
                    raise Refused("its database is damaged")
                rows.stored_state(copy)  # refuses what migrations must not alter
                migrate()
            if not replace and _has_anything():
                raise Refused(
                    "The site has something already: it would be lost. Back it up, and say "
                    "--replace if the backup is to take its place."
                )
            with _explained(file):
                _take_rows(copy)
            take_key()
    return made


@contextmanager
def _explained(file: Path) -> Iterator[None]:
    """Refuse rows that the site cannot have written; their text is not written to the terminal."""
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


def _has_anything() -> bool:
    unused = {*DJANGO_TABLES, apps.get_model(HEARTBEAT)._meta.db_table}
    with connection.cursor() as cursor:
        for table in set(_our_tables()) - unused:
            cursor.execute(f"SELECT 1 FROM {connection.ops.quote_name(table)} LIMIT 1")  # noqa: S608
            if cursor.fetchone():
                return True
    return False


def _our_tables() -> list[str]:
    """Return the site's tables, also those of other versions, without other programs' tables."""
    labels = tuple(f"{app.label}_" for app in apps.get_app_configs())
    found = connection.introspection.table_names()
    return [table for table in found if table in DJANGO_TABLES or table.startswith(labels)]


def _take_rows(copy: str) -> None:
    with without_constraint_checks(), transaction.atomic():
        with connection.schema_editor() as editor:
            for table in _our_tables():
                name = editor.quote_name(table)
                editor.execute(editor.sql_delete_table % {"table": name})
        rows.copy_all(copy, DEFAULT_DB_ALIAS)
        connection.check_constraints()


@contextmanager
def _new_key(key: Path) -> Iterator[Callable[[], object]]:
    """Write an unpacked key next to the site's; yield the function that replaces the site's key."""
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
