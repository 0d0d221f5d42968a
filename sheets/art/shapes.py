"""Drawings as vector shapes, and functions that make and transform SVG paths."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any, Final, NamedTuple

from fontTools.misc.transform import Transform
from fontTools.pens.basePen import AbstractPen
from fontTools.pens.boundsPen import BoundsPen
from fontTools.pens.recordingPen import RecordingPen
from fontTools.pens.svgPathPen import SVGPathPen
from fontTools.pens.transformPen import TransformPen
from fontTools.svgLib.path import parse_path

Point = tuple[float, float]
"""A point as x and y; y points down."""

Contour = tuple[tuple[Point, ...], bool]
"""The points of a contour, and whether it is closed."""

Bounds = tuple[float, float, float, float]
"""Left, top, right and bottom edge of a box."""

STEPS_PER_CURVE: Final = 10
"""Number of straight pieces that `flatten` makes of a curve."""


class Shape(NamedTuple):
    """One SVG path; ``fill`` and ``stroke`` are roles of the palette, empty for none.

    The stroke is painted before the fill, so with both only its outer half is visible. All contours
    of a filled path have the same direction, so that overlapping ones unite.
    """

    path: str
    fill: str = ""
    stroke: str = ""
    width: float = 0.0


class Drawing(NamedTuple):
    """A symbol or mark; ``group`` is the palette group that is searched first for its roles."""

    id: str
    group: str
    shapes: tuple[Shape, ...]


def number_text(value: float) -> str:
    """Format a coordinate with at most one decimal.

    >>> number_text(3.04), number_text(-0.5)
    ('3', '-0.5')
    """
    text = f"{value:.1f}"
    return text.removesuffix(".0").replace("-0", "-0" if value <= -0.05 else "0", 1)


@lru_cache(maxsize=2048)
def commands(path: str) -> tuple[tuple[str, tuple[Any, ...]], ...]:
    """Parse a path into pen commands (``moveTo``, ``lineTo``, ``curveTo``, ``qCurveTo``, …)."""
    pen = RecordingPen()
    parse_path(path, pen)
    return tuple(pen.value)


def replay(path: str, pen: AbstractPen) -> None:
    """Draw a path with any fontTools pen."""
    for name, points in commands(path):
        getattr(pen, name)(*points)


@lru_cache(maxsize=2048)
def flatten(path: str) -> tuple[Contour, ...]:
    """Return the contours of a path as polygons; curves become straight pieces."""
    contours: list[Contour] = []
    points: list[Point] = []
    for name, args in commands(path):
        match name:
            case "moveTo":
                points = [args[0]]
            case "lineTo":
                points.append(args[0])
            case "curveTo":
                points += _curve([points[-1], *args])
            case "qCurveTo":
                points += _curve([points[-1], *args])
            case "closePath" | "endPath":
                contours.append((tuple(points), name == "closePath"))
    return tuple(contours)


def _curve(control: list[Point]) -> list[Point]:
    """Return points along a Bézier curve of any degree, without the first one."""
    found = []
    # Complex numbers, because adding them is faster than adding pairs.
    corners = [complex(x, y) for x, y in control]
    for step in range(1, STEPS_PER_CURVE + 1):
        t, points = step / STEPS_PER_CURVE, corners
        while len(points) > 1:
            points = [a + (b - a) * t for a, b in pairwise(points)]
        found.append((points[0].real, points[0].imag))
    return found


def moved(path: str, dx: float = 0, dy: float = 0, *, scale: float = 1, turn: float = 0) -> str:
    """Scale a path, turn it clockwise by ``turn`` degrees about 0,0, then move it."""
    pen = SVGPathPen(None, ntos=number_text)
    matrix = Transform().translate(dx, dy).rotate(math.radians(turn)).scale(scale)
    replay(path, TransformPen(pen, matrix))
    return str(pen.getCommands())


def placed(shapes: Iterable[Shape], dx: float, dy: float, **how: float) -> tuple[Shape, ...]:
    """Return shapes transformed by `moved`, with their stroke widths scaled, too."""
    scale = how.get("scale", 1)
    return tuple(
        shape._replace(path=moved(shape.path, dx, dy, **how), width=round(shape.width * scale, 1))
        for shape in shapes
    )


def circle(x: float, y: float, radius: float) -> str:
    """Return a circle as path data."""
    x1, x2, r, y_ = (number_text(v) for v in (x - radius, x + radius, radius, y))
    return f"M{x1} {y_}A{r} {r} 0 1 1 {x2} {y_}A{r} {r} 0 1 1 {x1} {y_}Z"


def polygon(points: Iterable[Point]) -> str:
    """Return a closed polygon as path data."""
    return "M" + "L".join(f"{number_text(x)} {number_text(y)}" for x, y in points) + "Z"


def on_circle(x: float, y: float, radius: float, degrees: float) -> Point:
    """Return the point of a circle at an angle in degrees, clockwise from the right."""
    angle = math.radians(degrees)
    return x + radius * math.cos(angle), y + radius * math.sin(angle)


def regular(sides: int, x: float, y: float, radius: float, start: float = -90) -> list[Point]:
    """Return the corners of a regular polygon, clockwise from the angle ``start`` in degrees."""
    return [on_circle(x, y, radius, start + 360 * i / sides) for i in range(sides)]


def rectangle(x: float, y: float, width: float, height: float, radius: float = 0) -> str:
    """Return a rectangle with rounded corners as path data."""
    n = number_text
    if not radius:
        return f"M{n(x)} {n(y)}H{n(x + width)}V{n(y + height)}H{n(x)}Z"
    r, x2, y2 = radius, x + width, y + height
    arc = f"A{n(r)} {n(r)} 0 0 1"
    return (
        f"M{n(x + r)} {n(y)}H{n(x2 - r)}{arc} {n(x2)} {n(y + r)}V{n(y2 - r)}"
        f"{arc} {n(x2 - r)} {n(y2)}H{n(x + r)}{arc} {n(x)} {n(y2 - r)}V{n(y + r)}"
        f"{arc} {n(x + r)} {n(y)}Z"
    )


def bounds(shapes: Sequence[Shape]) -> Bounds:
    """Return the bounding box of shapes with their strokes."""
    boxes = []
    for shape in shapes:
        pen = BoundsPen(None)
        replay(shape.path, pen)
        assert pen.bounds is not None, shape.path  # noqa: S101  # an empty path draws nothing
        half = shape.width / 2 if shape.stroke else 0
        left, top, right, bottom = pen.bounds
        boxes.append((left - half, top - half, right + half, bottom + half))
    return (
        min(box[0] for box in boxes),
        min(box[1] for box in boxes),
        max(box[2] for box in boxes),
        max(box[3] for box in boxes),
    )
