"""How does a page show a print and give its file, whatever is printed?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.utils.translation import gettext as _

from sheets.geometry import MAX_COPIES, PageOptions, page_size, sheets_per_page
from sheets.http import drawing, works
from sheets.http.limits import PREVIEWS
from sheets.http.print_request import PrintRequest
from sheets.http.processes import Work
from sheets.http.works import MAX_SHOWN
from sheets.printing.booklet import sheet_address
from sheets.printing.sheet import Writing
from sheets.rules import Level
from sheets.texts.languages import reading_language


def filled(level: Level, writings: Sequence[Writing]) -> Work:
    """What draws the sheets of a level with what is written on each."""
    return partial(
        works.printed,
        [level] * len(writings),
        PageOptions(lang=reading_language()),
        writings,
        address=_address(),
    )


def printed(
    request: HttpRequest, wanted: PrintRequest, respond: Callable[[bytes], HttpResponse]
) -> HttpResponse:
    """The file of a print of blank sheets."""
    return drawing.answer(
        request,
        ("print", drawing.content_of(*wanted.levels), wanted.options),
        lambda: partial(works.printed, wanted.levels, wanted.options, address=_address()),
        respond,
    )


def shown_pages(wanted: PrintRequest, address: Callable[[int], str]) -> dict[str, Any]:
    """What ``print/_pages.html`` shows of a print: of all copies one.

    Args:
        wanted: the print.
        address: where a page's drawing is, by its number from 1 (see `drawn_page`).

    Returns:
        ``pages``, how many all copies have; ``shown``, numbers with addresses; ``width`` and
        ``height`` of a page in half millimetres; ``is_wide``.
    """
    once = _once(wanted)
    width, height = page_size(once.options, sheets_per_page(once.levels, once.options))
    return {
        "pages": wanted.pages,
        "shown": [(number, address(number)) for number in range(1, min(once.pages, MAX_SHOWN) + 1)],
        "width": round(width * 2),
        "height": round(height * 2),
        "is_wide": width > height,
    }


def drawn_page(request: HttpRequest, wanted: PrintRequest, number: int) -> HttpResponse:
    """One of the shown pages as a drawing. Raises Http404 where there is none of that number."""
    once = _once(wanted)
    if not 0 < number <= min(once.pages, MAX_SHOWN):
        raise Http404
    return drawing.answer(
        request,
        ("shown-pages", drawing.content_of(*once.levels), once.options),
        lambda: partial(works.shown_pages, once.levels, once.options, address=_address()),
        lambda pages: HttpResponse(works.page_of(pages, number), content_type="image/svg+xml"),
        limit=PREVIEWS,
    )


def _once(wanted: PrintRequest) -> PrintRequest:
    """The same with one copy, as it is shown."""
    return wanted._replace(options=replace(wanted.options, copies=1))


def print_form(query: QueryDict, levels: int) -> dict[str, Any]:
    """What ``print/_options.html`` shows where there are so many levels to choose from.

    Args:
        query: what has been chosen so far; also given as ``query``, for the addresses of pages.
        levels: how many.
    """
    return {
        "query": query.urlencode(),
        "values": {**query.dict(), "perpage": query.get("per-page", "")},
        "most_copies": MAX_COPIES,
        "switches": _switches(levels),
        "language": query.get("lang", reading_language()),
    }


def _switches(levels: int) -> list[tuple[str, str, str]]:
    """Name, label and explanation of each option that is on or off.

    One level has nothing for the back of its paper, and its rules are those of one game.
    """
    rules = _("one more page at the end, for each of the two games")
    found = [
        ("duplex", _("Both sides"), _("two levels are front and back of one sheet")),
        ("bw", _("Black and white"), _("everything can still be told apart")),
        ("large", _("Large"), _("one sheet per page, big black numbers")),
        ("rules", _("Short rules"), rules if levels > 1 else _("one more page at the end")),
        ("no-markers", _("No markers"), _("a photo cannot be read then")),
    ]
    return found if levels > 1 else found[1:]


def _address() -> str:
    return sheet_address(settings.SITE_URL)
