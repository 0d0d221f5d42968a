"""Acts at a table: place, roll, done, undo, propose. Each answers with the table as it stands."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.forms import Form
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest, JsonResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode

from sheets.rules import RuleViolation
from sheets.tables import doors, play, reading
from sheets.tables.doors import Door
from sheets.tables.family import Incomplete, Malformed, Show
from sheets.tables.forms import AnswerForm, PlayerForm, ProposalForm
from sheets.tables.games import family_of
from sheets.views.posted import posted_or_to
from sheets.views.table_door import token_of, with_table
from sheets.views.table_page import Refusal, seat_of, show, state_of, wants_json


@with_table
@posted_or_to("table")
def act(request: HttpRequest, door: Door) -> HttpResponse:
    """Do one thing in the game."""
    family = family_of(door.table)
    form = family.act_form(request.POST)
    if not form.is_valid() or form.action.player >= len(door.everybody):
        return HttpResponseBadRequest("malformed act")
    sent = form.cleaned_data
    try:
        meant = family.meant(door.table, reading.load(door).state, form.action)
    except Malformed:
        return HttpResponseBadRequest("no act of this game")
    except Incomplete as incomplete:
        return _answer(request, door, Refusal.by_table(incomplete.reason), 422)
    if isinstance(meant, Show):
        return redirect(f"{reverse('table', args=(door.table.code,))}?{urlencode(meant.query)}")
    return _carry_out(
        request,
        door,
        lambda: play.act(door, meant, moment=sent["moment"], request=sent["request"]),
    )


@with_table
@posted_or_to("table")
def done(request: HttpRequest, door: Door) -> HttpResponse:
    """Say that one is done with a mirrored pass, or not yet."""
    form = PlayerForm(request.POST)
    if not form.is_valid() or not form.cleaned_data["done"]:
        return HttpResponseBadRequest("malformed answer")
    sent = form.cleaned_data
    return _carry_out(
        request,
        door,
        lambda: play.set_done(
            door,
            sent["player"],
            sent["done"] == "yes",
            moment=sent["moment"],
            request=sent["request"],
        ),
    )


@with_table
@posted_or_to("table")
def undo(request: HttpRequest, door: Door) -> HttpResponse:
    """Take one's last act of this pass back."""
    form = PlayerForm(request.POST)
    return _with_form(
        request, door, form, lambda sent: play.undo(door, sent["player"], request=sent["request"])
    )


@with_table
@posted_or_to("table")
def propose(request: HttpRequest, door: Door) -> HttpResponse:
    """Propose to go back to before an entry of the log."""
    form = ProposalForm(request.POST)
    return _with_form(
        request,
        door,
        form,
        lambda sent: play.propose(door, sent["player"], sent["to"], request=sent["request"]),
    )


@with_table
@posted_or_to("table")
def answer(request: HttpRequest, door: Door) -> HttpResponse:
    """Agree to a proposal or refuse it; the host, after a minute, decides alone."""

    def decide(sent: dict[str, Any]) -> None:
        if sent["answer"] == "alone":
            play.decide_alone(door, request=sent["request"])
        else:
            play.answer(door, sent["answer"] == "yes", request=sent["request"])

    return _with_form(request, door, AnswerForm(request.POST), decide)


@with_table
@posted_or_to("table")
def stand_in(request: HttpRequest, door: Door) -> HttpResponse:
    """The host lets a bot decide for somebody who is away."""
    form = PlayerForm(request.POST)
    return _with_form(
        request,
        door,
        form,
        lambda sent: play.stand_in(door, sent["player"], request=sent["request"]),
    )


def _with_form(
    request: HttpRequest, door: Door, form: Form, change: Callable[[dict[str, Any]], None]
) -> HttpResponse:
    if not form.is_valid():
        return HttpResponseBadRequest("malformed act")
    return _carry_out(request, door, lambda: change(form.cleaned_data))


def _carry_out(request: HttpRequest, door: Door, change: Callable[[], None]) -> HttpResponse:
    """Carry out an act; answer with the state for a script, with a redirect for a form."""
    refusal, status = None, 200
    try:
        change()
    except RuleViolation as violation:
        why = family_of(door.table).explain(violation, doors.names_of(door))
        refusal, status = Refusal.by_rule(why), 422
    except doors.Stale:
        refusal, status = Refusal.by_table("stale"), 409
    except doors.Refused as refused:
        refusal, status = Refusal.by_table(refused.reason), 409
    return _answer(request, door, refusal, status)


def _answer(request: HttpRequest, door: Door, refusal: Refusal | None, status: int) -> HttpResponse:
    """The table as it stands, and why nothing has changed."""
    fresh = doors.open_door(door.table.code, token_of(request))
    if wants_json(request):
        state = state_of(request, fresh)
        if refusal:
            state["refusal"] = refusal._asdict()
        return JsonResponse(state, status=status)
    if refusal:
        return show(request, fresh, refusal=refusal, status=status)
    seat = seat_of(request)
    url = reverse("table", args=(door.table.code,))
    return redirect(url if seat is None else f"{url}?seat={seat}")
