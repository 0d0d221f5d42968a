"""A group as a file: taken along, and opened elsewhere, whole."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from sheets.access.devices import token_of
from sheets.access.keys import Access
from sheets.groups.choice import groups_of
from sheets.groups.documents import format_group, group_table, read_group, take_in
from sheets.groups.views.access import with_group
from sheets.http.downloads import attach_named
from sheets.http.limits import READS, UPLOADS, limited
from sheets.http.uploads import sent_file
from sheets.models import Group
from sheets.people.alike import look_alike
from sheets.people.names import clean_name
from sheets.rules import DocumentError
from sheets.texts.faults import describe_fault


@require_http_methods(["GET", "HEAD", "POST"])
@limited(UPLOADS)
def open_file(request: HttpRequest) -> HttpResponse:
    """Begin a group with all that a file has."""
    if request.method != "POST":
        return render(request, "groups/file.html")
    try:
        found = read_group(sent_file(request, "document"))
    except DocumentError as error:
        context = {"wrong": {"document": describe_fault(error)}}
        return render(request, "groups/file.html", context, status=400)
    same = [] if "again" in request.POST else _called(request, found.name)
    if same:
        said = _("You have a group of this name already.")
        told: dict[str, Any] = {"wrong": {"document": said}, "same": same}
        return render(request, "groups/file.html", told, status=400)
    return redirect("group", key=take_in(found))


def _called(request: HttpRequest, name: str) -> list[Access[Group]]:
    """The groups of the device that are called so."""
    groups = groups_of(token_of(request))
    return [access for access in groups if look_alike(access.thing.name, clean_name(name))]


@require_safe
@limited(READS, "GET")
@with_group
def document(request: HttpRequest, access: Access[Group]) -> HttpResponse:
    """The group as a ``dizzle-group/1`` document."""
    content = format_group(access.thing)
    return attach_named(access.thing.name, "group", content, "application/json", ".json")


@require_safe
@limited(READS, "GET")
@with_group
def table(request: HttpRequest, access: Access[Group]) -> HttpResponse:
    """All results as a table for a spreadsheet."""
    content = group_table(access.thing)
    return attach_named(access.thing.name, "group", content, "text/csv; charset=utf-8", ".csv")
