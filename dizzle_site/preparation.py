"""Preparation of data folder, database and static files before the server starts."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from django.db import connection, transaction
from django.db.migrations.executor import MigrationExecutor

from dizzle_site.database_check import check_database, make_data_dir, warn_of_network_drive
from dizzle_site.release_fingerprint import fingerprint_of


def check() -> None:
    """Create the data folder if necessary, and check whether it and the database can be used.

    A network drive only causes a warning: some setups work.

    Raises:
        Unusable: the data folder or the database cannot be used.
    """
    make_data_dir()
    warn_of_network_drive()
    check_database()


def prepare() -> list[str]:
    """Migrate the database and collect the static files if necessary; call it after `check`.

    Returns:
        A sentence for each step that was necessary.
    """
    done = []
    if migrate():
        done.append("Brought the database up to date.")
    if _collect_static():
        done.append("Collected the static files.")
    return done


def migrate() -> bool:
    """Run the missing migrations; return whether there were any."""
    executor = MigrationExecutor(connection)
    if not executor.migration_plan(executor.loader.graph.leaf_nodes()):
        return False
    with _all_or_nothing():
        call_command("migrate", interactive=False, verbosity=0)
    return True


@contextmanager
def _all_or_nothing() -> Iterator[None]:
    """On SQLite, run all migrations in one transaction, so that a killed process can start again.

    Django records some migrations only after it has committed them. If it were killed in between,
    the tables would exist already at the next start. PostgreSQL refuses to alter a table whose rows
    were changed in the same transaction, so there each migration has its own.
    """
    if connection.vendor != "sqlite":
        yield
        return
    with without_constraint_checks(), transaction.atomic():
        yield


@contextmanager
def without_constraint_checks() -> Iterator[None]:
    """Turn foreign key checks off, so that SQLite can drop tables, and alter them by copying.

    Must begin before a transaction, because SQLite ignores the change within one.
    """
    connection.disable_constraint_checking()
    try:
        yield
    finally:
        connection.enable_constraint_checking()


def _collect_static() -> bool:
    stamp = settings.DATA_DIR / "static-stamp"
    fingerprint = static_fingerprint()
    if stamp.exists() and stamp.read_text(encoding="ascii") == fingerprint:
        return False
    stamp.unlink(missing_ok=True)
    call_command("collectstatic", interactive=False, verbosity=0)
    stamp.write_text(fingerprint, encoding="ascii")
    return True


def static_fingerprint() -> str:
    """Return a hash that changes whenever the static files must be collected again."""
    files = [
        (name, Path(storage.path(name)))
        for finder in get_finders()
        for name, storage in finder.list(None)
    ]
    return fingerprint_of(files, settings.STORAGES["staticfiles"]["BACKEND"])
