"""Page of one player's paper sheet with its score, and the acts on it."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBadRequest, JsonResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from sheets.access.devices import noted
from sheets.access.export_rules import lacks_empty_sheet, own_empty_sheet
from sheets.access.keys import Access, note_visit, only_editors, unless_current
from sheets.http.json_body import takes_json
from sheets.http.post_redirect import posted_or_to
from sheets.http.rate_limits import SAVES, limited
from sheets.models import Change, Scoring, SheetPicture
from sheets.rules.level import SHAPES
from sheets.scoring import changes, store
from sheets.scoring.acts import MAX_ACTS, Act, read_batch
from sheets.scoring.forms import MarkForm, UndoForm
from sheets.scoring.marks import (
    field_marks,
    field_values,
    has_volcano,
    next_value,
    only_shape,
    rank_shapes,
    tap_values,
)
from sheets.scoring.score_view import Scored, score, score_sheets
from sheets.scoring.views.access import device_id, ensure_device_id, with_scoring


@require_safe
@with_scoring
@noted("score")
def sheet_page(request: HttpRequest, access: Access[Scoring], number: int) -> HttpResponse:
    """Show one player's sheet with its score column."""
    return show_sheet(request, access, number)


@limited(SAVES)
@with_scoring
@posted_or_to("score-sheet")
@only_editors
def mark(request: HttpRequest, access: Access[Scoring], number: int) -> HttpResponse:
    """Change one place of the sheet."""
    form = MarkForm(request.POST)
    if not form.is_valid():
        return HttpResponseBadRequest("malformed mark")
    asked = form.cleaned_data
    at, value = asked["at"], asked["value"]
    if not form.has_value:
        scored = score(access.resource)
        position = position_of(scored, number)
        if not field_values(scored.level, at):
            return HttpResponseBadRequest("no such field")
        before = scored.marks[position].get(at, "")
        is_lava = asked["pen"] == "lava"
        if not scored.level.rails:
            value = next_value(scored.level, at, before, lava=is_lava, is_solo=scored.paper.is_solo)
        elif not before:
            value = only_shape(scored.level, scored.marks[position], at)
        if not value and scored.level.rails:
            query = f"?at={at}#pieces"
            return redirect(reverse("score-sheet", args=(access.key, number)) + query)
        if is_lava and before == value == "cross":
            sentence = _("There is a cross on this field. Take it away first, then pour the lava.")
            return show_sheet(request, access, number, refusal=sentence, status=409)
    act = Act(asked["request"], number, "mark", at, value)
    return _carry_out(request, access, act)


@limited(SAVES)
@with_scoring
@posted_or_to("score-sheet")
@only_editors
def undo_or_redo(request: HttpRequest, access: Access[Scoring], number: int) -> HttpResponse:
    """Undo or redo this device's last act on the sheet."""
    form = UndoForm(request.POST)
    if not form.is_valid():
        return HttpResponseBadRequest("malformed undo")
    return _carry_out(
        request, access, Act(form.cleaned_data["request"], number, form.cleaned_data["do"])
    )


@limited(SAVES)
@with_scoring
@posted_or_to("score-sheet")
@only_editors
def settle(request: HttpRequest, access: Access[Scoring], number: int) -> HttpResponse:
    """Set the marks that resolve a doubt; each ``mark`` in the form is like ``c4=exploded``."""
    marks = [mark.partition("=") for mark in request.POST.getlist("mark")]
    if not 0 < len(marks) <= MAX_ACTS:
        return HttpResponseBadRequest("malformed marks")
    return _carry_out(
        request, access, *(Act("", number, "mark", at[:16], value[:16]) for at, _eq, value in marks)
    )


def _carry_out(request: HttpRequest, access: Access[Scoring], *acts: Act) -> HttpResponse:
    """Apply the acts of a form, then show the sheet again."""
    number = acts[0].number
    try:
        outcome = changes.act(access, acts, ensure_device_id(request))
    except store.Malformed:
        return HttpResponseBadRequest("no such place or value")
    access = access._replace(resource=outcome.scoring)
    if outcome.refusals:
        sentence = stale_sentence(outcome.refusals[-1])
        return show_sheet(request, access, number, refusal=sentence, status=409)
    pen = "?pen=lava" if request.POST.get("pen") == "lava" else ""
    return redirect(reverse("score-sheet", args=(access.key, number)) + pen + "#sheet")


@limited(SAVES)
@posted_or_to("score-results")
@takes_json
@with_scoring
@only_editors
def acts(request: HttpRequest, access: Access[Scoring], body: bytes) -> HttpResponse:
    """Apply a device's acts in their order, and return the new state of its sheet as JSON."""
    try:
        batch = read_batch(body)
    except ValueError:
        return HttpResponseBadRequest("malformed acts")
    try:
        outcome = changes.act(access, batch.acts, ensure_device_id(request), batch.shown)
    except store.Malformed:
        return HttpResponseBadRequest("no such place or value")
    access = access._replace(resource=outcome.scoring)
    scored = score_sheets(outcome.scoring, outcome.sheets)
    state = _state(request, access, scored, batch.shown, outcome.changes.get(batch.shown, ()))
    state["refusal"] = stale_sentence(outcome.refusals[-1]) if outcome.refusals else ""
    return JsonResponse(state, status=409 if outcome.refusals else 200)


