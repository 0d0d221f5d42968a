"""Worker process: runs the jobs of the queue one after the other, and ends when none waits.

The site starts it (``manage.py balance_worker``, low priority) when a user opens a page of a
waiting job. It is in a session of its own, so that it outlives a killed server; when the site
shuts down gracefully, it stops, too, and puts its job back into the queue.
"""

from __future__ import annotations

import logging
import os
import secrets
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from datetime import timedelta
from pathlib import Path
from threading import Event, Lock
from typing import Any, Final

from django.db import Error
from django.db.models import F

from sheets.jobs import queue
from sheets.models import Job
from sheets.rules import DocumentError

log = logging.getLogger(__name__)

HEARTBEAT_SECONDS: Final = 0.7
"""Minimum interval between two heartbeats."""

TIMEOUT: Final = timedelta(minutes=10)
"""Maximum duration of a job."""


BACK_OFF_SECONDS: Final = 5.0
"""How long a worker waits before it ends because the database failed: then the next one starts."""


class LeaseLost(Exception):
    """The job was cancelled, replaced or claimed by another worker."""


class TooLong(Exception):
    """The job exceeds `TIMEOUT`."""


_process: subprocess.Popen[bytes] | None = None
"""The worker that this server process has started last."""

_starting: Final = Lock()
"""Held while a worker is started, so that two requests do not start two."""


def ensure_worker() -> None:
    """Requeue the jobs of killed workers, and start a worker if one is lacking."""
    queue.requeue_lost_jobs()
    states = set(Job.objects.filter(state__in=Job.ACTIVE).values_list("state", flat=True))
    if states == {Job.WAITING}:
        start_worker()


def start_worker() -> None:
    """Start a worker process, unless ours is running."""
    global _process
    # In the server's folder, because its settings may contain relative paths.
    folders = str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH", "")
    with _starting:
        if _process is None or _process.poll() is not None:
            _process = subprocess.Popen(
                [sys.executable, "-m", "dizzle_site", "balance_worker"],
                env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, folders))},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                start_new_session=True,  # Ctrl-C is for the server
            )


def end_worker() -> None:
    """Ask our worker process to stop, because the site stops."""
    if _process is not None and _process.poll() is None:
        _process.terminate()


_stop: Final = Event()
"""Set once this worker is asked to stop."""


def stop(*_signal: object) -> None:
    """Stop this worker (signal handler). `Progress` stops it where the exception is swallowed."""
    if not _stop.is_set():
        _stop.set()
        sys.exit()


JobKind = Callable[[Job, "Progress"], Mapping[str, Any]]
"""Runs a job of one kind and returns its ``report``."""


def run_jobs(kinds: Mapping[str, JobKind]) -> int:
    """Run jobs until none waits; return their number. ``kinds`` are by `Job.kind`."""
    name, count = secrets.token_hex(8), 0
    try:
        while job := queue.claim(name):
            run_job(job, kinds[job.kind])
            count += 1
    except Error:
        _stop.wait(BACK_OFF_SECONDS)
        raise
    return count


def run_job(job: Job, kind: JobKind) -> None:
    """Run a claimed job and store its result, unless the worker has lost it meanwhile.

    A job that fails is logged, and the worker goes on. Not so if the database fails (`Error`): then
    the worker ends, and another one makes the second attempt.
    """
    try:
        report = kind(job, Progress(job))
    except LeaseLost:
        pass
    except TooLong:
        queue.finish(job, Job.FAILED, reason="too-long")
    except DocumentError:
        queue.finish(job, Job.FAILED, reason="level")
    except BaseException as problem:
        if _stop.is_set():  # another exception may hide the SystemExit
            queue.release(job)
            sys.exit()
        if isinstance(problem, Error) or not isinstance(problem, Exception):
            raise
        log.exception("Job %s (%s) failed.", job.pk, job.kind)
        queue.finish(job, Job.FAILED, reason="error")
    else:
        queue.finish(job, Job.DONE, reason="", done=F("total"), report=report)


class Progress:
    """Counts the games that a job has played; each call can send a heartbeat."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.games = 0
        self.begun = self.sent = time.monotonic()

    def __call__(self, games: int) -> None:
        """Count more games. Raises LeaseLost or TooLong."""
        self.games += games
        now = time.monotonic()
        if _stop.is_set():
            sys.exit()
        if now - self.begun > TIMEOUT.total_seconds():
            raise TooLong
        if now - self.sent >= HEARTBEAT_SECONDS:
            self.sent = now
            self.store(done=self.games)

    def store(self, **values: Any) -> None:
        """Store values of the running job. Raises LeaseLost."""
        if not queue.heartbeat(self.job, **values):
            raise LeaseLost
