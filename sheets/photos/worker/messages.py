"""Messages between the server and the processes that read photos, sent through a pipe."""

from __future__ import annotations

from typing import Final, NamedTuple, TypeVar

import msgspec
from msgspec import Struct

Box = tuple[int, int, int, int]
"""Box in the rectified picture of a sheet: x, y, width and height in pixels."""


Corners = tuple[tuple[float, float], ...]
"""Corners that the user placed in a photo, as shares of its width and height; see
`sheets.vision.corners`. A wrong number of corners is refused."""


Packed = TypeVar("Packed")
"""Type of an unpacked message."""


class Place(Struct, frozen=True):
    """A field or number track of a read sheet, with its possible values.

    ``at`` is its name as in `sheets.scoring.marks`. ``boxes`` has one box for a field, or one for
    each number of a flag or race; ``numbers`` has these printed numbers in the same order.
    ``answers`` are the possible values without repetition, the most likely first. ``is_asked``: the
    reading is doubtful, and the user should check it.
    """

    at: str
    boxes: tuple[Box, ...]
    numbers: tuple[str, ...]
    answers: tuple[str, ...]
    is_asked: bool


class SheetResult(Struct, frozen=True):
    """Result of reading one sheet: the rectified sheet, or the reason why it was not read.

    Attributes:
        refused: reason why it was not read, else empty.
        level: index among the possible levels, -1 for none of them.
        number: number of the sheet in its set, from its QR code; None if unknown.
        size: width and height of the picture, in pixels.
        picture: JPEG of the rectified sheet; if it was not read, a small photo with a line around
            it.
        blank: picture of the empty sheet: a PNG of the print, or a JPEG of a pad's photo.
        name: JPEG of the name line, empty if the sheet has none.
        places: fields, flags and races with more than one possible value.
        is_bleached: whether the photo is so overexposed that it may hide marks, see
            `SheetReading.is_overexposed`.
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


class GridCorners(NamedTuple):
    """Corners of the grid of an empty sheet, and its numbers of columns and rows."""

    corners: Corners
    columns: int
    rows: int


class TurnedPicture(Struct, frozen=True):
    """Small JPEG of a sheet in one orientation; ``turn`` is its counter-clockwise quarter turns."""

    turn: int
    picture: bytes


class PhotoResult(Struct, frozen=True):
    """Result of reading a photo.

    ``refused`` is the reason if no sheet was found, else empty. If ``turned`` is not empty, the
    user must choose the upright one of these pictures. ``pages`` is the number of pages of the
    file.
    """

    refused: str
    sheets: tuple[SheetResult, ...] = ()
    turned: tuple[TurnedPicture, ...] = ()
    pages: int = 1


class PadParts(Struct, frozen=True):
    """Template of a pad's empty sheet (`Template`) for a message: picture, and layout as JSON."""

    picture: bytes
    layout: bytes


MAX_PICTURE_BYTES: Final = 1_500_000
"""Maximum size of the picture of a rectified sheet, both when uploaded and when stored."""


class StoredPicture(Struct, frozen=True):
    """Picture of a rectified sheet for storage: a JPEG and its size in pixels."""

    jpeg: bytes
    width: int
    height: int


class EmptySheetResult(Struct, frozen=True):
    """Result of reading an empty sheet.

    ``refused`` is the reason if no sheet was read, else empty. ``picture`` and ``layout`` (JSON)
    are the parts of a `Template`; ``seen`` is an `EmptySheetContent` as JSON. ``outline`` has the
    corners of the found fields in the photo, as shares of its width and height, if the sheet may
    have more fields than were found.
    """

    refused: str
    picture: bytes = b""
    layout: bytes = b""
    seen: bytes = b""
    outline: Corners = ()


def pack(message: PhotoResult | EmptySheetResult | StoredPicture) -> bytes:
    """Serialise a message for the pipe."""
    return msgspec.msgpack.encode(message)


def unpack(packed: bytes, kind: type[Packed]) -> Packed:
    """Deserialise a packed message of the type ``kind``."""
    return msgspec.msgpack.decode(packed, type=kind)
