"""Results of a group's players on sheets of the day, apart from the games of the group."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import date
from itertools import groupby
from typing import Final, NamedTuple

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from sheets.access.keys import Access, lock
from sheets.groups.players import match_players, root_of
from sheets.models import DailyResult, Group, GroupGame, GroupPlayer

SHOWN_DAYS: Final = 30
"""Maximum number of days that a group's page of sheets of the day shows."""

DAYS_ON_GROUP_PAGE: Final = 3
"""Maximum number of days that the page of a group shows."""

MAX_SHOWN: Final = 500
"""Maximum number of results that one page reads."""


class TooManyPlayers(Exception):
    """The group has its maximum number of players, so a new name cannot have a result."""


class ResultExists(Exception):
    """The player has another result on this day already: ``total`` points."""

    def __init__(self, name: str, total: int) -> None:
        super().__init__(name)
        self.name = name
        self.total = total


class Standing(NamedTuple):
    """Result of a player on a day; equal results have the same ``place``."""

    place: int
    name: str
    total: int


class Day(NamedTuple):
    """A day with the results of a group, the best first."""

    day: date
    standings: list[Standing]


@transaction.atomic
def add(access: Access[Group], name: str, day: date, totals: list[int]) -> None:
    """Store a player's result of a day. The same result again changes nothing.

    A name that is new to the group becomes a player.

    Raises:
        NotAllowed: the key of the group is read-only.
        TooManyPlayers: see there.
        ResultExists: the player has another result on this day; it stays.
    """
    group = lock(access)
    player = _player(group, name)
    root = root_of(player)
    same_person = Q(player=root) | Q(player__merged_into=root)
    known = DailyResult.objects.filter(same_person, day=day).first()
    if known and known.totals != totals:
        raise ResultExists(root.name, known.total)
    if known is None:
        player.daily_results.create(group=group, day=day, total=totals[-1], totals=totals)
        group.touched = timezone.now()
        group.save(update_fields=["touched"])


def _player(group: Group, name: str) -> GroupPlayer:
    next_game = GroupGame(number=group.last_number + 1)
    ((_root, player),) = match_players(group, [name], next_game)
    if player is None:
        raise TooManyPlayers
    return player


def standings_of(group: Group, day: date) -> list[Standing]:
    """Return the results of a day, the best first."""
    return standings_of_groups([group], day)[group.pk]


def standings_of_groups(groups: Collection[Group], day: date) -> dict[int, list[Standing]]:
    """Return the results of a day by group, the best first."""
    results: dict[int, list[DailyResult]] = {group.pk: [] for group in groups}
    found = DailyResult.objects.filter(group__in=groups, day=day)
    for result in found.select_related("player__merged_into").order_by("pk"):
        results[result.group_id].append(result)
    return {pk: _standings(some) for pk, some in results.items()}


def latest_days(group: Group, count: int) -> list[Day]:
    """Return the latest days with results, the latest first."""
    found = group.daily_results.select_related("player__merged_into")
    results = list(found.order_by("-day", "pk")[:MAX_SHOWN])
    days = [Day(day, _standings(some)) for day, some in groupby(results, lambda one: one.day)]
    if len(results) == MAX_SHOWN and len(days) > 1:
        days.pop()  # results of this day may be missing
    return days[:count]


def _standings(results: Iterable[DailyResult]) -> list[Standing]:
    """Return the standings of a day; of merged players, the first of ``results`` counts."""
    first: dict[GroupPlayer, int] = {}
    for result in results:
        first.setdefault(root_of(result.player), result.total)
    standings: list[Standing] = []
    for count, (player, total) in enumerate(
        sorted(first.items(), key=lambda one: -one[1]), start=1
    ):
        is_tied = standings and standings[-1].total == total
        place = standings[-1].place if is_tied else count
        standings.append(Standing(place, player.name, total))
    return standings
