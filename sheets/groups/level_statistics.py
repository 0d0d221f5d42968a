"""Statistics of a group on one level: totals compared with bots, crosses, records, long games.

An edited level counts as another level, with another digest
(`sheets.groups.game_results.level_digest`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Final, NamedTuple

from django.db.models import Count, Max
from django.utils.translation import gettext as _

from sheets.charts.figure import Figure
from sheets.groups.crossed_fields import Crossed, crossed_in
from sheets.groups.filters import ALL_GAMES, MAX_LEVELS, GameFilter, latest_games
from sheets.groups.filters import names_of as level_names_of
from sheets.groups.game_results import name_digest
from sheets.groups.level_charts import bots_on, level_figures
from sheets.groups.players import names_of
from sheets.groups.statistics import (
    MIN_GAMES,
    TOTAL,
    PlayedGame,
    best_results,
    crossed_sheets,
    read_games,
    solo_in,
    totals_by_players,
)
from sheets.models import Group, GroupGame, GroupPlayer
from sheets.rules.symbols import BY_CATEGORY
from sheets.text.symbols import CATEGORY_NAMES

PAYING_CATEGORIES: Final = tuple(
    name for name in CATEGORY_NAMES if name not in BY_CATEGORY or not BY_CATEGORY[name].costs
)
"""Categories of points in which more is better."""


class NoSuchLevel(LookupError):
    """The group has no finished game on the level."""


class LevelRecord(NamedTuple):
    """A record on a level: name and first day of each player who holds it.

    The name of an anonymous player is empty.
    """

    what: str
    points: int
    holders: list[tuple[str, date]]


class ExtremeGame(NamedTuple):
    """The longest or shortest game: its players, evening and minutes."""

    minutes: int
    when: date
    names: list[str]


class MeanTotal(NamedTuple):
    """Mean total of games with a number of players; None below `MIN_GAMES` sheets."""

    players: int
    sheets: int
    mean: float | None


class Version(NamedTuple):
    """Another version of the level, with the same name or id."""

    digest: str
    title: str
    games: int
    last: date


class LevelStatistics(NamedTuple):
    """Statistics of a group's games on a level.

    ``is_typed``: only its name is known. ``sheets`` is the number of sheets of people, from which
    the charts are made. Statistics of fewer than `MIN_GAMES` games are empty or None. ``bots`` is
    the number of games of bots in the comparison, ``has_bots`` whether totals of bots on the level
    are known at all. ``timed`` is the number of games with a known duration.
    """

    title: str
    digest: str
    is_typed: bool
    games: int
    sheets: int
    means: list[MeanTotal]
    figures: list[Figure]
    bots: int
    has_bots: bool
    records: list[LevelRecord]
    timed: int
    longest: ExtremeGame | None
    shortest: ExtremeGame | None
    versions: list[Version]
    crossed: Crossed | None


def on_level(group: Group, digest: str, choice: GameFilter = ALL_GAMES) -> LevelStatistics:
    """Return the statistics of a choice of a group's games on a level, in the reader's language.

    Raises NoSuchLevel.
    """
    known = latest_games(group)
    if digest not in known or not group.games.filter(level_digest=digest, is_open=False).exists():
        raise NoSuchLevel
    latest, names = known[digest][1], level_names_of(known)
    choice = choice._replace(level=digest)
    games = read_games(group, choice)
    totals = totals_by_players(games)
    crossed = crossed_in(group.levels.filter(digest=digest).first(), crossed_sheets(games))
    bots = bots_on(group, digest, latest.level_id)
    timed = [game for game in games if game.seconds is not None]
    is_enough = len(timed) >= MIN_GAMES
    return LevelStatistics(
        names[digest],
        digest,
        digest == name_digest(latest.level_name),
        len(games),
        sum(map(len, totals.values())),
        [_mean(players, of) for players, of in totals.items()],
        list(level_figures(totals, bots, crossed)),
        sum(
            bots[people].games
            for people, of in totals.items()
            if people in bots and len(of) >= MIN_GAMES
        ),
        bool(bots),
        _records(games),
        len(timed),
        _extreme_game(max(timed, key=_seconds)) if is_enough else None,
        _extreme_game(min(timed, key=_seconds)) if is_enough else None,
        _versions(group, latest, known, names, choice),
        crossed,
    )


def _mean(players: int, totals: Sequence[int]) -> MeanTotal:
    sheets = len(totals)
    return MeanTotal(players, sheets, sum(totals) / sheets if sheets >= MIN_GAMES else None)


def _records(games: Sequence[PlayedGame]) -> list[LevelRecord]:
    """Return the records for the total, the total in solo games, and each paying category."""
    of_all = best_results(games)
    best = {
        _("Best total"): of_all.get(TOTAL),
        _("Best total alone"): best_results(solo_in(games)).get(TOTAL),
    }
    for category in PAYING_CATEGORIES:
        best[_("Most for: %(row)s") % {"row": CATEGORY_NAMES[category]}] = of_all.get(category)
    known = {what: one for what, one in best.items() if one and one.points}
    holders = {
        holder.seat.player
        for one in known.values()
        for holder in one.holders
        if holder.seat.player is not None
    }
    names = dict(GroupPlayer.objects.filter(pk__in=holders).values_list("pk", "name"))
    return [
        LevelRecord(
            what,
            one.points,
            [
                (names.get(holder.seat.player or 0, ""), holder.game.evening)
                for holder in one.holders
            ],
        )
        for what, one in known.items()
    ]


def _seconds(game: PlayedGame) -> int:
    return game.seconds or 0


def _extreme_game(game: PlayedGame) -> ExtremeGame:
    return ExtremeGame(max(1, round(_seconds(game) / 60)), game.evening, names_of(game.seats))


def _versions(
    group: Group,
    game: GroupGame,
    known: Mapping[str, tuple[int, GroupGame]],
    names: Mapping[str, str],
    choice: GameFilter,
) -> list[Version]:
    """Return other levels with the id or name of a game's level, the one played last first.

    Only levels with games of the ``choice`` are returned, at most `MAX_LEVELS`.
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
        group.games.filter(choice.without_level.games(), level_digest__in=alike, is_open=False)
        .order_by()
        .values("level_digest")
        .annotate(count=Count("pk"), last=Max("evening"))
    )
    found = [
        Version(row["level_digest"], names[row["level_digest"]], row["count"], row["last"])
        for row in rows
    ]
    return sorted(found, key=lambda one: (one.last, one.digest), reverse=True)[:MAX_LEVELS]
