"""Origins under which the devices at a table use the site.

A site in a home network has several: a name, and an IP address that may change. A browser stores
the cookie of a seat for one of them only.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from django.http import HttpRequest

from dizzle_site.network import is_loopback
from sheets.models import Seat
from sheets.tables.access import TableAccess


def note_origin(request: HttpRequest, access: TableAccess) -> None:
    """Store the origin of the request with the seats of its device."""
    origin = _origin_of(request)
    held = [seat for seat in access.all_seats if seat.number in access.seats]
    changed = [seat.pk for seat in held if seat.origin != origin]
    if changed:
        Seat.objects.filter(pk__in=changed).update(origin=origin)


def other_origin(request: HttpRequest, access: TableAccess) -> str:
    """Return another origin at which a device without a seat here may hold one; empty for none.

    A loopback address such as ``localhost`` is never returned: it leads every device to itself.
    """
    if access.seats:
        return ""
    taken = (seat.origin for seat in access.all_seats if seat.token_digest and seat.origin)
    return next((one for one in taken if _may_lead_here(one, request)), "")


def _may_lead_here(origin: str, request: HttpRequest) -> bool:
    is_other = origin != _origin_of(request)
    return is_other and not is_loopback(urlsplit(origin).hostname or "")


def _origin_of(request: HttpRequest) -> str:
    return request.build_absolute_uri("/").removesuffix("/")
