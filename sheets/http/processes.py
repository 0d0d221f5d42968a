"""Where is drawn, and read? In processes of their own, so that whoever plays never waits for it.

Two threads that draw within the server make every move several times slower: each of its many
hand-overs of the interpreter waits for them. A process of its own, at low priority, does not; the
memory it needs is given back when it ends; and if it is killed, the server goes on.

Processes are started when they are needed, and end after some idle minutes, after many drawings,
and with the server, however that ends: their pipe breaks. Each draws one thing at a time. Where
several servers share a machine and a DATA_DIR, locks in that folder see to it that all of them
together draw no more at once than one may. What takes long has processes of its own, a `Lane`, so
that nothing short waits behind it; so has what strangers send to be read, which may have so much
memory and no more, and is not tried again where it has killed a process. A process of such a lane
ends once it has kept much memory, and work that runs out of memory in a used process is repeated in
a new one: what earlier work has left behind fails nothing.
"""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import signal
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from multiprocessing.connection import Connection
from multiprocessing.context import BaseContext
from pathlib import Path
from threading import Condition, Timer
from time import monotonic, sleep
from typing import IO, Final, NamedTuple

import django
from django.conf import settings
from django.utils.translation import get_language, override

from dizzle_site.environment import cores

if sys.platform != "win32":
    import fcntl
    import resource

Work = Callable[[], bytes]
"""What is done: a `functools.partial` of a function in `works`, so that it can be sent."""

IDLE_SECONDS: Final = 120
MOST_DRAWINGS: Final = 200
"""After so many a process ends and gives its memory back."""

LONGEST_SECONDS: Final = 60
"""A drawing that takes longer is given up, and its process killed."""

EXIT_SECONDS: Final = 5
"""How long to wait for the exit code of a process whose pipe has broken."""

START_SECONDS: Final = 5
"""Time limit for all attempts to start a process."""

START_PAUSE_SECONDS: Final = 0.05
"""Interval between two attempts to start a process."""

ONE_CORE: Final = {"OPENBLAS_NUM_THREADS": "1", "OPENCV_FOR_THREADS_NUM": "1"}
"""There is a process for each core already; and each thread more has memory of its own."""


class Lane(NamedTuple):
    """Things that are drawn by the same processes; its ``name`` is that of its locks.

    There are no more processes than ``most``, however many a site has. The higher its niceness,
    the less of a busy core it takes from others. What takes longer than ``longest_seconds`` is
    given up; so is what uses a processor for more than ``most_busy_seconds``, however many others
    that one serves, and what needs more than ``most_mib`` of memory in addition to what its process
    has once ``prepare`` was called. ``is_tried_again`` says whether it is begun anew after its
    process was killed.
    """

    name: str
    niceness: int
    most: int | None = None
    longest_seconds: float = LONGEST_SECONDS
    most_busy_seconds: float | None = None
    most_mib: int | None = None
    is_tried_again: bool = True
    prepare: Callable[[], object] | None = None


def _load_vision() -> None:
    """Load what each photo needs, so that the memory limit counts the photo's own memory only.

    NumPy and OpenCV each bring an OpenBLAS. With the first large matrix these reserve 32 and 128
    MiB, which count against the limit for good though next to nothing of them is ever used.
    """
    import cv2  # here, because NumPy and OpenCV are 60 MB that no server needs
    import numpy as np

    matrix = np.eye(100)
    cv2.solve(matrix @ matrix, matrix)


DRAWINGS: Final = Lane("drawing", 10)
SUGGESTIONS: Final = Lane("suggesting", 15, most=1)
"""Bots play for seconds for each of them."""
READING: Final = Lane(
    "reading",
    10,
    most=cores(),
    longest_seconds=180,
    most_busy_seconds=30,
    most_mib=320,
    is_tried_again=False,
    prepare=_load_vision,
)
"""Photos that strangers have sent. On a busy machine a good one takes its time."""


M_MMAP_THRESHOLD: Final = -3
"""As in glibc's ``malloc.h``."""

LARGE_BYTES: Final = 2**24
"""Of so much memory each piece is given back at once, where a lane has a limit."""

MAX_KEPT_MIB: Final = 96
"""Maximum memory that a process of a limited lane keeps between two works; with more it ends."""

