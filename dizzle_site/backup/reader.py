"""Reading a backup file, which may be damaged or another kind of file."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from lzma import LZMAError
from pathlib import Path
from typing import Final
from zipfile import BadZipFile, ZipFile

from dizzle_site.backup import ABOUT, DATABASE, FORMAT, SECRET_KEY, Refused

NOT_AN_ARCHIVE: Final = (
    *(BadZipFile, EOFError, KeyError, LZMAError, NotImplementedError, RuntimeError),
    *(UnicodeError, zlib.error),
)
"""Exceptions of zipfile for files that are no archives, damaged archives, and missing members."""


def read_time(file: Path) -> str:
    """Return when a backup was made, as ISO time in UTC.

    Raises:
        Refused: the file is not a backup, or a newer version of the site wrote it.
        OSError: the file cannot be read.
    """
    with _open_archive(file) as archive:
        text = archive.read(ABOUT)
    try:
        about = json.loads(text)
        written_as = str(about["format"])
        made = datetime.fromisoformat(about["made"]).isoformat(timespec="seconds")
    except (KeyError, TypeError, ValueError, RecursionError) as problem:
        raise _incomplete(file) from problem
    if written_as != FORMAT:
        raise Refused(f"{file} is written as {written_as[:40]!r}, which this version cannot read.")
    return made


def unpack(file: Path, folder: Path) -> None:
    """Unpack the database and the secret key of a backup into a folder.

    Raises:
        Refused: the backup is incomplete.
        OSError: the file cannot be read, or the folder cannot be written to.
    """
    with _open_archive(file) as archive:
        archive.extract(DATABASE, folder)
        if SECRET_KEY in archive.namelist():
            archive.extract(SECRET_KEY, folder)


@contextmanager
def _open_archive(file: Path) -> Iterator[ZipFile]:
    try:
        with ZipFile(file) as archive:
            yield archive
    except NOT_AN_ARCHIVE as problem:
        raise _incomplete(file) from problem


def _incomplete(file: Path) -> Refused:
    return Refused(f"{file} is no whole backup.")
