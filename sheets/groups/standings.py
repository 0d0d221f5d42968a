"""Standings of a group: a table for a year, for all time and for each level, and the champions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from django.db.models import Count, Max, Q, Sum

from sheets.groups.figures import sign_of
from sheets.groups.filters import ALL, Choice, level_names
from sheets.models import Group, GroupPlayer, GroupResult

MOST_LEVELS: Final = 30
"""Maximum number of levels with a table in the standings, those with most games."""

MOST_ON_LEVEL: Final = 10
"""Maximum number of players in the table of a level."""


class Record(NamedTuple):
    """A player's games with others; ``wins`` has the shares of shared wins.

    ``scored`` of the games have ``points``; of those, ``best`` is the highest total.
    """

    games: int
    wins: float
    scored: int
    points: int
    best: int | None

    @property
    def mean(self) -> float | None:
        """The average total; None without points."""
        return self.points / self.scored if self.scored else None

    @property
    def rank(self) -> tuple[float, float]:
        """What players are sorted by, the highest first: wins, then the average."""
        return round(self.wins, 6), -1000 if self.mean is None else round(self.mean, 6)


class Row(NamedTuple):
    """A row of a table: players with equal wins and equal averages share a place."""

    place: int
    player: GroupPlayer
    sign: str
    record: Record


class Champions(NamedTuple):
    """The players who lead a year's table, with their wins.

    ``by_average``: another player has as many wins.
    """

    year: int
    winners: list[str]
    wins: float
    by_average: bool


class OnLevel(NamedTuple):
    """The first rows of the table of a level, by its digest and title."""

    digest: str
    title: str
    rows: list[Row]


class Standings(NamedTuple):
    """All tables of a group; ``of_year`` is that of the first of the ``champions``.

    ``champions`` are those of each year, the latest first. Players who no longer play are in no
    table but can be champions. ``has_more``: there are levels or players without a table or a row.
    """

    of_year: list[Row]
    all_time: list[Row]
    levels: list[OnLevel]
    champions: list[Champions]
    has_more: bool


def standings_of(group: Group) -> Standings:
    """Add up all games with others of a group."""
    records = _records(group, ALL, ALL.matches)
    players = _players(group)
    years = sorted({year for _player, year, _level in records}, reverse=True)
    names = level_names(group)
    by_year = {
        year: _table(players, {key: one for key, one in records.items() if key[1] == year})
        for year in years
    }
    of_level: defaultdict[str, dict[Key, Record]] = defaultdict(dict)
    for key, record in records.items():
        of_level[key[2]][key] = record
    results = {
        digest: sum(one.games for one in found.values()) for digest, found in of_level.items()
    }
    played_most = sorted(
        names.keys() & of_level.keys(), key=lambda digest: (-results[digest], names[digest])
    )
    tables = [(digest, _playing(_table(players, of_level[digest]))) for digest in played_most]
    return Standings(
        _playing(by_year[years[0]]) if years else [],
        _playing(_table(players, records)),
        [
            OnLevel(digest, names[digest], rows[:MOST_ON_LEVEL])
            for digest, rows in tables[:MOST_LEVELS]
        ],
        [_champions(year, rows) for year, rows in by_year.items()],
        len(tables) > MOST_LEVELS or any(len(rows) > MOST_ON_LEVEL for _digest, rows in tables),
    )


Key = tuple[int, int, str]
"""A player's primary key, a year and the digest of a level, empty for none."""


def champions_of(group: Group, year: int) -> Champions | None:
    """Return the players who lead the table of a year; None without games with others."""
    players = _players(group)
    rows = _table(players, _records(group, Choice(year), ALL.matches))
    return _champions(year, rows) if rows else None


class Table(NamedTuple):
    """The table of a choice of games; ``is_of_all`` if no game with others is among them."""

    rows: list[Row]
    is_of_all: bool


def table_of(group: Group, choice: Choice) -> Table:
    """Return the table of the games with others of a choice, or of all its games without any."""
    players = _players(group)
    records = _records(group, choice, choice.matches)
    rows = _table(players, records or _records(group, choice, Q()))
    return Table(_playing(rows), not records)


def _records(group: Group, choice: Choice, wanted: Q) -> dict[Key, Record]:
    rows = (
        GroupResult.objects.filter(
            choice.on_results(),
            wanted,
            game__group=group,
            game__is_open=False,
            player__isnull=False,
        )
        .order_by()
        .values_list("player", "game__evening__year", "game__level_digest")
        .annotate(
            games=Count("pk"),
            wins=Sum("won"),
            scored=Count("total"),
            points=Sum("total", default=0),
            best=Max("total"),
        )
    )
    return {(player, year, level): Record(*told) for player, year, level, *told in rows}


def _players(group: Group) -> dict[int, GroupPlayer]:
    return {player.pk: player for player in group.players.filter(merged_into=None)}


def _table(players: Mapping[int, GroupPlayer], records: Mapping[Key, Record]) -> list[Row]:
    by_player: defaultdict[int, list[Record]] = defaultdict(list)
    for (player, _year, _level), record in records.items():
        by_player[player].append(record)
    return ranked((players[player], _united(found)) for player, found in by_player.items())


def _united(records: Iterable[Record]) -> Record:
    found = list(records)
    return Record(
        sum(one.games for one in found),
        sum(one.wins for one in found),
        sum(one.scored for one in found),
        sum(one.points for one in found),
        max((one.best for one in found if one.best is not None), default=None),
    )


def ranked(records: Iterable[tuple[GroupPlayer, Record]]) -> list[Row]:
    """Return players as rows of a table, the first place first."""
    found = sorted(records, key=lambda one: (*(-part for part in one[1].rank), one[0].number))
    ranks = [record.rank for _player, record in found]
    return [
        Row(ranks.index(record.rank) + 1, player, sign_of(player.sign), record)
        for player, record in found
    ]


def _playing(rows: Iterable[Row]) -> list[Row]:
    return ranked((row.player, row.record) for row in rows if not row.player.is_retired)


def _champions(year: int, rows: Iterable[Row]) -> Champions:
    found = list(rows)
    first = [row for row in found if row.place == 1]
    most = first[0].record.rank[0]
    has_equal = sum(row.record.rank[0] == most for row in found) > len(first)
    return Champions(year, [row.player.name for row in first], first[0].record.wins, has_equal)