OUT_OF_MEMORY: Final = 12
"""Exit code of a process that has reached its memory limit: ``ENOMEM``."""


class NotDrawn(Exception):
    """No process finished the work: it was killed or did not start, or it reached a limit."""


class TooSlow(NotDrawn):
    """It was not done in the longest time: on a machine that has less to do, it may be."""


class TimeLimitExceeded(NotDrawn):
    """It used a processor for longer than its lane allows."""


class MemoryLimitExceeded(NotDrawn):
    """It needs more memory than its lane allows, in a new process, too."""


class _Repeatable(Exception):
    """The process ended, and the work may be done by another one."""


class NoneFree(Exception):
    """All processes were busy for as long as somebody wanted to wait."""


class Broken(Exception):
    """What was to be drawn raised an error; the message is its traceback."""


class Processes:
    """At most ``most`` processes that draw, or as many as their lane may have."""

    def __init__(self, most: int, lane: Lane = DRAWINGS) -> None:
        self.most = min(most, lane.most or most)
        self.lane = lane
        self._busy = 0
        self._idle: list[_Process] = []
        self._changed = Condition()

    def draw(self, work: Work, wait_seconds: float) -> bytes:
        """Have something drawn in the active language, once a process is free.

        Raises:
            NoneFree: none was for ``wait_seconds``.
            TooSlow, TimeLimitExceeded, MemoryLimitExceeded: it took too long, or too much memory.
            NotDrawn: it cannot be had.
            Broken: the work itself raised an error.
        """
        deadline = monotonic() + wait_seconds
        with self._changed:
            while self._busy >= self.most:
                left = deadline - monotonic()
                if left <= 0:
                    raise NoneFree
                self._changed.wait(left)
            self._busy += 1
        try:
            with suppress(_Repeatable):
                return self._try(work, self._take)
            with suppress(_Repeatable):
                return self._try(work, self._start)
            raise NotDrawn
        finally:
            with self._changed:
                self._busy -= 1
                self._changed.notify()

    def _try(self, work: Work, take: Callable[[], _Process]) -> bytes:
        """Have the work done by a process. Raises _Repeatable where another one may do it."""
        process = take()
        try:
            drawn = process.draw(work)
        except Broken:
            self._give_back(process)
            raise
        except BaseException:
            process.kill()
            raise
        self._give_back(process)
        return drawn

    def _take(self) -> _Process:
        while True:
            with self._changed:
                if not self._idle:
                    break
                process = self._idle.pop()
            if process.is_alive():
                return process
            process.kill()
        return self._start()

    def _start(self) -> _Process:
        """Start a process, or raise NotDrawn.

        Until the system has removed a fork server that was killed, multiprocessing tries to use it.
        """
        end = monotonic() + START_SECONDS
        while True:
            try:
                return _Process(self.most, self.lane)
            except (EOFError, OSError) as problem:
                if monotonic() >= end:
                    raise NotDrawn from problem
            sleep(START_PAUSE_SECONDS)

    def _give_back(self, process: _Process) -> None:
        with self._changed:
            self._idle.append(process)


class _Process:
    """One process, and the server's end of the pipe to it."""

    def __init__(self, most: int, lane: Lane) -> None:
        self._lane = lane
        context = _context()
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(  # type: ignore[attr-defined]
            target=_draw_for, args=(theirs, most, lane), name=lane.name, daemon=True
        )
        self._process.start()
        self._is_new = True
        theirs.close()

    def is_alive(self) -> bool:
        """Whether it waits for something to draw. What it sends unasked is that it ends."""
        return self._process.is_alive() and not self._pipe.poll()

    def draw(self, work: Work) -> bytes:
        """What it has drawn.

        Raises NotDrawn and its subclasses, Broken, and _Repeatable.
        """
        end = monotonic() + self._lane.longest_seconds
        # What hangs may not even take what it is sent.
        watchdog = Timer(self._lane.longest_seconds, self._process.kill)
        watchdog.daemon = True
        watchdog.start()
        has_begun = False
        try:
            self._pipe.send((work, get_language()))
            has_begun = self._pipe.recv()
            is_drawn, answer = self._pipe.recv()
        except (EOFError, OSError) as gone:  # the pipe broke
            if monotonic() >= end:
                raise TooSlow from gone
            raise self._failure(has_begun=has_begun) from gone
        finally:
            watchdog.cancel()
            self._is_new = False
        if not is_drawn:
            raise Broken(answer)
        drawn: bytes = answer
        return drawn

    def _failure(self, *, has_begun: bool) -> Exception:
        """Why it has ended, as an exception."""
        self._process.join(EXIT_SECONDS)
        code = self._process.exitcode
        if code == OUT_OF_MEMORY:
            return MemoryLimitExceeded() if self._is_new else _Repeatable()
        if sys.platform != "win32" and code == -signal.SIGPROF:
            return TimeLimitExceeded()
        if has_begun and not self._lane.is_tried_again:
            return NotDrawn()
        return _Repeatable()

    def kill(self) -> None:
        """End it at once."""
        self._process.kill()
        self._pipe.close()


