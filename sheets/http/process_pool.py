"""Process pool for work that a request waits for: rendering, photo reading, moves of hard bots.

Work in a thread of the server would hold the GIL, and every other request would wait for it. The
workers are separate processes at low priority (Pebble's `ProcessPool`), forked from a fork server
that has loaded the code. Each kind of task has a queue, a time limit, and for photos of strangers
limits of processor time and memory. No kind alone occupies all workers, if there is more than one,
so that a large print delays no photo for long.
"""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import signal
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, TimeoutError, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Condition, Lock, Thread, Timer
from typing import Final, NamedTuple, TypeVar

from django.conf import settings
from django.utils.translation import get_language, override
from pebble import ProcessExpired, ProcessPool

from dizzle_site.single_instance import one_per_process

if sys.platform != "win32":
    import resource

Work = Callable[[], bytes]
"""Task that returns a file: a partial of a function of a module, so that it can be pickled."""

T = TypeVar("T")

TASKS_PER_WORKER: Final = 100
"""Number of tasks after which a new process replaces a worker and its memory is freed."""

IDLE_SECONDS: Final = 120
"""How long the pool keeps its processes after the last task."""

CHECK_SECONDS: Final = 1
"""Interval between two checks whether the pool of a running task is still active."""

NICENESS: Final = 10
"""Niceness of a worker: on a busy machine the server gets most of the processor time."""

ONE_THREAD: Final = {"OPENBLAS_NUM_THREADS": "1", "OPENCV_FOR_THREADS_NUM": "1"}
"""Environment of a worker. The pool uses all cores already, and each thread needs memory."""

M_MMAP_THRESHOLD: Final = -3
"""Parameter of ``mallopt``, as in glibc's ``malloc.h``."""

LARGE_BYTES: Final = 2**24
"""Size from which a worker returns each freed block of memory to the system."""

OUT_OF_MEMORY: Final = 12
"""Exit code of a worker that has reached the memory limit of its task: ``ENOMEM``."""

_MIB: Final = 2**20


class TaskKind(NamedTuple):
    """A kind of task with its limits.

    Attributes:
        max_waiting: maximum number of tasks in the queue.
        wait_seconds: how long a task stays in the queue.
        time_limit_seconds: how long a task may run.
        cpu_limit_seconds: maximum CPU time of a task; None for no limit. Not on Windows.
        memory_limit_mib: what a task may allocate in addition to what its worker has; None for no
            limit. Linux only.
        prepare: called before the memory limit is set, for example to import libraries.
    """

    name: str
    max_waiting: int = 16
    wait_seconds: float = 10
    time_limit_seconds: float = 60
    cpu_limit_seconds: float | None = None
    memory_limit_mib: int | None = None
    prepare: Callable[[], object] | None = None


def _load_vision() -> None:
    """Let NumPy and OpenCV reserve their memory before the memory limit of a task is set.

    Each contains an OpenBLAS. The first large matrix makes them reserve 32 MiB and 128 MiB, which
    would count against the memory limit of the first photo.
    """
    import cv2
    import numpy as np

    matrix = np.eye(100)
    cv2.solve(matrix @ matrix, matrix)


RENDERING: Final = TaskKind("rendering")
"""Tasks that make pictures, previews, PDFs and suggested levels."""

PHOTO_READING: Final = TaskKind(
    "photos",
    max_waiting=12,
    wait_seconds=60,
    time_limit_seconds=180,
    cpu_limit_seconds=30,
    memory_limit_mib=320,
    prepare=_load_vision,
)
"""Photo reading: the only tasks with untrusted binary data, so only they have a memory limit."""

BOT_MOVES: Final = TaskKind("bot moves", max_waiting=1000, wait_seconds=60, time_limit_seconds=10)
"""Moves of hard bots, for which no page waits."""


class TaskFailed(Exception):
    """The worker was killed, or the task reached a limit."""


class TimeLimitExceeded(TaskFailed):
    """The task ran for too long. On a machine with less load it may succeed."""


class CpuLimitExceeded(TaskFailed):
    """The task used too much CPU time."""


class MemoryLimitExceeded(TaskFailed):
    """The task needed too much memory."""


class QueueFull(Exception):
    """Too many tasks wait, or this one has waited for too long."""


class PoolClosed(QueueFull):
    """The pool accepts no more tasks, because the server stops."""


