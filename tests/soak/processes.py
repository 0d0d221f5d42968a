"""How is a program started, stopped, hung and killed so that nothing of it stays behind?"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.processes import children

STARTS_WITHIN_S = 60.0
ENDS_WITHIN_S = 40.0


class DidNotStart(Exception):
    """A program did not come up, or did not end when it was asked to; the message has its words."""


def wait_until(condition: Callable[[], bool], what: str, within_s: float = STARTS_WITHIN_S) -> None:
    """Wait for something. Raises DidNotStart when it does not come."""
    deadline = time.monotonic() + within_s
    while not condition():
        if time.monotonic() > deadline:
            raise DidNotStart(f"waited {within_s:.0f} s in vain: {what}")
        time.sleep(0.03)


class Program:
    """One program in a process group of its own; what it says goes into a file."""

    def __init__(
        self, words: Sequence[str], log: Path, env: Mapping[str, str], cwd: Path | None = None
    ) -> None:
        self.words, self.log, self.env, self._cwd = words, log, dict(env), cwd
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        """Of the process that was started."""
        assert self._process
        return self._process.pid

    @property
    def is_running(self) -> bool:
        """Whether it has been started and has not ended."""
        return self._process is not None and self._process.poll() is None

    def start(self) -> None:
        """Start it."""
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                self.words,
                cwd=self._cwd,
                env=self.env,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def stop(self) -> None:
        """Ask it to end, and wait. Raises DidNotStart when it does not, or has ended by itself."""
        assert self._process
        if not self.is_running:
            raise DidNotStart(f"{self.log.name}: ended by itself ({self._process.returncode})")
        self._process.terminate()
        try:
            self._process.wait(ENDS_WITHIN_S)
        except subprocess.TimeoutExpired:
            self.kill()
            raise DidNotStart(f"{self.words[0]} did not end within {ENDS_WITHIN_S:.0f} s") from None

    def kill(self) -> None:
        """kill -9 of it and all its children."""
        if self._process is None:
            return
        family = [self._process.pid, *family_of(self._process.pid)]
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        for pid in family[1:]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self._process.wait()

    @contextmanager
    def hung(self) -> Iterator[None]:
        """Let it and all its children stand still."""
        family = [self.pid, *family_of(self.pid)]
        for pid in family:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGSTOP)
        try:
            yield
        finally:
            for pid in reversed(family):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGCONT)


def family_of(pid: int) -> list[int]:
    """The processes that a process has started, and theirs."""
    found = children(pid)
    return [*found, *(grandchild for child in found for grandchild in family_of(child))]
