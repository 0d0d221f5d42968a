"""List of a device's own levels, with the page that each leads to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from django.urls import reverse

from sheets.access.devices import opened_by
from sheets.access.keys import Access, find_distinct
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
"""URL name of the page that a listed level links to, by the purpose of the list."""


class ListedLevel(NamedTuple):
    """Own level in a list; ``url`` is the page that it links to.

    ``level`` is the level as far as it can be drawn, None without fields. ``name`` may be empty.
    ``photos`` is the URL of the page for photos of filled sheets, if the level is a pad entered
    from a photo and this device may edit it; else empty.
    """

    level: Level | None
    url: str
    is_finished: bool
    key: str
    name: str
    photos: str


def own_levels(token: str, purpose: str = "level") -> list[ListedLevel]:
    """Return at most `MAX_SHOWN` levels of the device with this secret, latest opened first.

    ``purpose`` is a key of `PURPOSES`.
    """
    keys = [has.key for has in opened_by(token, "workshop")][:MAX_SHOWN]
    return list(_shown(find_distinct(store.levels_for_display(), keys), PURPOSES[purpose]))


def own_pads(token: str) -> list[ListedLevel]:
    """Return the pads whose filled sheets the device can photograph."""
    return [shown for shown in own_levels(token) if shown.photos]


def _shown(found: list[Access[WorkshopLevel]], page: str) -> Iterator[ListedLevel]:
    pads = _with_empty_sheet(found)
    for access in found:
        try:
            level: Level | None = store.level_of(access)
            is_finished = True
        except DocumentError:
            level, is_finished = visible_level(access.resource.document), False
        # An unfinished level leads to the workshop for any purpose.
        url = reverse(page if is_finished else "workshop-level", args=[access.key])
        name = in_language_or_blank(access.resource.document.get("name", {}))
        is_read = is_finished and access.resource.pk in pads
        photos = reverse("photos-own", args=[access.key]) if is_read else ""
        yield ListedLevel(level, url, is_finished, access.key, name, photos)


def _with_empty_sheet(found: list[Access[WorkshopLevel]]) -> set[int]:
    """Return the ids of the editable bought levels that have a photo of their empty sheet."""
    edited = [
        access.resource.pk for access in found if access.can_edit and access.resource.is_bought
    ]
    return set(EmptySheet.objects.filter(level__in=edited).values_list("level_id", flat=True))
