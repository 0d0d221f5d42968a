"""Views for photos of empty sheets: begin a level with a photo, add one to a level, turn it."""

from __future__ import annotations

from functools import partial

import msgspec
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from sheets.access.devices import note_opened, opened_by, token_of
from sheets.access.keys import Access, idempotency_key_of, only_editors
from sheets.http.inline_picture_csp import allow_data_pictures
from sheets.http.post_redirect import posted_or_to
from sheets.http.rate_limits import count_stored_bytes
from sheets.models import WorkshopLevel
from sheets.photos.forms import grid_corners, parse_corners
from sheets.photos.read_files import CannotRead, read_in_pool
from sheets.photos.store import empty_sheet_parts
from sheets.photos.worker import tasks
from sheets.photos.worker.messages import EmptySheetResult, unpack
from sheets.rules import Level
from sheets.text.photos import AT_CORNERS, EMPTY_REFUSALS, RETRYABLE
from sheets.workshop import empty_sheets
from sheets.workshop.draft import in_language_or_blank
from sheets.workshop.empty_sheets import Parts
from sheets.workshop.store import bought
from sheets.workshop.views.access import with_finished, with_level
from sheets.workshop.views.start import default_name, localized_name, show_bought_form


@allow_data_pictures
@posted_or_to("workshop-own")
def begin(request: HttpRequest) -> HttpResponse:
    """Begin a level from the uploaded photo of an empty sheet, or show why it cannot be read.

    The script sends ``part``, and gets only a fragment.
    """
    file = request.FILES.get("photo")
    data = bytes(file.read()) if file else b""
    # Without the script, the form's CSRF token identifies the page.
    asked = request.POST.get("request") or request.POST.get("csrfmiddlewaretoken", "")
    grid = grid_corners(request.POST)
    # The same photo begins another level with corners that the user has placed.
    idempotency_key = idempotency_key_of(asked, data + (msgspec.json.encode(grid) if grid else b""))
    key = empty_sheets.find_by_idempotency_key(idempotency_key)
    if not key:
        try:
            if not file:
                raise CannotRead("no-file")
            found = _read(request, partial(tasks.read_empty, data, grid))
        except CannotRead as problem:
            return _refuse(request, (file and file.name) or "", problem.reason)
        name = localized_name(default_name(request, is_bought=True))
        key = empty_sheets.begin(name, empty_sheet_parts(found), idempotency_key)
        if found.outline and "part" in request.POST:
            return _ask_whether_whole(request, key, found)
    way = reverse("workshop-guide", args=[key, "size"])
    if other := _find_existing_level(request, key):
        empty_sheets.leave_until_opened(key)
        return _show_existing_level(request, way, other)
    if "part" in request.POST:
        answer = render(request, "photos/_level_link.html", {"way": way})
    else:
        answer = redirect(way)
    # The device remembers the level at once: a repeated request must not begin another one.
    note_opened(request, answer, "workshop", key)
    return answer


def _ask_whether_whole(request: HttpRequest, key: str, found: EmptySheetResult) -> HttpResponse:
    """Ask whether a sheet was found as a whole; the script can send the photo with its corners."""
    empty_sheets.leave_until_opened(key)
    context = {
        "way": reverse("workshop-guide", args=[key, "size"]),
        "outline": " ".join(f"{x:.4f},{y:.4f}" for x, y in found.outline),
        "seen": empty_sheet_parts(found).seen,
    }
    return render(request, "photos/_level_link.html", context)


def _find_existing_level(request: HttpRequest, key: str) -> Access[WorkshopLevel] | None:
    """Find another level of the device that was entered from a photo of the same sheet.

    Return None if there is none, or if the device knows the level ``key`` already, because the same
    request was sent twice.
    """
    known = [has.key for has in opened_by(token_of(request), "workshop")]
    return None if key in known else empty_sheets.find_same_sheet(key, known)


