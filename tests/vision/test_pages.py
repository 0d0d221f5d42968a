"""Pages of PDF and TIFF files as photos."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image
from pypdf import PdfReader, PdfWriter

from sheets.vision.decoding import MAX_BYTES, MAX_DECODED_PIXELS, decode_photo
from sheets.vision.pages import MAX_PAGES, open_page, why_not_read
from sheets.vision.reading import read_photo
from sheets.vision.refusals import REFUSALS, Refused

WIDE, HIGH = 700, 900


def page(grey: int, mode: str = "RGB") -> Image.Image:
    """Return a page whose upper half has this brightness, and whose lower half is white."""
    picture = Image.new("L", (WIDE, HIGH), 255)
    picture.paste(grey, (0, 0, WIDE, HIGH // 2))
    if mode == "I;16":
        return Image.fromarray(np.asarray(picture, np.uint16) * 257)
    return picture.convert(mode)


def saved(kind: str, *pages: Image.Image, **options: object) -> bytes:
    stream = io.BytesIO()
    pages[0].save(stream, kind, save_all=True, append_images=pages[1:], **options)
    return stream.getvalue()


def locked() -> bytes:
    reader = PdfReader(io.BytesIO(saved("PDF", page(0))))
    writer, stream = PdfWriter(clone_from=reader), io.BytesIO()
    writer.encrypt("secret", algorithm="AES-256")
    writer.write(stream)
    return stream.getvalue()


def without_pages() -> bytes:
    stream = io.BytesIO()
    PdfWriter().write(stream)
    return stream.getvalue()


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("PDF", {"resolution": 300}),
        ("PDF", {"resolution": 72}),
        ("TIFF", {}),
        ("TIFF", {"compression": "jpeg"}),
        ("TIFF", {"compression": "tiff_lzw"}),
        ("TIFF", {"big_tiff": True}),
    ],
)
def test_each_page_becomes_a_photo(kind: str, options: dict[str, object]) -> None:
    data = saved(kind, page(0), page(90), page(180), **options)
    for number, grey in enumerate((0, 90, 180)):
        photo, pages = open_page(data, number)
        assert pages == 3
        pixels = decode_photo(photo)
        high, wide = pixels.shape[:2]
        assert wide / high == pytest.approx(WIDE / HIGH, abs=0.01)
        assert wide >= WIDE - 1
        assert abs(int(pixels[high // 4, wide // 2, 0]) - grey) < 4
        assert pixels[3 * high // 4, wide // 2, 0] > 250


@pytest.mark.parametrize("mode", ["1", "L", "P", "RGBA", "CMYK", "I;16"])
def test_scans_of_every_bit_depth_are_read(mode: str) -> None:
    pixels = decode_photo(open_page(saved("TIFF", page(0, mode)), 0).photo)
    assert pixels.shape == (HIGH, WIDE, 3)
    assert pixels[HIGH // 4, WIDE // 2].max() < 6
    assert pixels[3 * HIGH // 4, WIDE // 2].min() > 249


def test_pages_are_rendered_upright_and_no_larger_than_needed() -> None:
    reader = PdfReader(io.BytesIO(saved("PDF", page(0), resolution=10)))  # 1.8 m wide
    writer, stream = PdfWriter(clone_from=reader), io.BytesIO()
    writer.pages[0].rotate(90)
    writer.write(stream)
    pixels = decode_photo(open_page(stream.getvalue(), 0).photo)
    high, wide = pixels.shape[:2]
    assert wide > high
    assert 0.95 * MAX_DECODED_PIXELS < wide * high < 1.05 * MAX_DECODED_PIXELS
    assert pixels[high // 2, wide // 4, 0] > 250, "the dark half is at the right"


def test_other_files_have_one_page() -> None:
    data = saved("GIF", page(0))
    assert open_page(data, 0) == (data, 1)


FAULTY = {
    "a locked pdf": (locked(), "password"),
    "the head of a pdf": (b"%PDF-1.7\n" + bytes(600), "damaged"),
    "half a pdf": (saved("PDF", page(0))[:400], "damaged"),
    "a pdf without pages": (without_pages(), "damaged"),
    "the head of a tiff": (b"MM\0*" + bytes(99), "damaged"),
    "half a tiff": (saved("TIFF", page(0))[: WIDE * HIGH], "damaged"),
    "a pdf of many pages": (saved("PDF", *[page(0)] * (MAX_PAGES + 1)), "too-many-pages"),
    "a tiff of many pages": (
        saved("TIFF", *[page(0, "1")] * (MAX_PAGES + 1), compression="group4"),
        "too-many-pages",
    ),
    "a pdf with a picture of 64 megapixels": (
        saved("PDF", Image.new("1", (8000, 8000)), resolution=3000),
        "too-large",
    ),
    "a tiff of 64 megapixels": (
        saved("TIFF", Image.new("1", (8000, 8000)), compression="group4"),
        "too-large",
    ),
    "a tiff of 200 megapixels": (
        saved("TIFF", Image.new("1", (20_000, 10_000)), compression="group4"),
        "too-large",
    ),
    "too many bytes": (saved("PDF", page(0)) + bytes(MAX_BYTES), "too-large"),
}


@pytest.mark.parametrize("kind", FAULTY)
def test_unreadable_documents_are_refused_with_a_reason(kind: str) -> None:
    data, reason = FAULTY[kind]
    assert reason in REFUSALS
    with pytest.raises(Refused) as refused:
        open_page(data, 0)
    assert refused.value.name == reason


def test_twenty_pages_are_not_too_many() -> None:
    assert open_page(saved("PDF", *[page(0)] * MAX_PAGES), MAX_PAGES - 1).pages == MAX_PAGES


def test_blank_page_among_others_is_detected() -> None:
    blank = Image.fromarray(np.random.default_rng(1).normal(235, 6, (HIGH, WIDE)).astype(np.uint8))
    for first, why in ((blank, "blank"), (page(0), "no-sheet"), (page(150), "no-sheet")):
        data = saved("PDF", first, page(0))
        assert why_not_read(open_page(data, 0), "no-sheet") == why
    assert why_not_read(open_page(saved("PDF", blank), 0), "no-sheet") == "no-sheet"


def test_white_page_is_blank_and_not_blurred() -> None:
    white = Image.new("L", (WIDE, HIGH), 255)
    assert read_photo(open_page(saved("PDF", white), 0).photo, []).refused == "blank"
