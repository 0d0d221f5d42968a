"""Pages that score paper sheets in the browser; once loaded, they need no network."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from sheets.levels import find_level, shipped_levels
from sheets.rules import DocumentError
from sheets.scoring.offline import offline_context


@require_safe
def choose(request: HttpRequest) -> HttpResponse:
    """Show the levels, and the games stored on the device."""
    return render(request, "score/offline_levels.html", {"levels": shipped_levels().values()})


@require_safe
def sheets(request: HttpRequest, level_id: str) -> HttpResponse:
    """Show the sheets of a level, which the page's script marks and scores offline."""
    try:
        level = find_level(level_id)
    except DocumentError as error:
        raise Http404 from error
    context = offline_context(level, level.id) | {
        "send_url": reverse("score-import"),
        "stored_url": reverse("score-begin", args=(level.id,)),
    }
    return render(request, "score/offline.html", context)
