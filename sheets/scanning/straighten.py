"""How is a sheet laid flat? From its markers, then from its own print, field by field.

Paper curls: where the markers say a field lies is right within some millimetres. Its printed lines
say it exactly.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from sheets.geometry import Frame
from sheets.scanning.pixels import Grey, Ink, Picture

PX_PER_MM: Final = 8.0
MARGIN_MM: Final = 6.0
"""Around the fields, for what goes over their borders."""

_SEARCHED_MM: Final = (4.0, 1.6)
_ORDERS: Final = (2, 4)
_NEAR_MM: Final = 0.7
_COARSE_MM: Final = 2.0
"""Between two places the photo is looked up linearly: paper bends slowly."""

Rect = tuple[float, float, float, float]
"""X, y, width and height in millimetres."""

LEAST_SCORE, MOST_RESIDUAL_MM = 0.5, 0.12
"""What a straightened sheet has at least: else it was laid out wrongly, or is another sheet."""


class Bend:
    """A smooth change of places, learnt step by step: a polynomial in x and y."""

    def __init__(self, box: Rect) -> None:
        self._middle = np.array([box[0] + box[2] / 2, box[1] + box[3] / 2])
        self._half = max(box[2], box[3]) / 2
        self._steps: list[tuple[int, NDArray[np.float64]]] = []

    def __call__(self, at: NDArray[np.float64]) -> NDArray[np.float64]:
        """Where on the marker-flat sheet something lies that should be at ``at``."""
        moved = at
        total = np.zeros_like(at)
        for order, weights in self._steps:
            total = total + self._terms(at, order) @ weights
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

    def _terms(self, at: NDArray[np.float64], order: int) -> NDArray[np.float64]:
        x, y = np.moveaxis((at - self._middle) / self._half, -1, 0)
        return np.stack([x**i * y**j for i in range(order + 1) for j in range(order + 1 - i)], -1)


class Lens:
    """How millimetres of the leaf are seen in the photo."""

    def __init__(self, photo: Picture, to_photo: NDArray[np.float64], bend: Bend) -> None:
        self._photo = photo
        self._to_photo = to_photo
        self._bend = bend

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
    """A sheet laid flat.

    ``shifts`` are millimetres to add to where a field should lie; ``score`` is the median
    correlation of the fields with their print, ``residual_mm`` how far they lie off a smooth sheet.
    """

    picture: Picture
    ink: Ink
    box: Rect
    lens: Lens
    shifts: dict[str, tuple[float, float]]
    scores: dict[str, float]
    score: float
    residual_mm: float

    @property
    def fits(self) -> bool:
        """Whether this is the sheet it was taken for, and lies where it should."""
        return self.score >= LEAST_SCORE and self.residual_mm <= MOST_RESIDUAL_MM


def grid_box(frame: Frame) -> Rect:
    """The part of a leaf that is laid flat: all fields, with a margin, in millimetres."""
    boxes = list(frame.fields.values())
    left, top = min(b.x for b in boxes) - MARGIN_MM, min(b.y for b in boxes) - MARGIN_MM
    right = max(b.x + b.width for b in boxes) + MARGIN_MM
    low = max(b.y + b.height for b in boxes) + MARGIN_MM
    return left, top, right - left, low - top


def straighten(
    photo: Picture,
    to_photo: NDArray[np.float64],
    frame: Frame,
    blank: Grey,
) -> Straight:
    """Lay a sheet's fields flat.

    Args:
        to_photo: the homography from millimetres of the leaf to pixels.
        blank: the fields as printed, grey, at `PX_PER_MM`, of `grid_box`.
    """
    box = grid_box(frame)
    names = list(frame.fields)
    middles = np.array([(b.x + b.width / 2, b.y + b.height / 2) for b in frame.fields.values()])
    print_ink = 1 - blank.astype(np.float32) / 255
    bend = Bend(box)
    lens = Lens(photo, to_photo, bend)
    for reach, order in zip(_SEARCHED_MM, _ORDERS, strict=True):
        scale = 0.5 if reach > 2 else 1.0
        seen = flatten_light(lens.look(box, PX_PER_MM * scale), PX_PER_MM * scale)
        shifts, scores = _find_shifts(seen, print_ink, frame, box, reach, scale)
        bend.learn(middles, shifts, scores, order)
    picture = lens.look(box, PX_PER_MM)
    ink = flatten_light(picture, PX_PER_MM)
    shifts, scores = _find_shifts(ink, print_ink, frame, box, _NEAR_MM, 1.0)
    return Straight(
        picture,
        ink,
        box,
        lens,
        {name: (float(x), float(y)) for name, (x, y) in zip(names, shifts, strict=True)},
        dict(zip(names, map(float, scores), strict=True)),
        float(np.median(scores)),
        float(np.median(np.hypot(*shifts.T))),
    )


def flatten_light(picture: Picture, px_per_mm: float) -> Ink:
    """How dark each pixel is beside the paper around it: shadows and lamps are gone."""
    grey = cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY)
    return darkness(grey, paper_of(grey, px_per_mm))


def paper_of(grey: Grey, px_per_mm: float) -> Ink:
    """How bright unprinted paper would be at each pixel."""
    scale = 1.0 / px_per_mm  # one pixel a millimetre is enough
    small = cv2.resize(cv2.GaussianBlur(grey, (0, 0), 0.35 * px_per_mm), None, fx=scale, fy=scale,
                       interpolation=cv2.INTER_AREA)  # fmt: skip
    wide = cv2.morphologyEx(small, cv2.MORPH_CLOSE, np.ones((17, 17), np.uint8))
    near = cv2.morphologyEx(small, cv2.MORPH_CLOSE, np.ones((6, 6), np.uint8))
    # A scribble hides the paper next to it: what is much darker than further away is no paper.
    bare = np.where(near < 0.8 * wide.astype(np.float32), wide, near).astype(np.float32)
    paper = cv2.GaussianBlur(bare, (0, 0), 1.5)
    return cv2.resize(paper, grey.shape[::-1], interpolation=cv2.INTER_LINEAR)


def darkness(grey: Grey, paper: Ink) -> Ink:
    """0 where it is as bright as paper, 1 where it is black."""
    return np.clip(1 - grey.astype(np.float32) / np.maximum(paper, 8), -0.25, 1)


def _find_shifts(
    seen: Ink,
    print_ink: Ink,
    frame: Frame,
    box: Rect,
    reach_mm: float,
    scale: float,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """How far each field lies off, in millimetres, and how well it fits its print there."""
    per_mm = PX_PER_MM * scale
    printed = print_ink
    if scale != 1:
        printed = cv2.resize(print_ink, seen.shape[::-1], interpolation=cv2.INTER_AREA)
    reach = round(reach_mm * per_mm)
    around = round(0.5 * per_mm)
    padded = cv2.copyMakeBorder(seen, reach, reach, reach, reach, cv2.BORDER_REPLICATE)
    shifts, scores = [], []
    for field in frame.fields.values():
        x0 = round((field.x - box[0]) * per_mm) - around
        y0 = round((field.y - box[1]) * per_mm) - around
        side = round(field.width * per_mm) + 2 * around
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
