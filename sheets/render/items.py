"""Display list of a printed page (in millimetres) or of a picture (in pixels).

Its items are stamps, figures and words. Their colours are roles of a palette.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, Literal, NamedTuple

from sheets.artwork import compose
from sheets.artwork.drawings import drawing
from sheets.artwork.glyphs import glyphs
from sheets.artwork.palette import Palette
from sheets.artwork.shapes import Point, Shape

POINT_MM: Final = 25.4 / 72
"""Millimetres in a typographic point."""

HAIRLINE_MM: Final = 0.18
"""Width of the thin lines of a sheet."""

LINE_MM: Final = 0.25
"""Width of the other lines of a sheet, such as the border of a field."""

_UNIT: Final = 0.001
"""Unit of the paths made here, so that whole numbers are precise enough."""


class Stamp(NamedTuple):
    """A drawing in a box of 100 × 100, at ``x``, ``y`` with the side ``size``.

    Stamps with the same ``id`` are the same drawing, so that a file contains it once. ``says`` is
    what a screen reader reads, if the drawing stands for a word.
    """

    id: str
    group: str
    shapes: tuple[Shape, ...]
    x: float
    y: float
    size: float
    says: str = ""


class Room(NamedTuple):
    """A place where players write on a sheet; photo reading crops it.

    ``what`` is its path in the document of the geometry: ``("name",)``, ``("scores", "gems")``,
    ``("numbers", "flag-red", "10")``. ``box`` is x, y, width and height.
    """

    what: tuple[str, ...]
    box: tuple[float, float, float, float]


class Figure(NamedTuple):
    """A path that occurs once: its origin at ``x``, ``y``, the length of its unit is ``scale``.

    ``room`` is the place to write whose border the path is.
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

    @property
    def share(self) -> float:
        """Share of the text that lies to the left of ``x``."""
        return {"start": 0.0, "middle": 0.5, "end": 1.0}[self.anchor]


Item = Stamp | Figure | Words


class Part(NamedTuple):
    """Items that are one element for a screen reader.

    ``tag`` is a structure type of PDF (``H1``, ``P``, ``Figure`` …) or ``Artifact``; ``alt``
    describes a figure. A screen reader reads ``says`` instead of the items.

    ``within`` are the elements around it, from the outermost, each with a name. Consecutive parts
    with the same name are in the same element (`("Table", "dice"), ("TR", "2")`).
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
    """A part on a page, its origin moved to the right by ``x_mm``."""

    part: Part
    x_mm: float


class Bookmark(NamedTuple):
    """An entry of the document's outline."""

    key: str
    title: str


class DrawnPage(NamedTuple):
    """A page for any of the output formats."""

    width_mm: float
    height_mm: float
    palette: Palette
    parts: tuple[Placed, ...]
    bookmarks: tuple[Bookmark, ...] = ()
    title: str = ""


def stamp(id: str, x: float, y: float, size: float, says: str = "") -> Stamp:
    """Return a drawing of the artwork; ``says`` is the word it stands for, if any."""
    found = drawing(id)
    return Stamp(id, found.group, found.shapes, x, y, size, says)


def field_item(
    item: compose.Placed | compose.Text,
    corner: Point,
    scale: float,
    group: str = "",
    *,
    role: str = "ink",
    has_halo: bool = False,
) -> Iterator[Item]:
    """Yield the items of a symbol, mark or number that `compose` has placed on a field.

    Args:
        corner: top left corner of the field; ``scale`` is a hundredth of its side.
        group: group of the field in the palette.
        role: colour of a number.
        has_halo: whether to separate a number from the marks below it.
    """
    x, y = corner[0] + item.x * scale, corner[1] + item.y * scale
    if isinstance(item, compose.Placed):
        yield stamp(item.id, x, y, item.size * scale)
        return
    if has_halo and item.halo:
        for character, at in compose.glyph_places(item):
            outline = Shape(glyphs()[character].path, "", item.halo, compose.HALO_WIDTH)
            yield Figure(outline, corner[0] + at * scale, y, item.size / 100 * scale, group)
    yield Words(item.text, x, y, item.size * scale, True, role, "middle", group)


def line(start: Point, end: Point, width: float = HAIRLINE_MM, role: str = "line") -> Figure:
    """Return a straight line."""
    return polyline([start, end], width, role)


def polyline(points: Sequence[Point], width: float, role: str) -> Figure:
    """Return an open line through points."""
    return Figure(Shape(_path(points), "", role, width / _UNIT), 0, 0, _UNIT)


def polygon(points: Sequence[Point], role: str) -> Figure:
    """Return a filled polygon."""
    return Figure(Shape(_path(points) + "Z", role), 0, 0, _UNIT)


def cells(
    boxes: Sequence[tuple[int, int, int, int]], corner: Point, side_mm: float, role: str
) -> Figure:
    """Return filled rectangles as one figure: x, y, width and height of each, in cells."""
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
    """Return a rectangle with round corners; the middle of its border is on the box.

    With ``what`` players write in it, it is a `Room`.
    """
    x, y, w, h = box
    r = min(radius, w / 2, h / 2)
    k = r * 0.4477  # distance of a quarter circle's control points from the corner
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
    """Return a circle; with ``what`` players mark by it, it is a `Room`."""
    box = (middle[0] - radius, middle[1] - radius, 2 * radius, 2 * radius)
    return panel(box, radius, fill=fill, stroke=stroke, width=width, what=what)


def _path(points: Sequence[Point]) -> str:
    return "M" + "L".join(f"{_n(x)} {_n(y)}" for x, y in points)


def _n(value: float) -> str:
    return str(round(value / _UNIT))
