"""Export of a group as a file, and import as a new group or into an existing one."""

from __future__ import annotations

from typing import Final, NamedTuple

from django.core import signing
from django.core.signing import BadSignature
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from sheets.access.devices import token_of
from sheets.access.keys import Access, NotAllowed, UnknownKey
from sheets.groups import group_file_import, store
from sheets.groups.documents import GroupFile, ReadGroup, format_group, read_group
from sheets.groups.group_choice import groups_of
from sheets.groups.group_file_import import ImportPreview
from sheets.groups.result_table import format_results, is_result_table
from sheets.groups.views.access import with_group
from sheets.groups.views.add_game import invalid_link_sentence
from sheets.groups.views.storage_limits import (
    STORAGE_ERRORS,
    charge_to,
    storage_error_sentence,
    with_retry_status,
)
from sheets.http.downloads import attach_named
from sheets.http.rate_limits import GROUP_FILES, READS, limited
from sheets.http.uploads import sent_file
from sheets.models import Group
from sheets.names.cleaning import clean_name
from sheets.names.confusables import are_confusable
from sheets.rules import DocumentError
from sheets.text.faults import describe_fault
from sheets.text.form_errors import NO_FIELD

MAX_JOIN_OFFERS: Final = 5
"""Maximum number of groups that are offered for joining a file."""

MAX_SKIPPED_SHOWN: Final = 100
"""Maximum number of skipped entries of a file that the page names; further ones are counted."""

RESULT_TABLE_ERROR: Final = gettext_lazy(
    "This is a table of results. Open it in its group, under “Add past games”. For a new group, "
    "start the group first."
)
"""Error message for a table of results that is opened as a group file."""


class JoinOffer(NamedTuple):
    """A group of the device that a file can be joined with, and the preview of joining."""

    access: Access[Group]
    preview: ImportPreview


@require_http_methods(["GET", "HEAD", "POST"])
@limited(GROUP_FILES)
def open_file(request: HttpRequest) -> HttpResponse:
    """Create a group from a file, or join the file with a group of the device."""
    if request.method != "POST":
        return render(request, "groups/file.html")
    text = b""
    try:
        text = _uploaded_file(request)
        read = read_group(text)
    except DocumentError as error:
        return _refuse(
            request, str(RESULT_TABLE_ERROR) if is_result_table(text) else describe_fault(error)
        )
    except BadSignature:
        return _refuse(request, _("Choose the file again."))
    into = request.POST.get("into")
    if not into and "again" not in request.POST:
        matching = _matching_groups(request, read.group)
        if matching or read.skipped:
            return _show_preview(request, text, read, matching)
    try:
        if into:
            return _join(request, into, read.group)
        return redirect("group", key=group_file_import.import_group(read.group, charge_to(request)))
    except STORAGE_ERRORS as error:
        sentence = storage_error_sentence(error)
        matching = _matching_groups(request, read.group)
        if matching or read.skipped:
            return with_retry_status(_show_preview(request, text, read, matching, sentence), error)
        return with_retry_status(_refuse(request, sentence), error)


def _uploaded_file(request: HttpRequest) -> bytes:
    """Return the uploaded file, or the signed one that a page sends back to confirm it.

    Raises DocumentError, BadSignature.
    """
    if "sealed" not in request.POST:
        return sent_file(request, "document")
    text: str = signing.loads(request.POST["sealed"], salt=__name__)
    return text.encode()


def _matching_groups(request: HttpRequest, found: GroupFile) -> list[Access[Group]]:
    """Return the groups of the device with the file's name or with some of its games."""
    groups = groups_of(token_of(request))
    having = group_file_import.groups_with_games_of(groups, found)
    name = clean_name(found.name)
    return [
        access
        for access in groups
        if access.resource.pk in having or are_confusable(access.resource.name, name)
    ][:MAX_JOIN_OFFERS]


def _show_preview(
    request: HttpRequest,
    text: bytes,
    read: ReadGroup,
    matching: list[Access[Group]],
    sentence: str = "",
) -> HttpResponse:
    """Show what joining a file with similar groups would add, and which entries are skipped.

    Nothing is stored yet. ``sentence`` is the error message if storing the file was refused.
    """
    context = {
        "wrong": {NO_FIELD: sentence} if sentence else {},
        "name": clean_name(read.group.name),
        "game_count": len(read.group.games),
        "skipped": [
            (describe_fault(one.fault), one.title) for one in read.skipped[:MAX_SKIPPED_SHOWN]
        ],
        "skips_players": any(one.is_player for one in read.skipped),
        "more_skipped": max(0, len(read.skipped) - MAX_SKIPPED_SHOWN),
        "sealed": signing.dumps(text.decode(), salt=__name__, compress=True),
        "offers": [
            JoinOffer(access, group_file_import.preview_import(access.resource, read.group))
            for access in matching
            if access.can_edit
        ],
        "others": [access for access in matching if not access.can_edit],
    }
    return render(request, "groups/file_exists.html", context, status=400 if sentence else 200)


def _join(request: HttpRequest, key: str, found: GroupFile) -> HttpResponse:
    try:
        access = store.find(key)
        kept = group_file_import.import_into_group(access, found, charge_to(request))
    except (UnknownKey, NotAllowed):
        return _refuse(request, invalid_link_sentence())
    return redirect(f"{reverse('group-enter', args=[key])}?{urlencode(kept._asdict())}")


def _refuse(request: HttpRequest, sentence: str) -> HttpResponse:
    context = {"wrong": {"document": sentence}}
    return render(request, "groups/file.html", context, status=400)


@require_safe
@limited(READS, "GET")
@with_group
def document(request: HttpRequest, access: Access[Group]) -> HttpResponse:
    """Return a group as a ``dizzle-group/1`` document, as a download."""
    content = format_group(access.resource)
    return attach_named(access.resource.name, "group", content, "application/json", ".json")


@require_safe
@limited(READS, "GET")
@with_group
def table(request: HttpRequest, access: Access[Group]) -> HttpResponse:
    """Return all results as a table for a spreadsheet, as a download."""
    content = format_results(access.resource)
    return attach_named(access.resource.name, "group", content, "text/csv; charset=utf-8", ".csv")
