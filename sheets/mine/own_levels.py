"""List of a device's own levels, with the page that each leads to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from django.urls import reverse

from sheets.access.devices import all_of
from sheets.access.keys import Access, find_all
from sheets.models import EmptySheet, WorkshopLevel
from sheets.rules import DocumentError, Level
from sheets.workshop import store
from sheets.workshop.draft import in_language_or_blank, visible_level

MAX_SHOWN: Final = 24
"""Maximum number of levels that a page lists."""

PURPOSES: Final[Mapping[str, str]] = {
    "score": "workshop-score",
    "play": "workshop-play",
    "print": "workshop-print",
    "level": "workshop-level",
}
"""Name of the page to which a level leads, by the purpose of the list."""


class Shown(NamedTuple):
    """Own level in a list: ``level`` as far as it can be drawn, ``url`` the page it leads to.

    ``name`` may be empty. ``photos`` is the URL of the page for photos of filled sheets, if the
    level is a pad entered from a photo and this device may edit it; else empty.
    """

    level: Level | None
    url: str
    is_finished: bool
    key: str
    name: str
    photos: str


def own_levels(token: str, purpose: str = "level") -> list[Shown]:
    """Return the levels of the device with this secret, latest opened first."""
    keys = [has.key for has in all_of(token, "workshop")][:MAX_SHOWN]
    return list(_shown(find(keys), PURPOSES[purpose]))


def own_pads(token: str) -> list[Shown]:
    """Return the pads whose filled sheets the device can photograph."""
    return [shown for shown in own_levels(token) if shown.photos]


def find(keys: list[str]) -> list[Access[WorkshopLevel]]:
    """Return the levels of some keys, without the fields that only edits need.

    Read-only keys of levels whose editing key is there, too, are dropped.
    """
    if not keys:
        return []
    found = find_all(store.light(), keys)
    edited = {access.thing.pk for access in found if access.can_edit}
    return [access for access in found if access.can_edit or access.thing.pk not in edited]


def _shown(found: list[Access[WorkshopLevel]], page: str) -> Iterator[Shown]:
    pads = _with_empty_sheet(found)
    for access in found:
        try:
            level: Level | None = store.level_of(access)
            is_finished = True
        except DocumentError:
            level, is_finished = visible_level(access.thing.document), False
        # An unfinished level leads to the workshop for any purpose.
        url = reverse(page if is_finished else "workshop-level", args=[access.key])
        name = in_language_or_blank(access.thing.document.get("name", {}))
        is_read = is_finished and access.thing.pk in pads
        photos = reverse("photos-own", args=[access.key]) if is_read else ""
        yield Shown(level, url, is_finished, access.key, name, photos)


def _with_empty_sheet(found: list[Access[WorkshopLevel]]) -> set[int]:
    """Return the ids of the editable bought levels that have a photo of their empty sheet."""
    edited = [access.thing.pk for access in found if access.can_edit and access.thing.is_bought]
    return set(EmptySheet.objects.filter(level__in=edited).values_list("level_id", flat=True))
