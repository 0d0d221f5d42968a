"""Layouts of printed sheets: all combinations of levels and print options."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import product
from typing import Final, NamedTuple, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from sheets.art.layout import Box
from sheets.art.render.items import Part
from sheets.printing.geometry import (
    EARLIER_MARGINS,
    MARKER_MM,
    Frame,
    PageOptions,
    layout_hash,
    make_frame,
)
from sheets.printing.geometry_document import find_writing_areas
from sheets.printing.sheet import draw_sheet
from sheets.rules.level import Level

PRINT_OPTIONS: Final = (
    (PageOptions(), 2),
    (PageOptions(), 1),
    (PageOptions(paper="a5"), 1),
    (PageOptions(paper="letter"), 2),
    (PageOptions(paper="letter"), 1),
    (PageOptions(large=True), 1),
    (PageOptions(paper="letter", large=True), 1),
)
"""All options of prints with markers, with the number of sheets per page. Colour does not change a
layout."""

MARGINS: Final = (None, EARLIER_MARGINS)
"""Page margins of current prints, and of prints of earlier versions."""

MARGIN_MM: Final = 6.0
"""Margin around the rectified area in millimetres, for strokes that cross its borders."""

MAX_SIZE_DIFFERENCE: Final = 0.035
"""Maximum difference of the logarithms of two sizes that may be of one layout, on curled paper."""


MAX_CURLED_SIZE_DIFFERENCE: Final = 0.09
"""Looser bound for strongly curled paper, used if no layout is within the first."""


Rect = tuple[float, float, float, float]
"""X, y, width and height in millimetres."""


class NumberRoom(NamedTuple):
    """A printed number that can be circled; ``track`` is ``flag-COLOUR`` or ``race-INDEX``."""

    track: str
    points: int
    box: Rect


class SheetLayout(Protocol):
    """Places on a sheet that may be marked, in millimetres; for printed sheets and for pads.

    ``boxes`` are all places that may be marked, by name of the field or of ``numbers``; ``box`` is
    the rectified area; ``name`` is the box of the player's name, if it is known.
    """

    @property
    def level(self) -> Level: ...
    @property
    def numbers(self) -> dict[str, NumberRoom]: ...
    @property
    def boxes(self) -> dict[str, Rect]: ...
    @property
    def box(self) -> Rect: ...
    @property
    def name(self) -> Rect | None: ...


@dataclass(frozen=True, eq=False)
class PrintLayout:
    """Layout of a level with some print options; ``hash`` is the layout hash in its QR code."""

    level: Level
    options: PageOptions
    frame: Frame
    hash: str

    @property
    def span(self) -> tuple[float, float]:
        """Width and height between the outer edges of the markers, in millimetres."""
        first, third = self.frame.markers[0], self.frame.markers[2]
        return third.x + third.width - first.x, third.y + third.height - first.y

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """All printed parts of the sheet."""
        return draw_sheet(self.level, self.frame, "")

    @cached_property
    def numbers(self) -> dict[str, NumberRoom]:
        """Numbers that can be circled, by a unique name."""
        areas = (area for area in find_writing_areas(self.parts) if area.path[0] == "numbers")
        return {
            f"{area.path[1]} {i}": NumberRoom(area.path[1], int(area.path[2]), area.box)
            for i, area in enumerate(areas)
        }

    @cached_property
    def name(self) -> Rect | None:
        """Box for the player's name, if there is one."""
        areas = (area for area in find_writing_areas(self.parts) if area.path == ("name",))
        return next((area.box for area in areas), None)

    @cached_property
    def boxes(self) -> dict[str, Rect]:
        """All places that may be marked, by name of the field or of `numbers`."""
        fields = {name: (b.x, b.y, b.width, b.height) for name, b in self.frame.fields.items()}
        return fields | {name: room.box for name, room in self.numbers.items()}

    @cached_property
    def box(self) -> Rect:
        """Rectified area of the sheet: all places that may be marked, with a margin."""
        return bounding_box(self.boxes.values(), MARGIN_MM)

    @cached_property
    def outer_corners(self) -> NDArray[np.float64]:
        """Outer corner of each marker, in millimetres, clockwise from the top left, 4 × 2."""
        return np.array([corner_points(box)[i] for i, box in enumerate(self.frame.markers)])

    def marker_points(self, corners: Sequence[int]) -> NDArray[np.float64]:
        """Return the corner points of some of its markers, in millimetres of the sheet."""
        return np.vstack([corner_points(self.frame.markers[corner]) for corner in corners])


