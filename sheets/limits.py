"""How often may one address try? Guessing codes, opening tables and uploading have a limit.

Counted is per address: the visitor's own, or behind the proxy of a public host (SITE_URL) the one
that this proxy reports, and nothing that stands before it. IPv6 counts by its /64, which is what
one connection gets. With REDIS_URL all processes count together, else each for itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, wraps
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Any, Final, NamedTuple

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from limits import RateLimitItem, parse_many
from limits.errors import StorageError
from limits.storage import MemoryStorage, RedisStorage
from limits.strategies import MovingWindowRateLimiter

from sheets import shared_redis

View = Callable[..., HttpResponse]

RETRY_AFTER_SECONDS: Final = 60


class Limit(NamedTuple):
    """So often from one address: ``rates`` as in "5/minute;30/hour"."""

    name: str
    rates: str

    def take(self, address: str) -> bool:
        """Count one try; False if it is one too many."""
        return self._ask(lambda counter, rate: counter.hit(rate, self.name, address))

    def is_used_up(self, address: str) -> bool:
        """Whether the next try would be one too many."""
        return not self._ask(lambda counter, rate: counter.test(rate, self.name, address))

    def _ask(self, question: Callable[[MovingWindowRateLimiter, RateLimitItem], bool]) -> bool:
        rates = parse_many(self.rates)
        try:
            return all(question(_counter(settings.REDIS_URL), rate) for rate in rates)
        except StorageError:
            # Without Redis each process counts for itself, as long as that lasts.
            return all(question(_counter(""), rate) for rate in rates)


WRONG_CODES: Final = Limit("wrong-codes", "30/minute;200/hour")
"""Codes of no table. There are 28 million codes, so this much guessing finds nothing."""

NEW_TABLES: Final = Limit("new-tables", "20/minute;100/hour")
NEW_SCORINGS: Final = Limit("new-scorings", "20/minute;200/hour")
UPLOADS: Final = Limit("uploads", "30/minute;300/hour")
SAVES: Final = Limit("saves", "900/minute;20000/hour")
"""Edits of levels of one's own. The page keeps what is not taken yet, and sends it again."""

PICTURES: Final = Limit("pictures", "60/minute;900/hour")
LOOKS: Final = Limit("looks", "240/minute;4000/hour")
"""Drawings of a level that is being made: each change asks for a new one."""


def limited(limit: Limit, method: str = "POST") -> Callable[[View], View]:
    """Let a view be posted to only so often: ``@limited(NEW_TABLES)``."""

    def decorate(view: View) -> View:
        @wraps(view)
        def guarded(request: HttpRequest, *args: Any, **more: Any) -> HttpResponse:
            if request.method == method and not limit.take(address_of(request)):
                return refuse(request)
            return view(request, *args, **more)

        return guarded

    return decorate


def let_in(request: HttpRequest, *, exists: bool, is_seated: bool) -> bool:
    """Whether somebody who gave a code may be told if there is a table; counts wrong codes.

    Who sits at the table always may, however often others of the same address have guessed.
    """
    if is_seated:
        return True
    if exists:
        return not WRONG_CODES.is_used_up(address_of(request))
    return WRONG_CODES.take(address_of(request))


def refuse(request: HttpRequest) -> HttpResponse:
    """429, on the page for what went wrong."""
    context = {
        "status": 429,
        "title": _("One moment, please"),
        "sentence": _("That was too often in a short time. Wait a minute and try again."),
    }
    response = render(request, "error.html", context, status=429)
    response["Retry-After"] = str(RETRY_AFTER_SECONDS)
    # A phone that asked through htmx shows this page in place of the one it has.
    response["HX-Retarget"] = "body"
    response["HX-Reswap"] = "innerHTML"
    return response


def address_of(request: HttpRequest) -> str:
    """The address that a request counts for."""
    return _address(request.META.get("REMOTE_ADDR", ""), request.META.get("HTTP_X_FORWARDED_FOR"))


def address_of_scope(scope: Mapping[str, Any]) -> str:
    """The address that an ASGI request counts for."""
    told = [value for name, value in scope["headers"] if name == b"x-forwarded-for"]
    client = scope.get("client") or ("",)
    return _address(client[0], b",".join(told).decode("latin-1"))


def reset() -> None:
    """Forget all tries."""
    _counter(settings.REDIS_URL).storage.reset()


def _address(remote: str, forwarded: str | None) -> str:
    if settings.SITE_URL and forwarded:
        # The proxy added the last one; whatever stands before it a client may have made up.
        remote = forwarded.rpartition(",")[2].strip()
    try:
        address = ip_address(remote)
    except ValueError:
        return "unknown"
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped:
            return str(address.ipv4_mapped)
        return str(ip_network((address.packed, 64), strict=False).network_address)
    return str(address)


@cache
def _counter(redis_url: str) -> MovingWindowRateLimiter:
    if not redis_url:
        return MovingWindowRateLimiter(MemoryStorage())
    return MovingWindowRateLimiter(
        RedisStorage(
            redis_url,
            connection_pool=shared_redis.client().connection_pool,
            key_prefix="dizzle-limits",
            wrap_exceptions=True,
        )
    )
