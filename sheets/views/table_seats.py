"""Sitting down at a table: take a seat, rename, free, bots, host, personal link, start."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import segno
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from sheets.phone_address import public_url
from sheets.tables import doors, play, seating
from sheets.tables.doors import Door
from sheets.tables.forms import NameForm, SeatForm
from sheets.views.posted import posted_or_to
from sheets.views.table_door import give_token, token_for, with_table
from sheets.views.table_page import show

LINK: Final = "personal_link"
"""Where a link that was just made waits for its page."""


@with_table
@posted_or_to("table")
def sit(request: HttpRequest, door: Door) -> HttpResponse:
    """Take a free seat under a name."""
    form, seat = NameForm(request.POST), SeatForm(request.POST)
    if not (form.is_valid() and seat.is_valid()):
        return HttpResponseBadRequest("malformed seat")
    number = seat.cleaned_data["number"]
    kept = door.everybody[number].name if number < len(door.everybody) else ""
    name = form.cleaned_data["name"] or kept or _("Player %(number)s") % {"number": number + 1}
    token = token_for(request)
    response = _seating(request, door, lambda: seating.take_seat(door, number, name, token))
    return give_token(response, token) if response.status_code == 302 else response


@with_table
@posted_or_to("table")
def rename(request: HttpRequest, door: Door) -> HttpResponse:
    """Change the name of a seat held here."""
    form, seat = NameForm(request.POST), SeatForm(request.POST)
    if not (form.is_valid() and seat.is_valid()):
        return HttpResponseBadRequest("malformed name")
    number = seat.cleaned_data["number"]
    name = form.cleaned_data["name"] or _("Player %(number)s") % {"number": number + 1}
    return _seating(request, door, lambda: seating.rename(door, number, name))


@with_table
@posted_or_to("table")
def free(request: HttpRequest, door: Door) -> HttpResponse:
    """Free a seat: the host any, everybody their own."""
    form = SeatForm(request.POST)
    if not form.is_valid():
        return HttpResponseBadRequest("malformed seat")
    return _seating(request, door, lambda: seating.free_seat(door, form.cleaned_data["number"]))


@with_table
@posted_or_to("table")
def bot(request: HttpRequest, door: Door) -> HttpResponse:
    """Seat a bot."""
    form = SeatForm(request.POST)
    if not form.is_valid():
        return HttpResponseBadRequest("malformed seat")
    sent = form.cleaned_data
    try:
        return _seating(request, door, lambda: seating.seat_bot(door, sent["number"], sent["bot"]))
    except ValueError:
        return HttpResponseBadRequest("no such bot")


@with_table
@posted_or_to("table")
def hand_on(request: HttpRequest, door: Door) -> HttpResponse:
    """Make somebody else the host."""
    form = SeatForm(request.POST)
    if not form.is_valid():
        return HttpResponseBadRequest("malformed seat")
    return _seating(request, door, lambda: seating.hand_on_host(door, form.cleaned_data["number"]))


@with_table
@posted_or_to("table")
def start(request: HttpRequest, door: Door) -> HttpResponse:
    """Begin the game."""
    return _seating(request, door, lambda: play.start(door))


@with_table
@posted_or_to("table")
def link(request: HttpRequest, door: Door) -> HttpResponse:
    """Give a new personal link for a seat held here; the one before it is void."""
    form = SeatForm(request.POST)
    if not form.is_valid():
        return HttpResponseBadRequest("malformed seat")
    number = form.cleaned_data["number"]
    key = seating.new_rescue_key(door, number)
    request.session[LINK] = [door.table.code, number, key]
    return redirect("table-link-shown", code=door.table.code)


@require_safe
@with_table
def show_link(request: HttpRequest, door: Door) -> HttpResponse:
    """Show the personal link that was just made, once: it is kept nowhere."""
    code, number, key = request.session.pop(LINK, ("", 0, ""))
    if code != door.table.code:
        return redirect("table", code=door.table.code)
    url = public_url(request, reverse("table-move", args=(door.table.code, key)))
    context = {"door": door, "url": url, "qr": segno.make(url, micro=False), "number": number}
    return render(request, "table/link.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@with_table
def move(request: HttpRequest, door: Door, key: str) -> HttpResponse:
    """Ask, then move a seat to this device by its personal link."""
    if request.method != "POST":
        return render(request, "table/move.html", {"door": door})
    token = token_for(request)
    try:
        number = seating.move_seat(door.table.code, key, token)
    except seating.SeatTaken:
        return render(request, "table/move.html", {"door": door, "is_void": True}, status=404)
    url = reverse("table", args=(door.table.code,))
    return give_token(redirect(f"{url}?seat={number}"), token)


def _seating(request: HttpRequest, door: Door, change: Callable[[], object]) -> HttpResponse:
    """Carry out a change of seats, then show the table; 409 where somebody was faster."""
    code = door.table.code
    try:
        change()
    except seating.SeatTaken:
        return show(request, doors.open_door(code), refused="seat-taken", status=409)
    except doors.Refused as refused:
        return show(request, doors.open_door(code), refused=refused.reason, status=409)
    return redirect("table", code=code)
