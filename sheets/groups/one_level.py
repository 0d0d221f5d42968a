"""How does a group do on one level, beside the bots: totals, crosses, records, long games?

An edited level is another one, and is told by another digest (`sheets.groups.played`).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Final, NamedTuple

from django.db.models import Count, Max
from django.utils.translation import gettext as _

from sheets.groups.bundles import Bundle, Timed, together
from sheets.groups.bundling import Bundled, bundles_of, crossed_among, freshen
from sheets.groups.crosses import Crossed
from sheets.groups.figures import ENOUGH
from sheets.groups.filters import ALL, MOST_LEVELS, Choice, latest_games, names_of
from sheets.groups.level_figures import bots_on, level_figures
from sheets.groups.played import name_digest
from sheets.models import Group, GroupGame, GroupPlayer
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
    """The best of something, and the name and the day of each player who had it first then.

    A name is empty for somebody.
    """

    what: str
    points: int
    holders: list[tuple[str, date]]


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

    ``is_typed``: nothing but its name is known. ``sheets`` are those of people, of which there are
    figures; ``left`` games are still to be added up. What is said of too few games is empty or
    None. ``bots`` is how many games bots have played that stand beside these, ``has_bots`` whether
    they have played any at all.
    """

    title: str
    digest: str
    is_typed: bool
    games: int
    left: int
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


def on_level(group: Group, digest: str, choice: Choice = ALL) -> OnLevel:
    """The figures of a choice of a group's games on a level, in the language of who is reading.

    Raises NoSuchLevel.
    """
    known = latest_games(group)
    if digest not in known or not group.games.filter(level_digest=digest, is_open=False).exists():
        raise NoSuchLevel
    latest, names = known[digest][1], names_of(known)
    choice = choice._replace(level=digest)
    left = freshen(group, choice)
    bundles = bundles_of(group, choice)
    found = together(one.sums for one in bundles)
    totals = _totals(bundles)
    crossed = crossed_among(group.levels.filter(digest=digest).first(), bundles)
    bots = bots_on(group, digest, latest.level_id)
    is_enough = found.timed >= ENOUGH
    return OnLevel(
        names[digest],
        digest,
        digest == name_digest(latest.level_name),
        found.games,
        left,
        sum(map(len, totals.values())),
        [_mean(players, of) for players, of in totals.items()],
        list(level_figures(totals, bots, crossed)),
        sum(
            bots[people].games
            for people, of in totals.items()
            if people in bots and len(of) >= ENOUGH
        ),
        bool(bots),
        _records(bundles, found),
        found.timed,
        _long(group, found.longest) if is_enough and found.longest else None,
        _long(group, found.shortest) if is_enough and found.shortest else None,
        _versions(group, latest, known, names, choice),
        crossed,
    )


def _totals(bundles: Iterable[Bundled]) -> dict[int, list[int]]:
    """Every total in rising order, by the number of players."""
    counts: defaultdict[int, Counter[int]] = defaultdict(Counter)
    for one in bundles:
        counts[one.players].update(one.sums.totals)
    return {
        players: [total for total in sorted(of) for _time in range(of[total])]
        for players, of in sorted(counts.items())
        if of
    }


def _mean(players: int, totals: Sequence[int]) -> Mean:
    sheets = len(totals)
    return Mean(players, sheets, sum(totals) / sheets if sheets >= ENOUGH else None)


def _records(bundles: Iterable[Bundled], found: Bundle) -> list[Record]:
    """Those of all sheets, and that of the ones that somebody filled alone."""
    solo = together(one.sums for one in bundles if one.players == 1)
    best = {_("Best total"): found.best.get(""), _("Best total alone"): solo.best.get("")}
    for category in PAYING:
        what = _("Most for: %(row)s") % {"row": CATEGORIES[category]}
        best[what] = found.best.get(category)
    known = {what: one for what, one in best.items() if one and one.points}
    holders = {holder.player for one in known.values() for holder in one.holders}
    names = dict(GroupPlayer.objects.filter(pk__in=holders).values_list("pk", "name"))
    return [
        Record(
            what,
            one.points,
            [(names.get(holder.player, ""), holder.when) for holder in one.holders],
        )
        for what, one in known.items()
    ]


def _long(group: Group, timed: Timed) -> Long:
    game = group.games.get(number=timed.number)
    names = [
        one.player.name if one.player else one.label or _("someone")
        for one in game.results.select_related("player")
    ]
    return Long(max(1, round(timed.seconds / 60)), game.evening, names)


def _versions(
    group: Group,
    game: GroupGame,
    known: Mapping[str, tuple[int, GroupGame]],
    names: Mapping[str, str],
    choice: Choice,
) -> list[Version]:
    """Return the chosen other levels of its id or name, the one played last first.

    There are `MOST_LEVELS` at most.
    """
    alike = [
        digest
        for digest, (_first, other) in known.items()
        if digest != game.level_digest
        and (
            (game.level_id and other.level_id == game.level_id)
            or (game.level_name and other.level_name == game.level_name)
        )
    ]
    if not alike:
        return []
    rows = (
        group.games.filter(
            choice._replace(level="").on_games(), level_digest__in=alike, is_open=False
        )
        .order_by()
        .values("level_digest")
        .annotate(count=Count("pk"), last=Max("evening"))
    )
    found = [
        Version(row["level_digest"], names[row["level_digest"]], row["count"], row["last"])
        for row in rows
    ]
    return sorted(found, key=lambda one: (one.last, one.digest), reverse=True)[:MOST_LEVELS]