class _PoolBroken(Exception):
    """An idle worker or the fork server was killed before the task began."""


class TaskPool:
    """Pool of at most ``max_workers`` processes, started with the first task; a queue per kind."""

    def __init__(self, max_workers: int) -> None:
        self._max_workers = max_workers
        self._changed = Condition()
        # Tickets of the tasks of each kind, in the order in which these came.
        self._waiting: defaultdict[str, dict[object, str]] = defaultdict(dict)
        self._running: defaultdict[str, dict[object, str]] = defaultdict(dict)
        self._lifecycle = Lock()
        self._pool: ProcessPool | None = None
        self._idle_timer: Timer | None = None
        self._is_shut_down = False

    def run(
        self,
        kind: TaskKind,
        work: Callable[[], T],
        ticket: str = "",
        on_start: Callable[[], None] = lambda: None,
    ) -> T:
        """Run ``work`` in a worker, in the active language.

        Args:
            ticket: name of the task, for which `position` returns its position in the queue.
            on_start: called in this process when the task has left the queue; may raise.

        Raises:
            QueueFull: no worker was free in time.
            PoolClosed: the server stops.
            TaskFailed: the worker was killed, or the task reached a limit (see its subclasses).
            Exception: what ``work`` itself raises.
        """
        with self._place(kind, ticket):
            on_start()
            return self._in_worker(kind, work)

    def position(self, kind: TaskKind, ticket: str) -> int | None:
        """Return 0 if the task with a ticket runs, 1 if it is next, ...; None if no task has it."""
        with self._changed:
            waiting = list(self._waiting[kind.name].values())
            if ticket in waiting:
                return waiting.index(ticket) + 1
            return 0 if ticket in self._running[kind.name].values() else None

    def close(self) -> None:
        """End all workers. The next task starts new ones, and a running task is restarted."""
        with self._lifecycle:
            if self._idle_timer:
                self._idle_timer.cancel()
            pool, self._pool = self._pool, None
        if pool:
            _stop(pool)

    def shut_down(self) -> None:
        """End all workers and tasks in the background, because the server stops."""
        if not self._is_shut_down:
            self._is_shut_down = True
            Thread(target=self.close, name="pool-close", daemon=True).start()

    @contextmanager
    def _place(self, kind: TaskKind, ticket: str) -> Iterator[None]:
        """Wait in the queue of the kind, then count as a running task until the block ends."""
        task = object()
        with self._changed:
            waiting, running = self._waiting[kind.name], self._running[kind.name]

        def is_next() -> bool:
            busy = sum(map(len, self._running.values()))
            max_of_kind = max(1, self._max_workers - 1)
            return (
                next(iter(waiting)) is task
                and len(running) < max_of_kind
                and busy < self._max_workers
            )

        with self._changed:
            if len(waiting) >= kind.max_waiting:
                raise QueueFull
            waiting[task] = ticket
            try:
                if not self._changed.wait_for(is_next, kind.wait_seconds):
                    raise QueueFull
            finally:
                del waiting[task]
                self._changed.notify_all()
            running[task] = ticket
        try:
            yield
        finally:
            with self._changed:
                del running[task]
                self._changed.notify_all()

    def _in_worker(self, kind: TaskKind, work: Callable[[], T]) -> T:
        for _attempt in range(2):
            with suppress(_PoolBroken):
                return self._try(kind, work)
        raise TaskFailed("the pool was broken twice")

    def _try(self, kind: TaskKind, work: Callable[[], T]) -> T:
        pool, limit = self._open(), kind.time_limit_seconds
        try:
            future = pool.schedule(run_task, args=(kind, work, get_language()), timeout=limit)
        except RuntimeError as problem:
            raise _PoolBroken from problem
        while not wait([future], CHECK_SECONDS).done:
            # Pebble can lose a task that is scheduled in the moment in which the pool breaks.
            if not pool.active:
                raise _PoolBroken
        try:
            result: T = future.result()
            return result
        except TimeoutError as problem:
            raise TimeLimitExceeded from problem
        except ProcessExpired as problem:
            raise _failure_of(problem.exitcode) from problem
        except (BrokenProcessPool, CancelledError) as problem:
            raise _PoolBroken from problem

    def _open(self) -> ProcessPool:
        """Return the process pool; a new one after it was closed, or broken by a killed worker."""
        with self._lifecycle:
            if self._is_shut_down:
                raise PoolClosed
            if self._pool and not self._pool.active:
                _stop(self._pool)
                self._pool = None
            if not self._pool:
                self._pool = ProcessPool(
                    self._max_workers, TASKS_PER_WORKER, prepare_worker, context=_context()
                )
            self._restart_idle_timer()
            return self._pool

    def _restart_idle_timer(self) -> None:
        if self._idle_timer:
            self._idle_timer.cancel()
        self._idle_timer = Timer(IDLE_SECONDS, self._close_if_idle)
        self._idle_timer.daemon = True
        self._idle_timer.start()

    def _close_if_idle(self) -> None:
        with self._changed:
            is_idle = not any(self._running.values())
        if is_idle:
            self.close()
            return
        with self._lifecycle:
            if self._pool:
                self._restart_idle_timer()


