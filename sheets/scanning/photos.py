"""Is it a photo, and what does it show? The bytes of a file become pixels, or a refusal."""

from __future__ import annotations

import io
import warnings
from typing import Final

import numpy as np
from PIL import Image, ImageOps

from sheets.scanning.pixels import Picture
from sheets.scanning.refusals import Refused

MAX_BYTES: Final = 20 * 2**20
MAX_PIXELS: Final = 50_000_000
"""As the file's header says them: nothing larger is decoded."""

MIN_SIDE_PX: Final = 600
"""A shorter side than this shows no field well enough."""

ENOUGH_PIXELS: Final = 17_000_000
"""Larger pictures are made smaller while they are decoded: no field gets clearer by them."""

FORMATS: Final = ("JPEG", "PNG", "WEBP", "GIF")


def open_photo(data: bytes) -> Picture:
    """The photo the right way up, without anything that the file says beside its pixels.

    Raises:
        Refused: ``not-a-picture`` (another format, or cut short), ``too-large`` or ``too-small``.
    """
    if len(data) > MAX_BYTES:
        raise Refused("too-large")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of Pillow, about sizes: they are checked here
            with Image.open(io.BytesIO(data), formats=FORMATS) as file:
                return _decode(file)
    except Refused:
        raise
    except Image.DecompressionBombError as error:  # Pillow's own limit, far above ours
        raise Refused("too-large") from error
    except Exception as error:  # decoders raise whatever they like about bytes that are no picture
        raise Refused("not-a-picture") from error


def _decode(file: Image.Image) -> Picture:
    width, height = file.size
    if width * height > MAX_PIXELS:
        raise Refused("too-large")
    if min(width, height) < MIN_SIDE_PX:
        raise Refused("too-small")
    shrunk = (ENOUGH_PIXELS / (width * height)) ** 0.5
    if shrunk < 1 and file.format == "JPEG":
        file.draft("RGB", (int(width * shrunk), int(height * shrunk)))
    picture = ImageOps.exif_transpose(file)
    if picture.mode.startswith("I") or picture.mode == "F":  # 16 bits: Pillow would clip them
        values = np.asarray(picture, np.float32)
        most = max(1.0, float(values.max()))
        picture = Image.fromarray((values * (255 / most)).astype(np.uint8))
    if picture.mode in ("RGBA", "LA", "PA") or "transparency" in picture.info:
        with_alpha = picture.convert("RGBA")
        picture = Image.new("RGB", with_alpha.size, "white")
        picture.paste(with_alpha, mask=with_alpha.getchannel("A"))
    pixels = picture.width * picture.height
    if pixels > ENOUGH_PIXELS:
        share = (ENOUGH_PIXELS / pixels) ** 0.5
        size = (int(picture.width * share), int(picture.height * share))
        picture = picture.resize(size, Image.Resampling.BOX)
    return np.ascontiguousarray(np.asarray(picture.convert("RGB")))
