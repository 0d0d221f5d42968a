"""Analyses of games as jobs: request, find, cancel and run one (see `sheets.jobs.queue`).

The result is stored after each round, so that users can read something early. While other jobs
wait, an analysis ends with its current round.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from django.db import transaction

from sheets.analysis.given_away import given_away
from sheets.jobs import queue
from sheets.jobs.requester_limits import Requester
from sheets.jobs.worker import Progress, TooLong, ensure_worker
from sheets.models import GameFile, Group, Job, Table
from sheets.rules.documents.game import Record, format_game, parse_game

Owner = Table | GameFile
"""Where a game is kept."""

UNKNOWN: Final = 1
"""`Job.total` until the number of games is known."""


@transaction.atomic
def ask(owner: Owner, record: Record, requester: Requester, group: Group | None = None) -> Job:
    """Enqueue an analysis of a game, in place of an earlier one.

    An earlier result stays until there is a better one, unless the game has changed since. A
    ``group`` never replaces an analysis in the queue.

    Raises:
        JobRefused: the queue is full, or the requester or the group has too many jobs in it.
    """
    # Concurrent requests for the same game wait here.
    type(owner).objects.select_for_update().get(pk=owner.pk)
    if group and (active := owner.looks.filter(state__in=Job.ACTIVE).first()):
        return active
    before = _last_look(owner, record)
    kept = {"report": before.report, "first": before.first} if before else {}
    return queue.enqueue(
        owner.looks.all(),
        requester,
        group,
        **{"table" if isinstance(owner, Table) else "file": owner},
        document=document_of(record),
        total=UNKNOWN,
        **kept,
    )


def latest(owner: Owner, record: Record) -> Job | None:
    """Return the analysis of a game as it is now, if any. Also starts a worker if jobs wait."""
    ensure_worker()
    return _last_look(owner, record)


def _last_look(owner: Owner, record: Record) -> Job | None:
    job = owner.looks.order_by("-pk").first()
    return job if job and job.document == document_of(record) else None


def cancel(owner: Owner) -> None:
    """Cancel the analysis of a game, if it waits or runs."""
    queue.cancel(owner.looks.all())


def document_of(record: Record) -> dict[str, Any]:
    """Return the game as a document without the players' names, which its page adds."""
    seats = tuple(str(seat) for seat, _ in enumerate(record.players, start=1))
    return format_game(record._replace(level_id="", players=seats))


def make_look(
    job: Job, on_progress: Progress, on_first: Callable[[Job], object]
) -> Mapping[str, Any]:
    """Analyse a game in rounds, each more exact; ``on_first`` is called after the first one.

    A result that an earlier analysis has stored is replaced only by one that is as exact at least.

    Raises:
        DocumentError: the game cannot be analysed.
    """
    # Imported here, because the server does not need NumPy.
    from sheets.analysis.document import format_analysis
    from sheets.analysis.looking import Inquiry

    record = parse_game(job.document)
    inquiry = Inquiry(
        record, on_progress=on_progress, on_plan=lambda total: on_progress.store(total=total)
    )
    best: Mapping[str, Any] = job.report or {}
    is_first = True
    try:
        for analysis in inquiry.rounds():
            report = format_analysis(analysis)
            if report["round"] >= best.get("round", 0):
                best = report
                on_progress.store(report=report)
            if is_first:
                is_first = False
                Job.objects.filter(pk=job.pk).update(first=given_away(report))
                on_first(job)
            if job.group_id or queue.has_waiting_jobs():
                break
    except TooLong:
        if not best:
            raise
    return best
