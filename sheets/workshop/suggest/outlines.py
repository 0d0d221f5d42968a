"""Outlines of suggested sheets; each is a connected set of squares."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Final

Place = tuple[int, int]
"""Column and row, counted from 0 at the top left."""

Outline = Callable[[int, int, Random], "set[Place]"]
"""Function from columns, rows and a source of random numbers to the squares of an outline."""


def everything(columns: int, rows: int) -> set[Place]:
    """Return the whole grid.

    >>> sorted(everything(2, 1))
    [(0, 0), (1, 0)]
    """
    return {(x, y) for y in range(rows) for x in range(columns)}


def largest_part(places: set[Place]) -> set[Place]:
    """Return the largest connected component of squares.

    >>> sorted(largest_part({(0, 0), (1, 0), (3, 0)}))
    [(0, 0), (1, 0)]
    """
    left, best = set(places), set[Place]()
    while left:
        group = connected(min(left), left)
        left -= group
        best = max(best, group, key=len)
    return best


def connected(start: Place, places: set[Place]) -> set[Place]:
    """Return the connected component that contains the start."""
    found, border = {start}, [start]
    while border:
        x, y = border.pop()
        for near in ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)):
            if near in places and near not in found:
                found.add(near)
                border.append(near)
    return found


def _full(columns: int, rows: int, random: Random) -> set[Place]:
    return everything(columns, rows)


def _rounded(columns: int, rows: int, random: Random) -> set[Place]:
    cut = 2 if min(columns, rows) < 9 else random.choice((2, 3))
    return {
        (x, y)
        for x, y in everything(columns, rows)
        if min(x, columns - 1 - x) + min(y, rows - 1 - y) >= cut
    }


def _castle(columns: int, rows: int, random: Random) -> set[Place]:
    """Return two towers with a gap between them, and a gate at the foot."""
    gap = columns // 2 - (2 if columns % 2 == 0 else 1)
    gate = max(0, (columns - 2) // 2)
    deep = max(1, rows // 4)
    taken = {(x, y) for y in range(deep) for x in range(columns) if gap <= x < columns - gap}
    taken |= {(x, rows - 1) for x in range(gate, columns - gate)}
    if random.random() < 0.5:
        taken |= {(x, 0) for x in (1, columns - 2) if columns >= 8}
    return everything(columns, rows) - taken


def _ring(columns: int, rows: int, random: Random) -> set[Place]:
    """Return a grid with a hole in the middle, and without its corners."""
    broad = max(2, min(columns, rows) // 3)
    tall = max(broad, (rows - max(2, rows // 4)) // 2)
    lake = {(x, y) for x, y in everything(columns, rows)
            if broad <= x < columns - broad and tall <= y < rows - tall}  # fmt: skip
    corners = {(x, y) for x in (0, columns - 1) for y in (0, rows - 1)}
    return everything(columns, rows) - lake - corners


def _hourglass(columns: int, rows: int, random: Random) -> set[Place]:
    """Return a shape that is broad at the top and the bottom, with a waist."""
    waist = max(1, columns // 4)
    middle = (rows - 1) / 2
    result = set()
    for x, y in everything(columns, rows):
        far = abs(y - middle)
        cut = waist if far <= rows / 8 else waist - 1 if far <= rows / 4 else 0
        if cut <= x < columns - cut:
            result.add((x, y))
    return result


def _tree(columns: int, rows: int, random: Random) -> set[Place]:
    """Return two crowns, one above the other, and a trunk."""
    trunk = 1 if rows < 8 else 2
    crown = (rows - trunk + 1) // 2
    result = set()
    for x, y in everything(columns, rows):
        if y >= rows - trunk:
            half = max(1, columns // 5)
        else:
            step = y if y < crown else y - crown + 1
            half = min(columns // 2, 1 + round(step * (columns / 2) / (crown - 1)))
        left, right = (columns + 1) // 2 - half, columns // 2 + half - 1
        if left <= x <= right:
            result.add((x, y))
    return result


def _coast(columns: int, rows: int, random: Random) -> set[Place]:
    """Return an island with bays, without symmetry."""
    places = everything(columns, rows)
    bays = max(3, (columns + rows) // 3)
    for _ in range(bays):
        along = random.choice("tblr")
        if along in "tb":
            at, wide, deep = random.randrange(columns), random.choice((1, 2)), random.choice((1, 2))
            bay = {(at + i, d if along == "t" else rows - 1 - d) for i in range(wide)
                   for d in range(deep)}  # fmt: skip
        else:
            at, wide = random.randrange(rows), random.choice((1, 2, 3))
            bay = {(0 if along == "l" else columns - 1, at + i) for i in range(wide)}
        if len(largest_part(places - bay)) == len(places - bay):
            places -= bay
    return places


OUTLINES: Final[Mapping[str, Outline]] = {
    "full": _full,
    "rounded": _rounded,
    "castle": _castle,
    "ring": _ring,
    "hourglass": _hourglass,
    "tree": _tree,
    "coast": _coast,
}
"""Outlines by name; all except ``coast`` have mirror symmetry of the left and the right."""


def draw_outline(name: str, columns: int, rows: int, random: Random) -> set[Place]:
    """Return the squares of an outline; if they are not connected, only the largest part."""
    return largest_part(OUTLINES[name](columns, rows, random))
