"""Presentation of a balance report: on a page of the site, as a file, or in a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from django.contrib.staticfiles import finders
from django.template.loader import render_to_string
from django.utils.safestring import mark_safe
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from sheets.art.svg import sheet_ids
from sheets.charts.figure import Figure
from sheets.rules import Level
from sheets.simulation.balance.comparison import level_name
from sheets.simulation.balance.difficulty import describe_difficulty
from sheets.simulation.balance.figures import figures
from sheets.simulation.balance.sentences import format_players, sentences
from sheets.simulation.balance.shipped_figures import OtherLevels

STYLES: Final = tuple(
    f"sheets/{name}.css" for name in ("artwork", "app", "workshop/plots", "workshop/report_file")
)
"""Style sheets that a report's file contains."""


def report_context(
    level: Level, document: Mapping[str, Any], others: OtherLevels
) -> dict[str, Any]:
    """Return the context of a report's templates, with a panel of figures by number of players."""
    found = figures(level, document, others)
    medians = others.compare(1, lambda setting: setting["scores"]["median"])
    ours = (medians.least, medians.most) if medians else None
    counts = dict.fromkeys(figure.players for figure in found if figure.players)
    return {
        "sentences": sentences(level, document, ours),
        "difficulty": describe_difficulty(level, document),
        "figures": [figure for figure in found if not figure.players],
        "panels": [
            (players, format_players(players), [f for f in found if f.players == players])
            for players in counts
        ],
        "chosen": others.chosen,
        "drawings": sorted({*sheet_ids(level), *sheet_ids(others.chosen)}),
        "chosen_name": level_name(others.chosen),
    }


def render_page(level: Level, document: Mapping[str, Any], others: OtherLevels) -> str:
    """Return a report as a self-contained HTML page, in the reader's language."""
    styles = "\n".join(Path(str(finders.find(name))).read_text("utf-8") for name in STYLES)
    return render_to_string(
        "workshop/report_file.html",
        {
            **report_context(level, document, others),
            "language": get_language() or "en",
            "level": level,
            "styles": mark_safe(f"<style>{styles}</style>"),  # noqa: S308  our own style sheets
            "document": document,
        },
    )


def format_report(level: Level, document: Mapping[str, Any], others: OtherLevels) -> str:
    """Return the figures of the page as tables for a terminal, without the plots."""
    found = report_context(level, document, others)
    lines = [_("In three sentences"), ""]
    lines += [f"{place}. {sentence}" for place, sentence in enumerate(found["sentences"], start=1)]
    lines += ["", *found["difficulty"]] if found["difficulty"] else []
    figures = [*found["figures"], *(f for *_panel, panel in found["panels"] for f in panel)]
    for figure in figures:
        lines += ["", *_figure_lines(figure)]
    return "\n".join(lines)


def _figure_lines(figure: Figure) -> Iterator[str]:
    yield figure.title
    yield figure.sentence
    yield ""
    yield from _table([figure.head, *figure.rows])


def _table(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield rows with aligned columns: words to the left, numbers to the right."""
    columns = list(zip(*rows, strict=True))
    sides = ["<" if cells[1][:1].isalpha() else ">" for cells in columns]
    sides[0] = "<"
    widths = [max(map(len, cells)) for cells in columns]
    for row in rows:
        cells = zip(row, sides, widths, strict=True)
        yield f"  {'  '.join(f'{cell:{side}{width}}' for cell, side, width in cells)}".rstrip()
