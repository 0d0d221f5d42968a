"""Views on a device's games, levels and groups: list, hide, forget, import an old list."""

from __future__ import annotations

from typing import Final

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from sheets.access.devices import (
    forget_all,
    hide,
    note,
    opened_by,
    set_token_cookie,
    token_for,
    token_of,
)
from sheets.access.keys import DEVICE_COOKIE, find_distinct, keep_private, key_in_link
from sheets.groups.group_choice import groups_of
from sheets.http.post_redirect import posted_or_to
from sheets.http.rate_limits import READS, UPLOADS, address_of, limited
from sheets.library.games import games_of, references_of
from sheets.library.own_levels import own_levels
from sheets.models import Scoring, Tally
from sheets.tables import seating
from sheets.workshop.store import levels_for_display

PAGE_SIZE: Final = 20
"""Number of games on a page."""

KINDS: Final = ("score", "tally", "workshop", "groups", "table")
"""Kinds of resources that a device can hide."""

OLD_KINDS: Final = ("score", "tally", "workshop")
"""Kinds of addresses in the list that a script of earlier versions stored in the browser."""

MAX_OLD: Final = 40
"""Maximum number of addresses that `take_old` imports; an old list had slightly fewer."""


@require_safe
@limited(READS, "GET")
def mine(request: HttpRequest) -> HttpResponse:
    """Show the groups, levels and games of the device; games page by page, newest first."""
    token = token_of(request)
    page = Paginator(references_of(token), PAGE_SIZE).get_page(request.GET.get("page", "1")[:6])
    levels = own_levels(token) if page.number == 1 else []
    context = {
        "page": page,
        "games": games_of(token, list(page.object_list)),
        "groups": groups_of(token),
        "levels": levels,
    }
    response = render(request, "library/library.html", context)
    keep_private(response)
    return response


@posted_or_to("mine")
def hide_game(request: HttpRequest) -> HttpResponse:
    """Remove a resource from the device's list; the resource itself stays."""
    kind, key = request.POST.get("kind", ""), request.POST.get("key", "")
    if kind not in KINDS or not 0 < len(key) <= 32:
        return HttpResponseBadRequest("no such thing")
    hide(token_of(request), kind, key)
    return redirect("mine")


@require_http_methods(["GET", "HEAD", "POST"])
@limited(UPLOADS)
def forget(request: HttpRequest) -> HttpResponse:
    """Ask for confirmation, then forget all that the device has, so that it becomes a new device.

    Deletes the device's list, its seats at tables and its links for other devices. With the session
    it loses access to tables opened by code, the right to download bought sheets, and its undo in
    scorings. If another device shares the secret, that device keeps list and seats.
    """
    if request.method != "POST":
        return render(request, "library/forget.html")
    token = token_of(request)
    if token and forget_all(token):
        seating.free_all_seats(token)
    request.session.flush()
    response = redirect("mine")
    response.delete_cookie(DEVICE_COOKIE, samesite="Lax")
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
    there = set[str]()
    for things in (Scoring.objects.defer("level"), Tally.objects.all(), levels_for_display()):
        there |= {access.key for access in find_distinct(things, asked)}
    known = {has.key for has in opened_by(token, *KINDS)}
    for key, kind in asked.items():
        if key in there - known:
            note(token, kind, key, address_of(request))
    return set_token_cookie(HttpResponse(status=204), token)
