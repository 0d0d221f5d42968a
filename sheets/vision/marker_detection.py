"""Detection of ArUco markers in a photo, and grouping of the markers of each sheet."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from sheets.vision.pixels import Grey

Corners = NDArray[np.float64]
"""Corner points in pixels of the photo, 4 × 2, clockwise from the marker's own top left."""

SEARCH_SIDES_PX: Final = (1600, 2800)
"""Longest sides of the reduced photos that are searched before the whole photo, for speed."""

MARKER_IDS: Final = 8
"""Number of marker IDs: those of two sheets on a page."""

_MAX_OFF_LINE: Final = 0.35
"""Maximum offset of a neighbouring marker from the line along a marker's side, relative to their
distance."""

MODULES: Final = 6
"""Width of a marker in modules."""

_MAX_EDGE_WIDTH: Final = 0.75
"""Maximum width of an edge in a sharp photo, in modules of the marker. Sharp photos have up to 0.5;
from 1 on, half of the markers are not detected."""


class Marker(NamedTuple):
    """A marker: its ID in the ArUco dictionary, and its corners."""

    id: int
    corners: Corners


class MarkerGroup(NamedTuple):
    """Markers of one sheet by corner: 0 to 3, clockwise from the sheet's top left."""

    place: int
    markers: dict[int, Corners]


@cache
def _detector() -> cv2.aruco.ArucoDetector:
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    parameters.adaptiveThreshWinSizeMin = 5
    parameters.adaptiveThreshWinSizeMax = 45
    parameters.adaptiveThreshWinSizeStep = 20
    return cv2.aruco.ArucoDetector(dictionary, parameters)


def find_markers(grey: Grey) -> list[Marker]:
    """Detect all markers of sheets, in pixels of the photo.

    Search reduced photos first and stop when all sheets are complete. If some are not, search the
    photo with normalised illumination, too.
    """
    found: list[Marker] = []
    longest = max(grey.shape)
    for width in (*(w for w in SEARCH_SIDES_PX if w < longest), longest):
        found = _merge(found, _find_at(grey, width / longest))
        if found and all(len(group.markers) == 4 for group in group_markers(found)):
            return refine(grey, found)
    even = _even_illumination(grey)
    scale = min(1.0, 3200 / longest) if longest > 2000 else 2.0
    found = _merge(found, _find_at(even, scale))
    return refine(grey, found)


def _find_at(grey: Grey, scale: float) -> list[Marker]:
    small = grey
    if scale != 1:
        how = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
        small = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=how)
    corners, ids, _rejected = _detector().detectMarkers(small)
    if ids is None:
        return []
    return [
        # Pixel centres: half a pixel of the reduced photo is more in the whole photo.
        Marker(int(id), (found[0].astype(np.float64) + 0.5) / scale - 0.5)
        for id, found in zip(ids.ravel(), corners, strict=True)
        if id < MARKER_IDS
    ]


def _merge(known: Sequence[Marker], new: Sequence[Marker]) -> list[Marker]:
    """Merge two detections; prefer the new one, whose larger photo is more exact."""
    merged = list(new)
    for marker in known:
        side = np.hypot(*(marker.corners[1] - marker.corners[0]))
        middle = marker.corners.mean(0)
        if all(
            other.id != marker.id or np.hypot(*(other.corners.mean(0) - middle)) > side / 2
            for other in new
        ):
            merged.append(marker)
    return merged


def refine(grey: Grey, markers: Sequence[Marker]) -> list[Marker]:
    """Refine the corners to subpixel accuracy; ``grey`` is the photo at full resolution.

    A marker whose corners would move too far stays as it was."""
    refined = []
    for id, corners in markers:
        side = float(np.hypot(*(corners[1] - corners[0])))
        reach = int(np.clip(side / 14, 2, 9))
        points = corners.astype(np.float32).reshape(-1, 1, 2)
        criteria = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 30, 0.02)
        better = cv2.cornerSubPix(grey, points.copy(), (reach, reach), (-1, -1), criteria)
        exact = np.asarray(better, np.float64).reshape(4, 2)
        is_near = np.hypot(*(exact - corners).T).max() < reach
        refined.append(Marker(id, exact if is_near else corners))
    return refined


