"""Detection of printed sheets in a photo: their markers, QR codes and possible layouts."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from sheets.vision.corners import corner_orders
from sheets.vision.layouts import PrintLayout, matching_layouts
from sheets.vision.marker_detection import MarkerGroup, find_markers, group_markers
from sheets.vision.pixels import Picture
from sheets.vision.qr_codes import LocatedCode, SheetCode, match_blurred_code, read_codes

MIN_MARKERS: Final = 3
"""Minimum number of markers for a homography that can be trusted."""

_MAX_SHAPE_DIFFERENCE: Final = 0.4
"""Maximum difference of the logarithms of two side ratios: that of a layout, and that of a sheet in
a photo, which perspective changes."""


class DetectedSheet(NamedTuple):
    """A printed sheet in a photo.

    ``layouts`` are its possible layouts, the most likely first; ``number`` is from its QR code;
    ``markers`` are its corners in pixels; ``place`` is its position on the page. ``is_exact``: its
    QR code was decoded and names the layout of ``layouts``. ``corners`` are the outer corners of
    its four markers, if the user placed them in the photo; ``markers`` is empty then.
    """

    place: int
    number: int | None
    level: str | None
    layouts: tuple[PrintLayout, ...]
    markers: dict[int, NDArray[np.float64]]
    is_exact: bool = False
    corners: NDArray[np.float64] | None = None

    def to_photo(self, layout: PrintLayout) -> NDArray[np.float64]:
        """Return the homography from millimetres of the sheet to pixels, for one of its layouts."""
        if self.corners is not None:
            on_sheet = layout.outer_corners.astype(np.float32)
            found = cv2.getPerspectiveTransform(on_sheet, self.corners.astype(np.float32))
            return np.asarray(found, np.float64)
        corners = sorted(self.markers)
        pixels = np.vstack([self.markers[corner] for corner in corners])
        return np.asarray(cv2.findHomography(layout.marker_points(corners), pixels)[0])

    def only(self, levels: Collection[str]) -> DetectedSheet:
        """Return the sheet with the layouts of some levels only."""
        layouts = tuple(layout for layout in self.layouts if layout.level.id in levels)
        return self._replace(layouts=layouts)

    def outline(self, layout: PrintLayout | None = None) -> NDArray[np.float64]:
        """Return the convex hull of its markers in pixels of the photo, N × 2.

        With a layout, include the markers that were not detected.
        """
        if self.corners is not None:
            return self.corners
        if layout is None or len(self.markers) < 2:
            corners = np.vstack(list(self.markers.values()))
        else:
            on_sheet = layout.marker_points(range(len(layout.frame.markers)))
            corners = cv2.perspectiveTransform(on_sheet.reshape(1, -1, 2), self.to_photo(layout))[0]
        return np.asarray(cv2.convexHull(corners.astype(np.float32))[:, 0], np.float64)


_CODE_WINDOW_MM: Final = ((-15.0, 75.0), (-30.0, 110.0))
"""Search window for the centre of the QR code, relative to the third marker: x and y range in
millimetres. It is generous because the layout is not known exactly before the code is read."""


def detect_sheets(photo: Picture, layouts: Sequence[PrintLayout]) -> list[DetectedSheet]:
    """Detect the sheets of a photo, ordered by the number in their code.

    Args:
        layouts: layouts to search for. A sheet whose code names another level gets no layouts.
    """
    grey = cv2.cvtColor(photo, cv2.COLOR_RGB2GRAY)
    groups = group_markers(find_markers(grey))
    codes = read_codes(grey) if groups else []
    found = [
        _identify(photo, group, layouts, _codes_nearest_to(group, groups, codes))
        for group in groups
    ]
    return sorted(found, key=lambda one: (one.number or 10**6, one.place))


def _identify(
    photo: Picture,
    group: MarkerGroup,
    layouts: Sequence[PrintLayout],
    codes: Sequence[LocatedCode],
) -> DetectedSheet:
    fitting = matching_layouts(layouts, group.markers)
    as_found = DetectedSheet(group.place, None, None, tuple(fitting), group.markers)
    if len(group.markers) < MIN_MARKERS:
        return as_found
    code = _nearest_code(codes, as_found)
    if code is not None:
        return _with_code(as_found, code, layouts)
    code = match_blurred_code(photo, fitting, as_found.to_photo)
    if code is None:
        return as_found
    return _with_code(as_found, code, layouts)._replace(is_exact=False)


def detect_at_corners(
    photo: Picture, corners: NDArray[np.float64], layouts: Sequence[PrintLayout]
) -> list[DetectedSheet]:
    """Return what the sheet with these corners may be, in each orientation.

    If its QR code was decoded, only the orientations are returned in which the code is in its
    place. The most likely layout of a sheet is unknown: ``layouts`` have no order.

    Args:
        corners: outer corners of the four markers in pixels, 4 × 2, clockwise.
        layouts: layouts to search for.
    """
    codes = read_codes(cv2.cvtColor(photo, cv2.COLOR_RGB2GRAY))
    found = []
    for order in corner_orders(corners):
        fitting = tuple(layout for layout in layouts if _has_shape(layout, order))
        as_found = DetectedSheet(0, None, None, fitting, {}, corners=order)
        code = _nearest_code(codes, as_found)
        found.append(_with_code(as_found, code, layouts) if code else as_found)
    return [one for one in found if one.level] or found


def _has_shape(layout: PrintLayout, corners: NDArray[np.float64]) -> bool:
    """Return whether a layout may have these corners by the ratio of its sides."""
    lengths = np.hypot(*(np.roll(corners, -1, 0) - corners).T)
    ratio = (lengths[0] + lengths[2]) / (lengths[1] + lengths[3])
    width, height = layout.span
    return bool(abs(np.log(ratio * height / width)) < _MAX_SHAPE_DIFFERENCE)


def _with_code(
    found: DetectedSheet, code: SheetCode, layouts: Sequence[PrintLayout]
) -> DetectedSheet:
    """Return the sheet with the content of its QR code, and the layouts that the code allows."""
    named = [layout for layout in layouts if layout.level.id.lower() == code.level]
    exact = [layout for layout in named if layout.hash == code.hash]
    chosen = exact or [layout for layout in found.layouts if layout in named]
    return found._replace(
        number=code.number, level=code.level, layouts=tuple(chosen), is_exact=bool(exact)
    )


def _codes_nearest_to(
    group: MarkerGroup,
    groups: Sequence[MarkerGroup],
    codes: Sequence[LocatedCode],
) -> list[LocatedCode]:
    """Return the codes that are nearer to this sheet's markers than to any other's."""

    def middle(one: MarkerGroup) -> NDArray[np.float64]:
        return np.asarray(np.vstack(list(one.markers.values())).mean(0))

    middles = [middle(one) for one in groups]
    mine = middle(group)
    return [
        one
        for one in codes
        if np.hypot(*(mine - one.middle)) <= min(np.hypot(*(at - one.middle)) for at in middles)
    ]


def _nearest_code(codes: Sequence[LocatedCode], found: DetectedSheet) -> SheetCode | None:
    """Return the QR code nearest to a sheet's third marker within `_CODE_WINDOW_MM`, or None."""
    if not found.layouts:
        return None
    layout = found.layouts[0]
    from_photo = np.linalg.inv(found.to_photo(layout))
    (left, right), (above, below) = _CODE_WINDOW_MM
    near = []
    for code, middle in codes:
        on_sheet = cv2.perspectiveTransform(middle.reshape(1, 1, 2), from_photo)
        x, y = on_sheet[0, 0] - layout.outer_corners[2]
        if left <= x <= right and above <= y <= below:
            near.append((float(np.hypot(x, y)), code))
    return min(near)[1] if near else None
