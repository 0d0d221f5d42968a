"""Who may see and change a level: its links, and its end."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from sheets.views.share_link import ShareLink, share_link
from sheets.views.workshop_door import only_editors, with_level
from sheets.workshop import own_levels
from sheets.workshop.own_levels import Door


@require_http_methods(["GET", "HEAD", "POST"])
@with_level
def links(request: HttpRequest, door: Door) -> HttpResponse:
    """Show both links; make new ones, or withdraw them."""
    only_editors(door)
    key = door.key
    if request.method == "POST":
        match request.POST.get("do"):
            case "share":
                own_levels.set_shared(door, True)
            case "unshare":
                own_levels.set_shared(door, False)
            case "renew":
                key = own_levels.renew_key(door)
            case _:
                return HttpResponseBadRequest("no such act")
        return redirect("workshop-links", key=key)

    def link(of: str) -> ShareLink:
        return share_link(request, reverse("workshop-level", args=(of,)))

    context = {
        "door": door,
        "edit_link": link(door.key),
        "show_link": link(door.share_key) if door.share_key else None,
    }
    return render(request, "workshop/links.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@with_level
def delete(request: HttpRequest, door: Door) -> HttpResponse:
    """Ask, then delete the level for good."""
    only_editors(door)
    if request.method == "POST":
        own_levels.delete(door)
        return redirect("workshop-deleted")
    return render(request, "workshop/delete.html", {"door": door})


@require_safe
def deleted(request: HttpRequest) -> HttpResponse:
    """Say that it is gone."""
    return render(request, "workshop/deleted.html")
