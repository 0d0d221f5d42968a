"""Result page of a scoring, with its pictures and exports."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from sheets.access.devices import noted
from sheets.access.export_rules import may_export_game, refuse_unless
from sheets.access.keys import Access, note_visit, only_editors, unless_current
from sheets.groups.game_store import day_of
from sheets.groups.group_choice import add_to_same_groups
from sheets.http import render_tasks, rendering
from sheets.http.downloads import attach_of, document_bytes, show_picture
from sheets.http.post_redirect import posted_or_to
from sheets.http.process_pool import Work
from sheets.http.rate_limits import NEW_SCORINGS, address_of, refuse
from sheets.levels import shipped_levels
from sheets.models import Scoring
from sheets.rules.documents.sheets import format_sheets
from sheets.scoring import store
from sheets.scoring.marks import field_marks
from sheets.scoring.result import Cell, ResultRow
from sheets.scoring.score_view import comparison_rows, score
from sheets.scoring.spreadsheet import score_table
from sheets.scoring.store import export_level
from sheets.scoring.views.access import with_scoring
from sheets.scoring.views.result_page import result_context
from sheets.scoring.views.sheet import position_of
from sheets.text.dates import format_day
from sheets.text.symbols import in_language


@require_safe
@with_scoring
@noted("score")
def results(request: HttpRequest, access: Access[Scoring]) -> HttpResponse:
    """Show the scores of all sheets side by side, with the winner or the grade."""
    note_visit(access.resource)
    return render(request, "score/results.html", _context(request, access))


@require_safe
@with_scoring
@unless_current
def news(request: HttpRequest, access: Access[Scoring]) -> HttpResponse:
    """Return the part of the results page that changes."""
    return render(request, "score/_results.html", _context(request, access))


def _context(request: HttpRequest, access: Access[Scoring]) -> dict[str, Any]:
    scored = score(access.resource)
    rows = comparison_rows(scored.level, scored.result.scores)
    urls = {s.number: reverse("score-sheet", args=(access.key, s.number)) for s in scored.sheets}
    title = in_language(scored.level.name)
    return result_context(request, access, title, scored.standing, rows, scored.level) | {
        "scored": scored,
        "level": scored.level,
        "urls": urls,
        "sheets_url": urls[scored.sheets[0].number],
        "rows": [
            ResultRow(
                row.name,
                row.sign,
                [
                    Cell(amount, f"{url}?light={row.category}#sheet")
                    for amount, url in zip(row.amounts, urls.values(), strict=True)
                ],
            )
            for row in rows
        ],
        "doubts": scored.doubts,
        "may_take_file": may_export_game(access.resource, request.session),
    }


@with_scoring
@posted_or_to("score-results")
@only_editors
def again(request: HttpRequest, access: Access[Scoring]) -> HttpResponse:
    """Begin a scoring of the same level for the same players."""
    if not NEW_SCORINGS.hit(address_of(request)):
        return refuse(request)
    key = store.repeat(access)
    add_to_same_groups(request, access.resource, store.find(key).resource)
    return redirect("score-sheet", key=key, number=1)


@require_safe
@with_scoring
def result_picture(request: HttpRequest, access: Access[Scoring]) -> HttpResponse:
    """Return the results of all players as one picture to share."""
    day = day_of(access.resource)
    level = store.level_of(access.resource)

    def prepare() -> Work:
        scored = score(access.resource)
        return partial(
            render_tasks.result_picture,
            in_language(scored.level.name),
            scored.standing,
            comparison_rows(scored.level, scored.result.scores),
            scored.level,
            [field_marks(scored.level, marks) for marks in scored.marks],
            day=format_day(day),
        )

    return rendering.file_response(
        request,
        ("result-picture", access.resource.key_digest, access.resource.revision, day),
        prepare,
        lambda picture: show_picture(picture, in_language(level.name), level.id, day),
    )


@require_safe
@with_scoring
def sheet_picture(request: HttpRequest, access: Access[Scoring], number: int) -> HttpResponse:
    """Return one sheet with its score as a picture to share."""
    day = day_of(access.resource)
    level = store.level_of(access.resource)

    def prepare() -> Work:
        scored = score(access.resource)
        position = position_of(scored, number)
        return partial(
            render_tasks.scored_picture,
            scored.level,
            field_marks(scored.level, scored.marks[position]),
            scored.names[position],
            scored.result.scores[position],
            format_day(day),
        )

    return rendering.file_response(
        request,
        ("score-picture", access.resource.key_digest, access.resource.revision, number, day),
        prepare,
        lambda picture: show_picture(picture, in_language(level.name), level.id, day, number),
    )


@require_safe
@with_scoring
def export_document(request: HttpRequest, access: Access[Scoring]) -> HttpResponse:
    """Return the sheets as a ``dizzle-sheets/1`` document."""
    refuse_unless(may_export_game(access.resource, request.session))
    scored = score(access.resource)
    document = format_sheets(scored.paper)
    document["level"] = export_level(access.resource, shipped_levels())
    return attach_of(scored.level, document_bytes(document), "application/json", ".json")


@require_safe
@with_scoring
def export_scores(request: HttpRequest, access: Access[Scoring]) -> HttpResponse:
    """Return the scores as a CSV file."""
    scored = score(access.resource)
    rows = comparison_rows(scored.level, scored.result.scores)
    content = score_table(scored.standing, rows)
    day = day_of(access.resource)
    return attach_of(scored.level, content, "text/csv; charset=utf-8", ".csv", day)
