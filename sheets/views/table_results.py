"""A finished game: who has won and why, what can be taken along, and once more."""

from __future__ import annotations

import json
import secrets
from functools import partial
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils.text import slugify
from django.views.decorators.http import require_safe

from sheets.dice2.files import format_played
from sheets.http import drawing, works
from sheets.http.processes import Work
from sheets.leaving import Leaving, may_leave_game, refuse_unless
from sheets.printing.filled import game_writings
from sheets.rulebook.games import game_name
from sheets.rules.paper import Paper, format_sheets
from sheets.rules.record import format_game
from sheets.tables import reading, seating
from sheets.tables.doors import Door
from sheets.tables.log import find_reached
from sheets.tables.log_words import tell_effect
from sheets.tables.sight import look
from sheets.tables.standing import Standing
from sheets.views.downloads import attach, attach_of
from sheets.views.posted import posted_or_to
from sheets.views.print import filled
from sheets.views.table_door import for_dizzle, with_table


def show_results(request: HttpRequest, door: Door, *, refusal: Any, status: int) -> HttpResponse:
    """The page of a table whose game is over."""
    context = {"refusal": refusal, **_context(request, door)}
    return render(request, "table/results.html", context, status=status)


@require_safe
@with_table
@for_dizzle
def results_now(request: HttpRequest, door: Door) -> HttpResponse:
    """The same for a page that shows it already."""
    if request.GET.get("known") == str(door.table.revision):
        return HttpResponse(status=204)
    is_over = reading.load(door).state.game.phase == "finished"
    parts = {"_results": render_to_string("table/_results.html", _context(request, door), request)}
    return JsonResponse(
        {
            "revision": door.table.revision,
            "stage": "over" if is_over else "play",
            "parts": parts if is_over else {},
        }
    )


def _context(request: HttpRequest, door: Door) -> dict[str, Any]:
    state = reading.load(door).state
    level, names = state.game.level, state.game.players
    story = state.pass_ends[-1].story if state.pass_ends else []
    return {
        "door": door,
        "table": door.table,
        "level": level,
        "sight": look(door),
        "standing": standing_of(door),
        "story": [(effect, tell_effect(effect, level, names)) for effect in story],
        "host": door.everybody[door.table.host],
        "may_take_file": may_leave_game(Leaving.DOCUMENT, door.table, request.session),
        "request_id": secrets.token_urlsafe(12),
    }


def standing_of(door: Door) -> Standing:
    """All sheets of a table as they stand."""
    loaded = reading.load(door)
    reached = find_reached(loaded.entries, loaded.state.applied)
    return Standing(loaded.state.game, reached)


@with_table
@posted_or_to("table")
def again(request: HttpRequest, door: Door) -> HttpResponse:
    """The host opens a new table for the same people; the others are shown the way there."""
    return redirect("table", code=seating.again(door))


@require_safe
@with_table
def game_document(request: HttpRequest, door: Door) -> HttpResponse:
    """The game as a document: ``dizzle-game/1``, or those of Dice²."""
    refuse_unless(may_leave_game(Leaving.DOCUMENT, door.table, request.session))
    if door.table.game:
        content = _json(format_played(door))
        name = slugify(game_name(door.table.game))
        return attach(content, "application/json", f"dice2-{name}.json")
    record = reading.record_of(door)
    return attach_of(record.level, _json(format_game(record)), "application/json", "-game.json")


@require_safe
@with_table
@for_dizzle
def sheets_document(request: HttpRequest, door: Door) -> HttpResponse:
    """The sheets as a ``dizzle-sheets/1`` document, dice that still lie on them left out."""
    refuse_unless(may_leave_game(Leaving.DOCUMENT, door.table, request.session))
    game = reading.load(door).state.game
    level = game.level
    paper = Paper(level, door.table.level_id, game.players, game.sheets, game.is_solo, ())
    document = format_sheets(paper)
    if not game.is_solo:
        del document["solo"]
    return attach_of(level, _json(document), "application/json", "-sheets.json")


@require_safe
@with_table
@for_dizzle
def sheet_picture(request: HttpRequest, door: Door, number: int) -> HttpResponse:
    """One player's sheet with its score as a picture to share."""

    def prepare() -> Work:
        standing = standing_of(door)
        if number >= len(standing.columns):
            raise Http404
        column = standing.columns[number]
        return partial(
            works.scored_picture, standing.level, column.marks, column.name, column.score
        )

    return drawing.answer(
        request,
        ("table-picture", door.table.pk, door.table.revision, number),
        prepare,
        lambda picture: HttpResponse(picture, content_type="image/png"),
    )


@require_safe
@with_table
@for_dizzle
def filled_pdf(request: HttpRequest, door: Door) -> HttpResponse:
    """All sheets, filled in, on paper."""
    game = reading.load(door).state.game

    def prepare() -> Work:
        return filled(game.level, game_writings(game))

    return drawing.answer(
        request,
        ("table-pdf", door.table.pk, door.table.revision),
        prepare,
        lambda file: attach_of(game.level, file, "application/pdf", "-sheets.pdf"),
    )


def _json(document: dict[str, Any]) -> bytes:
    return (json.dumps(document, ensure_ascii=False, indent=1) + "\n").encode()
