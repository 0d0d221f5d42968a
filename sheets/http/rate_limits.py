"""Rate limits by client address, against guessed codes, a full database, and a busy processor.

The address is the client's own, or with SITE_URL the last one that the proxy reports. Requests from
IPv6 addresses are counted by /64 network, which one connection gets; wrong codes by /48 network,
which hosters assign to one customer. Each process counts in its own memory, so several processes
multiply the limits by their number.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import wraps
from ipaddress import ip_network
from math import ceil
from threading import Lock
from typing import Any, Final, NamedTuple

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from limits import parse_many
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter

from dizzle_site.errors import try_again_page
from dizzle_site.network import counted_address
from sheets.http.view_type import View

RATE_LIMIT_RETRY_SECONDS: Final = 60
"""Value of Retry-After for a client that has reached a rate limit, in seconds."""

_storage = MemoryStorage()
_counter = MovingWindowRateLimiter(_storage)
_lock = Lock()
"""Lock for the counter: it fails if two threads start the same timer of the library."""


class Limit(NamedTuple):
    """Rate limit for one address: ``rates`` as in "5/minute;30/hour"."""

    name: str
    rates: str

    def hit(self, address: str, cost: int = 1) -> bool:
        """Count ``cost`` units for an address; return whether they are within all rates.

        A refused cost above 1 is not counted at all: what exceeds the daily rate must not use up
        the hourly rate. A cost above the amount of a rate is always refused. The moving window
        stores one list entry per unit, so choose large units.
        """
        rates = parse_many(self.rates)
        with _lock:
            fits = cost == 1 or all(
                _counter.test(rate, self.name, address, cost=cost) for rate in rates
            )
            return fits and all(_counter.hit(rate, self.name, address, cost=cost) for rate in rates)

    @property
    def max_cost(self) -> int:
        """Maximum cost of one request, in units; a higher cost is always refused."""
        return min(rate.amount for rate in parse_many(self.rates))

    def wait_seconds(self, address: str) -> int:
        """Return the seconds until the next request is within all rates; 0 if it is now."""
        with _lock:
            resets = [
                _counter.get_window_stats(rate, self.name, address).reset_time
                for rate in parse_many(self.rates)
                if not _counter.test(rate, self.name, address)
            ]
        return max(1, ceil(max(resets) - time.time())) if resets else 0

    def is_used_up(self, address: str) -> bool:
        """Return whether the next request would exceed a rate."""
        return self.wait_seconds(address) > 0


WRONG_CODES: Final = Limit("wrong-codes", "30/10 minutes;60/hour")
"""Typed codes of one address that lead to no table (`sheets.access.codes.look_up`)."""

WRONG_CODES_OF_SITE: Final = Limit("wrong-codes-of-site", "600/hour")
"""Typed codes of all addresses together that lead to no table, counted under ``""``."""

SEAT_CLAIMS: Final = Limit("seat-claims", "10/minute")
"""Claims to be the player of a taken seat (`sheets.tables.claims`)."""

NEW_TABLES: Final = Limit("new-tables", "20/minute;100/hour")
"""New tables."""

NEW_SCORINGS: Final = Limit("new-scorings", "20/minute;200/hour")
"""New scorings."""

UPLOADS: Final = Limit("uploads", "30/minute;300/hour")
"""New levels, opened files, and other requests that store something small."""

GROUP_FILES: Final = Limit("group-files", "6/minute;60/hour")
"""Files of whole groups. Comparing the largest with five groups takes about three seconds."""

SAVES: Final = Limit("saves", "900/minute;20000/hour")
"""Edits of own levels, scored sheets and tallies. Their pages send refused edits again later."""

PICTURES: Final = Limit("pictures", "60/minute;900/hour")
"""Pictures, files and suggestions that are not in the cache."""

PREVIEWS: Final = Limit("previews", "240/minute;4000/hour")
"""Previews of pages that are not in the cache; each change of a level requests one."""

PHOTOS: Final = Limit("photos", "30/minute;300/hour")
"""Photos that are read."""

HINTS: Final = Limit("advice", "60/minute;900/hour")
"""Hints, which take the hard bot up to a second; several players may share an address."""

STORED_UNIT_BYTES: Final = 64 * 1024
"""Unit of `STORED`."""

STORED: Final = Limit("stored", "2048/hour;4096/day")
"""Units of `STORED_UNIT_BYTES` that imports and kept photos take in the database, rounded up: 128
MiB an hour and 256 MiB a day.

A group of 10,000 games takes 15 to 60 MiB; a club may import it twice by mistake.
"""

STORED_RETRY_SECONDS: Final = 3600
"""Value of Retry-After for a request that `STORED` refuses, in seconds."""

READS: Final = Limit("reads", "600/minute;12000/hour")
"""Drawings and lists, also those from a cache."""


def limited(limit: Limit, method: str = "POST") -> Callable[[View], View]:
    """Limit the rate of requests with one method to a view: ``@limited(NEW_TABLES)``.

    HEAD counts as GET, because the server does the same work.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def wrapper(request: HttpRequest, *args: Any, **more: Any) -> HttpResponse:
            asked = "GET" if request.method == "HEAD" else request.method
            if asked == method and not limit.hit(address_of(request)):
                return refuse(request)
            return view(request, *args, **more)

        return wrapper

    return decorate


def refuse(request: HttpRequest) -> HttpResponse:
    """Return the page with status 429 for an address that has reached a rate limit."""
    return try_again_page(
        request,
        429,
        _("One moment, please"),
        _("That was too often in a short time. Wait a minute and try again."),
        after_seconds=RATE_LIMIT_RETRY_SECONDS,
    )


def count_stored_bytes(request: HttpRequest, count: int) -> bool:
    """Count bytes that a request is about to store; return whether `STORED` allows them."""
    return STORED.hit(address_of(request), cost=-(-count // STORED_UNIT_BYTES))


def max_stored_bytes() -> int:
    """Return the maximum number of bytes that one request may store."""
    return STORED.max_cost * STORED_UNIT_BYTES


def storage_used_up_sentence() -> str:
    """Return why nothing more is stored for an address, and until when."""
    return _(
        "Your network has stored as much as it can today. This was not stored. Try "
        "again in an hour, or tomorrow."
    )


def refuse_to_store(request: HttpRequest) -> HttpResponse:
    """Return the page with status 429 for an address that has stored as much as it may."""
    return try_again_page(
        request,
        429,
        _("That is too much for now"),
        storage_used_up_sentence(),
        after_seconds=STORED_RETRY_SECONDS,
    )


def address_of(request: HttpRequest) -> str:
    """Return the client address under which a request is counted."""
    remote = str(request.META.get("REMOTE_ADDR", ""))
    forwarded = request.META.get("HTTP_X_FORWARDED_FOR")
    if settings.SITE_URL and forwarded:
        # The proxy added the last one; whatever stands before it a client may have made up.
        remote = forwarded.rpartition(",")[2].strip()
    return counted_address(remote)


def customer_address_of(request: HttpRequest) -> str:
    """Return the client address under which wrong codes and jobs are counted.

    It is the IPv4 address, or the /48 network of an IPv6 address, which one customer of a provider
    may have.
    """
    address = address_of(request)
    if ":" not in address:
        return address
    return str(ip_network((address, 48), strict=False).network_address)


def reset() -> None:
    """Reset all counts, for tests; wait first for the timer thread of `limits`, which uses them."""
    with _lock:
        _storage.timer.join()
        _storage.reset()
