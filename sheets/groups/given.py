"""What did everybody of a group give away, game by game, and which games can still be looked at?

A job analyses a game of a table (`sheets.analysis.jobs`), whoever asks for it. What it found is
kept with the results of that game in each group that has it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import date
from typing import Final, NamedTuple

from django.db import transaction
from django.db.models import Q, QuerySet

from sheets.access.keys import Access
from sheets.analysis import jobs
from sheets.analysis.given_away import ENGINE
from sheets.groups.filters import Choice
from sheets.jobs import queue
from sheets.jobs.requester_limits import JobRefused, Requester
from sheets.jobs.worker import ensure_worker
from sheets.models import GivenAway, Group, GroupGame, GroupPlayer, GroupResult, Job
from sheets.tables import reading
from sheets.tables.access import find_access
from sheets.tables.playing import MIRRORED

AT_ONCE: Final = 10
"""So many games are asked for at once."""

GIVEN_UP: Final = Q(state=Job.FAILED) & ~Q(reason=queue.LOST)
"""Looks that would fail again."""


class Given(NamedTuple):
    """What somebody gave away in a game: ``points``, which may be off by ``within`` either way.

    ``parts`` are rows as `sheets.analysis.given_away` has them.
    """

    day: date
    game: GroupGame
    total: int
    points: float
    within: float
    clear: float
    decisions: int
    mistakes: int
    parts: Sequence[Sequence[object]]


class CanLook(NamedTuple):
    """Somebody's games that were not looked at: how many can be, and how many not, for what reason.

    ``no_log``: nothing but the result is known; ``no_dice``: the dice lay on the table; ``failed``
    takes too long. ``asked`` are waited for. ``outdated`` were looked at, but in another way than
    games are now.
    """

    ready: int
    asked: int
    no_log: int
    no_dice: int
    failed: int
    outdated: int

    @property
    def at_once(self) -> int:
        """How many are asked for at once."""
        return min(AT_ONCE, self.ready)

    @property
    def has_any(self) -> bool:
        """Whether there is anything to say: some game was played at a table that is there."""
        return bool(self.ready or self.asked or self.no_dice or self.failed or self.outdated)

    @property
    def not_possible(self) -> int:
        """How many cannot be looked at."""
        return self.no_log + self.no_dice + self.failed


# What is kept -------------------------------------------------------------------------------------


def take_over_of(look: Job) -> None:
    """Keep what a look has found in all groups that have its game."""
    for game in GroupGame.objects.filter(table=look.table_id, table__isnull=False, is_open=False):
        with transaction.atomic():
            Group.objects.select_for_update().get(pk=game.group_id)
            take_over(game)


def take_over(game: GroupGame) -> None:
    """Keep what was found of a game, if it was looked at as it is now. The group must be locked."""
    GivenAway.objects.filter(result__game=game).delete()
    if game.table is None:
        return
    look = game.table.looks.filter(first__isnull=False).order_by("-pk").first()
    first = look.first if look else None
    if look is None or first is None or first["engine"] != ENGINE:
        return
    record = reading.record_of(find_access(game.table.code))
    if look.document != jobs.document_of(record):
        return
    seats = first["seats"]
    GivenAway.objects.bulk_create(
        GivenAway(result=result, engine=ENGINE, **seats[result.seat])
        for result in game.results.filter(player__isnull=False)
    )


def given_by(player: GroupPlayer, choice: Choice, *, is_alone: bool) -> list[Given]:
    """What somebody gave away in the games that were looked at, the first one first."""
    chance = Q(result__chance=1) if is_alone else Q(result__chance__lt=1)
    rows = (
        GivenAway.objects.filter(
            chance, result__in=_results(player, choice), engine=ENGINE, result__total__isnull=False
        )
        .select_related("result__game")
        .order_by("result__played", "result__game__number")
    )
    return [
        Given(
            row.result.game.evening,
            row.result.game,
            row.result.total or 0,
            *(row.points, row.within, row.clear, row.decisions, row.mistakes, row.parts),
        )
        for row in rows
    ]


# What can be looked at ----------------------------------------------------------------------------


def can_look(player: GroupPlayer, choice: Choice, games: int) -> CanLook:
    """Which of so many games of somebody can be looked at, and why the others cannot."""
    there = _at_tables(player, choice)
    outdated = GivenAway.objects.filter(result__in=_results(player, choice)).exclude(engine=ENGINE)
    unseen = [one for one in there if not one.is_seen]
    states = Counter(one.state for one in unseen)
    return CanLook(
        states[READY],
        states[ASKED],
        games - len(there),
        states[NO_DICE],
        states[FAILED],
        outdated.count(),
    )


def ask(access: Access[Group], player: GroupPlayer, choice: Choice, requester: Requester) -> None:
    """Ask for looks at the latest games of somebody that were not looked at, as many as fit.

    Raises:
        NotAllowed: the key of the group is for looking only.
        JobRefused: the queue is full, or the group or the requester has too many jobs in it.
    """
    access.refuse_unless_edits()
    ready = [one.code for one in _at_tables(player, choice) if one.is_ready]
    for place, code in enumerate(ready[:AT_ONCE]):
        table = find_access(code)
        try:
            jobs.ask(table.table, reading.record_of(table), requester, access.thing)
        except JobRefused:
            if not place:
                raise
            return


def cancel(access: Access[Group]) -> None:
    """Give up what the group waits for. Raises NotAllowed."""
    access.refuse_unless_edits()
    queue.cancel(access.thing.looks.all())


def waited_for(group: Group) -> list[Job]:
    """The looks that a group waits for, what is being made first; somebody is at work meanwhile."""
    found = group.looks.filter(state__in=Job.ACTIVE).defer("document", "report", "first")
    waiting = sorted(found, key=lambda job: (job.state != Job.RUNNING, job.pk))
    if waiting:
        ensure_worker()
    return waiting


READY, ASKED, NO_DICE, FAILED = "ready", "asked", "no-dice", "failed"


class _AtTable(NamedTuple):
    """A game whose table is there, by the code of that."""

    code: str
    is_seen: bool
    state: str

    @property
    def is_ready(self) -> bool:
        return not self.is_seen and self.state == READY


def _at_tables(player: GroupPlayer, choice: Choice) -> list[_AtTable]:
    """Somebody's games of Dizzle whose tables are there, the latest first."""
    rows = (
        _results(player, choice)
        .filter(game__table__isnull=False, game__table__game="", game__is_open=False)
        .order_by("-played", "-game__number")
        .values_list("game__table", "game__table__code", "game__table__dice", "given__engine")
    )
    found = list(rows)
    looks = Job.objects.filter(table__in=[table for table, *_more in found])
    asked = set(looks.filter(state__in=Job.ACTIVE).values_list("table", flat=True))
    failed = set(looks.filter(GIVEN_UP).values_list("table", flat=True))
    return [
        _AtTable(
            code,
            engine == ENGINE,
            NO_DICE
            if dice == MIRRORED
            else ASKED
            if table in asked
            else FAILED
            if table in failed
            else READY,
        )
        for table, code, dice, engine in found
    ]


def _results(player: GroupPlayer, choice: Choice) -> QuerySet[GroupResult]:
    return GroupResult.objects.filter(choice.on_results(), player=player)
