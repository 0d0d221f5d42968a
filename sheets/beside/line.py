"""What takes long is done beside the server: stand in line, be done, be given up.

A process of its own does it (``manage.py balance_worker``), started by whichever server process is
asked. All that is known of it is in the database: leaving the page, another device or a restart of
the server change nothing. A worker ends with the site, and begins its job anew when the site is
back and somebody looks. One that is killed falls silent; its job counts as failed then and can be
started again. At most `MOST_AT_ONCE` jobs are done at once, the others wait in line.

A job that fails does not end the worker, which goes on with the next one. While the database is
locked or does not answer, the worker waits and retries for up to `STORAGE_TIMEOUT`. How many jobs
may wait, in total and for one requester, is in `sheets.beside.quotas`.
"""

from __future__ import annotations

import json
import logging
import secrets
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

from django.db import Error, close_old_connections, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from dizzle_site.storage import failure_of, quiet_log
from sheets.models import Job
from sheets.rules import DocumentError

log = logging.getLogger(__name__)

Stored = TypeVar("Stored")

MOST_AT_ONCE: Final = 1
"""How many workers there are: each keeps all cores busy."""

SILENCE: Final = timedelta(seconds=20)
"""After so long without a sign a worker counts as killed, until it gives one again."""

STORAGE_TIMEOUT: Final = timedelta(seconds=60)
"""How long a worker retries while the database is locked or does not answer.

Longer than a backup, a migration or a restart of the database takes; after it the job fails. It may
be longer than `SILENCE`: a job that was marked as killed meanwhile goes on.
"""

STORAGE_RETRY_SECONDS: Final = 0.5
"""Pause before each retry, in addition to SQLite's own busy timeout."""

BEAT_SECONDS: Final = 0.7
"""How often a worker gives a sign, and looks whether it is still wanted."""

LONGEST: Final = timedelta(minutes=10)
"""A job that takes longer is given up."""

ACTIVE: Final = (Job.WAITING, Job.RUNNING)

KILLED: Final = "killed"
"""The `Job.reason` of a job whose worker has given no sign for `SILENCE`."""


class NotWanted(Exception):
    """The job was cancelled or taken for dead while it was done."""


class TooLong(Exception):
    """The job takes too long."""


class Work(NamedTuple):
    """How jobs of a kind are done.

    ``do`` is told what to do and where to say how far it is, and gives what is stored as the job's
    ``report``; ``after`` is called once that is there.
    """

    do: Callable[[Job, Progress], Mapping[str, Any]]
    after: Callable[[Job], object]


Works = Mapping[str, Work]
"""By `Job.kind`."""


def jobs_before(job: Job) -> int:
    """How many jobs come before a waiting one."""
    active = Job.objects.filter(state__in=ACTIVE).only("pk", "state", "group")
    return sum(one.state == Job.RUNNING or _turn(one) < _turn(job) for one in active)


def _turn(job: Job) -> tuple[bool, int]:
    """By what those who wait are done: who waits at a page first, then groups."""
    return job.group_id is not None, job.pk


def somebody_waits() -> bool:
    """Whether another job could be done instead."""
    return Job.objects.filter(state=Job.WAITING).exists()


def end(jobs: QuerySet[Job], state: str, **values: Any) -> bool:
    """Take jobs out of the queue and forget who asked for them; False if there was none."""
    return bool(jobs.update(state=state, address_digest="", device_digest="", **values))


def cancel(jobs: QuerySet[Job]) -> None:
    """Cancel those of the jobs that wait or run; a running one's worker notices in a second."""
    end(jobs.filter(state__in=ACTIVE), Job.CANCELLED)


def keep_going(now: datetime | None = None) -> None:
    """Mark silent workers' jobs as failed, and start a worker if one is lacking."""
    silent = (now or timezone.now()) - SILENCE
    active = Job.objects.filter(state__in=ACTIVE)
    end(active.filter(state=Job.RUNNING, beat__lt=silent), Job.FAILED, reason=KILLED)
    states = list(active.values_list("state", flat=True)[: MOST_AT_ONCE + 1])
    if Job.WAITING in states and states.count(Job.RUNNING) < MOST_AT_ONCE:
        start_worker()


_started: list[subprocess.Popen[bytes]] = []


def start_worker() -> None:
    """Start a process that does the jobs in line, unless one of ours is about to.

    It is in a session of its own, so that Ctrl-C is for the server, which ends it (`end_workers`).
    """
    _started[:] = [worker for worker in _started if worker.poll() is None]
    if len(_started) >= MOST_AT_ONCE:
        return
    _started.append(
        subprocess.Popen(
            [sys.executable, "-m", "dizzle_site", "balance_worker"],
            cwd=Path(__file__).parents[2],  # where dizzle_site is found, too
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            start_new_session=True,
        )
    )


def end_workers() -> None:
    """Ask the workers of this process to end: the site is about to, and its database with it.

    They put their jobs back into the line, to be done once the site is there again.
    """
    for worker in _started:
        if worker.poll() is None:
            worker.terminate()


