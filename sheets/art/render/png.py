"""PNG output of a picture: one pixel per unit of its items."""

from __future__ import annotations

from collections.abc import Iterable
from io import BytesIO
from typing import Final

from PIL import Image

from sheets.art.palette import Palette
from sheets.art.render.items import Item, Part, PlacedPart, panel

_COMPRESSION: Final = 6
"""Compression level of zlib; higher ones take much longer for hardly fewer bytes."""


def write_png(width: int, height: int, palette: Palette, items: Iterable[Item]) -> bytes:
    """Return the items as a PNG, on a background with the palette's role ``ground``."""
    # The server imports this module, but only its workers draw: they need NumPy and OpenCV.
    from sheets.art.render.raster import draw_pixels

    ground = panel((0, 0, width, height), 0, fill="ground")
    part = Part("Figure", (ground, *items))
    pixels = draw_pixels([PlacedPart(part, 0)], palette, (0, 0, width, height), 1)
    stream = BytesIO()
    Image.frombuffer("RGB", (width, height), pixels, "raw", "RGB", 0, 1).save(
        stream, "PNG", compress_level=_COMPRESSION
    )
    return stream.getvalue()
