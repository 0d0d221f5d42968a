"""What is done in the reading process: a photo's bytes in, all that the page shows of it out."""

from __future__ import annotations

from collections.abc import Sequence

from sheets.photos.seen import PadParts
from sheets.rules import Level


def read(data: bytes, levels: Sequence[Level], known: Sequence[Level], page: int = 0) -> bytes:
    """Read a photo; what comes out is for `sheets.photos.seen.unpack`.

    Args:
        data: a photo, or a document of which a page is read, see `sheets.scanning.pages`.
        levels: what its sheets may be; ``known`` as of `sheets.scanning.reading.read_photo`.
    """
    # Here, because NumPy and OpenCV are 60 MB that no server needs.
    from sheets.photos.look import look_at_photo

    return look_at_photo(data, levels, known, page)


def read_pad(
    data: bytes, levels: Sequence[Level], own: Level, pad: PadParts, turn: int | None, page: int = 0
) -> bytes:
    """Read a photo of a leaf of a pad, or of our print of it, see `sheets.photos.look_pad`."""
    from sheets.photos.look_pad import look_at_pad

    return look_at_pad(data, levels, own, pad, turn, page)


def clean(data: bytes) -> bytes:
    """Write a flat sheet anew that is to be kept, see `sheets.photos.flat.clean`."""
    from sheets.photos.flat import clean

    return clean(data)


def read_empty(data: bytes) -> bytes:
    """Read a photo of an empty sheet, see `sheets.photos.look_empty.look_at_empty`."""
    from sheets.photos.look_empty import look_at_empty

    return look_at_empty(data)


def read_empty_of(data: bytes, level: Level) -> bytes:
    """Read a photo of a known level's empty sheet, see `look_empty.look_at_empty_of`."""
    from sheets.photos.look_empty import look_at_empty_of

    return look_at_empty_of(data, level)


def turn_empty(picture: bytes, layout: bytes) -> bytes:
    """Turn an empty sheet that is kept, see `sheets.photos.look_empty.turn_empty`."""
    from sheets.photos.look_empty import turn_empty

    return turn_empty(picture, layout)
