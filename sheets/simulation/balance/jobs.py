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
from sheets.simulation.balance.report import measure, plan_games, plays_alike


@transaction.atomic
def request_report(owner: WorkshopLevel, level: Level, requester: Requester) -> Job:
    """Enqueue a report on a level as it is now. It replaces an unfinished report.

    Two finished reports are kept for comparison: the newest one, and the newest one on an earlier
    version of the level.

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
        total=sum(setting.games for setting in plan_games(level)),
    )
    if last := finished_report(owner):
        older = owner.balance_jobs.filter(pk__lt=last.pk)
        if compared := previous_report(owner, last):
            older = older.exclude(pk=compared.pk)
        older.delete()
    return job


def latest_report(owner: WorkshopLevel) -> Job | None:
    """Return the newest report of a level, in whatever state. Also starts a worker if jobs wait."""
    ensure_worker()
    return owner.balance_jobs.order_by("-pk").first()


def finished_report(owner: WorkshopLevel) -> Job | None:
    """Return the newest finished report of a level, if any."""
    return owner.balance_jobs.filter(state=Job.DONE).order_by("-pk").first()


def previous_report(owner: WorkshopLevel, made: Job) -> Job | None:
    """Return the newest finished report before ``made`` on another version of the level, if any."""
    older = owner.balance_jobs.filter(state=Job.DONE, pk__lt=made.pk).order_by("-pk")
    return next((job for job in older if not plays_alike(job.document, made.document)), None)


def cancel(owner: WorkshopLevel) -> None:
    """Cancel the report of a level, if it waits or runs."""
    queue.cancel(owner.balance_jobs.all())


def make_report(job: Job, on_progress: Progress) -> Mapping[str, Any]:
    """Play the games of a report, and return the report.

    Raises:
        DocumentError: the level cannot be played.
    """
    level = parse_level(job.document)
    return measure(level, plan_games(level), on_progress=on_progress)
