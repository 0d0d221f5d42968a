"""Who is among the players of a scoring, and is it still wanted at all?"""

from __future__ import annotations

import segno
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from sheets.phone_address import phone_url, public_url
from sheets.scoring import scorings
from sheets.scoring.forms import PlayerName
from sheets.scoring.scored import score
from sheets.scoring.scorings import Door
from sheets.views.posted import posted_or_to
from sheets.views.score_door import only_editors, with_door
from sheets.views.score_sheet import position_of, stale_sentence


@require_http_methods(["GET", "HEAD", "POST"])
@with_door
def players(request: HttpRequest, door: Door) -> HttpResponse:
    """Rename, add and remove players."""
    only_editors(door)
    if request.method != "POST":
        return _show_players(request, door)
    try:
        names = _names(request)
    except ValueError:
        return HttpResponseBadRequest("malformed name")
    try:
        scorings.rename(door, names)
        return _act(request, door)
    except scorings.Stale as stale:
        return _show_players(request, door, stale_sentence(stale), status=409)


def _act(request: HttpRequest, door: Door) -> HttpResponse:
    """Besides the names: one more sheet, one fewer, or back to the sheets."""
    if "add" in request.POST:
        scorings.add_sheet(door, "")
    elif "remove" in request.POST:
        number = request.POST["remove"]
        if not number.isdecimal() or len(number) > 5:
            return HttpResponseBadRequest("no such sheet")
        try:
            scorings.remove_sheet(door, int(number))
        except scorings.StillMarked:
            return redirect("score-remove", key=door.key, number=int(number))
    else:
        return redirect("score-sheet", key=door.key, number=score(door.scoring).sheets[0].number)
    return redirect("score-players", key=door.key)


@require_http_methods(["GET", "HEAD", "POST"])
@with_door
def remove(request: HttpRequest, door: Door, number: int) -> HttpResponse:
    """Ask, then throw away a sheet that is marked."""
    only_editors(door)
    if request.method == "POST":
        try:
            scorings.remove_sheet(door, number, is_sure=True)
        except scorings.Stale as stale:
            return _show_players(request, door, stale_sentence(stale), status=409)
        return redirect("score-players", key=door.key)
    scored = score(door.scoring)
    position = position_of(scored, number)
    context = {
        "door": door,
        "level": scored.level,
        "player": scored.names[position],
        "score": scored.result.scores[position],
    }
    return render(request, "score/remove.html", context)


def _names(request: HttpRequest) -> dict[int, str]:
    """The names sent as ``name-NUMBER``. Raises ValueError."""
    field = PlayerName()
    names = {}
    for key, value in request.POST.items():
        if key.startswith("name-"):
            number = int(key.removeprefix("name-")[:5])
            try:
                names[number] = field.clean(value)
            except ValidationError as error:
                raise ValueError(key) from error
    return names


def _show_players(
    request: HttpRequest, door: Door, refusal: str = "", status: int = 200
) -> HttpResponse:
    scored = score(door.scoring)
    path = reverse("score-sheet", args=(door.key, scored.sheets[0].number))
    phones = phone_url(request, path)
    context = {
        "door": door,
        "url": public_url(request, path),
        "code": segno.make(phones, micro=False) if phones else None,
        "scored": scored,
        "level": scored.level,
        "refusal": refusal,
        "people": list(zip(scored.sheets, scored.names, strict=True)),
        "has_room": len(scored.sheets) < scorings.MAX_SHEETS,
    }
    return render(request, "score/players.html", context, status=status)


@with_door
@posted_or_to("score-results")
def solo(request: HttpRequest, door: Door) -> HttpResponse:
    """Say whether the only sheet is from a solo game."""
    if request.POST.get("solo") not in ("yes", "no"):
        return HttpResponseBadRequest("malformed answer")
    scorings.set_solo(door, request.POST["solo"] == "yes")
    return redirect("score-sheet", key=door.key, number=score(door.scoring).sheets[0].number)


@require_http_methods(["GET", "HEAD", "POST"])
@with_door
def delete(request: HttpRequest, door: Door) -> HttpResponse:
    """Ask, then delete the scoring."""
    only_editors(door)
    if request.method == "POST":
        scorings.delete(door)
        return redirect("score-deleted")
    scored = score(door.scoring)
    return render(request, "score/delete.html", {"door": door, "level": scored.level})


@require_http_methods(["GET", "HEAD"])
def deleted(request: HttpRequest) -> HttpResponse:
    """Say that it is gone."""
    return render(request, "score/deleted.html")
