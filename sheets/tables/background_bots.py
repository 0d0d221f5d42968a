"""Moves of hard bots, computed in the background.

The act of a player is stored and published before a bot begins to think. A thread for the table
then waits for the process pool and appends the bot's move as an act. It also computes the answer
when a player asks for a hint. Nothing of this is stored: if the server ends, the next page or
stream that shows the table starts a thread, at any server.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Sequence
from datetime import timedelta
from functools import partial
from threading import Lock, Thread, Timer
from time import monotonic
from typing import TYPE_CHECKING, Any, Final

from django.db import Error as DatabaseError
from django.db import connection

from dizzle_site.database_errors import StillLocked, log_thread_error
from sheets.http import process_pool
from sheets.http.process_pool import BOT_MOVES, PoolClosed, QueueFull, TaskFailed, TimeLimitExceeded
from sheets.http.rendering import release_connection
from sheets.rules import Action
from sheets.rules.documents.game import format_action, parse_action
from sheets.tables.bots import MEDIUM
from sheets.tables.event_log import GameState

if TYPE_CHECKING:  # workers of the process pool import this module
    from sheets.tables.family import GameFamily

HARD_BOT_PAUSE_SECONDS: Final = 60.0
"""How long this server's hard bots play like medium ones after one timed out, in seconds.

A time-out, or a full queue, shows that the machine is busy. Without the pause, players would wait
for the time limit at every move of a hard bot.
"""

PATIENCE: Final = timedelta(seconds=4)
"""How long after the last act only the server that handled it computes the bot's move.

Later, a request that only reads the table starts the computation on its own server, too. It is also
the delay before another try after a database error.
"""

log = logging.getLogger(__name__)
"""Logger of background moves."""

PlayOn = Callable[[str, timedelta], timedelta | None]
"""Function that computes the due hint or hard bot's move at a table, if any, and appends it.

Its arguments are the table's code, and the patience: how long after the last act another server may
still be computing. It returns the delay before another try, None if no other try is needed.
"""


class Rest:
    """Pause of hard bots on this server, in which they play like medium ones.

    ``until`` is its end on the monotonic clock.
    """

    until = 0.0


class BackgroundMoves:
    """Threads that compute bots' moves and hints, at most one running for each table."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._running: set[str] = set()
        self._again: set[str] = set()
        self._delayed: set[str] = set()

    def ask(self, code: str, play_on: PlayOn, patience: timedelta) -> None:
        """Start the thread that makes the next move at a table, after the patience if any."""
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
        """Make one move; start again if `ask` was called meanwhile, or after a returned delay."""
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
    """Call ``play_on`` and log its errors; return the delay before another try, None for no try.

    Another try follows if the database does not answer.
    """
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


def decide(family: GameFamily[Any], game: GameState, player: int) -> Sequence[Action]:
    """Return the move of a hard bot.

    It is the move of a medium bot during the pause of hard bots (`Rest`), or if the hard bot fails
    or takes too long.
    """
    actions = [] if monotonic() < _rest.until else think(family, game, player)
    return actions or [family.choose(game, player, MEDIUM)]


def think(family: GameFamily[Any], game: GameState, player: int) -> Sequence[Action]:
    """Return the hard bot's actions for a player, computed in the process pool.

    Empty if it fails or takes too long. Raises PoolClosed when the server stops.
    """
    release_connection()
    try:
        task = partial(think_as_json, family.think, game, player)
        return parse_actions(process_pool.run(BOT_MOVES, task))
    except PoolClosed:
        raise
    except (QueueFull, TaskFailed) as problem:
        log.warning("A hard bot did not finish (%r).", problem)
        if isinstance(problem, (QueueFull, TimeLimitExceeded)):
            _rest.until = monotonic() + HARD_BOT_PAUSE_SECONDS
    except Exception:
        log.exception("a hard bot failed")
    return []


def think_as_json(think: Callable[[Any, int], Sequence[Action]], game: Any, player: int) -> bytes:
    """Return the hard bot's actions as JSON; runs in a worker of the process pool."""
    return json.dumps([format_action(action) for action in think(game, player)]).encode()


def parse_actions(written: bytes) -> Sequence[Action]:
    """Parse the actions that `think_as_json` wrote."""
    return [parse_action(action) for action in json.loads(written)]


_moves = BackgroundMoves()
"""Background moves of this server."""
_rest = Rest()
"""Pause of hard bots on this server."""


def ask(code: str, play_on: PlayOn, patience: timedelta = timedelta()) -> None:
    """Make the next move of a hard bot at a table in the background."""
    _moves.ask(code, play_on, patience)
