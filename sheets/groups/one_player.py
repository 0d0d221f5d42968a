"""How does one player of a group do, level by level, alone, and against each of the others?

It comes from what was added up: of all games month by month (`sheets.groups.reckoning`), of a
choice of them in bundles (`sheets.groups.bundling`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from fractions import Fraction
from itertools import groupby
from typing import NamedTuple

from django.db.models import Case, When
from django.db.models.query import QuerySet
from django.utils.translation import gettext as _

from sheets.groups import sums as adding
from sheets.groups.bundles import together
from sheets.groups.bundling import bundles_of, freshen
from sheets.groups.figures import ENOUGH, rating_of, sign_of
from sheets.groups.filters import ALL, Choice
from sheets.groups.reckoning import months_of, reckon, sums_now, sums_of
from sheets.groups.sums import Rating, Sums, add_match
from sheets.groups.titles import title_among
from sheets.models import Group, GroupPlayer, GroupResult
from sheets.scoring.words import GRADES

LAST_ALONE = 10


class OnLevel(NamedTuple):
    """Somebody's games on a level; ``when`` was the evening of the best one.

    ``beside`` is what the others of the group have there on average. Below `ENOUGH` games there is
    no mean, and of the others neither.
    """

    title: str
    digest: str
    games: int
    mean: float | None = None
    best: int | None = None
    when: date | None = None
    beside: float | None = None

    @property
    def ahead(self) -> float:
        """How far somebody is above the mean of the others; 0 where nothing can be said."""
        return 0.0 if self.mean is None or self.beside is None else self.mean - self.beside


class Against(NamedTuple):
    """The games of two: how often the one was ahead, the other was, and neither."""

    number: int
    name: str
    sign: str
    games: int
    ahead: int
    behind: int
    even: int


class Alone(NamedTuple):
    """A solo game: ``grade`` is empty where there is none."""

    day: date
    title: str
    total: int
    grade: str


class Looked(NamedTuple):
    """What is looked at of a choice of games: somebody's sums, and those of all ``others``.

    ``months`` have the totals in their order; of a choice they have no ratings, which are always of
    all games: ``rating`` is, from ``rated`` games. ``left`` games are still to be added up.
    """

    others: Sequence[Sums]
    mine: Sums
    months: list[tuple[date, Sums]]
    rating: Rating | None
    rated: int
    left: int

    @property
    def totals(self) -> list[int]:
        """Somebody's points, the first game first."""
        return [total for _month, sums in self.months for total in sums.totals]


def look_at(group: Group, player: GroupPlayer, choice: Choice) -> Looked:
    """Add up what a choice of games says of a player."""
    left = reckon(group)
    of_all = sums_now(player)
    rated = rating_of(of_all), of_all.rated
    if choice == ALL:
        others = [sums for pk, sums in sums_of(group).items() if pk != player.pk]
        return Looked(others, of_all, months_of(player), *rated, left)
    left += freshen(group, choice)
    everybody = together(one.sums for one in bundles_of(group, choice)).people
    mine = everybody.pop(player.pk, Sums())
    return Looked(
        list(everybody.values()), mine, _in_their_order(player, choice, mine), *rated, left
    )


def _in_their_order(player: GroupPlayer, choice: Choice, mine: Sums) -> list[tuple[date, Sums]]:
    """Somebody's totals by month; adds to their sums what depends on the order of games."""
    rows = (
        GroupResult.objects.filter(choice.on_results(), player=player, game__is_open=False)
        .order_by("game__evening", "played", "game__number", "seat")
        .annotate(is_match=Case(When(choice.matches, then=True), default=False))
        .values_list("game__evening", "won", "is_match", "total")
    )
    months: list[tuple[date, Sums]] = []
    for month, of_month in groupby(rows, key=lambda row: row[0].replace(day=1)):
        months.append((month, Sums()))
        for evening, won, is_match, total in of_month:
            if is_match:
                add_match(mine, won, evening)
            if total is not None:
                months[-1][1].totals.append(total)
    return months


