"""Pages that open a game file, from this site or another, and replay it."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from sheets.documents.opened import format_of
from sheets.documents.structure import read_game
from sheets.http import rate_limits
from sheets.http.uploads import sent_file
from sheets.levels import find_level
from sheets.rules import DocumentError
from sheets.tables import game_files
from sheets.tables.dizzle import show_record
from sheets.tables.views.access import OpenedGame, with_opened_game
from sheets.tables.views.analysis import analysis_context, target_of_file
from sheets.tables.views.history import number_of, show_replay
from sheets.text.faults import describe_fault


@require_http_methods(["GET", "HEAD", "POST"])
@rate_limits.limited(rate_limits.UPLOADS)
def open_file(request: HttpRequest) -> HttpResponse:
    """Show the upload form; on POST, store a ``dizzle-game/1`` file and redirect to its replay."""
    if request.method != "POST":
        return render(request, "table/open_file.html")
    context: dict[str, object]
    try:
        text = sent_file(request, "document")
        if format_of(text) != "dizzle-sheets/1":
            record = read_game(text, find_level)
            if not rate_limits.count_stored_bytes(request, len(text)):
                return rate_limits.refuse_to_store(request)
            return redirect("table-file", key=game_files.store_game(record))
        sentence = _("This file holds score sheets, not a game.")
        context = {"wrong": {"document": sentence}, "is_scored": True}
    except DocumentError as error:
        context = {"wrong": {"document": describe_fault(error)}}
    except game_files.BrokenGame as broken:
        context = {"wrong": {"document": broken.sentence}}
    return render(request, "table/open_file.html", context, status=400)


@require_safe
@with_opened_game
def file_history(request: HttpRequest, opened: OpenedGame) -> HttpResponse:
    """Show the replay of a game from a file; the key in its address is its only access control."""
    at = number_of(request, "at") or 0
    page = show_record(opened.record, at)
    more = analysis_context(target_of_file(opened), at)
    if opened.record.is_tracked:
        more["dice_url"] = reverse("table-file-dice", args=[opened.key])
    return show_replay(request, page, back=reverse("table-open-file"), is_file=True, **more)
