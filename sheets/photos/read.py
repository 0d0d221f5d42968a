"""Photos that were sent are read: each becomes sheets, or a sentence on why it does not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final, NamedTuple

from django.http import HttpRequest

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
    """

    name: str
    sheets: list[ShownSheet]
    why: str = ""
    refused: str = ""
    turned: Sequence[ShownTurn] = ()

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


def read_one(
    request: HttpRequest, desk: Desk, name: str, data: bytes, first: int, turn: int | None = None
) -> ReadPhoto:
    """Read a photo, whose sheets are numbered from ``first`` on.

    Args:
        turn: how many quarters against the clock it is turned, where somebody has said so.
    """
    try:
        seen = unpack(read_in_turn(request, _asked(desk, data, turn)), SeenPhoto)
    except CannotRead as problem:
        return not_read(desk, name, problem.why)
    if seen.turned:
        return ReadPhoto(name, [], turned=show_turned(seen.turned))
    if seen.refused:
        return not_read(desk, name, seen.refused)
    return ReadPhoto(name, show_sheets(desk, seen.sheets, first))


def not_read(desk: Desk, name: str, why: str) -> ReadPhoto:
    """A photo that says why there is nothing of it."""
    return ReadPhoto(name, [], why, str(desk.refusals[why]))


def _asked(desk: Desk, data: bytes, turn: int | None) -> Work:
    if desk.wanted and (pad := desk.pad):
        return partial(work.read_pad, data, desk.levels, desk.wanted, pad, turn)
    return partial(work.read, data, desk.levels, desk.known)


def clean_one(request: HttpRequest, data: bytes) -> Kept | None:
    """Write a flat sheet anew that is to be kept; None if it is none. Raises CannotRead."""
    packed = read_in_turn(request, partial(work.clean, data))
    return unpack(packed, Kept) if packed else None
