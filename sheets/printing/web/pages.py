"""Print options, preview pages and PDF of a print of blank or filled sheets."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final, NamedTuple

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from sheets.http import render_tasks, rendering
from sheets.http.downloads import attach_named
from sheets.http.fragments import render_part
from sheets.http.rate_limits import PREVIEWS
from sheets.http.render_tasks import MAX_SHOWN
from sheets.printing.booklet import sheet_address
from sheets.printing.geometry import MAX_COPIES, PageOptions, make_frame, page_size, sheets_per_page
from sheets.printing.handwriting import illegible_names
from sheets.printing.sheet import Writing
from sheets.printing.web.request import PrintRefused, PrintRequest, default_paper, filled_request
from sheets.rules import Level
from sheets.text.languages import active_language
from sheets.text.symbols import in_language

COMMON_DIE_MM: Final = 16.0
"""Edge of a common die, in millimetres."""

MAX_NAMED_LEVELS: Final = 3
"""Maximum number of levels that the name of a file lists; otherwise it has their number."""


class FilledSheets(NamedTuple):
    """Filled sheets of a level, to print.

    ``writings`` has the text and marks on each sheet. ``key`` is their cache key: it changes with
    what is written on the sheets.
    """

    level: Level
    writings: Sequence[Writing]
    key: Hashable

    def wanted(self, request: HttpRequest) -> PrintRequest:
        """Return the print of these sheets with the options of a request. Raises PrintRefused."""
        return filled_request(request, self.level, len(self.writings))


def pdf_response(
    request: HttpRequest,
    wanted: PrintRequest,
    filled: FilledSheets | None = None,
) -> HttpResponse:
    """Return the PDF of a print of blank or filled sheets."""
    writings = filled.writings if filled else ()
    return rendering.file_response(
        request,
        ("print", filled.key if filled else _content(wanted), wanted.options),
        lambda: partial(
            render_tasks.printed, wanted.levels, wanted.options, writings, address=_address()
        ),
        lambda file: _attach(wanted, file, [writing.player for writing in writings]),
    )


def _attach(wanted: PrintRequest, file: bytes, players: Sequence[str] = ()) -> HttpResponse:
    """Return a PDF as a download named after its levels, players and options.

    An example is ``dizzle-castle-ana-ben-a5-bw.pdf``. The name contains the language of the sheets
    if it differs from the language of the page.
    """
    levels, options = wanted.levels, wanted.options
    names = list(dict.fromkeys(in_language(level.name) for level in levels))
    names += ["Dice2"] * options.dice2
    if len(names) > MAX_NAMED_LEVELS:
        names = [_("%(number)d levels") % {"number": len(names)}]
    option_words = [
        "" if options.paper == "a4" else options.paper,
        "bw" * options.bw,
        "large" * options.large,
        "duplex" * options.duplex,
        "rules" * options.rules,
        "" if options.markers else "no-markers",
        "" if options.lang == active_language() else options.lang,
        f"x{options.copies}" if options.copies > 1 else "",
    ]
    ending = "".join(f"-{word}" for word in option_words if word) + ".pdf"
    stem = " ".join([*names, *players])
    return attach_named(stem, levels[0].id if levels else "", file, "application/pdf", ending)


def refuse_print(request: HttpRequest, refusal: PrintRefused) -> HttpResponse:
    """Render an error page with the reason why a print is refused."""
    context = {"title": _("That cannot be printed"), "sentence": refusal}
    return render(request, "error.html", context, status=400)


def filled_options_page(
    request: HttpRequest,
    filled: FilledSheets,
    address: Callable[[int], str],
    **places: str,
) -> HttpResponse:
    """Render the print options for filled sheets with a preview.

    Args:
        filled: the sheets.
        address: maps the number of a printed page, from 1, to the URL of its preview.
        places: URLs of this ``page``, of the ``pdf`` and of the page to go ``back`` to.
    """
    context: dict[str, Any] = {
        "level": filled.level,
        "unwritten": illegible_names(filled.writings),
        **places,
        **options_context(request, levels=1),
    }
    try:
        context |= preview_context(filled.wanted(request), address, filled)
    except PrintRefused as refusal:
        context["wrong"] = refusal.wrong
    status = 400 if "wrong" in context else 200
    return render_part(request, "print/filled.html", "print/_print.html", context, status)


def filled_pdf_response(request: HttpRequest, filled: FilledSheets) -> HttpResponse:
    """Return the PDF of filled sheets with the options of the request, or an error page."""
    try:
        wanted = filled.wanted(request)
    except PrintRefused as refusal:
        return refuse_print(request, refusal)
    return pdf_response(request, wanted, filled)


def filled_preview_page(request: HttpRequest, filled: FilledSheets, number: int) -> HttpResponse:
    """Return a preview page of filled sheets as SVG. Raises Http404, also for invalid options."""
    try:
        wanted = filled.wanted(request)
    except PrintRefused as refusal:
        raise Http404(str(refusal)) from refusal
    return preview_page(request, wanted, number, filled)


def preview_context(
    wanted: PrintRequest, address: Callable[[int], str], filled: FilledSheets | None = None
) -> dict[str, Any]:
    """Return the context of ``print/_pages.html``, the preview of one copy of a print.

    Args:
        wanted: the print.
        address: maps the number of a printed page, from 1, to the URL of its preview.
        filled: the filled sheets; None for blank ones.

    Returns:
        ``pages``, the number of pages of all copies; ``shown``, the pages of the preview as
        (number, URL); ``width`` and ``height`` of a page in half millimetres; ``is_wide``,
        whether it is landscape; ``edition``, the version parameter of the URLs; ``dice_mm``, the
        edge of the largest dice that fit on neighbouring fields; ``has_larger``, whether common
        dice do not fit, but would fit with one sheet per A4 page. Without levels, the last two are
        missing.
    """
    once = _single_copy(wanted)
    width, height = page_size(once.options, sheets_per_page(once.levels, once.options))
    return {
        "pages": wanted.pages,
        "shown": [(number, address(number)) for number in range(1, min(once.pages, MAX_SHOWN) + 1)],
        "width": round(width * 2),
        "height": round(height * 2),
        "is_wide": width > height,
        "edition": rendering.file_version(_preview_key(once, filled)),
        **_dice(once),
    }


def _dice(wanted: PrintRequest) -> dict[str, Any]:
    def pitch(options: PageOptions, per_page: int) -> float:
        return min(make_frame(level, options, per_page).pitch_mm for level in set(wanted.levels))

    if not wanted.levels:
        return {}
    here = pitch(wanted.options, sheets_per_page(wanted.levels, wanted.options))
    whole = pitch(replace(wanted.options, paper="a4", per_page=1), 1)
    return {"dice_mm": round(here, 1), "has_larger": here < COMMON_DIE_MM <= whole}


def preview_page(
    request: HttpRequest, wanted: PrintRequest, number: int, filled: FilledSheets | None = None
) -> HttpResponse:
    """Return one page of the preview as SVG. Raises Http404 if there is no such page."""
    once = _single_copy(wanted)
    writings = filled.writings if filled else ()
    if not 0 < number <= min(once.pages, MAX_SHOWN):
        raise Http404
    return rendering.file_response(
        request,
        _preview_key(once, filled),
        lambda: partial(
            render_tasks.shown_pages, once.levels, once.options, writings, address=_address()
        ),
        lambda pages: HttpResponse(
            render_tasks.page_of(pages, number), content_type="image/svg+xml"
        ),
        limit=PREVIEWS,
    )


def _preview_key(once: PrintRequest, filled: FilledSheets | None) -> Hashable:
    return ("shown-pages", filled.key if filled else _content(once), once.options)


def _single_copy(wanted: PrintRequest) -> PrintRequest:
    """Return the print with one copy, but with the sheets per page of the whole print."""
    per_page = sheets_per_page(wanted.levels, wanted.options)
    return wanted._replace(options=replace(wanted.options, copies=1, per_page=per_page))


def _content(wanted: PrintRequest) -> str:
    return rendering.level_cache_key(*wanted.levels)


def options_context(request: HttpRequest, levels: int) -> dict[str, Any]:
    """Return the context of ``print/_options.html``.

    Args:
        request: the request; its query string has the options chosen so far.
        levels: the number of levels to choose from.

    Returns:
        ``query``, the query string for the URLs of pages, and the values and choices of the form.
    """
    query = request.GET
    values = {"paper": default_paper(request)} | query.dict()
    return {
        "query": query.urlencode(),
        "values": {**values, "perpage": query.get("per-page", "")},
        "most_copies": MAX_COPIES,
        "switches": _switches(levels),
        "language": query.get("lang", active_language()),
    }


def _switches(levels: int) -> list[tuple[str, str, str]]:
    """Return (name, label, explanation) of each boolean option.

    With a single level, "both sides" is left out, because there is no other level for the back. The
    short rules then take one page, otherwise one for each of the two games.
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
