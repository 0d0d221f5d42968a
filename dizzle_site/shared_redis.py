"""What do the processes of one site share besides the database? A Redis, if REDIS_URL is set.

The site works without it, only that phones hear later and each process counts tries for itself. So
nobody waits for a Redis that is dead or hangs: after the first that finds out, all leave it alone
until a thread of its own has had an answer.
"""

from __future__ import annotations

import logging
import time
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING, Final

from django.conf import settings

from .once import one_per_process

if TYPE_CHECKING:
    from redis import Redis

log = logging.getLogger(__name__)

TIMEOUT_SECONDS: Final = 0.5
"""How long whoever finds out that Redis does not answer waits for it."""

PROBE_SECONDS: Final = 1.0
"""How often one that did not answer is asked again."""


def client() -> Redis:
    """This process's client; it makes new connections when old ones break.

    Only with REDIS_URL; the package is not needed otherwise.
    """
    return _client(settings.REDIS_URL)


def is_well() -> bool:
    """Whether there is a Redis that has answered so far: if not, it is to be left alone."""
    return bool(settings.REDIS_URL) and _state(settings.REDIS_URL).is_set()


def answers() -> bool:
    """Whether there is a Redis that answers now; asked at once, but for one left alone."""
    from redis import RedisError

    if not is_well():
        return False
    try:
        return bool(client().ping())
    except RedisError as problem:
        leave_alone(problem)
        return False


def wait_until_well(seconds: float) -> bool:
    """Wait for a Redis that is left alone, so long at most; whether it is well then."""
    return _state(settings.REDIS_URL).wait(seconds)


def leave_alone(problem: object) -> None:
    """Let nobody ask Redis before it has answered a thread that does nothing else."""
    url = settings.REDIS_URL
    with _lock:
        if not is_well():
            return
        _state(url).clear()
    log.warning("Redis does not answer, phones learn of changes later: %s", problem)
    Thread(target=_probe, args=(url,), name="redis-probe", daemon=True).start()


_lock = Lock()


@one_per_process
def _state(url: str) -> Event:
    """Set as long as the Redis of an address is well."""
    well = Event()
    well.set()
    return well


def _probe(url: str) -> None:
    from redis import RedisError

    while True:
        time.sleep(PROBE_SECONDS)
        try:
            _client(url).ping()
        except RedisError:
            continue
        _state(url).set()
        log.warning("Redis answers again.")
        return


@one_per_process
def _client(url: str) -> Redis:
    from redis import ConnectionError as Disconnected
    from redis import Redis
    from redis.backoff import NoBackoff
    from redis.retry import Retry

    return Redis.from_url(
        url,
        socket_connect_timeout=TIMEOUT_SECONDS,
        socket_timeout=TIMEOUT_SECONDS,
        # Once more at once, because the connection may be from before Redis was restarted; but
        # not if it hangs.
        retry=Retry(NoBackoff(), 1, (Disconnected,)),
    )
