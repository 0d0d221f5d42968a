"""Ratings of a group's players by their places, after Weng and Lin (`openskill`).

Bots and people without a name in the group have no rating. A shared place is a draw. Ratings depend
on the order of games: after a change, the ratings of its month and of all later months are out of
date (`sheets.groups.store.note_change`). `update_ratings` computes them again from the ratings at
the end of the month before, which `RatingMonth` stores.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from itertools import groupby
from math import log, sqrt
from typing import Final, NamedTuple

from django.db import transaction
from django.db.models import OuterRef, Q, Subquery
from django.db.models.query import QuerySet
from openskill.models import PlackettLuce

from sheets.groups.filters import ALL_GAMES
from sheets.groups.statistics import PlayedGame, places_in, read_games
from sheets.models import Group, GroupGame, GroupPlayer, RatingMonth
from sheets.stats import Z_95

MODEL: Final = PlackettLuce()
"""Rating model with the default parameters of `openskill`."""

START_RATING: Final = 1500
"""Rating of a player before the first game."""

POINTS_PER_UNIT: Final = 400 / (log(10) * sqrt(2) * MODEL.beta)
"""Points for a unit of the model: as in Elo's ratings, a lead of 400 points means odds of 10:1."""

MAX_GAMES: Final = 2000
"""Maximum number of games that one call of `update_ratings` rates, unless one month has more."""

BATCH_SIZE: Final = 500
"""Number of rows that one statement writes."""


class Rating(NamedTuple):
    """A rating in points; ``within`` is half the width of its 95 % confidence interval."""

    points: int
    within: int
    games: int


class Strength(NamedTuple):
    """A rating in units of the model, after ``games`` games up to an evening."""

    day: date
    mu: float
    sigma: float
    games: int

    @property
    def rating(self) -> Rating:
        """Rating in points, rounded to tens."""
        points = START_RATING + (self.mu - MODEL.mu) * POINTS_PER_UNIT
        return Rating(
            _tens(points), max(10, _tens(Z_95 * self.sigma * POINTS_PER_UNIT)), self.games
        )


NEW_STRENGTH: Final = Strength(date.min, MODEL.mu, MODEL.sigma, 0)
"""Strength of a player before the first game."""


def _tens(points: float) -> int:
    return round(points / 10) * 10


def update_ratings(group: Group) -> int:
    """Compute ratings that are out of date; return the number of games left for a later call."""
    if Group.objects.filter(pk=group.pk, changed_from=None).exists():
        return 0
    with transaction.atomic():
        locked = Group.objects.select_for_update().get(pk=group.pk)
        if locked.changed_from is None:  # another request was faster
            return 0
        first = locked.changed_from
        RatingMonth.objects.filter(player__group=locked, month__gte=first).delete()
        games = locked.games.filter(is_open=False, evening__gte=first)
        until = _first_later_month(games)
        wanted = Q(evening__gte=first, evening__lt=until or date.max)
        RatingMonth.objects.bulk_create(
            rating_months(_latest(locked), read_games(locked, ALL_GAMES, wanted)),
            batch_size=BATCH_SIZE,
        )
        locked.changed_from = until
        locked.save(update_fields=["changed_from"])
        return games.filter(evening__gte=until).count() if until else 0


def course_of(player: GroupPlayer) -> list[Strength]:
    """Return the ratings of a player after each evening, as they were computed last."""
    months = player.rating_months.order_by("month").values_list("course", flat=True)
    return [strength for course in months for strength in _read_course(course)]


def _latest(group: Group) -> dict[int, Strength]:
    latest = RatingMonth.objects.filter(player=OuterRef("pk")).order_by("-month")
    newest = GroupPlayer.objects.filter(group=group).values(
        newest=Subquery(latest.values("pk")[:1])
    )
    rows = RatingMonth.objects.filter(pk__in=newest).values_list("player", "course")
    return {player: _read_course(course)[-1] for player, course in rows}


def _read_course(course: list[list[float | int | str]]) -> list[Strength]:
    return [
        Strength(date.fromisoformat(str(day)), float(mu), float(sigma), int(games))
        for day, mu, sigma, games in course
    ]


def _first_later_month(games: QuerySet[GroupGame]) -> date | None:
    """Return the first month to leave for a later call; None if one call can rate all games."""
    evenings = games.order_by("evening").values_list("evening", flat=True)
    following = evenings[MAX_GAMES : MAX_GAMES + 1].first()
    if following is None:
        return None
    first, month = _month_of(evenings[0]), _month_of(following)
    return month if month > first else (first + timedelta(days=32)).replace(day=1)


def rating_months(known: dict[int, Strength], games: Iterable[PlayedGame]) -> Iterator[RatingMonth]:
    """Rate games in order; yield the ratings of each player in each month.

    ``known`` has the ratings before these games, by player, and is updated.
    """
    for month, of_month in groupby(games, key=lambda game: _month_of(game.evening)):
        courses: defaultdict[int, dict[date, Strength]] = defaultdict(dict)
        for game in of_month:
            for player, strength in _rate(known, game).items():
                known[player] = courses[player][game.evening] = strength
        for player, course in sorted(courses.items()):
            rows = [[str(one.day), one.mu, one.sigma, one.games] for one in course.values()]
            yield RatingMonth(player_id=player, month=month, course=rows)


def _rate(known: dict[int, Strength], game: PlayedGame) -> dict[int, Strength]:
    """Return the ratings of a game's players after it; empty with fewer than two players."""
    places = places_in(game)
    if len(places) < 2:
        return {}
    before = [known.get(player, NEW_STRENGTH) for player in places]
    rated = MODEL.rate(
        [[MODEL.rating(mu=one.mu, sigma=one.sigma)] for one in before],
        ranks=[float(place) for place in places.values()],
    )
    return {
        player: Strength(game.evening, after.mu, after.sigma, one.games + 1)
        for player, one, (after,) in zip(places, before, rated, strict=True)
    }


def _month_of(day: date) -> date:
    return day.replace(day=1)
