"""Tasks of the reading process: from a photo's bytes to a packed result."""

from __future__ import annotations

from collections.abc import Sequence

from sheets.photos.seen import PadParts
from sheets.rules import Level


def read(data: bytes, levels: Sequence[Level], known: Sequence[Level], page: int = 0) -> bytes:
    """Read a photo of printed sheets; the result is for `sheets.photos.seen.unpack`.

    Args:
        data: a photo, or a document, see `sheets.scanning.pages`.
        levels: levels that its sheets may have.
        known: as in `sheets.scanning.reading.read_photo`.
        page: index of the document's page to read.
    """
    # Imported here, because NumPy and OpenCV take 60 MB that the server process does not need.
    from sheets.photos.look import read_print_photo

    return read_print_photo(data, levels, known, page)


def read_pad(
    data: bytes, levels: Sequence[Level], own: Level, pad: PadParts, turn: int | None, page: int = 0
) -> bytes:
    """Read a photo of a bought pad's filled sheet, see `sheets.photos.look_pad.read_pad_photo`."""
    from sheets.photos.look_pad import read_pad_photo

    return read_pad_photo(data, levels, own, pad, turn, page)


def clean(data: bytes) -> bytes:
    """Re-encode a rectified sheet for storage, see `sheets.photos.flat.clean`."""
    from sheets.photos.flat import clean

    return clean(data)


def read_empty(data: bytes) -> bytes:
    """Read a photo of an empty sheet, see `sheets.photos.look_empty.read_empty_photo`."""
    from sheets.photos.look_empty import read_empty_photo

    return read_empty_photo(data)


def read_empty_of(data: bytes, level: Level) -> bytes:
    """Read a photo of an entered level's empty sheet, see `look_empty.read_empty_photo_of`."""
    from sheets.photos.look_empty import read_empty_photo_of

    return read_empty_photo_of(data, level)


def turn_empty(picture: bytes, layout: bytes) -> bytes:
    """Turn a stored empty sheet, see `sheets.photos.look_empty.turn_empty`."""
    from sheets.photos.look_empty import turn_empty

    return turn_empty(picture, layout)
