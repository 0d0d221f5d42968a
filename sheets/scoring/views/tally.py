"""Pages that count a tally: the score of a pad with an unknown layout.

The page sends its whole input with each request. Until the user asks for the result, only their
browser stores it; then the server stores it under a key, and other devices can continue it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from sheets.access.devices import keep_private_if_known, noted
from sheets.access.keys import (
    Access,
    by_key,
    delete_resource,
    note_visit,
    only_editors,
    unless_current,
)
from sheets.art.layout import format_amount
from sheets.documents.decoding import decoder
from sheets.groups.group_choice import add_to_chosen_group
from sheets.http.fragments import render_part
from sheets.http.link_preview import link_preview
from sheets.http.post_redirect import posted_or_to
from sheets.http.rate_limits import NEW_SCORINGS, SAVES, limited
from sheets.http.share_link import share_link
from sheets.models import Tally
from sheets.rules.symbols import BY_CATEGORY, PLAIN_PAYING, SYMBOLS
from sheets.scoring import tally_store
from sheets.scoring.tally import CROSSES, CountRow
from sheets.scoring.tally_forms import DEFAULTS, NOTHING, CountForm
from sheets.scoring.tally_score import Tallied, all_drawings, drawing_of, merge_typed
from sheets.text.player_names import join_names
from sheets.text.symbols import CATEGORY_NAMES, COLOURED_SYMBOL_NAMES

REST = ("tracks", *(SYMBOLS[symbol].category for symbol in PLAIN_PAYING))
"""Categories that the page lists under one common heading."""


def _find(_request: HttpRequest, key: str) -> Access[Tally]:
    return tally_store.find(key)


with_tally = by_key(_find)
"""Decorator that finds a tally by the key in the URL and passes its `Access` to the view."""


@require_http_methods(["GET", "HEAD", "POST"])
def tally(request: HttpRequest) -> HttpResponse:
    """Add up the players' counts, without storing them."""
    is_new = request.method != "POST"
    tallied = Tallied(DEFAULTS if is_new else request.POST)
    response = _show(request, tallied, reverse("tally"), is_new=is_new)
    return keep_private_if_known(request, response)  # it names the device's groups


@limited(NEW_SCORINGS)
@posted_or_to("tally")
def keep(request: HttpRequest) -> HttpResponse:
    """Store the counts under a new key, and show the result."""
    tallied = Tallied(request.POST)
    if not tallied.is_valid:
        return _show(request, tallied, reverse("tally"))
    key = tally_store.create(tallied.typed())
    add_to_chosen_group(request, tally_store.find(key).resource)
    return redirect("tally-results", key=key)


@limited(SAVES)
@require_http_methods(["GET", "HEAD", "POST"])
@with_tally
@only_editors
@noted("tally")
def count(request: HttpRequest, access: Access[Tally]) -> HttpResponse:
    """Show and change a stored tally, on any device with its link."""
    action = reverse("tally-count", args=(access.key,))
    if request.method != "POST":
        note_visit(access.resource)
        return _show(request, Tallied(access.resource.typed), action, access, is_new=True)
    changed: Tallied

    def change(kept: tally_store.Typed) -> tally_store.Typed:
        nonlocal changed
        changed = merge_typed(kept, _loaded_input(request), request.POST.dict())
        return changed.typed() if changed.is_valid else kept

    access = tally_store.change(access, change)
    if changed.is_valid and "then" in request.POST:
        return redirect("tally-results", key=access.key)
    return _show(request, changed, action, access)


@require_safe
@with_tally
@only_editors
@unless_current
def news(request: HttpRequest, access: Access[Tally]) -> HttpResponse:
    """Return the form of a stored tally."""
    return _show(
        request,
        Tallied(access.resource.typed),
        reverse("tally-count", args=(access.key,)),
        access,
    )


