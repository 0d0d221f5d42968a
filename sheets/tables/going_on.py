"""For whom may the host go on, and what does a device see of that?

For whoever has left; and for who is there but does nothing, after a countdown that they see and
that ends as soon as they touch anything. The same holds before their seat can be freed, and
before a proposal is carried out that they have not answered.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Final, NamedTuple

from django.utils import timezone
from django.utils.translation import gettext as _

from sheets.tables.access import TableAccess
from sheets.tables.log import G, LogState
from sheets.tables.playing import Playing
from sheets.texts.players import join_names

COUNTDOWN: Final = timedelta(seconds=20)


def away(access: TableAccess, state: LogState[G]) -> frozenset[int]:
    """The seats for which the host may decide now: those nobody holds, and silent ones."""
    if not access.is_host:
        return frozenset()
    if not state.countdown or state.countdown.proposal is not None or _left(access, state):
        return access.free
    return access.free | state.countdown.players


def unanswering(access: TableAccess, state: LogState[G]) -> frozenset[int]:
    """Those on other devices who have not answered the proposal that waits."""
    asked = state.proposal
    return access.people - access.seats - asked.agreed if asked else frozenset()


def is_left_to_the_host(access: TableAccess, state: LogState[G]) -> bool:
    """Whether all who have not answered have shown no sign until the end of a countdown for it."""
    countdown, asked = state.countdown, state.proposal
    if not access.is_host or not countdown or not asked or countdown.proposal != asked.number:
        return False
    return unanswering(access, state) <= countdown.players and not _left(access, state)


def silent(access: TableAccess, playing: Playing[G], state: LogState[G]) -> frozenset[int]:
    """Those on other devices who are awaited and could still act."""
    return frozenset(playing.awaited(state)) & access.people - access.seats


def _left(access: TableAccess, state: LogState[G]) -> int:
    """How many seconds are left of the countdown, 0 where it is over or there is none."""
    if not state.countdown:
        return 0
    made = access.table.entries.get(number=state.countdown.number).made
    left = made + COUNTDOWN - timezone.now()
    return max(0, -(-left // timedelta(seconds=1)))


class Standing(NamedTuple):
    """Somebody for whom the host may decide, and what would be done, in a sentence."""

    player: int
    name: str
    what: str


class GoingOn(NamedTuple):
    """What a device sees.

    ``absent`` are those the host may decide for; ``waits_for`` the names of those for whom they
    may count down, and ``counts`` of those for whom they do; both empty for nobody. ``left`` are
    the seconds of it, ``is_counted`` says that it is for somebody here, ``for_answer`` that it is
    about a proposal. ``silent`` are the seats whose people have shown no sign until its end.
    """

    absent: list[Standing]
    waits_for: str
    counts: str
    left: int
    is_counted: bool
    for_answer: bool
    silent: frozenset[int]


def see_going_on(
    access: TableAccess, playing: Playing[G], state: LogState[G], what: str
) -> GoingOn:
    """What a device sees of it; ``what`` the game waits for, as in `Pending`."""
    names = [str(seat) for seat in access.everybody]
    counted = state.countdown.players & access.people if state.countdown else frozenset()
    awaited = playing.awaited(state)
    gone = away(access, state)
    still = silent(access, playing, state) - counted if access.is_host else frozenset()
    return GoingOn(
        [
            Standing(one, names[one], _would(what) % {"who": names[one]})
            for one in awaited
            if one in gone
        ],
        join_names([names[one] for one in sorted(still)]),
        join_names([names[one] for one in sorted(counted)]),
        _left(access, state) if counted else 0,
        bool(counted & access.seats),
        bool(state.countdown and state.countdown.proposal is not None),
        gone - access.free,
    )


def _would(what: str) -> str:
    """What the host would decide."""
    return {
        "dice": _("The pass ends, with the dice of %(who)s as they lie."),
        "roll": _("You roll the dice for %(who)s."),
        "erupt": _("You roll for the volcano for %(who)s."),
        "place": _("A bot places a die for %(who)s."),
        "reroll": _("%(who)s goes out of this pass: nothing fits."),
        "return": _("A bot puts a die of %(who)s back."),
        "lava": _("A bot chooses a field for the lava of %(who)s."),
        "rocket": _("A bot chooses a planet for %(who)s."),
        "track": _("A bot draws a track for %(who)s."),
    }[what]
