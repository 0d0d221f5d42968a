"""How do the processes of one site tell each other what has changed? By Redis, if there is one."""

from __future__ import annotations

import json
import logging
import time
from typing import Final, NamedTuple

from django.conf import settings

from sheets import shared_redis

log = logging.getLogger(__name__)

PAUSE_SECONDS: Final = 5.0
"""How long a Redis that did not answer is left alone, so that no move waits for it."""

_silent_until = 0.0


class Letter(NamedTuple):
    """What one process tells the others: a table's revision, or a device that lost its seat."""

    code: str
    revision: int = -1
    lost: str = ""


def send_revision(code: str, revision: int) -> None:
    """Tell the other processes a table's revision."""
    _send(Letter(code, revision=revision))


def send_revocation(code: str, token_digest: str) -> None:
    """Tell the other processes that a device lost its seat."""
    _send(Letter(code, lost=token_digest))


def open_letter(message: bytes) -> Letter | None:
    """Read what another process sent; None for what none of ours would send."""
    try:
        code, revision, lost = json.loads(message)
        return Letter(str(code), int(revision), str(lost))
    except (ValueError, TypeError):
        return None


def channel() -> str:
    """The channel of this site. Channels know no database numbers, so the name has it."""
    number = shared_redis.client().get_connection_kwargs().get("db") or 0
    return f"dizzle-live-{number}"


def _send(letter: Letter) -> None:
    """Send, or leave it: every process looks into the database now and then, too."""
    global _silent_until
    if not settings.REDIS_URL or time.monotonic() < _silent_until:
        return
    from redis import RedisError

    try:
        shared_redis.client().publish(channel(), json.dumps(letter))
    except RedisError as problem:
        _silent_until = time.monotonic() + PAUSE_SECONDS
        log.warning("Redis does not answer, phones learn of changes later: %s", problem)
