"""Photo pages: upload photos, review the result, and add the sheets to a scoring."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBadRequest, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import conditional_page, require_safe

from dizzle_site.errors import wants_json
from sheets.access.keys import Access, idempotency_key_of, only_editors
from sheets.groups.group_choice import add_to_chosen_group
from sheets.http.post_redirect import posted_or_to
from sheets.http.rate_limits import NEW_SCORINGS, SAVES, count_stored_bytes, limited
from sheets.models import Scoring
from sheets.photos import store
from sheets.photos.forms import (
    ReviewedSheet,
    SheetsRefused,
    check_same_game,
    parse_corners,
    parse_sheets,
    parse_sheets_of_game,
)
from sheets.photos.page_context import PhotoPageContext
from sheets.photos.picture_storage import drop_picture, find_picture
from sheets.photos.read_files import (
    CannotRead,
    ReadPhoto,
    queue_position,
    read_file,
    reencode_picture,
    unread_photo,
)
from sheets.photos.views.access import for_existing_scoring, for_new_scoring, for_own_level
from sheets.photos.worker.messages import MAX_PICTURE_BYTES, StoredPicture
from sheets.rules import Level
from sheets.rules.level import MAX_PLAYERS
from sheets.rules.paper_scoring import score_paper
from sheets.scoring import store as scoring_store
from sheets.scoring.marks import read_paper
from sheets.scoring.views.access import ensure_device_id, with_scoring
from sheets.scoring.views.sheet import stale_sentence
from sheets.text.photos import REFUSALS


def choose_photos(request: HttpRequest, page_context: PhotoPageContext) -> HttpResponse:
    """Show the page on which the user takes or chooses photos."""
    return _show(request, page_context)


def read_photos(request: HttpRequest, page_context: PhotoPageContext) -> HttpResponse:
    """Read the uploaded photos and show the sheets for review.

    The script sends one photo at a time with ``part``, and gets only a fragment.
    """
    first = (
        int(number) if re.fullmatch("[1-9][0-9]?", number := request.POST.get("first", "")) else 1
    )
    said = request.POST.get("turn", "")
    turn = int(said) if re.fullmatch("[0-3]", said) else None
    corners = parse_corners(request.POST.get("corners", ""))
    photos: list[ReadPhoto] = []
    files = request.FILES.getlist("photo")
    if len(files) > MAX_PLAYERS:
        return HttpResponseBadRequest("more photos than sheets of a game")
    for file in files:
        name, data = file.name or "", bytes(file.read())
        read = read_file(request, page_context, name, data, first, turn, corners)
        first += sum(len(photo.sheets) for photo in read)
        photos += read
    if not photos:
        photos = [unread_photo(page_context, "", "no-file")]
    if "part" in request.POST:
        return render(
            request, "photos/_upload_result.html", {"page_context": page_context, "photos": photos}
        )
    return _show(request, page_context, photos=photos)


@require_safe
def position(request: HttpRequest) -> HttpResponse:
    """Return JSON with the position in the queue of the photo with the ticket ``?ticket=``."""
    response = JsonResponse({"place": queue_position(request.GET.get("ticket", ""))})
    response["Cache-Control"] = "no-store"
    return response


def preview_totals(request: HttpRequest, page_context: PhotoPageContext) -> HttpResponse:
    """Return JSON with the totals of the reviewed sheets, without storing the sheets."""
    try:
        sheets = parse_sheets(request.POST, page_context)
    except SheetsRefused as problem:
        return JsonResponse({"totals": {}, "problem": str(problem)})
    except scoring_store.Malformed:
        return HttpResponseBadRequest("malformed sheets")
    try:
        check_same_game(sheets, page_context)
        sentence = ""
    except SheetsRefused as problem:
        sentence = str(problem)
    totals: dict[int, int] = {}
    for level in {sheet.level.id: sheet.level for sheet in sheets}.values():
        of_level = [sheet for sheet in sheets if sheet.level == level]
        totals |= _totals(page_context, level, of_level)
    return JsonResponse({"totals": totals, "problem": sentence})


def _totals(
    page_context: PhotoPageContext, level: Level, sheets: Sequence[ReviewedSheet]
) -> dict[int, int]:
    """Return the totals of sheets of one level, by the number of the sheet on the web page."""
    solo = page_context.is_solo(sum(sheet.number == 0 for sheet in sheets))
    if solo is None and not page_context.sheets and store.has_exploded(sheets[0].marks):
        solo = False
    paper = read_paper(level, [one.player for one in sheets], [one.marks for one in sheets], solo)
    scores = score_paper(paper).scores
    return {one.place: score.total for one, score in zip(sheets, scores, strict=True)}


def _take(request: HttpRequest, page_context: PhotoPageContext) -> HttpResponse:
    """Store the reviewed sheets in a scoring, and redirect to the results."""
    device = ensure_device_id(request)
    try:
        sheets = parse_sheets_of_game(request.POST, page_context)
        pictures = _pictures_to_store(request, sheets)
        if pictures and not count_stored_bytes(
            request, sum(len(one.jpeg) for one in pictures.values())
        ):
            raise SheetsRefused(str(REFUSALS["stored-limit"]))
        content = store.form_content(sheets, pictures)
        idempotency_key = idempotency_key_of(request.POST.get("request", ""), content)
        if page_context.access:
            store.add(page_context.access, sheets, device, pictures, idempotency_key)
            key = page_context.access.key
        else:
            key = store.begin(sheets, device, pictures, idempotency_key, page_context.bought)
            add_to_chosen_group(request, scoring_store.find(key).resource)
    except SheetsRefused as problem:
        return refuse(request, page_context, str(problem))
    except scoring_store.Stale as stale:
        return refuse(request, page_context, stale_sentence(stale))
    except scoring_store.Malformed:
        return HttpResponseBadRequest("malformed sheets")
    if wants_json(request):
        return JsonResponse({"url": reverse("score-results", args=[key])})
    return redirect("score-results", key=key)


def _pictures_to_store(
    request: HttpRequest, sheets: Sequence[ReviewedSheet]
) -> dict[int, StoredPicture]:
    """Return the pictures to store, by the number of the sheet on the web page.

    Raises:
        SheetsRefused: a picture cannot be re-encoded now, is too large, or is no JPEG.
    """
    found = {}
    for sheet in sheets:
        file = request.FILES.get(f"picture-{sheet.place}")
        if file is None:
            continue
        if (file.size or 0) > MAX_PICTURE_BYTES:
            raise SheetsRefused(str(REFUSALS["not-kept"]))
        try:
            clean = reencode_picture(request, bytes(file.read()))
        except CannotRead as problem:
            raise SheetsRefused(str(REFUSALS[problem.reason])) from problem
        if clean is None:
            raise SheetsRefused(str(REFUSALS["not-kept"]))
        found[sheet.place] = clean
    return found


def refuse(request: HttpRequest, page_context: PhotoPageContext, sentence: str) -> HttpResponse:
    """Show why the sheets cannot be stored or compared, with status 409."""
    if wants_json(request):
        whose = [[row.number, name, marked > 0] for row, name, marked in page_context.sheets]
        return JsonResponse({"problem": sentence, "whose": whose}, status=409)
    return _show(request, page_context, refusal=sentence, status=409)


@require_safe
@conditional_page
@with_scoring
def picture(request: HttpRequest, access: Access[Scoring], number: int) -> HttpResponse:
    """Return the stored picture of a sheet. Raises Http404 if there is none."""
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
    page_context: PhotoPageContext,
    *,
    photos: Sequence[ReadPhoto] = (),
    refusal: str = "",
    status: int = 200,
) -> HttpResponse:
    context: dict[str, Any] = {
        "page_context": page_context,
        "photos": photos,
        "has_sheets": any(photo.sheets for photo in photos),
        "refusal": refusal,
        "large": REFUSALS["too-large"],
        "busy": REFUSALS["busy"],
    }
    return render(request, "photos/choose.html", context, status=status)


choose = require_safe(for_new_scoring(choose_photos))
choose_open = require_safe(for_existing_scoring(choose_photos))
choose_own = require_safe(for_own_level(choose_photos))
read = posted_or_to("photos")(for_new_scoring(read_photos))
read_open = posted_or_to("photos-open")(for_existing_scoring(read_photos))
read_own = posted_or_to("photos-own")(for_own_level(read_photos))
totals = posted_or_to("photos")(for_new_scoring(preview_totals))
totals_open = posted_or_to("photos-open")(for_existing_scoring(preview_totals))
totals_own = posted_or_to("photos-own")(for_own_level(preview_totals))
take = limited(NEW_SCORINGS)(posted_or_to("photos")(for_new_scoring(_take)))
take_open = limited(SAVES)(posted_or_to("photos-open")(for_existing_scoring(_take)))
take_own = limited(NEW_SCORINGS)(posted_or_to("photos-own")(for_own_level(_take)))
