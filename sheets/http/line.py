"""Who waits in which place? A line that all servers with the same DATA_DIR form together.

Whoever stands there holds the lock of a file whose name begins with a number: who comes later has a
larger one. The system frees the lock if the process is killed, and what nobody holds is taken away
by the next who looks. Where there are no such locks (Windows), or the folder cannot be written to,
each server has a line of its own.
"""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import Final

if sys.platform != "win32":
    import fcntl

LOOK_SECONDS: Final = 0.2
"""So often whoever waits looks whether it is their turn."""

_NAME: Final = re.compile(r"[0-9]{18}-[0-9a-f]{32}")


class LineFull(Exception):
    """Too many wait already, or it was waited for as long as one may: come back later."""


class Line:
    """A line for what so many at once may do."""

    def __init__(self, folder: Path, at_once: int, most_waiting: int) -> None:
        """``folder`` is for its files alone; it is made when the first comes."""
        self._at_once = at_once
        self._most = at_once + most_waiting
        self._shared = _Files(folder)
        self._own = _Names()

    @contextmanager
    def place(self, ticket: str) -> Iterator[Callable[[float], None]]:
        """Stand in line until the block ends. What it gives waits for one's turn, so many seconds.

        Both raise LineFull.
        """
        who = _hashed(ticket)
        with ExitStack() as standing:
            line: _Files | _Names = self._own
            if sys.platform != "win32":
                with suppress(OSError):
                    mine = standing.enter_context(self._shared.enter(who, self._most))
                    line = self._shared
            if line is self._own:
                mine = standing.enter_context(self._own.enter(who, self._most))

            def wait(seconds: float) -> None:
                end = time.monotonic() + seconds
                while sum(name < mine for name in line.names()) >= self._at_once:
                    if time.monotonic() >= end:
                        raise LineFull
                    time.sleep(LOOK_SECONDS)

            yield wait

    def place_of(self, ticket: str) -> int | None:
        """0 for who has been let in, 1 for the next; None for who does not stand there."""
        who = _hashed(ticket)
        lines = [self._own.names()]
        if sys.platform != "win32":
            with suppress(OSError):
                lines.append(self._shared.names())
        for names in lines:
            # The newest: who lost the connection and sent it again looks for that.
            for before in reversed(range(len(names))):
                if names[before].endswith(who):
                    return max(0, before + 1 - self._at_once)
        return None


class _Names:
    """The line of one process: a name for each, which says their number and who they are."""

    def __init__(self) -> None:
        self._names: list[str] = []
        self._alone = Lock()

    @contextmanager
    def enter(self, who: str, most: int) -> Iterator[str]:
        """A name in the line while the block lasts. Raises LineFull where ``most`` stand there."""
        with self._alone:
            name = _next(self._names, who, most)
            self._names.append(name)
        try:
            yield name
        finally:
            with self._alone:
                self._names.remove(name)

    def names(self) -> list[str]:
        """All names, the first first."""
        with self._alone:
            return list(self._names)


class _Files:
    """The line of all processes that know a folder; all of it may raise OSError."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @contextmanager
    def enter(self, who: str, most: int) -> Iterator[str]:
        """A name in the line while the block lasts. Raises LineFull where ``most`` stand there."""
        with ExitStack() as files:
            with self._alone():
                name = _next(self._standing(), who, most)
                path = self._folder / name
                file = files.enter_context(path.open("wb"))
                _lock(file.fileno())
            try:
                yield name
            finally:
                with suppress(OSError):
                    path.unlink()

    def names(self) -> list[str]:
        """All names, the first first."""
        with self._alone():
            return self._standing()

    @contextmanager
    def _alone(self) -> Iterator[None]:
        self._folder.mkdir(parents=True, exist_ok=True)
        with (self._folder / "lock").open("wb") as file:
            _lock(file.fileno(), waits=True)
            yield

    def _standing(self) -> list[str]:
        found = []
        for path in sorted(self._folder.iterdir()):
            if _NAME.fullmatch(path.name):
                with suppress(FileNotFoundError), path.open("rb") as file:
                    try:
                        _lock(file.fileno())
                    except BlockingIOError:
                        found.append(path.name)
                    else:  # whoever stood there was killed
                        path.unlink(missing_ok=True)
        return found


def _next(names: list[str], who: str, most: int) -> str:
    if len(names) >= most:
        raise LineFull
    number = int(names[-1].partition("-")[0]) + 1 if names else 1
    return f"{number:018}-{who}"


def _hashed(ticket: str) -> str:
    return sha256(ticket.encode()).hexdigest()[:32]


def _lock(file: int, *, waits: bool = False) -> None:
    """Raises BlockingIOError where somebody else has it, and nobody wants to wait."""
    if sys.platform != "win32":
        fcntl.flock(file, fcntl.LOCK_EX | (0 if waits else fcntl.LOCK_NB))
