"""Views of a level's balance report: request, progress, cancellation and result."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any, Final

from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from sheets.access.keys import Access, UnknownKey, is_key, key_in_link
from sheets.http import render_tasks, rendering
from sheets.http.rate_limits import Limit, limited
from sheets.jobs.queue import jobs_ahead
from sheets.jobs.requester import requester_of
from sheets.jobs.requester_limits import JobRefused
from sheets.models import Job, WorkshopLevel
from sheets.names.markup import mark_names
from sheets.rules import Level, format_level, parse_level
from sheets.simulation.balance import jobs
from sheets.simulation.balance.comparison import level_name
from sheets.simulation.balance.report import plays_alike, with_ratings
from sheets.simulation.balance.shipped_figures import (
    OtherLevels,
    choose_own_level,
    find_other_levels,
)
from sheets.text.form_errors import NO_FIELD
from sheets.workshop import store
from sheets.workshop.acts import Ratings
from sheets.workshop.draft import in_language_or_blank
from sheets.workshop.views.access import with_finished, with_level

BEFORE: Final = "before"
"""Value of ``?beside`` for a comparison with the report from before the last change."""


class NoReport(Exception):
    """The workshop level of ``access`` has no report yet."""

    def __init__(self, access: Access[WorkshopLevel]) -> None:
        super().__init__("no report")
        self.access = access


REPORTS = Limit("balance-reports", "12/minute;90/hour")
"""Rate limit of POST requests to the page of a balance report."""


@require_http_methods(["GET", "HEAD", "POST"])
@limited(REPORTS)
@with_finished
def balance(request: HttpRequest, access: Access[WorkshopLevel], level: Level) -> HttpResponse:
    """Show the report or its progress; request it, cancel it, or adopt its grades."""
    if request.method == "POST":
        access.refuse_unless_edits()
        return _act(request, access, level)
    return _show(request, access, level)


def _act(request: HttpRequest, access: Access[WorkshopLevel], level: Level) -> HttpResponse:
    match request.POST.get("do"):
        case "start":
            try:
                jobs.request_report(access.resource, level, requester_of(request))
            except JobRefused as refused:
                wrong = {NO_FIELD: refused.sentence}
                return _show(request, access, level, wrong=wrong, status=refused.status)
        case "cancel":
            jobs.cancel(access.resource)
        case "ratings":
            made = jobs.finished_report(access.resource)
            if made and made.report and made.report["ratings"]:
                store.act(access, [Ratings(totals=made.report["ratings"])])
        case "beside":
            return _show(request, access, level, link=request.POST.get("link", ""))
        case _:
            return HttpResponseBadRequest("no such act")
    return redirect("workshop-balance", key=access.key)


def _show(
    request: HttpRequest,
    access: Access[WorkshopLevel],
    level: Level,
    *,
    wrong: dict[str, str] | None = None,
    status: int = 200,
    link: str | None = None,
) -> HttpResponse:
    context = _progress(access) | {"level": level, "wrong": wrong, "link": link or ""}
    made = context["made"]
    if made is None:
        return render(request, "workshop/balance.html", context, status=status)
    is_old = not plays_alike(made.document, format_level(level))
    # Grades and texts may have changed since; the games are the same.
    measured = parse_level(made.document) if is_old else level
    report = with_ratings(made.report, measured.ratings)
    before = jobs.previous_report(access.resource, made)
    # After a change, the comparison with the level before it is the default.
    wanted = request.GET.get("beside", BEFORE if before else "")
    other: Job | None = None
    try:
        is_own = wanted == BEFORE or link is not None
        others = find_other_levels(measured, "" if is_own else wanted)
        if is_own:
            other = before if link is None else _report_of_link(link)
            others = _compare_with_report(others, other, is_before=link is None)
    except NoReport as lacking:
        others, status = find_other_levels(measured), 409
        name = in_language_or_blank(lacking.access.resource.document.get("name", {}))
        sentence = _("“%(name)s” has no report yet. Make it, and then compare.") % {"name": name}
        context["wrong"] = {"link": mark_names(sentence, [name])}
        context["lacking"] = lacking.access
    except (KeyError, UnknownKey):
        others, status = find_other_levels(measured), 400
        field = "beside" if link is None else "link"
        context["wrong"] = {field: _("There is no such level to compare with.")}
    context |= {
        "others": [(one.id, level_name(one)) for one in others.levels.values()],
        "before_id": BEFORE if before else "",
        "chosen_id": BEFORE if other and other == before else others.chosen_id,
        "is_old": is_old,
        "new_ratings": _new_ratings(level, report) if access.can_edit else None,
    }
    return rendering.page_response(
        request,
        (
            *("report", made.pk, rendering.level_cache_key(measured), others.chosen_id),
            *(other and other.pk, level_name(others.chosen)),
        ),
        lambda: partial(render_tasks.report, measured, report, others),
        lambda shown: render(request, "workshop/balance.html", context | shown, status=status),
    )


@require_safe
@with_level
def progress(request: HttpRequest, access: Access[WorkshopLevel]) -> HttpResponse:
    """Return the progress of the report as a fragment; after its end, make htmx reload the page."""
    context = _progress(access)
    response = render(request, "workshop/_balance_progress.html", context)
    if not context["is_active"]:
        response["HX-Refresh"] = "true"
    return response


def _progress(access: Access[WorkshopLevel]) -> dict[str, Any]:
    job = jobs.latest_report(access.resource)
    is_active = bool(job and job.is_active)
    return {
        "access": access,
        "job": job,
        # A page that polls the progress loads more; with the last report it would be too large.
        "made": None if is_active else jobs.finished_report(access.resource),
        "is_active": is_active,
        "before": jobs_ahead(job),
    }


def _report_of_link(link: str) -> Job:
    """Return the latest report on the workshop level whose link or key a user has entered.

    Raises:
        KeyError: the text is neither a link nor a key.
        UnknownKey: there is no level with this key.
        NoReport: the level has no report.
    """
    typed = link.strip()
    key = typed if is_key(typed) else key_in_link(typed, "workshop")
    if not key:
        raise KeyError
    access = store.find(key)
    found = jobs.finished_report(access.resource)
    if found is None:
        raise NoReport(access)
    return found


def _compare_with_report(others: OtherLevels, job: Job | None, *, is_before: bool) -> OtherLevels:
    """Return ``others`` with the level of a finished report as the chosen one.

    If ``is_before``, the chosen level gets the name "Before the change".

    Raises:
        KeyError: there is no such report.
    """
    if job is None or job.report is None:
        raise KeyError
    level = parse_level(job.document)
    named = replace(level, name={"": _("Before the change")}) if is_before else level
    return choose_own_level(others, named, job.report)


def _new_ratings(level: Level, report: dict[str, Any]) -> list[int] | None:
    found: list[int] | None = report["ratings"]
    return found if found and tuple(found) != level.ratings else None
