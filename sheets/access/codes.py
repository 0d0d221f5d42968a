"""Codes of tables: the long one in a table's address, the short one to type, and their lookup.

A long code cannot be guessed: only a link or a QR code contains it. A short code leads to a table
that is in use, and is free for another table afterwards. Tables from before there were two codes
keep one short code for both purposes.
"""

from __future__ import annotations

import re
import secrets
from datetime import timedelta
from typing import Any, Final

from django.db.models import Q
from django.utils import timezone

from sheets.access.keys import UnknownKey, digest
from sheets.http.rate_limits import WRONG_CODES, WRONG_CODES_OF_SITE
from sheets.models import Table

ALPHABET: Final = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
"""Letters and digits that are not mistaken for one another: no I, L, O, 0 and 1."""

ADDRESS_LENGTH: Final = 14
"""Number of characters of a long code: 69 bits. The QR code of an address in a home network is as
large as with five characters."""

TYPED_LENGTH: Final = 5
"""Number of characters of a code to type."""

TYPED_LENGTHS: Final = (TYPED_LENGTH, TYPED_LENGTH + 1)
"""Lengths of the codes that people type; the longer one is for a site with many tables."""

MAX_TYPED_LENGTH: Final = 12
"""Maximum number of characters of a short code, also of tables from before there were two codes."""

MANY_TABLES: Final = 100
"""Number of tables in use from which new codes to type have one character more, so that guessing
does not get easier."""

IN_USE: Final = timedelta(hours=24)
"""Time after the last act or visit for which a short code leads to its table."""

MIN_VISIT_INTERVAL: Final = timedelta(hours=12)
"""Minimum time between two visits that are stored."""


_IN_ADDRESS: Final = re.compile(r"/table/([A-Za-z0-9]+)")
_WORDS: Final = re.compile(r"[^\W_]+(?:[-\u2010-\u2015][^\W_]+)*")
_DASHES: Final = re.compile(r"[-\u2010-\u2015]")


class UnknownTable(UnknownKey):
    """No table has this code."""


class TooManyWrongCodes(Exception):
    """The rate limit of wrong codes is reached for ``seconds``; until then no code is looked up."""

    def __init__(self, seconds: int) -> None:
        super().__init__(f"{seconds} s")
        self.seconds = seconds


class NotACode(ValueError):
    """What a person typed contains no code, or more than one.

    ``fault`` is ``no-code``; ``no-such-characters``, with the ``characters`` that no code contains;
    ``wrong-length``, with the ``code``; or ``several-codes``, with the ``codes``.
    """

    def __init__(self, fault: str, **facts: Any) -> None:
        super().__init__(fault)
        self.fault = fault
        self.facts = facts


def new_address() -> str:
    """Return a new long code, which cannot be guessed."""
    return _new(ADDRESS_LENGTH)


def new_typed_code() -> str:
    """Return a new short code; if a table that is no longer in use has it, that table loses it."""
    limit = timezone.now() - IN_USE
    is_full = Table.objects.filter(touched__gte=limit).count() >= MANY_TABLES
    code = _new(TYPED_LENGTH + is_full)
    while Table.objects.filter(_leads_to_table(code)).exists():
        code = _new(TYPED_LENGTH + is_full)
    Table.objects.filter(typed_code=code).update(typed_code=None)
    return code


def parse_code(typed: str) -> str:
    """Return the code in what a person typed or pasted: a code, an address or a sentence.

    Blanks and dashes may stand inside the code if nothing else is there. In a sentence, the code is
    preferably a word with letters and digits, else a word in capitals, else any other.

    Raises:
        NotACode: there is no code, or more than one.

    >>> parse_code(" abc-23 "), parse_code("a b c 2 3")
    ('ABC23', 'ABC23')
    >>> parse_code("Look: http://192.168.1.7:8000/table/abc23/screen/")
    'ABC23'
    >>> parse_code("Komm an unser Tischchen, 622en!")
    '622EN'
    """
    if address := _IN_ADDRESS.search(typed):
        return _validated(address[1])
    words = ["".join(_DASHES.split(word)) for word in _WORDS.findall(typed)]
    whole = "".join(words)
    if len(words) < 2 or (_is_code(whole) and is_guessable(whole)):
        return _validated(whole)
    found = [word for word in words if _is_code(word)]
    mixed = [word for word in found if _is_mixed(word)]
    if not mixed and _is_code(whole):
        return whole.upper()
    capitals = [] if typed.isupper() else [word for word in found if word.isupper()]
    if not found:
        return _validated(_likely_code(words))
    best = list(dict.fromkeys(word.upper() for word in mixed or capitals or found))
    if len(best) > 1:
        raise NotACode("several-codes", codes=best)
    return best[0]


