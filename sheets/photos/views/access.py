"""Decorators that check access to photo pages and pass each view its `PhotoPageContext`."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from dizzle_site.errors import wants_json
from sheets.access.export_rules import own_empty_sheet
from sheets.access.keys import Access, only_editors
from sheets.http.inline_picture_csp import allow_data_pictures
from sheets.http.view_type import View
from sheets.levels import shipped_levels
from sheets.models import Scoring, WorkshopLevel
from sheets.photos.page_context import PhotoPageContext
from sheets.photos.read_files import ReadPhoto
from sheets.rules import Level
from sheets.scoring.score_view import score
from sheets.scoring.views.access import with_scoring
from sheets.workshop import empty_sheets
from sheets.workshop.store import bought
from sheets.workshop.views.access import with_finished

PhotoPageView = Callable[[HttpRequest, PhotoPageContext], HttpResponse]
"""View of a photo page."""


def with_shipped(level: Level) -> tuple[Level, ...]:
    """Return the expected level, then all shipped ones.

    Photo reading searches for all of them, so that it recognises a sheet of a wrong level.
    """
    return (level, *(one for one in shipped_levels().values() if one.id != level.id))


def for_new_scoring(view: PhotoPageView) -> View:
    """Decorate a view of photos that begin a scoring; ``?level=level-3`` may name the level."""

    @allow_data_pictures
    @wraps(view)
    def wrapper(request: HttpRequest) -> HttpResponse:
        levels = shipped_levels()
        known = levels.get(request.GET.get("level", ""))
        back = reverse("score-begin", args=[known.id]) if known else reverse("score")
        query = f"?level={known.id}" if known else ""
        page_context = PhotoPageContext(
            tuple(levels.values()),
            address=reverse("photos"),
            back=back,
            # Without a named level, sheets without a readable code are compared with all levels.
            known=(known,) if known else tuple(levels.values()),
            query=query,
        )
        return view(request, page_context)

    return wrapper


def for_existing_scoring(view: PhotoPageView) -> View:
    """Decorate a view of photos whose sheets are added to a scoring."""

    @allow_data_pictures
    @with_scoring
    @only_editors
    @wraps(view)
    def wrapper(request: HttpRequest, access: Access[Scoring]) -> HttpResponse:
        empty = own_empty_sheet(access.resource, request.session)
        if access.resource.is_bought and not empty:
            return refuse_without_empty_sheet(request, reverse("score-results", args=[access.key]))
        scored = score(access.resource)
        rows = zip(scored.sheets, scored.names, map(len, scored.marks), strict=True)
        asked = request.GET.get("sheet", "")
        first = next((row.number for row in scored.sheets if str(row.number) == asked), 0)
        page_context = PhotoPageContext(
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
        return view(request, page_context)

    return wrapper


def for_own_level(view: PhotoPageView) -> View:
    """Decorate a view of photos of a workshop level's sheets, which begin a scoring."""

    @allow_data_pictures
    @with_finished
    @wraps(view)
    def wrapper(request: HttpRequest, access: Access[WorkshopLevel], level: Level) -> HttpResponse:
        of_pad = bought(access)
        # Only editors of the level may use its picture.
        empty = empty_sheets.find(of_pad) if of_pad and access.can_edit else None
        if of_pad and not empty:
            return refuse_without_empty_sheet(request, reverse("workshop-score", args=[access.key]))
        page_context = PhotoPageContext(
            with_shipped(level),
            address=reverse("photos-own", args=[access.key]),
            back=reverse("workshop-score", args=[access.key]),
            known=(level,),
            wanted=level,
            empty=empty,
            bought=of_pad,
        )
        return view(request, page_context)

    return wrapper


def refuse_without_empty_sheet(request: HttpRequest, way: str) -> HttpResponse:
    """Refuse to read sheets of a bought pad if the photo of its empty sheet is gone.

    The sheets have no markers, so they cannot be read without that photo. If the photo was deleted
    while a page was open, the answer is a fragment or JSON, so that the page keeps its content.
    Other requests are redirected to ``way``.
    """
    sentence = _("The photo of the empty sheet is gone, so sheets of it cannot be read any more.")
    if wants_json(request):
        return JsonResponse({"problem": sentence}, status=409)
    if "part" in request.POST:
        photos = [ReadPhoto("", [], refused=sentence)]
        return render(request, "photos/_photos.html", {"photos": photos})
    return redirect(way)
