"""What in a photo has four corners, as fields have? Each light patch closed in by lines, or by an
edge of its tint."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil
from typing import Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from sheets.scanning.pixels import Grey, Picture, brightest, stronger

LONG_PX: Final = 2000
"""The longer side of the picture that is searched: lines of a quarter of a millimetre are seen."""

_COMMON_PX: Final = 300
"""What two pieces of a photo have in common, where it is looked at in pieces: a field at least."""

_BLOCKS: Final = ((0.006, 0.04), (0.014, 0.06), (0.035, 0.09))
"""How wide the surroundings are that a line is darker than, of the longer side; and by how much."""

_GAP: Final = (0.014, 0.03)
"""The same of a gap that is brighter than the fields beside it."""

_LEAST_PX, _MOST_SHARE = 12, 0.22
_LEAST_FILLED, _LEAST_SOLID = 0.3, 0.7
_LEAST_BITTEN, _SQUARE = 0.4, 1.12
"""A digit that touches the border bites into the patch; its hull still has four sharp corners."""

_SAME: Final = 0.6
"""What lies in another patch and has so much of its area is the same one."""

_ROUND: Final = (0.85, 1.3)
"""How much larger the hull is than the quad through its corners: rounded corners make it larger."""

Points = NDArray[np.float64]
Part = tuple[int, int, int, int]
"""Left, top, right and bottom, in pixels."""

_Box = tuple[int, int, int, int]
"""Left, top, width and height."""


class Quads(NamedTuple):
    """N patches: ``middles`` N × 2 and ``sides`` N × 2 × 2, in pixels of the whole photo.

    Of ``sides`` the first is a patch's own way to the right, the second its way down, each as long
    as the patch is; which of the four ways is up is not known.
    """

    middles: Points
    sides: Points


def find_quads(
    photo: Picture,
    within: Part | None = None,
    *,
    is_fine: bool = False,
    is_stronger: bool = False,
) -> Quads:
    """All that might be fields; a field is found by one way of looking or by several.

    Args:
        within: the part of the photo that is looked at; all of it where there is none.
        is_fine: look at every pixel, piece by piece, for lines that are too pale or too thin to be
            seen in a smaller picture, and for gaps that are brighter than fields; of 12 megapixels
            that takes four times as long.
        is_stronger: look at it with more contrast wherever there is little.
    """
    left, top, right, bottom = within or (0, 0, *photo.shape[1::-1])
    scale = 1.0 if is_fine else _small(photo)
    found: list[Points] = []
    for start, piece in _pieces(photo[top:bottom, left:right], scale, is_stronger=is_stronger):
        for some in _by_looks(piece, is_fine=is_fine):
            found += [corners + np.array(start) for corners in some]
    quads = _as_quads(found, scale)
    return quads._replace(middles=quads.middles + np.array((left, top)))


def glance_and_look(photo: Picture) -> Iterator[Quads]:
    """What is seen at a glance, in a third of the time: only what is darker than its near
    surroundings. Then what `find_quads` gives."""
    scale = _small(photo)
    found: list[Points] = []
    for i, some in enumerate(_by_looks(shrink(photo, scale), is_fine=False)):
        found += some
        if not i:
            yield _as_quads(found, scale)
    yield _as_quads(found, scale)


def _small(photo: Picture) -> float:
    return min(1.0, LONG_PX / float(max(photo.shape[:2])))


def _by_looks(piece: Picture, *, is_fine: bool) -> Iterator[list[Points]]:
    """The corners of patches in a piece of a photo that each way of looking shows."""
    most_px = _MOST_SHARE * min(piece.shape[:2])
    known: list[_Box] = []
    for light, lost_px in _looks(piece, is_fine=is_fine):
        seen = list(_patches(light, most_px, lost_px, known))
        known += [box for box, _corners in seen]
        yield [corners for _box, corners in seen]


def _as_quads(found: Sequence[Points], scale: float) -> Quads:
    if not found:
        return Quads(np.zeros((0, 2)), np.zeros((0, 2, 2)))
    corners = _once(np.array(found)) / scale
    middles = corners.mean(1)
    across = (corners[:, 1] + corners[:, 2] - corners[:, 0] - corners[:, 3]) / 2
    down = (corners[:, 2] + corners[:, 3] - corners[:, 0] - corners[:, 1]) / 2
    return Quads(middles, np.stack([across, down], 1))


def _pieces(
    photo: Picture, scale: float, *, is_stronger: bool
) -> Iterator[tuple[tuple[int, int], Picture]]:
    """The photo made smaller, in pieces that overlap, each with where its top left corner is.

    What is worked out of a whole photo of 17 megapixels would need too much memory at once.
    """
    if scale < 1:
        photo = shrink(photo, scale)
    if is_stronger:
        photo = stronger(photo)
    rows, columns = (_parts(side) for side in photo.shape[:2])
    for top, bottom in rows:
        for left, right in columns:
            yield (left, top), photo[top:bottom, left:right]


def shrink(photo: Picture, scale: float) -> Picture:
    """A photo made smaller, ``scale`` below 1 times as large.

    By a whole number at first: that takes a tenth of the time, and most photos no more.
    """
    whole = int(1 / scale)
    high, wide = (side // whole * whole for side in photo.shape[:2])
    for by in (1 / whole, scale * whole):
        if by < 1:
            photo = cv2.resize(
                photo[:high, :wide], None, fx=by, fy=by, interpolation=cv2.INTER_AREA
            )
    return photo


def _parts(side: int) -> list[tuple[int, int]]:
    """The ends of pieces of `LONG_PX` at most that cover a side, each with `_COMMON_PX` of the
    next."""
    count = max(1, ceil((side - _COMMON_PX) / (LONG_PX - _COMMON_PX)))
    step = (side - _COMMON_PX) / count
    return [(round(i * step), round((i + 1) * step) + _COMMON_PX) for i in range(count)]


def _looks(photo: Picture, *, is_fine: bool) -> Iterator[tuple[Grey, float]]:
    """Pictures in which what might be inside a field is 255 and its border is 0.

    With each, by how many pixels what is inside was made smaller on all sides.
    """
    soft = cv2.GaussianBlur(photo, (3, 3), 0)
    grey = cv2.cvtColor(soft, cv2.COLOR_RGB2GRAY)
    for i, (share, darker) in enumerate(_BLOCKS):
        mean = _around(grey, share)
        light = cv2.compare(grey, cv2.convertScaleAbs(mean, alpha=1 - darker), cv2.CMP_GE)
        yield light, 0
        if not i:
            # Lines of a pixel's width come out dashed in a small photo.
            yield cv2.erode(light, np.ones((3, 3), np.uint8)), 1
    if is_fine:
        mean = _around(grey, _GAP[0])
        yield cv2.compare(grey, cv2.convertScaleAbs(mean, alpha=1 + _GAP[1]), cv2.CMP_LE), 0
    # Fields without a line are told by where their tint ends, in any colour, however pale it is.
    for spread, least, times in ((0, 9, 0.9), (1.6, 3, 1.35)):
        even = cv2.GaussianBlur(photo, (0, 0), spread) if spread else soft
        edges = brightest(cv2.morphologyEx(even, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)))
        most = cv2.min(edges, np.full_like(edges, 12)) if spread else edges
        wide = cv2.boxFilter(most, -1, (81, 81), borderType=cv2.BORDER_REPLICATE)
        limit = cv2.max(
            cv2.convertScaleAbs(wide, alpha=times, beta=2 - bool(spread)), np.full_like(wide, least)
        )
        yield cv2.compare(edges, limit, cv2.CMP_LE), 0


def _around(grey: Grey, share: float) -> Grey:
    """How bright the surroundings of each pixel are; ``share`` of the longer side is so wide."""
    side = 2 * round(share * max(grey.shape) / 2) + 1
    return cv2.boxFilter(grey, -1, (side, side), borderType=cv2.BORDER_REPLICATE)


def _patches(
    light: Grey, most_px: float, lost_px: float, known: Sequence[_Box]
) -> Iterator[tuple[_Box, Points]]:
    """The corners of each patch that is closed in, clockwise, and the box around it.

    Such a patch is a hole in what closes it in: to follow the edges of all holes takes a sixth of
    the time of telling of each pixel which patch it belongs to. Those that other looks have shown
    as large already, in the boxes ``known``, are left out: `_once` would not keep them.
    """
    edges, tree = cv2.findContours(cv2.bitwise_not(light), cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE)
    is_hole = tree[0, :, 3] >= 0 if edges else ()
    holes = [edge for edge, one in zip(edges, is_hole, strict=True) if one]
    boxes = np.array([cv2.boundingRect(hole) for hole in holes], int).reshape(-1, 4)
    # The edge runs through the pixels around the patch.
    least, most = boxes[:, 2:].min(1) - 2, boxes[:, 2:].max(1) - 2
    fits = (least >= _LEAST_PX) & (most <= most_px) & (most < 2.2 * least)
    fits[fits] = ~_are_within(boxes[fits], np.array(known, int).reshape(-1, 4))
    for i in map(int, np.flatnonzero(fits)):
        left, top, wide, high = map(int, boxes[i])
        within = np.zeros((high, wide), np.uint8)
        cv2.drawContours(within, [holes[i]], 0, 1, cv2.FILLED, offset=(-left, -top))
        here = np.bitwise_and(within, light[top : top + high, left : left + wide], dtype=np.uint8)
        if cv2.countNonZero(here) < _LEAST_FILLED * (wide - 2) * (high - 2):
            continue
        corners = _corners(here, lost_px)
        if corners is not None:
            yield (left, top, wide, high), corners + np.array((left, top))


def _are_within(boxes: NDArray[np.int_], others: NDArray[np.int_]) -> NDArray[np.bool_]:
    """Which of some boxes lie in one of others, up to a pixel, and fill most of it."""
    left, top, wide, high = boxes.T[..., None]
    x, y, across, down = others.T
    inside = (left >= x - 1) & (top >= y - 1)
    inside &= (left + wide <= x + across + 1) & (top + high <= y + down + 1)
    inside &= wide * high > _SAME * across * down
    return np.asarray(inside.any(1))


def _corners(patch: Grey, lost_px: float) -> Points | None:
    """The four corners of a patch, if it is one of four corners."""
    outlines, _ = cv2.findContours(patch, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    outline = max(outlines, key=len)
    hull = cv2.convexHull(outline)
    area = cv2.contourArea(hull)
    solid = cv2.contourArea(outline) / max(area, 1.0)
    if area < _LEAST_PX**2 / 2 or solid < _LEAST_BITTEN:
        return None
    points = hull[:, 0].astype(np.float64)
    box = np.array(cv2.boxPoints(cv2.minAreaRect(hull)), np.float64)
    middle = box.sum(0) / 4
    corners = points[((points - middle) @ (box - middle).T).argmax(0)]
    inside = cv2.contourArea(corners.astype(np.float32))
    most = _ROUND[1] if solid >= _LEAST_SOLID else _SQUARE
    if not inside or not _ROUND[0] <= area / inside <= most:
        return None
    # Contours run through the middles of pixels: half of one more on each side is inside.
    grown = np.sqrt(area / inside) * (1 + (1 + 2 * lost_px) / np.sqrt(area))
    middle = corners.sum(0) / 4
    return np.asarray(middle + (corners - middle) * grown + 0.5)


def _once(corners: Points) -> Points:
    """Each patch once, though several ways of looking may have found it."""
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
