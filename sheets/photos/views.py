"""Photo pages: upload photos, review the result, and add the sheets to a scoring."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBadRequest, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import conditional_page, require_safe

from sheets.access.keys import Access, only_editors
from sheets.documents.decoding import ACT_ID
from sheets.groups.choice import keep_as_wished
from sheets.http.json_body import wants_json
from sheets.http.posted import posted_or_to
from sheets.http.rate_limits import NEW_SCORINGS, SAVES, limited, take_stored
from sheets.models import Scoring
from sheets.photos import taking
from sheets.photos.desk import Desk
from sheets.photos.guards import for_new, for_open, for_own
from sheets.photos.kept import drop_picture, find_picture
from sheets.photos.read import (
    CannotRead,
    ReadPhoto,
    clean_picture,
    queue_position,
    read_file,
    unread_photo,
)
from sheets.photos.seen import MAX_PICTURE_BYTES, StoredPicture
from sheets.photos.taken import (
    CannotTake,
    TakenSheet,
    read_sheets,
    read_taken,
    refuse_together,
)
from sheets.rules import Level
from sheets.rules.level import MOST_PLAYERS
from sheets.rules.paper import score_paper
from sheets.scoring import store
from sheets.scoring.marks import read_paper
from sheets.scoring.views.access import name_device, with_scoring
from sheets.scoring.views.sheet import stale_sentence
from sheets.texts.photos import REFUSALS


def choose_photos(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Show the page that asks for photos."""
    return _show(request, desk)


