"""Moves of hard bots, computed in the background.

The act of a player is stored and published before a bot begins to think. A thread for the table
then waits for the render pool (`sheets.http.render_pool`) and appends the bot's move as an act. It
also computes the answer when a player asks for a hint. Nothing of this is stored: if the server
ends, the next page or stream that shows the table starts a thread, at any server.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Sequence
from datetime import timedelta
from functools import partial
from threading import Lock, Thread, Timer
from time import monotonic
from typing import Any, Final

from django.db import Error as DatabaseError
from django.db import connection

from dizzle_site.storage import StillLocked, log_thread_error
from sheets.http import render_pool
from sheets.http.render_pool import BOT_MOVES, PoolClosed, QueueFull, TaskFailed, TimeLimitExceeded
from sheets.http.rendering import release_connection
from sheets.rules import Action
from sheets.rules.documents.game import format_action, parse_action
from sheets.tables.log import Played
from sheets.tables.playing import Playing
from sheets.tables.strengths import MEDIUM

REST_SECONDS: Final = 60.0
"""How long hard bots of this server play like medium ones after one reached its time limit.

On such a busy machine players would wait in vain for each of their moves.
"""

PATIENCE: Final = timedelta(seconds=4)
"""How long a request that only reads the table waits for the server that handled the last act."""

log = logging.getLogger(__name__)
"""Logger of background moves."""

PlayOn = Callable[[str, timedelta], timedelta | None]
"""Makes the next move of a hard bot at the table with a code, if there is one.

The patience is how long after the last act another server may still be computing the move. Returns
how long to wait before another try.
"""


class Rest:
    """Pause of hard bots on this server, in which they play like medium ones.

    ``until`` is its end on the monotonic clock.
    """

    until = 0.0


class BackgroundMoves:
    """Threads that make moves, at most one for each table."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._running: set[str] = set()
        self._again: set[str] = set()
        self._delayed: set[str] = set()

    def ask(self, code: str, play_on: PlayOn, patience: timedelta) -> None:
        """Make the next move at a table, after the patience of the caller."""
        if patience:
            self._start_later(code, play_on, patience, patience)
        else:
            self._start(code, play_on, patience)

    def _start_later(
        self, code: str, play_on: PlayOn, patience: timedelta, delay: timedelta
    ) -> None:
        """Start the thread of a table after a delay, unless it is scheduled already."""
        with self._lock:
            if code in self._delayed:
                return
            self._delayed.add(code)

        def start() -> None:
            with self._lock:
                self._delayed.remove(code)
            self._start(code, play_on, patience)

        timer = Timer(delay.total_seconds(), start)
        timer.daemon = True
        timer.start()

    def _start(self, code: str, play_on: PlayOn, patience: timedelta) -> None:
        """Start the thread of a table; if it is running, let it run again afterwards."""
        with self._lock:
            if code in self._running:
                self._again.add(code)
                return
            self._running.add(code)
        Thread(
            target=self._run, args=(code, play_on, patience), name="bot-move", daemon=True
        ).start()

    def _run(self, code: str, play_on: PlayOn, patience: timedelta) -> None:
        """Make one move, then start again if asked meanwhile or if it was too early."""
        delay = _play_on(code, play_on, patience)
        with self._lock:
            self._running.remove(code)
            is_asked_again = code in self._again
            self._again.discard(code)
        if is_asked_again:
            self._start(code, play_on, timedelta())
        elif delay is not None:
            self._start_later(code, play_on, patience, delay)


def _play_on(code: str, play_on: PlayOn, patience: timedelta) -> timedelta | None:
    """Make a move; try again later if the database does not answer."""
    try:
        return play_on(code, patience)
    except PoolClosed:  # the next server makes the move
        return None
    except (DatabaseError, StillLocked) as problem:
        log_thread_error(problem)
        return PATIENCE
    except Exception:
        log.exception("the move of a bot failed")
        return None
    finally:
        connection.close()


def decide(playing: Playing[Played], game: Played, player: int) -> Sequence[Action]:
    """Return the move of a hard bot, or that of a medium one if it fails or takes too long."""
    actions = [] if monotonic() < _rest.until else think(playing, game, player)
    return actions or [playing.choose(game, player, MEDIUM)]


def think(playing: Playing[Played], game: Played, player: int) -> Sequence[Action]:
    """Return what the hard bot would do for a player; nothing if it fails or takes too long."""
    release_connection()
    try:
        return read_thought(render_pool.run(BOT_MOVES, partial(thought, playing, game, player)))
    except PoolClosed:
        raise
    except (QueueFull, TaskFailed) as problem:
        log.warning("A hard bot did not finish (%r).", problem)
        if isinstance(problem, (QueueFull, TimeLimitExceeded)):
            _rest.until = monotonic() + REST_SECONDS
    except Exception:
        log.exception("a hard bot failed")
    return []


def thought(playing: Playing[Any], game: Any, player: int) -> bytes:
    """Return what the hard bot does, as `read_thought` parses it."""
    return json.dumps([format_action(action) for action in playing.think(game, player)]).encode()


def read_thought(written: bytes) -> Sequence[Action]:
    """Parse the actions of a `thought`."""
    return [parse_action(action) for action in json.loads(written)]


_moves = BackgroundMoves()
"""Background moves of this server."""
_rest = Rest()
"""Pause of hard bots on this server."""


def ask(code: str, play_on: PlayOn, patience: timedelta = timedelta()) -> None:
    """Make the next move of a hard bot at a table in the background."""
    _moves.ask(code, play_on, patience)
