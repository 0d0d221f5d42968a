"""Tasks of the process pool: each function runs in a worker, in the active language.

Arguments and results are pickled. Only `page_of` runs in the server.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from io import BytesIO
from itertools import islice
from typing import Any, Final

from django.utils.translation import gettext as _

from sheets.art.render.pdf import write_pdf
from sheets.art.render.svg import draw_svg
from sheets.printing.booklet import draw_booklet, name_booklet
from sheets.printing.geometry import PageOptions
from sheets.printing.pictures.sheet import draw_sheet
from sheets.printing.pictures.year import YearTile, draw_year
from sheets.printing.result import CategoryRow, draw_result_page
from sheets.printing.sheet import Writing
from sheets.rules import Level, Score
from sheets.rules.marks import Marks
from sheets.scoring.picture import draw_picture, draw_result_picture, verdict_of
from sheets.scoring.ranking import Standing
from sheets.scoring.score_view import ComparisonRow
from sheets.simulation.balance.presentation import report_context
from sheets.simulation.balance.shipped_figures import OtherLevels
from sheets.simulation.balance.trial import Trial, try_level
from sheets.text.symbols import in_language
from sheets.workshop.suggest.suggestion import SuggestionRequest
from sheets.workshop.suggest.tuning import suggest

MAX_SHOWN: Final = 24
"""Maximum number of pages in the preview of a print."""

_SEPARATOR: Final = b"\0"
"""Separator between two drawings, a byte that no SVG contains."""


def scored_picture(level: Level, marks: Marks, player: str, score: Score, day: str) -> bytes:
    """Return a player's sheet with its score as a PNG."""
    return draw_picture(level, marks, player, score, day)


def result_picture(
    title: str,
    standing: Standing,
    rows: Sequence[ComparisonRow],
    level: Level | None = None,
    sheets: Sequence[Marks] = (),
    *,
    day: str,
) -> bytes:
    """Return the results of all players as a PNG."""
    return draw_result_picture(title, standing, rows, level, sheets, day)


def result_on_paper(
    title: str, standing: Standing, rows: Sequence[ComparisonRow], *, day: str, lang: str
) -> bytes:
    """Return the results of all players as a PDF of one page."""
    file = BytesIO()
    page = draw_result_page(
        title,
        verdict_of(standing),
        [rank.name for rank in standing.ranks],
        [CategoryRow(row.name, row.sign, row.amounts) for row in rows],
        [rank.score.total for rank in standing.ranks],
        day=day,
    )
    write_pdf([page], file, title=f"Dizzle Companion: {title}", lang=lang)
    return file.getvalue()


def year_picture(
    year: int,
    name: str,
    headline: str,
    tiles: Sequence[tuple[str, str, str, str]],
    favourite: str,
    level: Level | None,
    marks: Marks,
) -> bytes:
    """Return the facts about a group's year as a PNG."""
    return draw_year(
        str(year),
        name,
        headline,
        [YearTile(*tile) for tile in tiles],
        favourite,
        level,
        marks,
        footer="Dizzle Companion",
    )


def blank_picture(level: Level) -> bytes:
    """Return a level's empty sheet as a PNG."""
    return draw_sheet(level, {}, title=in_language(level.name))


def printed(
    levels: Sequence[Level],
    options: PageOptions,
    writings: Sequence[Writing] = (),
    *,
    address: str,
) -> bytes:
    """Return the pages of `draw_booklet` as a PDF."""
    file = BytesIO()
    pages = draw_booklet(levels, options, writings, address=address)
    title = name_booklet(levels, options)
    write_pdf(pages, file, title=title, lang=options.lang, is_duplex=options.duplex)
    return file.getvalue()


def shown_pages(
    levels: Sequence[Level],
    options: PageOptions,
    writings: Sequence[Writing] = (),
    *,
    address: str,
) -> bytes:
    """Return the first `MAX_SHOWN` pages as SVG drawings in one result, see `page_of`.

    Browsers request each page separately. A task for one page would also draw the pages before it.
    """
    pages = draw_booklet(levels, options, writings, address=address)
    return _SEPARATOR.join(
        draw_svg(page, _("Page %(number)d") % {"number": number}).encode()
        for number, page in enumerate(islice(pages, MAX_SHOWN), start=1)
    )


def page_of(shown: bytes, number: int) -> bytes:
    """Return one page of the result of `shown_pages`; ``number`` counts from 1."""
    return shown.split(_SEPARATOR)[number - 1]


def suggestion(wanted: SuggestionRequest) -> dict[str, Any]:
    """Return the document of a suggested level. Raises CannotSuggest."""
    return suggest(wanted)


def trial(level: Level) -> Trial | None:
    """Return the results of a few solo games of bots; None if the level has no solo games."""
    return try_level(level)


def report(level: Level, measured: Mapping[str, Any], others: OtherLevels) -> dict[str, Any]:
    """Return the sentences and plots of a balance report, for its templates."""
    return report_context(level, measured, others)
