"""Balance reports: ask for one, follow it, cancel it, make it (see `sheets.beside.line`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.db import transaction

from sheets.beside import line
from sheets.beside.quotas import Requester, check_quotas
from sheets.models import Job, WorkshopLevel
from sheets.rules import Level, format_level, parse_level
from sheets.simulation.balance.report import measure, plan, plays_alike


@transaction.atomic
def ask(owner: WorkshopLevel, level: Level, requester: Requester) -> Job:
    """Ask for a report on a level as it is now; a running one ends.

    Of the older ones the finished reports are kept: the new one is compared with them.

    Raises:
        quotas.QuotaUsed: the requester has all the jobs that it may have.
        quotas.QueueFull: there is no place for anybody.
    """
    # Whoever asks at the same time waits here.
    WorkshopLevel.objects.select_for_update().get(pk=owner.pk)
    check_quotas(Job.objects.exclude(level=owner), requester)
    owner.balance_jobs.exclude(state=Job.DONE).delete()
    return Job.objects.create(
        level=owner,
        document=dict(format_level(level)),
        total=sum(setting.games for setting in plan(level)),
        address_digest=requester.address,
        device_digest=requester.device,
    )


def latest(owner: WorkshopLevel) -> Job | None:
    """The report of a level as it stands now: being made, done, cancelled or failed, if any.

    Also sees to it that somebody is at work while reports wait.
    """
    line.keep_going()
    return owner.balance_jobs.order_by("-pk").first()


def finished(owner: WorkshopLevel) -> Job | None:
    """The last report of a level that was made to its end, if any, whatever was asked since."""
    return owner.balance_jobs.filter(state=Job.DONE).order_by("-pk").first()


def before(owner: WorkshopLevel, made: Job) -> Job | None:
    """The last finished report of a level as it was before it was changed, if any."""
    older = owner.balance_jobs.filter(state=Job.DONE, pk__lt=made.pk).order_by("-pk")
    return next((job for job in older if not plays_alike(job.document, made.document)), None)


def cancel(owner: WorkshopLevel) -> None:
    """Give up what is waiting or running for a level; the worker notices within a second."""
    line.cancel(owner.balance_jobs.all())


def make_report(job: Job, on_progress: line.Progress) -> Mapping[str, Any]:
    """Play the games of a report. Raises DocumentError for a level that cannot be played."""
    level = parse_level(job.document)
    return measure(level, plan(level), on_progress=on_progress)


def _forget_older(made: Job) -> None:
    """Of the reports before a new one only that of the level before its last change stays."""
    owner = WorkshopLevel.objects.get(balance_jobs=made)
    older = owner.balance_jobs.filter(pk__lt=made.pk)
    if kept := before(owner, made):
        older = older.exclude(pk=kept.pk)
    older.delete()


REPORT: Final = line.Work(make_report, _forget_older)
