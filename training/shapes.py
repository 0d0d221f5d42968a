"""Shapes of symbols: named ones, and random ones.

A shape has a few parts in a box from -1 to 1: filled polygons, details on them, and lines.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

Points = Sequence[tuple[float, float]]
"""Vertices of a polygon or line."""


class Part(NamedTuple):
    """A polygon, or a line if ``is_line``; a detail has the symbol's second colour."""

    points: Points
    is_detail: bool = False
    is_line: bool = False


def _polar(radius: Callable[[float], float], steps: int = 60, start: float = 0.0) -> Points:
    """Return a closed curve around the centre, clockwise from the top."""
    turns = [start + 2 * math.pi * i / steps for i in range(steps)]
    return [(radius(t) * math.sin(t), -radius(t) * math.cos(t)) for t in turns]


def _round(x: float, y: float, r: float, high: float | None = None) -> Points:
    tall = r if high is None else high
    return [(x + a * r, y + b * tall) for a, b in _polar(lambda _t: 1, 32)]


def _corners(count: int, inner: float = 1.0, start: float = 0.0) -> Points:
    """Return a regular polygon, or a star if ``inner`` is below 1."""
    if inner == 1:
        return _polar(lambda _t: 1, count, start)
    star = _polar(lambda _t: 1, 2 * count, start)
    return [(x * inner, y * inner) if i % 2 else (x, y) for i, (x, y) in enumerate(star)]


def _box(left: float, top: float, right: float, bottom: float) -> Points:
    return [(left, top), (right, top), (right, bottom), (left, bottom)]


def _arc(x: float, y: float, r: float, start: float, end: float) -> Points:
    """Return an arc between two angles in degrees, clockwise from the right."""
    turns = np.radians(np.linspace(start, end, 24)).tolist()
    return [(x + r * math.cos(t), y + r * math.sin(t)) for t in turns]


def _heart() -> Points:
    turns = [2 * math.pi * i / 60 for i in range(60)]
    return [
        (math.sin(t) ** 3, -(13 * math.cos(t) - 5 * math.cos(2 * t) - 2 * math.cos(3 * t)
                             - math.cos(4 * t)) / 16) for t in turns
    ]  # fmt: skip


def _filled(*outlines: Points) -> tuple[Part, ...]:
    return tuple(Part(one) for one in outlines)


def _detail(*outlines: Points) -> tuple[Part, ...]:
    return tuple(Part(one, is_detail=True) for one in outlines)


def _lines(*outlines: Points, is_detail: bool = False) -> tuple[Part, ...]:
    return tuple(Part(one, is_detail=is_detail, is_line=True) for one in outlines)


def _dots(count: int) -> tuple[Part, ...]:
    places = {
        2: ((-0.6, -0.6), (0.6, 0.6)), 3: ((0, -0.65), (-0.65, 0.55), (0.65, 0.55)),
        4: ((-0.6, -0.6), (0.6, -0.6), (-0.6, 0.6), (0.6, 0.6)),
    }[count]  # fmt: skip
    return _filled(*(_round(x, y, 0.34) for x, y in places))


_WAVE: Final = [(x / 20, 0.3 * math.sin(x / 20 * 7)) for x in range(-20, 21)]
_SPIRAL: Final = [(0.06 * t * math.cos(t), 0.06 * t * math.sin(t)) for t in np.linspace(0, 15, 70)]
_BOLT: Final = [(-0.2, -1), (0.5, -1), (0.1, -0.25), (0.6, -0.25), (-0.4, 1), (-0.1, 0.1),
                (-0.6, 0.1)]  # fmt: skip
_ROCKET: Final = [(0, -1), (0.35, -0.4), (0.35, 0.5), (0.75, 1), (-0.75, 1), (-0.35, 0.5),
                  (-0.35, -0.4)]  # fmt: skip
_ARROW: Final = [(0, -1), (0.8, -0.1), (0.3, -0.1), (0.3, 1), (-0.3, 1), (-0.3, -0.1),
                 (-0.8, -0.1)]  # fmt: skip
_CROWN: Final = [(-0.9, 0.8), (-1, -0.6), (-0.45, 0.1), (0, -0.9), (0.45, 0.1), (1, -0.6),
                 (0.9, 0.8)]  # fmt: skip
_MOON: Final = [*_arc(0, 0, 0.95, 50, 310), *reversed(_arc(0.35, 0, 0.73, 75, 285))]

