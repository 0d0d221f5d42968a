"""How does a printed page look in pixels?

For who compares paper with what was printed on it. Painted larger and reduced, so that edges are as
soft as a camera sees them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from sheets.artwork.letters import EM, letter
from sheets.artwork.paint import flatten
from sheets.artwork.palette import Palette
from sheets.artwork.shapes import Shape
from sheets.printing.items import Figure, Item, Placed, Stamp, Words
from sheets.printing.svg import outline
from sheets.printing.type import face

Picture = NDArray[np.uint8]
"""Height × width × 3, red, green and blue."""

OVERSAMPLING: Final = 3
_ROWS: Final = 64
"""So many are reduced at once."""

_BITS: Final = 4
"""Of a pixel's fraction, in which OpenCV takes points."""

Place = tuple[float, float, float]
"""Where a shape goes: x and y of its origin in millimetres, and millimetres per unit."""


def draw_pixels(
    parts: Iterable[Placed],
    palette: Palette,
    box: tuple[float, float, float, float],
    px_per_mm: float,
) -> Picture:
    """What lies in a box (x, y, width, height in millimetres) of a page, on white."""
    raster = _Raster(palette, box, px_per_mm)
    for part, x_mm in parts:
        raster.move(x_mm)
        for item in part.items:
            raster.item(item)
    return raster.finished()


class _Raster:
    def __init__(
        self, palette: Palette, box: tuple[float, float, float, float], px_per_mm: float
    ) -> None:
        self._palette = palette
        self._colours: dict[tuple[str, str], tuple[int, int, int]] = {}
        self._box = box
        self._x_mm = 0.0
        self._size = (round(box[2] * px_per_mm), round(box[3] * px_per_mm))
        self._per_mm = px_per_mm * OVERSAMPLING
        width, height = (side * OVERSAMPLING for side in self._size)
        self._image = np.full((height, width, 3), 255, np.uint8)

    def finished(self) -> Picture:
        """Each pixel is the mean of those painted for it: that around the one in their middle."""
        width, height = self._size
        picture = np.empty((height, width, 3), np.uint8)
        middles = slice(OVERSAMPLING // 2, None, OVERSAMPLING)
        for top in range(0, height, _ROWS):
            part = self._image[top * OVERSAMPLING : (top + _ROWS) * OVERSAMPLING]
            soft = cv2.blur(part, (OVERSAMPLING, OVERSAMPLING))
            picture[top : top + _ROWS] = soft[middles, middles]
        return picture

    def move(self, x_mm: float) -> None:
        """Draw from here on that much further to the right."""
        self._x_mm = x_mm

    def item(self, item: Item) -> None:
        match item:
            case Stamp():
                for shape in item.shapes:
                    self._shape(shape, (item.x, item.y, item.size / 100), item.group)
            case Figure():
                self._shape(item.shape, (item.x, item.y, item.scale), item.group)
            case Words():
                self._words(item)

    def _words(self, words: Words) -> None:
        font = face(words.bold)
        text = font.printable(words.text)
        share = {"start": 0.0, "middle": 0.5, "end": 1.0}[words.anchor]
        x = words.x - share * font.width(text) * words.size
        scale = words.size / EM
        if not font.is_plain(text):
            path = letter(text, bold=words.bold).path
            self._shape(Shape(path, words.role), (x, words.y, scale), words.group)
            return
        for character in text:
            path = outline(character, words.bold)
            if path:
                self._shape(Shape(path, words.role), (x, words.y, scale), words.group)
            x += font.width(character) * words.size

    def _shape(self, shape: Shape, place: Place, group: str) -> None:
        outlines = _outlines(shape.path)
        contours = self._placed(outlines, place)
        if shape.stroke:
            width = max(1, round(shape.width * place[2] * self._per_mm))
            colour = self._colour(shape.stroke, group)
            for points, is_closed in zip(contours, outlines.closed, strict=True):
                cv2.polylines(self._image, [points], is_closed, colour, width, cv2.LINE_8, _BITS)
        if shape.fill:
            colour = self._colour(shape.fill, group)
            if outlines.has_holes:
                cv2.fillPoly(self._image, contours, colour, cv2.LINE_8, _BITS)
            else:
                for points in contours:
                    cv2.fillPoly(self._image, [points], colour, cv2.LINE_8, _BITS)

    def _placed(self, outlines: _Outlines, place: Place) -> list[NDArray[np.int32]]:
        x, y, unit = place
        left, top = self._box[:2]
        at = outlines.points * unit + (x + self._x_mm - left, y - top)
        # A pixel's middle is half a pixel from its edge.
        fixed = np.rint((at * self._per_mm - 0.5) * 2**_BITS).astype(np.int32)
        return [fixed[start:end] for start, end in pairwise(outlines.ends)]

    def _colour(self, role: str, group: str) -> tuple[int, int, int]:
        found = self._colours.get((role, group))
        if found is None:
            colour = self._palette.colour(role, group)
            red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
            found = self._colours[role, group] = (red, green, blue)
        return found


class _Outlines(NamedTuple):
    """A path's contours, one after the other.

    ``points`` are N × 2, each contour from one of ``ends`` to the next;
    ``has_holes``: contours run both ways round, and those that run the other way are holes.
    """

    points: NDArray[np.float64]
    ends: tuple[int, ...]
    closed: tuple[bool, ...]
    has_holes: bool


@lru_cache(maxsize=2048)
def _outlines(path: str) -> _Outlines:
    contours = flatten(path)
    areas = [_area(points) for points, _closed in contours]
    return _Outlines(
        np.array([point for points, _closed in contours for point in points], float).reshape(-1, 2),
        (0, *accumulate(len(points) for points, _closed in contours)),
        tuple(closed for _points, closed in contours),
        min(areas, default=0.0) < 0.0 < max(areas, default=0.0),
    )


def _area(points: Sequence[tuple[float, float]]) -> float:
    following = (*points[1:], points[0])
    return sum(
        x * next_y - next_x * y for (x, y), (next_x, next_y) in zip(points, following, strict=True)
    )
