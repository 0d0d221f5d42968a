"""Import of a group file, as a new group or into an existing one: preview, and each game once.

Games are equal if they have the same content digest (`GroupGame.content`) or ended at the same
moment, or, if only the day is known, if they have the same day, level, people and totals. Players
are matched by current and former names.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

import msgspec
from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from sheets.access.keys import Access, lock
from sheets.groups import players, store
from sheets.groups.documents import GameFile, GroupFile, PlayerFile, levels_of
from sheets.groups.entering import Kept
from sheets.groups.identity import (
    GameKey,
    game_key,
    games_with_keys,
    has_moment,
    level_keys,
    result_key,
)
from sheets.groups.keeping import add_games, check_room
from sheets.groups.played import FinishedGame, Result, name_digest
from sheets.groups.players import MOST, MOST_ALSO, Known, forgotten_among, root_of
from sheets.groups.storage import Charge, GameSize, estimate_evenings, estimate_games
from sheets.models import Evening, Group, GroupGame, GroupPlayer
from sheets.people.alike import DistinctNames, look_alike, looks, shown_names
from sheets.people.names import clean_name
from sheets.rules import Level

MOST_SAMPLED: Final = 100
"""Number of latest games of a document that are searched for in groups."""

People = dict[int, GroupPlayer]
"""Players of the group by the index of the player in the document."""


class Coming(NamedTuple):
    """Preview of what a document adds to a group.

    ``new`` and ``known`` are numbers of games. ``newcomers`` are names of new players, ``renamed``
    the pairs of names in the document and in the group, ``forgotten`` names of players whom the
    group has deleted.
    """

    new: int
    known: int
    newcomers: list[str]
    renamed: list[tuple[str, str]]
    forgotten: list[str]


def having_some_of(groups: Collection[Access[Group]], found: GroupFile) -> set[int]:
    """Return the primary keys of the groups that have some of the latest games of a document."""
    latest = found.games[-MOST_SAMPLED:]
    contents = [game.content for game in latest if game.content]
    moments = [
        game.played for game in latest if not game.content and has_moment(game.kind, game.played)
    ]
    games = GroupGame.objects.filter(group__in=[access.thing for access in groups])
    same = games.filter(Q(content__in=contents) | Q(content="", played__in=moments))
    return set(same.values_list("group", flat=True).distinct())


def look_into(group: Group, found: GroupFile) -> Coming:
    """Return the preview of joining a document with a group."""
    people = _known_people(group, found.players)
    names = shown_names([one.name for one in found.players])
    forgotten = _forgotten(group, names, people)
    new = _new_games(group, found, people, forgotten)
    coming = sorted(_needed(found, new) - people.keys() - forgotten)
    in_new = _named(new)
    return Coming(
        len(new),
        len(found.games) - len(new),
        [names[place] for place in coming],
        [
            (names[place], one.name)
            for place, one in people.items()
            if not look_alike(names[place], one.name)
        ],
        [names[place] for place in sorted(forgotten & in_new)],
    )


@transaction.atomic
def take_in(found: GroupFile, charge: Charge | None = None) -> str:
    """Create a group from a document, and return its key.

    Raises StorageUsedUp: nothing has changed.
    """
    key = store.create(clean_name(found.name) or _("Group"))
    join(store.find(key), found, charge)
    return key


@transaction.atomic
def join(access: Access[Group], found: GroupFile, charge: Charge | None = None) -> Kept:
    """Add to a group the games, players and evenings of a document that it lacks.

    The group's own data of players and evenings stay. Merged players who both play in a new game
    are split again.

    Raises NotAllowed, GroupFull, StorageUsedUp: nothing has changed.
    """
    group = lock(access)
    is_empty = not group.last_number and not group.players.exists()
    people = _known_people(group, found.players)
    names = shown_names([one.name for one in found.players])
    forgotten = _forgotten(group, names, people)
    new = _new_games(group, found, people, forgotten)
    check_room(group, len(new))
    if charge:
        charge(_estimate(found, new))
    needed = set(range(len(names))) if is_empty else _needed(found, new)
    _learn_names(group, found.players, people)
    coming = needed - people.keys() - forgotten
    people |= _add_people(group, found.players, names, coming, people)
    _take_apart(access, new, people)
    Evening.objects.bulk_create(
        (
            Evening(group=group, day=day, place=clean_name(one.place), note=clean_name(one.note))
            for day, one in {one.day: one for one in found.evenings}.items()
        ),
        ignore_conflicts=True,
    )
    levels = levels_of(found)
    add_games(
        group,
        [(_played(game, levels), game.day) for game in new],
        [list(_players_of(game, people)) for game in new],
    )
    return Kept(len(new), len(found.games) - len(new))


# Matching of players -----------------------------------------------------------------------------


def _known_people(group: Group, files: Sequence[PlayerFile]) -> People:
    """Match players of a document with the group's by current and former names, one to one."""
    everybody = list(group.players.select_related("merged_into").order_by("number"))
    found: People = {}
    taken: set[int] = set()
    ways: tuple[Callable[[PlayerFile | GroupPlayer], Sequence[str]], ...] = (
        lambda one: (one.name,),
        lambda one: (one.name, *one.also),
    )
    for names_of in ways:
        seen = [(person, _looks(names_of(person))) for person in everybody]
        for place, one in enumerate(files):
            wanted = _looks([clean_name(name) for name in names_of(one)])
            alike = (person for person, look in seen if not look.isdisjoint(wanted))
            person = next((person for person in alike if person.pk not in taken), None)
            if person and place not in found:
                found[place] = person
                taken.add(person.pk)
    return found


