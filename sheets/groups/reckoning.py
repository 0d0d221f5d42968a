"""How far has everybody of a group come? What follows from its games is added up, and kept.

Month by month, so that a game of last year that comes in now costs no more than the games since.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from datetime import date, timedelta
from itertools import groupby
from typing import Final

from django.db import transaction
from django.db.models import Case, OuterRef, Subquery, When
from django.db.models.query import QuerySet

from sheets.groups.filters import MATCHES
from sheets.groups.sums import OneResult, Sums, add_game, format_sums, read_sums
from sheets.models import Group, GroupGame, GroupPlayer, GroupResult, PlayerMonth

AT_ONCE: Final = 2000
"""So many games are added up for one page, and as many more as their last month has."""

ROWS: Final = 500


def reckon(group: Group) -> int:
    """Add up what has changed; gives how many games are left for the next time."""
    if Group.objects.filter(pk=group.pk, changed_from=None).exists():  # as a rule
        return 0
    with transaction.atomic():
        locked = Group.objects.select_for_update().get(pk=group.pk)
        if locked.changed_from is None:  # somebody else was faster
            return 0
        first = locked.changed_from
        PlayerMonth.objects.filter(player__group=locked, month__gte=first).delete()
        games = locked.games.filter(is_open=False, evening__gte=first)
        until = _until(games)
        wanted = games.filter(evening__lt=until) if until else games
        PlayerMonth.objects.bulk_create(_months(locked, first, wanted), batch_size=ROWS)
        locked.changed_from = until
        locked.save(update_fields=["changed_from"])
        return games.filter(evening__gte=until).count() if until else 0


def sums_of(group: Group, before: date = date.max) -> dict[int, Sums]:
    """How far everybody has come, by player; before a month."""
    latest = PlayerMonth.objects.filter(player=OuterRef("pk"), month__lt=before).order_by("-month")
    newest = GroupPlayer.objects.filter(group=group).values(
        newest=Subquery(latest.values("pk")[:1])
    )
    rows = PlayerMonth.objects.filter(pk__in=newest).values_list("player", "sums")
    return {player: read_sums(text) for player, text in rows}


def sums_now(player: GroupPlayer) -> Sums:
    """How far one of a group has come."""
    latest = player.months.order_by("-month").values_list("sums", flat=True).first()
    return read_sums(latest) if latest else Sums()


def months_of(player: GroupPlayer) -> list[tuple[date, Sums]]:
    """The months in which somebody has played, the first one first."""
    rows = player.months.order_by("month").values_list("month", "sums")
    return [(month, read_sums(text)) for month, text in rows]


def _until(games: QuerySet[GroupGame]) -> date | None:
    """The month that has to wait; None if all of the games are few enough."""
    found = games.order_by("evening").values_list("evening", flat=True)
    following = found[AT_ONCE : AT_ONCE + 1].first()
    if following is None:
        return None
    first, month = _month_of(found[0]), _month_of(following)
    return month if month > first else (first + timedelta(days=32)).replace(day=1)


def _months(group: Group, first: date, games: QuerySet[GroupGame]) -> Iterator[PlayerMonth]:
    sums: defaultdict[int, Sums] = defaultdict(Sums, sums_of(group, first))
    for month, of_month in groupby(_results(games), key=lambda one: _month_of(one.evening)):
        for mine in sums.values():
            mine.totals, mine.strengths = [], []
        here: set[int] = set()
        for _game, of_game in groupby(of_month, key=lambda one: one.game):
            results = list(of_game)
            add_game(sums, results)
            here |= {one.player for one in results}
        for player in sorted(here):
            yield PlayerMonth(player_id=player, month=month, sums=format_sums(sums[player]))


def _results(games: QuerySet[GroupGame]) -> Iterator[OneResult]:
    """Yield the results of the players of the group in the order in which they played."""
    rows = (
        GroupResult.objects.filter(game__in=games, player__isnull=False)
        .order_by("game__evening", "game__played", "game__number", "seat")
        .annotate(is_match=Case(When(MATCHES, then=True), default=False))
        .values_list(
            *("game__number", "player", "place", "won", "chance", "total"),
            *("parts", "game__evening", "game__kind", "game__level_digest", "game__rating"),
            "is_match",
        )
    )
    for row in rows.iterator(chunk_size=2000):
        yield OneResult(*row)


def _month_of(day: date) -> date:
    return day.replace(day=1)
