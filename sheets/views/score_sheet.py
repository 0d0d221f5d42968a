"""One player's paper sheet on screen: what is crossed on it, and what that is worth."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBadRequest, JsonResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from sheets.rules.level import SHAPES
from sheets.scoring import scorings
from sheets.scoring.acts import Act, read_batch
from sheets.scoring.forms import MarkForm, TurnBackForm
from sheets.scoring.marks import (
    field_marks,
    field_values,
    has_volcano,
    next_value,
    rank_shapes,
    tap_values,
)
from sheets.scoring.scored import Scored, score
from sheets.scoring.scorings import Door
from sheets.views.json_body import takes_json
from sheets.views.posted import posted_or_to
from sheets.views.score_door import device_of, name_device, only_editors, with_door


@require_safe
@with_door
def sheet_page(request: HttpRequest, door: Door, number: int) -> HttpResponse:
    """Show one player's sheet with its score column."""
    return show_sheet(request, door, number)


@with_door
@posted_or_to("score-sheet")
def mark(request: HttpRequest, door: Door, number: int) -> HttpResponse:
    """Change one place of the sheet."""
    form = MarkForm(request.POST)
    if not form.is_valid():
        return HttpResponseBadRequest("malformed mark")
    asked = form.cleaned_data
    at, value = asked["at"], asked["value"]
    if not form.has_value:
        scored = score(door.scoring)
        position = position_of(scored, number)
        if not field_values(scored.level, at):
            return HttpResponseBadRequest("no such field")
        if scored.level.rails:
            query = f"?at={at}#pieces"
            return redirect(reverse("score-sheet", args=(door.key, number)) + query)
        before = scored.marks[position].get(at, "")
        is_lava = asked["pen"] == "lava"
        value = next_value(scored.level, at, before, lava=is_lava, is_solo=scored.paper.is_solo)
        if is_lava and before == value == "cross":
            sentence = _("There is a cross on this field. Take it away first, then pour the lava.")
            return show_sheet(request, door, number, refusal=sentence, status=409)
    device = name_device(request)
    return _change(
        request,
        door,
        number,
        lambda: scorings.mark(
            door, number, at=at, value=value, device=device, request=asked["request"]
        ),
    )


@with_door
@posted_or_to("score-sheet")
def turn_back(request: HttpRequest, door: Door, number: int) -> HttpResponse:
    """Take back this device's last change of the sheet, or make it again."""
    form = TurnBackForm(request.POST)
    if not form.is_valid():
        return HttpResponseBadRequest("malformed undo")
    act = scorings.undo if form.cleaned_data["do"] == "undo" else scorings.redo
    device, request_id = name_device(request), form.cleaned_data["request"]
    return _change(
        request, door, number, lambda: act(door, number, device=device, request=request_id)
    )


@require_POST
@takes_json
@with_door
def acts(request: HttpRequest, door: Door, body: bytes) -> HttpResponse:
    """Carry out what a device did, in its order, and tell it how its sheet stands now."""
    only_editors(door)
    level = scorings.level_of(door.scoring)
    try:
        batch = read_batch(body)
        for act in batch.acts:
            if act.do == "mark":
                scorings.check_mark(level, act.at, act.value)
    except ValueError:
        return HttpResponseBadRequest("malformed acts")
    device = name_device(request)
    refusal = ""
    for act in batch.acts:
        try:
            _carry_out(door, act, device)
        except scorings.Stale as stale:
            refusal = stale_sentence(stale)
    answer = _state(request, door, batch.shown) | {"refusal": refusal}
    return JsonResponse(answer, status=409 if refusal else 200)


def _carry_out(door: Door, act: Act, device: str) -> None:
    if act.do == "mark":
        scorings.mark(door, act.number, at=act.at, value=act.value, device=device, request=act.id)
    elif act.do == "undo":
        scorings.undo(door, act.number, device=device, request=act.id)
    else:
        scorings.redo(door, act.number, device=device, request=act.id)


