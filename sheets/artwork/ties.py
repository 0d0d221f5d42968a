"""Geometry of links: lines between two fields that do not touch numbers, symbols or crosses.

Lengths are in fields.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Final

from sheets.artwork.shapes import Point

Oblong = tuple[float, float, float, float]
"""A rectangle as left, top, width and height."""

END: Final = 0.5
"""Distance between a field's middle and the end of its link: the larger of across and down."""

AIR: Final = 0.1
"""Minimum distance from a number, so that the line does not look like a minus sign."""

LARGE: Final = 0.44
"""Minimum width and height of a symbol; smaller prints are numbers."""

LITTLE_AIR: Final = 0.05
"""Minimum distance from a symbol."""

_LEAST: Final = 0.02
"""Minimum length of a visible part."""


def link_ends(start: Point, end: Point) -> tuple[Point, Point]:
    """Return the ends of the line between two fields' middles, on the borders of both."""
    (ax, ay), (bx, by) = start, end
    far = max(abs(bx - ax), abs(by - ay)) or 1
    dx, dy = (bx - ax) / far * END, (by - ay) / far * END
    return (ax + dx, ay + dy), (bx - dx, by - dy)


def stretches(start: Point, end: Point, prints: Iterable[Oblong]) -> list[tuple[Point, Point]]:
    """Return the parts of a straight line that cover no number, symbol or cross.

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
    """Yield the covered shares of the line, from 0 to 1, one for each print with its distance."""
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
