"""Corrections of a sheet of a finished game, proposed to the other players."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any, NamedTuple, cast

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods
from django_htmx.http import HttpResponseClientRedirect

from sheets.http.fragments import HtmxHttpRequest, render_part
from sheets.rules import Game
from sheets.rules.level import SHAPES
from sheets.rules.marks import possible_stacks
from sheets.scoring.marks import field_marks, has_volcano
from sheets.tables import acts, event_loader
from sheets.tables import sentences as table_words
from sheets.tables.access import Refused, Stale, TableAccess
from sheets.tables.corrections import Draft, read_changes
from sheets.tables.forms import CorrectionForm
from sheets.tables.views.access import with_table
from sheets.tables.views.results import with_sheets


class Lit(NamedTuple):
    """Fields to highlight on a sheet; ``missing`` are highlighted as still to be crossed."""

    fields: Sequence[str]
    missing: Sequence[str] = ()


@require_http_methods(["GET", "HEAD", "POST"])
@with_table
@with_sheets
def correct(request: HttpRequest, access: TableAccess, game: Game, number: int) -> HttpResponse:
    """Show a player's sheet with the changes so far; add a change, or propose them all."""
    if not (access.seats and game.is_finished):
        return _to_table(request, access)
    if number >= len(game.players):
        raise Http404
    form = CorrectionForm(request.POST)
    if request.method == "POST" and not form.is_valid():
        return HttpResponseBadRequest("malformed correction")
    sent: dict[str, Any] = form.cleaned_data if form.is_valid() else {}
    try:
        draft = _draft(request, game, number)
        draft, asks = _with_tap(draft, form) if sent.get("at") else (draft, "")
    except ValueError:
        return HttpResponseBadRequest("no such place or value")
    refused = ""
    if sent.get("pen") and draft.marks.get(sent["at"]) == "cross":
        refused = _("There is a cross on this field. Take it away first, then pour the lava.")
    if sent.get("propose") and draft.changes:
        try:
            named = {"moment": sent["moment"], "request": sent["request"]}
            action = draft.correction.action
            acts.propose_correction(access, min(access.seats), action, **named)
        except Refused as why:
            refused = table_words.refusal(why.reason)
        except Stale:
            refused = table_words.refusal("stale")
        else:
            return _to_table(request, access)
    level = game.level
    context = {
        "access": access,
        "table": access.table,
        "draft": draft,
        "level": level,
        "number": number,
        "player": game.players[number],
        "players": list(enumerate(game.players)),
        "fields": field_marks(level, draft.marks),
        "editor": {"can_edit": True},
        "asks": asks,
        "lit": Lit((*draft.changes, asks)),
        "shapes": SHAPES if asks else (),
        "has_lava": has_volcano(level),
        "pen": sent.get("pen", ""),
        "has_bombs": bool(level.by_symbol["bomb"]) and not game.is_solo,
        "moment": event_loader.load(access).state.moment,
        "refused": refused,
        "request_id": secrets.token_urlsafe(12),
    }
    status = 409 if refused else 200
    page, part = "table/correct.html", "table/_correct.html"
    return render_part(request, page, part, context, status)


def _draft(request: HttpRequest, game: Game, number: int) -> Draft:
    """Return the sheet with the changes and the circled numbers that the page has sent."""
    changes = read_changes(request.POST.getlist("change"))
    numbers = {at: request.POST[at] for at in game.level.number_tracks if at in request.POST}
    return Draft.of(game, number, changes | numbers)


def _with_tap(draft: Draft, form: CorrectionForm) -> tuple[Draft, str]:
    """Return the sheet after a tap, and the field for which to choose a track, empty for none.

    Raises ValueError for an unknown field or value.
    """
    sent, level = form.cleaned_data, draft.game.level
    at, value = sent["at"], sent["value"]
    if not possible_stacks(level, at):
        raise ValueError("no such field")
    if not form.has_value:
        value = draft.tapped(at, lava=sent["pen"] == "lava")
        if level.rails and not value:
            return draft, at
    return Draft.of(draft.game, draft.player, {**draft.changes, at: value}), ""


def _to_table(request: HttpRequest, access: TableAccess) -> HttpResponse:
    """Redirect to the page of the table, with a header if htmx sent the request."""
    url = reverse("table", args=(access.table.code,))
    is_part = cast(HtmxHttpRequest, request).htmx
    return HttpResponseClientRedirect(url) if is_part else redirect(url)
