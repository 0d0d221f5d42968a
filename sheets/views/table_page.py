"""How a table looks on a device: the whole page, or its changing parts for the script."""

from __future__ import annotations

import secrets
from typing import Any, NamedTuple

import segno
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _

from sheets.dice2.sentences import explain_dice2
from sheets.phone_address import public_url
from sheets.rules import RuleViolation
from sheets.rules.dice2.game import RULES as DICE2_RULES
from sheets.rules.marks import format_marks
from sheets.rules.sheet import opened_colours
from sheets.sentences import explain
from sheets.tables import words as table_words
from sheets.tables.doors import Door
from sheets.tables.families import level_of
from sheets.tables.reading import load
from sheets.tables.seating import last_name
from sheets.tables.sight import Sight, look
from sheets.views.dice2_table import board_state, show_board
from sheets.views.table_door import token_of
from sheets.views.table_results import show_results

LOBBY_PARTS = ("_lobby",)
PLAY_PARTS = (
    "_head",
    "_people",
    "_notice",
    "_bar",
    "_story",
    "_points",
    "_seats",
)


class Refusal(NamedTuple):
    """Why nothing has changed: a sentence, and the rule's name where a rule says so."""

    sentence: str
    rule: str = ""
    at: str = ""
    url: str = ""
    by: str = ""

    @classmethod
    def by_rule(cls, violation: RuleViolation, names: tuple[str, ...]) -> Refusal:
        """The rules of Dizzle refuse."""
        sentence = explain(violation, names)
        url = f"{reverse('rules')}#{violation.rule}"
        return cls(sentence, violation.rule, str(violation.facts.get("at", "")), url)

    @classmethod
    def by_dice2_rule(cls, violation: RuleViolation, names: tuple[str, ...]) -> Refusal:
        """The rules of Dice² refuse; ``by`` are the fields of the dice in the way."""
        rule, facts = violation.rule, violation.facts
        anchor = rule if rule in DICE2_RULES else "chapter-dice2"
        url = f"{reverse('rules')}#{anchor}"
        at, by = str(facts.get("at", "")), str(facts.get("by", ""))
        return cls(explain_dice2(violation, names), rule, at, url, by)

    @classmethod
    def by_table(cls, reason: str) -> Refusal:
        """The table refuses."""
        return cls(table_words.refusal(reason))


def seat_of(request: HttpRequest) -> int | None:
    """Which seat of this device the request is about: as the address says, else as was sent."""
    seat = _number(request, "seat")
    return _whole(request.POST.get("player", "")) if seat is None else seat


def _number(request: HttpRequest, name: str) -> int | None:
    return _whole(request.GET.get(name, ""))


def _whole(text: str) -> int | None:
    return int(text) if len(text) == 1 and text.isdecimal() and text.isascii() else None


def wants_json(request: HttpRequest) -> bool:
    """Whether our script asks."""
    return request.headers.get("Accept", "").startswith("application/json")


def show(
    request: HttpRequest,
    door: Door,
    *,
    refused: str = "",
    refusal: Refusal | None = None,
    status: int = 200,
) -> HttpResponse:
    """The page of a table."""
    if refused:
        refusal = Refusal.by_table(refused)
    if door.table.game and door.table.has_started:
        return show_board(request, door, refusal=refusal, status=status)
    if stage_of(door) == "over":
        return show_results(request, door, refusal=refusal, status=status)
    context = {"refusal": refusal, **_context(request, door)}
    template = "table/play.html" if door.table.has_started else "table/lobby.html"
    return render(request, template, context, status=status)


def state_of(request: HttpRequest, door: Door) -> dict[str, Any]:
    """What the script needs to bring the page up to date."""
    if door.table.game and door.table.has_started:
        return board_state(request, door)
    context = _context(request, door)
    parts = PLAY_PARTS if door.table.has_started else LOBBY_PARTS
    state: dict[str, Any] = {
        "revision": door.table.revision,
        "stage": stage_of(door),
        "parts": {part: render_to_string(f"table/{part}.html", context, request) for part in parts},
    }
    return state | (play_state(context["sight"]) if door.table.has_started else {})


def play_state(sight: Sight) -> dict[str, Any]:
    """What the sheet's own script needs."""
    return {
        "seat": sight.seat,
        "shown": sight.shown,
        "moment": sight.state.moment,
        "marks": [
            {at: format_marks(stack) for at, stack in marks.items()} for marks in sight.marks
        ],
        "opened": [opened_colours(sight.level, sheet.crosses) for sheet in sight.game.sheets],
        "hints": sight.hints,
        "taps": sight.taps,
        "open": sight.game.phase == "open",
        "title": title_of(sight),
        "call": sight.call,
        "story": sight.story and sight.story.entry,
    }


def title_of(sight: Sight) -> str:
    """The page's title: it says when somebody here is awaited."""
    if sight.is_asked_back:
        return "● " + _("Go back?")
    if sight.call:
        return "● " + _("Your turn")
    return sight.waiting or sight.door.table.shown_code


def stage_of(door: Door) -> str:
    """Which of its pages a table shows: ``lobby``, ``play`` or ``over``."""
    if not door.table.has_started:
        return "lobby"
    return "over" if load(door).state.game.phase == "finished" else "play"


def typed_url(request: HttpRequest, door: Door) -> str:
    """The address that is short enough to be typed."""
    return public_url(request, reverse("table", args=(door.table.shown_code,)))


def _context(request: HttpRequest, door: Door) -> dict[str, Any]:
    context: dict[str, Any] = {
        "door": door,
        "table": door.table,
        "level": None if door.table.game else level_of(door.table),
        "stage": stage_of(door),
        "request_id": secrets.token_urlsafe(12),
    }
    if door.table.has_started:
        sight = look(
            door,
            seat=seat_of(request),
            shown=_number(request, "show"),
            at=request.GET.get("at", ""),
        )
        return context | {"sight": sight, "state": play_state(sight)}
    url = public_url(request, reverse("table", args=(door.table.code,)))
    return context | {
        "url": url,
        "typed_url": typed_url(request, door),
        "qr": segno.make(url, micro=False),
        "last_name": "" if door.seats else last_name(token_of(request)),
        "is_full": all(seat.token_digest or seat.bot for seat in door.everybody),
    }
