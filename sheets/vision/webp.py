"""Parser for the header of WebP files, used before any pixel is decoded.

Pillow allocates two whole pictures before it reports their size.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import NamedTuple

_ANIMATED = 2
"""Flag of animated files in the VP8X chunk."""


class Header(NamedTuple):
    """Largest size that any chunk declares, EXIF data, and whether the file is animated."""

    width: int
    height: int
    exif: bytes
    is_animated: bool


def is_webp(data: bytes) -> bool:
    """Return whether a file has the signature of WebP."""
    return data[:4] == b"RIFF" and data[8:12] == b"WEBP"


def read_header(data: bytes) -> Header:
    """Parse the header. Raises ValueError without a size, struct.error for a truncated file."""
    sizes: list[tuple[int, int]] = []
    exif, is_animated = b"", False
    for name, at, length in _chunks(data):
        if name == b"VP8X":
            flags, low_x, high_x, low_y, high_y = struct.unpack_from("<B3xHBHB", data, at)
            sizes.append((1 + low_x + (high_x << 16), 1 + low_y + (high_y << 16)))
            is_animated = bool(flags & _ANIMATED)
        elif name == b"VP8 ":
            width, height = struct.unpack_from("<6xHH", data, at)
            sizes.append((width & 0x3FFF, height & 0x3FFF))
        elif name == b"VP8L":
            (bits,) = struct.unpack_from("<xI", data, at)
            sizes.append((1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)))
        elif name == b"EXIF":
            exif = data[at : at + length]
    if not sizes:
        raise ValueError("no size")
    width, height = max(sizes, key=lambda size: size[0] * size[1])
    return Header(width, height, exif, is_animated)


def _chunks(data: bytes) -> Iterator[tuple[bytes, int, int]]:
    """Yield the name of each chunk, the offset of its content, and the content's length."""
    at = 12
    while at + 8 <= len(data):
        name, length = struct.unpack_from("<4sI", data, at)
        yield name, at + 8, length
        at += 8 + length + length % 2
