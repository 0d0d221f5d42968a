"""Result page of a tally, with its picture, PDF and CSV file; similar to that of a scoring."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from sheets.access.devices import noted
from sheets.access.keys import Access, note_visit, only_editors, unless_current
from sheets.groups.game_store import day_of
from sheets.groups.group_choice import add_to_same_groups
from sheets.http import render_tasks, rendering
from sheets.http.downloads import attach, attach_named, show_picture
from sheets.http.post_redirect import posted_or_to
from sheets.http.process_pool import Work
from sheets.http.rate_limits import NEW_SCORINGS, SAVES, address_of, limited, refuse
from sheets.models import Tally
from sheets.scoring import tally_store
from sheets.scoring.result import Cell, ResultRow
from sheets.scoring.spreadsheet import score_table
from sheets.scoring.tally_score import Tallied, confirm_blank
from sheets.scoring.views.result_page import result_context
from sheets.scoring.views.tally import with_tally
from sheets.text.dates import format_day
from sheets.text.languages import active_language


@require_safe
@with_tally
@noted("tally")
def results(request: HttpRequest, access: Access[Tally]) -> HttpResponse:
    """Show the scores of all players side by side, with the winner or the grade."""
    note_visit(access.resource)
    return render(request, "tally/results.html", _context(request, access))


@require_safe
@with_tally
@unless_current
def news(request: HttpRequest, access: Access[Tally]) -> HttpResponse:
    """Return the part of the results page that changes."""
    return render(request, "tally/_results.html", _context(request, access))


def _context(request: HttpRequest, access: Access[Tally]) -> dict[str, Any]:
    tallied = Tallied(access.resource.typed)
    standing, rows = tallied.standing, tallied.rows
    count = reverse("tally-count", args=(access.key,)) if access.can_edit else ""
    urls = {
        rank.number: f"{count}?player={rank.number}#player-{rank.number}" for rank in standing.ranks
    }
    return result_context(request, access, _("Tally"), standing, rows) | {
        "urls": urls,
        "count_url": count,
        "has_examples": bool(tallied.pad_form.examples),
        "rows": [
            ResultRow(
                row.name,
                row.sign,
                [Cell(amount, url) for amount, url in zip(row.amounts, urls.values(), strict=True)],
            )
            for row in rows
        ],
    }


@limited(SAVES)
@with_tally
@posted_or_to("tally-results", without="number")
@only_editors
def blank(request: HttpRequest, access: Access[Tally], number: int) -> HttpResponse:
    """Record that there is nothing to count for a player."""
    tally_store.change(access, partial(confirm_blank, number=number))
    return redirect("tally-results", key=access.key)


@with_tally
@posted_or_to("tally-results")
@only_editors
def again(request: HttpRequest, access: Access[Tally]) -> HttpResponse:
    """Create a tally with the same pad and players."""
    if not NEW_SCORINGS.hit(address_of(request)):
        return refuse(request)
    key = tally_store.repeat(access)
    add_to_same_groups(request, access.resource, tally_store.find(key).resource)
    return redirect("tally-count", key=key)


@require_safe
@with_tally
def picture(request: HttpRequest, access: Access[Tally]) -> HttpResponse:
    """Return the results of all players as one picture to share."""
    day = day_of(access.resource)
    return rendering.file_response(
        request,
        ("tally-picture", *_cache_key(access), day),
        lambda: _render_task(access, partial(render_tasks.result_picture, day=format_day(day))),
        lambda picture: show_picture(picture, _("Tally"), "tally", day),
    )


@require_safe
@with_tally
def pdf(request: HttpRequest, access: Access[Tally]) -> HttpResponse:
    """Return the results of all players as a PDF."""
    day = day_of(access.resource)
    draw = partial(render_tasks.result_on_paper, day=format_day(day), lang=active_language())
    return rendering.file_response(
        request,
        ("tally-pdf", *_cache_key(access), day),
        lambda: _render_task(access, draw),
        lambda file: attach(file, "application/pdf", "dizzle-tally.pdf"),
    )


@require_safe
@with_tally
def scores(request: HttpRequest, access: Access[Tally]) -> HttpResponse:
    """Return the scores as a CSV file."""
    tallied = Tallied(access.resource.typed)
    content = score_table(tallied.standing, tallied.rows)
    day = day_of(access.resource)
    return attach_named(_("Tally"), "tally", content, "text/csv; charset=utf-8", ".csv", day)


def _cache_key(access: Access[Tally]) -> tuple[str, int]:
    return access.resource.key_digest, access.resource.revision


def _render_task(access: Access[Tally], draw: partial[bytes]) -> Work:
    tallied = Tallied(access.resource.typed)
    return partial(draw, _("Tally"), tallied.standing, tallied.rows)
