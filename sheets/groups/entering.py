"""Old paper comes into a group by hand: games with names and totals, each once."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, time, timedelta
from math import inf
from typing import Final, NamedTuple

from django.db import transaction
from django.utils import timezone

from sheets.access.keys import Access, lock
from sheets.groups.keeping import rewrite_game, write_game
from sheets.groups.played import Played, Result, name_digest, of_level
from sheets.groups.players import find_named, forgotten_among
from sheets.groups.storage import Charge, Coming, estimate_games
from sheets.groups.winners import LOST, WON, Had, find_winners
from sheets.levels import shipped_levels
from sheets.models import Group, GroupResult
from sheets.people.alike import looks
from sheets.people.names import NAME_LENGTH, cut_name
from sheets.rules import Level, format_level
from sheets.texts.languages import in_every_language

YEARS: Final = range(1990, 2200)
MOST_POINTS: Final = 999


class Entered(NamedTuple):
    """A game of old paper: its day, its level as it was called, and everybody's total.

    A total is None where nobody knows it. ``winners`` are named only where totals do not tell. An
    empty name is somebody without one.
    """

    day: date
    level: str
    totals: tuple[tuple[str, int | None], ...]
    winners: tuple[int, ...] = ()


class Kept(NamedTuple):
    """Of how many games a group had not known, and of how many it had."""

    new: int
    known: int


Outcome = tuple[tuple[tuple[str, int | None], ...], tuple[int, ...]]
"""The totals and the winners of an `Entered` game."""

Told = tuple[date, str, tuple[tuple[str, int | str], ...]]
"""What makes two lines say the same: the day, the level, and everybody's total.

Without a total it is whether they have won.
"""

TypedGame = tuple[date, str, tuple[tuple[int, int | str], ...]]
"""A typed game of a group: its day, its level, and what each player had by primary key.

