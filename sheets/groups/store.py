"""Use cases of a group: create, find by key, rename; describe its evenings, delete its games."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Final

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from sheets.access.keys import Access, create_resource, find_by_key, lock
from sheets.groups.crossed_fields import delete_unused_level
from sheets.models import Evening, Group

MAX_NAME_LENGTH: Final = 60
"""Maximum length of the name of a group, in characters."""

RETENTION: Final = timedelta(days=2 * 365)
"""Retention of a group since it was last opened."""

WARNING_PERIOD: Final = timedelta(days=60)
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
    return create_resource(Group(share_number=1, name=name))


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
        delete_unused_level(game)
        game.delete()


def ends_on(group: Group) -> date | None:
    """Return the day of deletion unless the group is opened; None before the `WARNING_PERIOD`."""
    end = group.touched + RETENTION
    return timezone.localdate(end) if end - timezone.now() < WARNING_PERIOD else None
