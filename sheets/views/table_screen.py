"""The big screen: everything about a table for a television, nothing to tap."""

from __future__ import annotations

from typing import Any

import segno
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.views.decorators.http import require_safe

from sheets import codes
from sheets.dice2.board_view import view_board
from sheets.phone_address import public_url
from sheets.tables.doors import Door
from sheets.tables.playing import level_of
from sheets.tables.seat_view import view_seat
from sheets.views.table_door import with_table
from sheets.views.table_page import stage_of, typed_url
from sheets.views.table_results import scoreboard_of


@require_safe
@with_table
def screen(request: HttpRequest, door: Door) -> HttpResponse:
    """Show the table to everybody in the room; the code is all that is needed."""
    codes.note_visit(door.table)
    template = "dice2/screen.html" if door.table.game else "table/screen.html"
    return render(request, template, _context(request, door))


@require_safe
@with_table
def screen_now(request: HttpRequest, door: Door) -> HttpResponse:
    """What it shows, if anything has changed since the revision it knows."""
    if request.GET.get("known") == str(door.table.revision):
        return HttpResponse(status=204)
    context = _context(request, door)
    folder = "dice2" if door.table.game else "table"
    parts = {"_screen": render_to_string(f"{folder}/_screen.html", context, request)}
    state = {"revision": door.table.revision, "stage": context["stage"], "parts": parts}
    return JsonResponse(state)


def _context(request: HttpRequest, door: Door) -> dict[str, Any]:
    # Whoever holds the remote control acts for nobody, even if the device has a seat.
    door = door._replace(seats=frozenset())
    url = public_url(request, reverse("table", args=(door.table.code,)))
    context: dict[str, Any] = {
        "door": door,
        "table": door.table,
        "level": None if door.table.game else level_of(door.table),
        "stage": stage_of(door),
        "typed_url": typed_url(request, door),
        "qr": segno.make(url, micro=False),
    }
    if not door.table.has_started:
        return context
    if door.table.game:
        return context | {"view": view_board(door)}
    return context | {"view": view_seat(door), "scoreboard": scoreboard_of(door)}
