"""Messages from the reading process to the server: plain structs that are sent through a pipe."""

from __future__ import annotations

from typing import Final, TypeVar

import msgspec
from msgspec import Struct

Box = tuple[int, int, int, int]
"""Box in the rectified picture of a sheet: x, y, width and height in pixels."""


Packed = TypeVar("Packed")
"""Type of an unpacked message."""


class Place(Struct, frozen=True):
    """A place that can have marks, see `sheets.scoring.marks`.

    ``boxes`` has one box for a field, or one for each number of a flag or race; ``numbers`` has the
    printed numbers in the same order. ``answers`` are all possible values without repetition, by
    descending likelihood. ``is_asked``: the user should check it.
    """

    at: str
    boxes: tuple[Box, ...]
    numbers: tuple[str, ...]
    answers: tuple[str, ...]
    is_asked: bool


class SeenSheet(Struct, frozen=True):
    """A rectified sheet, or the reason why it was not read.

    Attributes:
        refused: reason why it was not read, else empty.
        level: index among the possible levels, -1 for none of them.
        number: number printed next to its QR code.
        size: width and height of the picture, in pixels.
        picture: JPEG of the rectified sheet; of a refused one, a small photo with a line around it.
        blank: the same sheet as printed, a PNG; a JPEG if the empty sheet is a photo, too.
        name: JPEG of the name line, empty without one.
        places: fields, flags and races with more than one possible value.
        is_bleached: as in `SheetReading`.
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
    """Small JPEG of a sheet in one orientation; ``turn`` is its counter-clockwise quarter turns."""

    turn: int
    picture: bytes


class SeenPhoto(Struct, frozen=True):
    """All sheets of a photo; ``refused`` is the reason if there is none, else empty.

    If ``turned`` is not empty, one of its orientations is upright, and the user must choose it.
    ``pages`` is the number of pages of the file.
    """

    refused: str
    sheets: tuple[SeenSheet, ...] = ()
    turned: tuple[Turned, ...] = ()
    pages: int = 1


class PadParts(Struct, frozen=True):
    """Parts of a `Template`: its picture, and its layout as JSON."""

    picture: bytes
    layout: bytes


MAX_PICTURE_BYTES: Final = 1_500_000
"""Maximum size of a rectified sheet's picture, as the page sends it and as it is stored."""


class StoredPicture(Struct, frozen=True):
    """Picture of a rectified sheet for storage: a JPEG and its size in pixels."""

    jpeg: bytes
    width: int
    height: int


class SeenEmpty(Struct, frozen=True):
    """An empty sheet; ``refused`` is the reason if none was read, else empty.

    ``picture`` and ``layout`` (JSON) are the parts of a `Template`, ``seen`` is a `Seen` as JSON.
    """

    refused: str
    picture: bytes = b""
    layout: bytes = b""
    seen: bytes = b""


def pack(message: SeenPhoto | SeenEmpty | StoredPicture) -> bytes:
    """Serialise a message for the pipe."""
    return msgspec.msgpack.encode(message)


def unpack(packed: bytes, kind: type[Packed]) -> Packed:
    """Deserialise a packed message of that type."""
    return msgspec.msgpack.decode(packed, type=kind)
