"""Django's SQLite, for a file that somebody may replace or take away while people play.

SQLite would go on with the log of the old file beside the new one, which damages it, or make an
empty database in place of one that is gone. So each connection sees first whether the file is
still the one that this process began with.
"""

from __future__ import annotations

import os
import secrets
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, Final

from django.db import OperationalError
from django.db.backends.sqlite3 import base

SET_ASIDE: Final = "-wal-of-the-one-before"
"""How the log of a file that was replaced is called then, behind the file's name."""

_began_with: dict[Path, tuple[int, int]] = {}
"""Device and number of the file that this process first opened, by its path."""

_logs: dict[Path, tuple[int, int]] = {}
"""The same of the log beside it, as it was last seen."""


class Replaced(OperationalError):
    """The file is not the one that this process began with, or is gone."""


class DatabaseWrapper(base.DatabaseWrapper):
    """The connection of one thread."""

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """Open the file, or make it where there never was one.

        Raises:
            Replaced: it was replaced or taken away.
        """
        if self.is_in_memory_db():
            return super().get_new_connection(conn_params)
        path = Path(conn_params["database"])
        if not is_same_file(path):
            set_log_aside(path)
            raise Replaced(f"{path} was replaced or taken away.")
        if not path.exists() and path.parent.is_dir():
            _make(path)
        connection = super().get_new_connection(conn_params)
        if path not in _began_with:
            _began_with[path] = _file_at(path)
        with suppress(OSError):
            _logs[path] = _file_at(log_of(path))
        return connection


def is_same_file(path: Path) -> bool:
    """Whether the file is the one that this process began with, if it did already."""
    if path not in _began_with:
        return True
    try:
        return _file_at(path) == _began_with[path]
    except OSError:
        return False


def set_log_aside(path: Path) -> None:
    """Take the log of the file that this process began with away from the one in its place.

    Whoever opened that one next would write the log into it. It is kept for who finds the old file.
    """
    log = log_of(path)
    with suppress(OSError):
        if _file_at(log) == _logs.get(path):
            log.rename(path.with_name(path.name + SET_ASIDE))
            path.with_name(path.name + "-shm").unlink(missing_ok=True)


def log_of(path: Path) -> Path:
    """The file beside a database in which SQLite keeps what is stored last."""
    return path.with_name(path.name + "-wal")


def find_damage(cursor: Any) -> str:
    """What SQLite first finds wrong when it looks through the whole file; empty if nothing is.

    Raises:
        DatabaseError: it cannot even be looked through.
    """
    cursor.execute("PRAGMA quick_check(1)")
    found = str(cursor.fetchone()[0])
    return "" if found == "ok" else found


def _file_at(path: Path) -> tuple[int, int]:
    found = path.stat()
    return found.st_dev, found.st_ino


def _make(path: Path) -> None:
    """Make a database that is no empty file for a moment: that is what is left of a lost one."""
    unfinished = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    try:
        with closing(sqlite3.connect(unfinished)) as database:
            database.execute("PRAGMA journal_mode=WAL")
        try:
            os.link(unfinished, path)
        except FileExistsError:
            pass  # another process was first
        except OSError:  # a file system without links
            unfinished.rename(path)
    finally:
        unfinished.unlink(missing_ok=True)
