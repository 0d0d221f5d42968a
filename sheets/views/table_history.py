"""A game step by step, and a table's log in words."""

from __future__ import annotations

import secrets
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.views.decorators.http import require_safe

from sheets.tables.doors import Door
from sheets.tables.family import Page
from sheets.tables.games import family_of
from sheets.tables.log_lines import log_lines
from sheets.views.table_door import with_table

MOST_DIGITS = 4
"""Of a number in an address: a game has no more entries than that."""


@require_safe
@with_table
def history(request: HttpRequest, door: Door) -> HttpResponse:
    """Step through the game of a table after ``?at=`` acts; what was taken back is left out."""
    page = family_of(door.table).replay_page(door, number_of(request, "at") or 0)
    return show_replay(request, page, back=reverse("table", args=(door.table.code,)))


def show_replay(request: HttpRequest, page: Page, **more: Any) -> HttpResponse:
    """The page of a game at one moment; ``back`` is the address of where one came from."""
    return render(request, page.template, {**page.context, **more})


@require_safe
@with_table
def log(request: HttpRequest, door: Door) -> HttpResponse:
    """Everything that was done at a table, the newest first, with what was wound back."""
    context = _log_context(request, door)
    return render(request, "table/log.html", context)


@require_safe
@with_table
def log_now(request: HttpRequest, door: Door) -> HttpResponse:
    """The same for a page that shows it already."""
    if request.GET.get("known") == str(door.table.revision):
        return HttpResponse(status=204)
    context = _log_context(request, door)
    parts = {"_log": render_to_string("table/_log.html", context, request)}
    return JsonResponse({"revision": door.table.revision, "stage": "log", "parts": parts})


def _log_context(request: HttpRequest, door: Door) -> dict[str, Any]:
    lines = log_lines(door) if door.table.has_started else []
    before = number_of(request, "before")
    chosen = next((line for line in lines if line.number == before and line.can_go_back), None)
    return {
        "door": door,
        "table": door.table,
        "lines": lines,
        "chosen": chosen,
        "gone": sum(line.can_go_back and line.number >= (before or 0) for line in lines),
        "seat": min(door.seats, default=None),
        "request_id": secrets.token_urlsafe(12),
    }


def number_of(request: HttpRequest, name: str) -> int | None:
    """A whole number of the address, None for anything else."""
    text = request.GET.get(name, "")
    is_number = text.isascii() and text.isdecimal() and len(text) <= MOST_DIGITS
    return int(text) if is_number else None
