"""Tasks for the process pool: each takes the bytes of a photo and returns a packed message."""

from __future__ import annotations

from collections.abc import Sequence

from sheets.photos.worker.messages import Corners, GridCorners, PadParts
from sheets.rules import Level


def read(
    data: bytes,
    levels: Sequence[Level],
    known: Sequence[Level],
    page: int = 0,
    corners: Corners | None = None,
) -> bytes:
    """Read a photo of printed sheets and return a packed `PhotoResult`.

    Args:
        data: a photo, or a document, see `sheets.vision.pages`.
        levels: levels that the sheets may have.
        known: as in `sheets.vision.reading.read_photo`.
        page: index of the document's page to read.
        corners: outer corners of the markers of the only sheet to read, if the user placed them.
    """
    # Imported here, because NumPy and OpenCV take 60 MB that the server process does not need.
    from sheets.photos.worker.printed_sheet import read_print_photo

    return read_print_photo(data, levels, known, page, corners)


def read_pad(
    data: bytes,
    levels: Sequence[Level],
    own: Level,
    pad: PadParts,
    turn: int | None,
    page: int = 0,
    corners: Corners | None = None,
) -> bytes:
    """Read a photo of a filled sheet of a pad, see `sheets.photos.worker.pad.read_pad_photo`."""
    from sheets.photos.worker.pad import read_pad_photo

    return read_pad_photo(data, levels, own, pad, turn, page, corners)


def reencode(data: bytes) -> bytes:
    """Re-encode a rectified sheet for storage, see `sheets.photos.reencoding.reencode`."""
    from sheets.photos.reencoding import reencode

    return reencode(data)


def read_empty(data: bytes, grid: GridCorners | None = None) -> bytes:
    """Read a photo of an empty sheet, see `sheets.photos.worker.empty_sheet.read_empty_photo`."""
    from sheets.photos.worker.empty_sheet import read_empty_photo

    return read_empty_photo(data, grid)


def read_empty_of(data: bytes, level: Level, corners: Corners | None = None) -> bytes:
    """Read a photo of the empty sheet of a level, see `read_empty_photo_of`."""
    from sheets.photos.worker.empty_sheet import read_empty_photo_of

    return read_empty_photo_of(data, level, corners)


def turn_empty(picture: bytes, layout: bytes) -> bytes:
    """Turn a stored empty sheet, see `sheets.photos.worker.empty_sheet.turn_empty`."""
    from sheets.photos.worker.empty_sheet import turn_empty

    return turn_empty(picture, layout)
