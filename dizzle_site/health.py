"""Is the site well? For a monitor or a proxy that asks every few seconds.

It is well if a change can be stored: so one is stored, to a row that is there for nothing else. Who
asks between two tries is told what came of the last one.
"""

from __future__ import annotations

import secrets
import time
from threading import Lock, Timer
from typing import Final

from django.apps import apps
from django.conf import settings
from django.db import Error, OperationalError, connection
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from . import shared_redis
from .environment import COMMAND
from .sqlite.base import find_damage
from .storage import DAMAGED, failure_of, has_failed, quiet_log

WELL_SECONDS: Final = 10.0
"""How long "ok" is believed, unless a request has failed meanwhile."""

ILL_SECONDS: Final = 1.0
"""How soon after a failure it is tried again."""

PADDING_BYTES: Final = 32_768
"""A little more than a move writes: nobody is refused while this is taken."""

CHECK_SECONDS: Final = 60.0
"""How often at most SQLite's whole file is looked through: that takes half a second for 90 MB."""

CHECK_SHARE: Final = 0.01
"""And so much of the time at most."""

CHECK_PATIENCE_SECONDS: Final = 2.0
"""When a look is given up; a file that large is not judged as a whole."""

REFUSED: Final = f"The database refuses to store. Has {COMMAND} prepare been run?"


class Pulse:
    """What this process last found.

    ``failure`` is empty, or one sentence that says what fails; ``has_redis`` is false where there
    should be a Redis and none answers.
    """

    def __init__(self) -> None:
        self.failure = ""
        self.has_redis = True
        self._damage = ""
        self._lock = Lock()
        self._next_try = self._next_check = 0.0

    def feel(self) -> None:
        """Try again if it is time; who comes meanwhile does not wait, but for the first try."""
        if not self._lock.acquire(blocking=not self._next_try):
            return
        try:
            if time.monotonic() >= self._next_try or (has_failed.is_set() and not self.failure):
                has_failed.clear()
                self.failure = self._try()
                self.has_redis = not settings.REDIS_URL or shared_redis.answers()
                self._next_try = time.monotonic() + (ILL_SECONDS if self.failure else WELL_SECONDS)
        finally:
            self._lock.release()

    def _try(self) -> str:
        try:
            self._check_file()
            _store()
        except Error as problem:
            failure = failure_of(problem) or REFUSED
            quiet_log.error(failure, problem)
            return failure
        if self._damage:
            quiet_log.error(DAMAGED, self._damage)
            return DAMAGED
        return ""

    def _check_file(self) -> None:
        """Note what is wrong with SQLite's file, now and then."""
        began = time.monotonic()
        if connection.vendor == "sqlite" and began >= self._next_check:
            self._damage = _damage_of_file()
            taken = time.monotonic() - began
            self._next_check = began + max(CHECK_SECONDS, taken / CHECK_SHARE)


pulse: Final = Pulse()


@never_cache
@require_safe
def health(request: HttpRequest) -> HttpResponse:
    """200 and "ok" if a change can be stored, else 503 and why not; both as plain text.

    A Redis that is silent is told, but does no harm.
    """
    pulse.feel()
    if pulse.failure:
        return _plain(pulse.failure, 503)
    return _plain("ok" if pulse.has_redis else "ok, but Redis does not answer", 200)


def _store() -> None:
    rows = apps.get_model(settings.HEARTBEAT_MODEL)._default_manager
    rows.update_or_create(pk=1, defaults={"padding": secrets.token_hex(PADDING_BYTES // 2)})


def _damage_of_file() -> str:
    """What SQLite first finds wrong with its file; empty if nothing is, or none is found in time.

    Raises:
        DatabaseError: it cannot even be looked through.
    """
    with connection.cursor() as cursor:
        patience = Timer(CHECK_PATIENCE_SECONDS, connection.connection.interrupt)
        patience.start()
        try:
            return find_damage(cursor)
        except OperationalError as problem:
            if failure_of(problem):
                raise
            return ""  # interrupted
        finally:
            patience.cancel()
            patience.join()


def _plain(sentence: str, status: int) -> HttpResponse:
    plain = "text/plain; charset=utf-8"
    response = HttpResponse(sentence + "\n", status=status, content_type=plain)
    response._has_been_logged = True  # type: ignore[attr-defined]  # what fails, once a minute
    return response
