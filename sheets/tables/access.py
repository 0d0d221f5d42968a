"""Who is at which table, with which seats, and how is one turned away?"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from django.db import DEFAULT_DB_ALIAS

from dizzle_site.statements import Statement
from sheets.access.codes import UnknownTable as UnknownTable
from sheets.access.keys import NotAllowed, digest
from sheets.models import Seat, Table


class NotYours(NotAllowed):
    """The device does not hold the seat, or is not the host's."""


class Stale(Exception):
    """The request was about a turn or pass that is over."""


class Refused(Exception):
    """The table, not the rules of the game, refuses.

    ``reason`` is one of ``not-started``, ``seat-free``, ``nothing-to-undo``, ``others-acted``,
    ``no-proposal``, ``old-proposal``, ``no-such-entry``, ``log-full``, ``nothing-to-decide``,
    ``not-left``, ``not-gone``, ``no-advice``, ``no-advice-in-dice2``, ``no-advice-without-dice``,
    ``nothing-to-ask``, ``game-over``, ``begun``, ``host-there``, ``nobody-else``, ``seat-is-free``,
    ``nothing-claimed``, ``claim-waits``, ``played-on``, ``nothing-to-pause``,
    ``order-fixed``, ``not-over``, ``needs-everybody``,
    ``proposal-waits``.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class TableAccess(NamedTuple):
    """A table as one device sees it.

    ``seats`` are the numbers of the seats it holds, ``claims`` of those it claims to have lost.
    """

    table: Table
    everybody: tuple[Seat, ...]
    seats: frozenset[int]
    claims: frozenset[int] = frozenset()

    @property
    def is_host(self) -> bool:
        """Whether the host's seat is held here."""
        return self.table.host in self.seats

    @property
    def of_host(self) -> frozenset[int]:
        """The seats of the host's device; empty where nobody holds the host's seat."""
        device = self.everybody[self.table.host].token_digest
        return frozenset(
            seat.number for seat in self.everybody if device and seat.token_digest == device
        )

    @property
    def host_name(self) -> str:
        """What the host is called."""
        return str(self.everybody[self.table.host])

    @property
    def can_host_leave(self) -> bool:
        """Whether the host can get up: somebody else holds a seat and becomes host."""
        return bool(self.people - {self.table.host})

    @property
    def people(self) -> frozenset[int]:
        """The seats that are held on any device."""
        return frozenset(seat.number for seat in self.everybody if seat.token_digest)

    @property
    def claimable(self) -> tuple[Seat, ...]:
        """The seats a visitor may claim to have lost: a device has them, or a bot plays on."""
        return tuple(seat for seat in self.everybody if seat.token_digest or seat.left_name)

    @property
    def is_alone(self) -> bool:
        """Whether nobody sits at another device, so that nobody has to be asked."""
        return self.people <= self.seats

    @property
    def takes_bots(self) -> bool:
        """Whether a bot can play on for a player who leaves: it must know the dice of its turn."""
        return self.table.dice == "rolled" or not self.table.game

    @property
    def unattended(self) -> frozenset[int]:
        """The seats for which others must throw: free ones, and with real dice those of bots."""
        if self.table.dice == "rolled":
            return self.free
        return frozenset(seat.number for seat in self.everybody if not seat.token_digest)

    @property
    def free(self) -> frozenset[int]:
        """The numbers of the seats nobody holds."""
        return frozenset(seat.number for seat in self.everybody if seat.is_free)


def find_access(code: str, token: str = "") -> TableAccess:
    """The table with a code in its address, and which of its seats the holder of a token has.

    Raises:
        UnknownTable: when there is none.
    """
    everybody = _seats(_BY_CODE, code.upper())
    if not everybody:
        raise UnknownTable(code)
    return access_of(everybody, digest(token) if token else "")


def access_of(everybody: tuple[Seat, ...], device: str) -> TableAccess:
    """The table of all these seats as a device has it whose secret's digest is ``device``."""
    mine = device or None
    held = frozenset(seat.number for seat in everybody if seat.token_digest == mine)
    claims = frozenset(seat.number for seat in everybody if seat.claim_digest == mine)
    return TableAccess(everybody[0].table, everybody, held, claims)


def renew(access: TableAccess) -> TableAccess:
    """The table as it is now, with the seats of the access that its device still holds."""
    everybody = _seats(_BY_TABLE, access.table.pk)
    if not everybody:
        raise UnknownTable(access.table.code)
    digests = {seat.number: seat.token_digest for seat in access.everybody}
    held = frozenset(
        seat.number
        for seat in everybody
        if seat.number in access.seats and seat.token_digest == digests[seat.number]
    )
    return TableAccess(everybody[0].table, everybody, held)


def names_of(access: TableAccess) -> tuple[str, ...]:
    """The players' names, in seating order."""
    return tuple(str(seat) for seat in access.everybody)


_OF_SEAT: Final = tuple(field.attname for field in Seat._meta.concrete_fields)
_OF_TABLE: Final = tuple(
    field.attname for field in Table._meta.concrete_fields if field.attname != "level"
)
_COLUMNS: Final = (*_OF_SEAT, *(f"table__{name}" for name in _OF_TABLE))
_BY_CODE: Final = Statement(
    lambda code: Seat.objects.filter(table__code=code).values_list(*_COLUMNS), "a code"
)
_BY_TABLE: Final = Statement(
    lambda table: Seat.objects.filter(table=table).values_list(*_COLUMNS), 1
)


def _seats(which: Statement, table: Any) -> tuple[Seat, ...]:
    """Seats together with their table, in one query; the level is large and never changes."""
    rows = which.rows(table)
    if not rows:
        return ()
    shared = Table.from_db(DEFAULT_DB_ALIAS, _OF_TABLE, rows[0][len(_OF_SEAT) :])
    everybody = tuple(
        Seat.from_db(DEFAULT_DB_ALIAS, _OF_SEAT, row[: len(_OF_SEAT)]) for row in rows
    )
    for seat in everybody:
        seat.table = shared
    return everybody