TRAINING: Final[dict[str, tuple[Part, ...]]] = {
    "round": _filled(_round(0, 0, 0.9)),
    "square": _filled(_box(-0.8, -0.8, 0.8, 0.8)),
    "diamond": _filled([(0, -1), (0.75, -0.2), (0, 1), (-0.75, -0.2)]),
    "rhomb": _filled(_corners(4)),
    "star": _filled(_corners(5, 0.42)),
    "triangle": _filled([(0, -0.9), (0.95, 0.8), (-0.95, 0.8)]),
    "pentagon": _filled(_corners(5)),
    "hexagon": _filled(_corners(6)),
    "plus": _filled([(-0.25, -1), (0.25, -1), (0.25, -0.25), (1, -0.25), (1, 0.25), (0.25, 0.25),
                     (0.25, 1), (-0.25, 1), (-0.25, 0.25), (-1, 0.25), (-1, -0.25),
                     (-0.25, -0.25)]),
    "cross": _lines([(-0.9, -0.9), (0.9, 0.9)], [(0.9, -0.9), (-0.9, 0.9)]),
    "drop": _filled(_polar(lambda t: 1 - 0.62 * math.cos(t / 2) ** 0.5 if t < math.pi
                           else 1 - 0.62 * math.cos((2 * math.pi - t) / 2) ** 0.5)),
    "rocket": _filled(_ROCKET) + _detail(_round(0, -0.2, 0.2)),
    "bomb": _filled(_round(-0.05, 0.22, 0.74)) + _lines([(0.3, -0.3), (0.7, -0.95)]),
    "bars": _filled(*(_box(-0.9, y, 0.9, y + 0.3) for y in (-0.8, -0.15, 0.5))),
    "blob": _filled(_polar(lambda t: 0.65 + 0.3 * math.sin(3 * t))),
    "key": _lines(_round(-0.45, 0, 0.42), [(0, 0), (0.95, 0), (0.95, 0.45)]),
    "piece": _filled(_box(-0.9, -0.5, 0.5, 0.9), _round(0.62, 0.2, 0.32))
    + _filled(_round(-0.2, -0.65, 0.32)),
    "gem": _filled([(-0.55, -0.8), (0.55, -0.8), (1, -0.2), (0, 0.95), (-1, -0.2)])
    + _lines([(-1, -0.2), (1, -0.2)], [(-0.4, -0.2), (0, 0.95), (0.4, -0.2)], is_detail=True),
    "arrow": _filled(_ARROW),
    "arrow-aside": _filled([(-y, x) for x, y in _ARROW]),
    "chevron": _filled([(-1, -0.1), (0, -0.9), (1, -0.1), (1, 0.6), (0, -0.2), (-1, 0.6)]),
    "sun": _filled(_round(0, 0, 0.5)) + _lines(*(
        [(0.65 * x, 0.65 * y), (x, y)] for x, y in _corners(8))),
    "flower": _filled(_polar(lambda t: 0.7 + 0.3 * math.cos(5 * t))) + _detail(_round(0, 0, 0.28)),
    "cloud": _filled(_round(-0.5, 0.2, 0.45), _round(0.1, -0.15, 0.55), _round(0.6, 0.25, 0.4)),
    "house": _filled([(0, -1), (1, -0.1), (0.75, -0.1), (0.75, 0.9), (-0.75, 0.9), (-0.75, -0.1),
                      (-1, -0.1)]) + _detail(_box(-0.2, 0.3, 0.2, 0.9)),
    "cup": _filled([(-0.7, -0.9), (0.7, -0.9), (0.45, 0.1), (0.12, 0.3), (0.12, 0.65), (0.5, 0.9),
                    (-0.5, 0.9), (-0.12, 0.65), (-0.12, 0.3), (-0.45, 0.1)]),
    "dots-two": _dots(2),
    "dots-three": _dots(3),
    "target": _filled(_round(0, 0, 0.95)) + _detail(_round(0, 0, 0.62))
    + _filled(_round(0, 0, 0.3)),
    "hourglass": _filled([(-0.7, -0.95), (0.7, -0.95), (-0.7, 0.95), (0.7, 0.95)]),
    "planet": _filled(_round(0, 0, 0.6)) + _lines(_round(0, 0, 1, 0.28)),
    "shield": _filled([(-0.8, -0.9), (0.8, -0.9), (0.75, 0.1), (0, 1), (-0.75, 0.1)])
    + _detail([(0, -0.9), (0.8, -0.9), (0.75, 0.1), (0, 1)]),
    "wave": _lines([(x, y - 0.35) for x, y in _WAVE], [(x, y + 0.35) for x, y in _WAVE]),
    "zigzag": _lines([(-1, 0.4), (-0.5, -0.4), (0, 0.4), (0.5, -0.4), (1, 0.4)]),
    "half": _filled(_arc(0, 0, 0.9, 90, 270)) + _lines(_round(0, 0, 0.9)),
    "pill": _filled(_round(0, 0, 1, 0.45)),
    "turned-arrow": _lines(_arc(0, 0, 0.75, -60, 200)) + _filled([(0, -1), (0.75, -0.9),
                                                                  (0.35, -0.25)]),
    "mask": _filled(_round(0, 0, 0.9)) + _detail(_round(-0.35, -0.2, 0.2), _round(0.35, -0.2, 0.2),
                                                _box(-0.4, 0.35, 0.4, 0.5)),
}  # fmt: skip
"""Shapes for training."""

