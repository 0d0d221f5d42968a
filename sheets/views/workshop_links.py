"""Who may see and change a level: its links, and its end."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from sheets.access import Access, only_editors
from sheets.models import WorkshopLevel
from sheets.views.share_link import ShareLink, share_link
from sheets.views.workshop_access import with_level
from sheets.workshop import own_levels


@require_http_methods(["GET", "HEAD", "POST"])
@with_level
@only_editors
def links(request: HttpRequest, access: Access[WorkshopLevel]) -> HttpResponse:
    """Show both links; make new ones, or withdraw them."""
    key = access.key
    if request.method == "POST":
        match request.POST.get("do"):
            case "share":
                own_levels.set_shared(access, True)
            case "unshare":
                own_levels.set_shared(access, False)
            case "renew":
                key = own_levels.renew_key(access)
            case _:
                return HttpResponseBadRequest("no such act")
        return redirect("workshop-links", key=key)

    def link(of: str) -> ShareLink:
        return share_link(request, reverse("workshop-level", args=(of,)))

    context = {
        "access": access,
        "edit_link": link(access.key),
        "show_link": link(access.share_key) if access.share_key else None,
    }
    return render(request, "workshop/links.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@with_level
@only_editors
def delete(request: HttpRequest, access: Access[WorkshopLevel]) -> HttpResponse:
    """Ask, then delete the level for good."""
    if request.method == "POST":
        own_levels.delete(access)
        return redirect("workshop-deleted")
    return render(request, "workshop/delete.html", {"access": access})


@require_safe
def deleted(request: HttpRequest) -> HttpResponse:
    """Say that it is gone."""
    return render(request, "workshop/deleted.html")
