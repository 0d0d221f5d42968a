"""What does the reading process tell of a photo? Plain values, that go through a pipe."""

from __future__ import annotations

from typing import Final, TypeVar

import msgspec
from msgspec import Struct

Box = tuple[int, int, int, int]
"""X, y, width and height in pixels of the flat sheet."""


Packed = TypeVar("Packed")


class Place(Struct, frozen=True):
    """A place that may be marked, see `sheets.scoring.marks`.

    ``boxes`` are where it lies: a field in one, a flag or race in one for each number, beside which
    ``numbers`` has what is printed in each. ``answers`` are all values that it may have, likeliest
    first, each once. ``is_asked``: a person shall look at it.
    """

    at: str
    boxes: tuple[Box, ...]
    numbers: tuple[str, ...]
    answers: tuple[str, ...]
    is_asked: bool


class SeenSheet(Struct, frozen=True):
    """A sheet laid flat; ``refused`` is why nothing was read on it, else empty.

    ``level`` is its place among the levels that it could be, -1 for none of them; ``number`` is
    what stands beside its QR code. ``picture`` is the flat sheet as a JPEG, or of a refused one the
    photo, small, with a line around it; ``size`` is that of the picture. ``blank`` is the same
    sheet as printed, as a PNG, or as a JPEG where that is a photo, too; ``name`` is a JPEG of where
    a name is written, empty without one. ``is_bleached`` as of `SheetReading`.
    """

    refused: str
    level: int = -1
    number: int | None = None
    size: tuple[int, int] = (0, 0)
    picture: bytes = b""
    blank: bytes = b""
    name: bytes = b""
    places: tuple[Place, ...] = ()
    is_bleached: bool = False


class Turned(Struct, frozen=True):
    """A small JPEG of a sheet as it stands when its photo is turned by so many quarters against
    the clock."""

    turn: int
    picture: bytes


class SeenPhoto(Struct, frozen=True):
    """All sheets of a photo; ``refused`` is why there is none, else empty.

    ``turned``: one of these is the right way up, and only a person can tell which. ``pages``: how
    many pages its file has.
    """

    refused: str
    sheets: tuple[SeenSheet, ...] = ()
    turned: tuple[Turned, ...] = ()
    pages: int = 1


class PadParts(Struct, frozen=True):
    """The parts of a `Template`: its picture, and its layout as JSON."""

    picture: bytes
    layout: bytes


MAX_KEPT_BYTES: Final = 1_500_000
"""Maximum size of a flat sheet that is kept, as the page sends it and as it is stored."""


class Kept(Struct, frozen=True):
    """A flat sheet as it is stored: a JPEG and its size in pixels."""

    jpeg: bytes
    width: int
    height: int


class SeenEmpty(Struct, frozen=True):
    """An empty sheet; ``refused`` is why none was seen, else empty.

    ``picture`` and ``layout`` (JSON) are the parts of a `Template`, ``seen`` is a `Seen` as JSON.
    """

    refused: str
    picture: bytes = b""
    layout: bytes = b""
    seen: bytes = b""


def pack(what: SeenPhoto | SeenEmpty | Kept) -> bytes:
    """As bytes, for the pipe."""
    return msgspec.msgpack.encode(what)


def unpack(packed: bytes, kind: type[Packed]) -> Packed:
    """What was packed, which is of that kind."""
    return msgspec.msgpack.decode(packed, type=kind)
