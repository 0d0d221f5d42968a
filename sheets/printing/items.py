"""What is a printed page made of? Stamps, figures and words; all lengths in millimetres.

Colours are roles; a page's palette says what they look like.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, NamedTuple

from sheets.artwork.palette import Palette
from sheets.artwork.shapes import Point, Shape

POINT_MM: Final = 25.4 / 72
HAIRLINE_MM: Final = 0.18
LINE_MM: Final = 0.25
"""The two widths of a sheet's lines; a field's border is the second."""

_UNIT: Final = 0.001
"""Paths in millimetres are written in thousandths, so that whole numbers are fine enough."""


class Stamp(NamedTuple):
    """A drawing of `shapes` in a box of 100 × 100, at ``x``, ``y`` with the side ``size``.

    Stamps of one ``id`` are the same drawing, so that a file holds it once. ``says`` is what is
    read aloud in its place, where the drawing stands for a word.
    """

    id: str
    group: str
    shapes: tuple[Shape, ...]
    x: float
    y: float
    size: float
    says: str = ""


class Room(NamedTuple):
    """Where people write on a sheet: `geometry` says it, and whoever reads a photo looks there.

    ``what`` is where it stands in that document: ``("name",)``, ``("scores", "gems")``,
    ``("numbers", "flag-red", "10")``. ``box`` is x, y, width and height.
    """

    what: tuple[str, ...]
    box: tuple[float, float, float, float]


class Figure(NamedTuple):
    """A path that occurs once: ``scale`` millimetres per unit, its origin at ``x``, ``y``.

    ``room`` is where people write, if the path is its border.
    """

    shape: Shape
    x: float
    y: float
    scale: float
    group: str = ""
    room: Room | None = None


class Words(NamedTuple):
    """A line of text with its baseline at ``y``; ``x`` is its start, middle or end."""

    text: str
    x: float
    y: float
    size: float
    bold: bool = False
    role: str = "text"
    anchor: Literal["start", "middle", "end"] = "start"
    group: str = ""


Item = Stamp | Figure | Words


class Part(NamedTuple):
    """Items that belong together for somebody who reads the page by ear.

    ``tag`` is a structure type of PDF (``H1``, ``P``, ``Figure`` …) or ``Artifact``; ``alt`` says
    in words what a figure shows. ``says`` is read aloud in place of all items.

    ``within`` are the elements around it, from the outermost, each with a name: parts in a row
    that have the same are in one (`("Table", "dice"), ("TR", "2")`).
    """

    tag: str
    items: tuple[Item, ...]
    alt: str = ""
    says: str = ""
    within: tuple[tuple[str, str], ...] = ()


def move(part: Part, x_mm: float, y_mm: float) -> Part:
    """Return the part with all its items moved to the right and down."""
    items = tuple(item._replace(x=item.x + x_mm, y=item.y + y_mm) for item in part.items)
    return part._replace(items=items)


class Placed(NamedTuple):
    """A part on a page: its origin is moved to the right by ``x_mm``."""

    part: Part
    x_mm: float


class Bookmark(NamedTuple):
    """An entry of the document's outline."""

    key: str
    title: str


class DrawnPage(NamedTuple):
    """A whole page, ready to be written in some format."""

    width_mm: float
    height_mm: float
    palette: Palette
    parts: tuple[Placed, ...]
    bookmarks: tuple[Bookmark, ...] = ()
    title: str = ""


def line(start: Point, end: Point, width: float = HAIRLINE_MM, role: str = "line") -> Figure:
    """A straight line."""
    return polyline([start, end], width, role)


def polyline(points: Sequence[Point], width: float, role: str) -> Figure:
    """An open line through points."""
    return Figure(Shape(_path(points), "", role, width / _UNIT), 0, 0, _UNIT)


def polygon(points: Sequence[Point], role: str) -> Figure:
    """A filled polygon."""
    return Figure(Shape(_path(points) + "Z", role), 0, 0, _UNIT)


def cells(
    boxes: Sequence[tuple[int, int, int, int]], corner: Point, side_mm: float, role: str
) -> Figure:
    """Filled rectangles, each by x, y, width and height in cells of a side, as one figure."""
    path = ""
    for x, y, width, height in boxes:
        path += f"M{x} {y}H{x + width}V{y + height}H{x}Z"
    return Figure(Shape(path, role), *corner, side_mm)


def panel(
    box: tuple[float, float, float, float],
    radius: float,
    *,
    fill: str = "",
    stroke: str = "",
    width: float = LINE_MM,
    what: tuple[str, ...] = (),
) -> Figure:
    """A rectangle with round corners; its border's middle runs along the box.

    ``what`` is written in it makes it a `Room`.
    """
    x, y, w, h = box
    r = min(radius, w / 2, h / 2)
    k = r * 0.4477  # where a quarter circle's control points lie, from the corner
    right, bottom = x + w, y + h
    path = (
        f"M{_n(x + r)} {_n(y)}H{_n(right - r)}"
        f"C{_n(right - k)} {_n(y)} {_n(right)} {_n(y + k)} {_n(right)} {_n(y + r)}"
        f"V{_n(bottom - r)}"
        f"C{_n(right)} {_n(bottom - k)} {_n(right - k)} {_n(bottom)} {_n(right - r)} {_n(bottom)}"
        f"H{_n(x + r)}"
        f"C{_n(x + k)} {_n(bottom)} {_n(x)} {_n(bottom - k)} {_n(x)} {_n(bottom - r)}"
        f"V{_n(y + r)}C{_n(x)} {_n(y + k)} {_n(x + k)} {_n(y)} {_n(x + r)} {_n(y)}Z"
    )
    shape = Shape(path, fill, stroke, width / _UNIT if stroke else 0)
    return Figure(shape, 0, 0, _UNIT, room=Room(what, box) if what else None)


def disc(middle: Point, radius: float, *, fill: str = "", stroke: str = "",
         width: float = HAIRLINE_MM, what: tuple[str, ...] = ()) -> Figure:  # fmt: skip
    """A circle; ``what`` it is circled or struck for makes it a `Room`."""
    box = (middle[0] - radius, middle[1] - radius, 2 * radius, 2 * radius)
    return panel(box, radius, fill=fill, stroke=stroke, width=width, what=what)


def _path(points: Sequence[Point]) -> str:
    return "M" + "L".join(f"{_n(x)} {_n(y)}" for x, y in points)


def _n(value: float) -> str:
    return str(round(value / _UNIT))