def work(works: Works) -> int:
    """Do the jobs in line until none waits; gives their number."""
    name, made = secrets.token_hex(8), 0
    while job := patiently(lambda: claim(name)):
        make(job, works)
        made += 1
    return made


def patiently(act: Callable[[], Stored]) -> Stored:
    """Read or store something, and retry while the database is locked or does not answer.

    Raises:
        Error: it still fails after `STORAGE_TIMEOUT`, or for a reason that no retry removes.
    """
    give_up = time.monotonic() + STORAGE_TIMEOUT.total_seconds()
    while True:
        try:
            return act()
        except Error as problem:
            failure = failure_of(problem)
            if not failure or time.monotonic() > give_up:
                raise
            quiet_log.error(failure, problem)
        close_old_connections()
        time.sleep(STORAGE_RETRY_SECONDS)


def claim(worker: str) -> Job | None:
    """The next job in line, now this worker's; None if there is none or enough are at work.

    A worker that has a running job already gets that one: it was claimed, but the database's
    answer was lost.
    """
    with transaction.atomic():
        # All that claim look at the same rows, one after the other.
        active = list(
            Job.objects.select_for_update()
            .filter(state__in=ACTIVE)
            .order_by("pk")
            .only("pk", "state", "group", "worker")
        )
        running = [job for job in active if job.state == Job.RUNNING]
        next_job = next((job for job in running if job.worker == worker), None)
        if next_job is None:
            if len(running) >= MOST_AT_ONCE:
                return None
            waiting = [job for job in active if job.state == Job.WAITING]
            next_job = min(waiting, key=_turn, default=None)
        if next_job is None:
            return None
        now = timezone.now()
        Job.objects.filter(pk=next_job.pk).update(
            state=Job.RUNNING, worker=worker, done=0, beat=now
        )
    return Job.objects.filter(pk=next_job.pk).first()


def make(job: Job, works: Works) -> None:
    """Do a claimed job and store what came of it, unless it is not wanted any more.

    A job that fails is logged and marked as failed: the worker can go on with the next one.

    Raises:
        Error: nothing can be stored, see `patiently`.
    """
    try:
        _make(job, works)
    except (KeyboardInterrupt, SystemExit):  # the site ends: the next worker does the job
        _mine(job).update(state=Job.WAITING, worker="", done=0)
        raise


def _make(job: Job, works: Works) -> None:
    try:
        report = works[job.kind].do(job, Progress(job))
    except NotWanted:
        return
    except TooLong:
        _finish(job, Job.FAILED, reason="too-long")
    except DocumentError:
        _finish(job, Job.FAILED, reason="level")
    except Exception:
        log.exception("Job %s (%s) failed.", job.pk, job.kind)
        _finish(job, Job.FAILED, reason="error")
    else:
        if _finish(job, Job.DONE, done=job.total, report=_plain(report)):
            _clean_up(job, works)


def _clean_up(job: Job, works: Works) -> None:
    """Call the `Work.after` of a job that is done; it stays done if that fails."""
    try:
        patiently(lambda: works[job.kind].after(job))
    except Exception:
        log.exception("Cleaning up after job %s (%s) failed.", job.pk, job.kind)


class Progress:
    """Counts what is done of a job, and tells the database now and then."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.done = 0
        self.begun = self.told = timezone.now()

    def __call__(self, games: int) -> None:
        self.done += games
        now = timezone.now()
        if now - self.begun > LONGEST:
            raise TooLong
        if (now - self.told).total_seconds() < BEAT_SECONDS:
            return
        self.told = now
        self._store(done=self.done)

    def expect(self, total: int) -> None:
        """Say how much there is to do, where that was not known before."""
        self._store(total=total)
        self.job.total = total

    def keep(self, report: Mapping[str, Any]) -> None:
        """Store what there is to see already, though the job goes on."""
        self._store(report=_plain(report))

    def _store(self, **values: Any) -> None:
        """Store values of the running job. Raises NotWanted."""
        running = {"state": Job.RUNNING, "reason": "", "beat": timezone.now()}
        if not patiently(lambda: _mine(self.job).update(**running, **values)):
            raise NotWanted


def _plain(report: Mapping[str, Any]) -> Any:
    return json.loads(json.dumps(report))


def _finish(job: Job, state: str, *, reason: str = "", **values: Any) -> bool:
    """Store how a job ended; False where it was not wanted any more."""
    now = timezone.now()
    return patiently(lambda: end(_mine(job), state, reason=reason, beat=now, **values))


def _mine(job: Job) -> QuerySet[Job]:
    """The job as long as it is this worker's and still wanted.

    That includes one marked as killed while its worker could give no sign, as on a machine that
    slept or with a locked database: nobody has asked for it again, so the worker goes on.
    """
    is_mine = Q(state=Job.RUNNING) | Q(state=Job.FAILED, reason=KILLED)
    return Job.objects.filter(is_mine, pk=job.pk, worker=job.worker)
