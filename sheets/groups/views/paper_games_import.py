"""Pages that enter old paper games, typed or pasted: preview, confirmation, and correction."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any, NamedTuple

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from sheets.access.keys import Access, only_editors
from sheets.groups import manual_entry, paper_games_import
from sheets.groups.dates import expects_month_first
from sheets.groups.forms import ImportCountsForm
from sheets.groups.paper_games_import import PaperGame
from sheets.groups.players import find_named
from sheets.groups.result_table import read_table
from sheets.groups.views.access import with_group
from sheets.groups.views.storage_limits import (
    STORAGE_ERRORS,
    charge_to,
    storage_error_sentence,
    with_retry_status,
)
from sheets.http.rate_limits import UPLOADS, limited
from sheets.levels import shipped_levels
from sheets.models import Group
from sheets.text.form_errors import NO_FIELD


class ShownGame(NamedTuple):
    """A game to confirm. ``winners`` are seats. ``is_known``: the group has the game already."""

    game: PaperGame
    winners: Collection[int]
    is_known: bool


@require_http_methods(["GET", "HEAD", "POST"])
@limited(UPLOADS)
@with_group
@only_editors
def enter(request: HttpRequest, access: Access[Group]) -> HttpResponse:
    """Show the forms for old games; preview their input, and add it once the user confirms."""
    if request.method != "POST":
        return _show(request, access)
    if "table" in request.POST:
        return enter_table(request, access, request.POST["table"])
    form = manual_entry.read_form(access.resource, request.POST.dict())
    shown = _shown(access.resource, [form.game]) if form.game else None
    # Input that was changed after the preview is previewed again.
    if form.game and request.POST.get("keep") == form.confirmation:
        try:
            kept = paper_games_import.enter(access, [form.game], charge_to(request))
        except STORAGE_ERRORS as error:
            wrong = {NO_FIELD: storage_error_sentence(error)}
            return with_retry_status(
                _show(request, access, form=form, wrong=wrong, preview=shown), error
            )
        else:
            # The next sheet to be typed is often of the same evening.
            more = {"day": form.day, "level": form.level or form.other}
            return redirect(_url_after_import(access, kept, more))
    return _show(request, access, form=form, wrong=form.wrong, preview=shown)


@require_http_methods(["GET", "HEAD", "POST"])
@limited(UPLOADS)
@with_group
@only_editors
def correct(request: HttpRequest, access: Access[Group], number: int) -> HttpResponse:
    """Show a typed game in the form, and replace it with the corrected one."""
    game = get_object_or_404(access.resource.games, number=number, kind="typed")
    wrong: dict[str, str] = {}
    form = manual_entry.form_of(game)
    if request.method == "POST":
        form = manual_entry.read_form(access.resource, request.POST.dict(), game)
        wrong = form.wrong
        if form.game:
            try:
                paper_games_import.correct(access, number, form.game)
            except paper_games_import.DuplicateGame:
                wrong = {NO_FIELD: _("This game is there already.")}
            else:
                return redirect("group-evening", key=access.key, day=form.game.day)
    context = {
        "access": access,
        "game": game,
        "form": form,
        "levels": shipped_levels().values(),
        "wrong": wrong,
    }
    return render(request, "groups/correct.html", context, status=400 if wrong else 200)


def enter_table(request: HttpRequest, access: Access[Group], text: str) -> HttpResponse:
    """Preview the games of a table, and add them once the user confirms."""
    order = request.POST.get("order")
    is_chosen = order in ("day", "month")
    read = read_table(
        text,
        access.resource,
        is_month_first=order == "month"
        if is_chosen
        else expects_month_first(request.headers.get("Accept-Language", "")),
        is_chosen=is_chosen,
    )
    shown: dict[str, Any] = {"table": text, "read": read}
    if not read.games:
        wrong = {"table": _("No game was found in this. The first line has the names.")}
        return _show(request, access, wrong=wrong, **shown)
    if "keep" in request.POST:
        try:
            kept = paper_games_import.enter(access, read.games, charge_to(request))
        except STORAGE_ERRORS as error:
            wrong = {NO_FIELD: storage_error_sentence(error)}
            shown |= _shown(access.resource, read.games)
            return with_retry_status(_show(request, access, wrong=wrong, **shown), error)
        return redirect(_url_after_import(access, kept))
    return _show(request, access, **shown, **_shown(access.resource, read.games))


def _url_after_import(
    access: Access[Group], kept: paper_games_import.ImportCounts, more: dict[str, str] | None = None
) -> str:
    url = reverse("group-enter", args=[access.key])
    return f"{url}?{urlencode(kept._asdict() | (more or {}))}"


def _shown(group: Group, games: Iterable[PaperGame]) -> dict[str, Any]:
    """Return the context of the preview: the games, and the names that are new to the group."""
    found = list(games)
    known = paper_games_import.find_known_games(group, found)
    names = list(dict.fromkeys(name for game in found for name in game.people if name))
    people = find_named(group, names)
    return {
        "games": [
            ShownGame(
                game, [seat for seat, one in enumerate(game.results) if one.won], game in known
            )
            for game in found
        ],
        "new_names": [name for name in names if name not in people],
    }


def _show(
    request: HttpRequest,
    access: Access[Group],
    *,
    form: manual_entry.EntryFormState | None = None,
    wrong: dict[str, str] | None = None,
    **more: Any,
) -> HttpResponse:
    counts_form = ImportCountsForm(request.GET)
    counts = counts_form.cleaned_data if counts_form.is_valid() else {}
    day = counts.get("day") or timezone.localdate()
    context = {
        "access": access,
        "form": form or manual_entry.empty_form(access.resource, str(day), counts.get("level", "")),
        "levels": shipped_levels().values(),
        "wrong": wrong or {},
        "kept": counts if request.method != "POST" else {},
        **more,
    }
    return render(request, "groups/enter.html", context, status=400 if wrong else 200)
