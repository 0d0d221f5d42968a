"""How often may one address try? Guessing codes, opening tables and uploading have a limit.

Counted is per address: the visitor's own, or behind the proxy of a public host (SITE_URL) the one
that this proxy reports, and nothing that stands before it. IPv6 counts by its /64, which is what
one connection gets; for guessing codes by its /48, because hosters give away whole ones. With
REDIS_URL all processes count together, else each for itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from ipaddress import ip_network
from threading import Lock
from typing import Any, Final, NamedTuple

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from limits import RateLimitItem, parse_many
from limits.errors import StorageError
from limits.storage import MemoryStorage, RedisStorage
from limits.strategies import MovingWindowRateLimiter

from dizzle_site import shared_redis
from dizzle_site.errors import try_again_page
from dizzle_site.network import counted_address
from dizzle_site.once import one_per_process
from sheets.http.view import View

RETRY_AFTER_SECONDS: Final = 60


class Limit(NamedTuple):
    """So often from one address: ``rates`` as in "5/minute;30/hour"."""

    name: str
    rates: str

    def take(self, address: str, cost: int = 1) -> bool:
        """Count ``cost`` units for an address; return False if they do not fit.

        A refused cost above 1 counts for no rate, and one above a rate never fits. The moving
        window stores one list entry per unit: choose large units.
        """

        def fits(counter: MovingWindowRateLimiter, rate: RateLimitItem) -> bool:
            return counter.test(rate, self.name, address, cost=cost)

        def hit(counter: MovingWindowRateLimiter, rate: RateLimitItem) -> bool:
            return counter.hit(rate, self.name, address, cost=cost)

        # What the rate of a day refuses must not count for that of an hour.
        return (cost == 1 or self._ask(fits)) and self._ask(hit)

    @property
    def most_at_once(self) -> int:
        """The largest cost that may ever fit."""
        return min(rate.amount for rate in parse_many(self.rates))

    def is_used_up(self, address: str) -> bool:
        """Whether the next try would be one too many."""
        return not self._ask(lambda counter, rate: counter.test(rate, self.name, address))

    def _ask(self, question: Callable[[MovingWindowRateLimiter, RateLimitItem], bool]) -> bool:
        rates = parse_many(self.rates)
        if shared_redis.is_well():
            try:
                return all(question(_counter(settings.REDIS_URL), rate) for rate in rates)
            except StorageError as problem:
                shared_redis.leave_alone(problem)
        # Without Redis each process counts for itself, as long as that lasts.
        return all(question(_counter(""), rate) for rate in rates)


WRONG_CODES: Final = Limit("wrong-codes", "10/10 minutes")
"""Typed codes of no table; after so many the next ones are slowed down (`access.guessing`)."""

SEAT_CLAIMS: Final = Limit("seat-claims", "10/minute")
"""Claims to be the player of a taken seat (`sheets.tables.claims`)."""

LOOK_UPS: Final = Limit("look-ups", "1/second")
"""Typed codes that are looked up for an address that is slowed down."""

TICKETS: Final = Limit("tickets", "1/2 minutes")
"""How often one ticket of `sheets.access.guessing` may be used, and for longer than it is good."""

NEW_TABLES: Final = Limit("new-tables", "20/minute;100/hour")
NEW_SCORINGS: Final = Limit("new-scorings", "20/minute;200/hour")
UPLOADS: Final = Limit("uploads", "30/minute;300/hour")
GROUP_FILES: Final = Limit("group-files", "6/minute;60/hour")
"""Files of whole groups. Comparing the largest with five groups takes about three seconds."""

SAVES: Final = Limit("saves", "900/minute;20000/hour")
"""Edits of levels of one's own, of scored sheets and of tallies. Their pages keep what is refused,
and send it again."""

PICTURES: Final = Limit("pictures", "60/minute;900/hour")
"""What is drawn anew as a picture, a file or a suggestion."""

PREVIEWS: Final = Limit("previews", "240/minute;4000/hour")
"""Pages that are drawn anew to be looked at: each change of a level asks for one."""

PHOTOS: Final = Limit("photos", "30/minute;300/hour")
"""Photos that are read."""

ADVICE: Final = Limit("advice", "60/minute;900/hour")
"""Questions to an expert, who thinks for up to a second; several at a table may be one address."""

STORED_UNIT_BYTES: Final = 64 * 1024
STORED: Final = Limit("stored", "2048/hour;4096/day")
"""Units of `STORED_UNIT_BYTES` that imports and kept photos take in the database, rounded up: 128
MiB an hour and 256 MiB a day.

