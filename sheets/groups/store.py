"""Use cases of a group: create, find by key, rename, delete, prune; describe its evenings."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from sheets.access.keys import Access, digest, find_by_key, lock, new_key, share_key
from sheets.groups.crosses import drop_level_of
from sheets.models import Evening, Group

LONGEST_NAME: Final = 60
"""Maximum length of the name of a group, in characters."""

KEPT_FOR: Final = timedelta(days=2 * 365)
"""Retention of a group since it was last opened."""

WARNED_FOR: Final = timedelta(days=60)
"""How long before the end of its retention a group shows a warning."""


def note_change(group: Group, since: date) -> None:
    """Record that results of an evening were added, changed or removed.

    The ratings of its month and of later months are then out of date.
    """
    month = since.replace(day=1)
    is_later = Q(changed_from=None) | Q(changed_from__gt=month)
    Group.objects.filter(is_later, pk=group.pk).update(changed_from=month)


def create(name: str) -> str:
    """Create a group, with a read-only link as well, and return its key."""
    key = new_key()
    group = Group(key_digest=digest(key), share_number=1, name=name)
    group.share_digest = digest(share_key(key, group.share_salt))
    group.save()
    return key


def find(key: str) -> Access[Group]:
    """Return the group of a key. Raises UnknownKey."""
    return find_by_key(Group.objects.all(), key)


@transaction.atomic
def rename(access: Access[Group], name: str) -> None:
    """Rename a group. Raises NotAllowed."""
    group = lock(access)
    group.name = name
    group.save(update_fields=["name"])


@transaction.atomic
def delete(access: Access[Group]) -> None:
    """Delete a group with its games and players. Raises NotAllowed."""
    lock(access).delete()


@transaction.atomic
def describe(access: Access[Group], day: date, place: str, note: str) -> None:
    """Store the place and note of an evening. Raises NotAllowed."""
    group = lock(access)
    Evening.objects.update_or_create(group=group, day=day, defaults={"place": place, "note": note})


@transaction.atomic
def delete_game(access: Access[Group], number: int) -> None:
    """Delete a game of a group, if it exists. Raises NotAllowed."""
    group = lock(access)
    for game in group.games.filter(number=number):
        note_change(group, game.evening)
        drop_level_of(game)
        game.delete()


def ends_on(group: Group) -> date | None:
    """Return the day on which an unopened group is deleted; None before `WARNED_FOR`."""
    end = group.touched + KEPT_FOR
    return timezone.localdate(end) if end - timezone.now() < WARNED_FOR else None


def prune(now: datetime) -> int:
    """Delete the groups that were not opened within `KEPT_FOR`, and return their number."""
    return Group.objects.filter(touched__lt=now - KEPT_FOR).delete()[1].get("sheets.Group", 0)