@require_http_methods(["GET", "HEAD", "POST"])
@with_tally
@only_editors
def delete(request: HttpRequest, access: Access[Tally]) -> HttpResponse:
    """Ask for confirmation, then delete the tally."""
    if request.method == "POST":
        delete_resource(access)
        return redirect("score-deleted")
    back = reverse("tally-results", args=(access.key,))
    return render(request, "score/delete.html", {"access": access, "back": back, "is_tally": True})


def _loaded_input(request: HttpRequest) -> dict[str, str]:
    """Return the input that the page showed when it was loaded; empty if the form lacks it."""
    try:
        return decoder(dict[str, str]).decode(request.POST.get("was", "").encode())
    except (msgspec.DecodeError, UnicodeError):
        return {}


def _show(
    request: HttpRequest,
    tallied: Tallied,
    action: str,
    access: Access[Tally] | None = None,
    *,
    is_new: bool = False,
) -> HttpResponse:
    """Render the page, or for htmx its fragment; ``is_new`` if the user has just opened it."""
    ranks = tallied.standing.ranks
    player = request.GET.get("player", "")
    asked = int(player[:3]) if player.isdecimal() else 0
    uncounted = [i for i, rank in enumerate(ranks) if rank.is_uncounted]
    context: dict[str, Any] = {
        "access": access,
        "action": action,
        "pad_form": tallied.pad_form,
        "examples": tallied.pad_form.examples,
        "is_new": is_new,
        "shows_pad": "pad" in request.GET or (is_new and not access),
        "wrong": tallied.wrong,
        "drawings": all_drawings(),
        "standing": tallied.standing,
        "rows": tallied.rows,
        "players": [
            {
                "form": form,
                "name": ranks[i].name,
                "total": format_amount(ranks[i].score.total),
                "sections": _sections(form, tallied.count_rows, solo=tallied.is_solo),
                "is_open": i in uncounted[:1] or i + 1 == asked or bool(form.errors),
                "can_say_nothing": not any(form.counts().values()),
                "nothing": form[NOTHING],
            }
            for i, form in enumerate(tallied.count_forms)
        ],
    }
    if access:
        context["was"] = msgspec.json.encode(access.resource.typed).decode()
        context["link"] = share_link(request, action)
        context["link_preview"] = link_preview(
            request,
            f"{_('Count together')} · {_('Tally')}",
            join_names(tallied.names),
        )
    status = 200 if tallied.is_valid else 422
    return render_part(request, "tally/tally.html", "tally/_tally.html", context, status)


def _sections(form: CountForm, rows: Iterable[CountRow], *, solo: bool) -> list[dict[str, Any]]:
    """Return a player's form fields, grouped under headings.

    The fields of a section with ``once`` are checkboxes; those of the others are counts.
    """
    sections: dict[str, dict[str, Any]] = {}
    for row in rows:
        own = row.category not in REST
        section = sections.setdefault(
            row.category if own else "",
            {"title": CATEGORY_NAMES[row.category] if own else _("The rest"), "entries": []},
        )
        section["once"] = row.once
        section["entries"].append(
            {
                "field": form[row.name],
                "drawing": drawing_of(row),
                "label": _label(row, solo=solo),
                "each": format_amount(row.each),
            }
        )
    crosses = {
        "field": form[CROSSES],
        "drawing": "cross-1",
        "label": _("crosses, in case of a tie"),
        "each": "",
    }
    rest = sections.setdefault("", {"title": _("The rest"), "entries": [], "once": False})
    rest["entries"].append(crosses)
    return list(sections.values())


def _label(row: CountRow, *, solo: bool) -> str:
    if row.colour:
        return str(COLOURED_SYMBOL_NAMES[BY_CATEGORY[row.category].name][row.colour])
    if row.once:
        return format_amount(row.each)
    named = {
        "bombs": _("crossed bombs") if solo else _("exploded bombs"),
        "open_tracks": _("fields on open routes"),
        "loop_tracks": _("fields on loops"),
        "longest_tracks": _("fields on your longest loop"),
        "stops": _("stops on a loop"),
    }
    return named.get(row.name) or str(CATEGORY_NAMES[row.category])
