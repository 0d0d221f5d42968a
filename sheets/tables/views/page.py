"""A table's own page as a device sees it: whole, or its changing parts for the script."""

from __future__ import annotations

import secrets
from functools import partial
from typing import Any, NamedTuple

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from sheets.access import codes
from sheets.access.devices import token_of
from sheets.access.export_rules import may_export_game, own_empty_sheet
from sheets.groups.keeping import day_of
from sheets.http.link_preview import LinkPreview, link_preview
from sheets.http.phone_address import public_url
from sheets.http.share_link import share_link
from sheets.people.names import NAME_LENGTH
from sheets.scoring.result import picture_size, preview_words
from sheets.scoring.standing import Standing
from sheets.tables import words as table_words
from sheets.tables.access import TableAccess
from sheets.tables.advice import is_possible
from sheets.tables.family import Explanation, Page, Wishes
from sheets.tables.games import family_of
from sheets.tables.page_state import (
    fragment_id,
    game_context,
    is_running,
    page_state,
    wishes_in,
)
from sheets.tables.play import starters
from sheets.tables.reading import load
from sheets.tables.seating import last_name
from sheets.tables.views.access import unless_known, with_table
from sheets.tables.views.origins import note_origin, other_origin
from sheets.tables.writing import resume_thinking
from sheets.texts.dates import day_in_words
from sheets.texts.players import join_names


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
    return wishes_of(request).seat


def show(
    request: HttpRequest,
    access: TableAccess,
    *,
    refused: str = "",
    refusal: Refusal | None = None,
    wrong: dict[str, str] | None = None,
    status: int = 200,
) -> HttpResponse:
    """The page of a table; ``wrong`` with `sheets.templatetags.wrong_tags`."""
    if refused:
        refusal = Refusal.by_table(refused)
    if access.table.has_started:
        page = family_of(access.table).page(access, wishes_of(request))
    else:
        page = _lobby(request, access)
    context = context_of(request, access, page) | {"refusal": refusal, "wrong": wrong}
    if page.stage == "over":
        context |= way_in(request, access)
    if not access.seats:
        context["link_preview"] = _preview(request, access, page)
    return render(request, page.template, context, status=status)


def state_of(request: HttpRequest, access: TableAccess) -> dict[str, Any]:
    """What the script needs to bring the page up to date."""
    if is_running(access):
        return page_state(access, wishes_of(request)).as_json()
    if access.table.has_started:
        page = family_of(access.table).play_page(access, wishes_of(request))
    else:
        page = _lobby(request, access)
    return {**fragments_of(request, access, page), **page.context.get("state", {})}


def fragments_of(request: HttpRequest, access: TableAccess, page: Page) -> dict[str, Any]:
    """The fragments of a page that change, by id, with the revision and the stage they show."""
    context = context_of(request, access, page)
    return {
        "revision": access.table.revision,
        "stage": page.stage,
        "parts": {
            fragment_id(fragment): render_to_string(fragment, context, request)
            for fragment in page.fragments
        },
    }


def context_of(request: HttpRequest, access: TableAccess, page: Page) -> dict[str, Any]:
    """What a page of a table is rendered with."""
    return {
        **game_context(access),
        "starters": starters(access),
        "who_starts": family_of(access.table).who_starts(access.table),
        # Asked by the pages that offer it alone: a session has to be read for it.
        "may_take_file": partial(may_export_game, access.table, request.session),
        "own_empty_sheet": partial(own_empty_sheet, access.table, request.session),
        "stage": page.stage,
        "elsewhere": partial(other_origin, request, access),
        "request_id": secrets.token_urlsafe(12),
        # Asked by the page of results alone.
        "played_on": lambda: day_in_words(day_of(access.table)),
        **page.context,
    }


def wishes_of(request: HttpRequest) -> Wishes:
    """What a page is asked to show, by its address, else the seat by what was sent."""
    return wishes_in(request.GET, request.POST.get("player", ""))


def _lobby(request: HttpRequest, access: TableAccess) -> Page:
    """Who sits where, before the game."""
    context = {
        **way_in(request, access),
        "last_name": "" if access.seats else last_name(token_of(request)),
        # A name typed for a seat that was taken meanwhile is offered for the next free one.
        "typed_name": request.POST.get("name", "")[:NAME_LENGTH],
        "typed_seat": min(access.free, default=None),
        "is_full": not access.free,
        "may_have_advice": is_possible(access.table),
        "view": family_of(access.table).view(access),
    }
    return Page("table/lobby.html", ("table/_lobby.html",), context, "lobby")


def _preview(request: HttpRequest, access: TableAccess, page: Page) -> LinkPreview:
    """Preview the link of a table, for devices without a seat: a messenger's crawler has none."""
    code, plays = access.table.code, family_of(access.table).title(access.table)
    if page.stage == "lobby":
        host = access.everybody[access.table.host].name
        title = _("Join %(name)s for a game of %(what)s") if host else _("Join a game of %(what)s")
        told = _("Open the link, type your name and take a seat. You need no account.")
        return link_preview(request, title % {"name": host, "what": plays}, told)
    day = day_in_words(day_of(access.table))
    if scoreboard := page.context.get("scoreboard"):
        standing: Standing = scoreboard.standing
        return link_preview(
            request,
            *preview_words(standing, plays, day),
            reverse("table-result-picture", args=(code,)),
            picture_size(standing, scoreboard.rows, scoreboard.level),
        )
    names = join_names([str(seat) for seat in access.everybody])
    is_over = stage_of(access) == "over"
    told = page.context["view"].result if is_over else _("Watch the game at this table.")
    return link_preview(request, f"{plays} · {names}", " · ".join(filter(None, (told, day))))


def way_back(request: HttpRequest, code: str) -> str:
    """The address of the page from which a form was sent: that of the seats, or the table's."""
    return reverse("table-seats" if request.POST.get("back") == "seats" else "table", args=(code,))


def stage_of(access: TableAccess) -> str:
    """How far a table is: ``lobby``, ``play`` or ``over``."""
    if not access.table.has_started:
        return "lobby"
    return "over" if load(access).state.game.is_finished else "play"


def way_in(request: HttpRequest, access: TableAccess) -> dict[str, Any]:
    """How others get here: ``link`` to send or scan, ``typed_url``, short enough to type."""
    return {
        "link": share_link(request, reverse("table", args=(access.table.code,))),
        "typed_url": public_url(request, reverse("table", args=(access.table.shown_code,))),
    }


@require_safe
@with_table
def page(request: HttpRequest, access: TableAccess) -> HttpResponse:
    """Show the table as it is now: lobby, sheet or results."""
    codes.note_visit(access.table)
    note_origin(request, access)
    resume_thinking(access)
    return show(request, access)


@require_safe
@with_table
def now(request: HttpRequest, access: TableAccess) -> HttpResponse:
    """What the page shows, if anything has changed since the revision it knows."""
    resume_thinking(access)
    return _state(request, access)


@unless_known
def _state(request: HttpRequest, access: TableAccess) -> HttpResponse:
    return JsonResponse(state_of(request, access))
