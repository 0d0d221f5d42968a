"""Shape of each colour of the game, drawn as an emblem and as a cut gem."""

from __future__ import annotations

from collections.abc import Sequence

from sheets.art.shapes import Point, Shape, circle, number_text, on_circle, polygon, regular

COLOUR_SHAPES = {
    "red": "triangle",
    "orange": "diamond",
    "yellow": "circle",
    "green": "square",
    "blue": "pentagon",
    "purple": "hexagon",
    "white": "ring",
    "black": "star",
}
"""Shape of each colour, so that colours differ without colour vision."""

OUTLINE_WIDTH = 9.0
"""Stroke width of a gem's outline; only the outer half of the stroke is visible."""


def corners(shape: str, x: float, y: float, radius: float) -> list[Point]:
    """Return the corners of a shape around ``x``, ``y``; ``radius`` is about half its height."""
    match shape:
        case "triangle":
            return regular(3, x, y + 0.2 * radius, 1.2 * radius)
        case "diamond":
            return [(x, y - 1.12 * radius), (x + 0.84 * radius, y), (x, y + 1.12 * radius),
                    (x - 0.84 * radius, y)]  # fmt: skip
        case "square":
            half = 0.84 * radius
            return [(x - half, y - half), (x + half, y - half), (x + half, y + half),
                    (x - half, y + half)]  # fmt: skip
        case "cut square":
            half, cut = 0.84 * radius, 0.7 * radius
            return [(x - cut, y - half), (x + cut, y - half), (x + half, y - cut),
                    (x + half, y + cut), (x + cut, y + half), (x - cut, y + half),
                    (x - half, y + cut), (x - half, y - cut)]  # fmt: skip
        case "pentagon":
            return regular(5, x, y + 0.05 * radius, 1.05 * radius)
        case "hexagon":
            return regular(6, x, y, 1.04 * radius, 0)
        case _:
            outer, inner = regular(5, x, y, 1.15 * radius), regular(5, x, y, 0.5 * radius, -54)
            return [point for pair in zip(outer, inner, strict=True) for point in pair]


def emblem(colour: str, x: float, y: float, radius: float, role: str = "on") -> Shape:
    """Draw the small shape on the key, lock, flag and puzzle piece of a colour."""
    shape = COLOUR_SHAPES[colour]
    if shape == "circle":
        return Shape(circle(x, y, 0.92 * radius), role)
    if shape == "ring":
        return Shape(circle(x, y, 0.72 * radius), "", role, round(0.48 * radius, 1))
    return Shape(polygon(corners(shape, x, y, radius)), role)


def cut_gem(colour: str) -> tuple[Shape, ...]:
    """Draw a gem in the colour's shape, lit from the top left."""
    shape = COLOUR_SHAPES[colour]
    if shape == "circle":
        return _round_gem()
    if shape == "ring":
        return _ring_gem()
    if shape == "star":
        return _star_gem()
    x, y, radius = {"triangle": (50, 52, 40), "diamond": (50, 50, 40), "square": (50, 50, 49),
                    "pentagon": (50, 51, 43), "hexagon": (50, 50, 43)}[shape]  # fmt: skip
    shape = "cut square" if shape == "square" else shape
    outer = corners(shape, x, y, radius)
    inner = corners(shape, x, y, radius * (0.46 if shape == "triangle" else 0.54))
    return (
        Shape(polygon(outer), "solid", "line", OUTLINE_WIDTH),
        *_facets(outer, inner, (x, y)),
        _glint(inner),
    )


def _facets(outer: Sequence[Point], inner: Sequence[Point], middle: Point) -> list[Shape]:
    """Draw the facets around the flat top of a gem, bright at the upper left and dark elsewhere."""
    sides: dict[str, list[str]] = {"light": [], "shade": []}
    for i, start in enumerate(outer):
        j = (i + 1) % len(outer)
        out_x = (start[0] + outer[j][0]) / 2 - middle[0]
        out_y = (start[1] + outer[j][1]) / 2 - middle[1]
        side = "light" if 0.5 * out_x + 0.86 * out_y < 0 else "shade"
        sides[side].append(polygon([start, outer[j], inner[j], inner[i]]))
    return [Shape("".join(paths), role) for role, paths in sides.items()]


def _glint(table: Sequence[Point]) -> Shape:
    """Draw a reflection on the flat top of a gem; ``table`` has the corners of the top."""
    x = sum(point[0] for point in table) / len(table)
    y = sum(point[1] for point in table) / len(table)
    left = min(table, key=lambda point: point[0] + 0.2 * point[1])
    top = min(table, key=lambda point: point[1] + 0.2 * point[0])
    ends = [(x + 0.62 * (px - x), y + 0.62 * (py - y)) for px, py in (left, top)]
    path = "M" + "L".join(f"{number_text(px)} {number_text(py)}" for px, py in ends)
    return Shape(path, "", "glint", 5)


def _round_facets(radius: float, inner: float, count: int) -> list[Shape]:
    sides: dict[str, list[str]] = {"light": [], "shade": []}
    n = number_text
    for i in range(count):
        start, end = -90 + 360 * (i - 0.5) / count, -90 + 360 * (i + 0.5) / count
        (ax, ay), (bx, by) = on_circle(50, 50, radius, start), on_circle(50, 50, radius, end)
        (cx, cy), (dx, dy) = on_circle(50, 50, inner, end), on_circle(50, 50, inner, start)
        mx, my = on_circle(0, 0, 1, (start + end) / 2)
        side = "light" if 0.5 * mx + 0.86 * my < 0 else "shade"
        sides[side].append(
            f"M{n(ax)} {n(ay)}A{n(radius)} {n(radius)} 0 0 1 {n(bx)} {n(by)}"
            f"L{n(cx)} {n(cy)}L{n(dx)} {n(dy)}Z"
        )
    return [Shape("".join(paths), role) for role, paths in sides.items()]


def _round_gem() -> tuple[Shape, ...]:
    table = regular(8, 50, 50, 24, -67.5)
    return (
        Shape(circle(50, 50, 43), "solid", "line", OUTLINE_WIDTH),
        *_round_facets(43, 24, 8),
        _glint(table),
    )


def _ring_gem() -> tuple[Shape, ...]:
    return (
        Shape(circle(50, 50, 31), "", "line", 35),
        Shape(circle(50, 50, 31), "", "solid", 26),
        *_round_facets(44, 31, 8),
    )


def _star_gem() -> tuple[Shape, ...]:
    points = corners("star", 50, 52, 40)
    sides: dict[str, list[str]] = {"light": [], "shade": []}
    for i, point in enumerate(points):
        side = "light" if i % 2 else "shade"
        sides[side].append(polygon([point, points[(i + 1) % 10], (50, 52)]))
    return (
        Shape(polygon(points), "solid", "line", OUTLINE_WIDTH),
        *(Shape("".join(paths), role) for role, paths in sides.items()),
    )
