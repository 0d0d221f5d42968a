"""Rate limits by client address, for everything that strangers may try or fill.

The address is the client's own, or with SITE_URL the one that the proxy reports last. An IPv6
address counts by its /64, which one connection gets; for wrong codes by its /48, which hosters
assign to one customer. Each process counts in its own memory, so several processes multiply the
limits by their number.
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
from sheets.http.view import View

RETRY_AFTER_SECONDS: Final = 60
"""Time after which a client may try again that has reached a rate limit."""

_storage = MemoryStorage()
_counter = MovingWindowRateLimiter(_storage)
_lock = Lock()
"""Lock for all use of the counter: two threads may start the library's same timer, which fails."""


class Limit(NamedTuple):
    """Rate limit for one address: ``rates`` as in "5/minute;30/hour"."""

    name: str
    rates: str

    def take(self, address: str, cost: int = 1) -> bool:
        """Count ``cost`` units for an address; return False if they do not fit.

        A refused cost above 1 counts for no rate: what the daily rate refuses must not use up the
        hourly one. A cost above a rate never fits. The moving window stores one list entry per
        unit: choose large units.
        """
        rates = parse_many(self.rates)
        with _lock:
            fits = cost == 1 or all(
                _counter.test(rate, self.name, address, cost=cost) for rate in rates
            )
            return fits and all(_counter.hit(rate, self.name, address, cost=cost) for rate in rates)

    @property
    def max_cost(self) -> int:
        """Maximum cost of one request."""
        return min(rate.amount for rate in parse_many(self.rates))

    def wait_seconds(self, address: str) -> int:
        """Return in how many seconds the next try fits; 0 if it fits now."""
        with _lock:
            resets = [
                _counter.get_window_stats(rate, self.name, address).reset_time
                for rate in parse_many(self.rates)
                if not _counter.test(rate, self.name, address)
            ]
        return max(1, ceil(max(resets) - time.time())) if resets else 0

    def is_used_up(self, address: str) -> bool:
        """Return whether the next try would be one too many."""
        return self.wait_seconds(address) > 0


WRONG_CODES: Final = Limit("wrong-codes", "30/10 minutes;60/hour")
"""Typed codes of one address that lead to no table (`sheets.access.codes.look_up`)."""

WRONG_CODES_OF_SITE: Final = Limit("wrong-codes-of-site", "600/hour")
"""The same for all addresses together, counted under the address ``""``."""

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
"""Pictures, files and suggestions that no cache has."""

PREVIEWS: Final = Limit("previews", "240/minute;4000/hour")
"""Previews of pages that no cache has; each change of a level requests one."""

PHOTOS: Final = Limit("photos", "30/minute;300/hour")
"""Photos that are read."""

ADVICE: Final = Limit("advice", "60/minute;900/hour")
"""Questions to an expert, who thinks for up to a second; several at a table may be one address."""

STORED_UNIT_BYTES: Final = 64 * 1024
"""Unit of `STORED`."""

STORED: Final = Limit("stored", "2048/hour;4096/day")
"""Units of `STORED_UNIT_BYTES` that imports and kept photos take in the database, rounded up: 128
MiB an hour and 256 MiB a day.

A group of 10,000 games takes 15 to 60 MiB; a club may import it twice by mistake.
"""

STORED_AGAIN_AFTER_SECONDS: Final = 3600
"""Time after which the page of a request refused by `STORED` suggests to try again."""

READS: Final = Limit("reads", "600/minute;12000/hour")
"""Drawings and lists, also those from a cache."""


def limited(limit: Limit, method: str = "POST") -> Callable[[View], View]:
    """Limit the rate of requests to a view: ``@limited(NEW_TABLES)``.

    HEAD counts as GET: the work behind it is the same.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def guarded(request: HttpRequest, *args: Any, **more: Any) -> HttpResponse:
            asked = "GET" if request.method == "HEAD" else request.method
            if asked == method and not limit.take(address_of(request)):
                return refuse(request)
            return view(request, *args, **more)

        return guarded

    return decorate


def refuse(request: HttpRequest) -> HttpResponse:
    """Return the page with status 429."""
    return try_again_page(
        request,
        429,
        _("One moment, please"),
        _("That was too often in a short time. Wait a minute and try again."),
        after_seconds=RETRY_AFTER_SECONDS,
    )


def take_stored(request: HttpRequest, count: int) -> bool:
    """Count bytes that a request is about to store; return False if they do not fit."""
    return STORED.take(address_of(request), cost=-(-count // STORED_UNIT_BYTES))


def most_stored_at_once() -> int:
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
        after_seconds=STORED_AGAIN_AFTER_SECONDS,
    )


def address_of(request: HttpRequest) -> str:
    """Return the address that a request counts for."""
    remote = str(request.META.get("REMOTE_ADDR", ""))
    forwarded = request.META.get("HTTP_X_FORWARDED_FOR")
    if settings.SITE_URL and forwarded:
        # The proxy added the last one; whatever stands before it a client may have made up.
        remote = forwarded.rpartition(",")[2].strip()
    return counted_address(remote)


def guesser_of(request: HttpRequest) -> str:
    """Return the address that a wrong code counts for: of IPv6 the /48."""
    address = address_of(request)
    if ":" not in address:
        return address
    return str(ip_network((address, 48), strict=False).network_address)


def reset() -> None:
    """Forget all requests, after the library's timer thread, which would fail meanwhile."""
    with _lock:
        _storage.timer.join()
        _storage.reset()
