"""Photos that were sent are read: each becomes sheets, or a sentence on why it does not."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from django.http import HttpRequest

from sheets.http.processes import Work
from sheets.http.reading import LineFull, NotRead, TooOften, have_read
from sheets.photos import work
from sheets.photos.desk import Desk
from sheets.photos.seen import Kept, SeenPhoto, unpack
from sheets.photos.shown import ShownSheet, show_sheets
from sheets.texts.photos import AGAIN, REFUSALS


class ReadPhoto(NamedTuple):
    """A photo that was sent: its sheets, or ``why`` there are none, a name of `REFUSALS`."""

    name: str
    sheets: list[ShownSheet]
    why: str = ""

    @property
    def refused(self) -> str:
        """The sentence of ``why``."""
        return str(REFUSALS[self.why]) if self.why else ""

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
    except (LineFull, TooOften, NotRead) as problem:
        why = {LineFull: "busy", TooOften: "too-often", NotRead: "not-read"}
        raise CannotRead(why[type(problem)]) from problem


def read_one(request: HttpRequest, desk: Desk, name: str, data: bytes, first: int) -> ReadPhoto:
    """Read a photo, whose sheets are numbered from ``first`` on."""
    try:
        packed = read_in_turn(request, partial(work.read, data, desk.levels, desk.known))
    except CannotRead as problem:
        return ReadPhoto(name, [], problem.why)
    seen = unpack(packed, SeenPhoto)
    if seen.refused:
        return ReadPhoto(name, [], seen.refused)
    return ReadPhoto(name, show_sheets(desk, seen.sheets, first))


def clean_one(request: HttpRequest, data: bytes) -> Kept | None:
    """Write a flat sheet anew that is to be kept; None if it is none. Raises CannotRead."""
    packed = read_in_turn(request, partial(work.clean, data))
    return unpack(packed, Kept) if packed else None
