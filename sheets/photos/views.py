"""The pages on which sheets are photographed: send photos, look at what was read, take it over."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Sequence
from functools import partial, wraps
from typing import Any, Final, NamedTuple, cast

from csp.decorators import csp_update
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBadRequest, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from sheets.access.keys import Access, only_editors
from sheets.documents.decoding import ACT_ID
from sheets.http.json_body import wants_json
from sheets.http.limits import NEW_SCORINGS, limited
from sheets.http.posted import posted_or_to
from sheets.http.processes import Work
from sheets.http.reading import LineFull, NotRead, TooOften, have_read, place_in_line
from sheets.http.view import View
from sheets.levels import shipped_levels
from sheets.models import Scoring, WorkshopLevel
from sheets.photos import taking, work
from sheets.photos.desk import Desk
from sheets.photos.kept import drop_picture, find_picture
from sheets.photos.seen import Kept, unpack, unpack_kept
from sheets.photos.shown import ShownSheet, show_sheets
from sheets.photos.taken import (
    CannotTake,
    TakenSheet,
    read_sheets,
    read_taken,
    refuse_together,
)
from sheets.rules import Level
from sheets.rules.paper import score_paper
from sheets.scoring import store
from sheets.scoring.marks import read_paper
from sheets.scoring.score_view import score
from sheets.scoring.views.access import name_device, with_scoring
from sheets.scoring.views.sheet import stale_sentence
from sheets.texts.photos import AGAIN, REFUSALS
from sheets.workshop.store import bought
from sheets.workshop.views.access import with_finished

MOST_KEPT_BYTES: Final = 1_500_000

DeskView = Callable[[HttpRequest, Desk], HttpResponse]


def showing_pictures(view: View) -> View:
    """Nothing that was read is kept, so its pictures have no addresses but their own content."""
    return cast(View, csp_update({"img-src": ["data:"]})(view))


class ReadPhoto(NamedTuple):
    """A photo that was sent: its sheets, or ``why`` there are none, a name of `REFUSALS`."""

    name: str
    sheets: list[ShownSheet]
    why: str = ""

    @property
    def refused(self) -> str:
        """The sentence of ``why``."""
        return str(REFUSALS[self.why]) if self.why else ""

    @property
    def is_again(self) -> bool:
        """Whether the same photo may be sent once more."""
        return self.why in AGAIN


def _for_new(view: DeskView) -> View:
    """Of photos that begin a scoring. ``?level=level-3`` says what sheets are."""

    @showing_pictures
    @wraps(view)
    def guarded(request: HttpRequest) -> HttpResponse:
        levels = shipped_levels()
        known = levels.get(request.GET.get("level", ""))
        back = reverse("score-begin", args=[known.id]) if known else reverse("score")
        query = f"?level={known.id}" if known else ""
        known_ones = (known,) if known else ()
        return view(request, Desk((*levels.values(),), reverse("photos"), back, known_ones, query))

    return guarded


def _for_open(view: DeskView) -> View:
    """Of photos of sheets of a scoring."""

    @showing_pictures
    @with_scoring
    @only_editors
    @wraps(view)
    def guarded(request: HttpRequest, access: Access[Scoring]) -> HttpResponse:
        if access.thing.is_bought:  # its pad has no markers
            return redirect("score-results", key=access.key)
        scored = score(access.thing)
        others = [level for level in shipped_levels().values() if level.id != scored.level.id]
        rows = zip(scored.sheets, scored.names, map(len, scored.marks), strict=True)
        asked = request.GET.get("sheet", "")
        first = next((row.number for row in scored.sheets if str(row.number) == asked), 0)
        desk = Desk(
            (scored.level, *others),
            reverse("photos-open", args=[access.key]),
            reverse("score-sheet", args=[access.key, first or scored.sheets[0].number]),
            (scored.level,),
            f"?sheet={first}" if first else "",
            scored.level,
            access,
            tuple(rows),
            first,
        )
        return view(request, desk)

    return guarded


def _for_own(view: DeskView) -> View:
    """Of photos of a level of one's own, that begin a scoring."""

    @showing_pictures
    @with_finished
    @wraps(view)
    def guarded(request: HttpRequest, access: Access[WorkshopLevel], level: Level) -> HttpResponse:
        if bought(access):  # its pad has no markers
            return redirect("workshop-score", key=access.key)
        others = (one for one in shipped_levels().values() if one.id != level.id)
        address = reverse("photos-own", args=[access.key])
        back = reverse("workshop-score", args=[access.key])
        return view(request, Desk((level, *others), address, back, (level,), "", level))

    return guarded


