"""Rendered pages for the tests of printing."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO

import numpy as np
import pypdfium2

from sheets.art.render.pdf import write_pdf
from sheets.printing.booklet import draw_booklet, name_booklet
from sheets.printing.geometry import PageOptions
from sheets.printing.sheet import Writing
from sheets.rules import Level


def print_pdf(
    levels: Sequence[Level], options: PageOptions, writings: Sequence[Writing] = ()
) -> bytes:
    """Return a print as PDF."""
    file = BytesIO()
    pages = draw_booklet(levels, options, writings)
    title = name_booklet(levels, options)
    write_pdf(pages, file, title=title, lang=options.lang, is_duplex=options.duplex)
    return file.getvalue()


def render(pdf: bytes, page: int, dpi: int, *, grayscale: bool = True) -> np.ndarray:
    """Return the pixels of a page: grey values from 0 (black) to 255, or red, green and blue."""
    document = pypdfium2.PdfDocument(pdf)
    try:
        return (
            document[page]
            .render(scale=dpi / 72, grayscale=grayscale, rev_byteorder=True)
            .to_numpy()
            .squeeze()
        )
    finally:
        document.close()
