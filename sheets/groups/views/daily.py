"""Sheets of the day of a group: the latest results, and storage of a result."""

from __future__ import annotations

from datetime import date
from typing import Annotated

import msgspec
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe
from msgspec import Meta, Struct

from sheets.access.devices import noted
from sheets.access.keys import Access, only_editors
from sheets.art.layout import format_amount
from sheets.daily.day import FIRST_DAY, newest_day
from sheets.daily.record import MAX_RECORD_LENGTH, BadRecord, replay
from sheets.documents.decoding import ACT_ID, decoder
from sheets.groups import daily_results
from sheets.groups.daily_results import SHOWN_DAYS, ResultExists, TooManyPlayers
from sheets.groups.views.access import with_group
from sheets.http.json_body import takes_json
from sheets.http.post_redirect import posted_or_to
from sheets.http.rate_limits import READS, SAVES, limited
from sheets.models import Group
from sheets.names.cleaning import NAME_LENGTH, clean_name


class SentResult(Struct, forbid_unknown_fields=True, frozen=True):
    """A finished game on the sheet of a day, see `sheets.daily.record`.

    ``id`` is not used: the outbox adds one to every act.
    """

    id: Annotated[str, Meta(pattern=ACT_ID)]
    day: date
    name: Annotated[str, Meta(max_length=4 * NAME_LENGTH)]
    record: Annotated[str, Meta(max_length=MAX_RECORD_LENGTH)]


@require_safe
@limited(READS, "GET")
@with_group
@noted("groups")
def days(request: HttpRequest, access: Access[Group]) -> HttpResponse:
    """Show the latest sheets of the day with the results of the group."""
    found = daily_results.latest_days(access.resource, SHOWN_DAYS)
    return render(request, "groups/daily.html", {"access": access, "days": found})


@limited(SAVES)
@posted_or_to("group-days")
@takes_json
@with_group
@only_editors
def keep(request: HttpRequest, access: Access[Group], body: bytes) -> HttpResponse:
    """Store a result, and return all results of its day as JSON."""
    try:
        sent = decoder(SentResult).decode(body)
        if not FIRST_DAY <= sent.day <= newest_day():
            return HttpResponseBadRequest("not a day with a sheet")
        played = replay(sent.day, sent.record)
    except (msgspec.DecodeError, UnicodeError, RecursionError, BadRecord):
        return HttpResponseBadRequest("malformed result")
    if not played.game.is_finished:
        return HttpResponseBadRequest("unfinished game")
    refusal = _refusal(access, sent, played.totals)
    state = {"refusal": refusal, "results": daily_results.standings_of(access.resource, sent.day)}
    return JsonResponse(state, status=422 if refusal else 200)


def _refusal(access: Access[Group], sent: SentResult, totals: list[int]) -> str:
    """Store a result; return the sentence that explains why it is refused, or ""."""
    name = clean_name(sent.name)
    if not name or len(name) > NAME_LENGTH:
        return _("Enter your name: at most 40 letters.")
    try:
        daily_results.add(access, name, sent.day, totals)
    except TooManyPlayers:
        return _("This group has as many players as it can have.")
    except ResultExists as known:
        points = ngettext("%(points)s point", "%(points)s points", abs(known.total))
        return _("%(name)s already has a result on this day: %(points)s.") % {
            "name": known.name,
            "points": points % {"points": format_amount(known.total)},
        }
    return ""
