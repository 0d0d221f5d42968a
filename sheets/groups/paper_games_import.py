"""Import of old paper games, entered by names and totals; each game is stored once."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date, timedelta
from functools import cache
from math import inf
from typing import Final, NamedTuple

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import override

from sheets.access.keys import Access, lock
from sheets.groups.filters import latest_games, names_of
from sheets.groups.game_results import FinishedGame, Result, level_identity, name_digest
from sheets.groups.game_store import (
    DICE2,
    Source,
    add_games,
    day_of,
    result_of_source,
    rewrite_game,
)
from sheets.groups.game_titles import title_of
from sheets.groups.identity_keys import GameKey, game_key, games_with_keys, moment_of, result_key
from sheets.groups.players import find_forgotten_names, find_named
from sheets.groups.storage_estimate import Charge, GameSize, estimate_games
from sheets.groups.winners import Rank, TypedResult, find_best, find_typed_winners, rank_all
from sheets.levels import shipped_levels
from sheets.models import Group, GroupGame
from sheets.names.cleaning import NAME_LENGTH, cut_name
from sheets.names.confusables import skeletons
from sheets.rules import Level, format_level
from sheets.text.languages import in_every_language, languages
from sheets.text.rulebook.games import GAME_NAMES

YEARS: Final = range(1990, 2200)
"""Years in which a game can have been played."""

MAX_POINTS: Final = 999
"""Maximum total that can be entered."""


class PaperGame(NamedTuple):
    """A past game: its day, the typed name of its level, and the name and total of each player.

    An unknown name is empty, an unknown total None. ``ranks`` are empty if the totals determine
    them. A game in a table of results also has a ``kind`` as in `GroupGame`, and ``copy`` is the
    number of equal games before it in the table.
    """

    day: date
    level: str
    totals: tuple[tuple[str, int | None], ...]
    kind: str = "typed"
    ranks: tuple[Rank, ...] = ()
    copy: int = 0

    @property
    def results(self) -> list[Result]:
        """Result of each player, as a group stores it."""
        totals = [total for _name, total in self.totals]
        ranks = self.ranks or rank_all(totals, find_best(totals))
        return [
            Result(_short(name), is_bot(name, self.kind), total, 0, place, won, {})
            for (name, total), (place, won) in zip(self.totals, ranks, strict=True)
        ]

    @property
    def people(self) -> list[str]:
        """Name of each player; empty for a bot, and for a player without a name."""
        return ["" if one.is_bot else one.name for one in self.results]


class ImportCounts(NamedTuple):
    """Numbers of imported games: ``new`` to the group, and ``known``, which it had already."""

    new: int
    known: int


BOT: Final = re.compile(rf"Bot [1-6]|.{{0,{NAME_LENGTH}}} → Bot")
"""Pattern of a bot's name at a table, also of a bot that plays on for a player."""


def is_bot(name: str, kind: str) -> bool:
    """Return whether a name in a game of this kind is the name of a bot."""
    return kind in ("table", "dice2") and bool(BOT.fullmatch(name))


def last_day() -> date:
    """Return the last possible day of a game: tomorrow, because of other time zones."""
    return timezone.localdate() + timedelta(days=1)


def identify_persons(group: Group, names: Sequence[str]) -> dict[str, int]:
    """Return an identifier for each name; names of the same person have the same one.

    Names belong to one person if they are names of the same player of the group, or confusable.
    """
    people = find_named(group, names)
    found: dict[str, int] = {}
    by_skeleton: dict[str, int] = {}
    for number, name in enumerate(names, start=1):
        alike = [by_skeleton[look] for look in skeletons(name) if look in by_skeleton]
        person = people[name].pk if name in people else min(alike, default=-number)
        found.setdefault(name, person)
        by_skeleton |= dict.fromkeys(skeletons(name), found[name])
    return found


def find_duplicate_name(persons: Mapping[str, int], names: Sequence[str]) -> str:
    """Return the first name that stands for the same person as an earlier one; empty if none."""
    names = [name for name in names if name]
    people = [persons[name] for name in names]
    return next((name for i, name in enumerate(names) if persons[name] in people[:i]), "")


def typed_game(
    day: date, level: str, typed_results: Sequence[tuple[str, TypedResult]]
) -> PaperGame:
    """Return the game with the name and typed result of each player. Raises UndecidedWinner."""
    totals = [one.points for _name, one in typed_results]
    winners = find_typed_winners([one for _name, one in typed_results])
    ranks = tuple(rank_all(totals, winners))
    return PaperGame(
        day, level, tuple((name, one.points) for name, one in typed_results), ranks=ranks
    )


def find_known_games(
    group: Group, games: Collection[PaperGame], *, among: QuerySet[GroupGame] | None = None
) -> set[PaperGame]:
    """Return the games that the group has already: the same day, level, people and totals.

    Players are matched by current and former names; a forgotten name matches any anonymous result.
    Of several equal ``games``, at most as many are returned as the group has. ``among`` limits the
    games of the group for the comparison.
    """
    names = {name for game in games for name in game.people if name}
    people, forgotten = find_named(group, names), find_forgotten_names(group, names)
    titles = _known_titles(group)
    # All games with numbers between two of these bounds have the same forgotten names.
    bounds = [*sorted(set(forgotten.values())), inf]
    counts = Counter(
        (bounds[bisect_left(bounds, game.number)], key)
        for game in games_with_keys(
            group.games.all() if among is None else among, {game.day for game in games}
        )
        for key in game.keys
    )

    def person(name: str, bound: float) -> int:
        if not name or forgotten.get(name, 0) >= bound:
            return 0
        return people[name].pk if name in people else -1

    def is_there(game: PaperGame, level: str) -> bool:
        results = [(name, _key(one)) for name, one in zip(game.people, game.results, strict=True)]
        keys = {
            (
                bound,
                game_key(game.day, level, ((person(name, bound), key) for name, key in results)),
            )
            for bound in bounds
        }
        return sum(counts[key] for key in keys) > game.copy

    return {
        game for game in games if any(is_there(game, level) for level in _levels_of(game, titles))
    }


