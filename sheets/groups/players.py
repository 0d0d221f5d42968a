"""Players of a group: match typed names, rename, merge, take apart, delete."""

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
from sheets.models import (
    ForgottenName,
    Group,
    GroupGame,
    GroupPlayer,
    GroupResult,
)
from sheets.people.alike import distinct_name, look_alike, looks

MOST: Final = 200
"""So many players has a group at most; who comes then is somebody without a name."""

MOST_ALSO: Final = 10
"""So many names from before somebody was renamed are known, the latest."""


Known = tuple[GroupPlayer | None, GroupPlayer | None]
"""The player for whom a result counts, and the one that was named; both None for somebody."""


class NoSuchPlayer(LookupError):
    """There is none, or they cannot be what is wished."""


class PlayedTogether(Exception):
    """Two who have played in one game cannot be the same person."""


class NameTaken(Exception):
    """Somebody else of the group is or was called so; their games are counted for ``player``."""

    def __init__(self, player: GroupPlayer) -> None:
        super().__init__(player.number)
        self.player = player


def known_as(group: Group, names: list[str], game: GroupGame) -> list[Known]:
    """For each name in a game whom it is counted for, and who it is by itself; made where new.

    Both are None for an empty name, and for one that was forgotten after the game was kept. Nobody
    is there twice: a second one of the same name is somebody else, with a number behind it. Must
    run while nobody else changes the group.
    """
    everybody = list(group.players.select_related("merged_into").order_by("number"))
    by_look = _by_look(everybody)
    forgotten = set(
        group.forgotten.filter(last_game__gte=game.number).values_list("digest", flat=True)
    )
    found: list[Known] = []
    for called in names:
        name, others = called, [called]
        while (one := _typed_by(by_look, name)) and root_of(one) in dict(found):
            name = distinct_name(called, others)
            others.append(name)
        if not name or not forgotten.isdisjoint(_digests(group, name)):
            found.append((None, None))
            continue
        typed = _typed_by(by_look, name)
        if typed is None and len(everybody) < MOST:
            number = max((one.number for one in everybody), default=0) + 1
            typed = group.players.create(number=number, name=name, sign=number - 1)
            everybody.append(typed)
            by_look |= dict.fromkeys(looks(name), typed)
        found.append((typed and root_of(typed), typed))
    return found


def root_of(player: GroupPlayer) -> GroupPlayer:
    """Whom the games of a player are counted for."""
    return player.merged_into or player


def find_named(group: Group, names: Iterable[str]) -> dict[str, GroupPlayer]:
    """Whom the games of each name are counted for; who is new is left out."""
    by_look = _by_look(group.players.select_related("merged_into").order_by("number"))
    found = {name: _typed_by(by_look, name) for name in names}
    return {name: root_of(one) for name, one in found.items() if one}


def forgotten_among(group: Group, names: Iterable[str]) -> dict[str, int]:
    """Of the names that were forgotten the last game of whose players nobody is known by them."""
    last = dict(group.forgotten.values_list("digest", "last_game"))
    games = {name: max(last.get(one, 0) for one in _digests(group, name)) for name in names}
    return {name: game for name, game in games.items() if game}


def names_of(seats: Iterable[Seat]) -> list[str]:
    """Return what players and bots are called in some results."""
    shown = list(seats)
    pks = [seat.player for seat in shown if seat.player is not None]
    names = dict(GroupPlayer.objects.filter(pk__in=pks).values_list("pk", "name"))
    return [names.get(seat.player or 0) or seat.label or _("someone") for seat in shown]


def _by_look(everybody: Iterable[GroupPlayer]) -> dict[str, GroupPlayer]:
    found: dict[str, GroupPlayer] = {}
    for one in everybody:
        for name in (one.name, *one.also):
            found |= dict.fromkeys(looks(name), one)
    return found


def _typed_by(by_look: Mapping[str, GroupPlayer], name: str) -> GroupPlayer | None:
    """Who is called so; of several the first one."""
    alike = [by_look[look] for look in looks(name) if look in by_look]
    return min(alike, key=lambda one: one.number, default=None)


def _digests(group: Group, name: str) -> set[str]:
    """What is stored of a name that is forgotten; another group's tell nothing of it."""
    return {sha256(f"{group.pk} {look}".encode()).hexdigest() for look in looks(name)}


def find(group: Group, number: int) -> GroupPlayer:
    """A player by number. Raises NoSuchPlayer."""
    player = group.players.filter(number=number).first()
    if player is None:
        raise NoSuchPlayer
    return player


@transaction.atomic
def rename(access: Access[Group], number: int, name: str) -> None:
    """Call a player something else. Raises NotAllowed, NoSuchPlayer, NameTaken.

    They are still known by the name they had.
    """
    group = lock(access)
    player = find(group, number)
    for other in group.players.exclude(pk=player.pk).select_related("merged_into"):
        if any(look_alike(name, known) for known in (other.name, *other.also)):
            raise NameTaken(root_of(other))
    before = [*player.also, player.name]
    player.name = name
    player.also = [known for known in before if not look_alike(known, player.name)][-MOST_ALSO:]
    player.save(update_fields=["name", "also"])


def have_met(player: GroupPlayer, other: GroupPlayer) -> bool:
    """Whether two have played in one game."""
    games = player.group.games.filter(results__player=player)
    return games.filter(results__player=other).exists()


@transaction.atomic
def retire(access: Access[Group], number: int, is_retired: bool) -> None:
    """Say that somebody plays no more, or again. Raises NotAllowed, NoSuchPlayer."""
    player = find(lock(access), number)
    player.is_retired = is_retired
    player.save(update_fields=["is_retired"])


@transaction.atomic
def merge(access: Access[Group], number: int, into: int) -> None:
    """Count all games of a player for another one: they are the same person.

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
def take_apart(access: Access[Group], number: int) -> None:
    """Count for a merged player again what was typed for them. Raises NotAllowed, NoSuchPlayer."""
    group = lock(access)
    player = find(group, number)
    player.merged_into = None
    player.save(update_fields=["merged_into"])
    own = GroupResult.objects.filter(typed=player)
    _note_changes(group, own)
    own.update(player=player)


@transaction.atomic
def delete(access: Access[Group], number: int) -> None:
    """Forget a player and whoever is merged into them: their games say "someone".

    They go on saying so when they change, whatever stands on the sheets.

    Raises NotAllowed, NoSuchPlayer.
    """
    group = lock(access)
    player = find(group, number)
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
    """Record that results are about to change their player, or have just done so."""
    if first := results.order_by("game__evening").first():
        note_change(group, first.game.evening)