def _context() -> BaseContext:
    """A fork server where there is one: what it has loaded is in memory once for all processes."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["sheets.http.loaded"])
    return context


def _draw_for(pipe: Connection, most: int, lane: Lane) -> None:
    """The life of a drawing process: draw what comes through the pipe until nothing does.

    At most so many of a lane draw at once on the whole machine.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is meant for the server
    if hasattr(os, "nice"):
        os.nice(lane.niceness)
    os.environ.update(ONE_CORE)  # before the first work loads what looks at it
    django.setup()
    if lane.prepare:
        lane.prepare()
    at_first = _data_mib()
    if lane.most_mib is not None:
        _limit_memory(at_first + lane.most_mib)
    try:
        for _ in range(MOST_DRAWINGS):
            if not pipe.poll(IDLE_SECONDS):
                return
            work, language = pipe.recv()
            with _one_of_the_machine(most, lane), override(language):
                pipe.send(True)
                with _ended_when_used_up(lane.most_busy_seconds):
                    done = _done(work)
                pipe.send(done)
            del work, done
            if lane.most_mib is not None and _data_mib() > at_first + MAX_KEPT_MIB:
                return
    except (EOFError, OSError):
        return  # the server has ended
    except MemoryError:
        os._exit(OUT_OF_MEMORY)  # and give it all back at once


def _data_mib() -> int:
    """Return the memory that this process has asked for in MiB, as ``RLIMIT_DATA`` counts it.

    0 where the system does not say.
    """
    if sys.platform != "linux":
        return 0
    status = Path("/proc/self/status").read_text("ascii")
    return int(status.partition("VmData:")[2].split()[0]) // 1024


def _limit_memory(most_mib: int) -> None:
    """Limit the memory that this process may ask for; only Linux can."""
    if sys.platform != "linux":
        return
    most = most_mib * 2**20
    resource.setrlimit(resource.RLIMIT_DATA, (most, most))
    with suppress(OSError, AttributeError):  # another library than glibc
        # Else what was large and is free again is kept, in pieces too small for the next photo.
        ctypes.CDLL(None).mallopt(M_MMAP_THRESHOLD, LARGE_BYTES)


@contextmanager
def _ended_when_used_up(seconds: float | None) -> Iterator[None]:
    """Have the system end this process where the block uses a processor for so long.

    Not even what never comes back to Python outlives that. Windows counts no such time: there the
    lane's longest time is the only one.
    """
    if sys.platform == "win32" or seconds is None:
        yield
        return
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def _done(work: Work) -> tuple[bool, bytes | str]:
    try:
        return True, work()
    except MemoryError:
        raise
    except Exception:
        return False, traceback.format_exc()


@contextmanager
def _one_of_the_machine(most: int, lane: Lane) -> Iterator[None]:
    """Hold one of the ``most`` locks of a lane that all servers with the same DATA_DIR share.

    The system frees it if this process is killed. Where there are no such locks (Windows), or the
    folder cannot be written to, each server counts for itself.
    """
    with ExitStack() as files:
        with suppress(OSError):
            paths = [settings.DATA_DIR / f"{lane.name}-{number}.lock" for number in range(most)]
            _lock_one([files.enter_context(path.open("wb")) for path in paths])
        yield


def _lock_one(files: list[IO[bytes]]) -> None:
    """Lock the first free file, or wait for any one of them."""
    if sys.platform == "win32":
        return
    for file in files:
        with suppress(BlockingIOError):
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
    fcntl.flock(files[os.getpid() % len(files)], fcntl.LOCK_EX)
