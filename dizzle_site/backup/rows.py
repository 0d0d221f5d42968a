"""Copies of all rows of a database in another one of a different kind.

Both may be at an earlier state than this program: tables and rows are what they were at the
migrations that were applied, not what the models say now.
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
from django.db.utils import load_backend

from ..databases import SQLITE
from . import Refused

ROWS_AT_ONCE: Final = 500

Migrations = list[tuple[str, str]]
"""App and name of each."""


@contextmanager
def opened(file: Path) -> Iterator[str]:
    """A SQLite file as one more of Django's databases; gives its name there."""
    name = f"backup {file}"
    # Nobody else sees the file before it is whole: nothing is to wait for its disk.
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


def last_migrations(name: str) -> Migrations:
    """The migrations of a database after which none was applied.

    Raises:
        Refused: one of them is unknown here.
    """
    loader = MigrationLoader(connections[name])
    applied = set(loader.applied_migrations)
    replaced = {key for one in loader.disk_migrations.values() for key in one.replaces}
    if applied - set(loader.disk_migrations) - replaced:
        raise Refused("a newer version has stored it: update first")
    nodes = {key: node for key, node in loader.graph.node_map.items() if key in applied}
    return sorted(
        key for key, node in nodes.items() if not {c.key for c in node.children} & applied
    )


def make_tables(name: str, migrations: Migrations) -> None:
    """Make the empty tables of an earlier state, or of this one.

    Without its migrations: those that change rows would look for them in the site's own database.
    """
    database = connections[name]
    loader = MigrationLoader(None)
    with database.schema_editor() as editor:
        for model in loader.project_state(migrations).apps.get_models():
            editor.create_model(model)
    recorder = MigrationRecorder(database)
    recorder.ensure_schema()
    applied = {key for one in migrations for key in loader.graph.forwards_plan(one)}
    for app, migration in sorted(applied):
        recorder.record_applied(app, migration)


def copy_rows(source: str, target: str, migrations: Migrations) -> None:
    """Copy all rows into empty tables of the same state."""
    models = MigrationLoader(None).project_state(migrations).apps.get_models()
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
