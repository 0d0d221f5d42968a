"""Storage limits of groups and network addresses, and the responses when they are exceeded."""

from __future__ import annotations

from typing import Final

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from sheets.groups.keeping import GroupFull
from sheets.groups.storage import Charge, StorageUsedUp, TooMuchAtOnce
from sheets.http.rate_limits import (
    STORED_AGAIN_AFTER_SECONDS,
    most_stored_at_once,
    storage_used_up_sentence,
    take_stored,
)

NO_ROOM: Final = (GroupFull, StorageUsedUp, TooMuchAtOnce)
"""Exceptions that refuse to add games to a group; nothing has changed."""

MIB: Final = 1024 * 1024
"""Bytes of a mebibyte."""


def charge_to(request: HttpRequest) -> Charge:
    """Return the function that charges the bytes of an import to the address of a request."""

    def charge(count: int) -> None:
        if count > most_stored_at_once():
            raise TooMuchAtOnce(count)
        if not take_stored(request, count):
            raise StorageUsedUp

    return charge


def no_room_sentence(error: Exception) -> str:
    """Return the error message for one of `NO_ROOM`."""
    if isinstance(error, TooMuchAtOnce):
        return _(
            "This is too much at once: it takes about %(size)d MiB, and %(most)d MiB an "
            "hour are allowed. Nothing was stored. Add fewer games at a time."
        ) % {"size": -(-error.count // MIB), "most": most_stored_at_once() // MIB}
    if isinstance(error, StorageUsedUp):
        return storage_used_up_sentence()
    return full_sentence()


def full_sentence() -> str:
    """Return the error message for a group that has reached its maximum number of games."""
    return _("This group has as many games as a group can have.")


def refused(response: HttpResponse, error: Exception) -> HttpResponse:
    """Return the response for one of `NO_ROOM`, with status 429 if retrying later can succeed."""
    if isinstance(error, StorageUsedUp):
        response.status_code = 429
        response["Retry-After"] = str(STORED_AGAIN_AFTER_SECONDS)
    return response
