"""What does the start page show, and what belongs to every page's frame?"""

from functools import cache
from typing import Any
from zlib import crc32

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest, HttpResponseRedirect
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_safe

from sheets.access.devices import keep_private_if_known, token_of
from sheets.artwork import svg
from sheets.groups.choice import groups_of
from sheets.http.posted import posted_or_to
from sheets.levels import shipped_levels
from sheets.mine.games import entries_of, games_of

THEMES = ("auto", "light", "dark")
COSTLY = ("/print/page-", "/print/sheets.pdf", "/workshop/suggest/", "/health/")
"""What robots shall not ask for. Pages that only their owners know say so themselves (noindex)."""
GAMES_SHOWN = 3
_YEAR_S = 365 * 24 * 3600


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Show the games that are going on, what one can do here, and what was scored here."""
    token = token_of(request)
    entries = entries_of(token)
    games = games_of(token, entries[:GAMES_SHOWN])
    context = {
        **_picture(),
        "games": games,
        "game_count": len(entries),
        "groups": groups_of(token),
    }
    return keep_private_if_known(request, render(request, "home.html", context))


@cache
def _picture() -> dict[str, Any]:
    """A sheet in the middle of a game, to look at: crosses near the printed ones, with gaps."""
    level = next(iter(shipped_levels().values()))
    reached = level.mask(field.name for field in level.fields if field.printed)
    for _step in range(3):
        reached |= level.touching(reached)
    marks = {
        field.name: ("exploded" if field.symbol == "bomb" else "cross",)
        for field in level.fields
        if reached & level.mask([field.name])
        and not field.printed
        and crc32(field.name.encode()) % 4
    }
    drawings = svg.sheet_ids(level, ("cross", "exploded"))
    return {
        "level": level,
        "marks": marks,
        "drawings": drawings | {"puzzle-green", "die-5", "flag-red", "die2-1-4"},
    }


@posted_or_to("home")
def theme(request: HttpRequest) -> HttpResponse:
    """Remember on this device whether pages are light, dark, or as the device has it."""
    chosen = request.POST.get("theme", "")
    if chosen not in THEMES:
        return HttpResponseBadRequest("malformed theme")
    response = HttpResponseRedirect(_way_back(request))
    if chosen == "auto":
        response.delete_cookie("theme", samesite="Lax")
    else:
        response.set_cookie(
            "theme",
            chosen,
            max_age=_YEAR_S,
            secure=bool(settings.SITE_URL),
            httponly=True,
            samesite="Lax",
        )
    return response


@require_safe
def manifest(request: HttpRequest) -> HttpResponse:
    """Tell phones how to keep the site on their home screen."""
    return render(request, "manifest.webmanifest", content_type="application/manifest+json")


@require_safe
def icon(request: HttpRequest) -> HttpResponse:
    """Lead to the icon who asks for it where icons used to be, without having read a page."""
    return _kept(HttpResponseRedirect(static("sheets/icon-180.png")))


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    """Keep robots from having drawn what nobody will look at."""
    lines = ("User-agent: *", *(f"Disallow: {path}" for path in COSTLY))
    return _kept(HttpResponse("\n".join((*lines, "")), content_type="text/plain"))


def _kept(response: HttpResponse) -> HttpResponse:
    response.headers["Cache-Control"] = f"public, max-age={24 * 3600}"
    return response


def _way_back(request: HttpRequest) -> str:
    """The page the form stands on, if it is one of ours."""
    wanted = request.POST.get("next", "")
    ours = url_has_allowed_host_and_scheme(
        wanted, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return wanted if ours else reverse("home")
