"""Who is who in a group: names that were typed are matched; two can be one, and two again."""

from __future__ import annotations

from typing import Final

from django.db import transaction

from sheets.access.keys import Access, lock
from sheets.models import Group, GroupPlayer, GroupResult
from sheets.people.alike import look_alike, told_apart

MOST: Final = 200
"""So many players has a group at most; who comes then is somebody without a name."""


class NoSuchPlayer(LookupError):
    """There is none, or they cannot be what is wished."""


def known_as(group: Group, names: list[str]) -> list[tuple[GroupPlayer | None, GroupPlayer | None]]:
    """For each name whom it is counted for, and who it is by itself; made where nobody has it.

    Both are None for an empty name. Must run while nobody else changes the group.
    """
    everybody = list(group.players.select_related("merged_into"))
    found: list[tuple[GroupPlayer | None, GroupPlayer | None]] = []
    for name in names:
        typed = next((one for one in everybody if look_alike(one.name, name)), None)
        if name and typed is None and len(everybody) < MOST:
            number = max((one.number for one in everybody), default=0) + 1
            typed = group.players.create(number=number, name=name, sign=number - 1)
            everybody.append(typed)
        found.append((typed and (typed.merged_into or typed), typed))
    return found


def find(group: Group, number: int) -> GroupPlayer:
    """A player by number. Raises NoSuchPlayer."""
    player = group.players.filter(number=number).first()
    if player is None:
        raise NoSuchPlayer
    return player


@transaction.atomic
def rename(access: Access[Group], number: int, name: str) -> None:
    """Call a player something else, told apart from all others. Raises NotAllowed, NoSuchPlayer."""
    group = lock(access)
    player = find(group, number)
    others = group.players.exclude(pk=player.pk).values_list("name", flat=True)
    player.name = told_apart(name, others)
    player.save(update_fields=["name"])


@transaction.atomic
def retire(access: Access[Group], number: int, is_retired: bool) -> None:
    """Say that somebody plays no more, or again. Raises NotAllowed, NoSuchPlayer."""
    player = find(lock(access), number)
    player.is_retired = is_retired
    player.save(update_fields=["is_retired"])


@transaction.atomic
def merge(access: Access[Group], number: int, into: int) -> None:
    """Count all games of a player for another one: they are the same person.

    Raises NotAllowed, NoSuchPlayer.
    """
    group = lock(access)
    player, other = find(group, number), find(group, into)
    if player == other or player.merged_into or other.merged_into:
        raise NoSuchPlayer
    GroupResult.objects.filter(player=player).update(player=other)
    group.players.filter(merged_into=player).update(merged_into=other)
    player.merged_into = other
    player.save(update_fields=["merged_into"])


@transaction.atomic
def take_apart(access: Access[Group], number: int) -> None:
    """Count for a merged player again what was typed for them. Raises NotAllowed, NoSuchPlayer."""
    player = find(lock(access), number)
    player.merged_into = None
    player.save(update_fields=["merged_into"])
    GroupResult.objects.filter(typed=player).update(player=player)


@transaction.atomic
def delete(access: Access[Group], number: int) -> None:
    """Forget a player and whoever is merged into them: their games say "someone".

    Raises NotAllowed, NoSuchPlayer.
    """
    group = lock(access)
    player = find(group, number)
    group.players.filter(merged_into=player).delete()
    player.delete()
