"""Print: choose levels, see the exact pages, get the file."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from io import BytesIO
from itertools import islice
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from sheets.geometry import PageOptions, page_size, sheets_per_page
from sheets.levels import shipped_levels
from sheets.print_request import DICE2, PrintRequest, Refusal, is_chosen, read_levels, read_request
from sheets.printing.booklet import (
    draw_booklet,
    name_booklet,
    sheet_address,
)
from sheets.printing.filled import paper_writings
from sheets.printing.items import DrawnPage
from sheets.printing.pdf import write_pdf
from sheets.printing.svg import draw_svg
from sheets.scoring.scored import score
from sheets.scoring.scorings import Door
from sheets.views.score_door import with_door

MAX_SHOWN = 24
"""Pages that are shown as drawings; copies of them are not."""


@require_safe
def print_page(request: HttpRequest) -> HttpResponse:
    """Show the choices and the pages they make."""
    context: dict[str, Any] = {
        "levels": shipped_levels().values(),
        "chosen": {level.id for level in read_levels(request.GET)},
        "has_dice2": DICE2 in request.GET.getlist("level"),
        "query": request.GET.urlencode(),
        "values": {**request.GET.dict(), "perpage": request.GET.get("per-page", "")},
        "switches": print_switches(levels=len(shipped_levels())),
        "language": request.GET.get("lang", _language()),
    }
    try:
        wanted = read_request(request.GET, _language())
    except Refusal as refusal:
        return render(request, "print/print.html", {**context, "refusal": refusal}, status=400)
    context |= shown_pages(wanted, lambda number: reverse("print-preview", args=[number]))
    context["pdf"] = reverse("print-pdf")
    if not is_chosen(request.GET):
        context["query"] = _query(wanted)
    return render(request, "print/print.html", context)


@require_safe
def print_pdf(request: HttpRequest) -> HttpResponse:
    """Give the file."""
    try:
        wanted = read_request(request.GET, _language())
    except Refusal as refusal:
        context = {"title": _("That cannot be printed"), "sentence": refusal}
        return render(request, "error.html", context, status=400)
    pages = draw_booklet(wanted.levels, wanted.options, address=_address())
    return _pdf(pages, name_booklet(wanted.levels, wanted.options), wanted.options, "dizzle-sheets")


@require_safe
def preview(request: HttpRequest, number: int) -> HttpResponse:
    """Give one page of the file as a drawing."""
    try:
        wanted = read_request(request.GET, _language())
    except Refusal as refusal:
        raise Http404(str(refusal)) from refusal
    return drawn_page(wanted, number)


@require_safe
@with_door
def filled_pdf(request: HttpRequest, door: Door) -> HttpResponse:
    """Give the sheets of a scoring, filled in as they stand."""
    paper = score(door.scoring).paper
    options = PageOptions(lang=_language())
    levels = [paper.level] * len(paper.sheets)
    pages = draw_booklet(levels, options, paper_writings(paper), address=_address())
    return _pdf(pages, name_booklet(levels, options), options, "dizzle-filled")


def _pdf(pages: Iterable[DrawnPage], title: str, options: PageOptions, name: str) -> HttpResponse:
    file = BytesIO()
    write_pdf(pages, file, title=title, lang=options.lang)
    response = HttpResponse(file.getvalue(), content_type="application/pdf")
    response.headers["Content-Disposition"] = f'attachment; filename="{name}.pdf"'
    return response


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


def drawn_page(wanted: PrintRequest, number: int) -> HttpResponse:
    """One of the shown pages as a drawing. Raises Http404 where there is none of that number."""
    once = _once(wanted)
    pages = draw_booklet(once.levels, once.options, address=_address())
    page = next(islice(pages, number - 1, None), None) if 0 < number <= MAX_SHOWN else None
    if page is None:
        raise Http404
    drawing = draw_svg(page, _("Page %(number)d") % {"number": number})
    return HttpResponse(drawing, content_type="image/svg+xml")


def _once(wanted: PrintRequest) -> PrintRequest:
    """The same with one copy, as it is shown."""
    return wanted._replace(options=replace(wanted.options, copies=1))


def print_switches(levels: int) -> list[tuple[str, str, str]]:
    """Name, label and explanation of each option that is on or off, for so many levels to choose.

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


def _query(wanted: PrintRequest) -> str:
    """The choice nobody has made yet, as an address."""
    levels = "&".join(f"level={level.id}" for level in wanted.levels)
    return f"{levels}&paper={wanted.options.paper}&lang={wanted.options.lang}"


def _language() -> str:
    return "de" if (get_language() or "").startswith("de") else "en"


def _address() -> str:
    return sheet_address(settings.SITE_URL)
