"""Pages of the sheet of the day: today's, and those of past days."""

from __future__ import annotations

from datetime import date
from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from sheets.access.devices import keep_private_if_known, token_of
from sheets.daily.day import FIRST_DAY, level_of, newest_day
from sheets.daily.page_data import RECENT_DAYS, days_before, page_data
from sheets.groups.daily_results import standings_of_groups
from sheets.groups.group_choice import known_names, own_groups
from sheets.http.rate_limits import READS, limited
from sheets.rules.level import SHAPES
from sheets.text.dates import format_day

TODAY_FRAGMENT: Final = "#today"
"""Fragment of links to today's sheet. With it, the script goes to the day of the device's clock."""


@require_safe
def today(request: HttpRequest) -> HttpResponse:
    """Redirect to the sheet of the current day in the visitor's time zone."""
    return redirect(reverse("day-sheet", args=[timezone.localdate()]) + TODAY_FRAGMENT)


@require_safe
@limited(READS, "GET")
def page(request: HttpRequest, day: date) -> HttpResponse:
    """Show the sheet of a day, which the page's script plays."""
    if day < FIRST_DAY:
        raise Http404
    context: dict[str, Any] = {"day_words": format_day(day)}
    if day > newest_day():
        # Without `TODAY_FRAGMENT`: if the clocks differ, the script would come back here.
        context["today"] = timezone.localdate()
        return render(request, "daily/not_yet.html", context, status=404)
    level = level_of(day)
    groups = own_groups(token_of(request))
    resources = [access.resource for access in groups]
    standings = standings_of_groups(resources, day)
    context |= {
        "groups": [(access, standings[access.resource.pk]) for access in groups],
        "names": known_names(resources),
        "level": level,
        "kit": page_data(day, level),
        "no_marks": {},
        "shapes": SHAPES if level.rails else (),
        "recent": [(one, format_day(one)) for one in days_before(day, RECENT_DAYS)],
    }
    return keep_private_if_known(request, render(request, "daily/day.html", context))
