"""Which files are photos, and which way up are they?"""

from __future__ import annotations

import io
import struct
import zlib
from typing import Any

import numpy as np
import pytest
from PIL import Image

from sheets.scanning.photos import ENOUGH_PIXELS, MAX_BYTES, open_photo
from sheets.scanning.refusals import REFUSALS, Refused

WIDTH, HEIGHT = 800, 640


def picture(mode: str = "RGB") -> Image.Image:
    """Dark at the top left, so that one sees which way up it is."""
    image = Image.new("L", (WIDTH, HEIGHT), 230)
    image.paste(20, (0, 0, WIDTH // 2, HEIGHT // 2))
    return image.convert(mode)


def saved(image: Image.Image, format: str, **options: Any) -> bytes:
    stream = io.BytesIO()
    image.save(stream, format, **options)
    return stream.getvalue()


def sixteen_bits() -> bytes:
    values = np.asarray(picture("L"), np.uint16) * 200
    return saved(Image.fromarray(values), "PNG")


PHOTOS = {
    "jpeg": saved(picture(), "JPEG"),
    "grey jpeg": saved(picture("L"), "JPEG"),
    "cmyk jpeg": saved(picture("CMYK"), "JPEG"),
    "png": saved(picture(), "PNG"),
    "png of 16 bits": sixteen_bits(),
    "png with a palette": saved(picture("P"), "PNG"),
    "webp": saved(picture(), "WEBP"),
    "animated webp": saved(picture(), "WEBP", save_all=True, append_images=[picture("RGB")]),
    "gif": saved(picture(), "GIF"),
}


@pytest.mark.parametrize("kind", PHOTOS)
def test_photo_is_red_green_and_blue_whatever_its_file_is(kind: str) -> None:
    pixels = open_photo(PHOTOS[kind])
    assert pixels.shape == (HEIGHT, WIDTH, 3)
    assert pixels.dtype == np.uint8
    assert pixels[50, 50].max() < 60 < 190 < pixels[-50, -50].min()


def test_photo_is_turned_as_its_phone_was_held() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6  # the right side is up: turn it a quarter clockwise
    pixels = open_photo(saved(picture(), "JPEG", exif=exif))
    assert pixels.shape == (WIDTH, HEIGHT, 3)
    assert pixels[50, -50].max() < 60 < 190 < pixels[50, 50].min()


def test_what_is_clear_is_paper() -> None:
    clear = picture("RGBA")
    clear.putalpha(Image.new("L", clear.size, 0))
    assert open_photo(saved(clear, "PNG")).min() == 255


def test_large_photo_becomes_no_larger_than_helps() -> None:
    wide = Image.new("RGB", (6400, 4000), "white")
    height, width, _ = open_photo(saved(wide, "PNG")).shape
    assert width * height <= ENOUGH_PIXELS
    assert width / height == pytest.approx(1.6, rel=0.01)


def png_header(width: int, height: int) -> bytes:
    """A PNG that says how large it is, and has nothing of it."""
    content = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", content) + chunk(b"IDAT", bytes(9))


def chunk(name: bytes, content: bytes) -> bytes:
    check = struct.pack(">I", zlib.crc32(name + content))
    return struct.pack(">I", len(content)) + name + content + check


NO_PHOTOS = {
    "nothing": (b"", "not-a-picture"),
    "a text": (b"GIF is what I say, and no more", "not-a-picture"),
    "half a jpeg": (PHOTOS["jpeg"][: len(PHOTOS["jpeg"]) // 2], "not-a-picture"),
    "half a png": (PHOTOS["png"][:200], "not-a-picture"),
    "a bitmap": (saved(picture(), "BMP"), "not-a-picture"),
    "a header of 200 megapixels": (png_header(20_000, 10_000), "too-large"),
    "a header of four billion": (png_header(65_000, 65_000), "too-large"),
    "a thumbnail": (saved(picture().resize((300, 240)), "JPEG"), "too-small"),
    "too many bytes": (PHOTOS["jpeg"] + bytes(MAX_BYTES), "too-large"),
}


@pytest.mark.parametrize("kind", NO_PHOTOS)
def test_what_is_no_photo_has_a_reason(kind: str) -> None:
    data, reason = NO_PHOTOS[kind]
    assert reason in REFUSALS
    with pytest.raises(Refused) as refused:
        open_photo(data)
    assert refused.value.name == reason
