"""Balance reports are made beside the server: ask for one, follow it, cancel it, make it.

A report takes the bots a while, so that a process of its own makes it (``manage.py
balance_worker``), started by whichever server process is asked. All that is known of it is in the
database: leaving the page, another device or a restart of the server change nothing. A worker ends
with the site, and begins its report anew when the site is back and somebody looks. One that
is killed falls silent; its job counts as failed then and can be started again. At most
`MOST_AT_ONCE` reports are made at once, the others wait in line.
"""

from __future__ import annotations

import json
import secrets
import subprocess
import sys
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

from django.db import transaction
from django.utils import timezone

from sheets.models import BalanceJob, WorkshopLevel
from sheets.rules import DocumentError, Level, format_level, parse_level
from sheets.simulation.balance.report import measure, plan, plays_alike

MOST_AT_ONCE: Final = 1
"""How many workers there are: each keeps all cores busy."""

MOST_WAITING: Final = 30
"""How many reports may wait in line."""

SILENCE: Final = timedelta(seconds=20)
"""After so long without a sign a worker counts as killed."""

BEAT_SECONDS: Final = 0.7
"""How often a worker gives a sign, and looks whether it is still wanted."""

LONGEST: Final = timedelta(minutes=10)
"""A report that takes longer is given up."""

ACTIVE: Final = (BalanceJob.WAITING, BalanceJob.RUNNING)


class LineFull(Exception):
    """Too many reports wait already."""


class NotWanted(Exception):
    """The report was cancelled or taken for dead while it was made."""


class TooLong(Exception):
    """The report takes too long."""


@transaction.atomic
def ask(owner: WorkshopLevel, level: Level) -> BalanceJob:
    """Ask for a report on a level as it is now; a running one ends.

    Of the older ones the finished reports are kept: the new one is compared with them.

    Raises:
        LineFull: there is no room for one more.
    """
    # Whoever asks at the same time waits here.
    WorkshopLevel.objects.select_for_update().get(pk=owner.pk)
    waiting = BalanceJob.objects.filter(state=BalanceJob.WAITING).exclude(level=owner)
    if waiting.count() >= MOST_WAITING:
        raise LineFull
    owner.balance_jobs.exclude(state=BalanceJob.DONE).delete()
    return BalanceJob.objects.create(
        level=owner,
        document=dict(format_level(level)),
        total=sum(setting.games for setting in plan(level)),
    )


def latest(owner: WorkshopLevel) -> BalanceJob | None:
    """The report of a level as it stands now: being made, done, cancelled or failed, if any.

    Also sees to it that somebody is at work while reports wait.
    """
    keep_going()
    return owner.balance_jobs.order_by("-pk").first()


def finished(owner: WorkshopLevel) -> BalanceJob | None:
    """The last report of a level that was made to its end, if any, whatever was asked since."""
    return owner.balance_jobs.filter(state=BalanceJob.DONE).order_by("-pk").first()


def before(owner: WorkshopLevel, made: BalanceJob) -> BalanceJob | None:
    """The last finished report of a level as it was before it was changed, if any."""
    older = owner.balance_jobs.filter(state=BalanceJob.DONE, pk__lt=made.pk).order_by("-pk")
    return next((job for job in older if not plays_alike(job.document, made.document)), None)


def cancel(owner: WorkshopLevel) -> None:
    """Give up what is waiting or running for a level; the worker notices within a second."""
    owner.balance_jobs.filter(state__in=ACTIVE).update(state=BalanceJob.CANCELLED)


def reports_before(job: BalanceJob) -> int:
    """How many reports come before a waiting one."""
    return BalanceJob.objects.filter(state__in=ACTIVE, pk__lt=job.pk).count()


