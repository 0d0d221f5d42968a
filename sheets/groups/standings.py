"""Standings of a group: a table for a year, for all time and for each level, and the champions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from sheets.groups.figures import sign_of
from sheets.groups.filters import ALL, GameFilter, level_names
from sheets.groups.statistics import (
    PlayedGame,
    PlayerSums,
    matches_in,
    read_games,
    sums_by,
    sums_by_player,
)
from sheets.models import Group, GroupPlayer

MOST_LEVELS: Final = 30
"""Maximum number of levels with a table in the standings, those with most games."""

MOST_ON_LEVEL: Final = 10
"""Maximum number of players in the table of a level."""


class Row(NamedTuple):
    """A row of a table: players with equal wins and equal averages share a place."""

    place: int
    player: GroupPlayer
    sign: str
    sums: PlayerSums


class Champions(NamedTuple):
    """The players who lead a year's table, with their wins.

    ``by_average``: another player has as many wins.
    """

    year: int
    winners: list[str]
    wins: float
    by_average: bool


class LevelTable(NamedTuple):
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
    levels: list[LevelTable]
    champions: list[Champions]
    has_more: bool


def standings_of(group: Group) -> Standings:
    """Return all tables of a group's games with others."""
    matches = matches_in(read_games(group, ALL), ALL)
    players = _players(group)
    names = level_names(group)
    years = sums_by(matches, lambda game: game.evening.year)
    by_year = {year: _table(players, years[year]) for year in sorted(years, reverse=True)}
    on_levels = sums_by(matches, lambda game: game.level)
    results = {level: sum(one.games for one in on.values()) for level, on in on_levels.items()}
    played_most = sorted(
        names.keys() & on_levels.keys(), key=lambda digest: (-results[digest], names[digest])
    )
    tables = [(digest, _playing(_table(players, on_levels[digest]))) for digest in played_most]
    return Standings(
        _playing(next(iter(by_year.values()))) if by_year else [],
        _playing(_table(players, sums_by_player(matches))),
        [
            LevelTable(digest, names[digest], rows[:MOST_ON_LEVEL])
            for digest, rows in tables[:MOST_LEVELS]
        ],
        [_champions(year, rows) for year, rows in by_year.items()],
        len(tables) > MOST_LEVELS or any(len(rows) > MOST_ON_LEVEL for _digest, rows in tables),
    )


def champions_of(group: Group, matches: Sequence[PlayedGame]) -> Champions | None:
    """Return the players who lead the table of a year's games with others; None without any."""
    rows = _table(_players(group), sums_by_player(matches))
    return _champions(matches[0].evening.year, rows) if rows else None


class Table(NamedTuple):
    """The table of a choice of games; ``is_of_all`` if no game with others is among them."""

    rows: list[Row]
    is_of_all: bool


def table_of(group: Group, choice: GameFilter) -> Table:
    """Return the table of the games with others of a choice, or of all its games without any."""
    games = read_games(group, choice)
    of_matches = sums_by_player(matches_in(games, choice))
    rows = _table(_players(group), of_matches or sums_by_player(games))
    return Table(_playing(rows), not of_matches)


def _players(group: Group) -> dict[int, GroupPlayer]:
    return {player.pk: player for player in group.players.filter(merged_into=None)}


def _table(players: Mapping[int, GroupPlayer], by_player: Mapping[int, PlayerSums]) -> list[Row]:
    return ranked((players[pk], sums) for pk, sums in by_player.items())


def ranked(by_player: Iterable[tuple[GroupPlayer, PlayerSums]]) -> list[Row]:
    """Return players as rows of a table, the first place first."""
    found = sorted(by_player, key=lambda one: (*(-part for part in _rank(one[1])), one[0].number))
    ranks = [_rank(sums) for _player, sums in found]
    return [
        Row(ranks.index(_rank(sums)) + 1, player, sign_of(player.sign), sums)
        for player, sums in found
    ]


def _rank(sums: PlayerSums) -> tuple[float, float]:
    """Return the sort key of players, the highest first: wins, then the average."""
    return round(sums.wins, 6), -1000 if sums.mean is None else round(sums.mean, 6)


def _playing(rows: Iterable[Row]) -> list[Row]:
    return ranked((row.player, row.sums) for row in rows if not row.player.is_retired)


def _champions(year: int, rows: Iterable[Row]) -> Champions:
    found = list(rows)
    first = [row for row in found if row.place == 1]
    most = _rank(first[0].sums)[0]
    has_equal = sum(_rank(row.sums)[0] == most for row in found) > len(first)
    return Champions(year, [row.player.name for row in first], first[0].sums.wins, has_equal)
