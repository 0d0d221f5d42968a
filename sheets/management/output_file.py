"""Atomic output files of commands.

A regular file, also behind symbolic links, is replaced as a whole, and the new one gets its mode.
Devices and pipes are written to directly; ``-`` is standard output.
"""

from __future__ import annotations

import errno
import os
import secrets
import stat
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, Final

from sheets.management.command_errors import CommandRefused

STANDARD_OUTPUT: Final = "-"
"""File name that stands for standard output."""


def add_output_option(parser: ArgumentParser) -> None:
    """Add ``-o FILE``, for a command that writes to standard output without it."""
    parser.add_argument(
        "-o",
        "--output",
        default=STANDARD_OUTPUT,
        metavar="FILE",
        help="the file to write; it is replaced once all is written (default: standard output)",
    )


@contextmanager
def open_output(name: str) -> Iterator[BinaryIO]:
    """Open a file, or standard output for ``-``, for writing bytes.

    An existing file is replaced when the block ends. If the block or the writing fails, the file
    does not change.

    Raises:
        CommandRefused: the file cannot be written.
        OSError: standard output cannot be written.
    """
    if name == STANDARD_OUTPUT:
        if sys.stdout is None:
            raise CommandRefused("cannot be written: standard output is closed")
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    path = Path(name.replace("\0", "?"))
    try:
        opened: AbstractContextManager[BinaryIO] = (
            path.open("wb") if _is_special(path) else _open_replacement(path)
        )
        with opened as file:
            yield file
    except OSError as error:
        raise CommandRefused(f"{name}: cannot be written: {error.strerror}") from None


def _is_special(path: Path) -> bool:
    """Return whether a path cannot be replaced: a device, a pipe, an open file without a name."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return False
    real = Path(os.path.realpath(path))
    return not (stat.S_ISREG(found.st_mode) and real.exists() and real.samefile(path))


@contextmanager
def _open_replacement(path: Path) -> Iterator[BinaryIO]:
    """Open a temporary file in the target's folder; it replaces the target at the end."""
    target = Path(os.path.realpath(path))
    before = target.stat() if target.exists() else None
    if before and not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    # The new file is created with the mode of the old one, so that it is never more accessible.
    mode = stat.S_IMODE(before.st_mode) if before else 0o666
    unfinished = target.with_name(f".{secrets.token_hex(8)}.part")
    # Signals that end a command raise exceptions (see `manage.py`), so the cleanup always runs.
    try:
        with open(unfinished, "xb", opener=lambda name, flags: os.open(name, flags, mode)) as file:
            if before:
                _copy_owner_and_mode(unfinished, before)
            yield file
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(target)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise


def _copy_owner_and_mode(path: Path, before: os.stat_result) -> None:
    """Give a file the mode of the file that it replaces and, if permitted, the owner."""
    if hasattr(os, "chown"):
        with suppress(PermissionError):
            os.chown(path, before.st_uid, before.st_gid)
    path.chmod(stat.S_IMODE(before.st_mode))
