"""Reading of uploaded photos in the process pool, with the reason for each failure."""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final, NamedTuple

from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import gettext as _

from sheets.http import process_pool
from sheets.http.process_pool import (
    CpuLimitExceeded,
    MemoryLimitExceeded,
    PoolClosed,
    QueueFull,
    TaskFailed,
    TimeLimitExceeded,
    Work,
)
from sheets.http.rate_limits import PHOTOS, address_of
from sheets.http.rendering import RateLimitReached, release_connection, request_slot
from sheets.photos.page_context import PhotoPageContext
from sheets.photos.presentation import ShownSheet, ShownTurn, show_sheets, show_turned
from sheets.photos.worker import tasks
from sheets.photos.worker.messages import Corners, PhotoResult, StoredPicture, unpack
from sheets.text.photos import AT_CORNERS, RETRYABLE

_REASONS: Final[Mapping[type[Exception], str]] = {
    QueueFull: "busy",
    PoolClosed: "busy",
    TimeLimitExceeded: "slow",
    RateLimitReached: "too-often",
    CpuLimitExceeded: "time-limit",
    MemoryLimitExceeded: "memory-limit",
    TaskFailed: "not-read",
}
"""Reason (a key of `sheets.text.photos.REFUSALS`) by type of exception."""

_TICKET: Final = re.compile(r"[A-Za-z0-9_-]{8,40}")
"""Pattern of a valid ticket: the id with which the page finds its photo in the queue."""

_log = logging.getLogger(__name__)


class ReadPhoto(NamedTuple):
    """Result of reading an uploaded photo: its sheets, or why it has none.

    ``reason`` is a key of `REFUSALS`, ``refused`` the sentence for the user; both are empty if the
    photo was read. If ``turned`` is not empty, the user must choose the upright one of these
    pictures. ``pages`` is the number of pages of the file.
    """

    name: str
    sheets: list[ShownSheet]
    reason: str = ""
    refused: str = ""
    turned: Sequence[ShownTurn] = ()
    pages: int = 1

    @property
    def is_retryable(self) -> bool:
        """Whether the same photo may be read later, because the reason is temporary."""
        return self.reason in RETRYABLE

    @property
    def can_mark_corners(self) -> bool:
        """Whether the user can mark the corners of the sheet, because it was not found."""
        return self.reason in AT_CORNERS


class CannotRead(Exception):
    """A photo could not be read or re-encoded; ``reason`` is a key of `REFUSALS`."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def read_in_pool(request: HttpRequest, task: Work) -> bytes:
    """Run a reading task in the process pool, which has a queue, with a rate limit.

    `queue_position` finds the photo by the field ``ticket`` of the form. Raises CannotRead.
    """
    ticket, address = request.POST.get("ticket", ""), address_of(request)

    def count() -> None:  # does not count photos that a full queue refuses: they are sent again
        if not PHOTOS.hit(address):
            raise RateLimitReached

    try:
        if PHOTOS.is_used_up(address):
            raise RateLimitReached
        with request_slot(request):
            release_connection()
            return process_pool.run(
                process_pool.PHOTO_READING, task, ticket if _TICKET.fullmatch(ticket) else "", count
            )
    except (RateLimitReached, QueueFull) as problem:
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
    """Return the position of a photo in the queue: 0 while it is read, 1 if it is next, and so on.

    None if it is not in the queue.
    """
    if not settings.DRAWING_PROCESSES or not ticket:
        return None
    return process_pool.pool(settings.DRAWING_PROCESSES).position(
        process_pool.PHOTO_READING, ticket
    )


def read_file(
    request: HttpRequest,
    page_context: PhotoPageContext,
    name: str,
    data: bytes,
    first: int,
    turn: int | None = None,
    corners: Corners | None = None,
) -> list[ReadPhoto]:
    """Read a photo, or a document page by page; return a result for each page.

    Blank pages, such as the backs of scanned sheets, are left out. If a page fails for a temporary
    reason, the only result is its failure.

    Args:
        name: name of the file.
        data: content of the file.
        first: number that the first sheet gets on the web page.
        turn: counter-clockwise quarter turns, if the user has chosen the orientation.
        corners: corners of the only sheet to read, if the user has placed them.
    """
    photos: list[ReadPhoto] = []
    while not photos or len(photos) < photos[0].pages:
        task = _make_task(page_context, data, turn, len(photos), corners)
        photo = _read_page(request, page_context, name, task, first, len(photos))
        if photo.is_retryable:
            return [photo]  # the user can send the whole file again
        first += len(photo.sheets)
        photos.append(photo)
    return [photo for photo in photos if photo.reason != "blank"] or photos[:1]


def _read_page(
    request: HttpRequest,
    page_context: PhotoPageContext,
    name: str,
    task: Work,
    first: int,
    page: int,
) -> ReadPhoto:
    try:
        seen = unpack(read_in_pool(request, task), PhotoResult)
    except CannotRead as problem:
        return unread_photo(page_context, _page_name(name, page) if page else name, problem.reason)
    if seen.pages > 1:
        name = _page_name(name, page)
    if seen.turned:
        return ReadPhoto(name, [], turned=show_turned(seen.turned), pages=seen.pages)
    if seen.refused:
        return unread_photo(page_context, name, seen.refused)._replace(pages=seen.pages)
    return ReadPhoto(name, show_sheets(page_context, seen.sheets, first), pages=seen.pages)


def _page_name(name: str, page: int) -> str:
    return _("%(file)s, page %(number)d") % {"file": name, "number": page + 1}


def unread_photo(page_context: PhotoPageContext, name: str, reason: str) -> ReadPhoto:
    """Return the result for a photo that was not read; ``reason`` is a key of `REFUSALS`."""
    return ReadPhoto(name, [], reason, str(page_context.refusals[reason]))


def _make_task(
    page_context: PhotoPageContext,
    data: bytes,
    turn: int | None,
    page: int,
    corners: Corners | None,
) -> Work:
    levels = page_context.levels
    if page_context.wanted and (pad := page_context.pad):
        return partial(tasks.read_pad, data, levels, page_context.wanted, pad, turn, page, corners)
    return partial(tasks.read, data, levels, page_context.known, page, corners)


def reencode_picture(request: HttpRequest, data: bytes) -> StoredPicture | None:
    """Re-encode the picture of a rectified sheet for storage, in the process pool.

    None if ``data`` is no JPEG or too large. Raises CannotRead.
    """
    packed = read_in_pool(request, partial(tasks.reencode, data))
    return unpack(packed, StoredPicture) if packed else None
