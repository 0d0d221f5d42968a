"""Copying of all tables and rows of a database to another one, also of the other kind.

Both may be at an earlier state than this program: tables and rows are what they were at the
migrations that were applied, not what the models say now. Values pass through the models' fields,
which refuse a text in a column of numbers.
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

ROWS_AT_ONCE: Final = 500


@contextmanager
def opened(file: Path) -> Iterator[str]:
    """Open a SQLite file as one more of Django's databases, and yield its alias."""
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
    """Return the models as they were at the migrations that a database has.

    Raises:
        Refused: it has none, or one that is unknown here.
    """
    loader = MigrationLoader(connections[name])
    applied = set(loader.applied_migrations)
    if not applied:
        raise Refused("it has no tables of this site")
    if applied - set(loader.disk_migrations):
        raise Refused("a newer version has stored it: update first")
    return loader.project_state(sorted(applied))


def copy_all(source: str, target: str) -> None:
    """Make the tables of a database in one without them, and copy all rows."""
    models: list[Any] = [MigrationRecorder.Migration, *stored_state(source).apps.get_models()]
    with connections[target].schema_editor() as editor:
        for model in models:
            editor.create_model(model)
    for model in models:
        for field in model._meta.local_fields:
            # When something was made stays, too.
            for automatic in ("auto_now", "auto_now_add"):
                if hasattr(field, automatic):
                    setattr(field, automatic, False)
        rows = model._base_manager.using(source).order_by("pk").iterator(ROWS_AT_ONCE)
        while some := list(islice(rows, ROWS_AT_ONCE)):
            model._base_manager.using(target).bulk_create(some)
    with connections[target].cursor() as cursor:
        for statement in connections[target].ops.sequence_reset_sql(no_style(), models):
            cursor.execute(statement)
