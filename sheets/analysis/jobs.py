"""Looks at games: ask for one, see how far it is, cancel it, make it (see `sheets.beside.line`).

What has been found is stored after each round, so that there is something to read early on; a look
that others wait for ends with the round that it is in.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.db import transaction

from sheets.beside import line
from sheets.models import GameFile, Job, Table
from sheets.rules.documents.game import Record, format_game, parse_game

Owner = Table | GameFile
"""Where a game is kept."""

UNKNOWN: Final = 1
"""The number of games of a look, until it is known."""


@transaction.atomic
def ask(owner: Owner, record: Record) -> Job:
    """Ask for a look at a game as it is now; what was found of it before is dropped.

    Raises:
        line.LineFull: there is no room for one more.
    """
    # Whoever asks at the same time waits here.
    type(owner).objects.select_for_update().get(pk=owner.pk)
    if not line.has_room(Job.objects.exclude(pk__in=owner.looks.values("pk"))):
        raise line.LineFull
    owner.looks.all().delete()
    return owner.looks.create(document=document_of(record), total=UNKNOWN)


def latest(owner: Owner, record: Record) -> Job | None:
    """The look at a game as it stands now, if any; of one that went on since, it is none.

    Also sees to it that somebody is at work while jobs wait.
    """
    line.keep_going()
    job = owner.looks.order_by("-pk").first()
    return job if job and job.document == document_of(record) else None


def cancel(owner: Owner) -> None:
    """Give up what is waiting or running for a game; the worker notices within a second."""
    owner.looks.filter(state__in=line.ACTIVE).update(state=Job.CANCELLED)


def document_of(record: Record) -> dict[str, Any]:
    """The game without what people are called: that is for its page to say."""
    seats = tuple(str(seat) for seat, _ in enumerate(record.players, start=1))
    return format_game(record._replace(level_id="", players=seats))


def make_look(job: Job, on_progress: line.Progress) -> Mapping[str, Any]:
    """Look at a game, more and more closely.

    Raises:
        DocumentError: it cannot be looked at.
    """
    # NumPy is loaded by who needs it: not by the server.
    from sheets.analysis.document import format_analysis
    from sheets.analysis.looking import Inquiry

    record = parse_game(job.document)
    inquiry = Inquiry(record, on_progress=on_progress, on_plan=on_progress.expect)
    report: dict[str, Any] = {}
    try:
        for analysis in inquiry.rounds():
            report = format_analysis(analysis)
            on_progress.keep(report)
            if line.somebody_waits():
                break
    except line.TooLong:
        if not report:
            raise
    return report


def _nothing(_job: Job) -> None:
    """What was found before has been dropped when somebody asked."""


LOOK: Final = line.Work(make_look, _nothing)
