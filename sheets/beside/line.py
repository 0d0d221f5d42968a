"""What takes long is done beside the server: stand in line, be done, be given up.

A process of its own does it (``manage.py balance_worker``), started by whichever server process is
asked. All that is known of it is in the database: leaving the page, another device or a restart of
the server change nothing. A worker ends with the site, and begins its job anew when the site is
back and somebody looks. One that is killed falls silent; its job counts as failed then and can be
started again. At most `MOST_AT_ONCE` jobs are done at once, the others wait in line.
How many jobs may wait, in total and for one requester, is in `sheets.beside.quotas`.
"""

from __future__ import annotations

import json
import secrets
import subprocess
import sys
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final, NamedTuple

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from sheets.models import Job
from sheets.rules import DocumentError

MOST_AT_ONCE: Final = 1
"""How many workers there are: each keeps all cores busy."""

SILENCE: Final = timedelta(seconds=20)
"""After so long without a sign a worker counts as killed."""

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
    while job := claim(name):
        make(job, works)
        made += 1
    return made


def claim(worker: str) -> Job | None:
    """The next job in line, now this worker's; None if there is none or enough are at work."""
    with transaction.atomic():
        # All that claim look at the same rows, one after the other.
        active = list(
            Job.objects.select_for_update()
            .filter(state__in=ACTIVE)
            .order_by("pk")
            .only("pk", "state", "group")
        )
        if sum(job.state == Job.RUNNING for job in active) >= MOST_AT_ONCE:
            return None
        waiting = min((job for job in active if job.state == Job.WAITING), key=_turn, default=None)
        if waiting is None:
            return None
        now = timezone.now()
        Job.objects.filter(pk=waiting.pk).update(state=Job.RUNNING, worker=worker, done=0, beat=now)
    return Job.objects.filter(pk=waiting.pk).first()


def make(job: Job, works: Works) -> None:
    """Do a claimed job and store what came of it, unless it is not wanted any more."""
    try:
        report = works[job.kind].do(job, Progress(job))
    except NotWanted:
        return
    except TooLong:
        _finish(job, Job.FAILED, reason="too-long")
    except DocumentError:
        _finish(job, Job.FAILED, reason="level")
    except SystemExit:  # asked to end, as the site is: whoever is there next does it
        _mine(job).update(state=Job.WAITING, worker="", done=0)
        raise
    except Exception:
        _finish(job, Job.FAILED, reason="error")
        raise
    else:
        if _finish(job, Job.DONE, done=job.total, report=_plain(report)):
            works[job.kind].after(job)


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
        if not _mine(self.job).update(done=self.done, beat=now):
            raise NotWanted

    def expect(self, total: int) -> None:
        """Say how much there is to do, where that was not known before."""
        if not _mine(self.job).update(total=total, beat=timezone.now()):
            raise NotWanted
        self.job.total = total

    def keep(self, report: Mapping[str, Any]) -> None:
        """Store what there is to see already, though the job goes on."""
        if not _mine(self.job).update(report=_plain(report), beat=timezone.now()):
            raise NotWanted


def _plain(report: Mapping[str, Any]) -> Any:
    return json.loads(json.dumps(report))


def _finish(job: Job, state: str, **values: Any) -> bool:
    """Store how a job ended; False where it was not wanted any more."""
    return end(_mine(job), state, beat=timezone.now(), **values)


def _mine(job: Job) -> Any:
    """The job as long as it is this worker's and still wanted."""
    return Job.objects.filter(pk=job.pk, state=Job.RUNNING, worker=job.worker)
