"""A finished game: who has won and why, what can be taken along, and once more."""

from __future__ import annotations

import json
import secrets
from io import BytesIO
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils.text import slugify
from django.utils.translation import get_language
from django.views.decorators.http import require_POST, require_safe

from sheets.dice2.files import format_played
from sheets.geometry import PageOptions
from sheets.printing.booklet import draw_booklet, name_booklet, sheet_address
from sheets.printing.filled import game_writings
from sheets.printing.pdf import write_pdf
from sheets.rulebook.games import game_name
from sheets.rules import Game
from sheets.rules.paper import Paper, format_sheets
from sheets.rules.record import format_game
from sheets.scoring.picture import draw_picture
from sheets.tables import reading, seating
from sheets.tables.doors import Door
from sheets.tables.log_words import tell_effect
from sheets.tables.marks import find_reached
from sheets.tables.sight import look
from sheets.tables.standing import Standing
from sheets.views.downloads import attach, attach_of
from sheets.views.table_door import for_dizzle, with_table


def show_results(request: HttpRequest, door: Door, *, refusal: Any, status: int) -> HttpResponse:
    """The page of a table whose game is over."""
    context = {"refusal": refusal, **_context(door)}
    return render(request, "table/results.html", context, status=status)


@require_safe
@with_table
@for_dizzle
def results_now(request: HttpRequest, door: Door) -> HttpResponse:
    """The same for a page that shows it already."""
    if request.GET.get("known") == str(door.table.revision):
        return HttpResponse(status=204)
    is_over = reading.load(door).state.game.phase == "finished"
    parts = {"_results": render_to_string("table/_results.html", _context(door), request)}
    return JsonResponse(
        {
            "revision": door.table.revision,
            "stage": "over" if is_over else "play",
            "parts": parts if is_over else {},
        }
    )


def _context(door: Door) -> dict[str, Any]:
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
        "request_id": secrets.token_urlsafe(12),
    }


def standing_of(door: Door) -> Standing:
    """All sheets of a table as they stand."""
    loaded = reading.load(door)
    reached = find_reached(loaded.entries, loaded.state.applied)
    return Standing(loaded.state.game, reached)


@require_POST
@with_table
def again(request: HttpRequest, door: Door) -> HttpResponse:
    """The host opens a new table for the same people; the others are shown the way there."""
    return redirect("table", code=seating.again(door))


@require_safe
@with_table
def game_document(request: HttpRequest, door: Door) -> HttpResponse:
    """The game as a document: ``dizzle-game/1``, or those of Dice²."""
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
    standing = standing_of(door)
    if number >= len(standing.columns):
        raise Http404
    column = standing.columns[number]
    picture = draw_picture(standing.level, column.marks, column.name, column.score)
    return HttpResponse(picture, content_type="image/png")


@require_safe
@with_table
@for_dizzle
def filled_pdf(request: HttpRequest, door: Door) -> HttpResponse:
    """All sheets, filled in, on paper."""
    game = reading.load(door).state.game
    return attach_of(game.level, _pdf(game), "application/pdf", "-sheets.pdf")


def _pdf(game: Game) -> bytes:
    language = "de" if (get_language() or "").startswith("de") else "en"
    options = PageOptions(lang=language)
    levels = [game.level] * len(game.players)
    file = BytesIO()
    pages = draw_booklet(
        levels, options, game_writings(game), address=sheet_address(settings.SITE_URL)
    )
    write_pdf(pages, file, title=name_booklet(levels, options), lang=language)
    return file.getvalue()


def _json(document: dict[str, Any]) -> bytes:
    return (json.dumps(document, ensure_ascii=False, indent=1) + "\n").encode()
