"""The big screen: everything about a table for a television, nothing to tap."""

from __future__ import annotations

import segno
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from sheets import codes
from sheets.phone_address import public_url
from sheets.tables.doors import Door
from sheets.tables.family import Page
from sheets.tables.games import family_of
from sheets.views.table_door import with_table
from sheets.views.table_page import context_of, fragments_of, stage_of, typed_url


@require_safe
@with_table
def screen(request: HttpRequest, door: Door) -> HttpResponse:
    """Show the table to everybody in the room; the code is all that is needed."""
    codes.note_visit(door.table)
    door, page = _page(request, door)
    return render(request, page.template, context_of(request, door, page))


@require_safe
@with_table
def screen_now(request: HttpRequest, door: Door) -> HttpResponse:
    """What it shows, if anything has changed since the revision it knows."""
    if request.GET.get("known") == str(door.table.revision):
        return HttpResponse(status=204)
    return JsonResponse(fragments_of(request, *_page(request, door)))


def _page(request: HttpRequest, door: Door) -> tuple[Door, Page]:
    """The screen, and the door it is seen through."""
    # Whoever holds the remote control acts for nobody, even if the device has a seat.
    door = door._replace(seats=frozenset())
    page = family_of(door.table).screen_page(door)
    url = public_url(request, reverse("table", args=(door.table.code,)))
    way_in = {"typed_url": typed_url(request, door), "qr": segno.make(url, micro=False)}
    return door, page._replace(stage=stage_of(door), context={**page.context, **way_in})
