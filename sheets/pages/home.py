"""Start page, and small resources of the whole site: theme, manifest, icon, robots.txt."""

from typing import Any, Final
from zlib import crc32

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest, HttpResponseRedirect
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_safe

from sheets.access.devices import keep_private_if_known, token_of
from sheets.art import svg
from sheets.groups.group_choice import groups_of
from sheets.http.post_redirect import posted_or_to
from sheets.levels import shipped_levels
from sheets.library.games import games_of, references_of
from sheets.pages.tutorial.progress import progress_of

THEMES: Final = ("auto", "light", "dark")
"""Choices of the colour scheme; ``auto`` follows the setting of the device."""

DISALLOWED: Final = ("/print/page-", "/print/sheets.pdf", "/workshop/suggest/", "/health/")
"""URL prefixes that cost too much for crawlers. Pages behind a key have ``noindex`` instead."""

GAMES_SHOWN: Final = 3
"""Maximum number of the device's games on the start page."""

_YEAR_S: Final = 365 * 24 * 3600
"""Lifetime of the theme's cookie, in seconds."""

_DAY_S: Final = 24 * 3600
"""Time that clients may cache icon and robots.txt, in seconds."""


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Show the device's latest games and groups, and what the site can do."""
    token = token_of(request)
    entries = references_of(token)
    groups = groups_of(token)
    progress = progress_of(request)
    context = {
        **_picture(),
        "games": games_of(token, entries[:GAMES_SHOWN]),
        "game_count": len(entries),
        "groups": groups,
        "tutorial": progress,
        "is_new": not (entries or groups or progress.is_finished),
    }
    return keep_private_if_known(request, render(request, "home.html", context))


def _picture() -> dict[str, Any]:
    """Return the context of the illustration: a sheet with some crosses near the printed ones."""
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
        "drawings": drawings
        | {"gem-yellow", "key-blue", "puzzle-green", "die-5", "flag-red", "die2-1-4"},
    }


@posted_or_to("home")
def theme(request: HttpRequest) -> HttpResponse:
    """Store the chosen colour scheme in a cookie."""
    chosen = request.POST.get("theme", "")
    if chosen not in THEMES:
        return HttpResponseBadRequest("malformed theme")
    response = HttpResponseRedirect(_return_url(request))
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
    """Return the web app manifest, with which phones add the site to the home screen."""
    return render(request, "manifest.webmanifest", content_type="application/manifest+json")


@require_safe
def icon(request: HttpRequest) -> HttpResponse:
    """Redirect ``/favicon.ico``, which clients request without reading a page, to the icon."""
    return _cached(HttpResponseRedirect(static("sheets/icon-180.png")))


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    """Return robots.txt, which excludes pages that are expensive to compute."""
    lines = ("User-agent: *", *(f"Disallow: {path}" for path in DISALLOWED))
    return _cached(HttpResponse("\n".join((*lines, "")), content_type="text/plain"))


def _cached(response: HttpResponse) -> HttpResponse:
    response.headers["Cache-Control"] = f"public, max-age={_DAY_S}"
    return response


def _return_url(request: HttpRequest) -> str:
    """Return the URL of the page with the form, if it is on this site, else the start page."""
    wanted = request.POST.get("next", "")
    ours = url_has_allowed_host_and_scheme(
        wanted, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return wanted if ours else reverse("home")
