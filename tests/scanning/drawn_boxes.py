"""Photos of sheets that a test draws itself: boxes side by side, each with what stands in it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from tests.scanning.shots import to_jpeg
from tests.scanning.unknown_shots import FONTS

BLACK, DARK, GREY, PAPER = (30, 30, 30), (60, 60, 60), (90, 90, 90), (250, 250, 250)
PITCH = 100
"""Pixels from one field to the next, each way."""

_MARGIN = 200

Ink = tuple[int, int, int]


def digit_at(x: int, y: int) -> int:
    """The digit of a field: another one than its neighbours have."""
    return 1 + (x * 3 + y) % 6


class Box:
    """One field of such a sheet, in column ``x`` and row ``y``; all pixels are its own."""

    def __init__(self, draw: ImageDraw.ImageDraw, x: int, y: int) -> None:
        self.x, self.y = x, y
        self._draw = draw
        self._left, self._top = _MARGIN + PITCH * x, _MARGIN + PITCH * y

    @property
    def digit(self) -> int:
        """Its own."""
        return digit_at(self.x, self.y)

    def frame(self, side: int = PITCH, ink: Ink = GREY) -> None:
        """A border, from the field's left top on."""
        self._draw.rectangle(self._moved(0, 0, side, side), outline=ink, width=4)

    def write(
        self,
        at: tuple[float, float] = (50, 50),
        *,
        digit: int | None = None,
        high: int = 56,
        ink: Ink = BLACK,
    ) -> None:
        """The field's digit or another one, around a place."""
        face = ImageFont.truetype(str(FONTS["Nunito"][0]), high)
        told = str(digit or self.digit)
        self._draw.text(self._moved(*at), told, font=face, fill=ink, anchor="mm")

    def bar(self, *ends: float, ink: Ink = BLACK) -> None:
        """A filled rectangle: left, top, right and bottom."""
        self._draw.rectangle(self._moved(*ends), fill=ink)

    def line(self, *ends: float, width: int, ink: Ink = BLACK) -> None:
        """A line through some points."""
        self._draw.line(self._moved(*ends), fill=ink, width=width)

    def disc(self, *ends: float, ink: Ink) -> None:
        """A filled ellipse in a box."""
        self._draw.ellipse(self._moved(*ends), fill=ink)

    def _moved(self, *at: float) -> list[float]:
        return [one + (self._top if i % 2 else self._left) for i, one in enumerate(at)]


def draw_boxes(columns: int, rows: int, draw_box: Callable[[Box], None]) -> bytes:
    """A photo of a sheet; what lies in each of its fields is drawn by ``draw_box``."""
    size = [2 * _MARGIN + PITCH * count for count in (columns, rows)]
    page = Image.new("RGB", (size[0], size[1]), PAPER)
    draw = ImageDraw.Draw(page)
    for y, x in np.ndindex(rows, columns):
        draw_box(Box(draw, x, y))
    return jpeg(np.asarray(page))


def jpeg(pixels: np.ndarray) -> bytes:
    """A photo of these pixels that hardly shows what it was packed with."""
    return to_jpeg(pixels, quality=90)
