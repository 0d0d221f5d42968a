"""How a table looks on a device: the whole page, or its changing parts for the script."""

from __future__ import annotations

import secrets
from functools import partial
from pathlib import PurePosixPath
from typing import Any, NamedTuple

import segno
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse

from sheets.leaving import Leaving, may_leave_game
from sheets.phone_address import public_url
from sheets.tables import words as table_words
from sheets.tables.doors import Door
from sheets.tables.family import Explanation, Page, Wishes
from sheets.tables.forms import WHY
from sheets.tables.games import family_of
from sheets.tables.reading import load
from sheets.tables.seating import last_name
from sheets.views.table_door import token_of


class Refusal(NamedTuple):
    """Why nothing has changed: a sentence, and the rule's name where a rule says so."""

    sentence: str
    rule: str = ""
    at: str = ""
    url: str = ""
    by: str = ""

    @classmethod
    def by_rule(cls, why: Explanation) -> Refusal:
        """The rules refuse; ``by`` are the fields of the dice in the way."""
        url = f"{reverse('rules')}#{why.anchor}"
        return cls(why.sentence, why.rule, why.at, url, why.by)

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
    if door.table.has_started:
        page = family_of(door.table).page(door, _wishes(request))
    else:
        page = _lobby(request, door)
    context = context_of(request, door, page) | {"refusal": refusal}
    return render(request, page.template, context, status=status)


def state_of(request: HttpRequest, door: Door) -> dict[str, Any]:
    """What the script needs to bring the page up to date."""
    if door.table.has_started:
        page = family_of(door.table).play_page(door, _wishes(request))
    else:
        page = _lobby(request, door)
    return {**fragments_of(request, door, page), **page.context.get("state", {})}


def fragments_of(request: HttpRequest, door: Door, page: Page) -> dict[str, Any]:
    """The fragments of a page that change, by id, with the revision and the stage they show."""
    context = context_of(request, door, page)
    return {
        "revision": door.table.revision,
        "stage": page.stage,
        "parts": {
            PurePosixPath(fragment).stem: render_to_string(fragment, context, request)
            for fragment in page.fragments
        },
    }


def context_of(request: HttpRequest, door: Door, page: Page) -> dict[str, Any]:
    """What a page of a table is rendered with."""
    family = family_of(door.table)
    return {
        "door": door,
        "table": door.table,
        "host": door.everybody[door.table.host],
        "plays": family.title(door.table),
        "dice_words": family.dice_words(door.table),
        # Asked by the pages that offer it alone: a session has to be read for it.
        "may_take_file": partial(may_leave_game, Leaving.DOCUMENT, door.table, request.session),
        "stage": page.stage,
        "request_id": secrets.token_urlsafe(12),
        **page.context,
    }


def _wishes(request: HttpRequest) -> Wishes:
    asked = request.GET
    return Wishes(
        seat_of(request), _number(request, "show"), asked.get("at", ""), asked.get(WHY, "")
    )


def _lobby(request: HttpRequest, door: Door) -> Page:
    """Who sits where, before the game."""
    url = public_url(request, reverse("table", args=(door.table.code,)))
    context = {
        "url": url,
        "typed_url": typed_url(request, door),
        "qr": segno.make(url, micro=False),
        "last_name": "" if door.seats else last_name(token_of(request)),
        "is_full": all(seat.token_digest or seat.bot for seat in door.everybody),
    }
    return Page("table/lobby.html", ("table/_lobby.html",), context, "lobby")


def stage_of(door: Door) -> str:
    """How far a table is: ``lobby``, ``play`` or ``over``."""
    if not door.table.has_started:
        return "lobby"
    return "over" if load(door).state.game.phase == "finished" else "play"


def typed_url(request: HttpRequest, door: Door) -> str:
    """The address that is short enough to be typed."""
    return public_url(request, reverse("table", args=(door.table.shown_code,)))
