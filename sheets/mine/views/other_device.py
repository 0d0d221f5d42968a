"""Let another device in: a link that works once."""

from __future__ import annotations

from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from sheets.access import devices
from sheets.access.keys import UnknownKey, keep_private
from sheets.http.limits import UPLOADS, limited
from sheets.http.posted import posted_or_to
from sheets.http.share_link import share_link

LINK: Final = "device_link"
"""Where a link that was just made waits for its page."""


@limited(UPLOADS)
@posted_or_to("mine")
def make_link(request: HttpRequest) -> HttpResponse:
    """Make a link by which one other device gets all that this one has."""
    token = devices.token_for(request)
    request.session[LINK] = devices.new_hand_over(token)
    return devices.give_token(redirect("mine-link-shown"), token)


@require_safe
def show_link(request: HttpRequest) -> HttpResponse:
    """Show the link that was just made, once: it is kept nowhere."""
    key = request.session.pop(LINK, "")
    if not key:
        return redirect("mine")
    link = share_link(request, reverse("mine-take", args=[key]))
    response = render(request, "mine/link.html", {"link": link})
    keep_private(response)
    return response


@require_http_methods(["GET", "HEAD", "POST"])
@limited(UPLOADS)
def take(request: HttpRequest, key: str) -> HttpResponse:
    """Ask, then let this device in. Who only looks, as messengers do, does not use the link up."""
    if request.method == "POST":
        try:
            token = devices.take_over(key, devices.token_of(request))
        except UnknownKey:
            pass
        else:
            return devices.give_token(redirect("mine"), token)
    is_good = devices.is_good(key)
    status = 200 if is_good else 404
    response = render(request, "mine/take.html", {"is_good": is_good}, status=status)
    keep_private(response)
    return response
