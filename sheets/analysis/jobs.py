"""Analyses of games as jobs: request, find, cancel and run one (see `sheets.jobs.queue`).

The result is stored after each round, so that users can read something early. While other jobs
wait, an analysis ends with its current round.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.db import transaction

from sheets.jobs import queue
from sheets.jobs.requester_limits import Requester
from sheets.jobs.worker import JobTimeout, Progress, ensure_worker
from sheets.models import GameFile, Job, Table
from sheets.rules.documents.game import Record, format_anonymous_game, parse_game

Owner = Table | GameFile
"""Database object that a game belongs to."""

UNKNOWN: Final = 1
"""`Job.total` until the number of games is known."""


@transaction.atomic
def request_analysis(owner: Owner, record: Record, requester: Requester) -> Job:
    """Enqueue an analysis of a game. It replaces an earlier analysis of the game.

    The result of the earlier analysis is shown until there is a better one, unless the game has
    changed since.

    Raises:
        JobRefused: the queue is full, or the requester has too many jobs in it.
    """
    # Concurrent requests for the same game wait here.
    type(owner).objects.select_for_update().get(pk=owner.pk)
    before = _current_job(owner, record)
    return queue.enqueue(
        owner.looks.all(),
        requester,
        **{"table" if isinstance(owner, Table) else "file": owner},
        document=format_anonymous_game(record),
        total=UNKNOWN,
        report=before.report if before else None,
    )


def latest_analysis(owner: Owner, record: Record) -> Job | None:
    """Return the analysis of a game as it is now, if any. Also starts a worker if jobs wait."""
    ensure_worker()
    return _current_job(owner, record)


def _current_job(owner: Owner, record: Record) -> Job | None:
    job = owner.looks.order_by("-pk").first()
    return job if job and job.document == format_anonymous_game(record) else None


def cancel(owner: Owner) -> None:
    """Cancel the analysis of a game, if it waits or runs."""
    queue.cancel(owner.looks.all())


def run_analysis(job: Job, on_progress: Progress) -> Mapping[str, Any]:
    """Analyse a game in rounds of increasing accuracy, and return the last result.

    The result of an earlier analysis is replaced only by one that is at least as accurate.

    Raises:
        DocumentError: the game cannot be analysed.
        JobTimeout: the time limit was reached before the first result.
    """
    # Imported here, because the server does not need NumPy.
    from sheets.analysis.analyser import Analyser
    from sheets.analysis.document import format_analysis

    record = parse_game(job.document)
    analyser = Analyser(
        record, on_progress=on_progress, on_plan=lambda total: on_progress.save(total=total)
    )
    best: Mapping[str, Any] = job.report or {}
    try:
        for analysis in analyser.rounds():
            report = format_analysis(analysis)
            if report["round"] >= best.get("round", 0):
                best = report
                on_progress.save(report=report)
            if queue.has_waiting_jobs():
                break
    except JobTimeout:
        if not best:
            raise
    return best
