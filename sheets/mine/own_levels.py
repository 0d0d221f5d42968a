"""Which levels of one's own does a device have, and where is something done with one?"""

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

MOST_SHOWN: Final = 24

DOORS: Final[Mapping[str, str]] = {
    "score": "workshop-score",
    "play": "workshop-play",
    "print": "workshop-print",
    "level": "workshop-level",
}
"""What is to be done with a level, and the page where that begins."""


class Shown(NamedTuple):
    """A level as far as it can be drawn, the address it leads to, and whether it can be used.

    ``name`` may be empty. ``photos`` is where filled leaves of it are photographed, if it is a pad
    that was entered from a photo and this device may; else empty.
    """

    level: Level | None
    way: str
    is_finished: bool
    key: str
    name: str
    photos: str


def own_levels(token: str, door: str = "level") -> list[Shown]:
    """The levels that the device of a secret has, what was opened last first."""
    keys = [has.key for has in all_of(token, "workshop")][:MOST_SHOWN]
    return list(_shown(find(keys), DOORS[door]))


def own_pads(token: str) -> list[Shown]:
    """Those whose filled leaves the device can photograph."""
    return [shown for shown in own_levels(token) if shown.photos]


def find(keys: list[str]) -> list[Access[WorkshopLevel]]:
    """The levels of keys, but for what only edits need; each level once, rather to be edited."""
    if not keys:
        return []
    found = find_all(store.light(), keys)
    edited = {access.thing.pk for access in found if access.can_edit}
    return [access for access in found if access.can_edit or access.thing.pk not in edited]


def _shown(found: list[Access[WorkshopLevel]], door: str) -> Iterator[Shown]:
    pads = _with_empty_sheet(found)
    for access in found:
        try:
            level: Level | None = store.level_of(access)
            is_finished = True
        except DocumentError:
            level, is_finished = visible_level(access.thing.document), False
        # What lacks something is completed first.
        way = reverse(door if is_finished else "workshop-level", args=[access.key])
        name = in_language_or_blank(access.thing.document.get("name", {}))
        is_read = is_finished and access.thing.pk in pads
        photos = reverse("photos-own", args=[access.key]) if is_read else ""
        yield Shown(level, way, is_finished, access.key, name, photos)


def _with_empty_sheet(found: list[Access[WorkshopLevel]]) -> set[int]:
    """Which of them have an empty sheet; it is for who edits them alone."""
    edited = [access.thing.pk for access in found if access.can_edit and access.thing.is_bought]
    return set(EmptySheet.objects.filter(level__in=edited).values_list("level_id", flat=True))
