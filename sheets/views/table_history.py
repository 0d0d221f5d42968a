"""A game step by step, and a table's log in words."""

from __future__ import annotations

import secrets
from typing import Any, NamedTuple

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from sheets.http.fragments import render_part
from sheets.rules.record import Record
from sheets.tables import reading
from sheets.tables.doors import Door
from sheets.tables.log_words import is_act, tell_effect
from sheets.tables.standing import Standing
from sheets.tables.telling import Replay, Told, replay_to, tell_log
from sheets.tables.words import round_words
from sheets.views.dice2_history import show_dice2_replay
from sheets.views.table_door import with_table

MOST_DIGITS = 4
"""Of a number in an address: a game has no more entries than that."""


@require_safe
@with_table
def history(request: HttpRequest, door: Door) -> HttpResponse:
    """Step through the game of a table; what was taken back is left out."""
    back = reverse("table", args=(door.table.code,))
    if door.table.game:
        return show_dice2_replay(request, door, number_of(request, "at") or 0, back=back)
    return show_replay(request, reading.record_of(door), back=back)


def show_replay(request: HttpRequest, record: Record, **more: Any) -> HttpResponse:
    """A page with a recorded game after ``?at=`` of its acts."""
    replay = replay_to(record, number_of(request, "at") or 0)
    game = replay.game
    lit = [replay.lit(player) for player in range(len(game.players))]
    context = {
        "replay": replay,
        "standing": Standing(game, replay.reached, lit),
        "heading": _heading(replay),
        "story": [
            (effect, tell_effect(effect, game.level, game.players)) for effect in replay.story
        ],
        **more,
    }
    return render_part(request, "table/history.html", "table/_history.html", context)


def _heading(replay: Replay) -> str:
    if replay.at == 0:
        return _("Before the first act")
    if replay.game.phase == "finished":
        return _("The game is over")
    if not replay.is_pass_end:
        return round_words(replay.game)
    players = len(replay.game.players)
    return _("Pass %(number)d of %(passes)d is over") % {
        "number": replay.game.passes_done,
        "passes": replay.record.level.rounds[players] * players,
    }


class Line(NamedTuple):
    """One entry of the log; ``passes`` is the pass it belongs to, counted from 1."""

    number: int
    sentence: str
    effects: list[str]
    is_struck: bool
    can_go_back: bool


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


def log_lines(door: Door) -> list[Line]:
    """The log in words, the newest entry first."""
    loaded = reading.load(door)
    holding = frozenset(loaded.state.applied)
    lines = [
        Line(
            told.number,
            told.sentence,
            _effects(told),
            is_act(told.entry) and told.number in loaded.state.struck,
            told.number in holding and bool(door.seats),
        )
        for told in tell_log(loaded.start, loaded.entries)
    ]
    return lines[::-1]


def _effects(told: Told) -> list[str]:
    game = told.after.game
    return [tell_effect(effect, game.level, game.players) for effect in told.effects]


def number_of(request: HttpRequest, name: str) -> int | None:
    """A whole number of the address, None for anything else."""
    text = request.GET.get(name, "")
    is_number = text.isascii() and text.isdecimal() and len(text) <= MOST_DIGITS
    return int(text) if is_number else None
