"""Views of a level's links, of its deletion, and of the link to a copy."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_http_methods, require_safe

from sheets.access.devices import noted
from sheets.access.export_rules import may_share_copies
from sheets.access.keys import Access, delete_resource, only_editors
from sheets.access.links import change_links, shown_links
from sheets.http.share_link import ShareLink, share_link
from sheets.models import WorkshopLevel
from sheets.rules import Level, format_level
from sheets.workshop.level_codes import fits_in_link, format_code
from sheets.workshop.views.access import with_finished, with_level


@require_http_methods(["GET", "HEAD", "POST"])
@with_level
@only_editors
@noted("workshop")
def links(request: HttpRequest, access: Access[WorkshopLevel]) -> HttpResponse:
    """Show the links to edit and to view a level; a POST renews or withdraws them."""
    if request.method == "POST":
        try:
            key = change_links(access, request.POST.get("do", ""))
        except ValueError:
            return HttpResponseBadRequest("no such act")
        return redirect("workshop-links", key=key)
    context = {"access": access, **shown_links(request, access, "workshop-level")}
    return render(request, "workshop/links.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@with_level
@only_editors
def delete(request: HttpRequest, access: Access[WorkshopLevel]) -> HttpResponse:
    """Ask for confirmation, then delete the level."""
    if request.method == "POST":
        delete_resource(access)
        return redirect("workshop-deleted")
    return render(request, "workshop/delete.html", {"access": access})


@require_safe
def deleted(request: HttpRequest) -> HttpResponse:
    """Confirm the deletion of a level."""
    return render(request, "workshop/deleted.html")


@require_safe
@with_finished
def code(request: HttpRequest, access: Access[WorkshopLevel], level: Level) -> HttpResponse:
    """Show the link by which a friend opens a copy of the level.

    Copies of a bought sheet may not be shared; then the page says so, with status 403.
    """
    context: dict[str, Any] = {"access": access, "level": level}
    if not may_share_copies(access):
        return render(request, "workshop/code.html", context, status=403)
    return render(request, "workshop/code.html", context | {"link": copy_link(request, level)})


def copy_link(request: HttpRequest, level: Level) -> ShareLink | None:
    """Return a link that contains the whole level; None if the level is too large for a link."""
    found = format_code(format_level(level))
    return share_link(request, code_address(found)) if fits_in_link(found) else None


def code_address(found: str) -> str:
    return f"{reverse('open-level')}?{urlencode({'code': found})}"
