"""Detection of quadrilaterals that may be fields of a sheet.

Each binarisation of the photo separates light regions from the lines, gaps or tint edges around
them. A closed region whose convex hull has four corners is a candidate.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil
from typing import Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from sheets.vision.pixels import Grey, Picture, enhance_contrast, max_channel

SEARCH_SIDE_PX: Final = 2000
"""Longer side of the picture that is searched, in pixels: lines of 0.25 mm are still resolved."""

_TILE_OVERLAP_PX: Final = 300
"""Overlap of adjacent tiles, in pixels: at least one field."""

_LINE_THRESHOLDS: Final = ((0.006, 0.04), (0.014, 0.06), (0.035, 0.09))
"""Adaptive thresholds for dark lines: window as a share of the longer side, and minimum relative
darkness."""

_GAP_THRESHOLD: Final = (0.014, 0.03)
"""The same for gaps that are brighter than the fields next to them."""

_MIN_SIDE_PX: Final = 12
"""Minimum side of a region, in pixels."""

_MAX_SIDE_SHARE: Final = 0.22
"""Maximum side of a region, as a share of the picture's shorter side."""

_MIN_FILL: Final = 0.3
"""Minimum share of a region's bounding box that is light."""

_MIN_SOLIDITY: Final = 0.7
"""Minimum solidity (area / hull area) of a region without a dent."""

_MIN_DENTED_SOLIDITY: Final = 0.4
"""Minimum solidity of a region that a digit touching the border dents; its hull keeps four
corners."""

_MAX_DENTED_HULL_RATIO: Final = 1.12
"""Maximum ratio of hull area to quadrilateral area for dented regions."""

_MIN_COVER: Final = 0.6
"""Minimum share of a known region's area at which a region inside it is a duplicate."""

_HULL_RATIOS: Final = (0.85, 1.3)
"""Range of the ratio of hull area to quadrilateral area; rounded corners increase it."""

Points = NDArray[np.float64]
Region = tuple[int, int, int, int]
"""Left, top, right and bottom, in pixels."""

_Box = tuple[int, int, int, int]
"""Left, top, width and height, in pixels."""


class Quads(NamedTuple):
    """Detected quadrilaterals: ``centres`` N × 2 and ``sides`` N × 2 × 2, in pixels of the whole
    photo.

    ``sides`` holds the vectors along a quadrilateral's own x and y axis, as long as it is. The
    orientation is only known up to quarter turns.
    """

    centres: Points
    sides: Points


def find_quads(
    photo: Picture,
    within: Region | None = None,
    *,
    at_full_resolution: bool = False,
    is_enhanced: bool = False,
) -> Quads:
    """Detect all quadrilaterals that may be fields.

    Args:
        within: region of the photo to search; None for all of it.
        at_full_resolution: search at full resolution in tiles, for pale or thin lines and for
            gaps brighter than the fields. A photo of 12 megapixels takes four times as long.
        is_enhanced: apply local contrast enhancement (CLAHE) first.
    """
    left, top, right, bottom = within or (0, 0, *photo.shape[1::-1])
    longest_px = float(max(photo.shape[:2]))
    scale = 1.0 if at_full_resolution else min(1.0, SEARCH_SIDE_PX / longest_px)
    found: list[Points] = []
    for start, tile in _tiles(photo[top:bottom, left:right], scale, is_enhanced=is_enhanced):
        corners_of = _detect_by_binarisation(tile, at_full_resolution=at_full_resolution)
        found += [corners + np.array(start) for corners in corners_of]
    quads = _to_quads(found, scale)
    return quads._replace(centres=quads.centres + np.array((left, top)))


def _detect_by_binarisation(tile: Picture, *, at_full_resolution: bool) -> list[Points]:
    """Return the corners of the regions that all binarisations of a tile show."""
    max_side_px = _MAX_SIDE_SHARE * min(tile.shape[:2])
    known: list[_Box] = []
    found: list[Points] = []
    for light, eroded_px in _binarise(tile, at_full_resolution=at_full_resolution):
        regions = list(_closed_regions(light, max_side_px, eroded_px, known))
        known += [box for box, _corners in regions]
        found += [corners for _box, corners in regions]
    return found


