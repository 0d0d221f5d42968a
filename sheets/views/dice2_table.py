"""How a table with Dice² looks on a device: the whole page, or its changing parts."""

from __future__ import annotations

import re
import secrets
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string

from sheets.dice2.board_view import BoardView, view_board
from sheets.tables.doors import Door

PARTS = (
    "dice2/_top",
    "dice2/_players",
    "dice2/_verdict",
    "dice2/_board",
    "dice2/_task",
    "dice2/_undo",
    "dice2/_keys",
    "dice2/_acts",
    "dice2/_relay",
    "dice2/_lines",
    "table/_seats",
)


def show_board(request: HttpRequest, door: Door, *, refusal: Any, status: int) -> HttpResponse:
    """The page of a table that has begun."""
    context = {"refusal": refusal, **_context(request, door)}
    return render(request, "dice2/play.html", context, status=status)


def board_state(request: HttpRequest, door: Door) -> dict[str, Any]:
    """What the script needs to bring the page up to date."""
    context = _context(request, door)
    parts = {part.rpartition("/")[2]: part for part in PARTS}
    return {
        "revision": door.table.revision,
        "stage": "play",
        "parts": {
            id: render_to_string(f"{part}.html", context, request) for id, part in parts.items()
        },
        **context["state"],
    }


def _context(request: HttpRequest, door: Door) -> dict[str, Any]:
    asked = request.GET.get("why", "")
    view = view_board(door, asked=asked if re.fullmatch(r"[a-i][1-9]", asked) else "")
    player = view.sitting.player
    return {
        "door": door,
        "table": door.table,
        "view": view,
        "state": _script_state(view),
        "called": "" if player is None else view.names[player],
        "is_shared": len(door.seats) > 1,
        "host": door.everybody[door.table.host],
        "request_id": secrets.token_urlsafe(12),
    }


def _script_state(view: BoardView) -> dict[str, Any]:
    """What the script needs besides the parts; a device passed round is told who is called."""
    state = view.script_state
    if view.call and len(view.door.seats) > 1:
        state["title"] = f"● {view.waiting}"
    return {
        **state,
        "phase": view.sitting.phase,
        "waiting": view.waiting,
        "die": view.die_prefix,
    }