The key is 0 for somebody without a name, and -1 for somebody who is not in the group.
"""


def last_day() -> date:
    """The last day on which a game can have been played: elsewhere it may be tomorrow already."""
    return timezone.localdate() + timedelta(days=1)


def persons_in(group: Group, names: Sequence[str]) -> dict[str, int]:
    """Who each name is, as a number: the same for the same person."""
    people = find_named(group, names)
    found: dict[str, int] = {}
    by_look: dict[str, int] = {}
    for number, name in enumerate(names, start=1):
        alike = [by_look[look] for look in looks(name) if look in by_look]
        person = people[name].pk if name in people else min(alike, default=-number)
        found.setdefault(name, person)
        by_look |= dict.fromkeys(looks(name), found[name])
    return found


def named_twice(persons: Mapping[str, int], names: Sequence[str]) -> str:
    """The first name of somebody who is named before, too; empty if there is none."""
    names = [name for name in names if name]
    there = [persons[name] for name in names]
    return next((name for i, name in enumerate(names) if persons[name] in there[:i]), "")


def outcome_of(had: Sequence[tuple[str, Had]]) -> Outcome:
    """Return what an `Entered` game has of what was typed of its players. Raises Undecided."""
    winners = find_winners([one for _name, one in had])
    totals = tuple((name, one.points) for name, one in had)
    by_points = _best_of([total for _name, total in totals])
    return totals, () if winners == by_points else tuple(winners)


def winners_of(game: Entered) -> Collection[int]:
    """Return the places of the winners among the totals of a game."""
    return game.winners or _best_of([total for _name, total in game.totals])


def _best_of(totals: Sequence[int | None]) -> list[int]:
    known = [total for total in totals if total is not None]
    if len(totals) == 1 or len(known) < len(totals):
        return []
    return [i for i, total in enumerate(totals) if total == max(known)]


def known_in(group: Group, games: Collection[Entered], *, but: int = 0) -> set[Entered]:
    """Those of the games that the group has: the same day, level, people and totals.

    People are known by all names they had; who was forgotten is anybody of a forgotten name. The
    game of the number ``but`` is left out.
    """
    names = {_short(name) for game in games for name, _total in game.totals}
    people, forgotten = find_named(group, names), forgotten_among(group, names)
    # Which names are forgotten is the same for all games between two of these numbers.
    bounds = [*sorted(set(forgotten.values())), inf]
    there = {
        (bounds[bisect_left(bounds, number)], told)
        for number, told in typed_in(group, {game.day for game in games})
        if number != but
    }

    def person(name: str, bound: float) -> int:
        if forgotten.get(name, 0) >= bound:
            return 0
        return people[name].pk if name in people else -1

    def is_there(game: Entered) -> bool:
        level = _level_key(game)
        had = [(_short(name), total_key(total, won)) for name, total, won in _won_in(game)]
        return any(
            (bound, typed_game(game.day, level, ((person(name, bound), n) for name, n in had)))
            in there
            for bound in bounds
        )

    return {game for game in games if is_there(game)}


def typed_in(group: Group, days: Collection[date]) -> Iterator[tuple[int, TypedGame]]:
    """Yield the number of each typed game of these days, and what the game says."""
    games = group.games.filter(kind="typed", evening__in=days)
    results: defaultdict[int, list[tuple[int, int | str]]] = defaultdict(list)
    for game, player, points, won in GroupResult.objects.filter(game__in=games).values_list(
        "game", "player", "points", "won"
    ):
        results[game].append((player or 0, total_key(points, won)))
    for game, number, day, level, names in games.values_list(
        "pk", "number", "evening", "level_id", "level_name"
    ):
        yield number, typed_game(day, level_key(level, names), results[game])


def typed_game(day: date, level: str, results: Iterable[tuple[int, int | str]]) -> TypedGame:
    """Return what a typed game says, the same for results in any order."""
    return day, level, tuple(sorted(results, key=str))


def total_key(total: int | None, won: float) -> int | str:
    """Return what tells a result of a typed game: its total, else whether it is a win."""
    return total if total is not None else WON if won else LOST


def level_key(level_id: str, names: Mapping[str, str]) -> str:
    """Return what tells the level of a typed game from other levels."""
    return level_id or min(names.values(), default="").casefold()


@transaction.atomic
def enter(access: Access[Group], games: Sequence[Entered], charge: Charge | None = None) -> Kept:
    """Keep games of old paper; those that the group has are kept once.

    Raises NotAllowed, GroupFull, StorageUsedUp: nothing has changed.
    """
    group = lock(access)
    known = known_in(group, games)
    new = [(game, _played(game)) for game in games if game not in known]
    if charge and new:
        charge(estimate_games(group, [coming_game(played, game.day) for game, played in new]))
    for game, played in new:
        write_game(group, played, game.day)
    group.save(update_fields=["last_number"])
    return Kept(len(new), len(games) - len(new))


class AlreadyThere(Exception):
    """The group has the same typed game under another number."""


@transaction.atomic
def correct(access: Access[Group], number: int, entered: Entered) -> None:
    """Write a typed game anew; it keeps its number, and on the same day its moment.

    Raises NotAllowed, GroupGame.DoesNotExist, AlreadyThere: nothing has changed.
    """
    group = lock(access)
    game = group.games.get(number=number, kind="typed")
    if known_in(group, [entered], but=number):
        raise AlreadyThere
    played = _played(entered)
    if entered.day == game.evening:
        played = played._replace(played=game.played)
    rewrite_game(group, game, played, entered.day)


def moment_of(day: date) -> datetime:
    """Return the time of a game of which only the day is known: 20:00 where the user is."""
    return timezone.make_aware(datetime.combine(day, time(20)))


def coming_game(played: Played, day: date) -> Coming:
    """Return what the size of a game depends on."""
    level = played.level and dict(format_level(played.level))
    return Coming(
        day.replace(day=1),
        day.year,
        played.level_digest,
        played.kind,
        [one.name or place for place, one in enumerate(played.results)],
        {part for one in played.results for part in one.parts},
        [dict(played.level_name), played.content, level, list(map(_texts, played.results))],
        any(one.is_bot for one in played.results),
    )


def _texts(result: Result) -> object:
    return result.name, dict(result.parts), result.crossed


def _played(game: Entered) -> Played:
    level = _shipped(game.level)
    name, level_id, digest = of_level(level) if level else ({}, "", "")
    if game.level and not level:
        name = in_every_language(game.level)
        digest = name_digest(name)
    return Played("typed", moment_of(game.day), name, level_id, digest, None, _results(game))


def _shipped(called: str) -> Level | None:
    """The level of the game itself that is called so in any language."""
    levels = shipped_levels().values()
    return next((one for one in levels if called in dict(one.name).values()), None)


def _won_in(game: Entered) -> Iterator[tuple[str, int | None, float]]:
    """Yield everybody's name, total, and share of the win."""
    winners = winners_of(game)
    for place, (name, total) in enumerate(game.totals):
        yield name, total, 1 / len(winners) if place in winners else 0.0


def _results(game: Entered) -> list[Result]:
    results = list(_won_in(game))
    winners = len(winners_of(game))
    others = [total for _name, total, won in results if total is not None and not won]
    return [
        Result(
            _short(name),
            False,
            total,
            0,
            # Without a total nobody of the others is known to be better.
            1 if won else 1 + winners + sum(other > total for other in others if total is not None),
            won,
            {},
        )
        for name, total, won in results
    ]


def told_of(game: Entered) -> Told:
    """The same for two games that were entered if they say the same."""
    had = [(_short(name).casefold(), total_key(total, won)) for name, total, won in _won_in(game)]
    return game.day, _level_key(game), tuple(sorted(had, key=str))


def _short(name: str) -> str:
    return cut_name(name, NAME_LENGTH)


def _level_key(game: Entered) -> str:
    level = _shipped(game.level)
    return level.id if level else game.level.casefold()
