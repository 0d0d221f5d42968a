"""Views on a device's games, levels and groups: list, hide, forget, import an old list."""

from __future__ import annotations

from typing import Final

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from sheets.access.devices import (
    all_of,
    forget_all,
    give_token,
    hide,
    note,
    token_for,
    token_of,
)
from sheets.access.keys import SEAT_COOKIE, find_all, keep_private, key_in_link
from sheets.groups.choice import groups_of
from sheets.http.posted import posted_or_to
from sheets.http.rate_limits import READS, UPLOADS, address_of, limited
from sheets.mine.games import entries_of, games_of
from sheets.mine.own_levels import find, own_levels
from sheets.models import Scoring, Tally
from sheets.tables import seating

PAGE_SIZE: Final = 20
"""Number of games on a page."""

KINDS: Final = ("score", "tally", "workshop", "groups", "table")
"""Kinds of resources that a device can hide."""

OLD_KINDS: Final = ("score", "tally", "workshop")
"""Kinds of addresses in the list that a script of earlier versions stored in the browser."""

MAX_OLD: Final = 40
"""Maximum number of addresses taken from such a list; a bit more than it could have."""


@require_safe
@limited(READS, "GET")
def mine(request: HttpRequest) -> HttpResponse:
    """Show all games and levels of the device, page by page, newest first."""
    token = token_of(request)
    page = Paginator(entries_of(token), PAGE_SIZE).get_page(request.GET.get("page", "1")[:6])
    levels = own_levels(token) if page.number == 1 else []
    context = {
        "page": page,
        "games": games_of(token, list(page.object_list)),
        "groups": groups_of(token),
        "levels": levels,
    }
    response = render(request, "mine/mine.html", context)
    keep_private(response)
    return response


@posted_or_to("mine")
def hide_game(request: HttpRequest) -> HttpResponse:
    """Take a resource off the list; the resource itself stays."""
    kind, key = request.POST.get("kind", ""), request.POST.get("key", "")
    if kind not in KINDS or not 0 < len(key) <= 32:
        return HttpResponseBadRequest("no such thing")
    hide(token_of(request), kind, key)
    return redirect("mine")


@require_http_methods(["GET", "HEAD", "POST"])
@limited(UPLOADS)
def forget(request: HttpRequest) -> HttpResponse:
    """Ask, then forget everything that the device has: from then on it is a new device.

    Deletes the device's list, its seats at tables and its links for other devices. With the session
    it loses access to tables opened by code, the right to download bought sheets, and its undo in
    scorings. If another device shares the secret, that device keeps list and seats.
    """
    if request.method != "POST":
        return render(request, "mine/forget.html")
    token = token_of(request)
    if token and forget_all(token):
        seating.free_all_seats(token)
    request.session.flush()
    response = redirect("mine")
    response.delete_cookie(SEAT_COOKIE, samesite="Lax")
    return response


@limited(UPLOADS)
@posted_or_to("mine")
def take_old(request: HttpRequest) -> HttpResponse:
    """Import the list that a script of earlier versions stored in the browser, oldest first.

    Addresses of deleted resources are left out.
    """
    token = token_for(request)
    urls = request.POST.getlist("url")[:MAX_OLD]
    asked = {key: kind for url in urls for kind in OLD_KINDS if (key := key_in_link(url, kind))}
    there = {access.key for access in find(list(asked))}
    for things in (Scoring.objects.defer("level"), Tally.objects.all()):
        there |= {access.key for access in find_all(things, asked)}
    known = {has.key for has in all_of(token, *KINDS)}
    for key, kind in asked.items():
        if key in there - known:
            note(token, kind, key, address_of(request))
    return give_token(HttpResponse(status=204), token)
