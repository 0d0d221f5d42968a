"""Use cases of a group: begin, find by a key, rename, delete; its evenings; and its end."""

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

KEPT_FOR: Final = timedelta(days=2 * 365)
"""So long a group is kept that nobody opens."""

WARNED_FOR: Final = timedelta(days=60)
"""So long before its end a group says so."""


def note_change(group: Group, since: date) -> None:
    """Record that results of an evening were added, changed or removed.

    The ratings of its month and of later months are then out of date.
    """
    month = since.replace(day=1)
    is_later = Q(changed_from=None) | Q(changed_from__gt=month)
    Group.objects.filter(is_later, pk=group.pk).update(changed_from=month)


def create(name: str) -> str:
    """Begin a group and give its key; it has a link for looking only, too."""
    key = new_key()
    group = Group(key_digest=digest(key), share_number=1, name=name)
    group.share_digest = digest(share_key(key, group.share_salt))
    group.save()
    return key


def find(key: str) -> Access[Group]:
    """The group of a key. Raises UnknownKey."""
    return find_by_key(Group.objects.all(), key)


@transaction.atomic
def rename(access: Access[Group], name: str) -> None:
    """Call a group something else. Raises NotAllowed."""
    group = lock(access)
    group.name = name
    group.save(update_fields=["name"])


@transaction.atomic
def delete(access: Access[Group]) -> None:
    """Delete a group with all it has. Raises NotAllowed."""
    lock(access).delete()


@transaction.atomic
def describe(access: Access[Group], day: date, place: str, note: str) -> None:
    """Say where an evening was, and what there is to remember. Raises NotAllowed."""
    group = lock(access)
    Evening.objects.update_or_create(group=group, day=day, defaults={"place": place, "note": note})


@transaction.atomic
def delete_game(access: Access[Group], number: int) -> None:
    """Delete one game of a group. Raises NotAllowed."""
    group = lock(access)
    for game in group.games.filter(number=number):
        note_change(group, game.evening)
        drop_level_of(game)
        game.delete()


def ends_on(group: Group) -> date | None:
    """The day on which a group ends unless somebody opens it; None while that is far away."""
    end = group.touched + KEPT_FOR
    return timezone.localdate(end) if end - timezone.now() < WARNED_FOR else None


def prune(now: datetime) -> int:
    """Delete the groups that nobody has opened for two years; gives their number."""
    return Group.objects.filter(touched__lt=now - KEPT_FOR).delete()[1].get("sheets.Group", 0)
