"""Can the database be used, and if not, what is one to do?

A damaged file is never replaced or mended: whoever runs the site decides what becomes of it.
"""

from __future__ import annotations

import logging
import os
import re
import tempfile
from pathlib import Path
from typing import Final

from django.conf import settings
from django.db import DatabaseError, OperationalError, connection

from .environment import COMMAND
from .sqlite.base import find_damage, log_of

log = logging.getLogger(__name__)

MOUNTS: Final = Path("/proc/self/mountinfo")
"""What is mounted where. Only Linux has this file."""

NETWORK_FILE_SYSTEMS: Final = {
    *("afs", "ceph", "cifs", "davfs", "fuse.ceph", "fuse.davfs", "fuse.glusterfs", "fuse.rclone"),
    *("fuse.smbnetfs", "fuse.sshfs", "nfs", "nfs4", "smb3", "smbfs"),
}
"""Types of file systems on other machines, as Linux names them."""

HEAD: Final = b"SQLite format 3\0"
SHORTEST: Final = 512
"""Bytes in the smallest SQLite database that holds anything."""

MIGRATIONS: Final = "django_migrations"
"""A table that all databases of ours have."""

CONNECT_S: Final = 5
"""How long PostgreSQL may take to answer at the start."""

BEGIN_ANEW: Final = "Put your backup in its place, or take it away to begin anew without its tables"


class Unusable(Exception):
    """The data folder or the database cannot be used; the message is one sentence for people."""


def make_data_dir() -> None:
    """Make the data folder, for its owner alone, and see that files can be made in it.

    Raises:
        Unusable: one sentence.
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
    """See whether the database is there and whole, or new.

    On SQLite every page of the file is read, which takes a quarter of a second for 100 MB that
    the system has in memory, and as long as the disk needs for those it has not.

    Raises:
        Unusable: one sentence.
    """
    if connection.vendor == "sqlite":
        _check_file(Path(connection.settings_dict["NAME"]))
    else:
        _check_server()


def warn_of_network_drive() -> None:
    """Warn if SQLite's file is on a network drive, as far as the system says so."""
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
    """The sentence for an error of the database at the command line, "" for errors of our own."""
    name = connection.settings_dict["NAME"]
    text = str(problem)
    if connection.vendor != "sqlite":
        return _no_answer(problem) if isinstance(problem, OperationalError) else ""
    if "no such table" in text:
        return f"{name} is not prepared yet: run {COMMAND} prepare first."
    if "malformed" in text or "not a database" in text:
        return _is_damaged(name, text)
    for reason in ("unable to open", "readonly", "locked", "disk is full", "disk I/O"):
        if reason in text:
            return f"{name} cannot be used ({text}): see to it that the site may write to it."
    return ""


def _check_file(path: Path) -> None:
    log_path = log_of(path)
    try:
        head = _first_bytes(path) if path.exists() else b""
        has_log = log_path.exists() and log_path.stat().st_size > 0
    except OSError as problem:
        raise Unusable(f"{path} cannot be read ({problem.strerror or problem}).") from problem
    if not head and has_log:
        raise Unusable(
            f"{path} is missing or empty, but what was stored last is in {log_path.name}: put the "
            "file back beside it, or take both away to begin anew without their tables."
        )
    if not head and path.exists():
        raise Unusable(f"{path} is empty. {BEGIN_ANEW}.")
    if head:
        _check_head(path, head, has_log)
        _check_pages(path)


def _check_head(path: Path, head: bytes, has_log: bool) -> None:
    if len(head) < SHORTEST or not head.startswith(HEAD):
        raise Unusable(_is_damaged(path, "it is no SQLite database"))
    page_size, pages = int.from_bytes(head[16:18]), int.from_bytes(head[28:32])
    # What is missing may still be in the log. SQLite itself takes half a page for a whole one.
    if not has_log and path.stat().st_size < pages * page_size:
        raise Unusable(_is_damaged(path, "its end is missing"))


def _check_pages(path: Path) -> None:
    if not os.access(path, os.W_OK):
        raise Unusable(f"{path} cannot be written: see to it that it belongs to the site's user.")
    try:
        with connection.cursor() as cursor:
            damage = find_damage(cursor)
            tables = [] if damage else connection.introspection.table_names(cursor)
    except DatabaseError as problem:
        connection.close()
        raise Unusable(explain(problem) or _is_damaged(path, str(problem))) from problem
    if damage:
        connection.close()
        raise Unusable(_is_damaged(path, " ".join(damage.split())))
    if tables and MIGRATIONS not in tables:
        connection.close()
        raise Unusable(
            f"{path} belongs to another program: name another folder with DATA_DIR, or take the "
            "file away."
        )


def _first_bytes(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(SHORTEST)


def _is_damaged(path: Path | str, reason: str) -> str:
    return f"{path} is damaged ({reason}). {BEGIN_ANEW}."


def _check_server() -> None:
    import psycopg

    # Not through the pool, which tries for longer and tells more.
    parameters = {"connect_timeout": CONNECT_S} | connection.get_connection_params()
    try:
        psycopg.connect(**parameters).close()
    except psycopg.Error as problem:
        raise Unusable(_no_answer(problem)) from problem


def _no_answer(problem: Exception) -> str:
    first_line = str(problem).partition("\n")[0].rstrip(".")
    return (
        f"PostgreSQL does not let us in ({first_line}): start it, or see to it that DATABASE_URL "
        "names what is there."
    )