def is_guessable(code: str) -> bool:
    """Return whether a code is short enough to guess, as all codes that people type are."""
    return len(code) <= MAX_TYPED_LENGTH


def look_up(code: str, *, token: str, customer_address: str) -> str:
    """Return the code in the address of a table for its long or short code.

    A long code, and the short code of a table at which the device has a seat, are exempt from the
    rate limit. Only short codes that lead nowhere count.

    Args:
        code: in capitals. A long one is returned unchecked.
        token: the device's secret, empty if it has none.
        customer_address: address under which wrong codes count, see
            `rate_limits.customer_address_of`.

    Raises:
        TooManyWrongCodes: the rate limit is reached; the code was not looked up.
        UnknownTable: the code leads nowhere.
    """
    if not is_guessable(code):
        return code
    tables = Table.objects.filter(_leads_to_table(code)).values_list("code", flat=True)
    if token and (own := tables.filter(seats__token_digest=digest(token)).first()):
        return own
    seconds = max(WRONG_CODES.wait_seconds(customer_address), WRONG_CODES_OF_SITE.wait_seconds(""))
    if seconds:
        raise TooManyWrongCodes(seconds)
    if address := tables.first():
        return address
    WRONG_CODES.hit(customer_address)
    WRONG_CODES_OF_SITE.hit("")
    raise UnknownTable(code)


def note_visit(table: Table) -> None:
    """Store that a page shows a table, so that the short code on the page stays valid.

    If another table has received its short code, the table gets a new one.
    """
    now = timezone.now()
    if table.typed_code and now - table.touched < MIN_VISIT_INTERVAL:
        return
    changes: dict[str, Any] = {"touched": now}
    if not table.typed_code:  # another table got it meanwhile
        table.typed_code = changes["typed_code"] = new_typed_code()
    Table.objects.filter(pk=table.pk).update(**changes)


def _is_code(word: str) -> bool:
    return len(word) in (*TYPED_LENGTHS, ADDRESS_LENGTH) and not _invalid_characters(word)


def _invalid_characters(word: str) -> list[str]:
    """Return the characters of a word that no code contains, each once, letters in capitals."""
    # "ß" in capitals would be two letters that codes contain.
    characters = (c.upper() if c.isascii() else c for c in word)
    return [c for c in dict.fromkeys(characters) if c not in ALPHABET]


def _is_mixed(word: str) -> bool:
    return any(c.isdigit() for c in word) and any(c.isalpha() for c in word)


def _likely_code(words: list[str]) -> str:
    """Return the most likely code among words that are not codes; empty if none is likely."""
    whole = "".join(words)
    if len(whole) <= TYPED_LENGTHS[-1] and max(map(len, words)) < TYPED_LENGTH:
        return whole
    likely = [word for word in words if _is_mixed(word)]
    likely = likely or [word for word in words if any(c.isdigit() for c in word)]
    return likely[0] if len(likely) == 1 else ""


def _validated(word: str) -> str:
    if not word:
        raise NotACode("no-code")
    if foreign := _invalid_characters(word):
        raise NotACode("no-such-characters", characters=foreign)
    if not _is_code(word):
        raise NotACode("wrong-length", code=word.upper())
    return word.upper()


def _leads_to_table(code: str) -> Q:
    in_use = Q(typed_code=code, touched__gte=timezone.now() - IN_USE)
    return Q(code=code) | in_use


def _new(length: int) -> str:
    return "".join(secrets.choice(ALPHABET) for _ in range(length))
