"""Offline use: the service worker and the pages that it stores (docs/reference.md).

Browsers run the service worker (`static/sheets/worker.js`) only over TLS or on localhost.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.contrib.staticfiles import finders
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from dizzle_site.release_fingerprint import release
from sheets.levels import shipped_levels
from sheets.pages.tutorial.steps import STEPS
from sheets.text.languages import in_every_language

WORKER: Final = "sheets/worker.js"
"""Script of the service worker."""

NO_WORKER: Final = "sheets/no_worker.js"
"""Script that replaces the service worker and removes its cache when offline use is off."""

SHELL: Final = (
    *("home", "offline", "rules", "tutorial", "levels", "tally", "score", "score-here"),
    "mine-forget",  # linked from `mine`, which is stored once it was opened
)
"""URL names of the pages that each device stores in advance, next to `LEVEL_PAGES`.

It also stores the steps of the tutorial.
"""

LEVEL_PAGES: Final = ("level", "score-here-level")
"""URL names of the pages that each device stores in advance for each shipped level."""

NEVER_CACHED: Final = ("table-new", "table-open-file")
"""URL names of pages that devices never store, although their URLs look like pages of tables."""

WORDS: Final = {
    "memory": _("No network. Offline copy from %s."),
    "lost": _("No network, and that page is not stored here."),
    "again": _("Try again"),
    "unsent": _("No network: what you sent has probably not arrived."),
    "back": _("Back"),
}
"""Texts that the service worker adds to pages."""


@require_safe
def worker(request: HttpRequest) -> HttpResponse:
    """Return the service worker, which differs for each release, or the script that removes it."""
    text = _script(NO_WORKER)
    if settings.OFFLINE:
        text = f"const KEPT = {json.dumps(_settings(), ensure_ascii=False)};\n{_script(WORKER)}"
    response = HttpResponse(text, content_type="text/javascript")
    response.headers["Cache-Control"] = "no-cache"
    return response


@require_safe
def offline(request: HttpRequest) -> HttpResponse:
    """Show what works without a network, with links."""
    return render(request, "offline.html", {"levels": [*shipped_levels().values()]})


def _settings() -> dict[str, Any]:
    """Return the settings of the service worker, its constant ``KEPT``."""
    levels = [reverse(name, args=[level]) for level in shipped_levels() for name in LEVEL_PAGES]
    steps = [reverse("tutorial-step", args=[number]) for number in range(1, len(STEPS) + 1)]
    return {
        "release": release(),
        "shell": [*(reverse(name) for name in SHELL), *steps, *levels],
        "never": [reverse(name) for name in NEVER_CACHED],
        "lost": reverse("offline"),
        "alive": reverse("health"),
        "style": static("sheets/pages/offline.css"),
        "words": {name: in_every_language(text) for name, text in WORDS.items()},
    }


def _script(name: str) -> str:
    return Path(str(finders.find(name))).read_text("utf-8")
