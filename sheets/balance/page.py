"""What a balance report shows, on a page of the site or as a file of its own."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from django.contrib.staticfiles import finders
from django.template.loader import render_to_string
from django.utils.safestring import mark_safe
from django.utils.translation import get_language

from sheets.artwork.svg import sheet_ids
from sheets.balance.figure import level_name
from sheets.balance.figures import figures
from sheets.balance.shipped import Company
from sheets.balance.words import players_words, sentences
from sheets.rules import Level

STYLES: Final = tuple(
    f"sheets/{name}.css" for name in ("artwork", "app", "parts", "plots", "report")
)


def shown(level: Level, document: Mapping[str, Any], company: Company) -> dict[str, Any]:
    """What the templates of a report need: sentences, figures, and a panel by number of players."""
    found = figures(level, document, company)
    counts = dict.fromkeys(figure.players for figure in found if figure.players)
    return {
        "sentences": sentences(level, document),
        "figures": [figure for figure in found if not figure.players],
        "panels": [
            (players, players_words(players), [f for f in found if f.players == players])
            for players in counts
        ],
        "chosen": company.chosen,
        "chosen_name": level_name(company.chosen),
    }


def render_page(level: Level, document: Mapping[str, Any], company: Company) -> str:
    """A report as a page that can be kept or sent, in the language of who is reading."""
    styles = "\n".join(Path(str(finders.find(name))).read_text("utf-8") for name in STYLES)
    # The one picture a style sheet refers to is a file of the site: the page does without.
    styles = styles.replace('url("stroke.svg")', "none")
    return render_to_string(
        "workshop/report_file.html",
        {
            **shown(level, document, company),
            "language": get_language() or "en",
            "level": level,
            "styles": mark_safe(f"<style>{styles}</style>"),  # noqa: S308  our own style sheets
            "drawings": sheet_ids(level),
            "document": document,
        },
    )
