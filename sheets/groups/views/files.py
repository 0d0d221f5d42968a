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
from sheets.groups import joining, store
from sheets.groups.choice import groups_of
from sheets.groups.documents import GroupFile, ReadGroup, format_group, read_group
from sheets.groups.joining import Coming
from sheets.groups.result_table import format_results, is_result_table
from sheets.groups.views.access import with_group
from sheets.groups.views.keep import gone_sentence
from sheets.groups.views.storage import NO_ROOM, charge_to, no_room_sentence, refused
from sheets.http.downloads import attach_named
from sheets.http.rate_limits import GROUP_FILES, READS, limited
from sheets.http.uploads import sent_file
from sheets.models import Group
from sheets.people.alike import look_alike
from sheets.people.names import clean_name
from sheets.rules import DocumentError
from sheets.texts.faults import describe_fault
from sheets.texts.wrong import NO_FIELD

MOST_OFFERED: Final = 5
"""Maximum number of groups that are offered for joining a file."""

MOST_SAID: Final = 100
"""Maximum number of skipped entries of a file that the page names; further ones are counted."""

TABLE: Final = gettext_lazy(
    "This is a table of results. Open it in its group, under “Add past games”. For a new group, "
    "start the group first."
)
"""Error message for a table of results that is opened as a group file."""


class Offer(NamedTuple):
    """A group of the device that a file can be joined with, and the preview of joining."""

    access: Access[Group]
    coming: Coming


@require_http_methods(["GET", "HEAD", "POST"])
@limited(GROUP_FILES)
def open_file(request: HttpRequest) -> HttpResponse:
    """Create a group from a file, or join the file with a group of the device."""
    if request.method != "POST":
        return render(request, "groups/file.html")
    text = b""
    try:
        text = _sent(request)
        read = read_group(text)
    except DocumentError as error:
        return _refuse(request, str(TABLE) if is_result_table(text) else describe_fault(error))
    except BadSignature:
        return _refuse(request, _("Choose the file again."))
    into = request.POST.get("into")
    if not into and "again" not in request.POST:
        there = _there(request, read.group)
        if there or read.skipped:
            return _ask(request, text, read, there)
    try:
        if into:
            return _join(request, into, read.group)
        return redirect("group", key=joining.take_in(read.group, charge_to(request)))
    except NO_ROOM as error:
        sentence = no_room_sentence(error)
        there = _there(request, read.group)
        if there or read.skipped:
            return refused(_ask(request, text, read, there, sentence), error)
        return refused(_refuse(request, sentence), error)


def _sent(request: HttpRequest) -> bytes:
    """Return the uploaded file, or the signed one that a page sends back to confirm it.

    Raises DocumentError, BadSignature.
    """
    if "sealed" not in request.POST:
        return sent_file(request, "document")
    text: str = signing.loads(request.POST["sealed"], salt=__name__)
    return text.encode()


def _there(request: HttpRequest, found: GroupFile) -> list[Access[Group]]:
    """Return the groups of the device with the file's name or with some of its games."""
    groups = groups_of(token_of(request))
    having = joining.having_some_of(groups, found)
    name = clean_name(found.name)
    return [
        access
        for access in groups
        if access.thing.pk in having or look_alike(access.thing.name, name)
    ][:MOST_OFFERED]


def _ask(
    request: HttpRequest,
    text: bytes,
    read: ReadGroup,
    there: list[Access[Group]],
    sentence: str = "",
) -> HttpResponse:
    """Show what joining a file with similar groups would add, and which entries are skipped.

    Nothing has changed. ``sentence`` is the error message if storing the file was refused.
    """
    context = {
        "wrong": {NO_FIELD: sentence} if sentence else {},
        "name": clean_name(read.group.name),
        "game_count": len(read.group.games),
        "skipped": [(describe_fault(one.fault), one.title) for one in read.skipped[:MOST_SAID]],
        "skips_players": any(one.is_player for one in read.skipped),
        "more_skipped": max(0, len(read.skipped) - MOST_SAID),
        "sealed": signing.dumps(text.decode(), salt=__name__, compress=True),
        "offers": [
            Offer(access, joining.look_into(access.thing, read.group))
            for access in there
            if access.can_edit
        ],
        "others": [access for access in there if not access.can_edit],
    }
    return render(request, "groups/file_there.html", context, status=400 if sentence else 200)


def _join(request: HttpRequest, key: str, found: GroupFile) -> HttpResponse:
    try:
        access = store.find(key)
        kept = joining.join(access, found, charge_to(request))
    except (UnknownKey, NotAllowed):
        return _refuse(request, gone_sentence())
    return redirect(f"{reverse('group-enter', args=[key])}?{urlencode(kept._asdict())}")


def _refuse(request: HttpRequest, sentence: str) -> HttpResponse:
    context = {"wrong": {"document": sentence}}
    return render(request, "groups/file.html", context, status=400)


@require_safe
@limited(READS, "GET")
@with_group
def document(request: HttpRequest, access: Access[Group]) -> HttpResponse:
    """Return a group as a ``dizzle-group/1`` document, as a download."""
    content = format_group(access.thing)
    return attach_named(access.thing.name, "group", content, "application/json", ".json")


@require_safe
@limited(READS, "GET")
@with_group
def table(request: HttpRequest, access: Access[Group]) -> HttpResponse:
    """Return all results as a table for a spreadsheet, as a download."""
    content = format_results(access.thing)
    return attach_named(access.thing.name, "group", content, "text/csv; charset=utf-8", ".csv")
