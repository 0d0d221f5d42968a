"""Balance reports as jobs: request, find, cancel and run one (see `sheets.jobs.queue`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from sheets.jobs import queue
from sheets.jobs.requester_limits import Requester
from sheets.jobs.worker import Progress, ensure_worker
from sheets.models import Job, WorkshopLevel
from sheets.rules import Level, format_level, parse_level
from sheets.simulation.balance.report import measure, plan, plays_alike


@transaction.atomic
def ask(owner: WorkshopLevel, level: Level, requester: Requester) -> Job:
    """Enqueue a report on a level as it is now, in place of one in the queue.

    Two finished reports are kept for comparison: the last one, and the last one before a change.

    Raises:
        JobRefused: the queue is full, or the requester has too many jobs in it.
    """
    # Concurrent requests for the same level wait here.
    WorkshopLevel.objects.select_for_update().get(pk=owner.pk)
    job = queue.enqueue(
        owner.balance_jobs.exclude(state=Job.DONE),
        requester,
        level=owner,
        document=dict(format_level(level)),
        total=sum(setting.games for setting in plan(level)),
    )
    if last := finished(owner):
        older = owner.balance_jobs.filter(pk__lt=last.pk)
        if compared := before(owner, last):
            older = older.exclude(pk=compared.pk)
        older.delete()
    return job


def latest(owner: WorkshopLevel) -> Job | None:
    """Return the newest report of a level, in whatever state. Also starts a worker if jobs wait."""
    ensure_worker()
    return owner.balance_jobs.order_by("-pk").first()


def finished(owner: WorkshopLevel) -> Job | None:
    """Return the newest finished report of a level, if any."""
    return owner.balance_jobs.filter(state=Job.DONE).order_by("-pk").first()


def before(owner: WorkshopLevel, made: Job) -> Job | None:
    """Return the newest finished report on another version of the level than this one, if any."""
    older = owner.balance_jobs.filter(state=Job.DONE, pk__lt=made.pk).order_by("-pk")
    return next((job for job in older if not plays_alike(job.document, made.document)), None)


def cancel(owner: WorkshopLevel) -> None:
    """Cancel the report of a level, if it waits or runs."""
    queue.cancel(owner.balance_jobs.all())


def make_report(job: Job, on_progress: Progress) -> Mapping[str, Any]:
    """Play the games of a report. Raises DocumentError if the level cannot be played."""
    level = parse_level(job.document)
    return measure(level, plan(level), on_progress=on_progress)
