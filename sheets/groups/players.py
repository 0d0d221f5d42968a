"""Players of a group: match typed names, rename, merge, split, delete."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Final

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from sheets.access.keys import Access, lock
from sheets.groups.statistics import Seat
from sheets.groups.store import note_change
from sheets.models import ForgottenName, Group, GroupGame, GroupPlayer, GroupResult
from sheets.names.confusables import are_confusable, distinct_name, skeletons

MAX_GROUP_PLAYERS: Final = 200
"""Maximum number of players in a group; further ones stay anonymous."""

MAX_FURTHER_NAMES: Final = 10
"""Maximum number of former names that a player keeps, the latest ones."""


Known = tuple[GroupPlayer | None, GroupPlayer | None]
"""The player for whom a result counts, and the one who was named; both None if anonymous."""


class NoSuchPlayer(LookupError):
    """The group has no such player, or the player cannot be merged."""


class PlayedTogether(Exception):
    """Two players of one game cannot be merged: they are two persons."""


class NameTaken(Exception):
    """Another player has or had this name.

    ``player`` is the other player or, after a merge, the one for whom the games count.
    """

    def __init__(self, player: GroupPlayer) -> None:
        super().__init__(player.number)
        self.player = player


def match_players(group: Group, names: list[str], game: GroupGame) -> list[Known]:
    """Match the names in a game with players of the group; create players for new names.

    Both parts of `Known` are None for an empty name, for a name that was forgotten after the game
    was added, and for a new name in a group with `MAX_GROUP_PLAYERS` players. No player is matched
    twice: a second one of the same name is another player, with a number after the name. The group
    must be locked.
    """
    everybody = list(group.players.select_related("merged_into").order_by("number"))
    by_skeleton = _by_skeleton(everybody)
    forgotten = set(
        group.forgotten.filter(last_game__gte=game.number).values_list("digest", flat=True)
    )
    found: list[Known] = []
    for called in names:
        name, others = called, [called]
        while (one := _typed_by(by_skeleton, name)) and root_of(one) in dict(found):
            name = distinct_name(called, others)
            others.append(name)
        if not name or not forgotten.isdisjoint(_digests(group, name)):
            found.append((None, None))
            continue
        typed = _typed_by(by_skeleton, name)
        if typed is None and len(everybody) < MAX_GROUP_PLAYERS:
            number = max((one.number for one in everybody), default=0) + 1
            typed = group.players.create(number=number, name=name, sign=number - 1)
            everybody.append(typed)
            by_skeleton |= dict.fromkeys(skeletons(name), typed)
        found.append((typed and root_of(typed), typed))
    return found


def root_of(player: GroupPlayer) -> GroupPlayer:
    """Return the player for whom the games of a player count."""
    return player.merged_into or player


def find_named(group: Group, names: Iterable[str]) -> dict[str, GroupPlayer]:
    """Map each name to the player for whom games under this name count; leave out new names."""
    by_skeleton = _by_skeleton(group.players.select_related("merged_into").order_by("number"))
    found = {name: _typed_by(by_skeleton, name) for name in names}
    return {name: root_of(one) for name, one in found.items() if one}


def find_forgotten_names(group: Group, names: Iterable[str]) -> dict[str, int]:
    """Map each forgotten name to the number of the last game in which it matches no player."""
    last = dict(group.forgotten.values_list("digest", "last_game"))
    games = {name: max(last.get(one, 0) for one in _digests(group, name)) for name in names}
    return {name: game for name, game in games.items() if game}


def names_of(seats: Iterable[Seat]) -> list[str]:
    """Return the names of the players and bots of some results, as pages show them."""
    shown = list(seats)
    pks = [seat.player for seat in shown if seat.player is not None]
    names = dict(GroupPlayer.objects.filter(pk__in=pks).values_list("pk", "name"))
    return [names.get(seat.player or 0) or seat.label or _("someone") for seat in shown]


def _by_skeleton(everybody: Iterable[GroupPlayer]) -> dict[str, GroupPlayer]:
    found: dict[str, GroupPlayer] = {}
    for one in everybody:
        for name in (one.name, *one.also):
            found |= dict.fromkeys(skeletons(name), one)
    return found


def _typed_by(by_skeleton: Mapping[str, GroupPlayer], name: str) -> GroupPlayer | None:
    """Return the player with a name confusable with ``name``: the one with the lowest number."""
    alike = [by_skeleton[look] for look in skeletons(name) if look in by_skeleton]
    return min(alike, key=lambda one: one.number, default=None)


def _digests(group: Group, name: str) -> set[str]:
    """Return the digests by which a group recognises a forgotten name, different in each group."""
    return {sha256(f"{group.pk} {look}".encode()).hexdigest() for look in skeletons(name)}


def find(group: Group, number: int) -> GroupPlayer:
    """Return the player of a number. Raises NoSuchPlayer."""
    player = group.players.filter(number=number).first()
    if player is None:
        raise NoSuchPlayer
    return player


@transaction.atomic
def rename(access: Access[Group], number: int, name: str) -> None:
    """Rename a player, who is still recognised by the former name.

    Raises NotAllowed, NoSuchPlayer, NameTaken.
    """
    group = lock(access)
    player = find(group, number)
    for other in group.players.exclude(pk=player.pk).select_related("merged_into"):
        if any(are_confusable(name, known) for known in (other.name, *other.also)):
            raise NameTaken(root_of(other))
    before = [*player.also, player.name]
    player.name = name
    player.also = [known for known in before if not are_confusable(known, player.name)][
        -MAX_FURTHER_NAMES:
    ]
    player.save(update_fields=["name", "also"])


def have_met(player: GroupPlayer, other: GroupPlayer) -> bool:
    """Return whether two players have played in the same game."""
    games = player.group.games.filter(results__player=player)
    return games.filter(results__player=other).exists()


@transaction.atomic
def retire(access: Access[Group], number: int, is_retired: bool) -> None:
    """Mark a player as no longer playing, or as playing again. Raises NotAllowed, NoSuchPlayer."""
    player = find(lock(access), number)
    player.is_retired = is_retired
    player.save(update_fields=["is_retired"])


@transaction.atomic
def merge(access: Access[Group], number: int, into: int) -> None:
    """Merge a player into another one, for whom all their games count from then on.

    Raises NotAllowed, NoSuchPlayer, PlayedTogether.
    """
    group = lock(access)
    player, other = find(group, number), find(group, into)
    if player == other or player.merged_into or other.merged_into:
        raise NoSuchPlayer
    if have_met(player, other):
        raise PlayedTogether
    _note_changes(group, player.results.all())
    player.results.update(player=other)
    group.players.filter(merged_into=player).update(merged_into=other)
    player.merged_into = other
    player.save(update_fields=["merged_into"])


@transaction.atomic
def split_merged(access: Access[Group], number: int) -> None:
    """Undo the merge of a player: results in which this player was named count for them again.

    Raises NotAllowed, NoSuchPlayer.
    """
    group = lock(access)
    player = find(group, number)
    player.merged_into = None
    player.save(update_fields=["merged_into"])
    own = GroupResult.objects.filter(typed=player)
    _note_changes(group, own)
    own.update(player=player)


@transaction.atomic
def delete(access: Access[Group], number: int) -> None:
    """Delete a player and all players merged into them; their results stay, anonymous.

    The results also stay anonymous when these games are updated later from sheets that still have
    the name.

    Raises NotAllowed; NoSuchPlayer, also for a player who has been merged into another one.
    """
    group = lock(access)
    player = find(group, number)
    if player.merged_into_id:
        raise NoSuchPlayer
    merged = group.players.filter(merged_into=player)
    digests: set[str] = set()
    for one in (player, *merged):
        for name in (one.name, *one.also):
            digests |= _digests(group, name)
    ForgottenName.objects.bulk_create(
        (ForgottenName(group=group, digest=one, last_game=group.last_number) for one in digests),
        update_conflicts=True,
        unique_fields=["group", "digest"],
        update_fields=["last_game"],
    )
    _note_changes(group, player.results.all())
    merged.delete()
    player.delete()


def _note_changes(group: Group, results: QuerySet[GroupResult]) -> None:
    """Record that the player of some results changes, so that ratings are computed again."""
    if first := results.order_by("game__evening").first():
        note_change(group, first.game.evening)
