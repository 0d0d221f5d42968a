"""How is a sheet laid flat? From its markers, then from its own print, field by field.

Paper curls: where the markers say a field lies is right within some millimetres. Its printed lines
say it exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from sheets.scanning.forms import Leaf, Rect
from sheets.scanning.pixels import Grey, Ink, Picture

PX_PER_MM: Final = 8.0
STEPS: Final = ((4.0, 2), (1.6, 4))
"""One after the other: how far from its place a field is looked for, in millimetres, and of which
order the bend is then."""

_NEAR_MM: Final = 0.7
_COARSE_MM: Final = 2.0
"""Between two places the photo is looked up linearly: paper bends slowly."""

_FLAT: Final = (0.05, 0.2, 0.2)
"""How much paper is flat by itself, and how little it turns, where no fields near by say so."""

_FAR: Final = 4
"""How many times as far as fields near by a place may lie off all fields to be moved with them."""

LEAST_CLEAR, LEAST_SCORE = 0.55, 0.5
"""What a straightened sheet has at least. A full sheet has few fields that look like their print,
but some; where nothing but a person says which sheet it is, most have to."""

MOST_RESIDUAL_MM, MOST_RESIDUAL_PX = 0.12, 0.45
"""How far its fields lie off a smooth sheet at most: else it was laid out wrongly."""

COVERED_CLEAR, COVERED_RESIDUAL_MM = 0.3, 0.06
"""Minimum correlation and maximum residual of a sheet whose QR code names its layout: only where it
lies has to be checked then. A thick pen on every field covers most of the print, but the lines that
show lie where they should; a misaligned sheet is 0.1 mm off or more."""


class Bend:
    """A smooth change of places, learnt step by step: a polynomial in x and y."""

    def __init__(self, box: Rect) -> None:
        self._middle = np.array([box[0] + box[2] / 2, box[1] + box[3] / 2])
        self._half = max(box[2], box[3]) / 2
        self._steps: list[tuple[int, NDArray[np.float64]]] = []
        self._left: _Left | None = None

    def __call__(self, at: NDArray[np.float64]) -> NDArray[np.float64]:
        """Where on the marker-flat sheet something lies that should be at ``at``."""
        moved = at
        total = np.zeros_like(at)
        for order, weights in self._steps:
            total = total + self._terms(at, order) @ weights
        if self._left:
            total = total + self._left(at)
        return moved + total

    def learn(
        self,
        at: NDArray[np.float64],
        shifts: NDArray[np.float64],
        scores: NDArray[np.float64],
        order: int,
    ) -> None:
        """Take up how far fields lie off, those that fit their print best the most."""
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

    def follow(self, at: NDArray[np.float64], shifts: NDArray[np.float64], reach_mm: float) -> None:
        """Follow what all steps leave over, too: how far fields near by lie off, and how that grows
        from one to the next, as in a corner that curls up."""
        self._left = _Left(at, shifts, reach_mm)

    def _terms(self, at: NDArray[np.float64], order: int) -> NDArray[np.float64]:
        x, y = np.moveaxis((at - self._middle) / self._half, -1, 0)
        return np.stack([x**i * y**j for i in range(order + 1) for j in range(order + 1 - i)], -1)


class _Left:
    """What `Bend.follow` adds, worked out at the crossings of a grid."""

    def __init__(
        self, at: NDArray[np.float64], shifts: NDArray[np.float64], reach_mm: float
    ) -> None:
        self._step = reach_mm / 2
        self._low = at.min(0) - _FAR * reach_mm
        wide, high = np.ceil((np.ptp(at, axis=0) + 2 * _FAR * reach_mm) / self._step).astype(int)
        off = [
            (at[:, i] - self._low[i] - self._step * np.arange(count + 1)[:, None]) / reach_mm
            for i, count in enumerate((wide, high))
        ]
        # The weight of a field falls off with its distance, across times down: so what is summed
        # over the fields, for each crossing, is a product of matrices.
        across, down = ([np.exp(-(one**2) / 2) * one**n for n in range(3)] for one in off)
        terms = ((0, 0), (1, 0), (0, 1))
        squares = np.array([[down[j + n] @ across[i + k].T for k, n in terms] for i, j in terms])
        sums = np.array([[down[j] * one @ across[i].T for one in shifts.T] for i, j in terms])
        # The plane through the shifts around says how far it is off in its middle.
        planes = np.linalg.solve(
            np.moveaxis(squares, (0, 1), (2, 3)) + np.diag(_FLAT), np.moveaxis(sums, (0, 1), (2, 3))
        )
        self._shifts = planes[:, :, 0]

    def __call__(self, at: NDArray[np.float64]) -> NDArray[np.float64]:
        """Between crossings linearly; beyond the grid as at its edge, where next to nothing is."""
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


class Lens:
    """How millimetres of the leaf are seen in the photo."""

    def __init__(self, photo: Picture, to_photo: NDArray[np.float64], bend: Bend) -> None:
        self._photo = photo
        self._to_photo = to_photo
        self._bend = bend

    def px_per_mm(self, box: Rect) -> float:
        """How large a part of the leaf is in the photo, on the average."""
        x, y, width, height = box
        corners = np.array([[(x, y), (x + width, y), (x + width, y + height), (x, y + height)]])
        seen = cv2.perspectiveTransform(corners, self._to_photo)[0]
        return float(np.sqrt(cv2.contourArea(seen.astype(np.float32)) / (width * height)))

    def look(self, box: Rect, px_per_mm: float) -> Picture:
        """A part of the leaf, flat; places are worked out on a coarse grid."""
        size = (round(box[2] * px_per_mm), round(box[3] * px_per_mm))
        step = _COARSE_MM * px_per_mm
        columns, rows = (int(side / step) + 2 for side in size)
        xs, ys = np.meshgrid(np.arange(columns), np.arange(rows))
        at_mm = np.stack([xs, ys], -1) * _COARSE_MM + box[:2]
        flat = self._bend(at_mm).reshape(1, -1, 2)
        seen = cv2.perspectiveTransform(flat, self._to_photo)[0].reshape(rows, columns, 2)
        # Of a pixel its middle is looked at, on both sides.
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


class Straight(NamedTuple):
    """A sheet laid flat, over its `Form.box`.

    ``shifts`` are millimetres to add to where a field should lie; ``score`` is the median
    correlation of the fields with their print, ``clear`` that of the quarter that is the clearest;
    ``residual_mm`` is how far they lie off a smooth sheet, ``plain_mm`` how far the half of them
    that looks most like its print does; ``px_per_mm`` is how large the photo is.
    """

    picture: Picture
    lens: Lens
    shifts: dict[str, tuple[float, float]]
    scores: dict[str, float]
    score: float
    clear: float
    residual_mm: float
    plain_mm: float
    px_per_mm: float

    def fits(self, *, is_named: bool, is_exact: bool = False) -> bool:
        """Whether this is the sheet it was taken for, and lies where it should.

        ``is_named``: its QR code says which level it is; ``is_exact``: and which layout.
        """
        if (
            is_exact
            and self.clear >= COVERED_CLEAR
            and max(self.residual_mm, self.plain_mm) <= COVERED_RESIDUAL_MM
        ):
            return True
        is_it = self.clear >= LEAST_CLEAR if is_named else self.score >= LEAST_SCORE
        most = max(MOST_RESIDUAL_MM, MOST_RESIDUAL_PX / self.px_per_mm)
        # Where most fields look like their print, small photos are only shaky.
        is_plain = is_named and self.score >= LEAST_SCORE
        # A field full of strokes says little of where it lies.
        return is_it and self.plain_mm <= most * (1.5 if is_plain else 1)


def straighten(
    photo: Picture,
    to_photo: NDArray[np.float64],
    form: Leaf,
    blank: Picture,
    *,
    bend: Bend | None = None,
    steps: Sequence[tuple[float, int]] = STEPS,
) -> Straight:
    """Lay a sheet flat, by all that may be marked on it.

    Args:
        to_photo: the homography from millimetres of the leaf to pixels.
        blank: the form as printed, at `PX_PER_MM`.
        bend: what is known of how the paper curls.
        steps: as `STEPS`.
    """
    corners = np.array(list(form.boxes.values()))
    middles = corners[:, :2] + corners[:, 2:] / 2
    print_ink = _ink_of(blank)
    bend = bend or Bend(form.box)
    lens = Lens(photo, to_photo, bend)
    for reach, order in steps:
        scale = _scale_for(reach)
        seen = _grey_ink(lens.look(form.box, PX_PER_MM * scale), PX_PER_MM * scale)
        shifts, scores = _find_shifts(seen, print_ink, form, reach, scale)
        bend.learn(middles, shifts, scores, order)
    picture = lens.look(form.box, PX_PER_MM)
    ink = _grey_ink(picture, PX_PER_MM)
    shifts, scores = _find_shifts(ink, print_ink, form, _NEAR_MM, 1.0)
    residuals = np.hypot(*shifts.T)
    return Straight(
        picture,
        lens,
        {name: (float(x), float(y)) for name, (x, y) in zip(form.boxes, shifts, strict=True)},
        dict(zip(form.boxes, map(float, scores), strict=True)),
        float(np.median(scores)),
        float(np.quantile(scores, 0.75)),
        float(np.median(residuals)),
        float(np.median(residuals[scores >= np.median(scores)])),
        lens.px_per_mm(form.box),
    )


def glance(photo: Picture, to_photo: NDArray[np.float64], form: Leaf, blank: Picture) -> float:
    """How well a sheet fits a form before it is laid flat; arguments as of `straighten`.

    The median correlation of its fields with their print, in a sixth of the time.
    """
    reach = STEPS[0][0]
    scale = _scale_for(reach)
    lens = Lens(photo, to_photo, Bend(form.box))
    seen = _grey_ink(lens.look(form.box, PX_PER_MM * scale), PX_PER_MM * scale)
    return float(np.median(_find_shifts(seen, _ink_of(blank), form, reach, scale)[1]))


def _scale_for(reach_mm: float) -> float:
    """What is looked for far away is looked for in a smaller picture."""
    return 0.5 if reach_mm > 2 else 1.0


def _ink_of(blank: Picture) -> Ink:
    return 1 - cv2.cvtColor(blank, cv2.COLOR_RGB2GRAY).astype(np.float32) / 255


def _grey_ink(picture: Picture, px_per_mm: float) -> Ink:
    return flatten_light(cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY), px_per_mm)


def flatten_light(picture: Picture | Grey, px_per_mm: float) -> Ink:
    """How dark each pixel is beside the paper around it: shadows and lamps are gone.

    Of a picture each colour for itself: 0 as bright as paper, 1 black.
    """
    paper = _paper_of(picture, px_per_mm)
    return np.clip(1 - picture.astype(np.float32) / np.maximum(paper, 8), -0.25, 1)


def _paper_of(picture: Picture | Grey, px_per_mm: float) -> Ink:
    """How bright unprinted paper would be at each pixel."""
    scale = 1.0 / px_per_mm  # one pixel a millimetre is enough
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    paper = paper_around(small)
    return cv2.resize(paper, picture.shape[1::-1], interpolation=cv2.INTER_LINEAR)


def paper_around(small: Picture | Grey | Ink) -> Ink:
    """How bright each pixel is without what is drawn there; pixels are a millimetre wide."""
    wide = cv2.morphologyEx(small, cv2.MORPH_CLOSE, np.ones((17, 17), np.uint8))
    near = cv2.morphologyEx(small, cv2.MORPH_CLOSE, np.ones((6, 6), np.uint8))
    # A scribble hides the paper next to it: what is much darker than further away is no paper.
    bare = np.where(near < 0.8 * wide.astype(np.float32), wide, near).astype(np.float32)
    return cv2.GaussianBlur(bare, (0, 0), 1.5)


def _find_shifts(
    seen: Ink,
    print_ink: Ink,
    form: Leaf,
    reach_mm: float,
    scale: float,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """How far each box lies off, in millimetres, and how well it fits its print there."""
    per_mm = PX_PER_MM * scale
    printed = print_ink
    if scale != 1:
        printed = cv2.resize(print_ink, seen.shape[::-1], interpolation=cv2.INTER_AREA)
    reach = round(reach_mm * per_mm)
    around = round(0.5 * per_mm)
    padded = cv2.copyMakeBorder(seen, reach, reach, reach, reach, cv2.BORDER_REPLICATE)
    shifts, scores = [], []
    left, top = form.box[:2]
    for x, y, width, _height in form.boxes.values():
        x0 = round((x - left) * per_mm) - around
        y0 = round((y - top) * per_mm) - around
        side = round(width * per_mm) + 2 * around
        template = printed[y0 : y0 + side, x0 : x0 + side]
        window = padded[y0 : y0 + side + 2 * reach, x0 : x0 + side + 2 * reach]
        match = cv2.matchTemplate(window, template, cv2.TM_CCOEFF_NORMED)
        _low, score, _at, (mx, my) = cv2.minMaxLoc(match)
        dx, dy = _peak(match, mx, my)
        shifts.append(((dx - reach) / per_mm, (dy - reach) / per_mm))
        scores.append(score)
    return np.array(shifts), np.array(scores)


def _peak(match: Ink, x: int, y: int) -> tuple[float, float]:
    """The top of the parabola through the best place and its neighbours."""
    height, width = match.shape

    def fraction(low: float, middle: float, high: float) -> float:
        bend = low - 2 * middle + high
        return 0.5 * (low - high) / bend if bend < -1e-9 else 0.0

    dx = fraction(*map(float, match[y, x - 1 : x + 2])) if 0 < x < width - 1 else 0.0
    dy = fraction(*map(float, match[y - 1 : y + 2, x])) if 0 < y < height - 1 else 0.0
    return x + dx, y + dy
