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
"""Time that a worker waits after a database error before it ends and a new one can start."""


class LeaseLost(Exception):
    """The job was cancelled, replaced or claimed by another worker."""


class JobTimeout(Exception):
    """The job exceeds `TIMEOUT`."""


_process: subprocess.Popen[bytes] | None = None
"""The worker that this server process has started last; None if it has started none."""

_starting: Final = Lock()
"""Held while a worker is started, so that two requests do not start two."""


def ensure_worker() -> None:
    """Requeue the jobs of killed workers, and start a worker if jobs wait and none runs."""
    queue.requeue_lost_jobs()
    states = set(Job.objects.filter(state__in=Job.ACTIVE).values_list("state", flat=True))
    if states == {Job.WAITING}:
        start_worker()


def start_worker() -> None:
    """Start a worker process, unless one that this server process has started is running."""
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
    """Ask the worker that this server process has started to stop, because the site stops."""
    if _process is not None and _process.poll() is None:
        _process.terminate()


_stop: Final = Event()
"""Set once this worker is asked to stop."""


def stop(*_signal: object) -> None:
    """Stop this worker with SystemExit (signal handler).

    If code of a job swallows the exception, `Progress` raises it again at its next call.
    """
    if not _stop.is_set():
        _stop.set()
        sys.exit()


JobKind = Callable[[Job, "Progress"], Mapping[str, Any]]
"""Function that runs a job of one kind and returns its `Job.report`."""


def run_jobs(kinds: Mapping[str, JobKind]) -> int:
    """Run jobs until none waits; return their number. ``kinds`` has functions by `Job.kind`."""
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

    If the job fails, the worker logs it and goes on. If the database fails (`Error`), the worker
    ends, and another one makes the second attempt.
    """
    try:
        report = kind(job, Progress(job))
    except LeaseLost:
        pass
    except JobTimeout:
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
        self.started = self.sent = time.monotonic()

    def __call__(self, games: int) -> None:
        """Count more games. Raises LeaseLost or JobTimeout."""
        self.games += games
        now = time.monotonic()
        if _stop.is_set():
            sys.exit()
        if now - self.started > TIMEOUT.total_seconds():
            raise JobTimeout
        if now - self.sent >= HEARTBEAT_SECONDS:
            self.sent = now
            self.save(done=self.games)

    def save(self, **values: Any) -> None:
        """Store values of the running job, with a heartbeat. Raises LeaseLost."""
        if not queue.heartbeat(self.job, **values):
            raise LeaseLost
