"""Checks of a backup file and its unpacking. Whatever is in the file may come from a stranger."""

from __future__ import annotations

import json
import shutil
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from ..secret import is_secret_key
from . import ABOUT, DATABASE, FORMAT, SECRET_KEY, Refused

NOT_AN_ARCHIVE: Final = (
    *(BadZipFile, EOFError, KeyError, NotImplementedError, RuntimeError, UnicodeError, zlib.error),
)
"""What zipfile raises for other files, for damaged ones, and for members that are missing."""

MAX_ABOUT_BYTES: Final = 10_000
MAX_KEY_BYTES: Final = 10_000

IS_ENCRYPTED: Final = 0x1
"""The bit among a member's flags."""

ROOM_FACTOR: Final = 2
"""Free space on the disk of ``DATA_DIR`` that a restore needs, in sizes of the unpacked files: one
for them, one for the database that takes over their pages. (The ratio of compression is no bound:
deleted rows are zeros in SQLite's files, so that real backups reach 1:600 and more.)"""

_PAGE_SIZE: Final = slice(16, 18)
_PAGE_COUNT: Final = slice(28, 32)
_HEADER_BYTES: Final = 100


def read_time(file: Path) -> str:
    """Return when a backup was made, as ISO time in UTC.

    Raises:
        Refused: it is no backup, or one of a newer version.
        OSError: it cannot be read.
    """
    with _opened(file) as archive:
        members = _members(file, archive)
        with archive.open(members[ABOUT]) as member:
            text = member.read(MAX_ABOUT_BYTES)
        try:
            about = json.loads(text)
            written_as, made = str(about["format"]), str(about["made"])
        except (TypeError, ValueError, RecursionError) as problem:
            raise _not_whole(file) from problem
    if written_as != FORMAT:
        raise Refused(f"{file} is written as {written_as[:40]!r}, which this version cannot read.")
    try:
        time = datetime.fromisoformat(made)
    except ValueError as problem:
        raise _not_whole(file) from problem
    if time.utcoffset() != timedelta():
        raise _not_whole(file)
    return time.astimezone(UTC).isoformat(timespec="seconds")


def unpack(file: Path, folder: Path) -> None:
    """Unpack the database and the secret key of a backup into a folder, after `read_time`.

    Raises:
        Refused: it is not whole, holds no usable key, or needs more room than there is.
        OSError: it cannot be read, or the folder not be written to.
    """
    with _opened(file) as archive:
        members = _members(file, archive)
        _check_database_size(file, archive, members[DATABASE])
        if SECRET_KEY in members:
            _check_key(file, archive, members[SECRET_KEY])
        _check_room(file, folder, sum(member.file_size for member in members.values()))
        for name in {DATABASE, SECRET_KEY} & set(members):
            # Reads as many bytes as the list of contents says, and compares the checksum then.
            with archive.open(members[name]) as member, (folder / name).open("xb") as target:
                shutil.copyfileobj(member, target)


@contextmanager
def _opened(file: Path) -> Iterator[ZipFile]:
    try:
        with ZipFile(file) as archive:
            yield archive
    except NOT_AN_ARCHIVE as problem:
        raise _not_whole(file) from problem


def _not_whole(file: Path) -> Refused:
    return Refused(f"{file} is no whole backup.")


def _members(file: Path, archive: ZipFile) -> dict[str, ZipInfo]:
    """Find the members that a backup may have; others are ignored and never unpacked."""
    members: dict[str, ZipInfo] = {}
    for member in archive.infolist():
        name = member.filename
        if name not in (ABOUT, DATABASE, SECRET_KEY):
            continue
        if name in members:
            raise Refused(f"{file} cannot be restored: it has {name} twice.")
        if member.flag_bits & IS_ENCRYPTED:
            raise Refused(f"{file} cannot be restored: its {name} is encrypted.")
        # The other methods unpack any amount at once, into memory.
        if member.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
            raise Refused(f"{file} cannot be restored: its {name} is not compressed by Deflate.")
        members[name] = member
    if not {ABOUT, DATABASE} <= set(members):
        raise _not_whole(file)
    return members


def _check_database_size(file: Path, archive: ZipFile, member: ZipInfo) -> None:
    """Compare the size in the database's header with that of the file, before it is unpacked."""
    with archive.open(member) as opened:
        header = opened.read(_HEADER_BYTES)
    page_size = int.from_bytes(header[_PAGE_SIZE])
    pages = int.from_bytes(header[_PAGE_COUNT])
    if (65536 if page_size == 1 else page_size) * pages != member.file_size:
        raise _not_whole(file)


def _check_key(file: Path, archive: ZipFile, member: ZipInfo) -> None:
    with archive.open(member) as opened:
        key = opened.read(MAX_KEY_BYTES + 1)
    if len(key) > MAX_KEY_BYTES or not is_secret_key(key):
        raise Refused(f"{file} cannot be restored: its {SECRET_KEY} is no secret key.")


def _check_room(file: Path, folder: Path, unpacked: int) -> None:
    needed, free = ROOM_FACTOR * unpacked, shutil.disk_usage(folder).free
    if needed > free:
        raise Refused(
            f"{file} cannot be restored: that needs {needed:,} bytes on the disk of "
            f"{folder.parent}, which has {free:,}. Make room."
        )
