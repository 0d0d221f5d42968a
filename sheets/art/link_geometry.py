"""Geometry of links: lines between two fields that do not touch numbers, symbols or crosses.

Lengths are in fields.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Final

from sheets.art.shapes import Point

Rectangle = tuple[float, float, float, float]
"""A rectangle as left, top, width and height."""

LINK_END: Final = 0.5
"""Distance from a field's middle to the end of its link: in x or in y, whichever is larger."""

NUMBER_CLEARANCE: Final = 0.1
"""Minimum distance of a link from a number, so that the link does not look like a minus sign."""

MIN_SYMBOL_SIDE: Final = 0.44
"""Width and height from which a print counts as a symbol; a smaller one counts as a number."""

SYMBOL_CLEARANCE: Final = 0.05
"""Minimum distance of a link from a symbol."""

_MIN_PART: Final = 0.02
"""Minimum length of a visible part of a link; shorter parts are not drawn."""


def link_ends(start: Point, end: Point) -> tuple[Point, Point]:
    """Return the ends of a link between two middles of fields: they lie on the fields' borders."""
    (ax, ay), (bx, by) = start, end
    far = max(abs(bx - ax), abs(by - ay)) or 1
    dx, dy = (bx - ax) / far * LINK_END, (by - ay) / far * LINK_END
    return (ax + dx, ay + dy), (bx - dx, by - dy)


def visible_parts(
    start: Point, end: Point, prints: Iterable[Rectangle]
) -> list[tuple[Point, Point]]:
    """Return the parts of a straight line that cover no number, symbol or cross.

    >>> visible_parts((0, 0), (4, 0), [(1.05, -1, 0.9, 2)])
    [((0.0, 0.0), (1.0, 0.0)), ((2.0, 0.0), (4.0, 0.0))]
    """
    (ax, ay), (bx, by) = start, end
    hidden = sorted(_hidden(start, end, prints))
    visible, at = [], 0.0
    for first, last in [*hidden, (1.0, 1.0)]:
        if first - at > _MIN_PART / max(abs(bx - ax), abs(by - ay), _MIN_PART):
            visible.append((at, first))
        at = max(at, last)

    def point(share: float) -> Point:
        return round(ax + (bx - ax) * share, 6) + 0.0, round(ay + (by - ay) * share, 6) + 0.0

    return [(point(first), point(last)) for first, last in visible]


def _hidden(start: Point, end: Point, prints: Iterable[Rectangle]) -> Iterator[tuple[float, float]]:
    """Yield the interval of the line that each print hides, clearance included.

    An interval is (start, end), as shares of the line from 0 to 1. Prints that hide nothing are
    left out.
    """
    for x, y, width, height in prints:
        clearance = NUMBER_CLEARANCE if min(width, height) < MIN_SYMBOL_SIDE else SYMBOL_CLEARANCE
        low, high = 0.0, 1.0
        for at, to, near, far in (
            (start[0], end[0], x - clearance, x + width + clearance),
            (start[1], end[1], y - clearance, y + height + clearance),
        ):
            if abs(to - at) < 1e-9:
                low = low if near < at < far else math.inf
                continue
            first, last = sorted(((near - at) / (to - at), (far - at) / (to - at)))
            low, high = max(low, first), min(high, last)
        if low < high:
            yield low, high
