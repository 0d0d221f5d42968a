"""A level as a file or a link: open one, say what can be done with it, and do it."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Mapping
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from sheets import dice2_files, game_files, play, scorings, seating, workshop
from sheets.documents import MAX_BYTES, read_sheets
from sheets.geometry import PageOptions
from sheets.legend import area_pays, legend, line_pays
from sheets.level_codes import fits_in_link, format_code, parse_code
from sheets.levels import find_level
from sheets.limits import UPLOADS, limited
from sheets.opened import Opened, format_of, read_any
from sheets.printing.booklet import draw_booklet, name_booklet, sheet_address
from sheets.printing.pdf import write_pdf
from sheets.rules import DocumentError, Level, format_level
from sheets.sentences import explain
from sheets.views.levels import _drawings as level_drawings
from sheets.views.score_door import keep_private
from sheets.views.table_door import give_token, token_for
from sheets.views.workshop_use import with_finished
from sheets.workshop import Door


@require_http_methods(["GET", "HEAD", "POST"])
@limited(UPLOADS)
def open_file(request: HttpRequest) -> HttpResponse:
    """Ask for a file or a link's code, then show what is in it."""
    if request.method != "POST":
        return render(request, "open/open.html")
    try:
        text = _sent_text(request)
        if format_of(text).startswith("dice2-"):
            token = token_for(request)
            return give_token(redirect("table", code=dice2_files.go_on_with(text, token)), token)
        return _show_opened(request, read_any(text), text)
    except DocumentError as error:
        return _refuse(request, technical=str(error))
    except dice2_files.BrokenFile as broken:
        return _refuse(request, sentence=str(broken))
    except game_files.BrokenGame as broken:
        sentence = _("Act %(position)d breaks a rule: %(why)s")
        players = read_any(text).record.players  # type: ignore[union-attr]
        why = explain(broken.violation, players)
        return _refuse(request, sentence=sentence % {"position": broken.position, "why": why})


@require_safe
def show_level(request: HttpRequest) -> HttpResponse:
    """Show the level of a link's code."""
    try:
        level = parse_code(request.GET.get("code", ""))
    except DocumentError as error:
        return _refuse(request, technical=str(error))
    return _show(request, level)


@require_POST
@limited(UPLOADS)
def use(request: HttpRequest) -> HttpResponse:
    """Score, play, print or copy a level that was opened, or score its sheets."""
    act = ACTS.get(request.POST.get("do", ""))
    if act is None:
        return HttpResponseBadRequest("no such act")
    try:
        return act(request)
    except DocumentError as error:
        return _refuse(request, technical=str(error))


@require_safe
@with_finished
def code(request: HttpRequest, door: Door, level: Level) -> HttpResponse:
    """The link by which a friend opens a copy of one's own level."""
    found = format_code(format_level(level))
    context = {
        "door": door,
        "level": level,
        "link": request.build_absolute_uri(_address(found)) if fits_in_link(found) else "",
    }
    return render(request, "workshop/code.html", context)


def _sent_text(request: HttpRequest) -> bytes:
    """The bytes of the chosen file, or what was pasted. Raises DocumentError."""
    upload = request.FILES.get("document")
    if upload is not None:
        return bytes(upload.read(MAX_BYTES + 1))
    pasted = request.POST.get("text", "").strip()
    if not pasted:
        raise DocumentError("", _("Choose a file first."))
    found = pasted.rpartition("code=")[2]
    if not pasted.startswith("{") and found:
        return _text_of(parse_code(found))
    return pasted.encode("utf-8", "replace")


def _text_of(level: Level) -> bytes:
    return json.dumps(format_level(level)).encode()


