"""Views for photos of empty sheets: begin a level with one, add one to a level, turn it."""

from __future__ import annotations

from functools import partial

import msgspec
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from sheets.access.devices import all_of, note_opened, token_of
from sheets.access.keys import Access, only_editors
from sheets.http.own_pictures import showing_pictures
from sheets.http.posted import posted_or_to
from sheets.http.rate_limits import take_stored
from sheets.models import WorkshopLevel
from sheets.photos import work
from sheets.photos.read import CannotRead, read_in_pool
from sheets.photos.seen import SeenEmpty, unpack
from sheets.rules import Level
from sheets.texts.photos import EMPTY_REFUSALS, RETRYABLE
from sheets.workshop import empty_sheets
from sheets.workshop.draft import in_language_or_blank
from sheets.workshop.empty_sheets import Parts
from sheets.workshop.seen import Seen
from sheets.workshop.store import bought
from sheets.workshop.views.access import with_finished, with_level
from sheets.workshop.views.start import named, show_own, usual_name


@showing_pictures
@posted_or_to("workshop-own")
def begin(request: HttpRequest) -> HttpResponse:
    """Begin a level with the uploaded photo, or show the reason why it cannot be read.

    A request with ``part``, which the script sends, gets only a fragment.
    """
    file = request.FILES.get("photo")
    data = bytes(file.read()) if file else b""
    # Without the script, the form's CSRF token identifies the page.
    asked = request.POST.get("request") or request.POST.get("csrfmiddlewaretoken", "")
    once = empty_sheets.once(asked, data)
    key = empty_sheets.begun(once)
    if not key:
        try:
            if not file:
                raise CannotRead("no-file")
            parts = _read_parts(request, partial(work.read_empty, data))
        except CannotRead as problem:
            return _refuse(request, (file and file.name) or "", problem.why)
        key = empty_sheets.begin(named(usual_name(request, is_bought=True)), parts, once)
    way = reverse("workshop-guide", args=[key, "size"])
    if other := _find_entered(request, key):
        empty_sheets.leave_until_opened(key)
        return _show_entered(request, way, other)
    if "part" in request.POST:
        answer = render(request, "photos/_begun.html", {"way": way})
    else:
        answer = redirect(way)
    # The device remembers it at once: a second request under way must not begin another level.
    note_opened(request, answer, "workshop", key)
    return answer


def _find_entered(request: HttpRequest, key: str) -> Access[WorkshopLevel] | None:
    """Find another level of the device that was entered from a photo of the same sheet.

    None if the device has begun the level ``key`` before: a photo may be sent twice.
    """
    known = [has.key for has in all_of(token_of(request), "workshop")]
    return None if key in known else empty_sheets.entered(key, known)


def _show_entered(request: HttpRequest, way: str, other: Access[WorkshopLevel]) -> HttpResponse:
    """Ask whether to use the other level or the new one, which exists already under ``way``."""
    name = in_language_or_blank(other.thing.document.get("name", {})) or _("My sheet")
    context = {"way": way, "other": other, "name": name}
    whole = "photos/_entered.html" if "part" in request.POST else "photos/entered.html"
    return render(request, whole, context)


@showing_pictures
@require_http_methods(["GET", "HEAD", "POST"])
@with_finished
def add(request: HttpRequest, access: Access[WorkshopLevel], level: Level) -> HttpResponse:
    """Store a photo of the empty sheet of an entered level, so that filled sheets can be read.

    It replaces an earlier one. If the photo cannot be read, the page shows the reason.
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
        parts = _read_parts(request, partial(work.read_empty_of, bytes(file.read()), level))
    except CannotRead as problem:
        if "part" in request.POST:
            return _refused_part(request, (file and file.name) or "", problem.why)
        return _show_add(request, access, refusal=str(EMPTY_REFUSALS[problem.why]), status=400)
    empty_sheets.put(access, parts)
    if "part" in request.POST:
        return render(request, "photos/_begun.html", {"way": way})
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
    """Turn the empty sheet by a quarter, unless something was entered by hand."""
    kept = empty_sheets.find(access.thing)
    if kept and not access.thing.revision:
        layout = msgspec.json.encode(kept.layout)
        picture = bytes(kept.picture)
        try:
            parts = _read_parts(request, partial(work.turn_empty, picture, layout))
        except CannotRead as problem:
            sentence = EMPTY_REFUSALS[problem.why]
            context = {"access": access, "refusal": sentence}
            return render(request, "photos/not_turned.html", context, status=409)
        empty_sheets.turn(access, kept, parts)
    return redirect("workshop-guide", key=access.key, step="size")


def _read_parts(request: HttpRequest, task: partial[bytes]) -> Parts:
    """Run a reading task in the render pool and return its result to store. Raises CannotRead."""
    found = unpack(read_in_pool(request, task), SeenEmpty)
    if found.refused:
        raise CannotRead(found.refused)
    if not take_stored(request, len(found.picture) + len(found.layout)):
        raise CannotRead("stored-limit")
    return parts_of(found)


def parts_of(found: SeenEmpty) -> Parts:
    """Decode the result of reading an empty sheet, which must not be refused, for storage."""
    seen = msgspec.json.decode(found.seen, type=Seen)
    return Parts(found.picture, msgspec.json.decode(found.layout), seen)


def _refuse(request: HttpRequest, name: str, why: str) -> HttpResponse:
    if "part" in request.POST:
        return _refused_part(request, name, why)
    return show_own(request, refusal=str(EMPTY_REFUSALS[why]), status=400)


def _refused_part(request: HttpRequest, name: str, why: str) -> HttpResponse:
    context = {"name": name, "refused": EMPTY_REFUSALS[why], "is_again": why in RETRYABLE}
    return render(request, "photos/_begun.html", context)
