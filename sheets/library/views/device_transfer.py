"""Views of single-use links that transfer a device's secret to another device."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from sheets.access import devices
from sheets.access.keys import UnknownKey, keep_private
from sheets.groups.group_choice import groups_of
from sheets.http.post_redirect import posted_or_to
from sheets.http.rate_limits import UPLOADS, limited
from sheets.http.share_link import share_link
from sheets.library.games import references_of


@limited(UPLOADS)
@posted_or_to("mine")
def make_link(request: HttpRequest) -> HttpResponse:
    """Create and show a link by which another device gets everything that this device has.

    The link is only in the response: neither session nor database stores it.
    """
    token = devices.token_for(request)
    key = devices.new_hand_over(token)
    link = share_link(request, reverse("mine-take", args=[key]))
    response = devices.set_token_cookie(render(request, "library/link.html", {"link": link}), token)
    keep_private(response)
    return response


@require_http_methods(["GET", "HEAD", "POST"])
@limited(UPLOADS)
def take(request: HttpRequest, key: str) -> HttpResponse:
    """Ask for confirmation, then give this device the secret of the device that made the link.

    From then on both devices have one list. Somebody may send a link to get hold of another
    device's list, so the page shows what this device would share. A GET does not use the link up,
    because messengers send one for link previews.
    """
    if request.method == "POST":
        try:
            token = devices.take_over(key, devices.token_of(request))
        except UnknownKey:
            pass
        else:
            return devices.set_token_cookie(redirect("mine"), token)
    is_good = devices.is_valid_link(key)
    own = devices.token_of(request) if is_good else ""
    context = {
        "is_good": is_good,
        "games": len(references_of(own)),
        "sheets": len(devices.opened_by(own, "workshop")),
        "groups": groups_of(own),
    }
    response = render(request, "library/take.html", context, status=200 if is_good else 404)
    keep_private(response)
    return response