def _show_opened(request: HttpRequest, opened: Opened, text: bytes) -> HttpResponse:
    if opened.kind == "level":
        found = format_code(format_level(opened.level))
        if fits_in_link(found):
            return redirect(_address(found))
        return _show(request, opened.level)
    if opened.record:
        key = game_files.keep(opened.record)
        players = [(name, "") for name in opened.record.players]
        more = {"game_url": reverse("table-file", args=(key,)), "players": players}
        return _show(request, opened.level, kind="game", **more)
    return _show(
        request,
        opened.level,
        kind="sheets",
        players=[(name, "") for name in opened.paper.players] if opened.paper else [],
        sheets=text.decode("utf-8-sig"),
    )


def _show(request: HttpRequest, level: Level, *, kind: str = "level", **more: Any) -> HttpResponse:
    found = format_code(format_level(level))
    context = {
        "level": level,
        "kind": kind,
        "code": found,
        "link": request.build_absolute_uri(_address(found)) if fits_in_link(found) else "",
        "legend": legend(level),
        "lines": line_pays(level),
        "areas": area_pays(level),
        "drawings": level_drawings(level),
        "counts": range(1, scorings.MAX_SHEETS + 1),
        **more,
    }
    response = render(request, "open/level.html", context)
    keep_private(response)
    return response


def _refuse(request: HttpRequest, *, sentence: str = "", technical: str = "") -> HttpResponse:
    context = {"refusal": sentence, "technical": technical}
    return render(request, "open/open.html", context, status=400)


def _address(found: str) -> str:
    return f"{reverse('open-level')}?{urlencode({'code': found})}"


def _score(request: HttpRequest) -> HttpResponse:
    level = _sent_level(request)
    count = _number(request.POST.get("count", ""), scorings.MAX_SHEETS)
    if not count:
        return HttpResponseBadRequest("no such number of players")
    key = scorings.create(level, [""] * count)
    return redirect("score-sheet", key=key, number=1)


def _score_sheets(request: HttpRequest) -> HttpResponse:
    text = request.POST.get("sheets", "").encode("utf-8", "replace")
    key = scorings.create_from_paper(read_sheets(text, find_level))
    return redirect("score-results", key=key)


def _play(request: HttpRequest) -> HttpResponse:
    level = _sent_level(request)
    players = _number(request.POST.get("count", ""), 6)
    dice = request.POST.get("dice", play.ROLLED)
    if players and players not in level.player_counts:
        return _refuse(request, sentence=_("This level cannot be played by so many."))
    token = token_for(request)
    try:
        table = seating.open_table(
            level,
            "",
            players=players,
            dice=dice,
            name=_("Player %(number)s") % {"number": 1},
            token=token,
        )
    except ValueError:
        return HttpResponseBadRequest("no such table")
    return give_token(redirect("table", code=table), token)


def _print(request: HttpRequest) -> HttpResponse:
    level = _sent_level(request)
    lang = "de" if (get_language() or "").startswith("de") else "en"
    options = PageOptions(lang=lang)
    file = io.BytesIO()
    pages = draw_booklet([level], options, address=sheet_address(settings.SITE_URL))
    write_pdf(pages, file, title=name_booklet([level], options), lang=lang)
    response = HttpResponse(file.getvalue(), content_type="application/pdf")
    response.headers["Content-Disposition"] = f'attachment; filename="{level.id}.pdf"'
    return response


def _copy(request: HttpRequest) -> HttpResponse:
    document = dict(format_level(_sent_level(request))) | {"id": workshop.new_id()}
    return redirect("workshop-level", key=workshop.create(document))


def _sent_level(request: HttpRequest) -> Level:
    """The level of the form. Raises DocumentError."""
    return parse_code(request.POST.get("code", ""))


def _number(text: str, most: int) -> int:
    """A number from 1 to so many; 0 for anything else."""
    return int(text) if text in map(str, range(1, most + 1)) else 0


ACTS: Mapping[str, Callable[[HttpRequest], HttpResponse]] = {
    "score": _score,
    "sheets": _score_sheets,
    "play": _play,
    "print": _print,
    "copy": _copy,
}
