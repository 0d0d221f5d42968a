"""Synthetic pens: strokes of many kinds as a layer of coverage."""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

Points = NDArray[np.float64]
"""Positions in millimetres, N × 2."""


class Pen(NamedTuple):
    """A pen in a hand.

    ``cover`` is its opacity, 0 to 1; ``grain`` the share that rough paper takes away; ``gaps`` the
    share of a line without ink; ``tremor_mm`` the amplitude of the hand's tremor; ``method`` how
    its strokes are drawn (`METHODS`). An opaque pen (``is_opaque``) can also brighten dark paper.
    """

    colour: tuple[float, float, float]
    width_mm: float
    cover: float
    grain: float
    gaps: float
    tremor_mm: float
    method: str
    is_opaque: bool = False

    def on(self, part: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the colours where the pen covers these completely."""
        colour = np.array(self.colour, np.float32)
        if self.is_opaque:
            return np.broadcast_to(colour, part.shape)
        return np.minimum(part, colour + 0.25 * (part - 128).clip(-128, 0))

    def shows_on(self, grounds: NDArray[np.float32]) -> bool:
        """Return whether its lines are visible on nearly all of N × 3 colours."""
        left = np.maximum(self.on(grounds), _BLACK)
        changed = np.abs((grounds - left).mean(1)) * self.cover
        return bool((changed >= _MIN_VISIBLE).mean() >= _MIN_VISIBLE_SHARE)


class _Family(NamedTuple):
    """Ranges of the parameters of a family of pens."""

    width_mm: tuple[float, float]
    cover: tuple[float, float]
    grain: tuple[float, float]
    gaps: tuple[float, float]


FAMILIES: Final = {
    "ball": _Family((0.3, 0.65), (0.65, 0.95), (0.0, 0.35), (0.0, 0.06)),
    "gel": _Family((0.35, 0.8), (0.88, 1.0), (0.0, 0.08), (0.0, 0.02)),
    "felt": _Family((0.7, 1.9), (0.7, 1.0), (0.0, 0.15), (0.0, 0.02)),
    "pencil": _Family((0.35, 0.9), (0.45, 0.8), (0.25, 0.6), (0.0, 0.05)),
    "light pencil": _Family((0.3, 0.8), (0.24, 0.45), (0.25, 0.65), (0.0, 0.05)),
    "worn": _Family((0.3, 0.7), (0.4, 0.85), (0.15, 0.6), (0.08, 0.35)),
    "crayon": _Family((0.8, 2.0), (0.5, 0.85), (0.3, 0.7), (0.0, 0.08)),
    "wide felt": _Family((0.7, 2.2), (0.7, 1.0), (0.0, 0.15), (0.0, 0.02)),
}
"""Families of pens."""

USUAL: Final = tuple(family for family in FAMILIES if family != "wide felt")
"""Families of usual pens."""

WITH_WIDE_FELT: Final = tuple("wide felt" if family == "felt" else family for family in USUAL)
"""The same, with wider felt pens."""

METHODS: Final = ("discs", "ribbon", "dry")
"""Methods of drawing a stroke: overlapping discs, an even ribbon, or a dry line with another
density at its centre."""

_BRIGHT: Final = _Family((0.45, 1.2), (0.8, 1.0), (0.0, 0.2), (0.0, 0.04))
"""Ranges of gel pens and paint markers for dark paper."""

_BRIGHT_COLOURS: Final = (
    *((245, 245, 245), (200, 200, 206), (225, 200, 120), (250, 225, 60)),
    *((250, 160, 190), (140, 200, 245), (160, 230, 170)),
)
"""Colours of pens for dark paper."""

_MIN_VISIBLE: Final = 16
"""Minimum contrast of a visible line, 0 to 255; the palest pencil has it on the darkest pale tint.
"""

_MIN_VISIBLE_SHARE: Final = 0.9
"""Minimum share of fields on which lines of a usable pen are visible."""

_BLACK: Final = 15
"""Minimum brightness in a photo of paper, which always reflects some light."""

_MAX_PEN_CHOICES: Final = 3
"""Number of pens that are tried before a bright one is chosen."""

_COLOURS: Final = (
    *((20, 22, 30), (35, 35, 40), (25, 45, 140), (40, 70, 180), (15, 30, 95)),
    *((180, 25, 35), (20, 110, 60), (110, 40, 130), (200, 95, 20), (10, 120, 160)),
)
"""Colours of pens."""

_GREY: Final = ("pencil", "light pencil")
"""Families that are usually grey."""


def choose_pen(rng: Generator, families: tuple[str, ...], methods: tuple[str, ...]) -> Pen:
    """Choose a random pen of one of the families."""
    family = str(rng.choice(families))
    kind = FAMILIES[family]
    if family in _GREY and rng.random() < 0.85:
        grey = rng.uniform(50, 95)
        colour = (grey, grey, grey + rng.uniform(0, 8))
    else:
        weights = np.array([3, 3, 3, 3, 2, 1.5, 1, 0.7, 0.7, 0.7])
        chosen = _COLOURS[int(rng.choice(len(_COLOURS), p=weights / weights.sum()))]
        colour = tuple(float(np.clip(c + rng.normal(0, 10), 0, 255)) for c in chosen)  # type: ignore[assignment]
    return Pen(
        colour,
        *(float(rng.uniform(*span)) for span in kind),
        float(abs(rng.normal(0.06, 0.08))),
        str(rng.choice(methods)),
    )


def choose_visible_pen(
    rng: Generator,
    families: tuple[str, ...],
    methods: tuple[str, ...],
    grounds: NDArray[np.float32],
) -> Pen:
    """Choose a pen whose lines are visible on these colours, N × 3.

    After `_MAX_PEN_CHOICES` invisible pens, choose a bright one.
    """
    for _ in range(_MAX_PEN_CHOICES):
        pen = choose_pen(rng, families, methods)
        if pen.shows_on(grounds):
            return pen
    chosen = _BRIGHT_COLOURS[int(rng.integers(len(_BRIGHT_COLOURS)))]
    colour = tuple(float(np.clip(c + rng.normal(0, 8), 0, 255)) for c in chosen)
    spans = [float(rng.uniform(*span)) for span in _BRIGHT]
    tremor = float(abs(rng.normal(0.06, 0.08)))
    return Pen(colour, *spans, tremor, str(rng.choice(methods)), is_opaque=True)  # type: ignore[arg-type, misc]


def smooth(points: Points, per_mm: float = 6.0) -> Points:
    """Interpolate a curve (Catmull-Rom) with closely spaced points."""
    ends = np.vstack([2 * points[0] - points[1], points, 2 * points[-1] - points[-2]])
    pieces = []
    for a, b, c, d in zip(ends, ends[1:], ends[2:], ends[3:], strict=False):
        steps = max(2, int(np.hypot(*(c - b)) * per_mm))
        t = np.linspace(0, 1, steps, endpoint=False)[:, None]
        pieces.append(
            0.5
            * (
                2 * b
                + (c - a) * t
                + (2 * a - 5 * b + 4 * c - d) * t**2
                + (3 * b - a - 3 * c + d) * t**3
            )
        )
    return np.vstack([*pieces, points[-1:]])


def add_tremor(rng: Generator, points: Points, by_mm: float) -> Points:
    """Add the tremor of a hand to the points; it varies slowly along the line."""
    if len(points) < 4 or by_mm <= 0:
        return points
    knots = max(3, len(points) // int(rng.integers(6, 16)))
    noise = rng.normal(0, by_mm, (knots, 2))
    at = np.linspace(0, knots - 1, len(points))
    return points + np.stack([np.interp(at, range(knots), noise[:, i]) for i in (0, 1)], 1)


def draw_stroke(
    rng: Generator, alpha: NDArray[np.float32], points: Points, pen: Pen, px_per_mm: float
) -> None:
    """Draw a curve (millimetres from the layer's corner) into a layer of coverage, 0 to 1."""
    points = add_tremor(rng, points, pen.tremor_mm)
    at = points * px_per_mm
    reach = pen.width_mm * px_per_mm * 1.5 + 3
    height, width = alpha.shape
    x0, y0 = (int(max(0, v)) for v in np.floor(at.min(0) - reach))
    x1, y1 = (
        int(min(limit, v))
        for limit, v in zip((width, height), np.ceil(at.max(0) + reach), strict=True)
    )
    if x1 - x0 < 2 or y1 - y0 < 2:
        return
    stroke = np.zeros((y1 - y0, x1 - x0), np.uint8)
    local = at - (x0, y0)
    pressure = _pressure(rng, len(local))
    half = max(0.5, pen.width_mm * px_per_mm / 2)
    keep = _gap_mask(rng, len(local), pen.gaps)
    if pen.method == "ribbon":
        for piece in np.split(local, np.flatnonzero(~keep)):
            if len(piece) > 1:
                cv2.polylines(
                    stroke, [np.round(piece * 16).astype(np.int32)], False, 255,
                    max(1, round(2 * half * float(pressure.mean()))), cv2.LINE_AA, 4,
                )  # fmt: skip
    else:
        for (x, y), p, is_kept in zip(local, pressure, keep, strict=True):
            if is_kept:
                radius = half * p
                cv2.circle(
                    stroke, (round(x * 16), round(y * 16)), max(8, round(radius * 16)), 255, -1,
                    cv2.LINE_AA, 4,
                )  # fmt: skip
    cover = stroke.astype(np.float32) / 255
    if pen.method == "dry":  # the middle of the line is lighter than its edges, or the other way
        soft = cv2.GaussianBlur(cover, (0, 0), max(0.6, half * 0.5))
        cover *= np.clip(0.55 + rng.uniform(-0.3, 0.6) * (soft - 0.5), 0.3, 1)
        cover /= max(0.3, float(cover.max()))
    if pen.grain > 0.02:
        rough = rng.random(cover.shape, np.float32)
        size = float(rng.uniform(0.03, 0.12)) * px_per_mm
        rough = cv2.GaussianBlur(rough, (0, 0), max(0.4, size))
        spread = float(rough.std()) or 1.0
        rough = np.clip(0.5 + (rough - rough.mean()) / (3 * spread), 0, 1)
        cover *= 1 - pen.grain * rough
    cover *= pen.cover * float(rng.uniform(0.9, 1.0))
    target = alpha[y0:y1, x0:x1]
    np.copyto(target, 1 - (1 - target) * (1 - cover))


def _pressure(rng: Generator, count: int) -> NDArray[np.float64]:
    knots = rng.uniform(0.75, 1.15, 5)
    knots[-1] *= rng.uniform(0.4, 1.0)
    knots[0] *= rng.uniform(0.6, 1.0)
    return np.interp(np.linspace(0, 4, count), range(5), knots)


def _gap_mask(rng: Generator, count: int, gaps: float) -> NDArray[np.bool_]:
    keep = np.ones(count, bool)
    missing = int(count * gaps)
    while missing > 0:
        length = int(min(missing, rng.integers(1, 8)))
        start = int(rng.integers(0, max(1, count - length)))
        keep[start : start + length] = False
        missing -= length
    return keep


def turned(points: Points, degrees: float) -> Points:
    """Rotate points around the origin."""
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return points @ np.array([[c, s], [-s, c]])
