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
from sheets.groups.game_results import FinishedGame, Result, name_digest
from sheets.groups.game_store import add_games, check_room
from sheets.groups.identity_keys import (
    GameKey,
    game_key,
    games_with_keys,
    has_moment,
    level_keys,
    result_key,
)
from sheets.groups.paper_games_import import ImportCounts
from sheets.groups.players import (
    MAX_FURTHER_NAMES,
    MAX_GROUP_PLAYERS,
    Known,
    find_forgotten_names,
    root_of,
)
from sheets.groups.storage_estimate import Charge, GameSize, estimate_evenings, estimate_games
from sheets.models import Evening, Group, GroupGame, GroupPlayer
from sheets.names.cleaning import clean_name
from sheets.names.confusables import DistinctNames, are_confusable, shown_names, skeletons
from sheets.rules import Level

MAX_SAMPLED: Final = 100
"""Maximum number of games of a document, the latest, that are searched for in groups."""

People = dict[int, GroupPlayer]
"""Players of the group by the index of the player in the document."""


class ImportPreview(NamedTuple):
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


def groups_with_games_of(groups: Collection[Access[Group]], found: GroupFile) -> set[int]:
    """Return the primary keys of the groups that have some of the latest games of a document."""
    latest = found.games[-MAX_SAMPLED:]
    contents = [game.content for game in latest if game.content]
    moments = [
        game.played for game in latest if not game.content and has_moment(game.kind, game.played)
    ]
    games = GroupGame.objects.filter(group__in=[access.resource for access in groups])
    same = games.filter(Q(content__in=contents) | Q(content="", played__in=moments))
    return set(same.values_list("group", flat=True).distinct())


def preview_import(group: Group, found: GroupFile) -> ImportPreview:
    """Return the preview of joining a document with a group."""
    people = _known_people(group, found.players)
    names = shown_names([one.name for one in found.players])
    forgotten = _forgotten_players(group, names, people)
    new = _new_games(group, found, people, forgotten)
    coming = sorted(_needed_players(found, new) - people.keys() - forgotten)
    in_new = _players_in(new)
    return ImportPreview(
        len(new),
        len(found.games) - len(new),
        [names[place] for place in coming],
        [
            (names[place], one.name)
            for place, one in people.items()
            if not are_confusable(names[place], one.name)
        ],
        [names[place] for place in sorted(forgotten & in_new)],
    )


@transaction.atomic
def import_group(found: GroupFile, charge: Charge | None = None) -> str:
    """Create a group from a document, and return its key.

    Raises StorageUsedUp, ImportTooLarge: nothing has changed.
    """
    key = store.create(clean_name(found.name) or _("Group"))
    import_into_group(store.find(key), found, charge)
    return key


@transaction.atomic
def import_into_group(
    access: Access[Group], found: GroupFile, charge: Charge | None = None
) -> ImportCounts:
    """Add to a group the games, players and evenings of a document that it lacks.

    Existing players only get further names; existing evenings do not change. Merged players who
    both play in a new game are split again.

    Raises NotAllowed, GroupFull, StorageUsedUp, ImportTooLarge: nothing has changed.
    """
    group = lock(access)
    is_empty = not group.last_number and not group.players.exists()
    people = _known_people(group, found.players)
    names = shown_names([one.name for one in found.players])
    forgotten = _forgotten_players(group, names, people)
    new = _new_games(group, found, people, forgotten)
    check_room(group, len(new))
    if charge:
        charge(_estimate(found, new))
    needed = set(range(len(names))) if is_empty else _needed_players(found, new)
    _store_further_names(group, found.players, people)
    coming = needed - people.keys() - forgotten
    people |= _add_people(group, found.players, names, coming, people)
    _split_merged_players(access, new, people)
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
    return ImportCounts(len(new), len(found.games) - len(new))


# Matching of players -----------------------------------------------------------------------------


def _known_people(group: Group, files: Sequence[PlayerFile]) -> People:
    """Match players of a document with players of the group by current and former names.

    No player is matched twice.
    """
    everybody = list(group.players.select_related("merged_into").order_by("number"))
    found: People = {}
    taken: set[int] = set()
    ways: tuple[Callable[[PlayerFile | GroupPlayer], Sequence[str]], ...] = (
        lambda one: (one.name,),
        lambda one: (one.name, *one.also),
    )
    for names_of in ways:
        seen = [(person, _skeletons(names_of(person))) for person in everybody]
        for place, one in enumerate(files):
            wanted = _skeletons([clean_name(name) for name in names_of(one)])
            alike = (person for person, look in seen if not look.isdisjoint(wanted))
            person = next((person for person in alike if person.pk not in taken), None)
            if person and place not in found:
                found[place] = person
                taken.add(person.pk)
    return found


