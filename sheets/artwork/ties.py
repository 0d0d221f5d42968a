"""Where is the line of a link drawn, so that it is seen over the fields and hides no number?

Lengths are in fields.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Final

from sheets.artwork.shapes import Point

Oblong = tuple[float, float, float, float]
"""Left, top, width and height."""

END: Final = 0.44
"""How far from its field's middle a link ends, across or down, whichever is more."""

AIR: Final = 0.1
"""What a line keeps from a number, so that it is no minus before it."""

_LEAST: Final = 0.02
"""Shorter stretches are left out."""


def link_ends(start: Point, end: Point) -> tuple[Point, Point]:
    """Where the line between two fields' middles begins and ends, on the borders of both."""
    (ax, ay), (bx, by) = start, end
    far = max(abs(bx - ax), abs(by - ay)) or 1
    dx, dy = (bx - ax) / far * END, (by - ay) / far * END
    return (ax + dx, ay + dy), (bx - dx, by - dy)


def stretches(start: Point, end: Point, numbers: Iterable[Oblong]) -> list[tuple[Point, Point]]:
    """The parts of a straight line that lie over no number.

    >>> stretches((0, 0), (4, 0), [(1.1, -1, 0.8, 2)])
    [((0.0, 0.0), (1.0, 0.0)), ((2.0, 0.0), (4.0, 0.0))]
    """
    (ax, ay), (bx, by) = start, end
    hidden = sorted(_hidden(start, end, numbers))
    seen, at = [], 0.0
    for first, last in [*hidden, (1.0, 1.0)]:
        if first - at > _LEAST / max(abs(bx - ax), abs(by - ay), _LEAST):
            seen.append((at, first))
        at = max(at, last)

    def point(share: float) -> Point:
        return round(ax + (bx - ax) * share, 6) + 0.0, round(ay + (by - ay) * share, 6) + 0.0

    return [(point(first), point(last)) for first, last in seen]


def _hidden(start: Point, end: Point, numbers: Iterable[Oblong]) -> Iterator[tuple[float, float]]:
    """From which to which share of the line each number is in its way: an oval around it."""
    for x, y, width, height in numbers:
        across, down = width / 2 + AIR, height / 2 + AIR
        ax, ay = (start[0] - x - width / 2) / across, (start[1] - y - height / 2) / down
        dx, dy = (end[0] - start[0]) / across, (end[1] - start[1]) / down
        # Where |a + share * d| is 1, which is the oval's edge.
        square, half, rest = dx * dx + dy * dy, ax * dx + ay * dy, ax * ax + ay * ay - 1
        inside = half * half - square * rest
        if square and inside > 0:
            low, high = ((-half + side * math.sqrt(inside)) / square for side in (-1, 1))
            if low < 1 and high > 0:
                yield max(low, 0.0), min(high, 1.0)