def _stop(pool: ProcessPool) -> None:
    pool.stop()  # type: ignore[no-untyped-call]
    pool.join()


def _failure_of(exit_code: int | None) -> TaskFailed:
    if exit_code == OUT_OF_MEMORY:
        return MemoryLimitExceeded()
    if sys.platform != "win32" and exit_code == -signal.SIGPROF:
        return CpuLimitExceeded()
    return TaskFailed(f"the worker ended with exit code {exit_code}")


def _context() -> multiprocessing.context.BaseContext:
    """Return the fork server's context, or the one of ``spawn`` on systems without a fork server.

    Forked workers share the memory of the code that the fork server has loaded.
    """
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["sheets.http.render_preload"])
    return context


# In a worker ---------------------------------------------------------------------------------


def prepare_worker() -> None:
    """Set up a new worker process: its priority, its modules, and how it frees memory."""
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    import sheets.http.render_preload  # noqa: F401  where there is no fork server

    with suppress(OSError, AttributeError):  # Windows, macOS, or another C library than glibc
        # By default glibc keeps large freed blocks, in pieces too small for the next photo.
        ctypes.CDLL(None).mallopt(M_MMAP_THRESHOLD, LARGE_BYTES)


def run_task(kind: TaskKind, work: Callable[[], T], language: str | None) -> T:
    """Run a task within the limits of its kind; at a limit, end this worker process."""
    if kind.prepare:
        kind.prepare()
    with override(language), _memory_limit(kind), _cpu_limit(kind):
        try:
            return work()
        except MemoryError:
            os._exit(OUT_OF_MEMORY)
        except (ImportError, SystemError) as problem:
            # At a memory limit, a library of a package may fail to load, and C code at times
            # returns an error without an exception.
            if kind.memory_limit_mib is None or isinstance(problem, ModuleNotFoundError):
                raise
            os._exit(OUT_OF_MEMORY)


@contextmanager
def _memory_limit(kind: TaskKind) -> Iterator[None]:
    if kind.memory_limit_mib is None or sys.platform != "linux":
        yield
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    most = (_data_mib() + kind.memory_limit_mib) * _MIB
    resource.setrlimit(resource.RLIMIT_DATA, (most, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


def _data_mib() -> int:
    """Return the memory that this process has allocated in MiB, as ``RLIMIT_DATA`` counts it."""
    status = Path("/proc/self/status").read_text("ascii")
    return int(status.partition("VmData:")[2].split()[0]) // 1024


@contextmanager
def _cpu_limit(kind: TaskKind) -> Iterator[None]:
    """End this process by a signal at the limit, even if native code never returns to Python."""
    if sys.platform == "win32" or kind.cpu_limit_seconds is None:
        yield
        return
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_PROF, kind.cpu_limit_seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


# In the server -------------------------------------------------------------------------------


def run(
    kind: TaskKind,
    work: Callable[[], T],
    ticket: str = "",
    on_start: Callable[[], None] = lambda: None,
) -> T:
    """Run a task in the pool of this server process, as `TaskPool.run` does.

    Without a pool (``DRAWING_PROCESSES`` is 0), run it in this thread.
    """
    if not settings.DRAWING_PROCESSES:
        on_start()
        return work()
    return pool(settings.DRAWING_PROCESSES).run(kind, work, ticket, on_start)


def shut_down() -> None:
    """End the pool of this server process."""
    if settings.DRAWING_PROCESSES:
        pool(settings.DRAWING_PROCESSES).shut_down()


@one_per_process
def pool(max_workers: int) -> TaskPool:
    """Return the pool of this server process."""
    return TaskPool(max_workers)
