"""Rectification of a sheet without markers, and detection of fields that the lattice lacks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from sheets.vision.pads.lattice import Lattice
from sheets.vision.pads.quadrilaterals import Points
from sheets.vision.pixels import Grey, Picture, max_channel
from sheets.vision.quarter_turns import turn_points
from sheets.vision.rectification import PhotoSampler, WarpModel

FIELD_MM: Final = 10.0
"""Nominal side of a field in millimetres; the true size on paper is unknown."""

FIELD_PX: Final = 64
"""Side of a field in the rectified picture, in pixels."""

PX_PER_MM: Final = FIELD_PX / FIELD_MM
"""Resolution of the rectified picture."""

_POLYNOMIAL_ORDERS: Final = (2, 4)
"""Orders of the polynomials that model curled paper, fitted one after the other."""

_MAX_RESIDUAL: Final = 0.33
"""Maximum residual of a field against the warp model, in fields: corners curl most."""

_MIN_LOCAL_RESIDUAL: Final = 0.08
"""Residual, in fields, above which a local regression is added to the polynomials."""

_MARGIN: Final = 2.0
"""Margin of the rectified picture around the fields, in fields."""

_BORDER_SEARCH_PX: Final = 3
"""Search range across an expected border, in pixels."""

_MIN_BORDER: Final = 4.0
"""Minimum gradient of a field's border on each side, in grey values."""

_MIN_BORDER_SHARE: Final = 0.35
"""Minimum gradient as a share of the median border."""

_MIN_BORDER_TO_GRAIN: Final = 1.25
"""Minimum ratio of border gradient to the paper grain within: noise has edges, too."""

_MAX_CUT: Final = 0.15
"""Maximum part of a field that the edge of the photo may cut off, as a share of its side."""

_EDGE: Final = 0.05
"""Distance to the edge of the photo, in fields, within which a border may be cut off."""

_GRAIN_PART: Final = 0.6
"""Central part of a field, as a share of its side, in which grain is measured."""

_MIN_PRINT_CONTRAST: Final = 30.0
"""Minimum contrast of print within a field, in grey values."""

_MAX_DARK_RATIO: Final = 0.6
"""Maximum brightness of dark fields relative to paper."""

_PAPER_RADIUS: Final = 3.6
"""Radius, in fields, within which the brightest background counts as paper."""

_INTERIOR: Final = 0.84
"""Part of a field within its border, as a share of its side."""

_RIM_PX: Final = 5
"""Width of the strip inside the border in which the background is measured, in pixels."""

_MAX_OVERHANG: Final = 0.5
"""Maximum overhang of candidate positions over the outermost columns, in fields."""

_GAPLESS: Final = 0.9
"""Minimum size of a field relative to the pitch at which fields touch each other."""

GridPosition = tuple[float, float]
"""Column and row of a field in the lattice's orientation, in fields."""


@dataclass
class RectifiedGrid:
    """Sheet rectified to `FIELD_PX` per field.

    ``positions`` are the grid positions of its fields, ``origin`` is that of the picture's top left
    corner. ``inner`` is the size of a field relative to the pitch, in x and y. ``detected`` counts
    the positions that were quadrilaterals in the photo. ``turn`` is the number of quarter turns,
    counter-clockwise, relative to the lattice and its warp model ``bend``. ``border_to_grain`` is
    the median ratio of a border's gradient to the grain of the paper.
    """

    picture: Picture
    positions: list[GridPosition]
    origin: GridPosition
    inner: tuple[float, float]
    to_photo: Points
    bend: WarpModel
    detected: int = 0
    turn: int = 0
    border_to_grain: float = 0.0

    def turned(self) -> RectifiedGrid:
        """Return the sheet rotated by a quarter turn counter-clockwise."""
        wide = self.picture.shape[1] / FIELD_PX
        return replace(
            self,
            picture=np.ascontiguousarray(np.rot90(self.picture)),
            positions=[(y, -x) for x, y in self.positions],
            origin=(self.origin[1], -self.origin[0] - wide),
            inner=(self.inner[1], self.inner[0]),
            turn=(self.turn + 1) % 4,
        )

    def crop(self, position: GridPosition) -> Picture:
        """Return the picture of a field."""
        x, y = (round((position[i] - 0.5 - self.origin[i]) * FIELD_PX) for i in (0, 1))
        return np.asarray(self.picture[y : y + FIELD_PX, x : x + FIELD_PX])

    def covers(self, position: GridPosition) -> bool:
        """Whether the picture contains a position completely."""
        ends = [(position[i] - self.origin[i]) * FIELD_PX for i in (0, 1)]
        sizes = (self.picture.shape[1], self.picture.shape[0])
        half = FIELD_PX / 2
        return all(half <= end <= size - half for end, size in zip(ends, sizes, strict=True))

    def corners(self, positions: Sequence[GridPosition]) -> Points:
        """Return the corners of N positions in pixels of the photo, N × 4 × 2, clockwise from the
        top left."""
        half = [0.5 if one > _GAPLESS else one / 2 for one in self.inner]
        signs = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
        at_mm = ((np.array(positions)[:, None] + signs * half) * FIELD_MM).reshape(-1, 2)
        at_mm = turn_points(at_mm, self.turn)
        found = cv2.perspectiveTransform(self.bend(at_mm)[None], self.to_photo)
        return np.asarray(found.reshape(-1, 4, 2))