A group of 10,000 games takes 15 to 60 MiB; a club may import it twice by mistake.
"""

STORED_AGAIN_AFTER_SECONDS: Final = 3600

READS: Final = Limit("reads", "600/minute;12000/hour")
"""Everything that is drawn, also what was drawn before and is only given again."""


def limited(limit: Limit, method: str = "POST") -> Callable[[View], View]:
    """Let a view be posted to only so often: ``@limited(NEW_TABLES)``.

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
    """429, on the page for what went wrong."""
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
    """Return how many bytes an address may store at once, if it has stored nothing else."""
    return STORED.most_at_once * STORED_UNIT_BYTES


def storage_used_up_sentence() -> str:
    """Return why nothing more is stored for an address, and until when."""
    return _(
        "Your network has stored as much as it can today. This was not stored. Try "
        "again in an hour, or tomorrow."
    )


def refuse_to_store(request: HttpRequest) -> HttpResponse:
    """429, for an address that has stored as much as it may."""
    return try_again_page(
        request,
        429,
        _("That is too much for now"),
        storage_used_up_sentence(),
        after_seconds=STORED_AGAIN_AFTER_SECONDS,
    )


def address_of(request: HttpRequest) -> str:
    """The address that a request counts for."""
    return _address(request.META.get("REMOTE_ADDR", ""), request.META.get("HTTP_X_FORWARDED_FOR"))


def address_of_scope(scope: Mapping[str, Any]) -> str:
    """The address that an ASGI request counts for."""
    told = [value for name, value in scope["headers"] if name == b"x-forwarded-for"]
    client = scope.get("client") or ("",)
    return _address(client[0], b",".join(told).decode("latin-1"))


def guesser_of(request: HttpRequest) -> str:
    """The address that a wrong code counts for."""
    return _whole_site(address_of(request))


def guesser_of_scope(scope: Mapping[str, Any]) -> str:
    """The address that a wrong code of an ASGI request counts for."""
    return _whole_site(address_of_scope(scope))


def reset() -> None:
    """Forget all tries."""
    for url in {settings.REDIS_URL, ""}:
        _counter(url).storage.reset()


def _address(remote: str, forwarded: str | None) -> str:
    if settings.SITE_URL and forwarded:
        # The proxy added the last one; whatever stands before it a client may have made up.
        remote = forwarded.rpartition(",")[2].strip()
    return counted_address(remote)


def _whole_site(address: str) -> str:
    """The /48 of an IPv6 address; any other address as it is."""
    if ":" not in address:
        return address
    return str(ip_network((address, 48), strict=False).network_address)


class _Memory(MemoryStorage):
    """The library's, in which two requests at once might start the same timer: that is an error."""

    def __init__(self) -> None:
        super().__init__()
        self._one_at_a_time = Lock()

    def acquire_entry(self, key: str, limit: int, expiry: int, amount: int = 1) -> bool:
        with self._one_at_a_time:
            return super().acquire_entry(key, limit, expiry, amount)

    def reset(self) -> int | None:
        """Wait for the library's timer, which fails if what it works on is forgotten meanwhile."""
        with self._one_at_a_time:
            self.timer.join()
            return super().reset()


@one_per_process
def _counter(redis_url: str) -> MovingWindowRateLimiter:
    if not redis_url:
        return MovingWindowRateLimiter(_Memory())
    return MovingWindowRateLimiter(
        RedisStorage(
            redis_url,
            connection_pool=shared_redis.client().connection_pool,
            key_prefix="dizzle-limits",
            wrap_exceptions=True,
        )
    )