def keep_going(now: datetime | None = None) -> None:
    """Mark silent workers' jobs as failed, and start a worker if one is lacking."""
    silent = (now or timezone.now()) - SILENCE
    active = BalanceJob.objects.filter(state__in=ACTIVE)
    active.filter(state=BalanceJob.RUNNING, beat__lt=silent).update(
        state=BalanceJob.FAILED, reason="killed"
    )
    states = list(active.values_list("state", flat=True)[: MOST_AT_ONCE + 1])
    if BalanceJob.WAITING in states and states.count(BalanceJob.RUNNING) < MOST_AT_ONCE:
        start_worker()


_started: list[subprocess.Popen[bytes]] = []


def start_worker() -> None:
    """Start a process that makes the reports in line, unless one of ours is about to.

    It is in a session of its own, so that Ctrl-C is for the server, which ends it (`end_workers`).
    """
    _started[:] = [worker for worker in _started if worker.poll() is None]
    if len(_started) >= MOST_AT_ONCE:
        return
    _started.append(
        subprocess.Popen(
            [sys.executable, "-m", "dizzle_site", "balance_worker"],
            cwd=Path(__file__).parents[3],  # where dizzle_site is found, too
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            start_new_session=True,
        )
    )


def end_workers() -> None:
    """Ask the workers of this process to end: the site is about to, and its database with it.

    They put their reports back into the line, to be made once the site is there again.
    """
    for worker in _started:
        if worker.poll() is None:
            worker.terminate()


def work() -> int:
    """Make the reports in line until none waits; gives their number."""
    name, made = secrets.token_hex(8), 0
    while job := claim(name):
        make(job)
        made += 1
    return made


def claim(worker: str) -> BalanceJob | None:
    """The next report in line, now this worker's; None if there is none or enough are at work."""
    with transaction.atomic():
        # All that claim look at the same rows, one after the other.
        active = list(
            BalanceJob.objects.select_for_update()
            .filter(state__in=ACTIVE)
            .order_by("pk")
            .only("pk", "state")
        )
        if sum(job.state == BalanceJob.RUNNING for job in active) >= MOST_AT_ONCE:
            return None
        waiting = next((job for job in active if job.state == BalanceJob.WAITING), None)
        if waiting is None:
            return None
        now = timezone.now()
        BalanceJob.objects.filter(pk=waiting.pk).update(
            state=BalanceJob.RUNNING, worker=worker, done=0, beat=now
        )
    return BalanceJob.objects.filter(pk=waiting.pk).first()


def make(job: BalanceJob) -> None:
    """Play the games of a claimed job and store the report, unless it is not wanted any more."""
    try:
        level = parse_level(job.document)
        report = measure(level, plan(level), on_progress=_Progress(job))
    except NotWanted:
        return
    except TooLong:
        _finish(job, state=BalanceJob.FAILED, reason="too-long")
    except DocumentError:
        _finish(job, state=BalanceJob.FAILED, reason="level")
    except SystemExit:  # asked to end, as the site is: whoever is there next makes the report
        _mine(job).update(state=BalanceJob.WAITING, worker="", done=0)
        raise
    except Exception:
        _finish(job, state=BalanceJob.FAILED, reason="error")
        raise
    else:
        report = json.loads(json.dumps(report))
        if _finish(job, state=BalanceJob.DONE, done=job.total, report=report):
            _forget_older(job)


def _forget_older(made: BalanceJob) -> None:
    """Of the reports before a new one only that of the level before its last change stays."""
    older = BalanceJob.objects.filter(level=made.level_id, pk__lt=made.pk)
    if kept := before(made.level, made):
        older = older.exclude(pk=kept.pk)
    older.delete()


class _Progress:
    """Counts the games, and tells the database now and then."""

    def __init__(self, job: BalanceJob) -> None:
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


def _finish(job: BalanceJob, **values: Any) -> bool:
    """Store how a job ended; False where it was not wanted any more."""
    return bool(_mine(job).update(beat=timezone.now(), **values))


def _mine(job: BalanceJob) -> Any:
    """The job as long as it is this worker's and still wanted."""
    return BalanceJob.objects.filter(pk=job.pk, state=BalanceJob.RUNNING, worker=job.worker)
