"""A group's page, its links, and its end."""

from __future__ import annotations

from datetime import date

from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from sheets.access.devices import noted
from sheets.access.keys import (
    Access,
    note_visit,
    only_editors,
    renew_key,
    set_shared,
)
from sheets.groups import store
from sheets.groups.evenings import evening_on, evenings_page
from sheets.groups.figures import figures_of
from sheets.groups.filters import offered_in, read_choice
from sheets.groups.forms import EveningForm, GroupForm
from sheets.groups.keeping import look_again
from sheets.groups.views.access import with_group
from sheets.http.limits import NEW_SCORINGS, limited
from sheets.http.share_link import ShareLink, share_link
from sheets.models import Group
from sheets.texts.wrong import wrong_in


@require_http_methods(["GET", "HEAD", "POST"])
@limited(NEW_SCORINGS)
def begin(request: HttpRequest) -> HttpResponse:
    """Ask for a name, then begin a group."""
    form = GroupForm(request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid():
        return redirect("group", key=store.create(form.cleaned_data["name"]))
    context = {"name": request.POST.get("name", ""), "wrong": wrong_in(form)}
    return render(request, "groups/new.html", context, status=400 if form.is_bound else 200)


@require_safe
@with_group
@noted("groups")
def page(request: HttpRequest, access: Access[Group]) -> HttpResponse:
    """Show what a group has played, and how everybody does."""
    look_again(access.thing)
    ends_on = store.ends_on(access.thing)
    note_visit(access.thing)
    choice = read_choice(request.GET.dict())
    figures = figures_of(access.thing, choice.on_results())
    context = {
        "access": access,
        "figures": figures,
        "drawings": {figure.sign for figure in figures},
        "evenings": evenings_page(
            access.thing, request.GET.get("page", "1")[:6], choice.on_games()
        ),
        "choice": choice,
        "offered": offered_in(access.thing),
        "ends_on": ends_on,
    }
    return render(request, "groups/group.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@with_group
@only_editors
def evening(request: HttpRequest, access: Access[Group], day: date) -> HttpResponse:
    """Say where an evening was, and what there is to remember."""
    kept = access.thing.evenings.filter(day=day).first()
    usual = {"place": kept.place, "note": kept.note} if kept else {}
    form = (
        EveningForm({**request.POST.dict(), "day": str(day)})
        if request.method == "POST"
        else (EveningForm(initial=usual))
    )
    if form.is_bound and form.is_valid():
        sent = form.cleaned_data
        store.describe(access, day, sent["place"], sent["note"])
        return redirect("group", key=access.key)
    context = {
        "access": access,
        "date": day,
        "day": evening_on(access.thing, day),
        "form": form,
        "wrong": wrong_in(form),
    }
    status = 400 if form.is_bound else 200
    return render(request, "groups/evening.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@with_group
@only_editors
def delete_game(request: HttpRequest, access: Access[Group], number: int) -> HttpResponse:
    """Ask, then take one game out of the group."""
    if request.method == "POST":
        store.delete_game(access, number)
        return redirect("group", key=access.key)
    return render(request, "groups/delete_game.html", {"access": access, "number": number})


@require_http_methods(["GET", "HEAD", "POST"])
@with_group
@only_editors
@noted("groups")
def links(request: HttpRequest, access: Access[Group]) -> HttpResponse:
    """Show both links and the name; make new ones, or withdraw them."""
    wrong: dict[str, str] = {}
    if request.method == "POST":
        key = access.key
        match request.POST.get("do"):
            case "share":
                set_shared(access, True)
            case "unshare":
                set_shared(access, False)
            case "renew":
                key = renew_key(access)
            case "rename":
                form = GroupForm(request.POST)
                wrong = wrong_in(form)
                if not wrong:
                    store.rename(access, form.cleaned_data["name"])
            case _:
                return HttpResponseBadRequest("no such act")
        if not wrong:
            return redirect("group-links", key=key)

    def link(of: str) -> ShareLink:
        return share_link(request, reverse("group", args=(of,)))

    context = {
        "access": access,
        "wrong": wrong,
        "name": request.POST.get("name", access.thing.name),
        "edit_link": link(access.key),
        "show_link": link(access.share_key) if access.share_key else None,
    }
    return render(request, "groups/links.html", context, status=400 if wrong else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@with_group
@only_editors
def delete(request: HttpRequest, access: Access[Group]) -> HttpResponse:
    """Ask, then delete the group."""
    if request.method == "POST":
        store.delete(access)
        return redirect("group-deleted")
    return render(request, "groups/delete.html", {"access": access})


@require_safe
def deleted(request: HttpRequest) -> HttpResponse:
    """Say that it is gone."""
    return render(request, "groups/deleted.html")