def _to_quads(found: Sequence[Points], scale: float) -> Quads:
    if not found:
        return Quads(np.zeros((0, 2)), np.zeros((0, 2, 2)))
    corners = _suppress_duplicates(np.array(found)) / scale
    centres = corners.mean(1)
    across = (corners[:, 1] + corners[:, 2] - corners[:, 0] - corners[:, 3]) / 2
    down = (corners[:, 2] + corners[:, 3] - corners[:, 0] - corners[:, 1]) / 2
    return Quads(centres, np.stack([across, down], 1))


def _tiles(
    photo: Picture, scale: float, *, is_enhanced: bool
) -> Iterator[tuple[tuple[int, int], Picture]]:
    """Yield overlapping tiles of the scaled photo, each with the position of its top left corner.

    Intermediate results of a whole photo of 17 megapixels would need too much memory.
    """
    if scale < 1:
        photo = downscale(photo, scale)
    if is_enhanced:
        photo = enhance_contrast(photo)
    rows, columns = (_tile_bounds(side) for side in photo.shape[:2])
    for top, bottom in rows:
        for left, right in columns:
            yield (left, top), photo[top:bottom, left:right]


def downscale(photo: Picture, scale: float) -> Picture:
    """Downscale a photo by ``scale`` below 1.

    An integer factor comes first: it takes a tenth of the time and is enough for most photos.
    """
    whole = int(1 / scale)
    high, wide = (side // whole * whole for side in photo.shape[:2])
    for by in (1 / whole, scale * whole):
        if by < 1:
            photo = cv2.resize(
                photo[:high, :wide], None, fx=by, fy=by, interpolation=cv2.INTER_AREA
            )
    return photo


def _tile_bounds(side: int) -> list[tuple[int, int]]:
    """Return the bounds of overlapping tiles of at most `SEARCH_SIDE_PX` that cover a side."""
    count = max(1, ceil((side - _TILE_OVERLAP_PX) / (SEARCH_SIDE_PX - _TILE_OVERLAP_PX)))
    step = (side - _TILE_OVERLAP_PX) / count
    return [(round(i * step), round((i + 1) * step) + _TILE_OVERLAP_PX) for i in range(count)]


def _binarise(photo: Picture, *, at_full_resolution: bool) -> Iterator[tuple[Grey, float]]:
    """Yield binarised pictures: 255 where a field's interior may be, 0 on its border.

    Each comes with the number of pixels by which the interior was eroded on all sides.
    """
    soft = cv2.GaussianBlur(photo, (3, 3), 0)
    grey = cv2.cvtColor(soft, cv2.COLOR_RGB2GRAY)
    for i, (share, darker) in enumerate(_LINE_THRESHOLDS):
        mean = _local_mean(grey, share)
        light = cv2.compare(grey, cv2.convertScaleAbs(mean, alpha=1 - darker), cv2.CMP_GE)
        yield light, 0
        if not i:
            # Lines one pixel wide are broken in a downscaled photo.
            yield cv2.erode(light, np.ones((3, 3), np.uint8)), 1
    if at_full_resolution:
        mean = _local_mean(grey, _GAP_THRESHOLD[0])
        yield (
            cv2.compare(grey, cv2.convertScaleAbs(mean, alpha=1 + _GAP_THRESHOLD[1]), cv2.CMP_LE),
            0,
        )
    # Fields without lines are bounded by the edges of their tint, in any colour and however pale.
    for spread, least, times in ((0, 9, 0.9), (1.6, 3, 1.35)):
        even = cv2.GaussianBlur(photo, (0, 0), spread) if spread else soft
        edges = max_channel(cv2.morphologyEx(even, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)))
        most = cv2.min(edges, np.full_like(edges, 12)) if spread else edges
        wide = cv2.boxFilter(most, -1, (81, 81), borderType=cv2.BORDER_REPLICATE)
        limit = cv2.max(
            cv2.convertScaleAbs(wide, alpha=times, beta=2 - bool(spread)), np.full_like(wide, least)
        )
        yield cv2.compare(edges, limit, cv2.CMP_LE), 0


def _local_mean(grey: Grey, share: float) -> Grey:
    """Return the local mean of each pixel; the window is ``share`` of the longer side."""
    side = 2 * round(share * max(grey.shape) / 2) + 1
    return cv2.boxFilter(grey, -1, (side, side), borderType=cv2.BORDER_REPLICATE)