def levels_of(
    names: Mapping[str, str],
    levels: Mapping[str, adding.OnLevel],
    others: Iterable[Sums] = (),
) -> list[OnLevel]:
    """The levels of somebody's games, the one played most first; ``names`` are those of all."""
    games, points = dict.fromkeys(levels, 0), dict.fromkeys(levels, 0)
    for sums in others:
        for digest in levels.keys() & sums.levels.keys():
            games[digest] += sums.levels[digest].games
            points[digest] += sums.levels[digest].points
    found = []
    for digest, level in levels.items():
        is_enough = level.games >= ENOUGH
        is_met = is_enough and games[digest] >= ENOUGH
        found.append(
            OnLevel(
                names[digest],
                digest,
                level.games,
                level.points / level.games if is_enough else None,
                level.best,
                level.when,
                points[digest] / games[digest] if is_met else None,
            )
        )
    return sorted(found, key=lambda one: (-one.games, one.title, one.digest))


def most_played(levels: Sequence[OnLevel]) -> list[OnLevel]:
    """The levels on which somebody has played most, if often enough to say so."""
    games = levels[0].games if levels else 0
    return [level for level in levels if level.games == games] if games >= ENOUGH else []


def best_of(levels: Iterable[OnLevel]) -> OnLevel | None:
    """The level on which somebody is farthest above the others' mean; None if on none."""
    ahead = [level for level in levels if level.ahead > 0]
    return max(ahead, key=lambda one: one.ahead, default=None)


def against_others(group: Group, mine: Sums) -> list[Against]:
    """Everybody somebody has played with, those most often met first."""
    found = [
        Against(
            player.number,
            player.name,
            sign_of(player.sign),
            met.games,
            met.ahead,
            met.behind,
            met.games - met.ahead - met.behind,
        )
        for player in group.players.filter(pk__in=mine.met)
        for met in (mine.met[player.pk],)
    ]
    return sorted(found, key=lambda one: (-one.games, one.name))


class Rivals(NamedTuple):
    """The players met most evenly, those most often ahead, and those most often behind.

    Equal ones are all named; players met in few games are none.
    """

    closest: list[Against]
    toughest: list[Against]
    easiest: list[Against]


def rivals_of(others: Iterable[Against]) -> Rivals:
    """Return a player's rivals among all players they have met."""
    leads = {
        one: Fraction(one.ahead - one.behind, one.games) for one in others if one.games >= ENOUGH
    }
    closest = min(map(abs, leads.values()), default=None)
    lowest, highest = (most(leads.values(), default=Fraction()) for most in (min, max))
    return Rivals(
        [one for one, lead in leads.items() if abs(lead) == closest],
        [one for one, lead in leads.items() if lead == lowest < 0],
        [one for one, lead in leads.items() if lead == highest > 0],
    )


def count_alone(player: GroupPlayer, choice: Choice = ALL) -> int:
    """How many solo games of Dizzle somebody has, with or without a level and a grade."""
    return _alone(player, choice).count()


def on_no_level(levels: Iterable[OnLevel], games: int) -> list[OnLevel]:
    """The solo games of which no level is known, of so many in all, as a level with no opinion."""
    rest = games - sum(level.games for level in levels)
    return [OnLevel(_("Level not known"), "", rest)] if rest > 0 else []


def grades_of(mine: Sums, games: int) -> list[tuple[str, int]]:
    """How often somebody had which grade alone, the highest first, and in the end none.

    ``games`` are all solo games. Nothing without any grade.
    """
    counts = [(str(grade.title), count) for grade, count in zip(GRADES, mine.grades, strict=True)]
    found = [(title, count) for title, count in reversed(counts) if count]
    rest = games - sum(mine.grades)
    return [*found, (_("without a grade"), rest)] if found and rest > 0 else found


def last_alone(player: GroupPlayer, names: Mapping[str, str], choice: Choice = ALL) -> list[Alone]:
    """Somebody's last solo games of Dizzle, the latest first."""
    rows = (
        _alone(player, choice)
        .select_related("game")
        .order_by("-played", "-game__number")[:LAST_ALONE]
    )
    return [
        Alone(
            row.game.evening,
            title_among(names, row.game),
            row.total or 0,
            "" if row.game.rating is None else str(GRADES[row.game.rating].title),
        )
        for row in rows
    ]


def _alone(player: GroupPlayer, choice: Choice) -> QuerySet[GroupResult]:
    solo = GroupResult.objects.filter(player=player, chance=1, total__isnull=False)
    return solo.filter(choice.on_results())
