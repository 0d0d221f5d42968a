"""Page that adds an open or finished game to a group."""

from __future__ import annotations

from typing import Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from sheets.access import devices
from sheets.access.keys import NotAllowed, UnknownKey, as_http_errors, keep_private
from sheets.groups import store
from sheets.groups.forms import GroupForm
from sheets.groups.game_store import GroupFull, Source, add_game, games_from
from sheets.groups.group_choice import choose, own_groups
from sheets.groups.paper_games_import import groups_with_typed_game
from sheets.groups.views.storage_limits import group_full_sentence
from sheets.http.rate_limits import NEW_SCORINGS, address_of, limited
from sheets.scoring import store as scoring_store
from sheets.scoring import tally_store
from sheets.tables.access import find_access
from sheets.text.form_errors import NO_FIELD, first_errors

RESULT_URL_NAMES: Final = {"score": "score-results", "tally": "tally-results", "table": "table"}
"""URL name of the page of a game, to which the user returns, by the kind in the URL."""

MIN_CODE_LENGTH: Final = 13
"""Minimum length of the code of a table: only long codes, which nobody can guess, are accepted."""


@require_http_methods(["GET", "HEAD", "POST"])
@limited(NEW_SCORINGS)
def add_game_page(request: HttpRequest, kind: str, name: str) -> HttpResponse:
    """Ask for a group or for the name of a new one, then add a game to it."""
    with as_http_errors():
        source = _find(kind, name)
    form, wrong = GroupForm(request.POST or None), {}
    back = reverse(RESULT_URL_NAMES[kind], args=[name])
    if request.method == "POST":
        key = request.POST.get("group", "")
        if not key and form.is_valid():
            key = store.create(form.cleaned_data["name"])
        if key:
            try:
                access = store.find(key)
                if not groups_with_typed_game(source, [access.resource]):
                    add_game(access, source)
            except (UnknownKey, NotAllowed):
                wrong = {NO_FIELD: invalid_link_sentence()}
            except GroupFull:
                wrong = {NO_FIELD: group_full_sentence()}
            else:
                token = devices.token_for(request)
                choose(token, key, address_of(request))
                there = back if "back" in request.POST else reverse("group", args=[key])
                return devices.set_token_cookie(redirect(there), token)
        else:
            wrong = first_errors(form)
    groups = own_groups(devices.token_of(request))
    resources = [access.resource for access in groups]
    kept = {game.group_id for game in games_from(source, resources)} | groups_with_typed_game(
        source, resources
    )
    context = {
        "groups": [(access, access.resource.pk in kept) for access in groups],
        "back": back,
        "wrong": wrong,
        "name": request.POST.get("name", ""),
    }
    response = render(request, "groups/keep.html", context, status=400 if wrong else 200)
    keep_private(response)
    return response


def invalid_link_sentence() -> str:
    """Return the error message for a group whose key is unknown or read-only."""
    return _("This group is not there any more, or its link was changed.")


def _find(kind: str, name: str) -> Source:
    """Return the scoring or tally of a key, or the table of a code. Raises UnknownKey, Http404."""
    match kind:
        case "score":
            return scoring_store.find(name).resource
        case "tally":
            return tally_store.find(name).resource
        case "table" if len(name) >= MIN_CODE_LENGTH:
            return find_access(name).table
    raise Http404