def read_photos(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Read the uploaded photos and show the result.

    The script sends one photo at a time with ``part``, and gets only a fragment.
    """
    first = (
        int(number) if re.fullmatch("[1-9][0-9]?", number := request.POST.get("first", "")) else 1
    )
    said = request.POST.get("turn", "")
    turn = int(said) if re.fullmatch("[0-3]", said) else None
    photos: list[ReadPhoto] = []
    files = request.FILES.getlist("photo")
    if len(files) > MOST_PLAYERS:
        return HttpResponseBadRequest("more photos than sheets of a game")
    for file in files:
        read = read_file(request, desk, file.name or "", bytes(file.read()), first, turn)
        first += sum(len(photo.sheets) for photo in read)
        photos += read
    if not photos:
        photos = [unread_photo(desk, "", "no-file")]
    if "part" in request.POST:
        return render(request, "photos/_part.html", {"desk": desk, "photos": photos})
    return _show(request, desk, photos=photos)


@require_safe
def position(request: HttpRequest) -> HttpResponse:
    """Return the position in the queue of the photo with ``?ticket=``."""
    response = JsonResponse({"place": queue_position(request.GET.get("ticket", ""))})
    response["Cache-Control"] = "no-store"
    return response


def sum_up_sheets(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Return the totals of the sheets as reviewed on the page, without storing them."""
    try:
        sheets = read_sheets(request.POST, desk)
    except CannotTake as problem:
        return JsonResponse({"totals": {}, "problem": str(problem)})
    except store.Malformed:
        return HttpResponseBadRequest("malformed sheets")
    try:
        refuse_together(sheets, desk)
        sentence = ""
    except CannotTake as problem:
        sentence = str(problem)
    totals: dict[int, int] = {}
    for level in {sheet.level.id: sheet.level for sheet in sheets}.values():
        of_level = [sheet for sheet in sheets if sheet.level == level]
        totals |= _totals(desk, level, of_level)
    return JsonResponse({"totals": totals, "problem": sentence})


def _totals(desk: Desk, level: Level, sheets: Sequence[TakenSheet]) -> dict[int, int]:
    """Return the totals of a level's sheets by their numbers on the page."""
    solo = desk.is_solo(sum(sheet.number == 0 for sheet in sheets))
    if solo is None and not desk.sheets and taking.has_exploded(sheets[0].marks):
        solo = False
    paper = read_paper(level, [one.player for one in sheets], [one.marks for one in sheets], solo)
    scores = score_paper(paper).scores
    return {one.place: score.total for one, score in zip(sheets, scores, strict=True)}


def _take(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Store the sheets as reviewed on the page, and redirect to the results."""
    device = name_device(request)
    try:
        sheets = read_taken(request.POST, desk)
        pictures = _pictures_to_store(request, sheets)
        if pictures and not take_stored(request, sum(len(one.jpeg) for one in pictures.values())):
            raise CannotTake(str(REFUSALS["stored-limit"]))
        once = taking.idempotency_key(_request_id(request), sheets, pictures)
        if desk.access:
            taking.add(desk.access, sheets, device, pictures, once)
            key = desk.access.key
        else:
            key = taking.begin(sheets, device, pictures, once, desk.bought)
            keep_as_wished(request, store.find(key).thing)
    except CannotTake as problem:
        return refuse(request, desk, str(problem))
    except store.Stale as stale:
        return refuse(request, desk, stale_sentence(stale))
    except store.Malformed:
        return HttpResponseBadRequest("malformed sheets")
    if wants_json(request):
        return JsonResponse({"url": reverse("score-results", args=[key])})
    return redirect("score-results", key=key)


def _request_id(request: HttpRequest) -> str:
    """Return the id of the page that sends the form; empty if it is not valid."""
    given = request.POST.get("request", "")
    return given if re.fullmatch(ACT_ID, given) else ""


def _pictures_to_store(
    request: HttpRequest, sheets: Sequence[TakenSheet]
) -> dict[int, StoredPicture]:
    """Return the pictures to store, by the sheets' numbers on the page.

    Raises:
        CannotTake: they cannot be re-encoded now, or are not pictures as our page sends them.
    """
    found = {}
    for sheet in sheets:
        file = request.FILES.get(f"picture-{sheet.place}")
        if file is None:
            continue
        if (file.size or 0) > MAX_PICTURE_BYTES:
            raise CannotTake(str(REFUSALS["not-kept"]))
        try:
            clean = clean_picture(request, bytes(file.read()))
        except CannotRead as problem:
            raise CannotTake(str(REFUSALS[problem.why])) from problem
        if clean is None:
            raise CannotTake(str(REFUSALS["not-kept"]))
        found[sheet.place] = clean
    return found


def refuse(request: HttpRequest, desk: Desk, sentence: str) -> HttpResponse:
    """Show why the sheets cannot be taken over, with status 409."""
    if wants_json(request):
        whose = [[row.number, name, marked > 0] for row, name, marked in desk.sheets]
        return JsonResponse({"problem": sentence, "whose": whose}, status=409)
    return _show(request, desk, refusal=sentence, status=409)


@require_safe
@conditional_page
@with_scoring
def picture(request: HttpRequest, access: Access[Scoring], number: int) -> HttpResponse:
    """Return the stored picture of a sheet. Raises Http404."""
    if not (found := find_picture(access, number)):
        raise Http404
    response = HttpResponse(bytes(found.jpeg), content_type="image/jpeg")
    response["Cache-Control"] = "private, no-cache"
    return response


@posted_or_to("score-sheet")
@with_scoring
@only_editors
def drop(request: HttpRequest, access: Access[Scoring], number: int) -> HttpResponse:
    """Delete the stored picture of a sheet."""
    drop_picture(access, number)
    return redirect("score-sheet", key=access.key, number=number)


def _show(
    request: HttpRequest,
    desk: Desk,
    *,
    photos: Sequence[ReadPhoto] = (),
    refusal: str = "",
    status: int = 200,
) -> HttpResponse:
    context: dict[str, Any] = {
        "desk": desk,
        "photos": photos,
        "has_sheets": any(photo.sheets for photo in photos),
        "refusal": refusal,
        "large": REFUSALS["too-large"],
        "busy": REFUSALS["busy"],
    }
    return render(request, "photos/choose.html", context, status=status)


choose = require_safe(for_new(choose_photos))
choose_open = require_safe(for_open(choose_photos))
choose_own = require_safe(for_own(choose_photos))
read = posted_or_to("photos")(for_new(read_photos))
read_open = posted_or_to("photos-open")(for_open(read_photos))
read_own = posted_or_to("photos-own")(for_own(read_photos))
sum_up = posted_or_to("photos")(for_new(sum_up_sheets))
sum_up_open = posted_or_to("photos-open")(for_open(sum_up_sheets))
sum_up_own = posted_or_to("photos-own")(for_own(sum_up_sheets))
take = limited(NEW_SCORINGS)(posted_or_to("photos")(for_new(_take)))
take_open = limited(SAVES)(posted_or_to("photos-open")(for_open(_take)))
take_own = limited(NEW_SCORINGS)(posted_or_to("photos-own")(for_own(_take)))