def _looks(names: Sequence[str]) -> set[str]:
    return {look for name in names if name for look in looks(name)}


def _forgotten(group: Group, names: Sequence[str], people: People) -> set[int]:
    """Return the players of a document that the group has deleted; their results are anonymous."""
    deleted = forgotten_among(group, names)
    return {place for place, name in enumerate(names) if name in deleted and place not in people}


def _named(games: Sequence[GameFile]) -> set[int]:
    return {one.player for game in games for one in game.results if one.player is not None}


def _needed(found: GroupFile, new: Sequence[GameFile]) -> set[int]:
    """Return the players in the new games of a document, and those they are merged into."""
    named = _named(new)
    roots = (found.players[place].same_as for place in named)
    return named | {root for root in roots if root is not None}


def _learn_names(group: Group, files: Sequence[PlayerFile], people: People) -> None:
    """Store the names that matched players have in a document as further names."""
    everybody = group.players.all()
    taken = {one.pk: _looks((one.name, *one.also)) for one in everybody}
    for place, person in people.items():
        name = clean_name(files[place].name)
        own = looks(name)
        if name and all(look.isdisjoint(own) for look in taken.values()):
            person.also = [*person.also, name][-MOST_ALSO:]
            person.save(update_fields=["also"])
            taken[person.pk] = _looks((person.name, *person.also))


def _add_people(
    group: Group,
    files: Sequence[PlayerFile],
    names: Sequence[str],
    places: Collection[int],
    known: People,
) -> People:
    """Create players for some of a document, at most as many as fit, and return them.

    Args:
        group: the group.
        files: all players of the document.
        names: their names, each different.
        places: indexes of the players to create.
        known: players of the document whom the group has already.
    """
    there = list(group.players.all())
    last = max((one.number for one in there), default=0)
    called = [name for one in there for name in (one.name, *one.also)]
    distinct = DistinctNames(called)
    taken = _looks([*called, *names])
    rows: People = {}
    for place in sorted(places)[: MOST - len(there)]:
        one, number = files[place], last + len(rows) + 1
        name = distinct.add(names[place])
        also = []
        for before in map(clean_name, one.also):
            if before and taken.isdisjoint(looks(before)):
                taken |= looks(before)
                also.append(before)
        sign = number - 1 if there else one.sign
        rows[place] = GroupPlayer(
            group=group,
            number=number,
            name=name,
            also=also,
            sign=sign,
            is_retired=one.retired,
        )
    GroupPlayer.objects.bulk_create(rows.values())
    for place, person in rows.items():
        into = files[place].same_as
        root = None if into is None else rows.get(into) or known.get(into)
        if root:
            person.merged_into = root_of(root)
            person.save(update_fields=["merged_into"])
    return rows


