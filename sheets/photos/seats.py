"""Views for a photo of a player's paper sheet at a table: compare it, and enter the differences."""

from __future__ import annotations

from functools import wraps
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest, JsonResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from sheets.access.devices import token_of
from sheets.access.export_rules import own_empty_sheet
from sheets.http.json_body import wants_json
from sheets.http.own_pictures import showing_pictures
from sheets.http.posted import posted_or_to
from sheets.http.view import View
from sheets.photos.compared import Compared
from sheets.photos.desk import Desk
from sheets.photos.guards import DeskView, no_photos, with_shipped
from sheets.photos.taken import CannotTake, TakenSheet, read_taken
from sheets.photos.views import choose_photos, read_photos, refuse, sum_up_sheets
from sheets.scoring.forms import ActId
from sheets.scoring.store import Malformed
from sheets.tables import paper, play
from sheets.tables.access import NotYours, Refused, Stale, TableAccess, find_access
from sheets.tables.playing import level_of
from sheets.tables.views.access import with_table
from sheets.tables.views.page import seat_of
from sheets.tables.words import refusal


class TakeForm(forms.Form):
    """State of the table that was compared, and the id of the request that enters differences."""

    moment = forms.CharField(max_length=40)
    request = ActId()


def for_seat(view: DeskView) -> View:
    """Decorate a view of a player's photo at a table; ``?seat=1`` selects one of their seats."""

    @showing_pictures
    @with_table
    @wraps(view)
    def guarded(request: HttpRequest, access: TableAccess) -> HttpResponse:
        asked = seat_of(request)
        seat = min(access.seats, default=-1) if asked is None else asked
        if seat not in access.seats:
            raise NotYours
        url = reverse("table", args=[access.table.code])
        if not paper.takes_paper(access):
            return JsonResponse({"url": url}) if wants_json(request) else redirect(url)
        # Only the owner of the level may use its picture, and may sit at any seat.
        empty = own_empty_sheet(access.table, request.session)
        if access.table.is_bought and not empty:
            return no_photos(request, f"{url}?seat={seat}")
        level = level_of(access.table)
        desk = Desk(
            with_shipped(level),
            address=reverse("photos-seat", args=[access.table.code]),
            back=f"{url}?seat={seat}",
            known=(level,),
            query=f"?seat={seat}",
            wanted=level,
            table=access,
            seat=seat,
            empty=empty,
        )
        return view(request, desk)

    return guarded


def _compare(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Show the differences between the paper sheet and the table."""
    try:
        sheet = _own_sheet(request, desk)
    except CannotTake as problem:
        return refuse(request, desk, str(problem))
    except Malformed:
        return HttpResponseBadRequest("malformed sheet")
    return _show(request, desk, _compare_now(request, desk, sheet))


def _take(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Enter all marks that the rules allow now, and show the remaining differences."""
    form = TakeForm(request.POST)
    try:
        sheet = _own_sheet(request, desk)
    except (CannotTake, Malformed):
        return HttpResponseBadRequest("malformed sheet")
    if not form.is_valid():
        return HttpResponseBadRequest("malformed act")
    before = _compare_now(request, desk, sheet)
    try:
        play.act_in_a_row(
            before.access,
            desk.seat,
            lambda state: paper.acts_of_paper(state, desk.seat, sheet.marks)[0],
            **form.cleaned_data,
        )
    except (Stale, Refused) as refused:
        reason = refused.reason if isinstance(refused, Refused) else "stale"
        now = _compare_now(request, desk, sheet)
        return _show(request, desk, now, problem=refusal(reason), status=409)
    now = _compare_now(request, desk, sheet)
    return _show(request, desk, now, taken=now.taken_since(before))


def _own_sheet(request: HttpRequest, desk: Desk) -> TakenSheet:
    """Return the only sheet of the form. Raises CannotTake, Malformed."""
    first, *more = read_taken(request.POST, desk)
    if more:
        raise CannotTake(_("Only your own sheet is compared here. Leave the others out."))
    return first


def _compare_now(request: HttpRequest, desk: Desk, sheet: TakenSheet) -> Compared:
    """Compare the paper sheet with the current one of the seat."""
    assert desk.table  # noqa: S101  # `for_seat` makes no other desk
    access = find_access(desk.table.table.code, token_of(request))
    return Compared(access, desk.seat, sheet)


def _show(
    request: HttpRequest, desk: Desk, compared: Compared, *, status: int = 200, **more: Any
) -> HttpResponse:
    context = {"desk": desk, "compared": compared, **more}
    if wants_json(request):
        part = render_to_string("photos/_compared.html", context, request)
        return JsonResponse({"part": part}, status=status)
    return render(request, "photos/compared.html", context, status=status)


choose = require_safe(for_seat(choose_photos))
read = posted_or_to("photos-seat")(for_seat(read_photos))
sum_up = posted_or_to("photos-seat")(for_seat(sum_up_sheets))
compare = posted_or_to("photos-seat")(for_seat(_compare))
take = posted_or_to("photos-seat")(for_seat(_take))
