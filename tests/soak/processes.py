"""Programs with all their child processes: start, stop, suspend and kill."""

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
    """A program did not start or stop in time; the message contains its output."""


def wait_until(condition: Callable[[], bool], what: str, within_s: float = STARTS_WITHIN_S) -> None:
    """Wait for a condition. Raises DidNotStart after the time."""
    deadline = time.monotonic() + within_s
    while not condition():
        if time.monotonic() > deadline:
            raise DidNotStart(f"waited {within_s:.0f} s in vain: {what}")
        time.sleep(0.03)


class Program:
    """A program in its own process group, with its output in a file."""

    def __init__(
        self, words: Sequence[str], log: Path, env: Mapping[str, str], cwd: Path | None = None
    ) -> None:
        self.words, self.log, self.env, self._cwd = words, log, dict(env), cwd
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        """Id of the started process."""
        assert self._process
        return self._process.pid

    @property
    def is_running(self) -> bool:
        """Whether the program was started and has not ended."""
        return self._process is not None and self._process.poll() is None

    def start(self) -> None:
        """Start the program."""
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
        """Terminate it and wait. Raises DidNotStart if that fails or it has ended before."""
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
        """Send SIGKILL to it and all its descendants."""
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
        """Suspend it and all its descendants during the block."""
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
    """Return all descendants of a process."""
    found = children(pid)
    return [*found, *(grandchild for child in found for grandchild in family_of(child))]