def rectify_grid(photo: Picture, lattice: Lattice) -> RectifiedGrid:
    """Rectify a sheet by the centres of its fields and add the fields that were not detected."""
    to_photo = lattice.to_photo @ np.diag([1 / FIELD_MM, 1 / FIELD_MM, 1.0])
    at_mm = lattice.at * FIELD_MM
    low, high = at_mm.min(0), at_mm.max(0)
    bend = WarpModel((*(float(v) for v in low), *(float(v) for v in high - low)))  # type: ignore[arg-type]
    detected = cv2.perspectiveTransform(lattice.centres[None], np.linalg.inv(to_photo))[0]
    for order in _POLYNOMIAL_ORDERS:
        bend.fit(at_mm, detected - bend(at_mm), np.ones(len(at_mm)), order)
    rest = detected - bend(at_mm)
    if np.hypot(*rest.T).max() > _MIN_LOCAL_RESIDUAL * FIELD_MM:
        bend.fit_residuals(at_mm, rest, FIELD_MM)
    off = np.hypot(*(detected - bend(at_mm)).T)
    kept = off < _MAX_RESIDUAL * FIELD_MM
    inner = _field_size(lattice, to_photo)
    positions = [(float(x), float(y)) for x, y in lattice.at[kept]]
    origin = (
        float(lattice.at[:, 0].min()) - 0.5 - _MARGIN,
        float(lattice.at[:, 1].min()) - 0.5 - _MARGIN,
    )
    size = (lattice.at.max(0) - lattice.at.min(0) + 1 + 2 * _MARGIN) * FIELD_MM
    box = (origin[0] * FIELD_MM, origin[1] * FIELD_MM, float(size[0]), float(size[1]))
    picture = PhotoSampler(photo, to_photo, bend).sample(box, PX_PER_MM)
    rectified = RectifiedGrid(
        np.asarray(picture), positions, origin, inner, to_photo, bend, len(positions)
    )
    _add_undetected(rectified, photo.shape[1::-1])
    return rectified


def crop_quads(photo: Picture, lattice: Lattice, step: int = 1) -> list[Picture]:
    """Return affine crops of every ``step``-th quadrilateral of a lattice, within its border."""
    found = []
    to = np.array([(0, 0), (FIELD_PX, 0), (0, FIELD_PX)], np.float32)
    for centre, (across, down) in zip(lattice.centres[::step], lattice.sides[::step], strict=True):
        ends = centre + np.array([-across - down, across - down, down - across]) / 2
        affine = cv2.getAffineTransform(ends.astype(np.float32), to)
        found.append(
            cv2.warpAffine(photo, affine, (FIELD_PX,) * 2, borderMode=cv2.BORDER_REPLICATE)
        )
    return found


