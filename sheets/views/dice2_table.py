"""How a table with Dice² looks on a device: the whole page, or its changing parts."""

from __future__ import annotations

import re
import secrets
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string

from sheets.dice2_sight import look_at_board
from sheets.play import Door

PARTS = (
    "dice2/_top",
    "dice2/_players",
    "dice2/_task",
    "dice2/_board",
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
    sight = look_at_board(door, asked=asked if re.fullmatch(r"[a-i][1-9]", asked) else "")
    return {
        "door": door,
        "table": door.table,
        "sight": sight,
        "state": sight.script_state,
        "host": door.everybody[door.table.host],
        "request_id": secrets.token_urlsafe(12),
    }
