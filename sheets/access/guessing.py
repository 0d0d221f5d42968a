"""May whoever gives a short code be told to which table it leads? The one place that decides.

Who has a table's address, or a seat there, is let in at once, whatever others of the same network
have tried. Only short codes can be guessed. An address from which many wrong ones came has each
further one looked up after a pause, and only so many in a second, so that a right one gets there
and trying them all takes too long.

Nobody waits inside the server: who has to wait gets a ticket and comes back with it. A ticket is
good for one code from one address, once.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Collection, Mapping
from importlib import import_module
from typing import Any, Final

from django.conf import settings
from django.core import signing

from sheets.access import codes
from sheets.access.codes import UnknownTable
from sheets.access.keys import digest
from sheets.http import rate_limits

PAUSE_SECONDS: Final = 3
"""How long a code waits that comes without a ticket."""

NEXT_TRY_SECONDS: Final = 2
"""How long it waits again when others were looked up instead."""

TICKET_SECONDS: Final = 60

SALT: Final = "sheets.access.guessing.ticket"
LET_IN: Final = "let_in"
"""Where a session keeps the short codes of addresses to which its device was let in."""

MOST_LET_IN: Final = 20


class Slowed(Exception):
    """Many wrong codes came from this address: ask again with ``ticket``, after ``seconds``."""

    def __init__(self, ticket: str, seconds: int) -> None:
        super().__init__(f"{seconds} s")
        self.ticket = ticket
        self.seconds = seconds


def find_table(
    code: str, *, token: str, guesser: str, ticket: str = "", let_in: Collection[str] = ()
) -> str:
    """The code in the address of the table to which a code leads.

    A long code is given back as it is: whether there is such a table, its access knows.

    Args:
        code: in capitals.
        token: the device's secret, empty if it has none.
        guesser: the address that a wrong code counts for, see `rate_limits.guesser_of`.
        ticket: what the device was given when it had to wait.
        let_in: the codes of tables to which the device was let in before.

    Raises:
        Slowed: it is not looked up yet.
        UnknownTable: it leads nowhere, which has been counted.
    """
    if not codes.is_guessable(code):
        return code
    # Nothing up to here may take longer for a code that leads somewhere.
    if token:
        try:
            return codes.find_address(code, digest(token))
        except UnknownTable:
            pass
    is_slowed = code not in let_in and rate_limits.WRONG_CODES.is_used_up(guesser)
    if is_slowed:
        _wait_for_turn(code, guesser, ticket)
    try:
        return codes.find_address(code)
    except UnknownTable:
        if not rate_limits.WRONG_CODES.take(guesser) and not is_slowed:
            # Others were wrong in the same moment.
            raise _slowed(code, guesser, PAUSE_SECONDS) from None
        raise


def note_let_in(session: Any, code: str) -> None:
    """Let a device stay that was let in by a short code: its page will ask for more of it."""
    known = let_in(session)
    if codes.is_guessable(code) and code not in known:
        session[LET_IN] = [*known, code][-MOST_LET_IN:]


def let_in(session: Mapping[str, Any]) -> list[str]:
    """The short codes of addresses to which a device was let in."""
    return list(session.get(LET_IN, []))


def let_in_by_cookies(cookies: Mapping[str, str]) -> list[str]:
    """The same for who has no request but its cookies."""
    store = import_module(settings.SESSION_ENGINE).SessionStore
    return let_in(store(cookies.get(settings.SESSION_COOKIE_NAME)))


def _wait_for_turn(code: str, guesser: str, ticket: str) -> None:
    """Give way to whoever shows a ticket whose time has come. Raises Slowed for all others."""
    try:
        about, nonce, due = signing.loads(ticket, salt=SALT, max_age=TICKET_SECONDS)
    except signing.BadSignature:
        raise _slowed(code, guesser, PAUSE_SECONDS) from None
    if about != [code, guesser]:
        raise _slowed(code, guesser, PAUSE_SECONDS)
    early_s = due - time.time()
    if early_s > 0:
        raise Slowed(ticket, int(early_s) + 1)
    if not rate_limits.TICKETS.take(nonce):
        raise _slowed(code, guesser, PAUSE_SECONDS)
    if not rate_limits.LOOK_UPS.take(guesser):
        raise _slowed(code, guesser, NEXT_TRY_SECONDS)


def _slowed(code: str, guesser: str, seconds: int) -> Slowed:
    about = [[code, guesser], secrets.token_urlsafe(9), time.time() + seconds]
    return Slowed(signing.dumps(about, salt=SALT), seconds)