def is_blurred(grey: Grey, markers: Sequence[Corners]) -> bool:
    """Return whether most of these markers have edges too soft for the detection of others."""
    return float(np.median([_edge_width(grey, corners) for corners in markers])) > _MAX_EDGE_WIDTH


def _edge_width(grey: Grey, corners: Corners) -> float:
    """Return the width of the edges in modules, in the direction of the stronger (motion) blur."""
    square = float(np.hypot(*(corners[1] - corners[0]))) / MODULES
    margin = int(square) + 2
    x, y, width, height = cv2.boundingRect(corners.astype(np.float32))
    part = grey[max(0, y - margin) : y + height + margin, max(0, x - margin) : x + width + margin]
    part = cv2.GaussianBlur(part.astype(np.float32), (0, 0), 0.7)
    contrast = float(np.subtract(*np.percentile(part, (95, 5))))
    steepest = min(
        float(np.percentile(np.abs(cv2.Sobel(part, cv2.CV_32F, *direction)), 97)) / 8
        for direction in ((1, 0), (0, 1))
    )
    return contrast / max(0.1, steepest) / square


def _even_illumination(grey: Grey) -> Grey:
    """Normalise the illumination of a photo and sharpen it."""
    small = cv2.resize(grey, None, fx=1 / 16, fy=1 / 16, interpolation=cv2.INTER_AREA)
    ground = cv2.morphologyEx(small, cv2.MORPH_CLOSE, np.ones((9, 9), np.uint8))
    ground = cv2.resize(ground, grey.shape[::-1], interpolation=cv2.INTER_LINEAR)
    even = cv2.divide(grey, ground, scale=230)
    soft = cv2.GaussianBlur(even, (0, 0), 3)
    return cv2.addWeighted(even, 1.8, soft, -0.8, 0)


def group_markers(markers: Sequence[Marker]) -> list[MarkerGroup]:
    """Group the markers by sheet; several loose sheets may have the same IDs."""
    groups: list[MarkerGroup] = []
    left = list(markers)
    while left:
        seed = min(left, key=lambda marker: marker.id)
        place = seed.id // 4
        group = {seed.id % 4: seed}
        for corner in range(4):
            wanted = 4 * place + corner
            fitting = [
                (cost, i)
                for i, marker in enumerate(left)
                if marker.id == wanted and (cost := _sheet_distance(seed, marker)) is not None
            ]
            if corner not in group and fitting:
                group[corner] = left[min(fitting)[1]]
        left = [marker for marker in left if all(marker is not one for one in group.values())]
        groups.append(MarkerGroup(place, {corner: one.corners for corner, one in group.items()}))
    return groups


_CORNER_POSITIONS: Final = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float64)
"""Position of each corner in a unit square."""


def _sheet_distance(seed: Marker, other: Marker) -> float | None:
    """Return the distance of two markers in sides, or None if they cannot be of one sheet.

    The other marker must have the right direction from the seed, and a similar rotation and size.
    """
    direction = _CORNER_POSITIONS[other.id % 4] - _CORNER_POSITIONS[seed.id % 4]
    right = seed.corners[1] - seed.corners[0]
    down = seed.corners[3] - seed.corners[0]
    side = float(np.hypot(*right) + np.hypot(*down)) / 2
    between = other.corners.mean(0) - seed.corners.mean(0)
    along, across = np.linalg.solve(np.stack([right, down], 1), between)
    distance = float(np.hypot(along, across))
    if distance < 2:
        return None
    both = (along, across)
    for amount, sign in zip(both, direction, strict=True):
        is_off = abs(amount) > _MAX_OFF_LINE * distance if sign == 0 else amount * sign < 0.5
        if is_off:
            return None
    turned = other.corners[1] - other.corners[0]
    cosine = float(turned @ right) / float(np.hypot(*turned) * np.hypot(*right))
    alike = float(np.hypot(*turned)) / side
    if cosine < 0.7 or not 0.4 < alike < 2.5:
        return None
    return distance