def bounding_box(boxes: Iterable[Rect], margin: float = 0.0) -> Rect:
    """Return the smallest box around some boxes, with a margin."""
    ends = np.array(list(boxes))
    left, top = ends[:, :2].min(0) - margin
    right, low = (ends[:, :2] + ends[:, 2:]).max(0) + margin
    return float(left), float(top), float(right - left), float(low - top)


def corner_points(box: Box | Rect) -> NDArray[np.float64]:
    """Return a box's corners, clockwise from its top left."""
    x, y, w, h = box
    return np.array([(x, y), (x + w, y), (x + w, y + h), (x, y + h)])


@lru_cache(maxsize=64)
def _layouts(level: Level) -> tuple[PrintLayout, ...]:
    found: dict[str, PrintLayout] = {}
    for margins, (options, per_page) in product(MARGINS, PRINT_OPTIONS):
        shape = make_frame(level, options, per_page, margins)
        name = layout_hash(level, shape)
        found.setdefault(name, PrintLayout(level, options, shape, name))
    return tuple(found.values())


def layouts_of(levels: Sequence[Level]) -> list[PrintLayout]:
    """Return all print layouts of some levels."""
    return [layout for level in levels for layout in _layouts(level)]


def measure_span(markers: Mapping[int, NDArray[np.float64]]) -> tuple[float, float]:
    """Estimate width and height between a sheet's markers, in millimetres, from their size."""
    outer = np.array([markers[corner][corner] for corner in range(4)], np.float32)
    square = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32)
    flat = cv2.getPerspectiveTransform(outer, square)
    sides: tuple[list[float], list[float]] = ([], [])
    for corners in markers.values():
        a, b, c, d = cv2.perspectiveTransform(corners.reshape(1, 4, 2), flat)[0]
        sides[0].extend((b[0] - a[0], c[0] - d[0]))
        sides[1].extend((d[1] - a[1], c[1] - b[1]))
    return MARKER_MM / float(np.median(sides[0])), MARKER_MM / float(np.median(sides[1]))


def matching_layouts(
    layouts: Sequence[PrintLayout], markers: Mapping[int, NDArray[np.float64]]
) -> list[PrintLayout]:
    """Return the layouts that match the marker positions, the best first."""
    if len(markers) == 4:
        width, height = measure_span(markers)
        found = [
            (abs(np.log(width / layout.span[0])) + abs(np.log(height / layout.span[1])), i)
            for i, layout in enumerate(layouts)
        ]
        fitting = [layouts[i] for cost, i in sorted(found) if cost < 2 * MAX_SIZE_DIFFERENCE]
        return fitting or [
            layouts[i] for cost, i in sorted(found) if cost < 2 * MAX_CURLED_SIZE_DIFFERENCE
        ]
    corners = sorted(markers)
    pixels = np.vstack([markers[corner] for corner in corners])
    costs = []
    for i, layout in enumerate(layouts):
        points = layout.marker_points(corners)
        homography, _kept = cv2.findHomography(points, pixels)
        if homography is None:
            continue
        seen = cv2.perspectiveTransform(points.reshape(1, -1, 2), homography)[0]
        side = float(np.hypot(*(pixels[1] - pixels[0])))
        costs.append((float(np.sqrt(((seen - pixels) ** 2).sum(1).mean())) / side, i))
    return [layouts[i] for cost, i in sorted(costs) if cost < MAX_SIZE_DIFFERENCE]
