"""Photos that users send: reading in the render pool, or the reason why it failed."""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final, NamedTuple

from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import gettext as _

from sheets.http import render_pool
from sheets.http.rate_limits import PHOTOS, address_of
from sheets.http.render_pool import (
    CpuLimitExceeded,
    MemoryLimitExceeded,
    PoolClosed,
    QueueFull,
    TaskFailed,
    TimeLimitExceeded,
    Work,
)
from sheets.http.rendering import TooOften, release_connection, request_slot
from sheets.photos import work
from sheets.photos.desk import Desk
from sheets.photos.seen import Kept, SeenPhoto, unpack
from sheets.photos.shown import ShownSheet, ShownTurn, show_sheets, show_turned
from sheets.texts.photos import RETRYABLE

_WHY: Final[Mapping[type[Exception], str]] = {
    QueueFull: "busy",
    PoolClosed: "busy",
    TimeLimitExceeded: "slow",
    TooOften: "too-often",
    CpuLimitExceeded: "time-limit",
    MemoryLimitExceeded: "memory-limit",
    TaskFailed: "not-read",
}
"""Why a photo was not read: a name of `REFUSALS` for each error."""

_TICKET: Final = re.compile(r"[A-Za-z0-9_-]{8,40}")
_log = logging.getLogger(__name__)


class ReadPhoto(NamedTuple):
    """A photo that was sent: its sheets, or ``why`` there are none, a name of `REFUSALS`.

    ``refused`` is the sentence of that. ``turned``: somebody has to say which of these is upright.
    ``pages``: how many pages its file has.
    """

    name: str
    sheets: list[ShownSheet]
    why: str = ""
    refused: str = ""
    turned: Sequence[ShownTurn] = ()
    pages: int = 1

    @property
    def is_again(self) -> bool:
        """Whether the same photo may be sent once more."""
        return self.why in RETRYABLE


class CannotRead(Exception):
    """The reading process did not do what it was asked for; ``why`` is a name of `REFUSALS`."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


def read_in_turn(request: HttpRequest, asked: Work) -> bytes:
    """Read a photo in the render pool, after those that came before it. Raises CannotRead.

    The form's ``ticket`` identifies the photo for `queue_position`.
    """
    ticket, address = request.POST.get("ticket", ""), address_of(request)

    def count() -> None:  # not a photo for which the queue is full: the page sends it again
        if not PHOTOS.take(address):
            raise TooOften

    try:
        if PHOTOS.is_used_up(address):
            raise TooOften
        with request_slot(request):
            release_connection()
            return render_pool.run(
                render_pool.PHOTOS, asked, ticket if _TICKET.fullmatch(ticket) else "", count
            )
    except (TooOften, QueueFull) as problem:
        raise CannotRead(_WHY[type(problem)]) from problem
    except TaskFailed as problem:
        _log.warning("A photo was not read: %r.", problem)
        raise CannotRead(_WHY[type(problem)]) from problem
    except MemoryError as problem:  # without worker processes
        raise CannotRead("memory-limit") from problem
    except Exception as problem:
        _log.exception("a photo was not read")
        raise CannotRead("not-read") from problem


def queue_position(ticket: str) -> int | None:
    """Return 0 while the photo is read, 1 if it is next, ...; None if it is not in the queue."""
    if not settings.DRAWING_PROCESSES or not ticket:
        return None
    return render_pool.pool(settings.DRAWING_PROCESSES).position(render_pool.PHOTOS, ticket)


def read_file(
    request: HttpRequest, desk: Desk, name: str, data: bytes, first: int, turn: int | None = None
) -> list[ReadPhoto]:
    """Read a photo, or a document page by page; the sheets are numbered from ``first`` on.

    Blank pages are left out, such as the backs of scanned sheets.

    Args:
        turn: how many quarters against the clock it is turned, where somebody has said so.
    """
    photos: list[ReadPhoto] = []
    while not photos or len(photos) < photos[0].pages:
        photo = _read_page(request, desk, name, data, first, turn, len(photos))
        if photo.is_again:
            return [photo]  # the whole file may be sent once more
        first += len(photo.sheets)
        photos.append(photo)
    return [photo for photo in photos if photo.why != "blank"] or photos[:1]


def _read_page(
    request: HttpRequest,
    desk: Desk,
    name: str,
    data: bytes,
    first: int,
    turn: int | None,
    page: int,
) -> ReadPhoto:
    try:
        seen = unpack(read_in_turn(request, _asked(desk, data, turn, page)), SeenPhoto)
    except CannotRead as problem:
        return not_read(desk, _page_name(name, page) if page else name, problem.why)
    if seen.pages > 1:
        name = _page_name(name, page)
    if seen.turned:
        return ReadPhoto(name, [], turned=show_turned(seen.turned), pages=seen.pages)
    if seen.refused:
        return not_read(desk, name, seen.refused)._replace(pages=seen.pages)
    return ReadPhoto(name, show_sheets(desk, seen.sheets, first), pages=seen.pages)


def _page_name(name: str, page: int) -> str:
    return _("%(file)s, page %(number)d") % {"file": name, "number": page + 1}


def not_read(desk: Desk, name: str, why: str) -> ReadPhoto:
    """A photo that says why there is nothing of it."""
    return ReadPhoto(name, [], why, str(desk.refusals[why]))


def _asked(desk: Desk, data: bytes, turn: int | None, page: int) -> Work:
    if desk.wanted and (pad := desk.pad):
        return partial(work.read_pad, data, desk.levels, desk.wanted, pad, turn, page)
    return partial(work.read, data, desk.levels, desk.known, page)


def clean_one(request: HttpRequest, data: bytes) -> Kept | None:
    """Write a flat sheet anew that is to be kept; None if it is none. Raises CannotRead."""
    packed = read_in_turn(request, partial(work.clean, data))
    return unpack(packed, Kept) if packed else None