def _field_size(lattice: Lattice, to_photo: Points) -> tuple[float, float]:
    """Return the median width and height of a field relative to the pitch."""
    ends = np.stack([lattice.centres[:, None] - lattice.sides / 2,
                     lattice.centres[:, None] + lattice.sides / 2])  # fmt: skip
    rectified = cv2.perspectiveTransform(ends.reshape(1, -1, 2), np.linalg.inv(to_photo))[0]
    low, high = rectified.reshape(2, -1, 2, 2) / FIELD_MM
    length = np.hypot(*np.moveaxis(high - low, -1, 0))
    wide, tall = np.median(length, axis=0)
    return min(1.0, float(wide)), min(1.0, float(tall))


def _add_undetected(rectified: RectifiedGrid, photo_size: Sequence[int]) -> None:
    """Add all positions with a border on all four sides, or dark fields between others.

    A side that the edge of the photo cuts off needs no border. ``photo_size`` is width and height.
    """
    edges = _gradient(rectified.picture)
    found = set(rectified.positions)
    weakest = {one: _border_strengths(rectified, edges, one).min() for one in found}
    rectified.border_to_grain = float(
        np.median([by / max(1.0, _grain(rectified, edges, one)) for one, by in weakest.items()])
    )
    min_strength = _min_border(list(weakest.values()))
    tried: set[GridPosition] = set()
    for ring in (0, 1, 1):
        candidates = {
            one for one in candidate_positions(found, ring) - tried if rectified.covers(one)
        }
        for one in candidates:
            strengths = _border_strengths(rectified, edges, one)
            weak = strengths[~_cut_off_sides(rectified, one, photo_size)].min(initial=255)
            if weak >= min_strength and weak >= _MIN_BORDER_TO_GRAIN * _grain(
                rectified, edges, one
            ):
                found.add(one)
        tried |= candidates
    found |= _dark_positions(rectified, found)
    rectified.positions = sorted(found, key=lambda position: (position[1], position[0]))


def _gradient(picture: Picture) -> Grey:
    """Return the morphological gradient of each pixel, in the channel where it is largest."""
    return max_channel(cv2.morphologyEx(picture, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)))


def _min_border(strengths: Sequence[float]) -> float:
    """Return the minimum gradient of a border, from the weakest side of each known field."""
    return max(_MIN_BORDER, _MIN_BORDER_SHARE * float(np.median(strengths)))


def _cut_off_sides(
    rectified: RectifiedGrid, position: GridPosition, photo_size: Sequence[int]
) -> NDArray[np.bool_]:
    """Return which sides of a field the edge of the photo cuts off: top, bottom, left, right.

    If more than `_MAX_CUT` of the field is outside the photo, no side counts.
    """
    (corners,) = rectified.corners([position])
    side = np.hypot(*(corners[1] - corners[0]))
    inside = np.minimum(corners, photo_size - corners).min(1) / side
    if inside.min() < -_MAX_CUT:
        return np.zeros(4, bool)
    sides = [(0, 1), (2, 3), (3, 0), (1, 2)]
    return np.array([(inside[a] + inside[b]) / 2 < _EDGE for a, b in sides])


def find_holes(rectified: RectifiedGrid, candidates: set[GridPosition]) -> set[GridPosition]:
    """Return the positions without a border on all sides and without print, which are no fields.

    On a sheet of dark fields, a dark position is a field.
    """
    others = set(rectified.positions) - candidates
    edges = _gradient(rectified.picture)
    min_strength = _min_border(
        [_border_strengths(rectified, edges, one).min() for one in others or candidates]
    )
    blank = {
        one
        for one in candidates
        if _border_strengths(rectified, edges, one).min() < min_strength
        and _contrast(rectified, one) < _MIN_PRINT_CONTRAST
    }
    fields = set(rectified.positions) - blank
    return blank - _dark_positions(rectified, fields) if fields else blank


def _contrast(rectified: RectifiedGrid, position: GridPosition) -> float:
    """Return the contrast within a position: the difference of its darkest and brightest parts."""
    crop = cv2.cvtColor(rectified.crop(position), cv2.COLOR_RGB2GRAY)
    edge = round((1 - _GRAIN_PART) / 2 * FIELD_PX)
    low, high = np.percentile(cv2.GaussianBlur(crop, (0, 0), 1)[edge:-edge, edge:-edge], (2, 98))
    return float(high - low)


