"""Photos of sheets that a test draws: adjacent boxes, each with its own content."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from tests.vision.empty_sheet_shots import FONTS
from tests.vision.shots import to_jpeg

BLACK: Final = (30, 30, 30)
"""Colour of digits."""

DARK: Final = (60, 60, 60)
"""Colour of dark frames."""

GREY: Final = (90, 90, 90)
"""Colour of frames."""

PAPER: Final = (250, 250, 250)
"""Colour of paper."""
PITCH = 100
"""Distance from field to field, in pixels."""

_MARGIN = 200
"""Margin of the page, in pixels."""

Ink = tuple[int, int, int]


def digit_at(x: int, y: int) -> int:
    """Return the digit of a field, which differs from those of its neighbours."""
    return 1 + (x * 3 + y) % 6


class Box:
    """Field in column ``x`` and row ``y``; coordinates are pixels from its top left corner."""

    def __init__(self, draw: ImageDraw.ImageDraw, x: int, y: int) -> None:
        self.x, self.y = x, y
        self._draw = draw
        self._left, self._top = _MARGIN + PITCH * x, _MARGIN + PITCH * y

    @property
    def digit(self) -> int:
        """Digit of the field."""
        return digit_at(self.x, self.y)

    def frame(self, side: int = PITCH, ink: Ink = GREY) -> None:
        """Draw a border from the field's top left corner."""
        self._draw.rectangle(self._moved(0, 0, side, side), outline=ink, width=4)

    def write(
        self,
        at: tuple[float, float] = (50, 50),
        *,
        digit: int | None = None,
        high: int = 56,
        ink: Ink = BLACK,
    ) -> None:
        """Write the field's digit, or another one, centred at a point."""
        face = ImageFont.truetype(str(FONTS["Nunito"][0]), high)
        text = str(digit or self.digit)
        self._draw.text(self._moved(*at), text, font=face, fill=ink, anchor="mm")

    def bar(self, *ends: float, ink: Ink = BLACK) -> None:
        """Draw a filled rectangle: left, top, right and bottom."""
        self._draw.rectangle(self._moved(*ends), fill=ink)

    def line(self, *ends: float, width: int, ink: Ink = BLACK) -> None:
        """Draw a line through some points."""
        self._draw.line(self._moved(*ends), fill=ink, width=width)

    def disc(self, *ends: float, ink: Ink) -> None:
        """Draw a filled ellipse in a box."""
        self._draw.ellipse(self._moved(*ends), fill=ink)

    def _moved(self, *at: float) -> list[float]:
        return [one + (self._top if i % 2 else self._left) for i, one in enumerate(at)]


def draw_boxes(columns: int, rows: int, draw_box: Callable[[Box], None]) -> bytes:
    """Return a photo of a sheet whose fields ``draw_box`` draws."""
    size = [2 * _MARGIN + PITCH * count for count in (columns, rows)]
    page = Image.new("RGB", (size[0], size[1]), PAPER)
    draw = ImageDraw.Draw(page)
    for y, x in np.ndindex(rows, columns):
        draw_box(Box(draw, x, y))
    return jpeg(np.asarray(page))


def draw_unframed(box: Box) -> None:
    """Draw a field without a border."""
    box.write()


def draw_framed_above(box: Box) -> None:
    """Draw a field that has a border only in the first four rows: the other rows are not found."""
    if box.y < 4:
        box.frame()
    box.write()


def drawn_corners(columns: int, rows: int) -> list[tuple[float, float]]:
    """Return the corners of the fields of `draw_boxes` as shares of its picture."""
    wide, high = (2 * _MARGIN + PITCH * count for count in (columns, rows))
    left, top, right, low = _MARGIN / wide, _MARGIN / high, 1 - _MARGIN / wide, 1 - _MARGIN / high
    return [(left, top), (right, top), (right, low), (left, low)]


def jpeg(pixels: np.ndarray) -> bytes:
    """Encode pixels with hardly any compression artefacts."""
    return to_jpeg(pixels, quality=90)
