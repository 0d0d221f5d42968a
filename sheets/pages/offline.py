"""Pages that browsers keep for offline use (docs/reference.md).

A worker in the browser keeps it (`static/sheets/worker.js`); only browsers that came by TLS, or on
the machine itself, let one work.
"""

from __future__ import annotations

import json
from functools import cache
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

from dizzle_site.release import release
from sheets.levels import shipped_levels
from sheets.texts.languages import in_every_language

WORKER: Final = "sheets/worker.js"
NO_WORKER: Final = "sheets/no_worker.js"
"""What takes its place where nothing is to be kept any more."""

SHELL: Final = (
    *("home", "offline", "rules", "levels", "tally", "score", "score-here"),
    "mine-forget",  # `mine` is kept once opened, and leads there
)
"""The names of the pages that every device keeps, besides those of each level."""

OF_EACH_LEVEL: Final = ("level", "score-here-level")

NEVER: Final = ("table-new", "table-open-file")
"""What looks like the address of a table, and is none."""

WORDS: Final = {
    "memory": _("No network. Offline copy from %s."),
    "lost": _("No network, and that page is not stored here."),
    "again": _("Try again"),
    "unsent": _("No network: what you sent has probably not arrived."),
    "back": _("Back"),
}
"""What the worker writes on pages."""


@require_safe
def worker(request: HttpRequest) -> HttpResponse:
    """Give the script that keeps pages, another one for each release; or the one that ends it."""
    text = _script(NO_WORKER)
    if settings.OFFLINE:
        text = f"const KEPT = {json.dumps(_kept(), ensure_ascii=False)};\n{_script(WORKER)}"
    response = HttpResponse(text, content_type="text/javascript")
    response.headers["Cache-Control"] = "no-cache"
    return response


@require_safe
def offline(request: HttpRequest) -> HttpResponse:
    """Say what works without a network, and lead there."""
    return render(request, "offline.html", {"levels": [*shipped_levels().values()]})


@cache
def _kept() -> dict[str, Any]:
    levels = [reverse(name, args=[level]) for level in shipped_levels() for name in OF_EACH_LEVEL]
    return {
        "release": release(),
        "shell": [*(reverse(name) for name in SHELL), *levels],
        "never": [reverse(name) for name in NEVER],
        "lost": reverse("offline"),
        "alive": reverse("health"),
        "style": static("sheets/pages/offline.css"),
        "words": {name: in_every_language(text) for name, text in WORDS.items()},
    }


def _script(name: str) -> str:
    return Path(str(finders.find(name))).read_text("utf-8")
