"""How does a group do on one level, beside the bots: totals, crosses, records, long games?

An edited level is another one, and is told by another digest (`sheets.groups.played`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from typing import Final, NamedTuple

from django.db.models import Avg, Count, IntegerField, Max, Q
from django.db.models.fields.json import KT
from django.db.models.functions import Cast
from django.db.models.query import QuerySet
from django.utils.translation import gettext as _

from sheets.groups.crosses import Crossed, crossed_in
from sheets.groups.figures import ENOUGH
from sheets.groups.filters import level_names
from sheets.groups.level_figures import bots_on, level_figures
from sheets.models import Group, GroupGame, GroupResult
from sheets.rules.symbols import BY_CATEGORY
from sheets.simulation.balance.figure import Figure
from sheets.texts.symbols import CATEGORIES

PAYING: Final = tuple(
    name for name in CATEGORIES if name not in BY_CATEGORY or not BY_CATEGORY[name].costs
)
"""The rows of the score column in which more is better."""


class NoSuchLevel(LookupError):
    """The group has no game on it."""


class Record(NamedTuple):
    """The best of something, and who had it first; ``name`` is empty for somebody."""

    what: str
    name: str
    points: int
    when: date


class Long(NamedTuple):
    """A game that took long, or not: who played it when, and for how many minutes."""

    minutes: int
    when: date
    names: list[str]


class Mean(NamedTuple):
    """What people have on average with so many players; None on few sheets."""

    players: int
    sheets: int
    mean: float | None


class Version(NamedTuple):
    """Another level of this name or id: an edited one is another one."""

    digest: str
    title: str
    games: int
    last: date


class OnLevel(NamedTuple):
    """All there is to say of a group's games on a level.

    ``sheets`` are those of people, of which there are figures. What is said of too few games is
    empty or None. ``bots`` is how many games bots have played that stand beside these, ``has_bots``
    whether they have played any at all.
    """

    title: str
    digest: str
    games: int
    sheets: int
    means: list[Mean]
    figures: list[Figure]
    bots: int
    has_bots: bool
    records: list[Record]
    timed: int
    longest: Long | None
    shortest: Long | None
    versions: list[Version]
    crossed: Crossed | None


def on_level(group: Group, digest: str) -> OnLevel:
    """The figures of a group on a level, in the language of who is reading. Raises NoSuchLevel."""
    games = group.games.filter(level_digest=digest, is_open=False)
    latest = games.order_by("-number").first()
    if not digest or latest is None:
        raise NoSuchLevel
    results = GroupResult.objects.filter(
        game__group=group, game__level_digest=digest, total__isnull=False, label=""
    ).order_by()
    totals = _totals(results)
    sheets = sum(map(len, totals.values()))
    crossed = crossed_in(group, digest)
    count = games.count()
    timed = games.filter(seconds__isnull=False).count()
    bots = bots_on(group, digest, latest.level_id)
    names = level_names(group)
    figures = list(level_figures(totals, bots, crossed))
    return OnLevel(
        names[digest],
        digest,
        count,
        sheets,
        _means(results),
        figures,
        sum(
            bots[people].games
            for people, of in totals.items()
            if people in bots and len(of) >= ENOUGH
        ),
        bool(bots),
        list(_records(results, len(totals.get(1, ())))) if count >= ENOUGH else [],
        timed,
        _long(games, "-seconds") if timed >= ENOUGH else None,
        _long(games, "seconds") if timed >= ENOUGH else None,
        _versions(group, latest, names),
        crossed,
    )


def _totals(results: QuerySet[GroupResult]) -> dict[int, list[int]]:
    """Every total in rising order, by the number of players."""
    found: dict[int, list[int]] = {}
    rows = results.values("chance", "total").annotate(count=Count("pk")).order_by("total")
    for row in rows:
        found.setdefault(round(1 / row["chance"]), []).extend([row["total"]] * row["count"])
    return dict(sorted(found.items()))


def _means(results: QuerySet[GroupResult]) -> list[Mean]:
    rows = results.values("chance").annotate(count=Count("pk"), mean=Avg("total"))
    found = [
        Mean(
            round(1 / row["chance"]), row["count"], row["mean"] if row["count"] >= ENOUGH else None
        )
        for row in rows
    ]
    return sorted(found)


def _records(results: QuerySet[GroupResult], alone: int) -> Iterator[Record]:
    """Those of all sheets, and that of the ones that somebody filled ``alone``, if enough."""
    if found := _best(results, "total"):
        yield Record(_("Best total"), *found)
    if alone >= ENOUGH and (found := _best(results.filter(chance=1), "total")):
        yield Record(_("Best total alone"), *found)
    most = _("Most for: %(row)s")
    for category in PAYING:
        part = Cast(KT(f"parts__{category}"), IntegerField())
        if found := _best(results.annotate(part=part), "part"):
            yield Record(most % {"row": CATEGORIES[category]}, *found)


def _best(results: QuerySet[GroupResult], figure: str) -> tuple[str, int, date] | None:
    """Who has had the most of something first, and when; None where there is nothing of it."""
    most = results.aggregate(most=Max(figure))["most"]
    if not most:
        return None
    first = (
        results.filter(**{figure: most})
        .order_by("played", "pk")
        .values_list("player__name", "game__evening")[0]
    )
    return first[0] or "", most, first[1]


def _long(games: QuerySet[GroupGame], order: str) -> Long | None:
    game = games.filter(seconds__isnull=False).order_by(order, "number").first()
    if game is None or game.seconds is None:
        return None
    names = [
        one.player.name if one.player else one.label or _("someone")
        for one in game.results.select_related("player")
    ]
    return Long(max(1, round(game.seconds / 60)), game.evening, names)


def _versions(group: Group, game: GroupGame, names: Mapping[str, str]) -> list[Version]:
    """The other levels of its id or name, the one played last first."""
    alike = Q(level_id=game.level_id) if game.level_id else Q()
    if game.level_name:
        alike |= Q(level_name=game.level_name)
    rows = (
        group.games.filter(alike, is_open=False)
        .exclude(level_digest__in=("", game.level_digest))
        .order_by()
        .values("level_digest")
        .annotate(count=Count("pk"), last=Max("evening"))
    )
    found = [
        Version(row["level_digest"], names[row["level_digest"]], row["count"], row["last"])
        for row in rows
    ]
    return sorted(found, key=lambda one: (one.last, one.digest), reverse=True)