@require_safe
@with_door
def state(request: HttpRequest, door: Door, number: int) -> HttpResponse:
    """What the sheet's page shows, if anything has changed since the revision it knows."""
    if request.GET.get("revision") == str(door.scoring.revision):
        return HttpResponse(status=204)
    return JsonResponse(_state(request, door, number))


def _change(
    request: HttpRequest, door: Door, number: int, change: Callable[[], None]
) -> HttpResponse:
    """Carry out what a form asks for, then show the sheet again."""
    try:
        change()
    except scorings.Malformed:
        return HttpResponseBadRequest("no such place or value")
    except scorings.Stale as stale:
        return show_sheet(request, door, number, refusal=stale_sentence(stale), status=409)
    pen = "?pen=lava" if request.POST.get("pen") == "lava" else ""
    return redirect(reverse("score-sheet", args=(door.key, number)) + pen + "#sheet")


def stale_sentence(stale: scorings.Stale) -> str:
    """What to say to the one who came second."""
    return {
        "sheet": _("Somebody has removed this sheet."),
        "place": _("Somebody else has changed that field since, so it stays as it is."),
        "nothing": _("There is nothing more to take back or to repeat."),
        "full": _("Six sheets are as many as there can be."),
        "last": _("One sheet must stay."),
    }[stale.reason]


def position_of(scored: Scored, number: int) -> int:
    """The position of a sheet by its number; Http404 if it is not there."""
    for position, sheet in enumerate(scored.sheets):
        if sheet.number == number:
            return position
    raise Http404


def show_sheet(
    request: HttpRequest, door: Door, number: int, *, refusal: str = "", status: int = 200
) -> HttpResponse:
    """The page of one player's sheet."""
    scored = score(door.scoring)
    if refusal and number not in scored.totals:
        number = scored.sheets[0].number
    context = _context(request, door, scored, number)
    scorings.note_visit(door)
    light = scored.item(context["position"], request.GET.get("light", ""))
    at = request.GET.get("at", "")
    context |= {
        "refusal": refusal,
        "light": light,
        "light_key": request.GET.get("light", ""),
        "request_id": secrets.token_urlsafe(12),
        "has_lava": has_volcano(scored.level),
        "taps": tap_values(scored.level, is_solo=scored.paper.is_solo),
        "pen": "lava" if "lava" in (request.GET.get("pen"), request.POST.get("pen")) else "cross",
        "history": scorings.history(context["sheet"], device_of(request)),
        "at": at if scored.level.rails and field_values(scored.level, at) else "",
        "shapes": rank_shapes(scored.level, context["marks"], at)
        if at in scored.level.index
        else SHAPES,
    }
    return render(request, "score/sheet.html", context, status=status)


def _context(request: HttpRequest, door: Door, scored: Scored, number: int) -> dict[str, Any]:
    """What the page and its changing parts have in common."""
    position = position_of(scored, number)
    return {
        "door": door,
        "scored": scored,
        "level": scored.level,
        "sheet": scored.sheets[position],
        "position": position,
        "number": number,
        "player": scored.names[position],
        "marks": scored.marks[position],
        "fields": field_marks(scored.marks[position]),
        "score": scored.result.scores[position],
        "categories": scored.categories(position),
        "questions": [q for q in scored.questions(position) if not q.is_open],
        "asks": scored.asks(position),
        "owes": scored.owes(position),
        "doubts": scored.doubts_about(position),
        "tabs": [
            (rank.number, rank.name, rank.score.total, rank.owes)
            for rank in sorted(scored.ranking, key=lambda rank: rank.number)
        ],
    }


def _state(request: HttpRequest, door: Door, number: int) -> dict[str, Any]:
    door.scoring.refresh_from_db()
    scored = score(door.scoring)
    if number not in scored.totals:
        return {"revision": door.scoring.revision, "gone": True}
    context = _context(request, door, scored, number)
    return {
        "revision": door.scoring.revision,
        "marks": context["marks"],
        "total": context["score"].total,
        **scorings.history(context["sheet"], device_of(request)),
        "score": render_to_string("score/_score.html", context, request),
        "tabs": render_to_string("score/_tabs.html", context, request),
        "ask": render_to_string("score/_ask.html", context, request),
    }
