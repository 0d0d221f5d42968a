"""What do the processes of one site share besides the database? A Redis, if REDIS_URL is set."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from django.conf import settings

if TYPE_CHECKING:
    from redis import Redis

TIMEOUT_SECONDS: Final = 1.0
"""No request waits longer for a Redis that does not answer."""


def client() -> Redis:
    """This process's client; it makes new connections when old ones break.

    Only with REDIS_URL; the package is not needed otherwise.
    """
    return _client(settings.REDIS_URL)


@cache
def _client(url: str) -> Redis:
    from redis import Redis
    from redis.backoff import NoBackoff
    from redis.retry import Retry

    return Redis.from_url(
        url,
        socket_connect_timeout=TIMEOUT_SECONDS,
        socket_timeout=TIMEOUT_SECONDS,
        # Once more at once, because the connection may be from before Redis was restarted.
        retry=Retry(NoBackoff(), 1),
    )
