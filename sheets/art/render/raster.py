"""Rasteriser: the pixels of a page or picture, with anti-aliasing by oversampling.

OpenCV draws one enlarged band of the page at a time. Each band is then reduced, so that memory
never holds the whole page at the larger size.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import Final, NamedTuple, cast

import cv2
import numpy as np
from numpy.typing import NDArray

from sheets.art.palette import Palette, rgb
from sheets.art.render.fonts import outline, typeset
from sheets.art.render.items import Item, PathItem, PlacedPart, Stamp, TextLine
from sheets.art.shapes import Shape, flatten
from sheets.art.text_shaping import EM, shape_text

Picture = NDArray[np.uint8]
"""Pixels, height × width × 3: red, green and blue."""

Points = NDArray[np.float64]
"""Points, n × 2: x and y."""

Colour = tuple[int, int, int]
"""Red, green and blue, from 0 to 255."""

OVERSAMPLING: Final = 3
"""Number of drawn pixels per pixel of the picture, in each direction."""

BAND_ROWS: Final = 128
"""Number of rows of the picture in a band."""

OVERLAP_ROWS: Final = 12
"""Number of additional rows above and below a band: OpenCV rounds lines where it clips them."""

WINDING_GRID: Final = 400
"""Side of the grid for the winding numbers of a glyph, in cells."""

_BITS: Final = 4
"""Number of fractional bits in the fixed-point coordinates for OpenCV."""

_MARGIN: Final = 2
"""Maximum number of drawn pixels by which rounding enlarges a shape."""

Transform = tuple[float, float, float]
"""Origin (x, y) of a shape and the length of its unit, in the units of the page."""


def draw_pixels(
    parts: Iterable[PlacedPart],
    palette: Palette,
    box: tuple[float, float, float, float],
    px_per_unit: float,
) -> Picture:
    """Return the pixels of a box (x, y, width, height) of a page, on white."""
    left, top = box[:2]
    paths = [
        path.moved(x - left, -top, px_per_unit * OVERSAMPLING)
        for part, x in parts
        for item in part.items
        for path in _paths(item, palette)
    ]
    width, height = (round(side * px_per_unit) for side in box[2:])
    picture = np.empty((height, width, 3), np.uint8)
    drawn_rows = (BAND_ROWS + 2 * OVERLAP_ROWS) * OVERSAMPLING
    band = np.empty((drawn_rows, width * OVERSAMPLING, 3), np.uint8)
    for first in range(0, height, BAND_ROWS):
        band.fill(255)
        top = (first - OVERLAP_ROWS) * OVERSAMPLING
        for path in paths:
            if path.top < top + drawn_rows and path.bottom > top:
                path.draw(band, top)
        rows = picture[first : first + BAND_ROWS]
        rows[:] = _reduced(band)[OVERLAP_ROWS:][: len(rows)]
    return picture


def _reduced(band: Picture) -> Picture:
    """Reduce a band by `OVERSAMPLING`: each pixel is the mean of its drawn pixels."""
    middles = slice(OVERSAMPLING // 2, None, OVERSAMPLING)
    means = cv2.blur(band, (OVERSAMPLING, OVERSAMPLING))
    return cast("Picture", means)[middles, middles]


class _Path(NamedTuple):
    """Path with its colours, None for no fill or no stroke.

    ``width`` is the width of the stroke, in units of the path.
    """

    outlines: _Outlines
    transform: Transform
    fill: Colour | None
    stroke: Colour | None
    width: float

    def moved(self, x: float, y: float, scale: float) -> _Path:
        """Return the path moved, then enlarged."""
        at_x, at_y, unit = self.transform
        return self._replace(transform=((at_x + x) * scale, (at_y + y) * scale, unit * scale))

    @property
    def top(self) -> float:
        return self.transform[1] + self.outlines.top * self.transform[2] - self._reach

    @property
    def bottom(self) -> float:
        return self.transform[1] + self.outlines.bottom * self.transform[2] + self._reach

    @property
    def _reach(self) -> float:
        return self.width * self.transform[2] / 2 + _MARGIN

    def draw(self, image: Picture, first: int) -> None:
        """Draw the stroke, then the fill, on an image of a band.

        ``first`` is the row of the enlarged page at which the image begins.
        """
        contours, closed = self._contours(first), self.outlines.closed
        if self.stroke:
            width = max(1, round(self.width * self.transform[2]))
            for points, is_closed in zip(contours, closed, strict=True):
                cv2.polylines(image, [points], is_closed, self.stroke, width, cv2.LINE_8, _BITS)
        if self.fill and self.outlines.has_holes:
            cv2.fillPoly(image, contours, self.fill, cv2.LINE_8, _BITS)
        elif self.fill:
            for points in contours:
                cv2.fillPoly(image, [points], self.fill, cv2.LINE_8, _BITS)
        if self.fill:
            for area in self.outlines.overlaps:
                points = self._placed(area, first)
                cv2.fillPoly(image, [points], self.fill, cv2.LINE_8, _BITS)

    def _contours(self, first: int) -> list[NDArray[np.int32]]:
        fixed = self._placed(self.outlines.points, first)
        return [fixed[start:end] for start, end in pairwise(self.outlines.ends)]

    def _placed(self, points: Points, first: int) -> NDArray[np.int32]:
        x, y, unit = self.transform
        # OpenCV counts from the centre of a pixel, half a pixel from its edge.
        at = points * unit + (x - 0.5, y - first - 0.5)
        return np.rint(at * 2**_BITS).astype(np.int32)


def _paths(item: Item, palette: Palette) -> Iterator[_Path]:
    match item:
        case Stamp():
            for shape in item.shapes:
                yield _path(shape, (item.x, item.y, item.size / 100), item.group, palette)
        case PathItem():
            yield _path(item.shape, (item.x, item.y, item.scale), item.group, palette)
        case TextLine():
            yield from _text_paths(item, palette)


def _path(shape: Shape, transform: Transform, group: str, palette: Palette) -> _Path:
    fill = rgb(palette.colour(shape.fill, group)) if shape.fill else None
    stroke = rgb(palette.colour(shape.stroke, group)) if shape.stroke else None
    return _Path(_outlines(shape.path), transform, fill, stroke, shape.width if stroke else 0.0)


def _text_paths(words: TextLine, palette: Palette) -> Iterator[_Path]:
    font, text, x = typeset(words)
    scale, fill = words.size / EM, rgb(palette.colour(words.role, words.group))
    if not font.is_plain(text):
        for glyph in shape_text(text, bold=words.bold).glyphs:
            yield _Path(_glyph(glyph), (x, words.y, scale), fill, None, 0.0)
        return
    for character in text:
        if glyph := outline(character, words.bold):
            yield _Path(_glyph(glyph), (x, words.y, scale), fill, None, 0.0)
        x += font.width(character) * words.size


class _Outlines(NamedTuple):
    """Contours of a path in one array.

    Attributes:
        points: the points of all contours.
        ends: indices of ``points``; a contour lies between two consecutive ones.
        closed: whether each contour is closed.
        has_holes: whether contours have both orientations, so that some are holes.
        top: smallest y of the points; ``bottom`` is the largest.
        overlaps: areas within several contours, which must be filled in addition.
    """

    points: Points
    ends: tuple[int, ...]
    closed: tuple[bool, ...]
    has_holes: bool
    top: float
    bottom: float
    overlaps: tuple[Points, ...] = ()


@lru_cache(maxsize=2048)
def _outlines(path: str) -> _Outlines:
    contours = flatten(path)
    areas = [_area(points) for points, _closed in contours]
    points = np.array([point for points, _closed in contours for point in points], float)
    return _Outlines(
        points.reshape(-1, 2),
        (0, *accumulate(len(points) for points, _closed in contours)),
        tuple(closed for _points, closed in contours),
        min(areas, default=0.0) < 0.0 < max(areas, default=0.0),
        min((y for corners, _closed in contours for _x, y in corners), default=0.0),
        max((y for corners, _closed in contours for _x, y in corners), default=0.0),
    )


@lru_cache(maxsize=2048)
def _glyph(path: str) -> _Outlines:
    """Return the outlines of a glyph, which may cross itself.

    OpenCV fills by the even-odd rule, but fonts need the non-zero rule. ``overlaps`` has the areas
    that the even-odd rule leaves empty by mistake.
    """
    outlines = _outlines(path)
    return outlines._replace(overlaps=tuple(_covered_twice(outlines)))


def _covered_twice(outlines: _Outlines) -> Iterator[Points]:
    """Yield the areas with a winding number of 2 or more."""
    corner = outlines.points.min(0)
    scale = WINDING_GRID / np.ptp(outlines.points, axis=0).max()
    points = (outlines.points - corner) * scale
    following = np.concatenate([np.roll(points[a:b], -1, 0) for a, b in pairwise(outlines.ends)])
    # In each row, an edge changes the winding number of all cells to its right.
    first, last = (np.ceil(side(points, following)[:, 1]) for side in (np.minimum, np.maximum))
    counts = (last - first).astype(int)
    edge = np.repeat(np.arange(len(points)), counts)
    rows = np.arange(counts.sum()) - np.repeat(counts.cumsum() - counts, counts) + first[edge]
    (x, y), (dx, dy) = points[edge].T, (following - points)[edge].T
    columns = np.ceil(x + (rows - y) * dx / dy)
    changes = np.zeros((WINDING_GRID + 2, WINDING_GRID + 2), np.int8)
    np.add.at(changes, (rows.astype(int), columns.astype(int)), np.sign(dy).astype(np.int8))
    twice = (np.abs(changes.cumsum(1, np.int8)) > 1).view(np.uint8)
    twice = cv2.dilate(twice, np.ones((3, 3), np.uint8))  # avoids seams
    for area in cv2.findContours(twice, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)[0]:
        yield area[:, 0] / scale + corner


def _area(points: Sequence[tuple[float, float]]) -> float:
    """Return twice the signed area of a polygon; its sign is the orientation."""
    following = (*points[1:], points[0])
    return sum(
        x * next_y - next_x * y for (x, y), (next_x, next_y) in zip(points, following, strict=True)
    )