def _take_apart(access: Access[Group], new: Sequence[GameFile], people: People) -> None:
    """Split merged players who both play in a new game, since they are not the same person."""
    for game in new:
        there = [people[one.player] for one in game.results if one.player in people]
        roots = Counter(root_of(person).pk for person in there)
        for person in there:
            if person.merged_into and roots[person.merged_into.pk] > 1:
                players.take_apart(access, person.number)
                person.merged_into = None


def _estimate(found: GroupFile, new: Sequence[GameFile]) -> int:
    """Estimate the bytes that a document takes in a group that lacks its ``new`` games."""
    games = (
        GameSize(
            len(game.results),
            [
                game.name,
                game.content,
                *((one.label, one.parts, one.crossed) for one in game.results),
            ],
        )
        for game in new
    )
    evenings = [one.place + one.note for one in found.evenings]
    levels = len(msgspec.json.encode(found.levels)) if new else 0
    names = len(msgspec.json.encode(found.players))
    return estimate_games(games) + estimate_evenings(evenings) + levels + names


# Comparison of games ------------------------------------------------------------------------------


def _new_games(
    group: Group, found: GroupFile, people: People, forgotten: Collection[int]
) -> list[GameFile]:
    """Return the games of a document that a group lacks."""
    games = group.games.all()
    contents = set(games.exclude(content="").values_list("content", flat=True))
    moments = set(games.values_list("kind", "played"))
    # Games that were typed or came from a table of results can only be compared by their keys.
    there = games_with_keys(games.filter(content=""), {game.day for game in found.games})
    without_time = {key for game in there if not game.has_moment for key in game.keys}

    def is_known(game: GameFile) -> bool:
        keys = _keys(game, people, forgotten)
        if game.content in contents or not without_time.isdisjoint(keys):
            return True
        return has_moment(game.kind, game.played) and (game.kind, game.played) in moments

    return [game for game in found.games if not is_known(game)]


def _keys(game: GameFile, people: People, forgotten: Collection[int]) -> set[GameKey]:
    """Return the keys of a game, one for each of its `level_keys`."""

    def person(place: int | None) -> int:
        if place is None or place in forgotten:
            return 0
        return root_of(people[place]).pk if place in people else -1

    results = [(person(one.player), result_key(one.points, one.won)) for one in game.results]
    levels = level_keys(game.level, game.digest, game.name)
    return {game_key(game.day, level, results) for level in levels}


def _digest_of(game: GameFile) -> str:
    """Return the digest of a game's level; older files lack that of a typed level name."""
    return game.digest or (name_digest(game.name) if game.kind == "typed" else "")


def _played(game: GameFile, levels: Mapping[str, Level]) -> FinishedGame:
    """Return a game of a document as a group stores it."""
    is_crossed = any(one.crossed for one in game.results)
    return FinishedGame(
        game.kind,
        game.played,
        {word: clean_name(name) for word, name in game.name.items()},
        clean_name(game.level),
        _digest_of(game),
        game.rating,
        [
            Result(
                clean_name(one.label),
                bool(clean_name(one.label)),
                one.points,
                one.marks,
                one.place,
                one.won,
                one.parts,
                one.crossed,
            )
            for one in game.results
        ],
        levels.get(game.digest) if is_crossed else None,
        seconds=game.seconds,
        content=game.content,
        starter=game.starter,
    )


def _players_of(game: GameFile, people: People) -> Iterator[Known]:
    """Yield the player of each result; a second result of the same player stays anonymous."""
    seen: set[int] = set()
    for one in game.results:
        typed = None if one.player is None else people.get(one.player)
        if typed is None or root_of(typed).pk in seen:
            yield None, None
            continue
        seen.add(root_of(typed).pk)
        yield root_of(typed), typed
