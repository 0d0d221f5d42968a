"""Machine-readable codes of a sheet: four ArUco markers and a QR code.

The markers are from the dictionary DICT_4X4_50 of OpenCV's ArUco module (Apache License 2.0).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import segno

from sheets.art.layout import Box
from sheets.art.render.items import PathItem, cells

DICT_4X4_50: Final = (
    "1011 0101 0011 0010",
    "0000 1111 1001 1010",
    "0011 0011 0010 1101",
    "1001 1001 0100 0110",
    "0101 0100 1001 1110",
    "0111 1001 1100 1101",
    "1001 1110 0010 1110",
    "1100 0100 1111 0010",
)
"""Bits of the first eight markers of the dictionary, by id: enough for two sheets on a page.

A marker has 4 × 4 bits inside its black frame, row by row from the top left; 1 is white.
"""

_CELLS: Final = 6
"""Number of cells along the side of a marker: 4 of the pattern and 2 of the black frame."""


def draw_marker(id: int, box: Box) -> PathItem:
    """Return the ArUco marker with this id; it fills the box."""
    dark = ["1" * _CELLS]
    dark += ["1" + row.translate({48: "1", 49: "0"}) + "1" for row in DICT_4X4_50[id].split()]
    dark += ["1" * _CELLS]
    return cells(list(_dark_rectangles(dark)), (box.x, box.y), box.width / _CELLS, "code")


def draw_qr(content: str, box: Box) -> PathItem:
    """Return a QR code whose modules fill the box; the caller leaves the quiet zone around it."""
    rows = qr_modules(content)
    return cells(list(_dark_rectangles(rows)), (box.x, box.y), box.width / len(rows), "code")


def qr_modules(content: str) -> list[str]:
    """Return the modules of a QR code as rows from the top; 1 is dark."""
    matrix = segno.make(content, error="m", micro=False, boost_error=True).matrix
    return ["".join("1" if module else "0" for module in row) for row in matrix]


def qr_content(level_id: str, number: int, layout_hash: str) -> str:
    """Return the text in the QR code of a sheet.

    Upper case alone makes the code small. Level ids have no upper case, so they stay distinct.

    >>> qr_content("level-1", 3, "0a1b2c3d")
    'DIZZLE:LEVEL-1:3:0A1B2C3D'
    """
    return f"DIZZLE:{level_id}:{number}:{layout_hash}".upper()


def _dark_rectangles(rows: list[str]) -> Iterator[tuple[int, int, int, int]]:
    """Yield rectangles (left, top, width, height in cells) that together cover the dark cells.

    A rectangle covers a run of dark cells in consecutive equal rows.
    """
    top = 0
    while top < len(rows):
        low = top + 1
        while low < len(rows) and rows[low] == rows[top]:
            low += 1
        left = 0
        while left < len(rows[top]):
            right = left + 1
            while right < len(rows[top]) and rows[top][right] == rows[top][left]:
                right += 1
            if rows[top][left] == "1":
                yield left, top, right - left, low - top
            left = right
        top = low
