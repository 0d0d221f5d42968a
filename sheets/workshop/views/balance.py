"""A level's balance report: ask for it, follow it, cancel it, read it."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from sheets.access.keys import Access
from sheets.http import drawing, works
from sheets.http.limits import Limit, limited
from sheets.models import BalanceJob, WorkshopLevel
from sheets.rules import Level, format_level, parse_level
from sheets.simulation.balance import jobs
from sheets.simulation.balance.figure import level_name
from sheets.simulation.balance.report import plays_alike, rated
from sheets.simulation.balance.shipped import find_other_levels
from sheets.workshop import store
from sheets.workshop.acts import Ratings
from sheets.workshop.views.access import with_finished, with_level

REPORTS = Limit("balance-reports", "12/minute;90/hour")


@require_http_methods(["GET", "HEAD", "POST"])
@limited(REPORTS)
@with_finished
def balance(request: HttpRequest, access: Access[WorkshopLevel], level: Level) -> HttpResponse:
    """Show the report, or how far it is; begin it, cancel it, or take over its grades."""
    if request.method == "POST":
        access.refuse_unless_edits()
        return _act(request, access, level)
    return _show(request, access, level)


def _act(request: HttpRequest, access: Access[WorkshopLevel], level: Level) -> HttpResponse:
    match request.POST.get("do"):
        case "start":
            try:
                jobs.ask(access.thing, level)
            except jobs.LineFull:
                refusal = _("Too many reports are being made just now. Try again in some minutes.")
                return _show(request, access, level, refusal=refusal, status=503)
        case "cancel":
            jobs.cancel(access.thing)
        case "ratings":
            made = jobs.finished(access.thing)
            if made and made.report and made.report["ratings"]:
                store.act(access, [Ratings(totals=made.report["ratings"])])
        case _:
            return HttpResponseBadRequest("no such act")
    return redirect("workshop-balance", key=access.key)


def _show(
    request: HttpRequest,
    access: Access[WorkshopLevel],
    level: Level,
    *,
    refusal: str = "",
    status: int = 200,
) -> HttpResponse:
    context = _progress(access) | {"level": level, "refusal": refusal}
    made = context["made"]
    if made is None:
        return render(request, "workshop/balance.html", context, status=status)
    is_old = not plays_alike(made.document, format_level(level))
    # Grades and words may have changed since: the games are the same.
    measured = parse_level(made.document) if is_old else level
    report = rated(made.report, measured.ratings)
    try:
        others = find_other_levels(measured, request.GET.get("beside", ""))
    except KeyError:
        others, status = find_other_levels(measured), 400
        context["refusal"] = _("There is no such level to compare with.")
    context |= {
        "others": [(other.id, level_name(other)) for other in others.levels.values()],
        "is_old": is_old,
        "new_ratings": _new_ratings(level, report) if access.can_edit else None,
    }
    return drawing.page(
        request,
        ("report", made.pk, drawing.content_of(measured), others.chosen.id),
        lambda: partial(works.report, measured, report, others),
        lambda drawn: render(
            request, "workshop/balance.html", context | works.report_of(drawn), status=status
        ),
    )


@require_safe
@with_level
def progress(request: HttpRequest, access: Access[WorkshopLevel]) -> HttpResponse:
    """How far the report is, to be put into the page; once it is over, the page is fetched anew."""
    context = _progress(access)
    response = render(request, "workshop/_balance_progress.html", context)
    if not context["is_active"]:
        response["HX-Refresh"] = "true"
    return response


def _progress(access: Access[WorkshopLevel]) -> dict[str, Any]:
    job = jobs.latest(access.thing)
    is_active = bool(job and job.state in jobs.ACTIVE)
    return {
        "access": access,
        "job": job,
        # A page that follows a report loads more, and would be too large with the one before.
        "made": None if is_active else jobs.finished(access.thing),
        "is_active": is_active,
        "before": jobs.reports_before(job) if job and job.state == BalanceJob.WAITING else 0,
    }


def _new_ratings(level: Level, report: dict[str, Any]) -> list[int] | None:
    found: list[int] | None = report["ratings"]
    return found if found and tuple(found) != level.ratings else None
