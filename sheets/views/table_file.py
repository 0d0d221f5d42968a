"""Open a game file, from this site or another, and step through it."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from sheets import game_files, limits
from sheets.documents import read_game
from sheets.forms import ImportForm
from sheets.levels import find_level
from sheets.opened import format_of
from sheets.rules import DocumentError
from sheets.sentences import explain
from sheets.views.table_history import show_replay


@require_http_methods(["GET", "HEAD", "POST"])
@limits.limited(limits.UPLOADS)
def open_file(request: HttpRequest) -> HttpResponse:
    """Ask for a ``dizzle-game/1`` file, then step through it."""
    is_sent = request.method == "POST"
    form = ImportForm(request.POST, request.FILES) if is_sent else ImportForm()
    refusal = technical = ""
    is_scored = False
    if is_sent and form.is_valid():
        try:
            record = read_game(form.cleaned_data["document"], find_level)
            return redirect("table-file", key=game_files.keep(record))
        except DocumentError as error:
            is_scored = _is_sheets(form.cleaned_data["document"])
            technical = "" if is_scored else str(error)
        except game_files.BrokenGame as broken:
            refusal = _("Act %(position)d breaks a rule: %(why)s") % {
                "position": broken.position,
                "why": explain(broken.violation, record.players),
            }
    context = {"form": form, "refusal": refusal, "technical": technical, "is_scored": is_scored}
    return render(request, "table/open_file.html", context, status=400 if is_sent else 200)


def _is_sheets(text: bytes) -> bool:
    """Whether a file that is no game holds score sheets."""
    try:
        return format_of(text) == "dizzle-sheets/1"
    except DocumentError:
        return False


@require_safe
def file_history(request: HttpRequest, key: str) -> HttpResponse:
    """Step through a game that was opened from a file; its key is all that guards it."""
    try:
        record = game_files.find(key)
    except game_files.UnknownFile as unknown:
        raise Http404 from unknown
    response = show_replay(request, record, back=reverse("table-open-file"), is_file=True)
    response.headers["X-Robots-Tag"] = "noindex, nofollow, noarchive"
    response.headers["Cache-Control"] = "private, no-store"
    return response
