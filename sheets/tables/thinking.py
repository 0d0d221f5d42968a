"""Where do bots think that need a second for a decision? Beside the server, so that nobody waits.

So does an expert who is asked by a player what they would do (`advice`).

What somebody has done is stored and told before a bot begins to think about it. A few threads ask
processes of their own (`sheets.http.processes`) and then do what those say, as an act like any
other. Nothing of this is kept: if a server ends in between, whoever looks at the table next, at
any server, has it thought about anew.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Sequence
from datetime import timedelta
from functools import partial
from threading import Condition, Thread
from time import monotonic
from typing import Any, Final, NamedTuple

from django.conf import settings
from django.db import Error as DatabaseError
from django.db import connection

from dizzle_site.once import one_per_process
from dizzle_site.storage import SILENT, StillLocked, failure_of, quiet_log
from sheets.http.processes import Broken, Lane, NoneFree, NotDrawn, Processes, TooSlow
from sheets.rules import Action
from sheets.rules.documents.game import format_action, parse_action
from sheets.tables.log import Played
from sheets.tables.playing import Playing
from sheets.tables.strengths import USUAL

LONGEST_SECONDS: Final = 10
"""Who has not decided by then plays as most bots do."""

REST_SECONDS: Final = 60.0
"""After a thought that took too long all bots of this server play as most do for so long: where so
much else is to be done, each of an expert's decisions would be waited for in vain."""

PATIENCE: Final = timedelta(seconds=4)
"""How long who only looks waits for the server at which somebody has acted to think."""

IDLE_SECONDS: Final = 5.0
"""After so long without anything to think about a thread ends."""

LANE: Final = Lane("thinking", 5, longest_seconds=LONGEST_SECONDS)

log = logging.getLogger(__name__)

PlayOn = Callable[[str, timedelta], timedelta | None]
"""Takes the next decision of a bot that thinks at the table with a code, if there is one.

Who only looks has patience with a server that may be at it: given back is how long to wait first.
"""


class Rest:
    """Until when on the monotonic clock no bot of this server thinks."""

    until = 0.0


class Asked(NamedTuple):
    """A table that is to play on, when that is due on the monotonic clock, and the patience."""

    due: float
    patience: timedelta
    play_on: PlayOn


class Thinkers:
    """The threads; one table is never thought about by two of them at once."""

    def __init__(self) -> None:
        self._changed = Condition()
        self._asked: dict[str, Asked] = {}
        self._busy: set[str] = set()
        self._threads = 0

    def ask(self, code: str, asked: Asked) -> None:
        """See to it that a table plays on, at the earliest time that was asked for."""
        with self._changed:
            known = self._asked.get(code)
            if known is None or asked.due < known.due:
                self._asked[code] = asked
            if self._threads < min(most(), len(self._asked) + len(self._busy)):
                self._threads += 1
                Thread(target=self._work, name="table-thinking", daemon=True).start()
            self._changed.notify()

    def _work(self) -> None:
        try:
            while taken := self._next():
                code, asked = taken
                wait = _play_on(code, asked)
                with self._changed:
                    self._busy.discard(code)
                    self._changed.notify()
                if wait is not None:
                    self.ask(code, asked._replace(due=monotonic() + wait.total_seconds()))
        finally:
            connection.close()

    def _next(self) -> tuple[str, Asked] | None:
        """What is due first; None after a while without any: the thread is over."""
        idle_until = monotonic() + IDLE_SECONDS
        with self._changed:
            while True:
                free = [(asked.due, code) for code, asked in self._asked.items()]
                free = [(due, code) for due, code in free if code not in self._busy]
                due, code = min(free, default=(idle_until, ""))
                if due > monotonic():
                    self._changed.wait(due - monotonic())
                elif code:
                    self._busy.add(code)
                    return code, self._asked.pop(code)
                else:
                    self._threads -= 1
                    return None


def _play_on(code: str, asked: Asked) -> timedelta | None:
    """Play on, whatever happens; where the database is silent, later."""
    try:
        return asked.play_on(code, asked.patience)
    except (DatabaseError, StillLocked) as problem:
        quiet_log.error(failure_of(problem) or SILENT, problem)
        connection.close()
        return PATIENCE
    except Exception:  # whatever it is, the other tables play on
        log.exception("no decision of a bot")
        return None
    finally:
        if connection.vendor != "sqlite":
            connection.close()  # given back to the pool, which others wait for


def decide(playing: Playing[Played], game: Played, player: int) -> Sequence[Action]:
    """What a bot that thinks does; what one that does not, where it fails or takes too long."""
    actions = [] if monotonic() < _rest.until else think(playing, game, player)
    return actions or [playing.choose(game, player, USUAL)]


def think(playing: Playing[Played], game: Played, player: int) -> Sequence[Action]:
    """What an expert does for a player; nothing where it fails or takes too long."""
    work = partial(thought, playing, game, player)
    try:
        if not settings.DRAWING_PROCESSES:
            return read_thought(work())
        connection.close()  # whoever waits for this needs none
        return read_thought(_processes(most()).draw(work, LONGEST_SECONDS))
    except (Broken, NoneFree, NotDrawn) as problem:
        log.warning("A bot did not think to the end (%r).", problem)
        if isinstance(problem, (NoneFree, TooSlow)):
            _rest.until = monotonic() + REST_SECONDS
    except Exception:
        log.exception("a bot that thinks failed")
    return []


def thought(playing: Playing[Any], game: Any, player: int) -> bytes:
    """What a bot does that thinks about it, as `read_thought` reads it."""
    return json.dumps([format_action(action) for action in playing.think(game, player)]).encode()


def read_thought(written: bytes) -> Sequence[Action]:
    """The actions of a `thought`."""
    return [parse_action(action) for action in json.loads(written)]


def most() -> int:
    """How many think at once."""
    return max(1, int(settings.DRAWING_PROCESSES))


@one_per_process
def _processes(count: int) -> Processes:
    return Processes(count, LANE)


_thinkers = Thinkers()
_rest = Rest()


def ask(code: str, play_on: PlayOn, patience: timedelta = timedelta()) -> None:
    """Have a table play on; waits for nobody."""
    _thinkers.ask(code, Asked(monotonic() + patience.total_seconds(), patience, play_on))
