"""Limit of what imports of one address store in groups."""

from __future__ import annotations

from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse

from sheets.groups.storage import Charge, StorageUsedUp
from sheets.http.limits import refuse_to_store, take_stored
from sheets.http.view import View


def charge_to(request: HttpRequest) -> Charge:
    """Return what counts the bytes of an import for the address of a request."""

    def charge(count: int) -> None:
        if not take_stored(request, count):
            raise StorageUsedUp

    return charge


def refused_when_used_up(view: View) -> View:
    """Answer StorageUsedUp with 429 and the reason."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **more: Any) -> HttpResponse:
        try:
            return view(request, *args, **more)
        except StorageUsedUp:
            return refuse_to_store(request)

    return guarded
