"""Pages to manage the players of a scoring, and to delete it."""

from __future__ import annotations

from collections.abc import Mapping

from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from sheets.access.keys import Access, delete_resource, only_editors
from sheets.http.post_redirect import posted_or_to
from sheets.http.rate_limits import SAVES, limited
from sheets.http.share_link import share_link
from sheets.models import Scoring
from sheets.rules.level import MAX_PLAYERS
from sheets.scoring import store
from sheets.scoring.forms import PlayerName
from sheets.scoring.score_view import score
from sheets.scoring.views.access import with_scoring
from sheets.scoring.views.sheet import position_of, stale_sentence
from sheets.text.form_errors import NO_FIELD


@limited(SAVES)
@require_http_methods(["GET", "HEAD", "POST"])
@with_scoring
@only_editors
def players(request: HttpRequest, access: Access[Scoring]) -> HttpResponse:
    """Rename, add and remove players."""
    if request.method != "POST":
        return _show_players(request, access)
    try:
        names, wrong = _names(request)
    except ValueError:
        return HttpResponseBadRequest("malformed name")
    if wrong:
        return _show_players(request, access, wrong, status=400)
    try:
        store.rename(access, names)
        return _add_or_remove(request, access)
    except store.Stale as stale:
        return _show_players(request, access, {NO_FIELD: stale_sentence(stale)}, status=409)


def _add_or_remove(request: HttpRequest, access: Access[Scoring]) -> HttpResponse:
    """Add or remove a sheet, depending on the button of the form; by default, show the sheets."""
    if "add" in request.POST:
        store.add_sheet(access, "")
    elif "remove" in request.POST:
        number = request.POST["remove"]
        if not number.isdecimal() or len(number) > 5:
            return HttpResponseBadRequest("no such sheet")
        try:
            store.remove_sheet(access, int(number))
        except store.StillMarked:
            return redirect("score-remove", key=access.key, number=int(number))
    else:
        return redirect(
            "score-sheet", key=access.key, number=score(access.resource).sheets[0].number
        )
    return redirect("score-players", key=access.key)


@limited(SAVES)
@require_http_methods(["GET", "HEAD", "POST"])
@with_scoring
@only_editors
def remove(request: HttpRequest, access: Access[Scoring], number: int) -> HttpResponse:
    """Ask for confirmation, then remove a sheet with marks."""
    if request.method == "POST":
        try:
            store.remove_sheet(access, number, is_sure=True)
        except store.Stale as stale:
            return _show_players(request, access, {NO_FIELD: stale_sentence(stale)}, status=409)
        return redirect("score-players", key=access.key)
    scored = score(access.resource)
    position = position_of(scored, number)
    context = {
        "access": access,
        "level": scored.level,
        "player": scored.names[position],
        "score": scored.result.scores[position],
    }
    return render(request, "score/remove.html", context)


def _names(request: HttpRequest) -> tuple[dict[int, str], dict[str, str]]:
    """Return the new names by sheet number, and the errors by form field (``name-NUMBER``).

    Raises:
        ValueError: the NUMBER of a field is not a number.
    """
    field = PlayerName()
    names, wrong = {}, {}
    for key, value in request.POST.items():
        if key.startswith("name-"):
            number = int(key.removeprefix("name-")[:5])
            try:
                names[number] = field.clean(value)
            except ValidationError as error:
                wrong[key] = error.messages[0]
    return names, wrong


def _show_players(
    request: HttpRequest,
    access: Access[Scoring],
    wrong: Mapping[str, str] | None = None,
    status: int = 200,
) -> HttpResponse:
    scored = score(access.resource)
    path = reverse("score-sheet", args=(access.key, scored.sheets[0].number))
    context = {
        "access": access,
        "link": share_link(request, path),
        "scored": scored,
        "level": scored.level,
        "wrong": wrong,
        "people": [
            (sheet, name, field, request.POST.get(field, sheet.player) if wrong else sheet.player)
            for sheet, name in zip(scored.sheets, scored.names, strict=True)
            for field in [f"name-{sheet.number}"]
        ],
        "has_room": len(scored.sheets) < MAX_PLAYERS,
    }
    return render(request, "score/players.html", context, status=status)


@limited(SAVES)
@with_scoring
@posted_or_to("score-results")
@only_editors
def solo(request: HttpRequest, access: Access[Scoring]) -> HttpResponse:
    """Record whether the only sheet is from a solo game."""
    if request.POST.get("solo") not in ("yes", "no"):
        return HttpResponseBadRequest("malformed answer")
    store.set_solo(access, request.POST["solo"] == "yes")
    return redirect("score-sheet", key=access.key, number=score(access.resource).sheets[0].number)


@limited(SAVES)
@with_scoring
@posted_or_to("score-sheet")
@only_editors
def blank(request: HttpRequest, access: Access[Scoring], number: int) -> HttpResponse:
    """Record that a player's sheet has no marks."""
    try:
        store.confirm_blank(access, number)
    except store.Stale as stale:
        return _show_players(request, access, {NO_FIELD: stale_sentence(stale)}, status=409)
    return redirect("score-results", key=access.key)


@require_http_methods(["GET", "HEAD", "POST"])
@with_scoring
@only_editors
def delete(request: HttpRequest, access: Access[Scoring]) -> HttpResponse:
    """Ask for confirmation, then delete the scoring."""
    if request.method == "POST":
        delete_resource(access)
        return redirect("score-deleted")
    back = reverse("score-results", args=(access.key,))
    return render(request, "score/delete.html", {"access": access, "back": back})


@require_http_methods(["GET", "HEAD"])
def deleted(request: HttpRequest) -> HttpResponse:
    """Show that the scoring or tally is deleted."""
    return render(request, "score/deleted.html")
