"""Uses of a level: view, score, play, print and download."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from sheets.access.devices import set_token_cookie, token_for, token_of
from sheets.access.export_rules import may_export_level, may_share_copies, refuse_unless
from sheets.access.keys import Access
from sheets.groups.group_choice import add_to_chosen_group
from sheets.http import render_tasks, rendering
from sheets.http.downloads import attach_of, document_bytes
from sheets.http.fragments import render_part
from sheets.http.link_preview import level_preview
from sheets.http.post_redirect import posted_or_to
from sheets.http.rate_limits import NEW_SCORINGS, NEW_TABLES, limited
from sheets.levels.legend import legend_context
from sheets.models import WorkshopLevel
from sheets.printing.pictures.sizes import blank_size
from sheets.printing.web.pages import options_context, pdf_response, preview_context, refuse_print
from sheets.printing.web.request import PrintRefused, PrintRequest, read_options, refuse_too_many
from sheets.rules import Level
from sheets.rules.level import MAX_PLAYERS
from sheets.scoring import store
from sheets.scoring.forms import PlayersForm
from sheets.tables import seating
from sheets.tables.access import find_access
from sheets.tables.acts import start
from sheets.tables.forms import OpenForm
from sheets.tables.table_settings import MIRRORED, ROLLED
from sheets.text.form_errors import first_errors
from sheets.text.player_names import player_name
from sheets.workshop import empty_sheets
from sheets.workshop import store as workshop_store
from sheets.workshop.checks import find_errors
from sheets.workshop.draft import ORDER, visible_level
from sheets.workshop.views.access import with_finished, with_finished_or_fix


def show(request: HttpRequest, access: Access[WorkshopLevel]) -> HttpResponse:
    """Show the level for a read-only link."""
    level = visible_level(access.resource.document)
    errors = [check.sentence for check in find_errors(access.resource.document)]
    context: dict[str, Any] = {
        "access": access,
        "level": level,
        "errors": errors,
        **uses_of(access),
    }
    if level:
        context |= legend_context(level)
        # An unfinished level has no picture.
        picture = "" if errors else reverse("workshop-png", args=(access.key,))
        context["link_preview"] = level_preview(request, level, picture, blank_size(level))
    return render(request, "workshop/show.html", context)


def uses_of(access: Access[WorkshopLevel]) -> dict[str, bool]:
    """Return the template variables of ``workshop/_uses.html`` that depend on permissions."""
    has_empty_sheet = access.can_edit and empty_sheets.find(access.resource) is not None
    return {
        "may_take_file": may_export_level(access),
        "may_give_copies": may_share_copies(access),
        "has_empty_sheet": has_empty_sheet,
        "may_add_empty_sheet": access.can_edit
        and access.resource.is_bought
        and not has_empty_sheet,
    }


@require_http_methods(["GET", "HEAD", "POST"])
@limited(NEW_SCORINGS)
@with_finished_or_fix
def score(request: HttpRequest, access: Access[WorkshopLevel], level: Level) -> HttpResponse:
    """Ask for the players, then begin to score paper sheets of this level."""
    form = PlayersForm(request.POST if request.method == "POST" else None, level.player_counts)
    bought = workshop_store.bought(access)
    if form.is_bound and form.is_valid():
        key = store.create(level, form.names, bought)
        add_to_chosen_group(request, store.find(key).resource)
        return redirect("score-sheet", key=key, number=1)
    context = {
        "level": level,
        "form": form,
        "access": access,
        **_photo_links(access),
        "here_url": reverse("workshop-here", args=(access.key,)),
        "wrong": first_errors(form),
    }
    return render(request, "score/begin.html", context, status=400 if form.is_bound else 200)


def _photo_links(access: Access[WorkshopLevel]) -> dict[str, str]:
    """Return the URL for photos of filled sheets, or of the empty sheet if that is needed first.

    Empty if this visitor may not add the empty sheet.
    """
    uses = uses_of(access)
    if not access.resource.is_bought or uses["has_empty_sheet"]:
        return {"photos_url": reverse("photos-own", args=[access.key])}
    if uses["may_add_empty_sheet"]:
        return {"empty_url": reverse("photos-empty-add", args=[access.key])}
    return {}


@require_http_methods(["GET", "HEAD", "POST"])
@limited(NEW_TABLES)
@with_finished_or_fix
def play(request: HttpRequest, access: Access[WorkshopLevel], level: Level) -> HttpResponse:
    """Ask for the number of players and the dice, then open a table."""
    is_sent = request.method == "POST"
    form = OpenForm({**request.POST.dict(), "level": level.id} if is_sent else None)
    wrong = first_errors(form) if is_sent else {}
    if is_sent and form.is_valid():
        sent = form.cleaned_data
        code, token = _open_table(
            request,
            access,
            form.apply_to(level, sent["players"]),
            sent["players"],
            sent["dice"],
            sent["name"],
            bots=form.strength,
            has_hints=sent["hints"],
        )
        add_to_chosen_group(request, find_access(code).table)
        if form.strength:  # bots take the other seats
            start(find_access(code, token))
        return set_token_cookie(redirect("table", code=code), token)
    usual = {
        "players": "2",
        "dice": ROLLED if "bots" in request.GET else MIRRORED,
        "bots": request.GET.get("bots", ""),
        "name": seating.last_name(token_of(request)),
        **OpenForm.of_level(level),
    }
    chosen = request.POST if is_sent else usual
    context = {
        "access": access,
        "level": level,
        "wrong": wrong,
        "chosen": chosen,
        "counts": range(1, MAX_PLAYERS + 1),
        "most_without_house_rule": max(level.player_counts),
    }
    return render(request, "workshop/play.html", context, status=400 if is_sent else 200)


@limited(NEW_TABLES)
@with_finished_or_fix
@posted_or_to("workshop-level")
def play_alone(request: HttpRequest, access: Access[WorkshopLevel], level: Level) -> HttpResponse:
    """Open a table for one player with dice rolled by the app, and start the game at once."""
    if 1 not in level.player_counts:
        return redirect("workshop-play", key=access.key)
    code, token = _open_table(request, access, level, 1, ROLLED, "")
    start(find_access(code, token))
    return set_token_cookie(redirect("table", code=code), token)


def _open_table(
    request: HttpRequest,
    access: Access[WorkshopLevel],
    level: Level,
    players: int,
    dice: str,
    name: str,
    *,
    bots: str = "",
    has_hints: bool = False,
) -> tuple[str, str]:
    """Open a table; return its code and the secret token of the player who has opened it."""
    token = token_for(request)
    code = seating.open_table(
        level,
        "",
        players=players,
        dice=dice,
        name=player_name(name, 1),
        token=token,
        bought=workshop_store.bought(access),
        bots=bots,
        has_hints=has_hints,
    )
    return code, token


@require_safe
@with_finished_or_fix
def print_page(request: HttpRequest, access: Access[WorkshopLevel], level: Level) -> HttpResponse:
    """Show the print options and previews of the pages."""
    context: dict[str, Any] = {
        "access": access,
        "level": level,
        "page": reverse("workshop-print", args=[access.key]),
        **options_context(request, levels=1),
    }
    try:
        context |= preview_context(
            wanted_print(request, level),
            lambda number: reverse("workshop-page", args=[access.key, number]),
        )
        context["pdf"] = reverse("workshop-pdf", args=[access.key])
    except PrintRefused as refusal:
        context["wrong"] = refusal.wrong
    status = 400 if "wrong" in context else 200
    return render_part(request, "workshop/print.html", "print/_print.html", context, status)


@require_safe
@with_finished
def sheet_pdf(request: HttpRequest, access: Access[WorkshopLevel], level: Level) -> HttpResponse:
    """Return blank sheets as PDF."""
    try:
        wanted = wanted_print(request, level)
    except PrintRefused as refusal:
        return refuse_print(request, refusal)
    return pdf_response(request, wanted)


def wanted_print(request: HttpRequest, level: Level) -> PrintRequest:
    """Return the `PrintRequest` for a level with the options in the query. Raises PrintRefused.

    By default, a single copy fills its page.
    """
    options = read_options(request)
    if not options.per_page and options.copies == 1:
        options = replace(options, per_page=1)
    wanted = PrintRequest((level,), options)
    refuse_too_many(wanted.pages)
    return wanted


@require_safe
@with_finished
def sheet_png(request: HttpRequest, access: Access[WorkshopLevel], level: Level) -> HttpResponse:
    """Return a picture of the blank sheet as PNG."""
    return rendering.file_response(
        request,
        ("level-picture", rendering.level_cache_key(level)),
        lambda: partial(render_tasks.blank_picture, level),
        lambda picture: attach_of(level, picture, "image/png", ".png"),
    )


@require_safe
@with_finished
def document(request: HttpRequest, access: Access[WorkshopLevel], level: Level) -> HttpResponse:
    """Return the level as a ``dizzle-level/1`` file."""
    return attach_of(level, document_bytes(file_document(access)), "application/json", ".json")


def file_document(access: Access[WorkshopLevel]) -> dict[str, Any]:
    """Return the level's document for a file. Raises PermissionDenied if it may not be exported."""
    refuse_unless(may_export_level(access))
    return {key: access.resource.document[key] for key in ORDER if key in access.resource.document}
