"""Seats of a table: take, rename, free, bots, host, personal link, start."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from sheets.access.devices import set_token_cookie, token_for, token_of
from sheets.http.post_redirect import posted_or_to
from sheets.http.rate_limits import SEAT_CLAIMS, address_of
from sheets.http.share_link import share_link
from sheets.tables import acts, claims, seating
from sheets.tables.access import Refused, TableAccess, find_access
from sheets.tables.family import Page, family_of
from sheets.tables.forms import (
    ClaimAnswerForm,
    HintsForm,
    NameForm,
    OrderForm,
    PauseForm,
    SeatForm,
    StarterForm,
)
from sheets.tables.page_state import is_running
from sheets.tables.views.access import with_table
from sheets.tables.views.page import (
    context_of,
    news,
    show,
    stage_of,
    state_of_page,
    way_back,
    way_in,
)
from sheets.text.form_errors import first_errors
from sheets.text.player_names import player_name


@require_safe
@with_table
def seats(request: HttpRequest, access: TableAccess) -> HttpResponse:
    """Show the seats of a running game and the changes that the device may make."""
    if not access.table.has_started:
        return redirect("table", access.table.code)
    if fragments := news(
        request, access, lambda: state_of_page(request, access, _seats_page(request, access))
    ):
        return fragments
    page = _seats_page(request, access)
    return render(request, page.template, context_of(request, access, page))


def _seats_page(request: HttpRequest, access: TableAccess) -> Page:
    context = {
        "view": family_of(access.table).view(access),
        "can_bot_play_on": access.takes_bots and is_running(access),
        **way_in(request, access),
    }
    parts = ("table/_hurry.html", "table/_claim.html", "table/_seats.html")
    return Page("table/seats.html", parts, context, "seats")


@with_table
@posted_or_to("table")
def sit(request: HttpRequest, access: TableAccess) -> HttpResponse:
    """Take a free seat under a name."""
    form, seat = NameForm(request.POST), SeatForm(request.POST)
    if not seat.is_valid():
        return HttpResponseBadRequest("malformed seat")
    number = seat.cleaned_data["number"]
    if not form.is_valid():
        return show(
            request, access, wrong={f"name-{number}": first_errors(form)["name"]}, status=400
        )
    kept = access.all_seats[number].name if number < len(access.all_seats) else ""
    name = player_name(form.cleaned_data["name"] or kept, number + 1)
    token = token_for(request)
    response = _seating(request, access, lambda: seating.take_seat(access, number, name, token))
    return set_token_cookie(response, token) if response.status_code == 302 else response


@with_table
@posted_or_to("table")
def claim(request: HttpRequest, access: TableAccess) -> HttpResponse:
    """Claim a taken seat for its player, whose device no longer holds it."""
    form = SeatForm(request.POST)
    if not form.is_valid():
        return HttpResponseBadRequest("malformed seat")
    if not SEAT_CLAIMS.hit(address_of(request)):
        return show(request, access, refused="too-many-claims", status=429)
    number, token = form.cleaned_data["number"], token_for(request)
    response = _seating(request, access, lambda: claims.claim(access, number, token))
    return set_token_cookie(response, token) if response.status_code == 302 else response


@with_table
@posted_or_to("table")
def answer_claim(request: HttpRequest, access: TableAccess) -> HttpResponse:
    """Confirm or refuse a claim to a seat.

    The claimant may withdraw it, or take the seat if no player answers in time.
    """
    form = ClaimAnswerForm(request.POST)
    if not form.is_valid():
        return HttpResponseBadRequest("malformed answer")
    sent = form.cleaned_data
    decide = claims.confirm if sent["answer"] == "yes" else claims.refuse
    return _seating(request, access, lambda: decide(access, sent["number"], sent["stamp"]))


@with_table
@posted_or_to("table")
def rename(request: HttpRequest, access: TableAccess) -> HttpResponse:
    """Rename the player of a seat of this device."""
    form, seat = NameForm(request.POST), SeatForm(request.POST)
    if not seat.is_valid():
        return HttpResponseBadRequest("malformed seat")
    number = seat.cleaned_data["number"]
    if not form.is_valid():
        return show(
            request, access, wrong={f"name-{number}": first_errors(form)["name"]}, status=400
        )
    name = player_name(form.cleaned_data["name"], number + 1)
    return _seating(request, access, lambda: seating.rename(access, number, name))


@with_table
@posted_or_to("table", without="number")
def order(request: HttpRequest, access: TableAccess, number: int) -> HttpResponse:
    """Move a seat up or down before the game; redirect to its new position on the page."""
    form = OrderForm(request.POST)
    if not form.is_valid():
        return HttpResponseBadRequest("malformed order")
    sent, code = form.cleaned_data, access.table.code
    try:
        number = seating.move_in_order(access, number, sent["step"], sent["starter"])
    except ValueError:
        return HttpResponseBadRequest("no such seat")
    except Refused as refused:
        return show(request, access, refused=refused.reason, status=409)
    return redirect(f"{reverse('table', args=(code,))}#seat-{number}")


@with_table
@posted_or_to("table")
def free(request: HttpRequest, access: TableAccess) -> HttpResponse:
    """Free a seat: players may free their own, the host any.

    In a running game, another player's seat needs a finished countdown.
    """
    form = SeatForm(request.POST)
    if not form.is_valid():
        return HttpResponseBadRequest("malformed seat")
    return _seating(request, access, lambda: seating.free_seat(access, form.cleaned_data["number"]))


@with_table
@posted_or_to("table")
def bot(request: HttpRequest, access: TableAccess) -> HttpResponse:
    """Seat a bot; in a running game it replaces a player who leaves."""
    form = SeatForm(request.POST)
    if not form.is_valid():
        return HttpResponseBadRequest("malformed seat")
    sent = form.cleaned_data
    seat_bot = seating.let_bot_play_on if access.table.has_started else seating.seat_bot
    try:
        return _seating(request, access, lambda: seat_bot(access, sent["number"], sent["bot"]))
    except ValueError:
        return HttpResponseBadRequest("no such bot")


@require_http_methods(["GET", "HEAD", "POST"])
@with_table
def pause(request: HttpRequest, access: TableAccess) -> HttpResponse:
    """Explain how to continue another day; on POST, pause or resume the game."""
    if request.method != "POST":
        if stage_of(access) != "play":
            return redirect("table", access.table.code)
        page = Page("table/pause.html", (), way_in(request, access), "pause")
        return render(request, page.template, context_of(request, access, page))
    form = PauseForm(request.POST)
    if not form.is_valid():
        return HttpResponseBadRequest("malformed choice")
    player, is_paused = min(access.seats, default=-1), form.cleaned_data["pause"] == "yes"
    return _seating(request, access, lambda: acts.pause(access, player, is_paused))


@with_table
@posted_or_to("table")
def hints(request: HttpRequest, access: TableAccess) -> HttpResponse:
    """Set whether players may ask for hints."""
    form = HintsForm(request.POST)
    if not form.is_valid():
        return HttpResponseBadRequest("malformed choice")
    allows = form.cleaned_data["allow"] == "yes"
    return _seating(request, access, lambda: seating.allow_hints(access, allows))


@with_table
@posted_or_to("table")
def host(request: HttpRequest, access: TableAccess) -> HttpResponse:
    """Hand the role of host to another player, or take it with a seat of this device."""
    form = SeatForm(request.POST)
    if not form.is_valid():
        return HttpResponseBadRequest("malformed seat")
    number = form.cleaned_data["number"]
    change = acts.become_host if number in access.seats else acts.hand_over_host
    return _seating(request, access, lambda: change(access, number, request=""))


@with_table
@posted_or_to("table")
def start(request: HttpRequest, access: TableAccess) -> HttpResponse:
    """Start the game."""
    form = StarterForm(request.POST)
    if not form.is_valid():
        return HttpResponseBadRequest("malformed start")
    return _seating(request, access, lambda: acts.start(access, form.cleaned_data["starter"]))


@with_table
@posted_or_to("table")
def link(request: HttpRequest, access: TableAccess) -> HttpResponse:
    """Create and show a new personal link for a seat of this device; the previous one expires.

    Only this answer contains the link: the database stores only its digest.
    """
    form = SeatForm(request.POST)
    if not form.is_valid():
        return HttpResponseBadRequest("malformed seat")
    number = form.cleaned_data["number"]
    key = seating.new_rescue_key(access, number)
    link = share_link(request, reverse("table-move", args=(access.table.code, key)))
    context = {"access": access, "link": link, "seat": access.all_seats[number]}
    return render(request, "table/link.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@with_table
def move(request: HttpRequest, access: TableAccess, key: str) -> HttpResponse:
    """Show a confirmation; on POST, move a seat to this device by its personal link."""
    token = token_for(request)
    try:
        if request.method != "POST":
            context = {"access": access, "seat": seating.seat_of_link(access, key)}
            return render(request, "table/move.html", context)
        number = seating.move_seat(access.table.code, key, token)
    except seating.SeatTaken:
        return render(request, "table/move.html", {"access": access, "is_void": True}, status=404)
    url = reverse("table", args=(access.table.code,))
    return set_token_cookie(redirect(f"{url}?seat={number}"), token)


def _seating(
    request: HttpRequest, access: TableAccess, change: Callable[[], object]
) -> HttpResponse:
    """Carry out a change of seats and redirect to the page that sent it; 409 if it is refused."""
    code = access.table.code
    try:
        change()
    except seating.SeatTaken:
        return show(request, find_access(code, token_of(request)), refused="seat-taken", status=409)
    except Refused as refused:
        access = find_access(code, token_of(request))
        return show(request, access, refused=refused.reason, status=409)
    return redirect(way_back(request, code))
