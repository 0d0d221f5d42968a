"""What did a group play on which day, and who has won?"""

from __future__ import annotations

from collections import defaultdict
from datetime import date
from typing import Any, Final, NamedTuple

from django.core.paginator import Page, Paginator
from django.db.models import Count, Q
from django.utils.translation import gettext as _

from sheets.groups.bg_stats import play_link
from sheets.groups.filters import level_names
from sheets.groups.titles import title_among
from sheets.models import Evening, Group, GroupResult
from sheets.scoring.words import GRADES

ON_A_PAGE: Final = 8


class Did(NamedTuple):
    """How somebody did: ``name`` as it is shown, ``total`` None without points."""

    name: str
    total: int | None
    wins: bool


class Game(NamedTuple):
    """A game of an evening: what was played, and how everybody did; ``grade`` of a solo game.

    ``play_url`` takes it to BG Stats.
    """

    number: int
    title: str
    did: list[Did]
    grade: str
    is_open: bool
    play_url: str


class Day(NamedTuple):
    """An evening: its games, the last one first."""

    day: date
    place: str
    note: str
    games: list[Game]


class Evenings(NamedTuple):
    """Some evenings, and where they stand among all."""

    days: list[Day]
    page: Page[dict[str, Any]]
    game_count: int


def evenings_page(group: Group, number: str, wanted: Q = Q()) -> Evenings:  # noqa: B008  not changed
    """A page of a group's evenings, the latest first; of the games that are wanted."""
    found = group.games.filter(wanted)
    dates = found.values("evening").annotate(count=Count("pk")).order_by("-evening")
    page = Paginator(dates, ON_A_PAGE).get_page(number)
    days = _days(group, [row["evening"] for row in page.object_list], wanted)
    open_count = found.filter(is_open=True).count()
    return Evenings(days, page, found.count() - open_count)


def evening_on(group: Group, day: date) -> Day | None:
    """What a group played on a day; None if nothing."""
    found = _days(group, [day])[0]
    return found if found.games else None


def _days(group: Group, days: list[date], wanted: Q = Q()) -> list[Day]:  # noqa: B008  not changed
    said = {one.day: one for one in Evening.objects.filter(group=group, day__in=days)}
    games = _games_on(group, days, wanted)
    return [
        Day(
            day,
            said[day].place if day in said else "",
            said[day].note if day in said else "",
            games[day],
        )
        for day in days
    ]


def _games_on(group: Group, days: list[date], wanted: Q) -> dict[date, list[Game]]:
    rows = list(
        group.games.filter(wanted, evening__in=days).order_by("-evening", "-played", "-number")
    )
    results = GroupResult.objects.filter(game__in=rows).select_related("player")
    by_game: dict[int, list[tuple[str, GroupResult]]] = defaultdict(list)
    for one in results:
        name = one.player.name if one.player else one.label or _("someone")
        by_game[one.game_id].append((name, one))
    names = level_names(group)
    found: dict[date, list[Game]] = defaultdict(list)
    for row in rows:
        grade = "" if row.rating is None else str(GRADES[row.rating].title)
        title = title_among(names, row)
        found[row.evening].append(
            Game(
                row.number,
                title,
                [Did(name, one.points, one.won > 0) for name, one in by_game[row.pk]],
                grade,
                row.is_open,
                play_link(row, title, by_game[row.pk]),
            )
        )
    return found
