"""Pages of scanned documents (PDF and TIFF), each as a photo of its own."""

from __future__ import annotations

import io
from typing import Final, NamedTuple

import numpy as np
import pypdfium2 as pdfium
from PIL import Image

from sheets.vision.decoding import (
    BLANK_TEST_SIZE,
    MAX_BYTES,
    MAX_DECODED_PIXELS,
    MAX_PIXELS,
    decoding_errors,
    is_blank,
    pixels_of,
)
from sheets.vision.refusals import Refused

MAX_PAGES: Final = 20
"""Maximum number of pages of a document; six sheets scanned on both sides have twelve."""

DPI: Final = 300
"""Resolution at which pages of a PDF are rendered, unless the page would exceed
`MAX_DECODED_PIXELS`."""

QUALITY: Final = 95
"""JPEG quality of a page."""

_TIFF_SIGNATURES: Final = (b"II*\0", b"MM\0*", b"II+\0", b"MM\0+")
"""First bytes of TIFF files."""


class Page(NamedTuple):
    """Bytes of a photo, and the number of pages of its file."""

    photo: bytes
    pages: int


def open_page(data: bytes, number: int) -> Page:
    """Return a page of a document, counted from 0. Any other file is its own only page.

    Raises:
        Refused: ``password``, ``damaged``, ``too-many-pages`` or ``too-large``.
        MemoryError: this process may not have the memory that the page needs.
    """
    is_pdf = b"%PDF-" in data[:1024]  # as readers of PDF allow
    if not is_pdf and not data.startswith(_TIFF_SIGNATURES):
        return Page(data, 1)
    if len(data) > MAX_BYTES:
        raise Refused("too-large")
    return _open_pdf(data, number) if is_pdf else _open_tiff(data, number)


def why_not_read(page: Page, refused: str) -> str:
    """Name why a page was not read: ``blank`` for a blank one among others, else ``refused``."""
    if page.pages == 1:
        return refused
    with Image.open(io.BytesIO(page.photo)) as file:
        file.draft("L", BLANK_TEST_SIZE)
        grey = np.asarray(file.convert("L"))
    return "blank" if is_blank(grey) else refused


def _open_pdf(data: bytes, number: int) -> Page:
    try:
        document = pdfium.PdfDocument(data)
        _check_page_count(len(document))
        page = document[number]
        for one in page.get_objects(filter=(pdfium.raw.FPDF_PAGEOBJ_IMAGE,)):
            _check_size(one.get_px_size())
        width, height = page.get_size()
        scale = min(DPI / 72, (MAX_DECODED_PIXELS / (width * height)) ** 0.5)
        picture = page.render(scale=scale, may_draw_forms=False).to_pil()
    except (pdfium.PdfiumError, ZeroDivisionError) as error:
        is_locked = getattr(error, "err_code", None) == pdfium.raw.FPDF_ERR_PASSWORD
        raise Refused("password" if is_locked else "damaged") from error
    return Page(_encoded(picture), len(document))


@decoding_errors("damaged")
def _open_tiff(data: bytes, number: int) -> Page:
    with Image.open(io.BytesIO(data), formats=("TIFF",)) as file:
        pages = _count_frames(file)
        file.seek(number)
        _check_size(file.size)
        return Page(_encoded(Image.fromarray(pixels_of(file))), pages)


def _count_frames(file: Image.Image) -> int:
    """Count the pictures in a file, up to one more than a document may have."""
    count = 1
    while count <= MAX_PAGES:
        try:
            file.seek(count)
        except EOFError:
            return count
        count += 1
    _check_page_count(count)
    return count


def _encoded(picture: Image.Image) -> bytes:
    stream = io.BytesIO()
    picture.save(stream, "JPEG", quality=QUALITY)
    return stream.getvalue()


def _check_page_count(pages: int) -> None:
    if pages > MAX_PAGES:
        raise Refused("too-many-pages")


def _check_size(size: tuple[int, int]) -> None:
    if size[0] * size[1] > MAX_PIXELS:
        raise Refused("too-large")
