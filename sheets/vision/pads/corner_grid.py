"""Rectification of an empty sheet whose corners and numbers of columns and rows the user gave."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from sheets.vision.pads.lattice import Lattice
from sheets.vision.pads.quadrilaterals import Points, Quads, Region, find_quads
from sheets.vision.pads.rectification import RectifiedGrid, find_holes, rectify_grid
from sheets.vision.pixels import Picture
from sheets.vision.rectification import WarpModel
from sheets.vision.refusals import Refused

_MIN_FIELD_PX: Final = 12
"""Minimum side of a field in the photo, in pixels."""

_MAX_OFFSET: Final = 0.45
"""Maximum distance of a quadrilateral from the centre of its field on curled paper, in fields."""

_MAX_RESIDUAL: Final = 0.2
"""Maximum residual of a quadrilateral against smooth paper, in fields."""

_MAX_OFF_SHARE: Final = 0.12
"""Maximum share of quadrilaterals with a larger residual: up to 0.07 on curled sheets, and 0.14 or
more if the number of columns or rows is wrong by one."""

_SIZES: Final = (0.55, 1.15)
"""Range of the sides of a quadrilateral, in fields."""

_MIN_MATCHES: Final = 8
"""Minimum number of quadrilaterals from which the curl of the paper is estimated."""


def rectify_at_corners(photo: Picture, corners: Points, columns: int, rows: int) -> RectifiedGrid:
    """Rectify a grid of fields.

    Detected quadrilaterals correct the corners and follow curled paper. All cells are fields,
    except for those without a border and without print.

    Args:
        corners: outer corners of the grid in pixels, 4 × 2, clockwise from its top left.
        columns: number of fields from the first to the second corner.
        rows: number of fields from the second to the third corner.

    Raises:
        Refused: ``corners``, if the fields would be too small to be read; ``not-at-corners``, if
            the photo shows fields elsewhere, or none.
    """
    ends = np.array([(0, 0), (columns, 0), (columns, rows), (0, rows)], np.float32) - np.float32(
        0.5
    )
    to_photo: Points = np.asarray(
        cv2.getPerspectiveTransform(ends, corners.astype(np.float32)), np.float64
    )
    at = np.array([(x, y) for y in range(rows) for x in range(columns)], np.float64)
    if np.hypot(*np.moveaxis(_sides(at, to_photo), -1, 0)).min() < _MIN_FIELD_PX:
        raise Refused("corners")
    quads = find_quads(photo, _region(photo, corners))
    found, which = _match(quads, to_photo, columns, rows)
    centres = _follow_curl(at, found, quads.centres[which], to_photo)
    rectified = rectify_grid(photo, Lattice(at, centres, _sides(at, to_photo), to_photo))
    detected = {(float(x), float(y)) for x, y in found}
    cells_of_grid = {(float(x), float(y)) for x, y in at}
    holes = find_holes(rectified, cells_of_grid - detected)
    if holes == cells_of_grid:
        raise Refused("not-at-corners")
    rectified.positions = [(float(x), float(y)) for x, y in at if (x, y) not in holes]
    rectified.detected = len(detected)
    return rectified


def _follow_curl(at: Points, found: Points, detected: Points, to_photo: Points) -> Points:
    """Return the centres of all grid positions in pixels: the detected ones, and those between.

    Args:
        at: all grid positions, N × 2.
        found: those with a detected quadrilateral.
        detected: centres of these quadrilaterals in pixels.

    Raises:
        Refused: ``not-at-corners``, if they do not lie on smooth paper.
    """
    warped = at
    if len(found) >= _MIN_MATCHES:
        low, high = at.min(0), at.max(0)
        warp = WarpModel((*map(float, low), *map(float, high - low)))  # type: ignore[arg-type]
        flat = np.asarray(cv2.perspectiveTransform(detected[None], np.linalg.inv(to_photo))[0])
        for order in (1, 2):
            warp.fit(found, flat - warp(found), np.ones(len(found)), order)
        is_off = np.hypot(*(flat - warp(found)).T) > _MAX_RESIDUAL
        if is_off.mean() > _MAX_OFF_SHARE:
            raise Refused("not-at-corners")
        warp.fit(found, flat - warp(found), np.ones(len(found)), 3)
        warped = warp(at)
    centres = np.asarray(cv2.perspectiveTransform(warped[None], to_photo)[0], np.float64)
    index = {tuple(one): i for i, one in enumerate(at.tolist())}
    centres[[index[tuple(one)] for one in found.tolist()]] = detected
    return centres


def _sides(at: Points, to_photo: Points) -> Points:
    """Return the sides of the fields at some grid positions in pixels, N × 2 × 2."""
    ends = [
        cv2.perspectiveTransform((at + step)[None], to_photo)[0]
        for step in ((-0.5, 0), (0.5, 0), (0, -0.5), (0, 0.5))
    ]
    return np.stack([ends[1] - ends[0], ends[3] - ends[2]], 1)


def _region(photo: Picture, corners: Points) -> Region:
    """Return the region of the photo that contains the grid."""
    left, top = np.maximum(0, corners.min(0)).astype(int).tolist()
    right, bottom = np.minimum(photo.shape[1::-1], np.ceil(corners.max(0))).astype(int).tolist()
    return left, top, right, bottom


def _match(quads: Quads, to_photo: Points, columns: int, rows: int) -> tuple[Points, list[int]]:
    """Return the cells that have a quadrilateral, N × 2, and the nearest quadrilateral of each."""
    if not len(quads.centres):
        return np.zeros((0, 2)), []
    back = np.linalg.inv(to_photo)
    projected = cv2.perspectiveTransform(quads.centres[None], back)[0]
    cells = np.round(projected)
    off = np.hypot(*(projected - cells).T)
    expected = np.sqrt(np.abs(np.linalg.det(_sides(cells, to_photo))))
    size = np.sqrt(np.abs(np.linalg.det(quads.sides))) / np.maximum(expected, 1e-6)
    is_field = (size > _SIZES[0]) & (size < _SIZES[1])
    is_field &= (cells >= 0).all(1) & (cells < (columns, rows)).all(1)
    fits = is_field & (off < _MAX_OFFSET)
    nearest: dict[tuple[float, float], int] = {}
    for i in sorted(np.flatnonzero(fits).tolist(), key=lambda one: off[one]):
        x, y = cells[i]
        nearest.setdefault((float(x), float(y)), i)
    return np.array(list(nearest), np.float64).reshape(-1, 2), list(nearest.values())
