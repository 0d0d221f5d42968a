"""Print page: choice of levels, preview of the exact pages, PDF."""

from __future__ import annotations

from functools import wraps
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from sheets.access.devices import keep_private_if_known
from sheets.access.keys import Access
from sheets.http.fragments import HtmxHttpRequest, render_part
from sheets.http.view_type import View
from sheets.levels import shipped_levels
from sheets.models import Scoring
from sheets.printing.handwriting import paper_writings
from sheets.printing.web.pages import (
    FilledSheets,
    filled_options_page,
    filled_pdf_response,
    filled_preview_page,
    options_context,
    pdf_response,
    preview_context,
    preview_page,
    refuse_print,
)
from sheets.printing.web.request import DICE2, PrintRefused, is_chosen, read_levels, read_request
from sheets.scoring.score_view import score
from sheets.scoring.views.access import with_scoring


@require_safe
def print_page(request: HtmxHttpRequest) -> HttpResponse:
    """Show the options and the preview of the resulting pages."""
    context: dict[str, Any] = {
        "page": reverse("print"),
        "levels": shipped_levels().values(),
        "chosen": {level.id for level in read_levels(request.GET)},
        "has_dice2": DICE2 in request.GET.getlist("level"),
        **options_context(request, levels=len(shipped_levels())),
    }
    try:
        wanted = read_request(request)
    except PrintRefused as refusal:
        # Nothing is wrong as long as the user has not chosen a level yet.
        if refusal.wrong.keys() == {"level"} and (request.htmx or not is_chosen(request.GET)):
            return _answer(request, context)
        return _answer(request, {**context, "wrong": refusal.wrong}, 400)
    context |= preview_context(wanted, lambda number: reverse("print-preview", args=[number]))
    context["pdf"] = reverse("print-pdf")
    return _answer(request, context)


def _answer(request: HttpRequest, context: dict[str, Any], status: int = 200) -> HttpResponse:
    response = render_part(request, "print/print.html", "print/_print.html", context, status)
    return keep_private_if_known(request, response)


@require_safe
def print_pdf(request: HttpRequest) -> HttpResponse:
    """Return the PDF of the chosen sheets."""
    try:
        wanted = read_request(request)
    except PrintRefused as refusal:
        return refuse_print(request, refusal)
    return pdf_response(request, wanted)


@require_safe
def preview(request: HttpRequest, number: int) -> HttpResponse:
    """Return one page of the PDF as an SVG."""
    try:
        wanted = read_request(request)
    except PrintRefused as refusal:
        raise Http404(str(refusal)) from refusal
    return preview_page(request, wanted, number)


def with_filled(view: View) -> View:
    """Decorate a view: pass it the filled sheets and the key of the scoring in the URL."""

    @with_scoring
    def wrapper(request: HttpRequest, access: Access[Scoring], **more: Any) -> HttpResponse:
        paper = score(access.resource).paper
        key = ("score", access.resource.key_digest, access.resource.revision)
        sheets = FilledSheets(paper.level, paper_writings(paper), key)
        return view(request, sheets, access.key, **more)

    return wraps(view)(wrapper)


@require_safe
@with_filled
def choose_filled(request: HttpRequest, sheets: FilledSheets, key: str) -> HttpResponse:
    """Show the options for printing the filled sheets of a scoring."""
    return filled_options_page(
        request,
        sheets,
        lambda number: reverse("print-filled-page", args=[key, number]),
        page=reverse("print-filled-options", args=[key]),
        pdf=reverse("print-filled", args=[key]),
        back=reverse("score-results", args=[key]),
    )


@require_safe
@with_filled
def filled_preview(
    request: HttpRequest, sheets: FilledSheets, _key: str, number: int
) -> HttpResponse:
    """Return one page of a scoring's filled sheets as an SVG."""
    return filled_preview_page(request, sheets, number)


@require_safe
@with_filled
def filled_pdf(request: HttpRequest, sheets: FilledSheets, _key: str) -> HttpResponse:
    """Return the PDF of a scoring's filled sheets."""
    return filled_pdf_response(request, sheets)
