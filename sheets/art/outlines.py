"""Outlines of a set of fields, by tracing the edges between inside and outside."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sheets.art.shapes import Point

_Edges = dict[tuple[int, int], list[tuple[int, int]]]


def outline(cells: Iterable[Point]) -> tuple[tuple[Point, ...], ...]:
    """Return the outlines of a union of cells as polygons.

    A cell is a square of side 1, given as its top left corner. The x coordinates of cells differ by
    multiples of 1/4. Outer outlines run clockwise, outlines of holes counter-clockwise.

    >>> outline([(0, 0), (1, 0)])
    (((0.0, 0), (2.0, 0), (2.0, 1), (0.0, 1)),)
    """
    corners = list(cells)
    x0 = min(x for x, _ in corners)
    y0 = min(y for _, y in corners)
    quarters = [(round((x - x0) * 4), round(y - y0)) for x, y in corners]
    # Only levels with shifted rows need a grid of quarter fields.
    parts = 1 if all(x % 4 == 0 for x, _ in quarters) else 4
    edges = _edges({(x * parts // 4 + part, y) for x, y in quarters for part in range(parts)})
    loops = []
    for start in sorted(edges):
        while start in edges:
            loop = _corners_only(_trace(edges, start))
            loops.append(tuple((x / parts + x0, y + y0) for x, y in loop))
    return tuple(loops)


def _edges(inside: set[tuple[int, int]]) -> _Edges:
    """Return the edges between inside and outside, clockwise: the end points by start point."""
    edges: _Edges = {}
    for x, y in inside:
        for beyond, start, end in (
            ((x, y - 1), (x, y), (x + 1, y)),
            ((x + 1, y), (x + 1, y), (x + 1, y + 1)),
            ((x, y + 1), (x + 1, y + 1), (x, y + 1)),
            ((x - 1, y), (x, y + 1), (x, y)),
        ):
            if beyond not in inside:
                edges.setdefault(start, []).append(end)
    return edges


def _trace(edges: _Edges, start: tuple[int, int]) -> list[tuple[int, int]]:
    """Remove one closed loop from the directed edges and return its points.

    Where two loops meet, it turns right.
    """
    loop, at, heading = [start], start, (1, 0)
    while True:
        ends = edges[at]
        if len(ends) > 1:
            (x, y), (along, down) = at, heading
            # Smaller the further right (clockwise, y down) a step turns.
            ends.sort(key=lambda end: down * (end[0] - x) - along * (end[1] - y))
        end = ends.pop(0)
        if not ends:
            del edges[at]
        heading = (end[0] - at[0], end[1] - at[1])
        if end == start:
            return loop
        loop.append(end)
        at = end


def _corners_only(loop: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    kept = []
    for i, (x, y) in enumerate(loop):
        (px, py), (nx, ny) = loop[i - 1], loop[(i + 1) % len(loop)]
        if (x - px) * (ny - y) != (y - py) * (nx - x):
            kept.append((x, y))
    return kept
