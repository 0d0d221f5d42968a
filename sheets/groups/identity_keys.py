"""Identity keys of games with a day but no time, which were typed or came from a table of results.

Two such games are the same if their keys are equal: day, level, players and totals. Other games
are identified by their content or the moment at which they ended (`GroupGame.content`, `played`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, time
from typing import NamedTuple

from django.db.models import QuerySet
from django.utils import timezone

from sheets.groups.winners import LOST, WON
from sheets.models import GroupGame, GroupResult

GameKey = tuple[date, str, tuple[tuple[int | str, int | str], ...]]
"""Day, level and results of a game.

A result is a pair of a player and a `result_key`. In keys of a group, a player is a primary key, 0
for a player without a name, or -1 for one who is not in the group; in other keys, a name.
"""


class GameWithKeys(NamedTuple):
    """A game of a group by its number, with a key for each of its `level_keys`.

    ``has_moment`` is the value of the function `has_moment`.
    """

    number: int
    keys: Sequence[GameKey]
    has_moment: bool


def games_with_keys(games: QuerySet[GroupGame], days: Collection[date]) -> Iterator[GameWithKeys]:
    """Yield the finished games of some days, each with its keys in the group."""
    games = games.filter(evening__in=days, is_open=False)
    results: defaultdict[int, list[tuple[int, int | str]]] = defaultdict(list)
    for game, player, points, won in GroupResult.objects.filter(game__in=games).values_list(
        "game", "player", "points", "won"
    ):
        results[game].append((player or 0, result_key(points, won)))
    fields = ("number", "kind", "evening", "played", "level_id", "level_digest", "level_name")
    for one in games.only(*fields):
        levels = level_keys(one.level_id, one.level_digest, one.level_name)
        keys = [game_key(one.evening, level, results[one.pk]) for level in levels]
        yield GameWithKeys(one.number, keys, has_moment(one.kind, one.played))


def game_key(day: date, level: str, results: Iterable[tuple[int | str, int | str]]) -> GameKey:
    """Return the identity key of a game; the order of the results does not matter."""
    return day, level, tuple(sorted(results, key=str))


def result_key(total: int | None, won: float) -> int | str:
    """Return the total of a result or, without a total, whether it is a win: `WON` or `LOST`."""
    return total if total is not None else WON if won else LOST


def level_keys(level_id: str, digest: str, names: Mapping[str, str]) -> set[str]:
    """Return all identifiers of a game's level; only the empty text if none is known."""
    return {level_id, digest, *map(str.casefold, names.values())} - {""} or {""}


def moment_of(day: date) -> datetime:
    """Return the assumed time of a game on a day: 20:00 in the time zone of the user."""
    return timezone.make_aware(datetime.combine(day, time(20)))


def has_moment(kind: str, played: datetime) -> bool:
    """Return whether the time of a game is known, not only its day.

    If only the day is known, the time is that of `moment_of` in some time zone, so it has no
    seconds.
    """
    return kind != "typed" and bool(played.second or played.microsecond)
