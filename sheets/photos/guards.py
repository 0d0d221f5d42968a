"""Decorators that check access to photo pages and pass each view its `Desk`."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from sheets.access.export_rules import own_empty_sheet
from sheets.access.keys import Access, only_editors
from sheets.http.json_body import wants_json
from sheets.http.own_pictures import showing_pictures
from sheets.http.view import View
from sheets.levels import shipped_levels
from sheets.models import Scoring, WorkshopLevel
from sheets.photos.desk import Desk
from sheets.photos.read import ReadPhoto
from sheets.rules import Level
from sheets.scoring.score_view import score
from sheets.scoring.views.access import with_scoring
from sheets.workshop import empty_sheets
from sheets.workshop.store import bought
from sheets.workshop.views.access import with_finished

DeskView = Callable[[HttpRequest, Desk], HttpResponse]
"""View of a photo page."""


def with_shipped(level: Level) -> tuple[Level, ...]:
    """Return the expected level and all shipped ones, so that their sheets are recognised, too."""
    return (level, *(one for one in shipped_levels().values() if one.id != level.id))


def for_new(view: DeskView) -> View:
    """Decorate a view of photos that begin a scoring; ``?level=level-3`` names their level."""

    @showing_pictures
    @wraps(view)
    def guarded(request: HttpRequest) -> HttpResponse:
        levels = shipped_levels()
        known = levels.get(request.GET.get("level", ""))
        back = reverse("score-begin", args=[known.id]) if known else reverse("score")
        query = f"?level={known.id}" if known else ""
        desk = Desk(
            tuple(levels.values()),
            address=reverse("photos"),
            back=back,
            # Without a named level, the print decides between all of them if no code is read.
            known=(known,) if known else tuple(levels.values()),
            query=query,
        )
        return view(request, desk)

    return guarded


def for_open(view: DeskView) -> View:
    """Decorate a view of photos whose sheets are added to a scoring."""

    @showing_pictures
    @with_scoring
    @only_editors
    @wraps(view)
    def guarded(request: HttpRequest, access: Access[Scoring]) -> HttpResponse:
        empty = own_empty_sheet(access.thing, request.session)
        if access.thing.is_bought and not empty:
            return no_photos(request, reverse("score-results", args=[access.key]))
        scored = score(access.thing)
        rows = zip(scored.sheets, scored.names, map(len, scored.marks), strict=True)
        asked = request.GET.get("sheet", "")
        first = next((row.number for row in scored.sheets if str(row.number) == asked), 0)
        desk = Desk(
            with_shipped(scored.level),
            address=reverse("photos-open", args=[access.key]),
            back=reverse("score-sheet", args=[access.key, first or scored.sheets[0].number]),
            known=(scored.level,),
            query=f"?sheet={first}" if first else "",
            wanted=scored.level,
            access=access,
            sheets=tuple(rows),
            first=first,
            empty=empty,
        )
        return view(request, desk)

    return guarded


def for_own(view: DeskView) -> View:
    """Decorate a view of photos of a workshop level's sheets, which begin a scoring."""

    @showing_pictures
    @with_finished
    @wraps(view)
    def guarded(request: HttpRequest, access: Access[WorkshopLevel], level: Level) -> HttpResponse:
        of_pad = bought(access)
        # Only editors of the level may use its picture.
        empty = empty_sheets.find(of_pad) if of_pad and access.can_edit else None
        if of_pad and not empty:
            return no_photos(request, reverse("workshop-score", args=[access.key]))
        desk = Desk(
            with_shipped(level),
            address=reverse("photos-own", args=[access.key]),
            back=reverse("workshop-score", args=[access.key]),
            known=(level,),
            wanted=level,
            empty=empty,
            bought=of_pad,
        )
        return view(request, desk)

    return guarded


def no_photos(request: HttpRequest, way: str) -> HttpResponse:
    """Refuse photos of a bought pad without the photo of its empty sheet.

    The pad's sheets have no markers, so they cannot be read without it. If it was deleted while a
    page was open, the fragment or JSON leaves the page's content in place.
    """
    sentence = _("The photo of the empty sheet is gone, so sheets of it cannot be read any more.")
    if wants_json(request):
        return JsonResponse({"problem": sentence}, status=409)
    if "part" in request.POST:
        photos = [ReadPhoto("", [], refused=sentence)]
        return render(request, "photos/_photos.html", {"photos": photos})
    return redirect(way)
