"""A group has games of a player looked at again."""

from __future__ import annotations

from typing import Final

from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from sheets.access.keys import Access, only_editors
from sheets.groups import given
from sheets.groups.filters import Choice, read_choice
from sheets.groups.views.access import with_group
from sheets.groups.views.choosing import with_choice
from sheets.groups.views.given import progress
from sheets.groups.views.people import find_root, show_player
from sheets.http.posted import posted_or_to
from sheets.http.rate_limits import Limit, limited
from sheets.jobs.requester import requester_of
from sheets.jobs.requester_limits import JobRefused
from sheets.models import Group
from sheets.texts.wrong import NO_FIELD

GROUP_LOOKS: Final = Limit("group-looks", "12/minute;60/hour")


@posted_or_to("group-player")
@limited(GROUP_LOOKS)
@with_group
@only_editors
@with_choice()
def looks(
    request: HttpRequest, access: Access[Group], number: int, *, choice: Choice
) -> HttpResponse:
    """Ask for looks at a player's latest games, or give up what the group waits for."""
    player = find_root(access, number)
    match request.POST.get("do"):
        case "start":
            try:
                given.ask(access, player, choice, requester_of(request))
            except JobRefused as refused:
                wrong = {NO_FIELD: refused.sentence}
                return show_player(request, access, player, choice, wrong, status=refused.status)
        case "cancel":
            given.cancel(access)
        case _:
            return HttpResponseBadRequest("no such act")
    there = reverse("group-player", args=[access.key, player.number])
    return redirect(f"{there}{choice.asked}#given")


@require_safe
@with_group
def state(request: HttpRequest, access: Access[Group], number: int) -> HttpResponse:
    """How far the looks are that a group waits for, to be put into the page of a player."""
    context = {
        "access": access,
        "player": find_root(access, number),
        "choice": read_choice(request.GET.dict()),
        **progress(access.thing),
    }
    response = render(request, "groups/_looks_progress.html", context)
    if request.GET.get("left") != str(len(context["waiting"])):
        response["HX-Refresh"] = "true"
    return response
