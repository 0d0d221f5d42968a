"""Print: choose levels, see the exact pages, get the file."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from sheets.access.keys import Access
from sheets.http import drawing
from sheets.http.downloads import attach
from sheets.http.fragments import render_part
from sheets.http.print_request import (
    DICE2,
    PrintRequest,
    Refusal,
    is_chosen,
    read_levels,
    read_request,
)
from sheets.http.prints import drawn_page, filled, print_form, printed, shown_pages
from sheets.http.processes import Work
from sheets.levels import shipped_levels
from sheets.models import Scoring
from sheets.printing.filled import paper_writings
from sheets.scoring.score_view import score
from sheets.scoring.views.access import with_scoring
from sheets.texts.languages import reading_language


@require_safe
def print_page(request: HttpRequest) -> HttpResponse:
    """Show the choices and the pages they make."""
    context: dict[str, Any] = {
        "levels": shipped_levels().values(),
        "chosen": {level.id for level in read_levels(request.GET)},
        "has_dice2": DICE2 in request.GET.getlist("level"),
        **print_form(request.GET, levels=len(shipped_levels())),
    }
    try:
        wanted = read_request(request.GET, reading_language())
    except Refusal as refusal:
        return _answer(request, {**context, "refusal": refusal}, 400)
    context |= shown_pages(wanted, lambda number: reverse("print-preview", args=[number]))
    context["pdf"] = reverse("print-pdf")
    if not is_chosen(request.GET):
        context["query"] = _query(wanted)
    return _answer(request, context)


def _answer(request: HttpRequest, context: dict[str, Any], status: int = 200) -> HttpResponse:
    return render_part(request, "print/print.html", "print/_pages.html", context, status)


@require_safe
def print_pdf(request: HttpRequest) -> HttpResponse:
    """Give the file."""
    try:
        wanted = read_request(request.GET, reading_language())
    except Refusal as refusal:
        context = {"title": _("That cannot be printed"), "sentence": refusal}
        return render(request, "error.html", context, status=400)
    return printed(
        request, wanted, lambda file: attach(file, "application/pdf", "dizzle-sheets.pdf")
    )


@require_safe
def preview(request: HttpRequest, number: int) -> HttpResponse:
    """Give one page of the file as a drawing."""
    try:
        wanted = read_request(request.GET, reading_language())
    except Refusal as refusal:
        raise Http404(str(refusal)) from refusal
    return drawn_page(request, wanted, number)


@require_safe
@with_scoring
def filled_pdf(request: HttpRequest, access: Access[Scoring]) -> HttpResponse:
    """Give the sheets of a scoring, filled in as they stand."""

    def prepare() -> Work:
        paper = score(access.thing).paper
        return filled(paper.level, paper_writings(paper))

    return drawing.answer(
        request,
        ("score-pdf", access.thing.key_digest, access.thing.revision),
        prepare,
        lambda file: attach(file, "application/pdf", "dizzle-filled.pdf"),
    )


def _query(wanted: PrintRequest) -> str:
    """The choice nobody has made yet, as an address."""
    levels = "&".join(f"level={level.id}" for level in wanted.levels)
    return f"{levels}&paper={wanted.options.paper}&lang={wanted.options.lang}"