def _dark_positions(rectified: RectifiedGrid, found: set[GridPosition]) -> set[GridPosition]:
    """Return positions between fields that are far darker than paper, on a sheet of dark fields.

    Lines between black fields hardly show, and at the edge of the sheet there is none. Illumination
    falls off, so each position is compared with the brightest one around it, which may be a hole.
    """
    backgrounds = {one: _background(rectified, one) for one in found}
    others = {
        one: _background(rectified, one)
        for one in candidate_positions(found, 1)
        if rectified.covers(one)
    }
    paper = float(np.median(list(others.values()) or [0.0]))
    if np.median(list(backgrounds.values())) > _MAX_DARK_RATIO * paper:
        return set()
    at, bright = (
        np.array(list(one)) for one in (backgrounds | others, (backgrounds | others).values())
    )
    return {
        one
        for one in candidate_positions(found, 0) & others.keys()
        if others[one] < _MAX_DARK_RATIO * bright[np.abs(at - one).max(1) < _PAPER_RADIUS].max()
    }


def _background(rectified: RectifiedGrid, position: GridPosition) -> float:
    """Return the median brightness of a position along the inside of its border."""
    x, y = ((position[i] - rectified.origin[i]) * FIELD_PX for i in (0, 1))
    wide, high = (_INTERIOR * one * FIELD_PX / 2 for one in rectified.inner)
    top, low, left, right = (int(end) for end in (y - high, y + high, x - wide, x + wide))
    part = cv2.cvtColor(rectified.picture[top:low, left:right], cv2.COLOR_RGB2GRAY)
    rim = _RIM_PX
    ends = (part[:rim].ravel(), part[-rim:].ravel(), part[:, :rim].ravel(), part[:, -rim:].ravel())
    return float(np.median(np.concatenate(ends)))


def candidate_positions(found: set[GridPosition], ring: int) -> set[GridPosition]:
    """Return free positions in the rows and columns of the known ones, and in ``ring`` more all
    round."""
    shifts = {y: x % 1 for x, y in found}
    left, right = min(x for x, _ in found) - ring, max(x for x, _ in found) + ring
    top, bottom = min(shifts) - ring, max(shifts) + ring
    others = set()
    for y in np.arange(top, bottom + 1).tolist():
        # Shifted rows alternate.
        shift = shifts.get(y, shifts.get(y + 2, shifts.get(y - 2, shifts.get(y - 1, 0.0))))
        columns = np.arange(np.floor(left) - 1, right + 2) + shift
        others |= {
            (x, y) for x in columns.tolist() if left - _MAX_OVERHANG <= x <= right + _MAX_OVERHANG
        }
    return others - found


def _border_strengths(
    rectified: RectifiedGrid, edges: Grey, position: GridPosition
) -> NDArray[np.float64]:
    """Return the 20th percentile of the gradient along each of the four sides."""
    half = [one * FIELD_PX / 2 for one in rectified.inner]
    x, y = ((position[i] - rectified.origin[i]) * FIELD_PX for i in (0, 1))
    found = []
    for along, across, size in ((0, 1, half[1]), (1, 0, half[0])):
        for sign in (-1, 1):
            centre = (x, y)[across] + sign * (size + 1)
            low, high = (int(centre + by) for by in (-_BORDER_SEARCH_PX, _BORDER_SEARCH_PX + 1))
            start, end = (int((x, y)[along] + by * 0.75 * half[along]) for by in (-1, 1))
            strip = edges[low:high, start:end] if along == 0 else edges[start:end, low:high].T
            strong = np.sort(strip.max(0)) if strip.size else np.zeros(1)
            found.append(float(strong[len(strong) // 5]))
    return np.array(found, np.float64)


def _grain(rectified: RectifiedGrid, edges: Grey, position: GridPosition) -> float:
    """Return the median gradient within a position, where hardly anything is printed."""
    half = _GRAIN_PART * FIELD_PX / 2
    (left, right), (top, bottom) = (
        [int((position[i] - rectified.origin[i]) * FIELD_PX + by * half) for by in (-1, 1)]
        for i in (0, 1)
    )
    return float(np.median(edges[top:bottom, left:right]))