HELD_OUT: Final[dict[str, tuple[Part, ...]]] = {
    "heart": _filled(_heart()),
    "bolt": _filled(_BOLT),
    "flag": _filled(_box(-0.7, -1, -0.5, 1), [(-0.5, -0.95), (0.8, -0.5), (-0.5, -0.05)]),
    "lock": _lines(_arc(0, -0.35, 0.45, 180, 360)) + _filled(_box(-0.75, -0.25, 0.75, 0.9)),
    "moon": _filled(_MOON),
    "ring": _lines(_round(0, 0, 0.85)),
    "octagon": _filled(_corners(8, start=math.pi / 8)),
    "star-four": _filled(_corners(4, 0.35)),
    "crown": _filled(_CROWN) + _detail(_round(0, 0.45, 0.2)),
    "fish": _filled(_round(-0.2, 0, 0.75, 0.5), [(0.35, 0), (1, -0.6), (1, 0.6)])
    + _detail(_round(-0.55, -0.1, 0.12)),
    "mushroom": _filled(_arc(0, 0, 0.95, 180, 360), _box(-0.3, 0, 0.3, 0.9))
    + _detail(_round(-0.4, -0.4, 0.18), _round(0.3, -0.5, 0.2)),
    "gear": _filled(_polar(lambda t: 0.95 if math.sin(8 * t) > 0 else 0.7, 96))
    + _detail(_round(0, 0, 0.3)),
    "anchor": _lines([(0, -0.6), (0, 0.9)], _round(0, -0.75, 0.2), _arc(0, 0.1, 0.8, 10, 170),
                     [(-0.45, -0.3), (0.45, -0.3)]),
    "spiral": _lines(_SPIRAL),
    "tree": _filled([(0, -1), (0.8, 0.4), (-0.8, 0.4)], _box(-0.15, 0.4, 0.15, 0.95)),
    "leaf": _filled([*_arc(-0.9, 0.9, 1.8, -90, 0), *_arc(0.9, -0.9, 1.8, 90, 180)])
    + _lines([(-0.7, 0.7), (0.6, -0.6)], is_detail=True),
    "arrows": _filled([(-1, 0), (-0.4, -0.6), (-0.4, 0.6)], [(1, 0), (0.4, -0.6), (0.4, 0.6)])
    + _lines([(-0.5, 0), (0.5, 0)]),
    "eye": _filled(_round(0, 0, 1, 0.55)) + _detail(_round(0, 0, 0.35)),
    "bell": _filled([(-0.9, 0.55), (-0.55, 0.2), (-0.5, -0.5), (0, -0.95), (0.5, -0.5),
                     (0.55, 0.2), (0.9, 0.55)], _round(0, 0.7, 0.25)),
    "dots-four": _dots(4),
    "ladder": _lines([(-0.5, -1), (-0.5, 1)], [(0.5, -1), (0.5, 1)], [(-0.5, -0.5), (0.5, -0.5)],
                     [(-0.5, 0), (0.5, 0)], [(-0.5, 0.5), (0.5, 0.5)]),
    "boot": _filled([(-0.5, -1), (0.1, -1), (0.1, 0.2), (0.9, 0.5), (0.9, 0.9), (-0.5, 0.9)]),
}  # fmt: skip
"""Shapes held out for tests."""


def random_parts(seed: int) -> tuple[Part, ...]:
    """Return a random shape; the same seed gives the same shape."""
    rng = np.random.default_rng([77, seed])
    parts: list[tuple[NDArray[np.float64], bool, bool]] = []
    for i in range(int(rng.choice([1, 2, 3], p=[0.55, 0.3, 0.15]))):
        is_line = rng.random() < 0.25
        if is_line:
            outline = rng.uniform(-1, 1, (int(rng.integers(2, 6)), 2))
        elif rng.random() < 0.5:
            high, turn = rng.uniform(0.05, 0.3, (3, 1)), rng.uniform(0, 7, (3, 1))
            angles = np.linspace(0, 2 * math.pi, 60, endpoint=False)
            far = 1 + (high * np.sin(np.array([[2], [3], [4]]) * angles + turn)).sum(0)
            outline = far[:, None] * np.stack([np.sin(angles), np.cos(angles)], 1)
        else:
            angles = np.sort(rng.uniform(0, 2 * math.pi, int(rng.integers(3, 8))))
            outline = rng.uniform(0.35, 1, (len(angles), 1)) * np.stack(
                [np.cos(angles), np.sin(angles)], 1
            )
        moved = rng.uniform(-0.6, 0.6, 2) + rng.uniform(0.25, 0.7) * outline if i else outline
        parts.append((moved, i > 0 and rng.random() < 0.5, is_line))
    every = np.concatenate([one for one, _, _ in parts])
    low, high = every.min(0), every.max(0)
    scale = 2 / np.maximum(high - low, 0.5 * (high - low).max())
    return tuple(
        Part([(x, y) for x, y in ((one - (low + high) / 2) * scale).tolist()], is_detail, is_line)
        for one, is_detail, is_line in parts
    )
