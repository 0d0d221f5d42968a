"""Which codes does a table have, and to which table does a code lead?

The code in its address is long: who has it came by a link or a QR code, and nobody finds one by
trying. The code to type is short, leads there only while the table is in use, and then is free for
another table. Tables from before there were two have one short code for both, which stays theirs.
"""

from __future__ import annotations

import secrets
from datetime import timedelta
from typing import Any, Final

from django.db.models import Q
from django.utils import timezone

from sheets.access.keys import UnknownKey
from sheets.models import Table

ALPHABET: Final = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
"""Letters and digits nobody mistakes for one another: no I, L, O, 0 and 1."""

ADDRESS_LENGTH: Final = 14
"""69 bits. The QR code of an address at home is as large as it was with five letters."""

TYPED_LENGTH: Final = 5
LONGEST_TYPED: Final = 12
"""Codes of tables from before there were two are no longer than that either."""

MANY_TABLES: Final = 100
"""With so many tables in use a new one's code to type has one letter more, or the next guess would
find one ever sooner."""

IN_USE: Final = timedelta(hours=24)
"""How long after the last act or visit the code to type leads to a table."""

VISIT: Final = timedelta(hours=12)
"""A visit is noted only when the last one was so long ago."""


class UnknownTable(UnknownKey):
    """No table has this code."""


def new_address() -> str:
    """A code for a table's address, which nobody can guess."""
    return _new(ADDRESS_LENGTH)


def new_typed_code() -> str:
    """A code to type that leads nowhere yet; it is taken from a table that is not in use."""
    limit = timezone.now() - IN_USE
    is_full = Table.objects.filter(touched__gte=limit).count() >= MANY_TABLES
    code = _new(TYPED_LENGTH + is_full)
    while Table.objects.filter(_leads(code)).exists():
        code = _new(TYPED_LENGTH + is_full)
    Table.objects.filter(typed_code=code).update(typed_code=None)
    return code


def parse_code(typed: str) -> str:
    """What somebody typed or pasted for a code, perhaps the whole address.

    >>> parse_code(" abc-23 ")
    'ABC23'
    >>> parse_code("http://192.168.1.7:8000/table/abc23/screen/")
    'ABC23'
    """
    given = typed.partition("/table/")[2].partition("/")[0] or typed
    return "".join(c for c in given.upper() if c in ALPHABET)[:ADDRESS_LENGTH]


def is_guessable(code: str) -> bool:
    """Whether a code is as short as those that people type."""
    return len(code) <= LONGEST_TYPED


def find_address(code: str, token_digest: str | None = None) -> str:
    """The code in the address of the table to which a short code leads.

    With the digest of a device's secret: only if a seat of that table is held with it.

    Raises:
        UnknownTable: the code leads nowhere.
    """
    tables = Table.objects.filter(_leads(code))
    if token_digest is not None:
        tables = tables.filter(seats__token_digest=token_digest)
    address = tables.values_list("code", flat=True).first()
    if address is None:
        raise UnknownTable(code)
    return address


def note_visit(table: Table) -> None:
    """Remember that somebody has a table open, so that the code it shows leads there."""
    now = timezone.now()
    if table.typed_code and now - table.touched < VISIT:
        return
    changes: dict[str, Any] = {"touched": now}
    if not table.typed_code:  # while it was not in use, another table was given that code
        table.typed_code = changes["typed_code"] = new_typed_code()
    Table.objects.filter(pk=table.pk).update(**changes)


def _leads(code: str) -> Q:
    in_use = Q(typed_code=code, touched__gte=timezone.now() - IN_USE)
    return Q(code=code) | in_use


def _new(length: int) -> str:
    return "".join(secrets.choice(ALPHABET) for _ in range(length))
