"""Use cases of stored tallies: create, find by key, change, repeat with the same pad, delete."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from sheets.access.keys import Access, digest, find_by_key, lock, new_key, share_key
from sheets.models import Tally
from sheets.scoring.tally_forms import is_of_pad

Typed = Mapping[str, str]
"""Input texts by the names of the form fields."""


def create(typed: Typed) -> str:
    """Store a new tally and return its key."""
    key = new_key()
    Tally.objects.create(
        key_digest=digest(key),
        share_digest=digest(share_key(key, Tally().share_salt)),
        typed=dict(typed),
    )
    return key


def find(key: str) -> Access[Tally]:
    """Find the tally of a key. Raises UnknownKey."""
    return find_by_key(Tally.objects.all(), key)


@transaction.atomic
def change(access: Access[Tally], changed: Callable[[Typed], Typed]) -> Access[Tally]:
    """Replace the input by ``changed(input)`` under a row lock, and return the changed tally.

    Args:
        changed: maps the current input, with all concurrent changes, to the new one.

    Raises:
        NotAllowed, UnknownKey, and any error of ``changed``: nothing has changed.
    """
    tally = lock(access)
    typed = dict(changed(tally.typed))
    if typed != tally.typed:
        tally.typed = typed
        tally.revision += 1
        tally.touched = timezone.now()
        tally.save(update_fields=["typed", "revision", "touched"])
    return access._replace(thing=tally)


def again(access: Access[Tally]) -> str:
    """Create a tally with the same pad and players, and return its key. Raises NotAllowed."""
    access.refuse_unless_edits()
    typed = access.thing.typed.items()
    return create({name: text for name, text in typed if is_of_pad(name) or name.endswith("-name")})


@transaction.atomic
def delete(access: Access[Tally]) -> None:
    """Delete a tally. Raises NotAllowed."""
    lock(access).delete()


def prune(before: datetime) -> int:
    """Delete tallies that were last used before that time, and return their number."""
    return Tally.objects.filter(touched__lt=before).delete()[0]