def _show_existing_level(
    request: HttpRequest, way: str, other: Access[WorkshopLevel]
) -> HttpResponse:
    """Ask whether to use the older level ``other`` or the new one, whose path is ``way``."""
    name = in_language_or_blank(other.resource.document.get("name", {})) or _("My sheet")
    context = {"way": way, "other": other, "name": name}
    whole = "photos/_already_entered.html" if "part" in request.POST else "photos/entered.html"
    return render(request, whole, context)


@allow_data_pictures
@require_http_methods(["GET", "HEAD", "POST"])
@with_finished
def add(request: HttpRequest, access: Access[WorkshopLevel], level: Level) -> HttpResponse:
    """Store a photo of the empty sheet of a finished level, so that filled sheets can be read.

    The photo replaces an earlier one. If it cannot be read, the page shows the reason. A GET
    request shows the form.
    """
    access.refuse_unless_edits()
    way = reverse("workshop-score", args=[access.key])
    if not bought(access):  # our own printed sheets have markers
        return redirect(way)
    if request.method != "POST":
        return _show_add(request, access)
    file = request.FILES.get("photo")
    try:
        if not file:
            raise CannotRead("no-file")
        corners = parse_corners(request.POST.get("corners", ""))
        data = bytes(file.read())
        parts = _read_parts(request, partial(tasks.read_empty_of, data, level, corners))
    except CannotRead as problem:
        if "part" in request.POST:
            return _refused_part(request, (file and file.name) or "", problem.reason)
        return _show_add(request, access, refusal=str(EMPTY_REFUSALS[problem.reason]), status=400)
    empty_sheets.put(access, parts)
    if "part" in request.POST:
        return render(request, "photos/_level_link.html", {"way": way})
    return redirect(way)


def _show_add(
    request: HttpRequest, access: Access[WorkshopLevel], *, refusal: str = "", status: int = 200
) -> HttpResponse:
    context = {
        "access": access,
        "action": reverse("photos-empty-add", args=[access.key]),
        "refusal": refusal,
        "large": EMPTY_REFUSALS["too-large"],
        "busy": EMPTY_REFUSALS["busy"],
    }
    return render(request, "photos/add_empty.html", context, status=status)


@posted_or_to("workshop-level")
@with_level
@only_editors
def turn(request: HttpRequest, access: Access[WorkshopLevel]) -> HttpResponse:
    """Turn the stored empty sheet by a quarter, unless the user has already changed the level."""
    kept = empty_sheets.find(access.resource)
    if kept and not access.resource.revision:
        layout = msgspec.json.encode(kept.layout)
        picture = bytes(kept.picture)
        try:
            parts = _read_parts(request, partial(tasks.turn_empty, picture, layout))
        except CannotRead as problem:
            sentence = EMPTY_REFUSALS[problem.reason]
            context = {"access": access, "refusal": sentence}
            return render(request, "photos/not_turned.html", context, status=409)
        empty_sheets.turn(access, kept, parts)
    return redirect("workshop-guide", key=access.key, step="size")


def _read_parts(request: HttpRequest, task: partial[bytes]) -> Parts:
    """Return the parts to store of what `_read` returns. Raises CannotRead."""
    return empty_sheet_parts(_read(request, task))


def _read(request: HttpRequest, task: partial[bytes]) -> EmptySheetResult:
    """Run a reading task in the process pool; return a sheet to store. Raises CannotRead."""
    found = unpack(read_in_pool(request, task), EmptySheetResult)
    if found.refused:
        raise CannotRead(found.refused)
    if not count_stored_bytes(request, len(found.picture) + len(found.layout)):
        raise CannotRead("stored-limit")
    return found


def _refuse(request: HttpRequest, name: str, reason: str) -> HttpResponse:
    if "part" in request.POST:
        return _refused_part(request, name, reason)
    return show_bought_form(request, refusal=str(EMPTY_REFUSALS[reason]), status=400)


def _refused_part(request: HttpRequest, name: str, reason: str) -> HttpResponse:
    context = {
        "name": name,
        "refused": EMPTY_REFUSALS[reason],
        "is_retryable": reason in RETRYABLE,
        "can_mark": reason in AT_CORNERS,
    }
    return render(request, "photos/_level_link.html", context)
