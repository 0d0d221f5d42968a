"""Pages of a group: create it, show it and its evenings, change its links, delete it."""

from __future__ import annotations

from datetime import date
from typing import Final

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from sheets.access.devices import give_token, noted, token_for, token_of
from sheets.access.keys import Access, note_visit, only_editors
from sheets.access.links import change_links, shown_links
from sheets.groups import store
from sheets.groups.choice import choose, ways_on
from sheets.groups.evenings import evening_on, evenings_page
from sheets.groups.filters import GameFilter
from sheets.groups.forms import EveningForm, GroupForm
from sheets.groups.keeping import look_again
from sheets.groups.standings import table_of
from sheets.groups.titles import games_words
from sheets.groups.views.access import with_group
from sheets.groups.views.choosing import page_query, shown_choice, with_choice
from sheets.groups.year import ToTell, year_to_tell
from sheets.http.link_preview import link_preview
from sheets.http.posted import posted_or_to
from sheets.http.rate_limits import NEW_SCORINGS, READS, address_of, limited
from sheets.models import Group
from sheets.texts.dates import day_in_words
from sheets.texts.players import join_names
from sheets.texts.wrong import wrong_in

OPENED_AT: Final = ("table-new", "score")
"""URL names of the pages where a game of a group can be opened."""


@require_http_methods(["GET", "HEAD", "POST"])
@limited(NEW_SCORINGS)
def begin(request: HttpRequest) -> HttpResponse:
    """Ask for a name, then create a group."""
    form = GroupForm(request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid():
        return redirect("group", key=store.create(form.cleaned_data["name"]))
    context = {"name": request.POST.get("name", ""), "wrong": wrong_in(form)}
    return render(request, "groups/new.html", context, status=400 if form.is_bound else 200)


@require_safe
@limited(READS, "GET")
@with_group
@noted("groups")
@with_choice(has_pages=True)
def page(
    request: HttpRequest, access: Access[Group], *, choice: GameFilter, page: int
) -> HttpResponse:
    """Show a group's evenings with their games, and the table of its players."""
    look_again(access.thing)
    ends_on = store.ends_on(access.thing)
    note_visit(access.thing)
    table = table_of(access.thing, choice)
    chosen = shown_choice(request, access.thing, choice)
    names = chosen["offered"].names
    evenings = evenings_page(access.thing, str(page), choice.games(), names)
    years = chosen["offered"].years
    if choice.year in years:
        year: ToTell | None = ToTell(choice.year, False)
    else:
        year = year_to_tell(years, timezone.localdate())
    context = {
        **chosen,
        "access": access,
        "link_preview": link_preview(
            request,
            access.thing.name,
            games_words(evenings.game_count, join_names([row.player.name for row in table.rows])),
        ),
        "table": table,
        "drawings": {row.sign for row in table.rows},
        "evenings": evenings,
        "newer": page_query(choice, evenings.page.number - 1),
        "older": page_query(choice, evenings.page.number + 1),
        "year": year,
        "ends_on": ends_on,
        "ways": ways_on(access.thing, token_of(request)),
    }
    return render(request, "groups/group.html", context)


@posted_or_to("group")
@with_group
@only_editors
def play(request: HttpRequest, access: Access[Group]) -> HttpResponse:
    """Choose this group on the device, and redirect to a page that opens a game for it."""
    there = request.POST.get("to", "")
    if there not in OPENED_AT:
        return HttpResponseBadRequest("no such page")
    token = token_for(request)
    choose(token, access.key, address_of(request))
    return give_token(redirect(there), token)


@require_http_methods(["GET", "HEAD", "POST"])
@limited(READS, "GET")
@with_group
def evening(request: HttpRequest, access: Access[Group], day: date) -> HttpResponse:
    """Show the games of an evening page by page; save its place and note."""
    if request.method == "POST":
        access.refuse_unless_edits()
    found = evening_on(access.thing, day, request.GET.get("page", ""))
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
            f"{day_in_words(day)} · {access.thing.name}",
            games_words(found.day.game_count, found.day.place, ", ".join(titles)),
        ),
        "date": day,
        "day": found.day,
        "page": found.page,
        "ways": ways_on(access.thing, token_of(request)),
        "form": form,
        "wrong": wrong_in(form),
    }
    status = 400 if form.is_bound else 200
    return render(request, "groups/evening.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@with_group
@only_editors
def delete_game(request: HttpRequest, access: Access[Group], number: int) -> HttpResponse:
    """Ask for confirmation, then delete a game of the group, idempotently."""
    is_there = access.thing.games.filter(number=number).exists()
    if not is_there and (request.method != "POST" or number > access.thing.last_number):
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
        wrong = wrong_in(form)
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
        "name": request.POST.get("name", access.thing.name),
        **shown_links(request, access, "group"),
    }
    return render(request, "groups/links.html", context, status=400 if wrong else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@with_group
@only_editors
def delete(request: HttpRequest, access: Access[Group]) -> HttpResponse:
    """Ask for confirmation, then delete the group."""
    if request.method == "POST":
        store.delete(access)
        return redirect("group-deleted")
    return render(request, "groups/delete.html", {"access": access})


@require_safe
def deleted(request: HttpRequest) -> HttpResponse:
    """Confirm that a group was deleted."""
    return render(request, "groups/deleted.html")