@require_safe
@with_scoring
@unless_current
def state(request: HttpRequest, access: Access[Scoring], number: int) -> HttpResponse:
    """Return the state of a sheet's page. Raises Http404 if the sheet was removed."""
    scored = score(access.resource)
    position_of(scored, number)
    own = (changes.changes_of(s, device_id(request)) for s in scored.sheets if s.number == number)
    return JsonResponse(_state(request, access, scored, number, next(own, ())))


def stale_sentence(stale: store.Stale) -> str:
    """Return the sentence that explains a refused act to the user."""
    return {
        "sheet": _("Somebody has removed this sheet."),
        "place": _("Somebody else has changed that field since, so it stays as it is."),
        "nothing": _("There is nothing more to undo or redo."),
        "full": _("Six sheets are as many as there can be."),
        "last": _("One sheet must stay."),
    }[stale.reason]


def position_of(scored: Scored, number: int) -> int:
    """Return the index of a sheet by its number. Raises Http404."""
    for position, sheet in enumerate(scored.sheets):
        if sheet.number == number:
            return position
    raise Http404


def show_sheet(
    request: HttpRequest,
    access: Access[Scoring],
    number: int,
    *,
    refusal: str = "",
    status: int = 200,
) -> HttpResponse:
    """Render the page of one player's sheet.

    If an act is refused because the sheet was removed, the page shows the first sheet.

    Raises:
        Http404: there is no such sheet, and no refusal.
    """
    scored = score(access.resource)
    if refusal and number not in scored.totals:
        number = scored.sheets[0].number
    context = _context(request, access, scored, number)
    note_visit(access.resource)
    light = scored.item(context["position"], request.GET.get("light", ""))
    at = request.GET.get("at", "")
    has_lava = has_volcano(scored.level)
    pours_lava = has_lava and "lava" in (request.GET.get("pen"), request.POST.get("pen"))
    context |= {
        "picture": SheetPicture.objects.defer("jpeg").filter(sheet=context["sheet"]).first(),
        "refusal": refusal,
        "light": light,
        "light_key": request.GET.get("light", ""),
        "request_id": secrets.token_urlsafe(12),
        "may_photograph": _may_photograph(request, access),
        "lacks_empty": access.can_edit and lacks_empty_sheet(access.resource, request.session),
        "has_lava": has_lava,
        "has_bombs": bool(scored.level.by_symbol["bomb"]) and not scored.paper.is_solo,
        "taps": tap_values(scored.level, is_solo=scored.paper.is_solo),
        "pen": "lava" if pours_lava else "cross",
        "history": changes.history(changes.changes_of(context["sheet"], device_id(request))),
        "at": at if scored.level.rails and field_values(scored.level, at) else "",
        "all_shapes": SHAPES,
        "shapes": rank_shapes(scored.level, context["marks"], at)
        if at in scored.level.index
        else SHAPES,
    }
    return render(request, "score/sheet.html", context, status=status)


def _may_photograph(request: HttpRequest, access: Access[Scoring]) -> bool:
    """Return whether this device can read the sheets from photos.

    Printed sheets have markers. Sheets of a bought pad are compared with a photo of the empty
    sheet, which only the owner of the pad may use.
    """
    scoring = access.resource
    if not access.can_edit:
        return False
    return not scoring.is_bought or own_empty_sheet(scoring, request.session) is not None


def _context(
    request: HttpRequest, access: Access[Scoring], scored: Scored, number: int
) -> dict[str, Any]:
    """Return the template context that the page and its fragments share."""
    position = position_of(scored, number)
    return {
        "access": access,
        "scored": scored,
        "level": scored.level,
        "sheet": scored.sheets[position],
        "position": position,
        "number": number,
        "player": scored.names[position],
        "marks": scored.marks[position],
        "fields": field_marks(scored.level, scored.marks[position]),
        "score": scored.result.scores[position],
        "categories": scored.categories(position),
        "questions": [q for q in scored.questions(position) if not q.is_open],
        "asks": scored.asks(position),
        "is_incomplete": scored.standing.ranks[position].is_incomplete,
        "doubts": scored.doubts_about(position),
        "tabs": scored.standing.ranks,
        "next": scored.after(position),
    }


def _state(
    request: HttpRequest,
    access: Access[Scoring],
    scored: Scored,
    number: int,
    own: Iterable[Change],
) -> dict[str, Any]:
    """Return the state of a sheet's page as JSON data; ``own`` are the device's changes of it.

    The data is empty if the sheet was removed.
    """
    if number not in scored.totals:
        return {}
    context = _context(request, access, scored, number)
    return {
        "revision": access.resource.revision,
        "marks": context["marks"],
        "total": context["score"].total,
        "has_photo": number in scored.photographed,
        **changes.history(own),
        "score": render_to_string("score/_score.html", context, request),
        "tabs": render_to_string("score/_tabs.html", context, request),
        "next": render_to_string("score/_next.html", context, request),
        "ask": render_to_string("score/_ask.html", context, request),
    }
