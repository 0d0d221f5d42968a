"""Pages of a group's players: rename, merge, retire, delete, and the page of one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from sheets.access.keys import Access, only_editors
from sheets.groups import players as use_cases
from sheets.groups.filters import ALL_GAMES, MAX_LEVELS, GameFilter, level_names
from sheets.groups.forms import PlayerForm
from sheets.groups.game_titles import games_words
from sheets.groups.player_charts import figures_of_player
from sheets.groups.player_figures import sign_of
from sheets.groups.player_statistics import (
    best_of,
    grades_of,
    head_to_heads,
    latest_solo_games,
    levels_of,
    most_played,
    rivals_of,
    solo_levels_of,
    statistics_of,
    unknown_level_row,
)
from sheets.groups.statistics import read_games, solo_in, sums_by_player
from sheets.groups.views.access import with_group
from sheets.groups.views.filter import filter_context, page_query, with_filter
from sheets.http.link_preview import link_preview
from sheets.http.rate_limits import READS, limited
from sheets.models import Group, GroupPlayer
from sheets.names.markup import mark_names
from sheets.text.form_errors import first_errors

PLAYERS_PER_PAGE: Final = 12
"""Number of players on a page that edits them; each has a list of all others to merge with."""


@require_http_methods(["GET", "HEAD", "POST"])
@limited(READS, "GET")
@with_group
@only_editors
@with_filter(has_pages=True)
def players(
    request: HttpRequest, access: Access[Group], *, choice: GameFilter, page: int
) -> HttpResponse:
    """Show a group's players page by page; rename, merge, split, retire or reactivate them."""
    wrong: dict[str, str] = {}
    typed: dict[int, str] = {}
    same: dict[int, GroupPlayer] = {}
    if request.method == "POST":
        form = PlayerForm(request.POST)
        if form.errors.keys() - {"name"}:
            return HttpResponseBadRequest("malformed player")
        number = form.cleaned_data["number"]
        if form.errors:
            wrong = {f"name-{number}": first_errors(form)["name"]}
        else:
            try:
                _act(access, form.cleaned_data)
            except use_cases.NoSuchPlayer:
                return HttpResponseBadRequest("no such player")
            except use_cases.PlayedTogether:
                wrong = {
                    f"into-{number}": _(
                        "These two played in the same game, so they are two players."
                    )
                }
            except use_cases.NameTaken as taken:
                typed[number] = form.cleaned_data["name"]
                wrong = {f"name-{number}": _taken_sentence(number, taken.player, typed[number])}
                renamed = use_cases.find(access.resource, number)
                if taken.player != renamed and not use_cases.have_met(renamed, taken.player):
                    same[number] = taken.player
            else:
                return redirect(request.get_full_path())
    everybody = list(access.resource.players.select_related("merged_into").order_by("number"))
    roots = [one for one in everybody if one.merged_into is None]
    games = sums_by_player(read_games(access.resource, choice))
    sent = request.POST.get("number")
    # The player of the submitted form stays on the page, whatever the filter.
    chosen = [
        one for one in roots if choice == ALL_GAMES or one.pk in games or str(one.number) == sent
    ]
    if sent:
        page = _page_of(chosen, sent) or page
    shown = Paginator(chosen, PLAYERS_PER_PAGE).get_page(page)
    context = {
        **filter_context(request, access.resource, choice),
        "access": access,
        "wrong": wrong,
        "people": [
            (
                one,
                games[one.pk].games if one.pk in games else 0,
                sign_of(one.sign),
                [other for other in everybody if other.merged_into == one],
                typed.get(one.number, one.name),
                same.get(one.number),
            )
            for one in shown
        ],
        "page": shown,
        "before": page_query(choice, shown.number - 1),
        "after": page_query(choice, shown.number + 1),
        "roots": roots,
        "drawings": {sign_of(one.sign) for one in shown},
    }
    return render(request, "groups/players.html", context, status=400 if wrong else 200)


def _page_of(people: Sequence[GroupPlayer], number: str) -> int:
    """Return the page that has the player of a number; 0 if none has."""
    places = (place for place, one in enumerate(people) if str(one.number) == number)
    return next((1 + place // PLAYERS_PER_PAGE for place in places), 0)


def _taken_sentence(number: int, player: GroupPlayer, name: str) -> str:
    if player.number == number:
        message = _("“%(name)s” is the same player already. Take the two apart first.")
    else:
        message = _("“%(name)s” is somebody else here already.")
    return mark_names(message % {"name": name}, [name])


@require_safe
@limited(READS, "GET")
@with_group
@with_filter()
def player(
    request: HttpRequest, access: Access[Group], number: int, *, choice: GameFilter
) -> HttpResponse:
    """Show a player's statistics, by level and against each of the others."""
    group = access.resource
    try:
        root = use_cases.root_of(use_cases.find(group, number))
    except use_cases.NoSuchPlayer as unknown:
        raise Http404 from unknown
    found = statistics_of(group, root, choice)
    names = level_names(group)
    levels = levels_of(names, found)
    others = head_to_heads(group, found)
    solo = solo_in(found.own)
    alone = solo_levels_of(names, found)
    context = {
        **filter_context(request, group, choice, names),
        "here": reverse("group-player", args=[access.key, root.number]),
        "access": access,
        "link_preview": link_preview(
            request, f"{root.name} · {group.name}", games_words(found.sums.games)
        ),
        "player": root,
        "sign": sign_of(root.sign),
        "found": found,
        "figures": list(figures_of_player(found)),
        "levels": levels[:MAX_LEVELS],
        "has_more_levels": len(levels) > MAX_LEVELS,
        "favourites": most_played(levels),
        "best": best_of(levels),
        "solo_levels": [*alone[:MAX_LEVELS], *unknown_level_row(alone, len(solo))],
        "grades": grades_of(solo),
        "latest_solo_games": latest_solo_games(group, names, solo),
        "others": others,
        "rivals": rivals_of(others),
        "year": found.own[-1].evening.year if found.own else None,
        "drawings": {sign_of(root.sign), *(other.sign for other in others)},
    }
    return render(request, "groups/player.html", context)


def _act(access: Access[Group], sent: dict[str, object]) -> None:
    number, into = int(str(sent["number"])), int(str(sent["into"] or 0))
    match sent["do"]:
        case "rename":
            if sent["name"]:
                use_cases.rename(access, number, str(sent["name"]))
        case "retire" | "return":
            use_cases.retire(access, number, sent["do"] == "retire")
        case "merge":
            use_cases.merge(access, number, into)
        case "apart":
            use_cases.split_merged(access, number)


@require_http_methods(["GET", "HEAD", "POST"])
@with_group
@only_editors
def delete(request: HttpRequest, access: Access[Group], number: int) -> HttpResponse:
    """Ask for confirmation, then delete a player; their games stay, without the name."""
    try:
        player = use_cases.find(access.resource, number)
        if request.method == "POST":
            use_cases.delete(access, number)
            return redirect("group-players", key=access.key)
    except use_cases.NoSuchPlayer as unknown:
        raise Http404 from unknown
    return render(request, "groups/delete_player.html", {"access": access, "player": player})