def choose_photos(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Ask for photos."""
    return _show(request, desk)


def read_photos(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Read the photos that were sent, and show what was read.

    To our script, which sends one photo at a time, only that, as the part of a page.
    """
    first = (
        int(number) if re.fullmatch("[1-9][0-9]?", number := request.POST.get("first", "")) else 1
    )
    photos: list[ReadPhoto] = []
    for file in request.FILES.getlist("photo"):
        photo = _read_one(request, desk, file.name or "", bytes(file.read()), first)
        first += len(photo.sheets)
        photos.append(photo)
    if not photos:
        photos = [ReadPhoto("", [], "no-file")]
    if "part" in request.POST:
        return render(request, "photos/_photos.html", {"desk": desk, "photos": photos})
    return _show(request, desk, photos=photos)


class CannotRead(Exception):
    """The reading process did not do what it was asked for; ``why`` is a name of `REFUSALS`."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


def _have_read(request: HttpRequest, asked: Work) -> bytes:
    """What the reading process gives. Raises CannotRead."""
    try:
        return have_read(request, asked, request.POST.get("ticket", ""))
    except (LineFull, TooOften, NotRead) as problem:
        why = {LineFull: "busy", TooOften: "too-often", NotRead: "not-read"}
        raise CannotRead(why[type(problem)]) from problem


def _read_one(request: HttpRequest, desk: Desk, name: str, data: bytes, first: int) -> ReadPhoto:
    try:
        seen = unpack(_have_read(request, partial(work.read, data, desk.levels, desk.known)))
    except CannotRead as problem:
        return ReadPhoto(name, [], problem.why)
    if seen.refused:
        return ReadPhoto(name, [], seen.refused)
    return ReadPhoto(name, show_sheets(desk, seen.sheets, first))


@require_safe
def line(request: HttpRequest) -> HttpResponse:
    """Say how many photos are read before the one with ``?ticket=``."""
    response = JsonResponse({"place": place_in_line(request.GET.get("ticket", ""))})
    response["Cache-Control"] = "no-store"
    return response


def sum_up_sheets(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Say what the sheets come to as they stand on the page; nothing is kept."""
    try:
        sheets = read_sheets(request.POST, desk)
    except CannotTake as problem:
        return JsonResponse({"totals": {}, "problem": str(problem)})
    except store.Malformed:
        return HttpResponseBadRequest("malformed sheets")
    try:
        refuse_together(sheets, desk)
        problem_said = ""
    except CannotTake as problem:
        problem_said = str(problem)
    totals: dict[int, int] = {}
    for level in {sheet.level.id: sheet.level for sheet in sheets}.values():
        of_level = [sheet for sheet in sheets if sheet.level == level]
        totals |= _totals(desk, level, of_level)
    return JsonResponse({"totals": totals, "problem": problem_said})


def _totals(desk: Desk, level: Level, sheets: Sequence[TakenSheet]) -> dict[int, int]:
    """What sheets of a level come to, by their places on the page."""
    solo = desk.is_solo(sum(not sheet.number for sheet in sheets))
    if solo is None and not desk.sheets and taking.has_exploded(sheets[0].marks):
        solo = False
    paper = read_paper(level, [one.player for one in sheets], [one.marks for one in sheets], solo)
    scores = score_paper(paper).scores
    return {one.place: score.total for one, score in zip(sheets, scores, strict=True)}


def _take(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Take the sheets over as they stand on the page, and show who has won."""
    device = name_device(request)
    try:
        sheets = read_taken(request.POST, desk)
        pictures = _pictures_kept(request, sheets)
        if desk.access:
            request_id = request.POST.get("request", "")
            known = request_id if re.fullmatch(ACT_ID, request_id) else ""
            taking.add(desk.access, sheets, device, pictures, known)
            key = desk.access.key
        else:
            key = taking.begin(sheets, device, pictures)
    except CannotTake as problem:
        return refuse(request, desk, str(problem))
    except store.Stale as stale:
        return refuse(request, desk, stale_sentence(stale))
    except store.Malformed:
        return HttpResponseBadRequest("malformed sheets")
    if wants_json(request):
        return JsonResponse({"url": reverse("score-results", args=[key])})
    return redirect("score-results", key=key)


def _pictures_kept(request: HttpRequest, sheets: Sequence[TakenSheet]) -> dict[int, Kept]:
    """The pictures that are to be kept, by the sheets' places on the page.

    Raises:
        CannotTake: they cannot be written just now.
        Malformed: our page sends no such file.
    """
    found = {}
    for sheet in sheets:
        file = request.FILES.get(f"picture-{sheet.place}")
        if file is None:
            continue
        if (file.size or 0) > MOST_KEPT_BYTES:
            raise store.Malformed("picture")
        try:
            packed = _have_read(request, partial(work.clean, bytes(file.read())))
        except CannotRead as problem:
            raise CannotTake(str(REFUSALS[problem.why])) from problem
        if not packed:
            raise store.Malformed("picture")
        found[sheet.place] = unpack_kept(packed)
    return found


def refuse(request: HttpRequest, desk: Desk, sentence: str) -> HttpResponse:
    if wants_json(request):
        whose = [[row.number, name, marked > 0] for row, name, marked in desk.sheets]
        return JsonResponse({"problem": sentence, "whose": whose}, status=409)
    return _show(request, desk, refusal=sentence, status=409)


@require_safe
@with_scoring
def picture(request: HttpRequest, access: Access[Scoring], number: int) -> HttpResponse:
    """The photo of a sheet, laid flat, where it was kept."""
    if not (found := find_picture(access, number)):
        raise Http404
    response = HttpResponse(bytes(found.jpeg), content_type="image/jpeg")
    response["Cache-Control"] = "private, no-cache"
    return response


@posted_or_to("score-sheet")
@with_scoring
@only_editors
def drop(request: HttpRequest, access: Access[Scoring], number: int) -> HttpResponse:
    """Delete the photo of a sheet."""
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
        "refusal": refusal,
        "request_id": secrets.token_urlsafe(12),
        "large": REFUSALS["too-large"],
        "busy": REFUSALS["busy"],
    }
    return render(request, "photos/choose.html", context, status=status)


choose = require_safe(_for_new(choose_photos))
choose_open = require_safe(_for_open(choose_photos))
choose_own = require_safe(_for_own(choose_photos))
read = posted_or_to("photos")(_for_new(read_photos))
read_open = posted_or_to("photos-open")(_for_open(read_photos))
read_own = posted_or_to("photos-own")(_for_own(read_photos))
sum_up = posted_or_to("photos")(_for_new(sum_up_sheets))
sum_up_open = posted_or_to("photos-open")(_for_open(sum_up_sheets))
sum_up_own = posted_or_to("photos-own")(_for_own(sum_up_sheets))
take = limited(NEW_SCORINGS)(posted_or_to("photos")(_for_new(_take)))
take_open = posted_or_to("photos-open")(_for_open(_take))
take_own = limited(NEW_SCORINGS)(posted_or_to("photos-own")(_for_own(_take)))
