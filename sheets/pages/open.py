"""Opening of files and links: a level, game or sheets, and what can be done with them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from sheets.access.devices import set_token_cookie, token_for
from sheets.access.keys import keep_private, key_in_link
from sheets.documents.opened import DICE2_FORMATS, OpenedFile, format_of, read_any
from sheets.documents.structure import MAX_BYTES, read_sheets
from sheets.groups.group_choice import add_to_chosen_group
from sheets.http import render_tasks, rendering
from sheets.http.downloads import attach_of
from sheets.http.post_redirect import posted_or_to
from sheets.http.rate_limits import (
    NEW_SCORINGS,
    NEW_TABLES,
    READS,
    UPLOADS,
    Limit,
    address_of,
    count_stored_bytes,
    limited,
    refuse,
    refuse_to_store,
)
from sheets.http.uploads import sent_file
from sheets.levels import find_level
from sheets.levels.legend import legend_context
from sheets.names.confusables import shown_names
from sheets.printing.booklet import sheet_address
from sheets.printing.geometry import PageOptions
from sheets.printing.web.request import default_paper
from sheets.rules import DocumentError, Level, format_level
from sheets.rules.documents.sheets import format_sheets
from sheets.rules.level import MAX_PLAYERS
from sheets.scoring import store
from sheets.tables import game_files, seating, table_settings
from sheets.tables.access import find_access
from sheets.tables.dice2 import files as dice2_files
from sheets.tables.views.access import OpenedGame, with_opened_game
from sheets.text.faults import describe_fault
from sheets.text.form_errors import NO_FIELD
from sheets.text.languages import active_language
from sheets.text.player_names import player_name
from sheets.workshop import store as workshop_store
from sheets.workshop.level_codes import fits_in_link, format_code, parse_code
from sheets.workshop.level_copy import copy_document
from sheets.workshop.views.links import code_address, copy_link


@require_http_methods(["GET", "HEAD", "POST"])
@limited(UPLOADS)
def open_file(request: HttpRequest) -> HttpResponse:
    """Show the form for a file or a pasted link; after POST show the content."""
    if request.method != "POST":
        return render(request, "open/open.html")
    # A pasted link to a workshop level is a plain redirect.
    if key := key_in_link(request.POST.get("text", ""), "workshop"):
        return redirect("workshop-level", key=key)
    try:
        text = _sent_text(request)
        if format_of(text) in DICE2_FORMATS:
            if not NEW_TABLES.hit(address_of(request)):
                return refuse(request)
            token = token_for(request)
            return set_token_cookie(
                redirect("table", code=dice2_files.go_on_with(text, token)), token
            )
        return _show_opened(request, read_any(text), len(text))
    except DocumentError as error:
        sentence = describe_fault(error)
        if error.fault == "picture":
            sentence = _with_way_for_photos(sentence)
        return _refuse(request, sentence, _field_of(request))
    except dice2_files.BrokenFile as broken:
        return _refuse(request, str(broken), _field_of(request))
    except game_files.BrokenGame as broken:
        return _refuse(request, broken.sentence, _field_of(request))


@require_safe
@limited(READS, "GET")
def show_level(request: HttpRequest) -> HttpResponse:
    """Show the level encoded in a link."""
    try:
        level = parse_code(request.GET.get("code", ""))
    except DocumentError as error:
        return _refuse(request, describe_fault(error))
    return _show(request, level)


@require_safe
@limited(READS, "GET")
@with_opened_game
def show_game(request: HttpRequest, opened: OpenedGame) -> HttpResponse:
    """Show an opened game; its key is the only protection."""
    steps = reverse("table-file", args=(opened.key,))
    record = opened.record
    return _show(request, record.level, kind="game", players=record.players, game_url=steps)


@posted_or_to("open")
def use(request: HttpRequest) -> HttpResponse:
    """Score, play, print or copy an opened level, or score its sheets."""
    do = request.POST.get("do", "")
    act = ACTS.get(do)
    if act is None:
        return HttpResponseBadRequest("no such act")
    # The same rate limits as for scorings and tables created elsewhere.
    if do in LIMITS and not LIMITS[do].hit(address_of(request)):
        return refuse(request)
    try:
        return act(request)
    except DocumentError as error:
        return _refuse(request, describe_fault(error))


def _sent_text(request: HttpRequest) -> bytes:
    """Return the bytes of the chosen file, or of the pasted text. Raises DocumentError."""
    if "several" in request.POST:
        raise DocumentError("several-files")
    if "document" in request.FILES:
        text = sent_file(request, "document")
        # The script sends only the beginning of a file that is too large: it shows the kind.
        return text.ljust(MAX_BYTES + 1) if "cut" in request.POST else text
    pasted = request.POST.get("text", "").strip()
    if not pasted:
        raise DocumentError("no-file")
    found = pasted.rpartition("code=")[2]
    if not pasted.startswith("{") and found:
        return _text_of(parse_code(found))
    return pasted.encode("utf-8", "replace")


def _text_of(level: Level) -> bytes:
    return json.dumps(format_level(level)).encode()


def _show_opened(request: HttpRequest, opened: OpenedFile, size: int) -> HttpResponse:
    """Show a document of ``size`` bytes, and what can be done with it.

    A game is stored first. A level that is short enough for a link is redirected to that link.
    """
    if opened.kind == "level":
        found = format_code(format_level(opened.level))
        if fits_in_link(found):
            return redirect(code_address(found))
        return _show(request, opened.level)
    if opened.record:
        if not count_stored_bytes(request, size):
            return refuse_to_store(request)
        return redirect("open-game", key=game_files.store_game(opened.record))
    return _show(
        request,
        opened.level,
        kind="sheets",
        players=shown_names(opened.paper.players) if opened.paper else (),
        # Formatted again, because the original could become too large for the form that returns it.
        sheets=json.dumps(format_sheets(opened.paper), ensure_ascii=False) if opened.paper else "",
    )


def _show(request: HttpRequest, level: Level, *, kind: str = "level", **more: Any) -> HttpResponse:
    found = format_code(format_level(level))
    context = {
        **legend_context(level),
        "kind": kind,
        "code": found,
        "link": copy_link(request, level),
        "counts": level.player_counts,
        **more,
    }
    response = render(request, "open/level.html", context)
    keep_private(response)
    return response


def _field_of(request: HttpRequest) -> str:
    """Return the form field that `_sent_text` reads, at which the page shows an error."""
    is_pasted = not request.FILES and request.POST.get("text", "").strip()
    return "text" if is_pasted else "document"


def _with_way_for_photos(sentence: str) -> str:
    """Append a link to the page for photos of sheets to the error message for a picture."""
    return format_html(
        '{} {} <a href="{}">{}</a>',
        sentence,
        _("Photos of sheets are read here:"),
        reverse("photos"),
        _("Photograph the sheets"),
    )


def _refuse(request: HttpRequest, sentence: str, field: str = NO_FIELD) -> HttpResponse:
    pasted = request.POST.get("text", "") if field == "text" else ""
    context = {"wrong": {field: sentence}, "pasted": pasted}
    return render(request, "open/open.html", context, status=400)


def _score(request: HttpRequest) -> HttpResponse:
    level = _sent_level(request)
    count = _number(request.POST.get("count", ""), MAX_PLAYERS)
    if not count:
        return HttpResponseBadRequest("no such number of players")
    key = store.create(level, [""] * count)
    add_to_chosen_group(request, store.find(key).resource)
    return redirect("score-sheet", key=key, number=1)


def _score_sheets(request: HttpRequest) -> HttpResponse:
    text = request.POST.get("sheets", "").encode("utf-8", "replace")
    key = store.create_from_paper(read_sheets(text, find_level))
    add_to_chosen_group(request, store.find(key).resource)
    return redirect("score-results", key=key)


def _play(request: HttpRequest) -> HttpResponse:
    level = _sent_level(request)
    players = _number(request.POST.get("count", ""), MAX_PLAYERS)
    dice = request.POST.get("dice", table_settings.ROLLED)
    if players and players not in level.player_counts:
        return _refuse(request, _("This level cannot be played by that many."))
    token = token_for(request)
    try:
        table = seating.open_table(
            level,
            "",
            players=players,
            dice=dice,
            name=player_name("", 1),
            token=token,
        )
    except ValueError:
        return HttpResponseBadRequest("no such table")
    add_to_chosen_group(request, find_access(table).table)
    return set_token_cookie(redirect("table", code=table), token)


def _print(request: HttpRequest) -> HttpResponse:
    level = _sent_level(request)
    options = PageOptions(lang=active_language(), paper=default_paper(request))
    address = sheet_address(settings.SITE_URL)
    return rendering.page_response(
        request,
        ("print", rendering.level_cache_key(level), options),
        lambda: partial(render_tasks.printed, [level], options, address=address),
        lambda file: attach_of(level, file, "application/pdf", ".pdf"),
    )


def _copy(request: HttpRequest) -> HttpResponse:
    key = workshop_store.create(copy_document(_sent_level(request)))
    return redirect("workshop-level", key=key)


def _sent_level(request: HttpRequest) -> Level:
    """Return the level of the form. Raises DocumentError."""
    return parse_code(request.POST.get("code", ""))


def _number(text: str, maximum: int) -> int:
    """Return a number from 1 to ``maximum``, or 0 for any other text."""
    return int(text) if text in map(str, range(1, maximum + 1)) else 0


ACTS: Mapping[str, Callable[[HttpRequest], HttpResponse]] = {
    "score": _score,
    "sheets": _score_sheets,
    "play": _play,
    "print": _print,
    "copy": _copy,
}
"""Function for each act on an opened level."""

LIMITS: Mapping[str, Limit] = {
    "score": NEW_SCORINGS,
    "sheets": NEW_SCORINGS,
    "play": NEW_TABLES,
    "copy": UPLOADS,
}
"""Rate limit of each act; rendering checks the limit of printing."""
