"""Countdowns for players who do not react, and what each device sees of them.

The host may act for players who have left. Before the host acts for players who are present but do
nothing, frees their seat, or carries out a proposal that they have not answered, the host starts a
countdown. The players see it, and any touch of their phone ends it. If the host does not react, any
other player may start a countdown and then become host.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Final, NamedTuple

from django.utils import timezone
from django.utils.translation import gettext as _

from sheets.models import Seat
from sheets.tables.access import TableAccess
from sheets.tables.claims import Claim, claims_at, seconds_until
from sheets.tables.event_log import G, LogState
from sheets.tables.family import family_of
from sheets.text.player_names import join_names

COUNTDOWN: Final = timedelta(seconds=20)
"""How long a countdown runs."""

HOST_SILENCE: Final = timedelta(minutes=1)
"""How long the host must have done nothing before another player may start a countdown."""


def away(access: TableAccess, state: LogState[G]) -> frozenset[int]:
    """Return the seats for which this device may decide now; none unless it is the host's.

    These are the unattended seats, and the seats of players who have not reacted to a countdown
    until its end.
    """
    if not access.is_host:
        return frozenset()
    countdown = state.countdown
    if (
        not countdown
        or countdown.host
        or countdown.proposal is not None
        or _seconds_left(access, state)
    ):
        return access.unattended
    return access.unattended | countdown.players


def unanswering(access: TableAccess, state: LogState[G]) -> frozenset[int]:
    """Return the seats on other devices that have not agreed to the open proposal, if any."""
    asked = state.proposal
    return access.people - access.seats - asked.agreed if asked else frozenset()


def is_left_to_the_host(access: TableAccess, state: LogState[G]) -> bool:
    """Return whether this device is the host's and may carry out the open proposal alone.

    A countdown for answers to it must be over, and all players without an answer must have been
    counted down without a reaction.
    """
    countdown, asked = state.countdown, state.proposal
    if not access.is_host or not countdown or not asked or countdown.proposal != asked.number:
        return False
    return unanswering(access, state) <= countdown.players and not _seconds_left(access, state)


def may_become_host(access: TableAccess, state: LogState[G], player: int) -> bool:
    """Return whether a player may become host now, without asking other players.

    They may if they have been host before, if the host's seat is free, or if the host has not
    reacted until the end of a countdown.
    """
    if player in state.former_hosts or not access.host_seats:
        return True
    countdown = state.countdown
    if not countdown or not countdown.host or _seconds_left(access, state):
        return False
    later = access.table.entries.filter(number__gt=countdown.number)
    return not later.filter(seat__in=access.host_seats).exists()


def host_quiet_for(access: TableAccess) -> timedelta:
    """Return the time since the host last did something at the table.

    If the host has done nothing yet, return the time since the first entry of the log, or since the
    seats last changed.
    """
    entries = access.table.entries
    last = entries.filter(seat__in=access.host_seats).last() or entries.first()
    return timezone.now() - (last.made if last else access.table.touched)


def silent(access: TableAccess, state: LogState[G]) -> frozenset[int]:
    """Return the seats, held by other devices, for whose acts the game waits."""
    return frozenset(family_of(access.table).awaited(state)) & access.people - access.seats


def _seconds_left(access: TableAccess, state: LogState[G]) -> int:
    """Return the seconds left of the countdown; 0 if it is over or there is none."""
    if not state.countdown:
        return 0
    made = access.table.entries.get(number=state.countdown.number).made
    return seconds_until(made + COUNTDOWN)


class AbsentPlayer(NamedTuple):
    """A player for whom the host may decide; ``what`` is a sentence that says the decision."""

    player: int
    name: str
    what: str


class PresenceView(NamedTuple):
    """Countdowns and absent players as a device sees them.

    Attributes:
        absent: the players for whom the host may decide.
        waits_for: names of the players for whom the host may count down; empty for none.
        counts: names of the players for whom a countdown runs or is over; empty for none.
        left: seconds left of the countdown; 0 if it is over or there is none.
        is_counted: whether the countdown is for a player on this device.
        for_answer: whether the countdown is for answers to a proposal.
        silent: seats whose players have not reacted until the end of the countdown.
        by: name of the player who started the countdown to become host; empty for other countdowns.
        heir: the seat of this device that may become host now; None for none.
        asks_for_host: the seat of this device that may count down for the host; None for none.
        claims: claims to lost seats that the device sees.
        leavers: the seats of ``absent`` players for whom a bot may play on.
    """

    absent: list[AbsentPlayer]
    waits_for: str
    counts: str
    left: int
    is_counted: bool
    for_answer: bool
    silent: frozenset[int]
    by: str = ""
    heir: int | None = None
    asks_for_host: int | None = None
    claims: tuple[Claim, ...] = ()
    leavers: tuple[Seat, ...] = ()


def view_presence(access: TableAccess, state: LogState[G], what: str) -> PresenceView:
    """Return the countdowns and absent players as a device sees them.

    ``what`` is the kind of act that the game waits for, as in `Pending`.
    """
    names = [str(seat) for seat in access.all_seats]
    counted = state.countdown.players & access.people if state.countdown else frozenset()
    awaited = family_of(access.table).awaited(state)
    gone = away(access, state)
    still = silent(access, state) - counted if access.is_host else frozenset()
    others = [] if access.is_host else sorted(access.seats)
    heir = next((one for one in others if may_become_host(access, state, one)), None)
    return PresenceView(
        [
            AbsentPlayer(one, names[one], _host_decision(what) % {"who": names[one]})
            for one in awaited
            if one in gone
        ],
        join_names([names[one] for one in sorted(still)]),
        join_names([names[one] for one in sorted(counted)]),
        _seconds_left(access, state) if counted else 0,
        bool(counted & access.seats),
        bool(state.countdown and state.countdown.proposal is not None),
        gone & access.people,
        names[state.countdown.by] if state.countdown and state.countdown.host else "",
        heir,
        others[0] if others and heir is None and not counted else None,
        tuple(claims_at(access)),
        tuple(s for s in access.all_seats if s.number in gone & set(awaited) and not s.bot),
    )


def _host_decision(what: str) -> str:
    """Return the host's decision as a sentence with ``%(who)s``; ``what`` as in `Pending`."""
    return {
        "dice": _("The pass ends, with the dice of %(who)s as they lie."),
        "roll": _("You roll the dice for %(who)s."),
        "erupt": _("You roll for the volcano for %(who)s."),
        "place": _("A bot places a die for %(who)s."),
        "reroll": _("%(who)s drops out of this pass: nothing fits."),
        "return": _("A bot puts a die of %(who)s back."),
        "lava": _("A bot chooses a field for the lava of %(who)s."),
        "rocket": _("A bot chooses a planet for %(who)s."),
        "track": _("A bot draws a track for %(who)s."),
    }[what]
