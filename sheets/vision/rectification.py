"""Rectification: a warp on top of the homography, estimated by matching each field's print.

Paper curls. The homography of the markers (`sheet_detection`) locates fields within some
millimetres; template matching of their printed lines locates them exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from sheets.vision.illumination import normalise_illumination
from sheets.vision.layouts import Rect, SheetLayout
from sheets.vision.pixels import Ink, Picture

PX_PER_MM: Final = 8.0
"""Scale of rectified sheets in pixels per millimetre."""

STEPS: Final = ((4.0, 2), (1.6, 4))
"""Steps of the registration: search radius in millimetres, and order of the polynomial warp."""

_FINAL_SEARCH_MM: Final = 0.7
"""Search radius of the final matching in millimetres."""

_MAP_STEP_MM: Final = 2.0
"""Spacing of the grid on which the mapping to the photo is computed; it is linear in between."""

_RIDGE: Final = (0.05, 0.2, 0.2)
"""Ridge penalties of the local affine fit: offset, slope in x, slope in y."""

_GRID_MARGIN: Final = 4
"""Margin of the grid around the fields, in kernel bandwidths."""

MIN_CLEAR: Final = 0.55
"""Minimum upper quartile of the fields' correlations on a sheet whose level the QR code names. A
full sheet has few fields that match their print, but some."""

MIN_SCORE: Final = 0.5
"""Minimum median correlation on a sheet whose level only a person named."""

MAX_RESIDUAL_MM: Final = 0.12
"""Maximum median residual of the fields against the smooth warp in millimetres; above it, the
layout is wrong."""

MAX_RESIDUAL_PX: Final = 0.45
"""The same bound in pixels of the photo, for small photos."""

COVERED_CLEAR: Final = 0.3
"""Minimum upper quartile of the correlations on a sheet whose QR code names its layout, so that
only its position has to be checked. A thick pen on each field covers most of the print."""

COVERED_RESIDUAL_MM: Final = 0.06
"""Maximum residual of such a sheet; the visible lines match exactly, and a misaligned sheet has 0.1
mm or more."""


class WarpModel:
    """Smooth warp of positions on a sheet: a sum of polynomials in x and y, fitted step by step."""

    def __init__(self, box: Rect) -> None:
        self._middle = np.array([box[0] + box[2] / 2, box[1] + box[3] / 2])
        self._half = max(box[2], box[3]) / 2
        self._steps: list[tuple[int, NDArray[np.float64]]] = []
        self._residual: _ResidualWarp | None = None

    def __call__(self, at: NDArray[np.float64]) -> NDArray[np.float64]:
        """Map nominal positions in millimetres to positions after the homography."""
        moved = at
        total = np.zeros_like(at)
        for order, weights in self._steps:
            total = total + self._terms(at, order) @ weights
        if self._residual:
            total = total + self._residual(at)
        return moved + total

    def fit(
        self,
        at: NDArray[np.float64],
        shifts: NDArray[np.float64],
        scores: NDArray[np.float64],
        order: int,
    ) -> None:
        """Add a polynomial fitted to the shifts of fields.

        The fit is an iteratively reweighted least squares, weighted by the match scores.
        """
        trust = np.clip(scores - 0.15, 0.001, None) ** 2
        order = min(order, 2 if len(at) < 25 else order, 1 if len(at) < 9 else order)
        terms = self._terms(at, order)
        for _ in range(8):
            root = np.sqrt(trust)[:, None]
            ridge = 1e-3 * np.eye(terms.shape[1])
            weights = np.linalg.lstsq(
                np.vstack([terms * root, ridge]),
                np.vstack([shifts * root, np.zeros((terms.shape[1], 2))]),
                rcond=None,
            )[0]
            off = np.hypot(*(shifts - terms @ weights).T)
            width = max(0.15, 1.5 * float(np.median(off)))
            trust = np.clip(scores - 0.15, 0.001, None) ** 2 / (1 + (off / width) ** 2) ** 2
        self._steps.append((order, weights))

    def fit_residuals(
        self, at: NDArray[np.float64], shifts: NDArray[np.float64], reach_mm: float
    ) -> None:
        """Fit what the polynomials leave over with a locally weighted linear regression.

        It follows local deformation, such as a curled corner.
        """
        self._residual = _ResidualWarp(at, shifts, reach_mm)

    def _terms(self, at: NDArray[np.float64], order: int) -> NDArray[np.float64]:
        x, y = np.moveaxis((at - self._middle) / self._half, -1, 0)
        return np.stack([x**i * y**j for i in range(order + 1) for j in range(order + 1 - i)], -1)


class _ResidualWarp:
    """Locally weighted linear regression of residual shifts, evaluated on a grid."""

    def __init__(
        self, at: NDArray[np.float64], shifts: NDArray[np.float64], reach_mm: float
    ) -> None:
        self._step = reach_mm / 2
        self._low = at.min(0) - _GRID_MARGIN * reach_mm
        wide, high = np.ceil(
            (np.ptp(at, axis=0) + 2 * _GRID_MARGIN * reach_mm) / self._step
        ).astype(int)
        off = [
            (at[:, i] - self._low[i] - self._step * np.arange(count + 1)[:, None]) / reach_mm
            for i, count in enumerate((wide, high))
        ]
        # The kernel is Gaussian and separable (x times y), so that the sums over the fields
        # for all grid points are products of matrices.
        across, down = ([np.exp(-(one**2) / 2) * one**n for n in range(3)] for one in off)
        terms = ((0, 0), (1, 0), (0, 1))
        squares = np.array([[down[j + n] @ across[i + k].T for k, n in terms] for i, j in terms])
        sums = np.array([[down[j] * one @ across[i].T for one in shifts.T] for i, j in terms])
        # The shift at a grid point is the constant term of the plane fitted around it.
        planes = np.linalg.solve(
            np.moveaxis(squares, (0, 1), (2, 3)) + np.diag(_RIDGE),
            np.moveaxis(sums, (0, 1), (2, 3)),
        )
        self._shifts = planes[:, :, 0]

    def __call__(self, at: NDArray[np.float64]) -> NDArray[np.float64]:
        """Interpolate linearly; beyond the grid, use the values of its edge, which are near 0."""
        most = np.array(self._shifts.shape[1::-1]) - 1
        x, y = np.moveaxis(np.clip((at - self._low) / self._step, 0, most), -1, 0)
        left, top = (
            np.minimum(one.astype(int), end - 1) for one, end in zip((x, y), most, strict=True)
        )
        across, down = (x - left)[..., None], (y - top)[..., None]
        rows = [
            (1 - across) * self._shifts[row, left] + across * self._shifts[row, left + 1]
            for row in (top, top + 1)
        ]
        return np.asarray((1 - down) * rows[0] + down * rows[1])


class PhotoSampler:
    """Sampler of a photo in millimetres of the sheet, by homography and warp."""

    def __init__(self, photo: Picture, to_photo: NDArray[np.float64], warp: WarpModel) -> None:
        self._photo = photo
        self._to_photo = to_photo
        self._warp = warp

    def with_photo(self, photo: Picture) -> PhotoSampler:
        """Return the sampler of another version of the photo, of the same size."""
        return PhotoSampler(photo, self._to_photo, self._warp)

    def px_per_mm(self, box: Rect) -> float:
        """Return the mean scale of a part of the sheet in the photo."""
        x, y, width, height = box
        corners = np.array([[(x, y), (x + width, y), (x + width, y + height), (x, y + height)]])
        seen = cv2.perspectiveTransform(corners, self._to_photo)[0]
        return float(np.sqrt(cv2.contourArea(seen.astype(np.float32)) / (width * height)))

    def sample(self, box: Rect, px_per_mm: float) -> Picture:
        """Resample a part of the sheet; the mapping is interpolated from a coarse grid."""
        size = (round(box[2] * px_per_mm), round(box[3] * px_per_mm))
        step = _MAP_STEP_MM * px_per_mm
        columns, rows = (int(side / step) + 2 for side in size)
        xs, ys = np.meshgrid(np.arange(columns), np.arange(rows))
        at_mm = np.stack([xs, ys], -1) * _MAP_STEP_MM + box[:2]
        flat = self._warp(at_mm).reshape(1, -1, 2)
        seen = cv2.perspectiveTransform(flat, self._to_photo)[0].reshape(rows, columns, 2)
        # Positions are those of pixel centres, in both pictures.
        fine = [((np.arange(side) + 0.5) / step).astype(np.float32) for side in size]
        gx, gy = np.meshgrid(*fine)
        maps = [
            cv2.remap(np.ascontiguousarray(seen[..., i], np.float32), gx, gy, cv2.INTER_LINEAR)
            - 0.5
            for i in (0, 1)
        ]
        return cv2.remap(
            self._photo, maps[0], maps[1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )


class RectifiedSheet(NamedTuple):
    """A rectified sheet, over its `SheetLayout.box`.

    ``shifts`` are offsets of the fields from their nominal positions in millimetres, ``scores``
    their correlations with the print; ``score`` is the median, ``clear`` the upper quartile of the
    correlations. ``residual_mm`` is the median residual of the fields against the smooth warp,
    ``plain_mm`` that of the half that matches best. ``px_per_mm`` is the scale of the photo.
    """

    picture: Picture
    sampler: PhotoSampler
    shifts: dict[str, tuple[float, float]]
    scores: dict[str, float]
    score: float
    clear: float
    residual_mm: float
    plain_mm: float
    px_per_mm: float

    def fits(self, *, is_named: bool, is_exact: bool = False) -> bool:
        """Return whether the sheet has the assumed layout and is aligned with it.

        Args:
            is_named: the QR code names the level.
            is_exact: the QR code names the layout, too.
        """
        if (
            is_exact
            and self.clear >= COVERED_CLEAR
            and max(self.residual_mm, self.plain_mm) <= COVERED_RESIDUAL_MM
        ):
            return True
        is_it = self.clear >= MIN_CLEAR if is_named else self.score >= MIN_SCORE
        most = max(MAX_RESIDUAL_MM, MAX_RESIDUAL_PX / self.px_per_mm)
        # If most fields match their print, residuals on small photos are only noise.
        is_plain = is_named and self.score >= MIN_SCORE
        # Fields full of strokes have unreliable positions, hence the better half.
        return is_it and self.plain_mm <= most * (1.5 if is_plain else 1)


def rectify(
    photo: Picture,
    to_photo: NDArray[np.float64],
    layout: SheetLayout,
    reference: Picture,
    *,
    steps: Sequence[tuple[float, int]] = STEPS,
) -> RectifiedSheet:
    """Rectify a sheet by matching all places that may be marked.

    Args:
        to_photo: homography from millimetres of the sheet to pixels.
        reference: reference image of the unmarked sheet, at `PX_PER_MM`.
        steps: as `STEPS`.
    """
    corners = np.array(list(layout.boxes.values()))
    middles = corners[:, :2] + corners[:, 2:] / 2
    print_ink = _ink_of(reference)
    warp = WarpModel(layout.box)
    sampler = PhotoSampler(photo, to_photo, warp)
    for reach, order in steps:
        scale = _scale_for(reach)
        seen = _grey_ink(sampler.sample(layout.box, PX_PER_MM * scale), PX_PER_MM * scale)
        shifts, scores = _find_shifts(seen, print_ink, layout, reach, scale)
        warp.fit(middles, shifts, scores, order)
    picture = sampler.sample(layout.box, PX_PER_MM)
    ink = _grey_ink(picture, PX_PER_MM)
    shifts, scores = _find_shifts(ink, print_ink, layout, _FINAL_SEARCH_MM, 1.0)
    residuals = np.hypot(*shifts.T)
    return RectifiedSheet(
        picture,
        sampler,
        {name: (float(x), float(y)) for name, (x, y) in zip(layout.boxes, shifts, strict=True)},
        dict(zip(layout.boxes, map(float, scores), strict=True)),
        float(np.median(scores)),
        float(np.quantile(scores, 0.75)),
        float(np.median(residuals)),
        float(np.median(residuals[scores >= np.median(scores)])),
        sampler.px_per_mm(layout.box),
    )


def quick_match_score(
    photo: Picture, to_photo: NDArray[np.float64], layout: SheetLayout, reference: Picture
) -> float:
    """Return the median correlation of the fields with their print before rectification.

    It takes a sixth of the time of `rectify`; the arguments are the same.
    """
    reach = STEPS[0][0]
    scale = _scale_for(reach)
    sampler = PhotoSampler(photo, to_photo, WarpModel(layout.box))
    seen = _grey_ink(sampler.sample(layout.box, PX_PER_MM * scale), PX_PER_MM * scale)
    return float(np.median(_find_shifts(seen, _ink_of(reference), layout, reach, scale)[1]))


def _scale_for(reach_mm: float) -> float:
    """Return the scale for a search radius; large radii are searched in a reduced picture."""
    return 0.5 if reach_mm > 2 else 1.0


def _ink_of(reference: Picture) -> Ink:
    return 1 - cv2.cvtColor(reference, cv2.COLOR_RGB2GRAY).astype(np.float32) / 255


def _grey_ink(picture: Picture, px_per_mm: float) -> Ink:
    return normalise_illumination(cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY), px_per_mm)


def _find_shifts(
    seen: Ink,
    print_ink: Ink,
    layout: SheetLayout,
    reach_mm: float,
    scale: float,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Match each place with its print; return the offsets in millimetres and the correlations."""
    per_mm = PX_PER_MM * scale
    printed = print_ink
    if scale != 1:
        printed = cv2.resize(print_ink, seen.shape[::-1], interpolation=cv2.INTER_AREA)
    reach = round(reach_mm * per_mm)
    around = round(0.5 * per_mm)
    padded = cv2.copyMakeBorder(seen, reach, reach, reach, reach, cv2.BORDER_REPLICATE)
    shifts, scores = [], []
    left, top = layout.box[:2]
    for x, y, width, _height in layout.boxes.values():
        x0 = round((x - left) * per_mm) - around
        y0 = round((y - top) * per_mm) - around
        side = round(width * per_mm) + 2 * around
        template = printed[y0 : y0 + side, x0 : x0 + side]
        window = padded[y0 : y0 + side + 2 * reach, x0 : x0 + side + 2 * reach]
        match = cv2.matchTemplate(window, template, cv2.TM_CCOEFF_NORMED)
        _low, score, _at, (mx, my) = cv2.minMaxLoc(match)
        dx, dy = _subpixel_peak(match, mx, my)
        shifts.append(((dx - reach) / per_mm, (dy - reach) / per_mm))
        scores.append(score)
    return np.array(shifts), np.array(scores)


def _subpixel_peak(match: Ink, x: int, y: int) -> tuple[float, float]:
    """Return the vertex of the parabola through the maximum and its neighbours."""
    height, width = match.shape

    def fraction(low: float, middle: float, high: float) -> float:
        warp = low - 2 * middle + high
        return 0.5 * (low - high) / warp if warp < -1e-9 else 0.0

    dx = fraction(*map(float, match[y, x - 1 : x + 2])) if 0 < x < width - 1 else 0.0
    dy = fraction(*map(float, match[y - 1 : y + 2, x])) if 0 < y < height - 1 else 0.0
    return x + dx, y + dy
