"""Copy of all tables and rows from one database to another, also between SQLite and PostgreSQL.

The source may be older than this program, so its tables and rows match the applied migrations, not
the current models. Values pass through the model fields, which refuse, for example, text in a
column of numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any, Final

from django.core.management.color import no_style
from django.db import DEFAULT_DB_ALIAS, connections
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.db.migrations.state import ProjectState
from django.db.utils import load_backend

from dizzle_site.backup import Refused
from dizzle_site.databases import SQLITE

BATCH_SIZE: Final = 500
"""Number of rows in memory and in one INSERT."""


@contextmanager
def attached_database(file: Path) -> Iterator[str]:
    """Make an SQLite file one of Django's databases within the block, and yield its alias."""
    name = f"backup {file}"
    # The file is temporary, so nothing waits for its disk.
    options = {"init_command": "PRAGMA synchronous=OFF; PRAGMA foreign_keys=OFF;"}
    database: dict[str, Any] = {"ENGINE": SQLITE, "NAME": file, "OPTIONS": options}
    configured = connections.configure_settings({"default": {}, name: database})
    connections[name] = load_backend(SQLITE).DatabaseWrapper(configured[name], name)
    try:
        yield name
    finally:
        connections[name].close()
        del connections[name]


@contextmanager
def as_default(name: str) -> Iterator[None]:
    """Make a database the ``default`` one for this thread, because migrations use that alias."""
    before, connections[DEFAULT_DB_ALIAS] = connections[DEFAULT_DB_ALIAS], connections[name]
    try:
        yield
    finally:
        connections[DEFAULT_DB_ALIAS] = before


def stored_state(name: str) -> ProjectState:
    """Return the historical models that match the applied migrations of a database.

    Raises:
        Refused: the database has no applied migrations, or one that this version does not know.
    """
    loader = MigrationLoader(connections[name])
    applied = set(loader.applied_migrations)
    if not applied:
        raise Refused("it has no tables of this site")
    if applied - set(loader.disk_migrations):
        raise Refused("a newer version has stored it: update first")
    return loader.project_state(sorted(applied))


def copy_all(source: str, target: str) -> None:
    """Create the tables of the source database in the target database, and copy all rows.

    Args:
        source: alias of a database.
        target: alias of a database without these tables.

    Raises:
        Refused: see `stored_state`.
    """
    models: list[Any] = [MigrationRecorder.Migration, *stored_state(source).apps.get_models()]
    with connections[target].schema_editor() as editor:
        for model in models:
            editor.create_model(model)
    for model in models:
        for field in model._meta.local_fields:
            # Times of creation and of changes are copied, not set again.
            for automatic in ("auto_now", "auto_now_add"):
                if hasattr(field, automatic):
                    setattr(field, automatic, False)
        rows = model._base_manager.using(source).order_by("pk").iterator(BATCH_SIZE)
        while some := list(islice(rows, BATCH_SIZE)):
            model._base_manager.using(target).bulk_create(some)
    with connections[target].cursor() as cursor:
        for statement in connections[target].ops.sequence_reset_sql(no_style(), models):
            cursor.execute(statement)
