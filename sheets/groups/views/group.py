"""Pages of a group: create it, show it and its evenings, change its links, delete it."""

from __future__ import annotations

from datetime import date
from typing import Final

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from sheets.access.devices import noted, set_token_cookie, token_for, token_of
from sheets.access.keys import Access, delete_resource, note_visit, only_editors
from sheets.access.links import change_links, shown_links
from sheets.groups import store
from sheets.groups.daily_results import DAYS_ON_GROUP_PAGE, latest_days
from sheets.groups.evenings import evening_on, evenings_page
from sheets.groups.filters import GameFilter
from sheets.groups.forms import EveningForm, GroupForm
from sheets.groups.game_store import update_changed_games
from sheets.groups.game_titles import games_words
from sheets.groups.group_choice import choose, urls_of_open_games
from sheets.groups.headlines import headlines_of
from sheets.groups.standings import table_of
from sheets.groups.views.access import with_group
from sheets.groups.views.filter import filter_context, page_query, with_filter
from sheets.groups.wins_chart import wins_figure, wins_key
from sheets.groups.year import ReviewLink, review_link
from sheets.http.link_preview import link_preview
from sheets.http.post_redirect import posted_or_to
from sheets.http.rate_limits import NEW_SCORINGS, READS, address_of, limited
from sheets.models import Group
from sheets.text.dates import format_day
from sheets.text.form_errors import first_errors
from sheets.text.player_names import join_names

GAME_START_URL_NAMES: Final = ("table-new", "score")
"""URL names of the pages where a game of a group can be opened."""


@require_http_methods(["GET", "HEAD", "POST"])
@limited(NEW_SCORINGS)
def begin(request: HttpRequest) -> HttpResponse:
    """Ask for a name, then create a group."""
    form = GroupForm(request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid():
        return redirect("group", key=store.create(form.cleaned_data["name"]))
    context = {"name": request.POST.get("name", ""), "wrong": first_errors(form)}
    return render(request, "groups/new.html", context, status=400 if form.is_bound else 200)


@require_safe
@limited(READS, "GET")
@with_group
@noted("groups")
@with_filter(has_pages=True)
def page(
    request: HttpRequest, access: Access[Group], *, choice: GameFilter, page: int
) -> HttpResponse:
    """Show a group's evenings with their games, and the table of its players."""
    update_changed_games(access.resource)
    ends_on = store.ends_on(access.resource)
    note_visit(access.resource)
    table = table_of(access.resource, choice)
    chosen = filter_context(request, access.resource, choice)
    names = chosen["filter_options"].names
    evenings = evenings_page(access.resource, str(page), choice.games(), names)
    years = chosen["filter_options"].years
    if choice.year in years:
        year: ReviewLink | None = ReviewLink(choice.year, False)
    else:
        year = review_link(years, timezone.localdate())
    context = {
        **chosen,
        "access": access,
        "link_preview": link_preview(
            request,
            access.resource.name,
            games_words(evenings.game_count, join_names([row.player.name for row in table.rows])),
        ),
        "table": table,
        "headlines": headlines_of(table),
        "wins_figure": wins_figure(table),
        "wins_key": wins_key(table),
        "drawings": {row.sign for row in table.rows},
        "evenings": evenings,
        "earlier": evenings.days[evenings.page.number == 1 :],
        "newer": page_query(choice, evenings.page.number - 1),
        "older": page_query(choice, evenings.page.number + 1),
        "year": year,
        "ends_on": ends_on,
        "days": latest_days(access.resource, DAYS_ON_GROUP_PAGE),
        "ways": urls_of_open_games(access.resource, token_of(request)),
    }
    return render(request, "groups/group.html", context)


@posted_or_to("group")
@with_group
@only_editors
def play(request: HttpRequest, access: Access[Group]) -> HttpResponse:
    """Choose this group on the device, and redirect to a page that opens a game for it."""
    url_name = request.POST.get("to", "")
    if url_name not in GAME_START_URL_NAMES:
        return HttpResponseBadRequest("no such page")
    token = token_for(request)
    choose(token, access.key, address_of(request))
    return set_token_cookie(redirect(url_name), token)


@require_http_methods(["GET", "HEAD", "POST"])
@limited(READS, "GET")
@with_group
def evening(request: HttpRequest, access: Access[Group], day: date) -> HttpResponse:
    """Show the games of an evening page by page; save its place and note."""
    if request.method == "POST":
        access.refuse_unless_edits()
    found = evening_on(access.resource, day, request.GET.get("page", ""))
    if found is None:
        raise Http404
    form = (
        EveningForm({**request.POST.dict(), "day": str(day)})
        if request.method == "POST"
        else EveningForm(initial={"place": found.day.place, "note": found.day.note})
    )
    if form.is_bound and form.is_valid():
        sent = form.cleaned_data
        store.describe(access, day, sent["place"], sent["note"])
        return redirect("group", key=access.key)
    titles = dict.fromkeys(game.title for game in found.day.games)
    context = {
        "access": access,
        "link_preview": link_preview(
            request,
            f"{format_day(day)} · {access.resource.name}",
            games_words(found.day.game_count, found.day.place, ", ".join(titles)),
        ),
        "date": day,
        "day": found.day,
        "page": found.page,
        "ways": urls_of_open_games(access.resource, token_of(request)),
        "form": form,
        "wrong": first_errors(form),
    }
    status = 400 if form.is_bound else 200
    return render(request, "groups/evening.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@with_group
@only_editors
def delete_game(request: HttpRequest, access: Access[Group], number: int) -> HttpResponse:
    """Ask for confirmation, then delete a game of the group, idempotently."""
    is_there = access.resource.games.filter(number=number).exists()
    if not is_there and (request.method != "POST" or number > access.resource.last_number):
        raise Http404
    if request.method == "POST":
        store.delete_game(access, number)
        return redirect("group", key=access.key)
    return render(request, "groups/delete_game.html", {"access": access, "number": number})


@require_http_methods(["GET", "HEAD", "POST"])
@with_group
@only_editors
@noted("groups")
def links(request: HttpRequest, access: Access[Group]) -> HttpResponse:
    """Show both links and the name of a group; replace or withdraw links, or rename the group."""
    wrong: dict[str, str] = {}
    do = request.POST.get("do", "")
    if do == "rename":
        form = GroupForm(request.POST)
        wrong = first_errors(form)
        if not wrong:
            store.rename(access, form.cleaned_data["name"])
            return redirect("group-links", key=access.key)
    elif request.method == "POST":
        try:
            return redirect("group-links", key=change_links(access, do))
        except ValueError:
            return HttpResponseBadRequest("no such act")
    context = {
        "access": access,
        "wrong": wrong,
        "name": request.POST.get("name", access.resource.name),
        **shown_links(request, access, "group"),
    }
    return render(request, "groups/links.html", context, status=400 if wrong else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@with_group
@only_editors
def delete(request: HttpRequest, access: Access[Group]) -> HttpResponse:
    """Ask for confirmation, then delete the group."""
    if request.method == "POST":
        delete_resource(access)
        return redirect("group-deleted")
    return render(request, "groups/delete.html", {"access": access})


@require_safe
def deleted(request: HttpRequest) -> HttpResponse:
    """Confirm that a group was deleted."""
    return render(request, "groups/deleted.html")
