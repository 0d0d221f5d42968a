"""How is a photo read? After those that came before it, in a process that may fail.

One photo a core is read at a time, on the whole machine; a few more wait in a line in which all
servers know everybody's place. A photo that kills its process, keeps it busy for too long or needs
too much memory is given up; so is one for which the machine had no time. Nothing of a photo is
kept, and nothing of it is logged.
"""

from __future__ import annotations

import logging
import re
import secrets
from contextlib import ExitStack
from threading import BoundedSemaphore
from typing import Final

from django.conf import settings
from django.http import HttpRequest

from dizzle_site.once import one_per_process
from sheets.http import drawing
from sheets.http.drawing import TooOften
from sheets.http.line import Line, LineFull
from sheets.http.processes import (
    READING,
    Broken,
    MemoryLimitExceeded,
    NoneFree,
    NotDrawn,
    Processes,
    TimeLimitExceeded,
    TooSlow,
    Work,
)
from sheets.http.rate_limits import PHOTOS, address_of

__all__ = [
    "LineFull",
    "MemoryLimitExceeded",
    "NotRead",
    "TimeLimitExceeded",
    "TooOften",
    "TooSlow",
    "have_read",
    "place_in_line",
]

MOST_WAITING: Final = 12
WAIT_SECONDS: Final = 60
"""So long a photo waits in line."""

_TICKET: Final = re.compile(r"[A-Za-z0-9_-]{8,40}")
_log = logging.getLogger(__name__)


class NotRead(Exception):
    """The process that read it was killed, or the program that reads it failed."""


def have_read(request: HttpRequest, work: Work, ticket: str) -> bytes:
    """Have a photo read in a process of its own, once it is its turn.

    Args:
        request: by whoever has sent it.
        work: gives what is read.
        ticket: tells whoever asks with it for its `place_in_line`.

    Raises:
        LineFull: too many wait, or it has waited for too long.
        TooOften: the address has had too many read.
        TooSlow: the machine had too much else to do.
        TimeLimitExceeded, MemoryLimitExceeded: reading it needs more than one photo may have.
        NotRead: it cannot be had, and is not to be tried again.
    """
    address = address_of(request)
    if PHOTOS.is_used_up(address):
        raise TooOften(address)
    if not settings.DRAWING_PROCESSES:
        PHOTOS.take(address)
        try:
            return work()
        except MemoryError as problem:
            raise MemoryLimitExceeded from problem
    drawing.let_go_of_the_database()
    processes = _processes(settings.DRAWING_PROCESSES)
    with ExitStack() as taken:
        for room in _rooms(request):
            if not room.acquire(blocking=False):
                raise LineFull
            taken.callback(room.release)
        if not _TICKET.fullmatch(ticket):
            ticket = secrets.token_urlsafe()
        wait = taken.enter_context(_line(processes.most).place(ticket))
        if not PHOTOS.take(address):
            raise TooOften(address)
        wait(WAIT_SECONDS)
        return _read(processes, work)


def _read(processes: Processes, work: Work) -> bytes:
    """What is read, by the next process that is free. Raises as `have_read`."""
    try:
        return processes.draw(work, WAIT_SECONDS)
    except NoneFree as none:
        raise LineFull from none
    except TooSlow:
        _log.warning("The reading of a photo took too long.")
        raise
    except TimeLimitExceeded:
        _log.warning("The reading of a photo reached its limit of processor time.")
        raise
    except MemoryLimitExceeded:
        _log.warning("The reading of a photo reached its limit of memory.")
        raise
    except NotDrawn as given_up:
        _log.warning("The reading of a photo was given up.")
        raise NotRead from given_up
    except Broken as broken:
        _log.error("The reading of a photo failed: %s", broken)
        raise NotRead from broken


def place_in_line(ticket: str) -> int | None:
    """0: the photo is being read, 1: it is the next, …; None: it has been, or never came."""
    if not settings.DRAWING_PROCESSES or not _TICKET.fullmatch(ticket):
        return None
    return _line(_processes(settings.DRAWING_PROCESSES).most).place_of(ticket)


def _rooms(request: HttpRequest) -> list[BoundedSemaphore]:
    """Of few threads one is left for moves, and one more for drawings."""
    if not drawing.has_few_threads(request):
        return []
    most = drawing.most_at_once(request)
    return [_room_beside_drawings(max(1, most - 1)), drawing.room(most)]


@one_per_process
def _room_beside_drawings(most: int) -> BoundedSemaphore:
    return BoundedSemaphore(most)


@one_per_process
def _processes(most: int) -> Processes:
    return Processes(most, READING)


@one_per_process
def _line(at_once: int) -> Line:
    return Line(settings.DATA_DIR / "reading", at_once, MOST_WAITING)
