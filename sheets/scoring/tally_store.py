"""Use cases of a tally that is kept: begin, find by a key, change, the same pad again, delete."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from sheets.access.keys import Access, digest, find_by_key, lock, new_key, share_key
from sheets.models import Tally
from sheets.scoring.tally_forms import is_of_pad

Typed = Mapping[str, str]


def create(typed: Typed) -> str:
    """Keep a tally and give its key."""
    key = new_key()
    Tally.objects.create(
        key_digest=digest(key),
        share_digest=digest(share_key(key, Tally().share_salt)),
        typed=dict(typed),
    )
    return key


def find(key: str) -> Access[Tally]:
    """The tally of a key. Raises UnknownKey."""
    return find_by_key(Tally.objects.all(), key)


@transaction.atomic
def change(access: Access[Tally], changed: Callable[[Typed], Typed]) -> Access[Tally]:
    """Make what is typed what ``changed`` makes of it now, whoever was faster.

    Raises NotAllowed, UnknownKey, and what ``changed`` raises: nothing has changed then.
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
    """Begin a tally with the same pad and people, and give its key. Raises NotAllowed."""
    access.refuse_unless_edits()
    typed = access.thing.typed.items()
    return create({name: text for name, text in typed if is_of_pad(name) or name.endswith("-name")})


@transaction.atomic
def delete(access: Access[Tally]) -> None:
    """Delete a tally. Raises NotAllowed."""
    lock(access).delete()


def prune(before: datetime) -> int:
    """Delete the tallies that nobody has touched since; gives their number."""
    return Tally.objects.filter(touched__lt=before).delete()[0]
