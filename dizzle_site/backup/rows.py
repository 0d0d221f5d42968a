"""Copying all tables and rows of a database to another one, also of the other kind.

Both may be older than this program: tables and rows have the state of the applied migrations, not
that of the current models. Values pass through the models' fields, which refuse a text in a column
of numbers.
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

from ..databases import SQLITE
from . import Refused

BATCH_SIZE: Final = 500
"""Number of rows in memory and in one INSERT."""


@contextmanager
def opened(file: Path) -> Iterator[str]:
    """Add a SQLite file to Django's databases, and yield its alias."""
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
    """Let this thread find a database under ``default``, the name that migrations use."""
    before, connections[DEFAULT_DB_ALIAS] = connections[DEFAULT_DB_ALIAS], connections[name]
    try:
        yield
    finally:
        connections[DEFAULT_DB_ALIAS] = before


def stored_state(name: str) -> ProjectState:
    """Return the models in the state of the applied migrations of a database.

    Raises:
        Refused: it has no migrations, or an unknown one.
    """
    loader = MigrationLoader(connections[name])
    applied = set(loader.applied_migrations)
    if not applied:
        raise Refused("it has no tables of this site")
    if applied - set(loader.disk_migrations):
        raise Refused("a newer version has stored it: update first")
    return loader.project_state(sorted(applied))


def copy_all(source: str, target: str) -> None:
    """Create the tables of a database in another one, and copy all rows."""
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
