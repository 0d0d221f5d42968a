"""Access to a table: the seats a device holds, and the exceptions that refuse a request."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from django.db import DEFAULT_DB_ALIAS

from dizzle_site.compiled_queries import Statement
from sheets.access.codes import UnknownTable as UnknownTable
from sheets.access.keys import NotAllowed, digest
from sheets.models import Seat, Table
from sheets.tables.table_settings import ROLLED, is_dice2


class NotYours(NotAllowed):
    """The device does not hold the seat, or only the host's device may do this."""


class HostOnly(NotYours):
    """Only the host's device may do this."""


class Stale(Exception):
    """The request refers to a turn or pass that is over."""


class Refused(Exception):
    """The table refuses a request, for a reason outside the rules of the game.

    ``reason`` is one of ``not-started``, ``seat-free``, ``nothing-to-undo``, ``others-acted``,
    ``no-proposal``, ``old-proposal``, ``no-such-entry``, ``log-full``, ``nothing-to-decide``,
    ``not-left``, ``not-gone``, ``no-advice``, ``no-advice-in-dice2``, ``no-advice-without-dice``,
    ``nothing-to-ask``, ``game-over``, ``begun``, ``host-there``, ``nobody-else``, ``seat-is-free``,
    ``nothing-claimed``, ``claim-waits``, ``played-on``, ``nothing-to-pause``,
    ``order-fixed``, ``not-over``, ``needs-everybody``,
    ``proposal-waits``, ``dice-seen``.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class TableAccess(NamedTuple):
    """A table, and what one device may do there.

    Attributes:
        table: the table, without its level.
        all_seats: all seats, in seating order.
        seats: numbers of the seats that the device holds.
        claims: numbers of the seats that the device claims to have lost.
    """

    table: Table
    all_seats: tuple[Seat, ...]
    seats: frozenset[int]
    claims: frozenset[int] = frozenset()

    @property
    def is_host(self) -> bool:
        """Whether this device holds the host's seat."""
        return self.table.host in self.seats

    @property
    def host_seats(self) -> frozenset[int]:
        """The seat numbers of the host's device; empty if no device holds the host's seat."""
        device = self.all_seats[self.table.host].token_digest
        return frozenset(
            seat.number for seat in self.all_seats if device and seat.token_digest == device
        )

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names, in seating order."""
        return tuple(str(seat) for seat in self.all_seats)

    @property
    def host_name(self) -> str:
        """The name of the host."""
        return str(self.all_seats[self.table.host])

    @property
    def can_host_leave(self) -> bool:
        """Whether the host can get up: a device holds another seat, which can become the host's."""
        return bool(self.people - {self.table.host})

    @property
    def people(self) -> frozenset[int]:
        """The numbers of the seats that any device holds: neither free nor a bot's."""
        return frozenset(seat.number for seat in self.all_seats if seat.token_digest)

    @property
    def claimable(self) -> tuple[Seat, ...]:
        """The seats that a visitor may claim to have lost: held by a device, or left to a bot."""
        return tuple(seat for seat in self.all_seats if seat.token_digest or seat.left_name)

    @property
    def is_alone(self) -> bool:
        """Whether no other device holds a seat, so that no other player has to agree."""
        return self.people <= self.seats

    @property
    def takes_bots(self) -> bool:
        """Whether a bot can take over the seat of a player who leaves.

        In Dice² only if the app rolls the dice: a bot must know the die of its turn.
        """
        return self.table.dice == ROLLED or not is_dice2(self.table)

    @property
    def unattended(self) -> frozenset[int]:
        """Numbers of the seats that cannot roll: free seats; with real dice, also bots' seats."""
        if self.table.dice == ROLLED:
            return self.free
        return frozenset(seat.number for seat in self.all_seats if not seat.token_digest)

    @property
    def free(self) -> frozenset[int]:
        """The numbers of the free seats."""
        return frozenset(seat.number for seat in self.all_seats if seat.is_free)


def find_access(code: str, token: str = "") -> TableAccess:
    """Return the access of a device to the table with a code in its address.

    Args:
        code: the long code, in upper or lower case.
        token: the device's secret; empty for a device without one.

    Raises:
        UnknownTable: there is no such table.
    """
    all_seats = _seats(_BY_CODE, code.upper())
    if not all_seats:
        raise UnknownTable(code)
    return access_of(all_seats, digest(token) if token else "")


def access_of(all_seats: tuple[Seat, ...], device: str) -> TableAccess:
    """Return the access of a device to the table of these seats.

    Args:
        all_seats: all seats of the table.
        device: the digest of the device's secret; empty for a device without one.
    """
    mine = device or None
    held = frozenset(seat.number for seat in all_seats if seat.token_digest == mine)
    claims = frozenset(seat.number for seat in all_seats if seat.claim_digest == mine)
    return TableAccess(all_seats[0].table, all_seats, held, claims)


def renew(access: TableAccess) -> TableAccess:
    """Read the table and its seats again; return the access without seats that the device lost.

    Claims are left out, and so are seats that the device has taken since.

    Raises:
        UnknownTable: the table has been deleted.
    """
    all_seats = _seats(_BY_TABLE, access.table.pk)
    if not all_seats:
        raise UnknownTable(access.table.code)
    digests = {seat.number: seat.token_digest for seat in access.all_seats}
    held = frozenset(
        seat.number
        for seat in all_seats
        if seat.number in access.seats and seat.token_digest == digests[seat.number]
    )
    return TableAccess(all_seats[0].table, all_seats, held)


_SEAT_COLUMNS: Final = tuple(field.attname for field in Seat._meta.concrete_fields)
"""Columns of a seat, in the order of the query."""
_TABLE_COLUMNS: Final = tuple(
    field.attname for field in Table._meta.concrete_fields if field.attname != "level"
)
"""Columns of a table in the order of the query; the level is left out."""
_COLUMNS: Final = (*_SEAT_COLUMNS, *(f"table__{name}" for name in _TABLE_COLUMNS))
"""Columns of the query: those of the seat, then those of its table."""
_BY_CODE: Final = Statement(
    lambda code: Seat.objects.filter(table__code=code).values_list(*_COLUMNS), "a code"
)
"""Compiled query for the seats of the table with a given code in its address."""
_BY_TABLE: Final = Statement(
    lambda table: Seat.objects.filter(table=table).values_list(*_COLUMNS), 1
)
"""Compiled query for the seats of the table with a given primary key."""


def _seats(statement: Statement, parameter: Any) -> tuple[Seat, ...]:
    """Read the seats of a table, and the table without its large level, in one query."""
    rows = statement.rows(parameter)
    if not rows:
        return ()
    shared = Table.from_db(DEFAULT_DB_ALIAS, _TABLE_COLUMNS, rows[0][len(_SEAT_COLUMNS) :])
    all_seats = tuple(
        Seat.from_db(DEFAULT_DB_ALIAS, _SEAT_COLUMNS, row[: len(_SEAT_COLUMNS)]) for row in rows
    )
    for seat in all_seats:
        seat.table = shared
    return all_seats
