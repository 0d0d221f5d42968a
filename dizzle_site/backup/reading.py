"""Is a file a whole backup, and what is in it?"""

from __future__ import annotations

import json
import shutil
import sqlite3
import zlib
from contextlib import closing
from pathlib import Path
from typing import Any, Final
from zipfile import BadZipFile, ZipFile

from ..database_check import MIGRATIONS
from ..sqlite.base import find_damage
from . import ABOUT, DATABASE, FORMAT, SECRET_KEY, Refused

_NO_ARCHIVE: Final = (BadZipFile, EOFError, KeyError, NotImplementedError, RuntimeError, zlib.error)
"""What zipfile raises for what is none, is damaged, lacks something, or is packed otherwise."""

MOST_ABOUT: Final = 10_000
"""Bytes that are read of what a backup says of itself."""


def about(file: Path) -> dict[str, Any]:
    """What a backup says of itself: its format, and when it was made, in UTC.

    Raises:
        Refused: it is no backup, or one of a newer version.
        OSError: it cannot be read.
    """
    try:
        with ZipFile(file) as archive, archive.open(ABOUT) as member:
            found = json.loads(member.read(MOST_ABOUT))
        written_as, made = str(found["format"]), str(found["made"])
    except (*_NO_ARCHIVE, TypeError, ValueError, RecursionError) as problem:
        raise Refused(f"{file} is no whole backup.") from problem
    if written_as != FORMAT:
        raise Refused(f"{file} is written as {written_as!r}, which this version cannot read.")
    return {"format": written_as, "made": made}


def unpack(file: Path, folder: Path) -> None:
    """Put what is in a backup into a folder, after `about`, and see that it is whole.

    Raises:
        Refused: it is not.
        OSError: it cannot be read, or not be written.
    """
    try:
        with ZipFile(file) as archive:
            for name in {DATABASE, SECRET_KEY} & set(archive.namelist()):
                with archive.open(name) as member, (folder / name).open("xb") as target:
                    shutil.copyfileobj(member, target)  # which compares the checksum at its end
    except _NO_ARCHIVE as problem:
        raise Refused(f"{file} is no whole backup.") from problem
    if not (folder / DATABASE).exists() or not _is_sound(folder / DATABASE):
        raise Refused(f"{file} is no whole backup.")


def _is_sound(database: Path) -> bool:
    with closing(sqlite3.connect(database)) as opened:
        cursor = opened.cursor()
        try:
            found = cursor.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            return (MIGRATIONS,) in found.fetchall() and not find_damage(cursor)
        except sqlite3.DatabaseError:
            return False
