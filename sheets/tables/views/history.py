"""Replay of a table's game, and its event log in words."""

from __future__ import annotations

import secrets
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from sheets.http.fragments import render_part
from sheets.tables import acts, event_loader
from sheets.tables.access import TableAccess
from sheets.tables.family import Page, family_of
from sheets.tables.log_page import log_lines
from sheets.tables.proposals import lost_by
from sheets.tables.views.access import with_table
from sheets.tables.views.analysis import analysis_context, target_of_table
from sheets.tables.views.page import news, state_of_page

MAX_DIGITS = 4
"""Maximum number of digits of an entry's number in an address; enough for the longest log."""


@require_safe
@with_table
def history(request: HttpRequest, access: TableAccess) -> HttpResponse:
    """Show the game of a table after ``?at=`` acts, without the acts that were undone."""
    at = number_of(request, "at") or 0
    page = family_of(access.table).replay_page(access, at)
    more = analysis_context(target_of_table(access), at) if access.table.has_started else {}
    back = reverse("table", args=(access.table.code,))
    return show_replay(request, page, back=back, access=access, **more)


def show_replay(request: HttpRequest, page: Page, **more: Any) -> HttpResponse:
    """Render the replay of a game; ``more`` has ``back``, the address of the previous page."""
    (part,) = page.fragments
    return render_part(request, page.template, part, {**page.context, **more})


@require_safe
@with_table
def log(request: HttpRequest, access: TableAccess) -> HttpResponse:
    """Show all entries of a table's log, the newest first, including the undone ones."""
    if fragments := news(
        request, access, lambda: state_of_page(request, access, _log_page(request, access))
    ):
        return fragments
    page = _log_page(request, access)
    return render(request, page.template, page.context)


def _log_page(request: HttpRequest, access: TableAccess) -> Page:
    lines = log_lines(access) if access.table.has_started else []
    before = number_of(request, "before")
    chosen = next((line for line in lines if line.number == before and line.can_go_back), None)
    context = {
        "access": access,
        "table": access.table,
        "host": access.all_seats[access.table.host],
        "view": family_of(access.table).view(access) if access.table.has_started else None,
        "lines": lines,
        "chosen": chosen,
        "lost": lost_by(event_loader.load(access), chosen.number) if chosen else [],
        "gone": sum(line.can_go_back and line.number >= (before or 0) for line in lines),
        "keeps_dice": acts.keeps_dice(access),
        "seat": min(access.seats, default=None),
        "request_id": secrets.token_urlsafe(12),
    }
    return Page("table/log.html", ("table/_hurry.html", "table/_log.html"), context, "log")


def number_of(request: HttpRequest, name: str) -> int | None:
    """Return a whole number of the query string; None for anything else."""
    text = request.GET.get(name, "")
    is_number = text.isascii() and text.isdecimal() and len(text) <= MAX_DIGITS
    return int(text) if is_number else None
