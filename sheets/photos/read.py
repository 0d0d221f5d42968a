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
from sheets.photos.seen import SeenPhoto, StoredPicture, unpack
from sheets.photos.shown import ShownSheet, ShownTurn, show_sheets, show_turned
from sheets.texts.photos import RETRYABLE

_REASONS: Final[Mapping[type[Exception], str]] = {
    QueueFull: "busy",
    PoolClosed: "busy",
    TimeLimitExceeded: "slow",
    TooOften: "too-often",
    CpuLimitExceeded: "time-limit",
    MemoryLimitExceeded: "memory-limit",
    TaskFailed: "not-read",
}
"""Reason for each error: a name of `sheets.texts.photos.REFUSALS`."""

_TICKET: Final = re.compile(r"[A-Za-z0-9_-]{8,40}")
"""Pattern of a valid ticket, which identifies a photo in the queue."""

_log = logging.getLogger(__name__)


class ReadPhoto(NamedTuple):
    """An uploaded photo: its sheets, or the reason ``why`` it has none, a name of `REFUSALS`.

    ``refused`` is the sentence of the reason. If ``turned`` is not empty, the user must choose the
    upright one of these. ``pages`` is the number of pages of the file.
    """

    name: str
    sheets: list[ShownSheet]
    why: str = ""
    refused: str = ""
    turned: Sequence[ShownTurn] = ()
    pages: int = 1

    @property
    def is_again(self) -> bool:
        """Whether it makes sense to send the same photo again."""
        return self.why in RETRYABLE


class CannotRead(Exception):
    """A photo could not be read or cleaned; the reason ``why`` is a name of `REFUSALS`."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


def read_in_pool(request: HttpRequest, task: Work) -> bytes:
    """Run a reading task in the render pool's queue, with a rate limit. Raises CannotRead.

    The form's ``ticket`` identifies the photo for `queue_position`.
    """
    ticket, address = request.POST.get("ticket", ""), address_of(request)

    def count() -> None:  # does not count photos that a full queue refuses: they are sent again
        if not PHOTOS.take(address):
            raise TooOften

    try:
        if PHOTOS.is_used_up(address):
            raise TooOften
        with request_slot(request):
            release_connection()
            return render_pool.run(
                render_pool.PHOTOS, task, ticket if _TICKET.fullmatch(ticket) else "", count
            )
    except (TooOften, QueueFull) as problem:
        raise CannotRead(_REASONS[type(problem)]) from problem
    except TaskFailed as problem:
        _log.warning("A photo was not read: %r.", problem)
        raise CannotRead(_REASONS[type(problem)]) from problem
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
    """Read a photo, or a document page by page.

    Blank pages are left out, such as the backs of scanned sheets.

    Args:
        name: name of the file.
        first: number of the first sheet on the web page.
        turn: counter-clockwise quarter turns, if the user has chosen the orientation.
    """
    photos: list[ReadPhoto] = []
    while not photos or len(photos) < photos[0].pages:
        photo = _read_page(request, desk, name, data, first, turn, len(photos))
        if photo.is_again:
            return [photo]  # the user can send the whole file again
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
        seen = unpack(read_in_pool(request, _make_task(desk, data, turn, page)), SeenPhoto)
    except CannotRead as problem:
        return unread_photo(desk, _page_name(name, page) if page else name, problem.why)
    if seen.pages > 1:
        name = _page_name(name, page)
    if seen.turned:
        return ReadPhoto(name, [], turned=show_turned(seen.turned), pages=seen.pages)
    if seen.refused:
        return unread_photo(desk, name, seen.refused)._replace(pages=seen.pages)
    return ReadPhoto(name, show_sheets(desk, seen.sheets, first), pages=seen.pages)


def _page_name(name: str, page: int) -> str:
    return _("%(file)s, page %(number)d") % {"file": name, "number": page + 1}


def unread_photo(desk: Desk, name: str, why: str) -> ReadPhoto:
    """Return a photo that was not read, with the sentence of the reason."""
    return ReadPhoto(name, [], why, str(desk.refusals[why]))


def _make_task(desk: Desk, data: bytes, turn: int | None, page: int) -> Work:
    if desk.wanted and (pad := desk.pad):
        return partial(work.read_pad, data, desk.levels, desk.wanted, pad, turn, page)
    return partial(work.read, data, desk.levels, desk.known, page)


def clean_picture(request: HttpRequest, data: bytes) -> StoredPicture | None:
    """Re-encode a rectified sheet for storage; None if it is no such JPEG. Raises CannotRead."""
    packed = read_in_pool(request, partial(work.clean, data))
    return unpack(packed, StoredPicture) if packed else None