def _skeletons(names: Sequence[str]) -> set[str]:
    return {look for name in names if name for look in skeletons(name)}


def _forgotten_players(group: Group, names: Sequence[str], people: People) -> set[int]:
    """Return the indexes of players whom the group has deleted; their results are anonymous."""
    deleted = find_forgotten_names(group, names)
    return {place for place, name in enumerate(names) if name in deleted and place not in people}


def _players_in(games: Sequence[GameFile]) -> set[int]:
    return {one.player for game in games for one in game.results if one.player is not None}


def _needed_players(found: GroupFile, new: Sequence[GameFile]) -> set[int]:
    """Return the indexes of the players in new games, and of those into whom they are merged."""
    named = _players_in(new)
    roots = (found.players[place].same_as for place in named)
    return named | {root for root in roots if root is not None}


def _store_further_names(group: Group, files: Sequence[PlayerFile], people: People) -> None:
    """Add the name that each matched player has in a document to the player's further names."""
    everybody = group.players.all()
    taken = {one.pk: _skeletons((one.name, *one.also)) for one in everybody}
    for place, person in people.items():
        name = clean_name(files[place].name)
        own = skeletons(name)
        if name and all(look.isdisjoint(own) for look in taken.values()):
            person.also = [*person.also, name][-MAX_FURTHER_NAMES:]
            person.save(update_fields=["also"])
            taken[person.pk] = _skeletons((person.name, *person.also))


def _add_people(
    group: Group,
    files: Sequence[PlayerFile],
    names: Sequence[str],
    places: Collection[int],
    known: People,
) -> People:
    """Create group players for players of a document, as many as fit; return them by index.

    Args:
        group: the group.
        files: all players of the document.
        names: their names, each different.
        places: indexes of the players to create.
        known: players of the document whom the group has already.
    """
    existing = list(group.players.all())
    last = max((one.number for one in existing), default=0)
    taken_names = [name for one in existing for name in (one.name, *one.also)]
    distinct = DistinctNames(taken_names)
    taken = _skeletons([*taken_names, *names])
    rows: People = {}
    for place in sorted(places)[: MAX_GROUP_PLAYERS - len(existing)]:
        one, number = files[place], last + len(rows) + 1
        name = distinct.add(names[place])
        also = []
        for before in map(clean_name, one.also):
            if before and taken.isdisjoint(skeletons(before)):
                taken |= skeletons(before)
                also.append(before)
        sign = number - 1 if existing else one.sign
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


def _split_merged_players(access: Access[Group], new: Sequence[GameFile], people: People) -> None:
    """Split merged players who both play in a new game, since they are not the same person."""
    for game in new:
        participants = [people[one.player] for one in game.results if one.player in people]
        roots = Counter(root_of(person).pk for person in participants)
        for person in participants:
            if person.merged_into and roots[person.merged_into.pk] > 1:
                players.split_merged(access, person.number)
                person.merged_into = None


def _estimate(found: GroupFile, new: Sequence[GameFile]) -> int:
    """Estimate the bytes that the import of a document stores; ``new`` are the games to add."""
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
    """Return the games of a document that a group lacks, each once."""
    games = group.games.all()
    contents = set(games.exclude(content="").values_list("content", flat=True))
    moments = set(games.values_list("kind", "played"))
    # Games that were typed or came from a table of results can only be compared by their keys.
    candidates = games_with_keys(games.filter(content=""), {game.day for game in found.games})
    without_time = {key for game in candidates if not game.has_moment for key in game.keys}

    def is_known(game: GameFile) -> bool:
        keys = _keys(game, people, forgotten)
        if game.content in contents or not without_time.isdisjoint(keys):
            return True
        return has_moment(game.kind, game.played) and (game.kind, game.played) in moments

    # Two games may have equal marks, such as none.
    keys = [(game.content or place, game.played) for place, game in enumerate(found.games)]
    new = dict(zip(keys, found.games, strict=True))
    return [game for game in new.values() if not is_known(game)]


def _keys(game: GameFile, people: People, forgotten: Collection[int]) -> set[GameKey]:
    """Return the identity keys of a game, one for each of its `level_keys`."""

    def person(place: int | None) -> int:
        if place is None or place in forgotten:
            return 0
        return root_of(people[place]).pk if place in people else -1

    results = [(person(one.player), result_key(one.points, one.won)) for one in game.results]
    levels = level_keys(game.level, game.digest, game.name)
    return {game_key(game.day, level, results) for level in levels}


def _digest_of(game: GameFile) -> str:
    """Return the digest of a game's level; older files lack the digest of a typed level name."""
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
