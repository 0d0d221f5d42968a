"""Which levels of one's own does a device know? It sends their keys, and gets them drawn.

Nothing is remembered of it, and the keys stand in no address.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from sheets.access.keys import Access, keep_private
from sheets.http.limits import READS, limited
from sheets.http.posted import posted_or_to
from sheets.models import WorkshopLevel
from sheets.rules import DocumentError, Level
from sheets.workshop import store
from sheets.workshop.draft import visible_level

MOST_SHOWN: Final = 24
"""As many as a device remembers (lib/recent.js)."""

DOORS: Final[Mapping[str, str]] = {
    "score": "workshop-score",
    "play": "workshop-play",
    "print": "workshop-print",
    "level": "workshop-level",
}
"""What is to be done with a level, and the page where that begins."""


class Shown(NamedTuple):
    """A level as far as it can be drawn, the address it leads to, and whether it can be used."""

    level: Level | None
    way: str
    is_finished: bool


@limited(READS)
@posted_or_to("workshop")
def levels(request: HttpRequest) -> HttpResponse:
    """Draw the levels of the keys that are sent, in their order; what is no key leads nowhere."""
    door = DOORS.get(request.POST.get("door", ""), "workshop-level")
    keys = list(dict.fromkeys(request.POST.getlist("key")))[:MOST_SHOWN]
    shown = list(_shown(store.find_all(keys), door))
    response = render(request, "workshop/_device.html", {"levels": shown})
    keep_private(response)
    return response


def _shown(found: list[Access[WorkshopLevel]], door: str) -> Iterator[Shown]:
    for access in found:
        try:
            level: Level | None = store.level_of(access)
            is_finished = True
        except DocumentError:
            level, is_finished = visible_level(access.thing.document), False
        # What lacks something is completed first.
        way = reverse(door if is_finished else "workshop-level", args=[access.key])
        yield Shown(level, way, is_finished)
