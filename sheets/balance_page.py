"""A balance report as a file of its own, to keep or to send: everything it needs is inside."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from django.contrib.staticfiles import finders
from django.template.loader import render_to_string
from django.utils.safestring import mark_safe
from django.utils.translation import get_language

from sheets.artwork.svg import sheet_ids
from sheets.balance_figures import figures
from sheets.balance_words import sentences
from sheets.rules import Level

STYLES: Final = ("sheets/artwork.css", "sheets/app.css", "sheets/plots.css", "sheets/report.css")


def render_page(level: Level, document: dict[str, Any]) -> str:
    """The whole page, in the language of who is reading."""
    styles = "\n".join(Path(str(finders.find(name))).read_text("utf-8") for name in STYLES)
    # The one picture a style sheet refers to is a file of the site: the page does without.
    styles = styles.replace('url("stroke.svg")', "none")
    return render_to_string(
        "workshop/report_file.html",
        {
            "language": get_language() or "en",
            "level": level,
            "styles": mark_safe(f"<style>{styles}</style>"),  # noqa: S308  our own style sheets
            "drawings": sheet_ids(level),
            "sentences": sentences(level, document),
            "figures": figures(level, document),
            "document": document,
        },
    )
