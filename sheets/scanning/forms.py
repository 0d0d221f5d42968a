"""Which printed sheet is it? The level, and how it was printed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import product
from typing import Final, NamedTuple, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from sheets.artwork.layout import Box
from sheets.geometry import (
    EARLIER_MARGINS,
    MARKER_MM,
    Frame,
    PageOptions,
    frame,
    layout_hash,
)
from sheets.printing.places import find_rooms
from sheets.printing.sheet import draw_sheet
from sheets.render.items import Part
from sheets.rules.level import Level

PRINTS: Final = (
    (PageOptions(), 2),
    (PageOptions(), 1),
    (PageOptions(paper="a5"), 1),
    (PageOptions(paper="letter"), 2),
    (PageOptions(paper="letter"), 1),
    (PageOptions(large=True), 1),
    (PageOptions(paper="letter", large=True), 1),
)
"""Every way to print a sheet with markers, with the sheets on a page. Colour moves nothing."""

MARGINS: Final = (None, EARLIER_MARGINS)
"""The margins of today's prints, and those of sheets that were printed before."""

MARGIN_MM: Final = 6.0
"""Around what is read, for strokes that go over its borders."""

ALIKE: Final = 0.035
"""Two ratios of sizes that differ by less may be of one form, whatever the paper's curl."""


CURLED: Final = 0.09
"""The same where paper curls so much that none is alike."""


Rect = tuple[float, float, float, float]
"""X, y, width and height in millimetres."""


class NumberRoom(NamedTuple):
    """A number to circle: ``track`` is ``flag-COLOUR`` or ``race-INDEX``."""

    track: str
    points: int
    box: Rect


class Leaf(Protocol):
    """What may be marked on a sheet, ours or another's, and where that is, in millimetres.

    ``boxes`` are all that may be marked, by the names of fields and ``numbers``; ``box`` is what is
    laid flat; ``name`` is where a player's name stands, if that is known.
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
class Form:
    """One way to print one level; ``hash`` is the name of its layout."""

    level: Level
    options: PageOptions
    frame: Frame
    hash: str

    @property
    def span(self) -> tuple[float, float]:
        """The distances of the outer edges of the markers, in millimetres."""
        first, third = self.frame.markers[0], self.frame.markers[2]
        return third.x + third.width - first.x, third.y + third.height - first.y

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """All that is printed on its leaf."""
        return draw_sheet(self.level, self.frame, "")

    @cached_property
    def numbers(self) -> dict[str, NumberRoom]:
        """The numbers to circle, by a name of their own."""
        rooms = (room for room in find_rooms(self.parts) if room.what[0] == "numbers")
        return {
            f"{room.what[1]} {i}": NumberRoom(room.what[1], int(room.what[2]), room.box)
            for i, room in enumerate(rooms)
        }

    @cached_property
    def name(self) -> Rect | None:
        """Where its player writes a name, if anywhere."""
        rooms = (room for room in find_rooms(self.parts) if room.what == ("name",))
        return next((room.box for room in rooms), None)

    @cached_property
    def boxes(self) -> dict[str, Rect]:
        """All that may be marked, by the names of fields and `numbers`."""
        fields = {name: (b.x, b.y, b.width, b.height) for name, b in self.frame.fields.items()}
        return fields | {name: room.box for name, room in self.numbers.items()}

    @cached_property
    def box(self) -> Rect:
        """The part of its leaf that is laid flat: all that may be marked, with a margin."""
        boxes = np.array(list(self.boxes.values()))
        left, top = boxes[:, :2].min(0) - MARGIN_MM
        right, low = (boxes[:, :2] + boxes[:, 2:]).max(0) + MARGIN_MM
        return float(left), float(top), float(right - left), float(low - top)

    def marker_points(self, corners: Sequence[int]) -> NDArray[np.float64]:
        """The corners of some of its markers, in millimetres of the leaf."""
        return np.vstack([corner_points(self.frame.markers[corner]) for corner in corners])


def corner_points(box: Box) -> NDArray[np.float64]:
    """A box's corners, clockwise from its top left."""
    x, y, w, h = box
    return np.array([(x, y), (x + w, y), (x + w, y + h), (x, y + h)])


@lru_cache(maxsize=64)
def _forms(level: Level) -> tuple[Form, ...]:
    found: dict[str, Form] = {}
    for margins, (options, per_page) in product(MARGINS, PRINTS):
        shape = frame(level, options, per_page, margins)
        name = layout_hash(level, shape)
        found.setdefault(name, Form(level, options, shape, name))
    return tuple(found.values())


def forms_of(levels: Sequence[Level]) -> list[Form]:
    """All forms of some levels."""
    return [form for level in levels for form in _forms(level)]


def measure_span(markers: Mapping[int, NDArray[np.float64]]) -> tuple[float, float]:
    """The outer distances of a sheet's four markers in millimetres, told by their own size."""
    outer = np.array([markers[corner][corner] for corner in range(4)], np.float32)
    square = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32)
    flat = cv2.getPerspectiveTransform(outer, square)
    sides: tuple[list[float], list[float]] = ([], [])
    for corners in markers.values():
        a, b, c, d = cv2.perspectiveTransform(corners.reshape(1, 4, 2), flat)[0]
        sides[0].extend((b[0] - a[0], c[0] - d[0]))
        sides[1].extend((d[1] - a[1], c[1] - b[1]))
    return MARKER_MM / float(np.median(sides[0])), MARKER_MM / float(np.median(sides[1]))


def fitting_forms(forms: Sequence[Form], markers: Mapping[int, NDArray[np.float64]]) -> list[Form]:
    """The forms whose markers lie as these do, the best first."""
    if len(markers) == 4:
        width, height = measure_span(markers)
        found = [
            (abs(np.log(width / form.span[0])) + abs(np.log(height / form.span[1])), i)
            for i, form in enumerate(forms)
        ]
        fitting = [forms[i] for cost, i in sorted(found) if cost < 2 * ALIKE]
        return fitting or [forms[i] for cost, i in sorted(found) if cost < 2 * CURLED]
    corners = sorted(markers)
    pixels = np.vstack([markers[corner] for corner in corners])
    costs = []
    for i, form in enumerate(forms):
        points = form.marker_points(corners)
        homography, _kept = cv2.findHomography(points, pixels)
        if homography is None:
            continue
        seen = cv2.perspectiveTransform(points.reshape(1, -1, 2), homography)[0]
        side = float(np.hypot(*(pixels[1] - pixels[0])))
        costs.append((float(np.sqrt(((seen - pixels) ** 2).sum(1).mean())) / side, i))
    return [forms[i] for cost, i in sorted(costs) if cost < ALIKE]
