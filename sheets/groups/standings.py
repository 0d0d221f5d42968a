"""Standings of a group: a table for a year, for all time and for each level, and the champions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from sheets.groups.filters import ALL_GAMES, GameFilter, level_names
from sheets.groups.player_figures import sign_of
from sheets.groups.statistics import (
    PlayedGame,
    PlayerSums,
    matches_in,
    read_games,
    sums_by,
    sums_by_player,
)
from sheets.models import Group, GroupPlayer

MAX_LEVELS: Final = 30
"""Maximum number of levels with a table in the standings, those with most results."""

MAX_ON_LEVEL: Final = 10
"""Maximum number of players in the table of a level."""


class StandingsRow(NamedTuple):
    """Row of a standings table; players with equal wins and equal mean totals share a place."""

    place: int
    player: GroupPlayer
    sign: str
    sums: PlayerSums


class Champions(NamedTuple):
    """The players who lead a year's table, with their wins.

    ``by_average``: other players have as many wins, so the mean total was decisive.
    """

    year: int
    winners: list[str]
    wins: float
    by_average: bool


class LevelTable(NamedTuple):
    """The first rows of a level's standings table, with the level's digest and title."""

    digest: str
    title: str
    rows: list[StandingsRow]


class Standings(NamedTuple):
    """All standings tables of a group, and the champions of each year, the latest year first.

    ``of_year`` is the table of the latest year in which a game with others was played. Players who
    no longer play are in no table but can be champions. ``has_more``: the tables of levels leave
    out some levels or players.
    """

    of_year: list[StandingsRow]
    all_time: list[StandingsRow]
    levels: list[LevelTable]
    champions: list[Champions]
    has_more: bool


def standings_of(group: Group) -> Standings:
    """Return all standings of a group; only its games with others count."""
    matches = matches_in(read_games(group, ALL_GAMES), ALL_GAMES)
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
            LevelTable(digest, names[digest], rows[:MAX_ON_LEVEL])
            for digest, rows in tables[:MAX_LEVELS]
        ],
        [_champions(year, rows) for year, rows in by_year.items()],
        len(tables) > MAX_LEVELS or any(len(rows) > MAX_ON_LEVEL for _digest, rows in tables),
    )


def champions_of(group: Group, matches: Sequence[PlayedGame]) -> Champions | None:
    """Return the champions of a year; None if no player of the group took part.

    ``matches`` are the year's games with others.
    """
    rows = _table(_players(group), sums_by_player(matches))
    return _champions(matches[0].evening.year, rows) if rows else None


class StandingsTable(NamedTuple):
    """Standings table of a choice of games.

    ``matches`` are the choice's games with others, the earliest first.
    """

    rows: list[StandingsRow]
    matches: list[PlayedGame]

    @property
    def is_of_all(self) -> bool:
        """Whether there are no games with others, so that the table counts all games."""
        return not self.matches


def table_of(group: Group, choice: GameFilter) -> StandingsTable:
    """Return the table of a choice's games with others; if there are none, of all its games."""
    games = read_games(group, choice)
    matches = matches_in(games, choice)
    of_matches = sums_by_player(matches)
    rows = _table(_players(group), of_matches or sums_by_player(games))
    return StandingsTable(_playing(rows), matches if of_matches else [])


def _players(group: Group) -> dict[int, GroupPlayer]:
    return {player.pk: player for player in group.players.filter(merged_into=None)}


def _table(
    players: Mapping[int, GroupPlayer], by_player: Mapping[int, PlayerSums]
) -> list[StandingsRow]:
    return ranked((players[pk], sums) for pk, sums in by_player.items())


def ranked(by_player: Iterable[tuple[GroupPlayer, PlayerSums]]) -> list[StandingsRow]:
    """Return players as rows of a table, the first place first."""
    found = sorted(by_player, key=lambda one: (*(-part for part in _rank(one[1])), one[0].number))
    ranks = [_rank(sums) for _player, sums in found]
    return [
        StandingsRow(ranks.index(_rank(sums)) + 1, player, sign_of(player.sign), sums)
        for player, sums in found
    ]


def _rank(sums: PlayerSums) -> tuple[float, float]:
    """Return the sort key of players, the highest first: wins, then the average."""
    return round(sums.wins, 6), -1000 if sums.mean is None else round(sums.mean, 6)


def _playing(rows: Iterable[StandingsRow]) -> list[StandingsRow]:
    return ranked((row.player, row.sums) for row in rows if not row.player.is_retired)


def _champions(year: int, rows: Iterable[StandingsRow]) -> Champions:
    found = list(rows)
    first = [row for row in found if row.place == 1]
    most = _rank(first[0].sums)[0]
    has_equal = sum(_rank(row.sums)[0] == most for row in found) > len(first)
    return Champions(year, [row.player.name for row in first], first[0].sums.wins, has_equal)
