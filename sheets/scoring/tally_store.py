"""Use cases of stored tallies: create, find by key, change, repeat with the same pad."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from django.db import transaction
from django.utils import timezone

from sheets.access.keys import Access, create_resource, find_by_key, lock
from sheets.models import Tally
from sheets.scoring.tally_forms import is_of_pad

Typed = Mapping[str, str]
"""Input texts by the names of the form fields."""


def create(typed: Typed) -> str:
    """Store a new tally and return its key."""
    return create_resource(Tally(typed=dict(typed)))


def find(key: str) -> Access[Tally]:
    """Find the tally of a key. Raises UnknownKey."""
    return find_by_key(Tally.objects.all(), key)


@transaction.atomic
def change(access: Access[Tally], changed: Callable[[Typed], Typed]) -> Access[Tally]:
    """Replace the input of a tally under a row lock, and return the changed tally.

    Args:
        changed: function from the current input, which other devices may have changed, to the new
            input.

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
    return access._replace(resource=tally)


def repeat(access: Access[Tally]) -> str:
    """Create a tally with the same pad and players, and return its key. Raises NotAllowed."""
    access.refuse_unless_edits()
    typed = access.resource.typed.items()
    return create({name: text for name, text in typed if is_of_pad(name) or name.endswith("-name")})
