"""Views for photos of paper sheets at a table: compare a sheet, and enter the differences."""

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

from dizzle_site.errors import wants_json
from sheets.access.devices import token_of
from sheets.access.export_rules import own_empty_sheet
from sheets.http.inline_picture_csp import allow_data_pictures
from sheets.http.post_redirect import posted_or_to
from sheets.http.view_type import View
from sheets.photos.comparison import SheetComparison
from sheets.photos.forms import ReviewedSheet, SheetsRefused, parse_sheets_of_game
from sheets.photos.page_context import PhotoPageContext
from sheets.photos.views.access import PhotoPageView, refuse_without_empty_sheet, with_shipped
from sheets.photos.views.upload import choose_photos, preview_totals, read_photos, refuse
from sheets.scoring.forms import ActId
from sheets.scoring.store import Malformed
from sheets.tables import acts, paper_comparison
from sheets.tables.access import NotYours, Refused, Stale, TableAccess, find_access
from sheets.tables.sentences import refusal
from sheets.tables.table_settings import level_of
from sheets.tables.views.access import with_table
from sheets.tables.views.page import seat_of


class EnterForm(forms.Form):
    """Form to enter differences: the compared state of the table, and the id of the request."""

    moment = forms.CharField(max_length=40)
    request = ActId()


def for_seat(view: PhotoPageView) -> View:
    """Decorate a view for a photo at a table; ``?seat=1`` selects one of the device's seats."""

    @allow_data_pictures
    @with_table
    @wraps(view)
    def wrapper(request: HttpRequest, access: TableAccess) -> HttpResponse:
        asked = seat_of(request)
        seat = min(access.seats, default=-1) if asked is None else asked
        if seat not in access.seats:
            raise NotYours
        url = reverse("table", args=[access.table.code])
        if not paper_comparison.takes_paper(access):
            return JsonResponse({"url": url}) if wants_json(request) else redirect(url)
        # Only the owner of the level may use its picture, at any seat.
        empty = own_empty_sheet(access.table, request.session)
        if access.table.is_bought and not empty:
            return refuse_without_empty_sheet(request, f"{url}?seat={seat}")
        level = level_of(access.table)
        page_context = PhotoPageContext(
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
        return view(request, page_context)

    return wrapper


def _compare(request: HttpRequest, page_context: PhotoPageContext) -> HttpResponse:
    """Show the differences between the paper sheet and the table."""
    try:
        sheet = _own_sheet(request, page_context)
    except SheetsRefused as problem:
        return refuse(request, page_context, str(problem))
    except Malformed:
        return HttpResponseBadRequest("malformed sheet")
    return _show(request, page_context, _compare_now(request, page_context, sheet))


def _take(request: HttpRequest, page_context: PhotoPageContext) -> HttpResponse:
    """Enter all marks at the table that the rules allow now, and show what still differs."""
    form = EnterForm(request.POST)
    try:
        sheet = _own_sheet(request, page_context)
    except (SheetsRefused, Malformed):
        return HttpResponseBadRequest("malformed sheet")
    if not form.is_valid():
        return HttpResponseBadRequest("malformed act")
    before = _compare_now(request, page_context, sheet)
    try:
        acts.act_in_a_row(
            before.access,
            page_context.seat,
            lambda state: paper_comparison.acts_of_paper(state, page_context.seat, sheet.marks)[0],
            **form.cleaned_data,
        )
    except (Stale, Refused) as refused:
        reason = refused.reason if isinstance(refused, Refused) else "stale"
        now = _compare_now(request, page_context, sheet)
        return _show(request, page_context, now, problem=refusal(reason), status=409)
    now = _compare_now(request, page_context, sheet)
    return _show(request, page_context, now, taken=now.entered_since(before))


def _own_sheet(request: HttpRequest, page_context: PhotoPageContext) -> ReviewedSheet:
    """Return the only sheet of the form. Raises SheetsRefused, Malformed."""
    first, *more = parse_sheets_of_game(request.POST, page_context)
    if more:
        raise SheetsRefused(_("Only your own sheet is compared here. Leave the others out."))
    return first


def _compare_now(
    request: HttpRequest, page_context: PhotoPageContext, sheet: ReviewedSheet
) -> SheetComparison:
    """Compare the paper sheet with the current sheet of the seat at the table."""
    assert page_context.table  # noqa: S101  # `for_seat` always sets it
    access = find_access(page_context.table.table.code, token_of(request))
    return SheetComparison(access, page_context.seat, sheet)


def _show(
    request: HttpRequest,
    page_context: PhotoPageContext,
    compared: SheetComparison,
    *,
    status: int = 200,
    **more: Any,
) -> HttpResponse:
    context = {"page_context": page_context, "compared": compared, **more}
    if wants_json(request):
        part = render_to_string("photos/_comparison.html", context, request)
        return JsonResponse({"part": part}, status=status)
    return render(request, "photos/compared.html", context, status=status)


choose = require_safe(for_seat(choose_photos))
read = posted_or_to("photos-seat")(for_seat(read_photos))
totals = posted_or_to("photos-seat")(for_seat(preview_totals))
compare = posted_or_to("photos-seat")(for_seat(_compare))
take = posted_or_to("photos-seat")(for_seat(_take))
