"""How do the processes of one site tell each other what has changed? By Redis, if there is one.

Whoever has changed something only drops a letter; a thread sends it. While Redis does not answer
the letters wait, of each table the newest alone. Without Redis PostgreSQL takes them along, but
only with what is done all the time: with moves (`letter_to_all`).
"""

from __future__ import annotations

import atexit
import json
from threading import Condition, Thread
from typing import Final, NamedTuple

from django.conf import settings

from dizzle_site import shared_redis

LAST_SECONDS: Final = 1.0
"""How long a process that ends waits until its letters are sent."""


class Letter(NamedTuple):
    """What one process tells the others: a table's revision, or a device that lost its seat."""

    code: str
    revision: int = -1
    lost: str = ""


def send_revision(code: str, revision: int) -> None:
    """Tell the other processes a table's revision; waits for nobody."""
    _outbox.drop(Letter(code, revision=revision))


def send_revocation(code: str, token_digest: str) -> None:
    """Tell the other processes that a device lost its seat; waits for nobody."""
    _outbox.drop(Letter(code, lost=token_digest))


def letter_to_all(code: str, revision: int) -> tuple[str, str] | tuple[()]:
    """The channel and the letter for PostgreSQL's NOTIFY; nothing where Redis does that.

    NOTIFY lets one transaction after the other commit, each with its wait for the disk: many
    hundreds a second, but where there are so many, there is a Redis.
    """
    if settings.REDIS_URL:
        return ()
    from dizzle_site.postgresql.listening import CHANNEL  # psycopg, which SQLite does without

    return CHANNEL, json.dumps(Letter(code, revision=revision))


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


class _Outbox:
    """The letters that are not sent yet, and the thread that sends them."""

    def __init__(self) -> None:
        self._changed = Condition()
        # By table and device: of several revisions of a table only the newest is worth telling.
        self._letters: dict[tuple[str, str], Letter] = {}
        self._thread: Thread | None = None
        self._is_sending = False

    def drop(self, letter: Letter) -> None:
        """Leave a letter to the thread."""
        if not settings.REDIS_URL:
            return
        with self._changed:
            place = (letter.code, letter.lost)
            known = self._letters.get(place)
            if known is None or letter.revision >= known.revision:
                self._letters[place] = letter
            if self._thread is None or not self._thread.is_alive():
                self._thread = Thread(target=self._send_all, name="live-post", daemon=True)
                self._thread.start()
            self._changed.notify_all()

    def wait_until_empty(self, seconds: float) -> bool:
        """Whether all is sent after so long at most."""
        with self._changed:
            return self._changed.wait_for(
                lambda: not (self._letters or self._is_sending), timeout=seconds
            )

    def _send_all(self) -> None:
        while True:
            with self._changed:
                self._is_sending = False
                self._changed.notify_all()
                self._changed.wait_for(lambda: self._letters)
                letters = list(self._letters.values())
                self._letters.clear()
                self._is_sending = True
            for number, letter in enumerate(letters):
                if not _sent(letter):
                    self._put_back(letters[number:])
                    shared_redis.wait_until_well(shared_redis.PROBE_SECONDS)
                    break

    def _put_back(self, letters: list[Letter]) -> None:
        with self._changed:
            for letter in letters:
                self._letters.setdefault((letter.code, letter.lost), letter)


def _sent(letter: Letter) -> bool:
    """Send a letter; whether Redis has it."""
    if not settings.REDIS_URL:
        return True
    if not shared_redis.is_well():
        return False
    from redis import RedisError

    try:
        shared_redis.client().publish(channel(), json.dumps(letter))
    except RedisError as problem:
        shared_redis.leave_alone(problem)
        return False
    return True


_outbox = _Outbox()


@atexit.register
def _send_the_last() -> None:
    if settings.configured and settings.REDIS_URL and shared_redis.is_well():
        _outbox.wait_until_empty(LAST_SECONDS)
