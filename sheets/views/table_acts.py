"""Acts at a table: place, roll, done, undo, propose. Each answers with the table as it stands."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.forms import Form
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest, JsonResponse
from django.shortcuts import redirect
from django.urls import reverse

from sheets.rules import Action, RuleViolation
from sheets.rules.dice2 import KINDS
from sheets.tables import doors, play, playing, reading
from sheets.tables.doors import Door
from sheets.tables.forms import SQUARED_ACTS, ActForm, AnswerForm, PlayerForm, ProposalForm
from sheets.tables.log import LogState
from sheets.views.posted import posted_or_to
from sheets.views.table_door import token_of, with_table
from sheets.views.table_page import Refusal, seat_of, show, state_of, wants_json


@with_table
@posted_or_to("table")
def act(request: HttpRequest, door: Door) -> HttpResponse:
    """Do one thing in the game."""
    if door.table.game and request.POST.get("die") == "why":
        return _explain(request, door)
    form = ActForm(request.POST)
    if not form.is_valid() or form.action.player >= len(door.everybody):
        return HttpResponseBadRequest("malformed act")
    sent, action = form.cleaned_data, form.action
    if not _is_known(door, action):
        return HttpResponseBadRequest("no act of this game")
    if _lacks_number(door, action):
        return _answer(request, door, Refusal.by_table("no-number"), 422)
    if action.do == "erupt" and not action.die and door.table.dice != playing.ROLLED:
        return HttpResponseBadRequest("no die")
    if action.do == "tap":
        action = _meant(reading.load(door).state, action)
        if action.do == "track":
            url = reverse("table", args=(door.table.code,))
            return redirect(f"{url}?seat={action.player}&at={action.at}")
    return _carry_out(
        request,
        door,
        lambda: play.act(door, action, moment=sent["moment"], request=sent["request"]),
    )


def _is_known(door: Door, action: Action) -> bool:
    """Whether the game at the table has such an act, for so many players."""
    if not door.table.game:
        return action.do not in ("skip", "begin")
    counts = KINDS[action.shape].player_counts if action.do == "begin" else ()
    return action.do in SQUARED_ACTS and (not counts or len(door.everybody) in counts)


def _lacks_number(door: Door, action: Action) -> bool:
    """Whether somebody tapped a field before the number they have thrown."""
    throws = door.table.game and door.table.dice != playing.ROLLED
    return bool(throws and action.do != "begin" and not action.die)


def _explain(request: HttpRequest, door: Door) -> HttpResponse:
    """Without script, asking about a field is a tap like any other: lead to the answer."""
    url = reverse("table", args=(door.table.code,))
    at = request.POST.get("at", "")
    return redirect(f"{url}?why={at}" if at.isalnum() and len(at) == 2 else url)


def _meant(state: LogState, tap: Action) -> Action:
    """What tapping a field of one's own sheet means at the moment."""
    game, player = state.game, tap.player
    owed = next((owed.do for owed in game.pending() if owed.player == player), "")
    if game.phase == "open":
        lying = game.level.mask([tap.at]) if tap.at in game.level.index else 0
        return tap._replace(do="return" if game.sheets[player].dice & lying else "place")
    if game.phase == "return" and game.player == player:
        return tap._replace(do="return")
    return tap._replace(do=owed or "place")


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
        by_rule = Refusal.by_dice2_rule if door.table.game else Refusal.by_rule
        refusal, status = by_rule(violation, doors.names_of(door)), 422
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
