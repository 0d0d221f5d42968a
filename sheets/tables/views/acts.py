"""Acts at a table: place, roll, done, undo, propose. Each returns the table's current state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.forms import Form
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode

from sheets.access.devices import token_of
from sheets.http.fragments import is_from_script
from sheets.http.post_redirect import posted_or_to
from sheets.http.rate_limits import HINTS, address_of
from sheets.rules import RuleViolation
from sheets.tables import acts, event_loader
from sheets.tables.access import HostOnly, NotYours, Refused, Stale, TableAccess, find_access
from sheets.tables.family import Incomplete, Malformed, Show, family_of
from sheets.tables.forms import AnswerForm, CountdownForm, PlayerForm, ProposalForm
from sheets.tables.views.access import with_table
from sheets.tables.views.page import Refusal, seat_of, show, state_of, way_back
from sheets.text.form_errors import first_errors


@with_table
@posted_or_to("table")
def act(request: HttpRequest, access: TableAccess) -> HttpResponse:
    """Carry out one act of the game, such as placing a die."""
    family = family_of(access.table)
    form = family.act_form(request.POST)
    if form.errors.keys() == {"dice"} and not is_from_script(request):
        return show(request, access, wrong=first_errors(form), status=400)
    if not form.is_valid() or form.action.player >= len(access.all_seats):
        return HttpResponseBadRequest("malformed act")
    sent = form.cleaned_data
    try:
        meant = family.interpret(access.table, event_loader.load(access).state, form.action)
    except Malformed:
        return HttpResponseBadRequest("no act of this game")
    except Incomplete as incomplete:
        return _answer(request, access, Refusal.by_table(incomplete.reason), 422)
    if isinstance(meant, Show):
        return redirect(f"{reverse('table', args=(access.table.code,))}?{urlencode(meant.query)}")
    return _carry_out(
        request,
        access,
        lambda: acts.act(access, meant, moment=sent["moment"], request=sent["request"]),
    )


@with_table
@posted_or_to("table")
def done(request: HttpRequest, access: TableAccess) -> HttpResponse:
    """Set whether a player has finished a mirrored pass, or set that all players have."""
    form = PlayerForm(request.POST)
    if not form.is_valid() or not form.cleaned_data["done"]:
        return HttpResponseBadRequest("malformed answer")
    sent = form.cleaned_data
    return _carry_out(
        request,
        access,
        lambda: acts.set_done(
            access,
            sent["player"],
            sent["done"] != "no",
            moment=sent["moment"],
            request=sent["request"],
            for_all=sent["done"] == "all",
        ),
    )


@with_table
@posted_or_to("table")
def undo(request: HttpRequest, access: TableAccess) -> HttpResponse:
    """Undo a player's last act of this pass."""
    form = PlayerForm(request.POST)
    return _with_form(
        request,
        access,
        form,
        lambda sent: acts.undo(
            access, sent["player"], entry=sent["entry"], of=sent["of"], request=sent["request"]
        ),
    )


@with_table
@posted_or_to("table")
def propose(request: HttpRequest, access: TableAccess) -> HttpResponse:
    """Propose to go back to before an entry of the log, or forward again."""

    def change(sent: dict[str, Any]) -> TableAccess:
        propose = acts.propose_forward if sent["forward"] else acts.propose
        return propose(access, sent["player"], sent["to"], request=sent["request"])

    return _with_form(request, access, ProposalForm(request.POST), change)


@with_table
@posted_or_to("table")
def answer(request: HttpRequest, access: TableAccess) -> HttpResponse:
    """Agree to a proposal or refuse it; after a countdown the host may carry it out alone."""

    def decide(sent: dict[str, Any]) -> TableAccess:
        named = {"proposal": sent["proposal"], "request": sent["request"]}
        if sent["answer"] == "alone":
            return acts.decide_alone(access, **named)
        return acts.answer(access, sent["answer"] == "yes", **named)

    return _with_form(request, access, AnswerForm(request.POST), decide)


@with_table
@posted_or_to("table")
def countdown(request: HttpRequest, access: TableAccess) -> HttpResponse:
    """Start a countdown for inactive players or for the host; a player who is present stops it."""
    form = CountdownForm(request.POST)

    def change(sent: dict[str, Any]) -> TableAccess:
        if sent["is_here"]:
            return acts.mark_present(access, request=sent["request"])
        if sent["for_host"]:
            return acts.start_host_countdown(access, sent["number"], request=sent["request"])
        return acts.start_countdown(
            access,
            moment=sent["moment"],
            frees=sent["number"],
            proposal=sent["proposal"],
            request=sent["request"],
        )

    return _with_form(request, access, form, change)


@with_table
@posted_or_to("table")
def stand_in(request: HttpRequest, access: TableAccess) -> HttpResponse:
    """Let a bot decide for an absent player; only the host may do that."""
    return _at_moment(request, access, acts.stand_in)


@with_table
@posted_or_to("table")
def ask_hint(request: HttpRequest, access: TableAccess) -> HttpResponse:
    """Request a hint: what a hard bot would do."""
    if not HINTS.hit(address_of(request)):
        return _answer(request, access, Refusal.by_table("too-often"), 429)
    return _at_moment(request, access, acts.ask_hint)


def _at_moment(
    request: HttpRequest, access: TableAccess, change: Callable[..., TableAccess]
) -> HttpResponse:
    """Carry out a change for a player if the game is still at the moment that the page showed."""

    def carry_out(sent: dict[str, Any]) -> TableAccess:
        return change(access, sent["player"], moment=sent["moment"], request=sent["request"])

    return _with_form(request, access, PlayerForm(request.POST), carry_out)


def _with_form(
    request: HttpRequest,
    access: TableAccess,
    form: Form,
    change: Callable[[dict[str, Any]], TableAccess],
) -> HttpResponse:
    if not form.is_valid():
        return HttpResponseBadRequest("malformed act")
    return _carry_out(request, access, lambda: change(form.cleaned_data))


def _carry_out(
    request: HttpRequest, access: TableAccess, change: Callable[[], TableAccess]
) -> HttpResponse:
    """Carry out an act; return the state to a script, and a redirect to a form.

    A refusal has status 422 if a rule of the game forbids the act, 403 if the act needs a seat of
    another device, else 409.
    """
    try:
        changed = change()
    except RuleViolation as violation:
        why = family_of(access.table).explain(violation, access.names)
        refusal, status = Refusal.by_rule(why), 422
    except Stale:
        refusal, status = Refusal.by_table("stale"), 409
    except NotYours as lost:
        if not is_from_script(request):
            raise
        reason = "host-only" if isinstance(lost, HostOnly) else "not-yours"
        refusal, status = Refusal.by_table(reason), 403
    except Refused as refused:
        refusal, status = Refusal.by_table(refused.reason), 409
    else:
        return _answer(request, changed, None, 200)
    # The log may have grown since ``access`` was read.
    fresh = find_access(access.table.code, token_of(request))
    return _answer(request, fresh, refusal, status)


def _answer(
    request: HttpRequest, access: TableAccess, refusal: Refusal | None, status: int
) -> HttpResponse:
    """Return the table's current state, and why an act was refused, if it was."""
    if is_from_script(request):
        more = {"refusal": refusal._asdict()} if refusal else {}
        return HttpResponse(state_of(request, access).as_html(**more), status=status)
    if refusal:
        return show(request, access, refusal=refusal, status=status)
    seat = seat_of(request)
    url = way_back(request, access.table.code)
    return redirect(url if seat is None else f"{url}?seat={seat}")
