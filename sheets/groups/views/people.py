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
from sheets.groups.figures import sign_of
from sheets.groups.filters import ALL, MOST_LEVELS, GameFilter, level_names
from sheets.groups.forms import PlayerForm
from sheets.groups.one_player import (
    against_others,
    alone_on_levels,
    best_of,
    grades_of,
    last_alone,
    levels_of,
    most_played,
    on_no_level,
    rivals_of,
    statistics_of,
)
from sheets.groups.player_figures import figures_of_player
from sheets.groups.statistics import read_games, solo_in, sums_by_player
from sheets.groups.titles import games_words
from sheets.groups.views.access import with_group
from sheets.groups.views.choosing import page_query, shown_choice, with_choice
from sheets.http.link_preview import link_preview
from sheets.http.rate_limits import READS, limited
from sheets.models import Group, GroupPlayer
from sheets.texts.wrong import wrong_in

ON_A_PAGE: Final = 12
"""Number of players on a page that edits them; each has a list of all others to merge with."""


@require_http_methods(["GET", "HEAD", "POST"])
@limited(READS, "GET")
@with_group
@only_editors
@with_choice(has_pages=True)
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
            wrong = {f"name-{number}": wrong_in(form)["name"]}
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
                renamed = use_cases.find(access.thing, number)
                if taken.player != renamed and not use_cases.have_met(renamed, taken.player):
                    same[number] = taken.player
            else:
                return redirect(request.get_full_path())
    everybody = list(access.thing.players.select_related("merged_into").order_by("number"))
    roots = [one for one in everybody if one.merged_into is None]
    games = sums_by_player(read_games(access.thing, choice))
    sent = request.POST.get("number")
    # The player of the submitted form stays on the page, whatever the filter.
    chosen = [one for one in roots if choice == ALL or one.pk in games or str(one.number) == sent]
    if sent:
        page = _page_of(chosen, sent) or page
    shown = Paginator(chosen, ON_A_PAGE).get_page(page)
    context = {
        **shown_choice(request, access.thing, choice),
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
    return next((1 + place // ON_A_PAGE for place in places), 0)


def _taken_sentence(number: int, player: GroupPlayer, name: str) -> str:
    if player.number == number:
        said = _("“%(name)s” is the same player already. Take the two apart first.")
    else:
        said = _("“%(name)s” is somebody else here already.")
    return said % {"name": name}


@require_safe
@limited(READS, "GET")
@with_group
@with_choice()
def player(
    request: HttpRequest, access: Access[Group], number: int, *, choice: GameFilter
) -> HttpResponse:
    """Show a player's statistics, by level and against each of the others."""
    group = access.thing
    try:
        root = use_cases.root_of(use_cases.find(group, number))
    except use_cases.NoSuchPlayer as unknown:
        raise Http404 from unknown
    found = statistics_of(group, root, choice)
    names = level_names(group)
    levels = levels_of(names, found)
    others = against_others(group, found)
    solo = solo_in(found.own)
    alone = alone_on_levels(names, found)
    context = {
        **shown_choice(request, group, choice, names),
        "here": reverse("group-player", args=[access.key, root.number]),
        "access": access,
        "link_preview": link_preview(
            request, f"{root.name} · {group.name}", games_words(found.sums.games)
        ),
        "player": root,
        "sign": sign_of(root.sign),
        "found": found,
        "figures": list(figures_of_player(found)),
        "levels": levels[:MOST_LEVELS],
        "has_more_levels": len(levels) > MOST_LEVELS,
        "favourites": most_played(levels),
        "best": best_of(levels),
        "alone": [*alone[:MOST_LEVELS], *on_no_level(alone, len(solo))],
        "grades": grades_of(solo),
        "last_alone": last_alone(group, names, solo),
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
            use_cases.take_apart(access, number)


@require_http_methods(["GET", "HEAD", "POST"])
@with_group
@only_editors
def delete(request: HttpRequest, access: Access[Group], number: int) -> HttpResponse:
    """Ask for confirmation, then delete a player; their games stay, without the name."""
    try:
        player = use_cases.find(access.thing, number)
    except use_cases.NoSuchPlayer as unknown:
        raise Http404 from unknown
    if request.method == "POST":
        use_cases.delete(access, number)
        return redirect("group-players", key=access.key)
    return render(request, "groups/delete_player.html", {"access": access, "player": player})
