"""Startup checks of the data folder and the database, and sentences for their errors.

A damaged file is never replaced or repaired: the operator decides about it.
"""

from __future__ import annotations

import logging
import os
import re
import tempfile
from pathlib import Path
from typing import Final

from django.conf import settings
from django.db import DatabaseError, connection

from dizzle_site.database_errors import DAMAGED, SILENT, failure_of
from dizzle_site.environment import COMMAND

log = logging.getLogger(__name__)

MOUNTS: Final = Path("/proc/self/mountinfo")
"""List of mounts. Only Linux has this file."""

NETWORK_FILE_SYSTEMS: Final = {
    *("afs", "ceph", "cifs", "davfs", "fuse.ceph", "fuse.davfs", "fuse.glusterfs", "fuse.rclone"),
    *("fuse.smbnetfs", "fuse.sshfs", "nfs", "nfs4", "smb3", "smbfs"),
}
"""Types of file systems on other machines, as Linux names them."""

MIGRATIONS: Final = "django_migrations"
"""Table that every database of the site has."""

_UNDEFINED_TABLE: Final = "42P01"
"""PostgreSQL's SQLSTATE for a table that does not exist."""

CONNECT_S: Final = 5
"""Maximum time for PostgreSQL to answer at the start, in seconds."""

REPLACE_ADVICE: Final = (
    "Put your backup in its place, or take it away to begin anew without its tables"
)
"""Advice in the messages about a damaged file."""


class Unusable(Exception):
    """The data folder or the database cannot be used; the message is one sentence for people."""


def make_data_dir() -> None:
    """Create the data folder, accessible only for its owner, and check that it is writable.

    Raises:
        Unusable: the folder cannot be created or written to.
    """
    folder = settings.DATA_DIR
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as problem:
        raise Unusable(
            f"{folder} cannot be used ({problem.strerror or problem}): make it a folder that the "
            "site may write to, or name another with DATA_DIR."
        ) from problem


def check_database() -> None:
    """Check that the database exists and is undamaged, or that it is new.

    On SQLite, `PRAGMA quick_check` reads the whole file: about 0.2 s for 100 MB in the page cache.

    Raises:
        Unusable: the database is damaged, cannot be written, does not answer, or is not the site's.
    """
    if connection.vendor == "sqlite":
        _check_file(Path(connection.settings_dict["NAME"]))
    else:
        _check_server()


def find_damage() -> str:
    """Return the first fault that SQLite finds in the database file, "" for none.

    Raises:
        DatabaseError: the file cannot even be read.
    """
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA quick_check(1)")
        found = " ".join(cursor.fetchone()[0].split())
    return "" if found == "ok" else found


def warn_of_network_drive() -> None:
    """Warn if the system lists the drive of SQLite's file as a network drive."""
    if connection.vendor == "sqlite":
        path = Path(connection.settings_dict["NAME"])
        if kind := network_file_system(path):
            log.warning(
                "%s is on a network drive (%s), where SQLite's file can be damaged: name a folder "
                "on a local disk with DATA_DIR. See docs/reference.md#network-drives.",
                *(path, kind),
            )


def network_file_system(path: Path) -> str:
    """Return the type of the network file system that a path is on; empty if it is on none."""
    try:
        lines = MOUNTS.read_text("utf-8", "surrogateescape").splitlines()
    except OSError:
        return ""
    path, best, kind = path.resolve(), Path(), ""
    for line in lines:
        # ID, parent, device, root, mount point, options, "-", type; see proc_pid_mountinfo(5).
        before, _separator, after = line.partition(" - ")
        escaped = before.split(" ")[4]
        point = Path(re.sub(r"\\([0-7]{3})", lambda found: chr(int(found[1], 8)), escaped))
        # Of two mounts at the same place, the later one covers the other.
        if path.is_relative_to(point) and len(point.parts) >= len(best.parts):
            best, kind = point, after.split(" ")[0]
    return kind if kind in NETWORK_FILE_SYSTEMS else ""


def explain(problem: DatabaseError) -> str:
    """Return the sentence that a command prints for a database error; "" if it is a bug of ours."""
    name, text = connection.settings_dict["NAME"], str(problem)
    if "no such table" in text or getattr(problem.__cause__, "sqlstate", "") == _UNDEFINED_TABLE:
        return f"{name} is not prepared yet: run {COMMAND} prepare first."
    failure = failure_of(problem)
    if failure == DAMAGED:
        return _is_damaged(name, text)
    if failure == SILENT:
        return _no_answer(problem)
    return f"{failure.rstrip('.')}: {name} ({text})." if failure else ""


def _check_file(path: Path) -> None:
    log_path = path.with_name(path.name + "-wal")
    # SQLite would create an empty database and delete the log, which has the latest changes.
    is_missing = not path.exists() or (path.is_file() and not path.stat().st_size)
    if is_missing and log_path.exists() and log_path.stat().st_size:
        raise Unusable(
            f"{path} is missing or empty, but what was stored last is in {log_path.name}: put the "
            "file back beside it, or take both away to begin anew without their tables."
        )
    if is_missing:
        return
    if not os.access(path, os.W_OK):
        raise Unusable(f"{path} cannot be written: see to it that it belongs to the site's user.")
    try:
        damage = find_damage()
        tables = [] if damage else connection.introspection.table_names()
    except DatabaseError as problem:
        raise Unusable(explain(problem) or _is_damaged(path, str(problem))) from problem
    if damage:
        raise Unusable(_is_damaged(path, damage))
    if tables and MIGRATIONS not in tables:
        raise Unusable(
            f"{path} belongs to another program: name another folder with DATA_DIR, or take the "
            "file away."
        )


def _is_damaged(path: Path | str, reason: str) -> str:
    return f"{path} is damaged ({reason}). {REPLACE_ADVICE}."


def _check_server() -> None:
    import psycopg

    # Not through the pool, whose errors do not contain the reason.
    parameters = {"connect_timeout": CONNECT_S} | connection.get_connection_params()
    try:
        psycopg.connect(**parameters).close()
    except psycopg.Error as problem:
        raise Unusable(_no_answer(problem)) from problem


def _no_answer(problem: Exception) -> str:
    first_line = str(problem).partition("\n")[0].rstrip(".")
    return f"Cannot connect to PostgreSQL ({first_line}): is it running, and is DATABASE_URL right?"
