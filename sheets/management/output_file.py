"""Where does a command write a file to, so that nothing else is lost, whatever happens meanwhile?

A file is replaced as a whole, behind links too, and keeps its mode; what is no file (a device, a
pipe) is written to; ``-`` is standard output.
"""

from __future__ import annotations

import errno
import os
import secrets
import stat
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, Final

from sheets.management.refused import CommandRefused

STANDARD_OUTPUT: Final = "-"


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
    """What bytes for the file of that name, or for ``-``, are written into.

    What was there before stays until all is written, and for good if it could not be.

    Raises:
        CommandRefused: when it cannot be written.
        OSError: when standard output cannot.
    """
    if name == STANDARD_OUTPUT:
        if sys.stdout is None:
            raise CommandRefused("cannot be written: standard output is closed")
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    path = Path(name.replace("\0", "?"))
    try:
        with _open_in_place(path) if _is_no_file(path) else _open_new(path) as file:
            yield file
    except OSError as error:
        raise CommandRefused(f"{name}: cannot be written: {error.strerror}") from None


def _is_no_file(path: Path) -> bool:
    """Whether there is something that cannot be replaced: a device, a pipe, a nameless file."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return False
    real = Path(os.path.realpath(path))
    return not (stat.S_ISREG(found.st_mode) and real.exists() and real.samefile(path))


@contextmanager
def _open_in_place(path: Path) -> Iterator[BinaryIO]:
    with path.open("wb") as file:
        yield file


@contextmanager
def _open_new(path: Path) -> Iterator[BinaryIO]:
    """A new file beside the one that it replaces in the end."""
    target = Path(os.path.realpath(path))
    before = target.stat() if target.exists() else None
    if before and not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    # Nobody who may not read the old file may open the new one, not even as long as it is empty.
    mode = stat.S_IMODE(before.st_mode) if before else 0o666
    unfinished = target.with_name(f".{secrets.token_hex(8)}.part")
    # Who ends a command ends it by an exception, not by Ctrl-C alone (see `manage.py`).
    try:
        with open(unfinished, "xb", opener=lambda name, flags: os.open(name, flags, mode)) as file:
            if before:
                _take_after(unfinished, before)
            yield file
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(target)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise


def _take_after(path: Path, before: os.stat_result) -> None:
    """Give a file the mode of the one before it, and its owner if we may."""
    if hasattr(os, "chown"):
        with suppress(PermissionError):
            os.chown(path, before.st_uid, before.st_gid)
    path.chmod(stat.S_IMODE(before.st_mode))
