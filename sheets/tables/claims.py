"""Claims to a lost seat: a visitor says “I am Ben”, and a seated player confirms it.

A device loses its seat when its site data are cleared, or when the player comes back with another
browser or under another address of the site. A claim changes nothing until a player at the
table answers it. If no other device has a seat there, the holder of the seat gets some time to
answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

from django.db import transaction
from django.utils import timezone

from sheets.access.keys import digest
from sheets.live import bus
from sheets.models import Seat, Table
from sheets.names.confusables import distinct_name
from sheets.tables.access import NotYours, Refused, TableAccess
from sheets.tables.event_loader import load
from sheets.tables.event_log import GameState, Loaded
from sheets.tables.event_writer import NewEntry, append, changing

CLAIM_TIMEOUT: Final = timedelta(minutes=1)
"""How long a claim must wait for an answer at a table where no other device has a seat."""


UNCLAIMED: Final[Mapping[str, Any]] = {"claim_digest": "", "claimed": None}
"""Field values of a seat without a claim; set whenever another device or a bot gets the seat."""

WITHOUT_DEVICE: Final[Mapping[str, Any]] = {
    **{"token_digest": "", "rescue_digest": "", "contribution": ""},
    **UNCLAIMED,
}
"""Field values of a seat that no device holds; its name and its bot, if any, stay."""

FREE: Final[Mapping[str, Any]] = {**WITHOUT_DEVICE, "bot": "", "left_name": ""}
"""Field values of a free seat: the name stays, and nothing else."""


def name_at(table: Table, number: int, name: str) -> str:
    """Return a player's name for a seat, made different from all others at the table.

    Names left on free seats do not count before the game begins. Must run in a
    transaction that locks the table.
    """
    others = Seat.objects.filter(table=table).exclude(number=number)
    if not Table.objects.filter(pk=table.pk, has_started=True).exists():
        others = others.exclude(token_digest="", bot="")
    return distinct_name(name, others.values_list("name", flat=True))


class Claim(NamedTuple):
    """A claim as a device sees it.

    ``number`` is the seat, ``name`` the player who had it. ``stamp`` identifies the claim. ``left``
    is the number of seconds after which the claimant may sit down without an answer; None if a
    player has to answer.
    """

    number: int
    name: str
    stamp: str
    left: int | None


def claim(access: TableAccess, number: int, token: str) -> None:
    """Claim a taken seat for a device; this replaces the device's earlier claim.

    A device with a seat keeps it instead: its earlier claim was confirmed before a second tap.

    Raises:
        Refused: the seat can be taken without a claim.
    """
    if access.seats:
        return
    if number not in {seat.number for seat in access.claimable}:
        raise Refused("seat-is-free")
    fresh = {"claim_digest": digest(token), "claimed": timezone.now()}
    with changing(access.table):
        of_device = Seat.objects.filter(table=access.table, claim_digest=digest(token))
        of_device.update(**UNCLAIMED)
        Seat.objects.filter(table=access.table, number=number).update(**fresh)


def confirm(access: TableAccess, number: int, stamp: str) -> None:
    """Give a seat to the device that claims it; the device or bot that held the seat loses it.

    After the end of the game, the result of a bot stays the bot's.

    Args:
        access: the access of the device that confirms: a seated player's device, or after
            `CLAIM_TIMEOUT` the claimant's own.
        number: number of the seat.
        stamp: `Claim.stamp` as the page showed it; a claim that has been replaced is refused.

    Raises:
        NotYours, Refused: nothing has changed.
    """
    if not (access.seats or number in access.claims):
        raise NotYours
    seat = _claimed_seat(access, number, stamp)
    if not access.seats and _seconds_left(access, seat) != 0:
        raise Refused("claim-waits")
    moved: dict[str, Any] = {"do": "move", "player": number}
    if access.seats:
        moved["by"] = min(access.seats)
    held = {**WITHOUT_DEVICE, "token_digest": seat.claim_digest}

    def decide(_access: TableAccess, _loaded: Loaded[GameState]) -> list[NewEntry]:
        return [NewEntry(moved, min(access.seats, default=number))]

    with transaction.atomic():
        access = append(access, "", decide, in_lobby=True)
        if seat.left_name and not load(access).state.game.is_finished:
            name = name_at(access.table, number, seat.left_name)
            held |= {"bot": "", "left_name": "", "name": name}
        claimed = Seat.objects.filter(pk=seat.pk, claimed=seat.claimed)
        if not claimed.update(**held):
            raise Refused("nothing-claimed")
    bus.revoke(access.table.code, seat.token_digest)


def refuse(access: TableAccess, number: int, stamp: str) -> None:
    """Remove a claim, for a player who refuses or a claimant who withdraws.

    Raises NotYours, Refused.
    """
    if not (access.seats or number in access.claims):
        raise NotYours
    seat = _claimed_seat(access, number, stamp)
    with changing(access.table):
        Seat.objects.filter(pk=seat.pk, claimed=seat.claimed).update(**UNCLAIMED)


def claims_at(access: TableAccess) -> list[Claim]:
    """Return the claims that a device sees: all of them if it holds a seat, else its own."""
    return [
        Claim(
            seat.number,
            seat.left_name or str(seat),
            _stamp(seat.claimed),
            _seconds_left(access, seat),
        )
        for seat in access.all_seats
        if seat.claimed and (access.seats or seat.number in access.claims)
    ]


def _claimed_seat(access: TableAccess, number: int, stamp: str) -> Seat:
    """Return the seat of a claim. Raises Refused if the claim has been replaced or settled."""
    for seat in access.all_seats:
        if seat.number == number and seat.claimed and _stamp(seat.claimed) == stamp:
            return seat
    raise Refused("nothing-claimed")


def _seconds_left(access: TableAccess, seat: Seat) -> int | None:
    """Return the seconds until the claimant may sit down without an answer.

    None if there is no claim, or if a device other than the seat's holder has to answer.
    """
    others = {
        one.token_digest
        for one in access.all_seats
        if one.token_digest and one.number != seat.number
    }
    if seat.claimed is None or others - {seat.token_digest}:
        return None
    return seconds_until(seat.claimed + CLAIM_TIMEOUT)


def seconds_until(moment: datetime) -> int:
    """Return the whole seconds until a moment, rounded up; 0 once it is over."""
    left = moment - timezone.now()
    return max(0, -(-left // timedelta(seconds=1)))


def _stamp(moment: datetime) -> str:
    """Return the time of a claim in microseconds, which identifies the claim."""
    return str(round(moment.timestamp() * 1e6))
