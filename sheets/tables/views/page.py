"""Main page of a table for one device, or its changing fragments for the page's script."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from sheets.access import codes
from sheets.access.devices import token_of
from sheets.access.export_rules import may_export_game, own_empty_sheet
from sheets.groups.game_store import day_of
from sheets.http.fragments import is_from_script
from sheets.http.link_preview import LinkPreview, link_preview
from sheets.http.phone_address import public_url
from sheets.http.share_link import share_link
from sheets.names.cleaning import NAME_LENGTH
from sheets.scoring.ranking import Standing
from sheets.scoring.result import picture_size, preview_words
from sheets.tables import sentences as table_words
from sheets.tables.access import TableAccess
from sheets.tables.acts import starters
from sheets.tables.dice_page import contributions_of
from sheets.tables.event_loader import load
from sheets.tables.event_writer import resume_thinking
from sheets.tables.family import Explanation, Page, PageQuery, family_of
from sheets.tables.hints import can_have_hints
from sheets.tables.page_state import (
    PageState,
    fragment_id,
    game_context,
    is_running,
    page_state,
    parse_query,
)
from sheets.tables.seating import last_name
from sheets.tables.views.access import with_table
from sheets.tables.views.origins import note_origin, other_origin
from sheets.text.dates import format_day
from sheets.text.player_names import join_names


class Refusal(NamedTuple):
    """Reason for a refused act.

    ``rule`` is the name of the rule that forbids the act, ``url`` the address of its paragraph on
    the page of the rules, ``at`` the field of the act, and ``by`` the fields of the dice in the
    way. All are empty if the table refuses the act.
    """

    sentence: str
    rule: str = ""
    at: str = ""
    url: str = ""
    by: str = ""

    @classmethod
    def by_rule(cls, why: Explanation) -> Refusal:
        """Return the refusal of an act that a rule of the game forbids."""
        url = f"{reverse('rules')}#{why.anchor}"
        return cls(why.sentence, why.rule, why.at, url, why.by)

    @classmethod
    def by_table(cls, reason: str) -> Refusal:
        """Return the refusal of an act by the table; ``reason`` as in `sentences.refusal`."""
        return cls(table_words.refusal(reason))


def seat_of(request: HttpRequest) -> int | None:
    """Return the seat that the request is about: from the address, else from the form."""
    return query_of(request).seat


def show(
    request: HttpRequest,
    access: TableAccess,
    *,
    refused: str = "",
    refusal: Refusal | None = None,
    wrong: dict[str, str] | None = None,
    status: int = 200,
) -> HttpResponse:
    """Render the page of a table.

    Args:
        refused: why the table refused an act, as in `Refusal.by_table`.
        refusal: why an act was refused, instead of ``refused``.
        wrong: sentences by form field, see `sheets.templatetags.form_error_tags`.
        status: HTTP status of the answer.
    """
    if refused:
        refusal = Refusal.by_table(refused)
    if access.table.has_started:
        page = family_of(access.table).page(access, query_of(request))
    else:
        page = _lobby(request, access)
    context = context_of(request, access, page) | {"refusal": refusal, "wrong": wrong}
    if page.stage == "over":
        context |= way_in(request, access)
    if not access.seats:
        context["link_preview"] = _preview(request, access, page)
    return render(request, page.template, context, status=status)


def state_of(request: HttpRequest, access: TableAccess) -> PageState:
    """Return the state of the page of a table in its lobby or its game."""
    if is_running(access):
        return page_state(access, query_of(request))
    if access.table.has_started:
        page = family_of(access.table).play_page(access, query_of(request))
    else:
        page = _lobby(request, access)
    return state_of_page(request, access, page)


def state_of_page(request: HttpRequest, access: TableAccess, page: Page) -> PageState:
    """Return the state of a page that depends on the request."""
    context = context_of(request, access, page)
    fragments = {
        fragment_id(fragment): render_to_string(fragment, context, request)
        for fragment in page.fragments
    }
    revision = access.table.revision
    data = {"revision": revision, "stage": page.stage, **page.context.get("state", {})}
    return PageState(revision, fragments, data)


def news(
    request: HttpRequest, access: TableAccess, state: Callable[[], PageState]
) -> HttpResponse | None:
    """Answer a page's script: its fragments, or 204 if the page has the revision (``?known=``).

    Return None for a request of the whole page.
    """
    if not is_from_script(request):
        return None
    if request.GET.get("known") == str(access.table.revision):
        return HttpResponse(status=204)
    return HttpResponse(state().as_html())


def context_of(request: HttpRequest, access: TableAccess, page: Page) -> dict[str, Any]:
    """Return the template context of a page of a table."""
    return {
        **game_context(access),
        "starters": starters(access),
        "who_starts": family_of(access.table).who_starts(access.table),
        # Called only by pages that offer the download, because it reads the session.
        "may_take_file": partial(may_export_game, access.table, request.session),
        "own_empty_sheet": partial(own_empty_sheet, access.table, request.session),
        "stage": page.stage,
        "elsewhere": partial(other_origin, request, access),
        "request_id": secrets.token_urlsafe(12),
        # Called only by the page of results.
        "played_on": lambda: format_day(day_of(access.table)),
        **page.context,
    }


def query_of(request: HttpRequest) -> PageQuery:
    """Return what a page shall show, from its address; the seat, if not there, from the form."""
    return parse_query(request.GET, request.POST.get("player", ""))


def _lobby(request: HttpRequest, access: TableAccess) -> Page:
    """Return the page of a table before the game, with its seats."""
    context = {
        **way_in(request, access),
        "last_name": "" if access.seats else last_name(token_of(request)),
        # If another player was faster, the typed name is offered for the next free seat.
        "typed_name": request.POST.get("name", "")[:NAME_LENGTH],
        "typed_seat": min(access.free, default=None),
        "is_full": not access.free,
        "may_have_hints": can_have_hints(access.table),
        "contributions": contributions_of(access),
        "view": family_of(access.table).view(access),
    }
    return Page("table/lobby.html", ("table/_lobby.html",), context, "lobby")


def _preview(request: HttpRequest, access: TableAccess, page: Page) -> LinkPreview:
    """Return the link preview of a table, for devices without a seat, such as crawlers."""
    code, plays = access.table.code, family_of(access.table).title(access.table)
    if page.stage == "lobby":
        host = access.all_seats[access.table.host].name
        title = _("Join %(name)s for a game of %(what)s") if host else _("Join a game of %(what)s")
        description = _("Open the link, type your name and take a seat. You need no account.")
        return link_preview(request, title % {"name": host, "what": plays}, description)
    day = format_day(day_of(access.table))
    if scoreboard := page.context.get("scoreboard"):
        standing: Standing = scoreboard.standing
        return link_preview(
            request,
            *preview_words(standing, plays, day),
            reverse("table-result-picture", args=(code,)),
            picture_size(standing, scoreboard.rows, scoreboard.level),
        )
    names = join_names([str(seat) for seat in access.all_seats])
    is_over = stage_of(access) == "over"
    outcome = page.context["view"].result if is_over else _("Watch the game at this table.")
    return link_preview(request, f"{plays} · {names}", " · ".join(filter(None, (outcome, day))))


def way_back(request: HttpRequest, code: str) -> str:
    """Return the address of the page that sent the form: the page of seats, or the main page."""
    return reverse("table-seats" if request.POST.get("back") == "seats" else "table", args=(code,))


def stage_of(access: TableAccess) -> str:
    """Return the stage of a table: ``lobby``, ``play`` or ``over``."""
    if not access.table.has_started:
        return "lobby"
    return "over" if load(access).state.game.is_finished else "play"


def way_in(request: HttpRequest, access: TableAccess) -> dict[str, Any]:
    """Return the addresses for inviting others: ``link`` to send or scan, ``typed_url`` to type."""
    return {
        "link": share_link(request, reverse("table", args=(access.table.code,))),
        "typed_url": public_url(request, reverse("table", args=(access.table.shown_code,))),
    }


@require_safe
@with_table
def page(request: HttpRequest, access: TableAccess) -> HttpResponse:
    """Show the table in its current stage: lobby, game or results.

    ``?stage=over`` requests the fragments of the results, not those of the finished game.
    """
    resume_thinking(access)

    def state() -> PageState:
        if request.GET.get("stage") == "over" and stage_of(access) == "over":
            return state_of_page(request, access, family_of(access.table).page(access, PageQuery()))
        return state_of(request, access)

    if fragments := news(request, access, state):
        return fragments
    codes.note_visit(access.table)
    note_origin(request, access)
    return show(request, access)
