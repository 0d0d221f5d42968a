"""Where is the line of a link drawn, so that it is seen over the fields and touches no print?

Lengths are in fields.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Final

from sheets.artwork.shapes import Point

Oblong = tuple[float, float, float, float]
"""Left, top, width and height."""

END: Final = 0.5
"""How far from its field's middle a link ends, across or down, whichever is more."""

AIR: Final = 0.1
"""What a line keeps from a number, so that it is no minus before it."""

LARGE, LITTLE_AIR = 0.44, 0.05
"""What is wider and higher is a symbol; so near to it may a line come."""

_LEAST: Final = 0.02
"""Shorter stretches are left out."""


def link_ends(start: Point, end: Point) -> tuple[Point, Point]:
    """Where the line between two fields' middles begins and ends, on the borders of both."""
    (ax, ay), (bx, by) = start, end
    far = max(abs(bx - ax), abs(by - ay)) or 1
    dx, dy = (bx - ax) / far * END, (by - ay) / far * END
    return (ax + dx, ay + dy), (bx - dx, by - dy)


def stretches(start: Point, end: Point, prints: Iterable[Oblong]) -> list[tuple[Point, Point]]:
    """The parts of a straight line that lie over no number, symbol or cross.

    >>> stretches((0, 0), (4, 0), [(1.05, -1, 0.9, 2)])
    [((0.0, 0.0), (1.0, 0.0)), ((2.0, 0.0), (4.0, 0.0))]
    """
    (ax, ay), (bx, by) = start, end
    hidden = sorted(_hidden(start, end, prints))
    seen, at = [], 0.0
    for first, last in [*hidden, (1.0, 1.0)]:
        if first - at > _LEAST / max(abs(bx - ax), abs(by - ay), _LEAST):
            seen.append((at, first))
        at = max(at, last)

    def point(share: float) -> Point:
        return round(ax + (bx - ax) * share, 6) + 0.0, round(ay + (by - ay) * share, 6) + 0.0

    return [(point(first), point(last)) for first, last in seen]


def _hidden(start: Point, end: Point, prints: Iterable[Oblong]) -> Iterator[tuple[float, float]]:
    """From which to which share of the line each print, with air around it, is in its way."""
    for x, y, width, height in prints:
        air = AIR if min(width, height) < LARGE else LITTLE_AIR
        low, high = 0.0, 1.0
        for at, to, near, far in (
            (start[0], end[0], x - air, x + width + air),
            (start[1], end[1], y - air, y + height + air),
        ):
            if abs(to - at) < 1e-9:
                low = low if near < at < far else math.inf
                continue
            first, last = sorted(((near - at) / (to - at), (far - at) / (to - at)))
            low, high = max(low, first), min(high, last)
        if low < high:
            yield low, high
