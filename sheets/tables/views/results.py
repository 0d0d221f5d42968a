"""Results of a finished game, its downloads and prints, and the next game of the same players."""

from __future__ import annotations

from functools import partial, wraps
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_safe

from sheets.access.export_rules import may_export_game, refuse_unless
from sheets.groups.game_store import day_of
from sheets.groups.group_choice import add_to_same_groups
from sheets.http import render_tasks, rendering
from sheets.http.downloads import attach, attach_of, document_bytes, show_picture
from sheets.http.post_redirect import posted_or_to
from sheets.http.process_pool import Work
from sheets.http.view_type import View
from sheets.printing.handwriting import game_writings
from sheets.printing.web.pages import (
    FilledSheets,
    filled_options_page,
    filled_pdf_response,
    filled_preview_page,
)
from sheets.rules import Game
from sheets.rules.documents.sheets import format_sheets
from sheets.rules.paper_scoring import Paper
from sheets.scoring.spreadsheet import score_table
from sheets.tables import seating
from sheets.tables.access import TableAccess, find_access
from sheets.tables.family import family_of
from sheets.tables.forms import StarterForm
from sheets.tables.scoreboard import scoreboard_of
from sheets.tables.views.access import with_table
from sheets.text.dates import format_day
from sheets.text.symbols import in_language


def with_sheets(view: View) -> View:
    """Decorate a view: pass it the game of the table; 404 for Dice², which has no sheets."""

    @wraps(view)
    def wrapper(request: HttpRequest, access: TableAccess, **more: Any) -> HttpResponse:
        loaded = family_of(access.table).load_sheets(access)
        if loaded is None:
            raise Http404
        return view(request, access, loaded.state.game, **more)

    return wrapper


@with_table
@posted_or_to("table")
def rematch(request: HttpRequest, access: TableAccess) -> HttpResponse:
    """Open a new table for the same players and redirect the player; the others get a link."""
    form = StarterForm(request.POST)
    if not form.is_valid():
        return HttpResponseBadRequest("malformed start")
    code = seating.open_rematch(access, form.cleaned_data["starter"])
    add_to_same_groups(request, access.table, find_access(code).table)
    return redirect("table", code=code)


@require_safe
@with_table
def game_document(request: HttpRequest, access: TableAccess) -> HttpResponse:
    """Return the game as a document: ``dizzle-game/1``, or one of the formats of Dice²."""
    refuse_unless(may_export_game(access.table, request.session))
    document = family_of(access.table).document(access)
    content = document_bytes(document.content)
    if document.level:
        return attach_of(document.level, content, "application/json", f"-{document.name}.json")
    return attach(content, "application/json", f"{document.name}.json")


@require_safe
@with_table
@with_sheets
def sheets_document(request: HttpRequest, access: TableAccess, game: Game) -> HttpResponse:
    """Return the sheets as a ``dizzle-sheets/1`` document, without dice that still lie on them."""
    refuse_unless(may_export_game(access.table, request.session))
    level = game.level
    paper = Paper(level, access.table.level_id, game.players, game.sheets, game.is_solo, ())
    return attach_of(
        level, document_bytes(format_sheets(paper)), "application/json", "-sheets.json"
    )


@require_safe
@with_table
@with_sheets
def export_scores(request: HttpRequest, access: TableAccess, game: Game) -> HttpResponse:
    """Return the scores as CSV."""
    scoreboard = scoreboard_of(access)
    content = score_table(scoreboard.standing, scoreboard.rows)
    day = day_of(access.table)
    return attach_of(game.level, content, "text/csv; charset=utf-8", ".csv", day)


@require_safe
@with_table
@with_sheets
def sheet_picture(
    request: HttpRequest, access: TableAccess, game: Game, number: int
) -> HttpResponse:
    """Return one player's sheet with its score as a picture to share; 404 for no such player."""
    level, day = game.level, day_of(access.table)

    def prepare() -> Work:
        scoreboard = scoreboard_of(access)
        if number >= len(scoreboard.columns):
            raise Http404
        column = scoreboard.columns[number]
        return partial(
            render_tasks.scored_picture,
            level,
            column.marks,
            column.name,
            column.score,
            format_day(day),
        )

    return rendering.file_response(
        request,
        ("table-picture", access.table.pk, access.table.revision, number, day),
        prepare,
        lambda picture: show_picture(picture, in_language(level.name), level.id, day, number + 1),
    )


@require_safe
@with_table
@with_sheets
def result_picture(request: HttpRequest, access: TableAccess, game: Game) -> HttpResponse:
    """Return all players' results as one picture to share."""
    level, day = game.level, day_of(access.table)

    def prepare() -> Work:
        scoreboard = scoreboard_of(access)
        return partial(
            render_tasks.result_picture,
            in_language(level.name),
            scoreboard.standing,
            scoreboard.rows,
            level,
            [column.marks for column in scoreboard.columns],
            day=format_day(day),
        )

    return rendering.file_response(
        request,
        ("table-result-picture", access.table.pk, access.table.revision, day),
        prepare,
        lambda picture: show_picture(picture, in_language(level.name), level.id, day),
    )


@require_safe
@with_table
@with_sheets
def choose_filled(request: HttpRequest, access: TableAccess, game: Game) -> HttpResponse:
    """Show the print options for all filled sheets, with a preview."""
    code = access.table.code
    return filled_options_page(
        request,
        _filled(access, game),
        lambda number: reverse("table-print-page", args=[code, number]),
        page=reverse("table-print", args=[code]),
        pdf=reverse("table-pdf", args=[code]),
        back=reverse("table", args=[code]),
    )


@require_safe
@with_table
@with_sheets
def filled_preview(
    request: HttpRequest, access: TableAccess, game: Game, number: int
) -> HttpResponse:
    """Return one page of the print of the filled sheets as SVG."""
    return filled_preview_page(request, _filled(access, game), number)


@require_safe
@with_table
@with_sheets
def filled_pdf(request: HttpRequest, access: TableAccess, game: Game) -> HttpResponse:
    """Return the print of the filled sheets as a PDF."""
    return filled_pdf_response(request, _filled(access, game))


def _filled(access: TableAccess, game: Game) -> FilledSheets:
    key = ("table", access.table.pk, access.table.revision)
    return FilledSheets(game.level, game_writings(game), key)
