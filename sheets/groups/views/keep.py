"""Page that adds an open or finished game to a group."""

from __future__ import annotations

from typing import Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from sheets.access import devices
from sheets.access.keys import NotAllowed, UnknownKey, keep_private, refused_as_pages
from sheets.groups import store
from sheets.groups.choice import choose, own_groups
from sheets.groups.entering import having_by_hand
from sheets.groups.forms import GroupForm
from sheets.groups.keeping import GroupFull, Source, keep, kept_in
from sheets.groups.views.storage import full_sentence
from sheets.http.rate_limits import NEW_SCORINGS, address_of, limited
from sheets.scoring import store as scoring_store
from sheets.scoring import tally_store
from sheets.tables.access import find_access
from sheets.texts.wrong import NO_FIELD, wrong_in

BACK: Final = {"score": "score-results", "tally": "tally-results", "table": "table"}
"""URL names of the pages of a game by its kind, for the way back."""

SHORTEST_CODE: Final = 13
"""Minimum length of a table's code: that of the code in its URL, which cannot be guessed."""


@require_http_methods(["GET", "HEAD", "POST"])
@limited(NEW_SCORINGS)
def keep_game(request: HttpRequest, kind: str, name: str) -> HttpResponse:
    """Ask for a group or for the name of a new one, then add a game to it."""
    with refused_as_pages():
        source = _find(kind, name)
    form, wrong = GroupForm(request.POST or None), {}
    back = reverse(BACK[kind], args=[name])
    if request.method == "POST":
        key = request.POST.get("group", "")
        if not key and form.is_valid():
            key = store.create(form.cleaned_data["name"])
        if key:
            try:
                access = store.find(key)
                if not having_by_hand(source, [access.thing]):
                    keep(access, source)
            except (UnknownKey, NotAllowed):
                wrong = {NO_FIELD: gone_sentence()}
            except GroupFull:
                wrong = {NO_FIELD: full_sentence()}
            else:
                token = devices.token_for(request)
                choose(token, key, address_of(request))
                there = back if "back" in request.POST else reverse("group", args=[key])
                return devices.give_token(redirect(there), token)
        else:
            wrong = wrong_in(form)
    groups = own_groups(devices.token_of(request))
    things = [access.thing for access in groups]
    kept = {game.group_id for game in kept_in(source, things)} | having_by_hand(source, things)
    context = {
        "groups": [(access, access.thing.pk in kept) for access in groups],
        "back": back,
        "wrong": wrong,
        "name": request.POST.get("name", ""),
    }
    response = render(request, "groups/keep.html", context, status=400 if wrong else 200)
    keep_private(response)
    return response


def gone_sentence() -> str:
    """Return the error message for a group whose key is unknown or read-only."""
    return _("This group is not there any more, or its link was changed.")


def _find(kind: str, name: str) -> Source:
    """Return the scoring or tally of a key, or the table of a code. Raises UnknownKey, Http404."""
    match kind:
        case "score":
            return scoring_store.find(name).thing
        case "tally":
            return tally_store.find(name).thing
        case "table" if len(name) >= SHORTEST_CODE:
            return find_access(name).table
    raise Http404
