"""Decoding of photo files: formats, orientation, size limits and refusals."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageOps

from sheets.vision.decoding import (
    MAX_BYTES,
    MAX_DECODED_PIXELS,
    decode_photo,
    unreadable_type,
    upright_size,
)
from sheets.vision.refusals import REFUSALS, Refused

WIDTH, HEIGHT = 800, 640


def picture(mode: str = "RGB") -> Image.Image:
    """Return a picture that is dark at the top left, which shows its orientation."""
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
    "animated webp": saved(picture(), "WEBP", save_all=True, append_images=[picture().rotate(180)]),
    "webp without loss": saved(picture(), "WEBP", lossless=True),
    "webp with a clear part": saved(picture("RGBA"), "WEBP"),
    "gif": saved(picture(), "GIF"),
    "animated gif": saved(picture(), "GIF", save_all=True, append_images=[picture().rotate(180)]),
}


@pytest.mark.parametrize("kind", PHOTOS)
def test_every_format_is_decoded_to_rgb(kind: str) -> None:
    pixels = decode_photo(PHOTOS[kind])
    assert pixels.shape == (HEIGHT, WIDTH, 3)
    assert pixels.dtype == np.uint8
    assert pixels[50, 50].max() < 60 < 190 < pixels[-50, -50].min()


@pytest.mark.parametrize("turned", range(1, 10))  # 9 means nothing
@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_photo_is_rotated_by_its_exif_orientation(kind: str, turned: int) -> None:
    image, exif = picture(), Image.Exif()
    image.paste(120, (0, HEIGHT // 2, WIDTH // 2, HEIGHT))  # so that it is nothing like its mirror
    exif[0x0112] = turned
    upright = ImageOps.exif_transpose(Image.open(io.BytesIO(saved(image, "PNG", exif=exif))))
    data = saved(image, kind, exif=exif)
    pixels = decode_photo(data)
    assert pixels.shape == (*upright.size[::-1], 3)
    assert upright_size(data) == upright.size
    assert pixels.flags.c_contiguous
    wanted = np.asarray(upright, np.int16)
    assert np.abs(pixels - wanted)[20:-20:40, 20:-20:40].max() < 20


@pytest.mark.parametrize("kind", ["PNG", "WEBP"])
def test_transparent_pixels_become_white(kind: str) -> None:
    clear = picture("RGBA")
    clear.putalpha(Image.new("L", clear.size, 0))
    assert decode_photo(saved(clear, kind)).min() == 255


@pytest.mark.parametrize(
    ("kind", "size"),
    [("JPEG", (8000, 6000)), ("PNG", (6400, 4000)), ("WEBP", (6400, 4000)), ("GIF", (6400, 4000))],
)
def test_large_photo_is_scaled_down(kind: str, size: tuple[int, int]) -> None:
    wide = picture("L").resize(size, Image.Resampling.NEAREST)
    pixels = decode_photo(saved(wide, kind, method=0))
    height, width, _ = pixels.shape
    assert MAX_DECODED_PIXELS / 2 < width * height <= MAX_DECODED_PIXELS
    assert width / height == pytest.approx(size[0] / size[1], rel=0.01)
    is_dark = pixels.max(2) < 128
    assert is_dark[: height // 2, : width // 2].all()
    assert is_dark.mean() == pytest.approx(0.25, abs=0.01)


def png_header(width: int, height: int) -> bytes:
    """Return a PNG whose header names a size, without pixels."""
    content = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", content) + chunk(b"IDAT", bytes(9))


def chunk(name: bytes, content: bytes) -> bytes:
    check = struct.pack(">I", zlib.crc32(name + content))
    return struct.pack(">I", len(content)) + name + content + check


def patched(data: bytes, after: bytes, skip: int, said: bytes) -> bytes:
    """Return the data with other bytes at an offset behind a marker."""
    at = data.index(after) + len(after) + skip
    return data[:at] + said + data[at + len(said) :]


def large_jpeg(width: int, height: int) -> bytes:
    return patched(PHOTOS["jpeg"], b"\xff\xc0", 3, struct.pack(">HH", height, width))


def large_gif(width: int, height: int) -> bytes:
    return patched(PHOTOS["gif"], b"GIF8", 2, struct.pack("<HH", width, height))


LARGEST_WEBP = struct.pack("<HBHB", 0x3FFE, 0, 0x3FFE, 0)


def large_webp(kind: str, said: bytes = LARGEST_WEBP) -> bytes:
    """Return a WebP whose chunk of this name declares a size, by default 16,383 pixels square."""
    known = {
        "VP8 ": (PHOTOS["webp"], 10, struct.pack("<HH", 0x3FFF, 0x3FFF)),
        "VP8L": (PHOTOS["webp without loss"], 5, struct.pack("<I", 0x3FFE << 14 | 0x3FFE)),
        "VP8X": (PHOTOS["animated webp"], 8, said),
    }
    data, skip, said = known[kind]
    return patched(data, kind.encode(), skip, said)


def zipped() -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("photo.jpg", PHOTOS["jpeg"])
    return stream.getvalue()


HEIC = b"\0\0\0\x18ftypheic\0\0\0\0mif1heic" + bytes(600)

NO_PHOTOS = {
    "nothing": (b"", "not-a-picture"),
    "a text": (b"GIF is what I say, and no more", "not-a-picture"),
    "half a jpeg": (PHOTOS["jpeg"][: len(PHOTOS["jpeg"]) // 2], "not-a-picture"),
    "half a png": (PHOTOS["png"][:200], "not-a-picture"),
    "half a webp": (PHOTOS["webp"][: len(PHOTOS["webp"]) // 2], "not-a-picture"),
    "the header of a webp": (PHOTOS["webp"][:20], "not-a-picture"),
    "half a gif": (PHOTOS["gif"][: len(PHOTOS["gif"]) // 2], "not-a-picture"),
    "a webp of nothing": (b"RIFF\x04\0\0\0WEBP", "not-a-picture"),
    "an archive": (zipped(), "not-a-picture"),
    "a pdf": (b"%PDF-1.7\n" + bytes(600), "not-a-picture"),
    "a page": (b"<!DOCTYPE html><title>Photo</title>", "not-a-picture"),
    "heic": (HEIC, "not-a-picture"),
    "a jpeg of 200 megapixels": (large_jpeg(20_000, 10_000), "too-large"),
    "a jpeg of four billion": (large_jpeg(65_000, 65_000), "too-large"),
    "a gif of 200 megapixels": (large_gif(20_000, 10_000), "too-large"),
    "a gif of four billion": (large_gif(65_000, 65_000), "too-large"),
    "a webp with loss": (large_webp("VP8 "), "too-large"),
    "a webp without": (large_webp("VP8L"), "too-large"),
    "a webp with more in it": (large_webp("VP8X"), "too-large"),
    "a large webp that moves": (
        # Of 20 megapixels: whoever decodes it needs three whole pictures.
        large_webp("VP8X", struct.pack("<HBHB", 4999, 0, 3999, 0)),
        "too-large",
    ),
    "a small header before a large picture": (
        patched(PHOTOS["webp with a clear part"], b"VP8 ", 10, struct.pack("<HH", 9999, 9999)),
        "too-large",
    ),
    "a tiff": (saved(picture(), "TIFF"), "not-a-picture"),
    "a bitmap": (saved(picture(), "BMP"), "not-a-picture"),
    "a header of 200 megapixels": (png_header(20_000, 10_000), "too-large"),
    "a header of four billion": (png_header(65_000, 65_000), "too-large"),
    "a thumbnail": (saved(picture().resize((300, 240)), "JPEG"), "too-small"),
    "too many bytes": (PHOTOS["jpeg"] + bytes(MAX_BYTES), "too-large"),
}


@pytest.mark.parametrize("kind", NO_PHOTOS)
def test_files_that_are_no_photos_are_refused_with_a_reason(kind: str) -> None:
    data, reason = NO_PHOTOS[kind]
    assert reason in REFUSALS
    with pytest.raises(Refused) as refused:
        decode_photo(data)
    assert refused.value.name == reason


def test_convertible_files_are_recognised_by_their_header() -> None:
    assert unreadable_type(HEIC) == "heic"
    assert unreadable_type(HEIC.replace(b"ftypheic", b"ftypmif1")) == "heic"
    assert unreadable_type(HEIC.replace(b"ftypheic", b"ftypmp42")) == ""  # a film
    assert unreadable_type(b"") == ""
    assert not any(map(unreadable_type, PHOTOS.values()))