def _closed_regions(
    light: Grey, max_side_px: float, eroded_px: float, known: Sequence[_Box]
) -> Iterator[tuple[_Box, Points]]:
    """Yield the bounding box and the corners, clockwise, of each closed four-cornered region.

    Such a region is a hole of the contour around it: following contours takes a sixth of the time
    of labelling connected components. Duplicates of the regions in ``known`` are skipped, because
    non-maximum suppression would drop them.
    """
    edges, tree = cv2.findContours(cv2.bitwise_not(light), cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE)
    is_hole = tree[0, :, 3] >= 0 if edges else ()
    holes = [edge for edge, one in zip(edges, is_hole, strict=True) if one]
    boxes = np.array([cv2.boundingRect(hole) for hole in holes], int).reshape(-1, 4)
    # The contour runs through the pixels around the region.
    least, most = boxes[:, 2:].min(1) - 2, boxes[:, 2:].max(1) - 2
    fits = (least >= _MIN_SIDE_PX) & (most <= max_side_px) & (most < 2.2 * least)
    fits[fits] = ~_are_duplicates(boxes[fits], np.array(known, int).reshape(-1, 4))
    for i in map(int, np.flatnonzero(fits)):
        left, top, wide, high = map(int, boxes[i])
        within = np.zeros((high, wide), np.uint8)
        cv2.drawContours(within, [holes[i]], 0, 1, cv2.FILLED, offset=(-left, -top))
        here = np.bitwise_and(within, light[top : top + high, left : left + wide], dtype=np.uint8)
        if cv2.countNonZero(here) < _MIN_FILL * (wide - 2) * (high - 2):
            continue
        corners = _fit_quad(here, eroded_px)
        if corners is not None:
            yield (left, top, wide, high), corners + np.array((left, top))


def _are_duplicates(boxes: NDArray[np.int_], others: NDArray[np.int_]) -> NDArray[np.bool_]:
    """Return which boxes lie within one of the others, up to a pixel, and cover most of it."""
    left, top, wide, high = boxes.T[..., None]
    x, y, across, down = others.T
    inside = (left >= x - 1) & (top >= y - 1)
    inside &= (left + wide <= x + across + 1) & (top + high <= y + down + 1)
    inside &= wide * high > _MIN_COVER * across * down
    return np.asarray(inside.any(1))


def _fit_quad(patch: Grey, eroded_px: float) -> Points | None:
    """Return the four corners of a region, or None if it has another shape."""
    outlines, _ = cv2.findContours(patch, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    outline = max(outlines, key=len)
    hull = cv2.convexHull(outline)
    area = cv2.contourArea(hull)
    solid = cv2.contourArea(outline) / max(area, 1.0)
    if area < _MIN_SIDE_PX**2 / 2 or solid < _MIN_DENTED_SOLIDITY:
        return None
    points = hull[:, 0].astype(np.float64)
    box = np.array(cv2.boxPoints(cv2.minAreaRect(hull)), np.float64)
    centre = box.sum(0) / 4
    corners = points[((points - centre) @ (box - centre).T).argmax(0)]
    inside = cv2.contourArea(corners.astype(np.float32))
    most = _HULL_RATIOS[1] if solid >= _MIN_SOLIDITY else _MAX_DENTED_HULL_RATIO
    if not inside or not _HULL_RATIOS[0] <= area / inside <= most:
        return None
    # Contours run through pixel centres: half a pixel more on each side belongs to the region.
    grown = np.sqrt(area / inside) * (1 + (1 + 2 * eroded_px) / np.sqrt(area))
    centre = corners.sum(0) / 4
    return np.asarray(centre + (corners - centre) * grown + 0.5)


def _suppress_duplicates(corners: Points) -> Points:
    """Non-maximum suppression: keep the largest of the quadrilaterals with nearly the same
    centre."""
    x, y = corners.mean(1).T.copy()
    sizes = np.sqrt(np.array([cv2.contourArea(one.astype(np.float32)) for one in corners]))
    kept: list[int] = []
    is_taken = np.zeros(len(corners), bool)
    for i in np.argsort(-sizes):
        if is_taken[i]:
            continue
        kept.append(int(i))
        off = 0.2 * sizes[i]
        near = (np.abs(x - x[i]) < off) & (np.abs(y - y[i]) < off)
        is_taken |= near & (sizes > 0.72 * sizes[i])
    return corners[kept]
