"""Storage limits of groups and network addresses, and the responses when they are exceeded."""

from __future__ import annotations

from typing import Final

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from sheets.groups.game_store import GroupFull
from sheets.groups.storage_estimate import Charge, ImportTooLarge, StorageUsedUp
from sheets.http.rate_limits import (
    STORED_RETRY_SECONDS,
    count_stored_bytes,
    max_stored_bytes,
    storage_used_up_sentence,
)

STORAGE_ERRORS: Final = (GroupFull, StorageUsedUp, ImportTooLarge)
"""Exceptions of an import that was refused; nothing has changed then."""

MIB: Final = 1024 * 1024
"""Bytes of a mebibyte."""


def charge_to(request: HttpRequest) -> Charge:
    """Return the function that charges the bytes of an import to the address of a request."""

    def charge(count: int) -> None:
        if count > max_stored_bytes():
            raise ImportTooLarge(count)
        if not count_stored_bytes(request, count):
            raise StorageUsedUp

    return charge


def storage_error_sentence(error: Exception) -> str:
    """Return the error message for one of `STORAGE_ERRORS`."""
    if isinstance(error, ImportTooLarge):
        return _(
            "This is too much at once: it takes about %(size)d MiB, and %(most)d MiB an "
            "hour are allowed. Nothing was stored. Add fewer games at a time."
        ) % {"size": -(-error.count // MIB), "most": max_stored_bytes() // MIB}
    if isinstance(error, StorageUsedUp):
        return storage_used_up_sentence()
    return group_full_sentence()


def group_full_sentence() -> str:
    """Return the error message for a group that has reached its maximum number of games."""
    return _("This group has as many games as a group can have.")


def with_retry_status(response: HttpResponse, error: Exception) -> HttpResponse:
    """Set the status of a response to 429 if retrying later can succeed, and return it."""
    if isinstance(error, StorageUsedUp):
        response.status_code = 429
        response["Retry-After"] = str(STORED_RETRY_SECONDS)
    return response
