"""An empty sheet is photographed: a level of one's own begins with what is read on it."""

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
from sheets.photos.read import CannotRead, read_in_turn
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
    """Begin a level with the photo that was sent, or say why that is not possible.

    To our script only that: the part of a page, or where the level is.
    """
    file = request.FILES.get("photo")
    data = bytes(file.read()) if file else b""
    # What a form without script has that no other form has.
    asked = request.POST.get("request") or request.POST.get("csrfmiddlewaretoken", "")
    once = empty_sheets.once(asked, data)
    key = empty_sheets.begun(once)
    if not key:
        try:
            if not file:
                raise CannotRead("no-file")
            parts = _parts(request, partial(work.read_empty, data))
        except CannotRead as problem:
            return _refuse(request, (file and file.name) or "", problem.why)
        key = empty_sheets.begin(named(usual_name(request, is_bought=True)), parts, once)
    way = reverse("workshop-guide", args=[key, "size"])
    if other := _entered(request, key):
        empty_sheets.leave_until_opened(key)
        return _ask(request, way, other)
    if "part" in request.POST:
        answer = render(request, "photos/_begun.html", {"way": way})
    else:
        answer = redirect(way)
    # Known from now on: a second photo on its way would begin it once more.
    note_opened(request, answer, "workshop", key)
    return answer


def _entered(request: HttpRequest, key: str) -> Access[WorkshopLevel] | None:
    """The level that the device has entered from a photo of the same sheet before; None for one
    that it has begun already: a photo may come twice."""
    known = [has.key for has in all_of(token_of(request), "workshop")]
    return None if key in known else empty_sheets.entered(key, known)


def _ask(request: HttpRequest, way: str, other: Access[WorkshopLevel]) -> HttpResponse:
    """Ask whether it shall be another level: it is there already, so that a link begins it."""
    name = in_language_or_blank(other.thing.document.get("name", {})) or _("My sheet")
    context = {"way": way, "other": other, "name": name}
    whole = "photos/_entered.html" if "part" in request.POST else "photos/entered.html"
    return render(request, whole, context)


@showing_pictures
@require_http_methods(["GET", "HEAD", "POST"])
@with_finished
def add(request: HttpRequest, access: Access[WorkshopLevel], level: Level) -> HttpResponse:
    """Photograph the empty sheet of a level that was entered already, so that filled ones are read.

    What was kept before goes. The page says why a photo is not taken.
    """
    access.refuse_unless_edits()
    way = reverse("workshop-score", args=[access.key])
    if not bought(access):  # ours have markers
        return redirect(way)
    if request.method != "POST":
        return _show_add(request, access)
    file = request.FILES.get("photo")
    try:
        if not file:
            raise CannotRead("no-file")
        parts = _parts(request, partial(work.read_empty_of, bytes(file.read()), level))
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
    """Turn the empty sheet by a quarter, as long as nothing was entered by hand."""
    kept = empty_sheets.find(access.thing)
    if kept and not access.thing.revision:
        layout = msgspec.json.encode(kept.layout)
        picture = bytes(kept.picture)
        try:
            parts = _parts(request, partial(work.turn_empty, picture, layout))
        except CannotRead as problem:
            sentence = EMPTY_REFUSALS[problem.why]
            context = {"access": access, "refusal": sentence}
            return render(request, "photos/not_turned.html", context, status=409)
        empty_sheets.turn(access, kept, parts)
    return redirect("workshop-guide", key=access.key, step="size")


def _parts(request: HttpRequest, asked: partial[bytes]) -> Parts:
    """Return what the reading process gives, to be stored. Raises CannotRead."""
    found = unpack(read_in_turn(request, asked), SeenEmpty)
    if found.refused:
        raise CannotRead(found.refused)
    if not take_stored(request, len(found.picture) + len(found.layout)):
        raise CannotRead("stored-limit")
    return parts_of(found)


def parts_of(found: SeenEmpty) -> Parts:
    """Decode what was read on an empty sheet, which must not be refused, to be stored."""
    seen = msgspec.json.decode(found.seen, type=Seen)
    return Parts(found.picture, msgspec.json.decode(found.layout), seen)


def _refuse(request: HttpRequest, name: str, why: str) -> HttpResponse:
    if "part" in request.POST:
        return _refused_part(request, name, why)
    return show_own(request, refusal=str(EMPTY_REFUSALS[why]), status=400)


def _refused_part(request: HttpRequest, name: str, why: str) -> HttpResponse:
    context = {"name": name, "refused": EMPTY_REFUSALS[why], "is_again": why in RETRYABLE}
    return render(request, "photos/_begun.html", context)