def groups_with_typed_game(source: Source, groups: Iterable[Group]) -> set[int]:
    """Return the primary keys of the groups in which the game of a source was entered by hand.

    Such a group has a game with the same day, level, people and totals that was typed, or came from
    a table of results. The game is not to be added again.
    """
    if (day := day_of(source)) is None:
        return set()
    by_hand = GroupGame.objects.filter(
        group__in=groups, evening=day, content="", scoring=None, tally=None, table=None
    )
    near = Group.objects.filter(pk__in=by_hand.values("group"))
    if not near or (played := result_of_source(source)) is None:
        return set()
    called = [title_of(played)] if played.kind == DICE2 else set(played.level_name.values())
    totals = tuple((one.name, one.total) for one in played.results)
    ranks = tuple((one.place, one.won) for one in played.results)
    games = [PaperGame(day, level, totals, played.kind, ranks) for level in called or [""]]
    return {one.pk for one in near if find_known_games(one, games, among=by_hand.filter(group=one))}


@transaction.atomic
def enter(
    access: Access[Group], games: Sequence[PaperGame], charge: Charge | None = None
) -> ImportCounts:
    """Add old paper games to a group, idempotently.

    Raises NotAllowed, GroupFull, StorageUsedUp, ImportTooLarge: nothing has changed.
    """
    group = lock(access)
    known = find_known_games(group, games)
    titles = _known_titles(group)
    new = [(game, _played(game, titles)) for game in games if game not in known]
    if charge and new:
        charge(estimate_games(size_of_game(played) for _game, played in new))
    add_games(group, [(played, game.day) for game, played in new])
    return ImportCounts(len(new), len(games) - len(new))


class DuplicateGame(Exception):
    """The group has the same game under another number."""


@transaction.atomic
def correct(access: Access[Group], number: int, entered: PaperGame) -> None:
    """Replace a typed game; it keeps its number, and on the same day its time.

    Raises NotAllowed, GroupGame.DoesNotExist, DuplicateGame: nothing has changed.
    """
    group = lock(access)
    game = group.games.get(number=number, kind="typed")
    if find_known_games(group, [entered], among=group.games.exclude(number=number)):
        raise DuplicateGame
    played = _played(entered, _known_titles(group))
    if entered.day == game.evening:
        played = played._replace(played=game.played)
    rewrite_game(group, game, played, entered.day)


def size_of_game(played: FinishedGame) -> GameSize:
    """Return the input of `estimate_games` for a game."""
    level = played.level and dict(format_level(played.level))
    results = [(one.name, dict(one.parts), one.crossed) for one in played.results]
    return GameSize(len(results), [dict(played.level_name), played.content, level, results])


def _played(game: PaperGame, titles: Mapping[str, GroupGame]) -> FinishedGame:
    level = _level_called(game, titles)
    return FinishedGame(game.kind, moment_of(game.day), *level, None, game.results)


def _level_called(
    game: PaperGame, titles: Mapping[str, GroupGame]
) -> tuple[Mapping[str, str], str, str]:
    """Return the names, id and digest of a game's level; ``titles`` is from `_known_titles`."""
    if game.kind == "dice2":
        return {}, _dice2_ids().get(game.level.casefold(), ""), ""
    if not game.level:
        return {}, "", ""
    shipped, names = _shipped(game.level), in_every_language(game.level)
    found = level_identity(shipped) if shipped else (names, "", name_digest(names))
    known = titles.get(game.level.casefold())
    # A typed level name may be spelled differently now.
    if known and known.level_digest != found[2]:
        return known.level_name, known.level_id, known.level_digest
    return found


def _shipped(called: str) -> Level | None:
    """Return the shipped level with this name in any language, or None."""
    levels = shipped_levels().values()
    return next((one for one in levels if called in dict(one.name).values()), None)


def _known_titles(group: Group) -> dict[str, GroupGame]:
    """Map each title of a level of the group to the latest game on this level.

    Titles are in all languages and in lower case.
    """
    latest = latest_games(group)
    found: dict[str, GroupGame] = {}
    for language in languages():
        with override(language):
            titles = names_of(latest)
        found |= {title.casefold(): latest[digest][1] for digest, title in titles.items()}
    return found


@cache
def _dice2_ids() -> dict[str, str]:
    """Return the ids of the games of Dice² by title in any language, in lower case."""
    return {
        f"Dice²: {name}".casefold(): game
        for game, names in GAME_NAMES.items()
        for name in in_every_language(names).values()
    }


def key_of(game: PaperGame) -> GameKey:
    """Return the identity key of an entered game, in which names stand for players."""
    results = [(one.name.casefold(), _key(one)) for one in game.results]
    return game_key(game.day, _level_of(game), results)


def _key(result: Result) -> int | str:
    return result_key(result.total, result.won)


def _short(name: str) -> str:
    return cut_name(name, NAME_LENGTH)


def _level_of(game: PaperGame) -> str:
    if game.kind == "dice2":
        return _dice2_ids().get(game.level.casefold(), "")
    level = _shipped(game.level)
    return level.id if level else game.level.casefold()


def _levels_of(game: PaperGame, titles: Mapping[str, GroupGame]) -> set[str]:
    """Return the identifiers of a game's level in keys; ``titles`` is from `_known_titles`."""
    known = titles.get(game.level.casefold())
    return {_level_of(game)} | ({known.level_digest} if known else set())
