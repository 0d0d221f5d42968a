"""What must be done before the site can be served, and what of it is done already?"""

import hashlib
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from .translations import compile_translations


def prepare() -> list[str]:
    """Make the data folder, the database, the translations and the static files ready.

    Returns the sentences that tell what was done; none when all was ready.
    """
    settings.DATA_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)
    done = []
    for folder in settings.LOCALE_PATHS:
        if compile_translations(folder):
            done.append("Compiled the translations.")
    if _migrate():
        done.append("Brought the database up to date.")
    if _collect_static():
        done.append("Collected the static files.")
    return done


def _migrate() -> bool:
    executor = MigrationExecutor(connection)
    if not executor.migration_plan(executor.loader.graph.leaf_nodes()):
        return False
    call_command("migrate", interactive=False, verbosity=0)
    return True


def _collect_static() -> bool:
    stamp = settings.DATA_DIR / "static-stamp"
    fingerprint = _static_fingerprint()
    if stamp.exists() and stamp.read_text(encoding="ascii") == fingerprint:
        return False
    stamp.unlink(missing_ok=True)
    call_command("collectstatic", interactive=False, verbosity=0)
    stamp.write_text(fingerprint, encoding="ascii")
    return True


def _static_fingerprint() -> str:
    digest = hashlib.sha256(str(settings.STORAGES["staticfiles"]["BACKEND"]).encode())
    digest.update(str(settings.STATIC_ROOT).encode())
    for finder in get_finders():
        for name, storage in sorted(finder.list(None), key=lambda entry: entry[0]):
            digest.update(f"\0{name}\0".encode())
            digest.update(hashlib.sha256(Path(storage.path(name)).read_bytes()).digest())
    return digest.hexdigest()
