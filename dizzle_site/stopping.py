"""What happens when the process is asked to end, so that the database is left whole?"""

from __future__ import annotations

import gc
import logging
import signal
import sqlite3
import sys
import threading
import time
from contextlib import closing
from pathlib import Path
from types import FrameType
from typing import Final

from django.db import connection, connections

from .sqlite.base import is_same_file, log_of, set_log_aside

log = logging.getLogger(__name__)

PATIENCE_S: Final = 4.0
"""How long others are waited for who have the database open: late requests, a worker."""

AGAIN_S: Final = 0.05


class AskedToEnd(SystemExit):
    """Raised where the process is when it gets SIGTERM."""


def end_in_order() -> None:
    """Let SIGTERM, and a terminal that is closed, end the process as Ctrl-C does: by an exception.

    Whatever is open gets closed on the way out. Where Python swallows exceptions, as while it
    tidies up what nobody refers to any more, the process is asked once more a moment later.
    """
    is_asked = False
    tell = sys.unraisablehook

    def end(number: int, frame: FrameType | None) -> None:
        nonlocal is_asked
        if not is_asked:  # once is enough: what is being closed gets closed
            is_asked = True
            raise AskedToEnd(128 + number)

    def ask_again() -> None:
        nonlocal is_asked
        is_asked = False
        signal.raise_signal(signal.SIGTERM)

    def tell_or_ask_again(swallowed: sys.UnraisableHookArgs) -> None:
        if not isinstance(swallowed.exc_value, AskedToEnd):
            tell(swallowed)
            return
        later = threading.Timer(AGAIN_S, ask_again)
        later.daemon = True
        later.start()

    signal.signal(signal.SIGTERM, end)
    sys.unraisablehook = tell_or_ask_again
    if sys.platform != "win32" and signal.getsignal(signal.SIGHUP) is signal.SIG_DFL:
        signal.signal(signal.SIGHUP, lambda number, frame: signal.raise_signal(signal.SIGTERM))


def why_to_end(problem: BaseException | None) -> KeyboardInterrupt | AskedToEnd | None:
    """What was raised because somebody asked the process to end, by a signal or Ctrl-C, if so.

    What is interrupted may fail at tidying up, and then its own error hides the first one.
    """
    while problem:
        if isinstance(problem, KeyboardInterrupt | AskedToEnd):
            return problem
        problem = problem.__context__
    return None


def close_database() -> None:
    """Close the database: SQLite's is one whole file then, with no log beside it.

    Requests that were cut off may still be at work, and a worker about to end: they are waited for
    a while. Where somebody else goes on using the file, all that is stored up to now is in it.
    Nothing interrupts this, and afterwards a signal ends the process at once.
    """
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    connections.close_all()
    if connection.vendor == "sqlite":
        _make_one_file()
    else:
        connection.close_pool()  # type: ignore[attr-defined]
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)


def _make_one_file() -> None:
    give_up = time.monotonic() + PATIENCE_S
    path = Path(connection.settings_dict["NAME"])
    if not is_same_file(path):  # nothing of the old one is to be written into it
        set_log_aside(path)
        return
    while (log_path := log_of(path)).exists():
        gc.collect()  # closes what the threads of requests had open that were cut off
        _write_log_into(path)
        if not log_path.exists() or time.monotonic() > give_up:
            return
        time.sleep(AGAIN_S)


def _write_log_into(path: Path) -> None:
    """Write SQLite's log into the file; who is last to close the file takes the log away."""
    try:
        with closing(sqlite3.connect(path, timeout=1)) as database:
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    except sqlite3.Error as problem:
        log.warning("%s-wal could not be written into %s: %s", path.name, path.name, problem)
