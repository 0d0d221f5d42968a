"""Photos that were sent are read: each becomes sheets, or a sentence on why it does not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final, NamedTuple

from django.http import HttpRequest
from django.utils.translation import gettext as _

from sheets.http.processes import Work
from sheets.http.reading import (
    LineFull,
    MemoryLimitExceeded,
    NotRead,
    TimeLimitExceeded,
    TooOften,
    TooSlow,
    have_read,
)
from sheets.photos import work
from sheets.photos.desk import Desk
from sheets.photos.seen import Kept, SeenPhoto, unpack
from sheets.photos.shown import ShownSheet, ShownTurn, show_sheets, show_turned
from sheets.texts.photos import AGAIN

_WHY: Final[Mapping[type[Exception], str]] = {
    LineFull: "busy",
    TooSlow: "slow",
    TooOften: "too-often",
    TimeLimitExceeded: "time-limit",
    MemoryLimitExceeded: "memory-limit",
    NotRead: "not-read",
}


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
        return self.why in AGAIN


class CannotRead(Exception):
    """The reading process did not do what it was asked for; ``why`` is a name of `REFUSALS`."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


def read_in_turn(request: HttpRequest, asked: Work) -> bytes:
    """What the reading process gives. Raises CannotRead."""
    try:
        return have_read(request, asked, request.POST.get("ticket", ""))
    except tuple(_WHY) as problem:
        raise CannotRead(_WHY[type(problem)]) from problem


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
