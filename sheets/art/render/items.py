"""Display list of a printed page (in millimetres) or of a picture (in pixels).

Its items are drawings (stamps), paths and lines of text. Their colours are roles of a palette.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, Literal, NamedTuple

from sheets.art import field_contents
from sheets.art.drawings import drawing
from sheets.art.glyphs import glyphs
from sheets.art.palette import Palette
from sheets.art.shapes import Point, Shape

POINT_MM: Final = 25.4 / 72
"""Millimetres in a typographic point."""

HAIRLINE_MM: Final = 0.18
"""Width of the thin lines of a sheet."""

LINE_MM: Final = 0.25
"""Width of the other lines of a sheet, such as the border of a field."""

_UNIT: Final = 0.001
"""Length of one unit in the paths of this module, small enough for integer coordinates."""


class Stamp(NamedTuple):
    """A drawing on a page: its box of 100 × 100 is scaled to the side ``size``.

    ``x`` and ``y`` are the top left. Stamps with the same ``id`` are the same drawing, so that a
    file contains it once. ``says`` is what a screen reader reads, if the drawing stands for a word.
    """

    id: str
    group: str
    shapes: tuple[Shape, ...]
    x: float
    y: float
    size: float
    says: str = ""


class WritingArea(NamedTuple):
    """A box in which players write on a sheet; photo reading crops it.

    ``path`` has the keys of the box in the geometry document (`sheets.printing.geometry_document`):
    ``("name",)``, ``("scores", "gems")``, ``("numbers", "flag-red", "10")``. ``box`` is x, y, width
    and height.
    """

    path: tuple[str, ...]
    box: tuple[float, float, float, float]


class PathItem(NamedTuple):
    """A path that is not reused, unlike the drawing of a `Stamp`.

    ``x`` and ``y`` are the position of its origin, ``scale`` is the length of its unit. ``area`` is
    the writing area whose border the path draws, if any.
    """

    shape: Shape
    x: float
    y: float
    scale: float
    group: str = ""
    area: WritingArea | None = None


class TextLine(NamedTuple):
    """A line of text with its baseline at ``y``; ``anchor`` is the part of it that is at ``x``."""

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


Item = Stamp | PathItem | TextLine


class Part(NamedTuple):
    """Items that are one element for a screen reader.

    ``tag`` is a structure type of PDF (``H1``, ``P``, ``Figure`` …), or ``Artifact`` for items that
    a screen reader skips. ``alt`` describes a figure. If ``says`` is not empty, a screen reader
    reads it instead of the items.

    ``within`` has the elements around the part as (type, name), from the outermost, such as
    ``("Table", "dice"), ("TR", "2")``. Consecutive parts with the same type and name are in the
    same element.
    """

    tag: str
    items: tuple[Item, ...]
    alt: str = ""
    says: str = ""
    within: tuple[tuple[str, str], ...] = ()


def move(part: Part, x_mm: float, y_mm: float) -> Part:
    """Return a copy of the part with all items moved to the right and down."""
    items = tuple(item._replace(x=item.x + x_mm, y=item.y + y_mm) for item in part.items)
    return part._replace(items=items)


class PlacedPart(NamedTuple):
    """A part on a page; its origin is ``x_mm`` to the right of the page's left edge."""

    part: Part
    x_mm: float


class Bookmark(NamedTuple):
    """An entry of a PDF's outline that leads to the page; ``key`` is unique in the file."""

    key: str
    title: str


class DrawnPage(NamedTuple):
    """A page as a display list, for any of the output formats."""

    width_mm: float
    height_mm: float
    palette: Palette
    parts: tuple[PlacedPart, ...]
    bookmarks: tuple[Bookmark, ...] = ()
    title: str = ""


def stamp(id: str, x: float, y: float, size: float, says: str = "") -> Stamp:
    """Return the drawing with this id; ``says`` is the word it stands for, if any."""
    found = drawing(id)
    return Stamp(id, found.group, found.shapes, x, y, size, says)


def field_item(
    item: field_contents.PlacedDrawing | field_contents.Text,
    corner: Point,
    scale: float,
    group: str = "",
    *,
    role: str = "ink",
    has_halo: bool = False,
) -> Iterator[Item]:
    """Yield the items of a symbol, mark or number on a field.

    Args:
        item: the symbol, mark or number, as placed by `field_contents.compose`.
        corner: top left corner of the field; ``scale`` is a hundredth of its side.
        group: group of the field in the palette.
        role: palette role of a number.
        has_halo: whether to separate a number from the marks below it.
    """
    x, y = corner[0] + item.x * scale, corner[1] + item.y * scale
    if isinstance(item, field_contents.PlacedDrawing):
        yield stamp(item.id, x, y, item.size * scale)
        return
    if has_halo and item.halo:
        for character, at in field_contents.glyph_places(item):
            outline = Shape(glyphs()[character].path, "", item.halo, field_contents.HALO_WIDTH)
            yield PathItem(outline, corner[0] + at * scale, y, item.size / 100 * scale, group)
    yield TextLine(item.text, x, y, item.size * scale, True, role, "middle", group)


def line(start: Point, end: Point, width: float = HAIRLINE_MM, role: str = "line") -> PathItem:
    """Return a straight line."""
    return polyline([start, end], width, role)


def polyline(points: Sequence[Point], width: float, role: str) -> PathItem:
    """Return an open line through points."""
    return PathItem(Shape(_path(points), "", role, width / _UNIT), 0, 0, _UNIT)


def polygon(points: Sequence[Point], role: str) -> PathItem:
    """Return a filled polygon."""
    return PathItem(Shape(_path(points) + "Z", role), 0, 0, _UNIT)


def cells(
    boxes: Sequence[tuple[int, int, int, int]], corner: Point, side_mm: float, role: str
) -> PathItem:
    """Return one path with filled rectangles on a grid of square cells.

    Args:
        boxes: x, y, width and height of each rectangle, in cells.
        corner: top left corner of the grid.
        side_mm: side of a cell.
        role: palette role of the rectangles.
    """
    path = ""
    for x, y, width, height in boxes:
        path += f"M{x} {y}H{x + width}V{y + height}H{x}Z"
    return PathItem(Shape(path, role), *corner, side_mm)


def panel(
    box: tuple[float, float, float, float],
    radius: float,
    *,
    fill: str = "",
    stroke: str = "",
    width: float = LINE_MM,
    area_path: tuple[str, ...] = (),
) -> PathItem:
    """Return a rectangle with round corners; the centre line of its border is on the box.

    With an ``area_path``, the box is also a `WritingArea` with this path.
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
    return PathItem(shape, 0, 0, _UNIT, area=WritingArea(area_path, box) if area_path else None)


def disc(middle: Point, radius: float, *, fill: str = "", stroke: str = "",
         width: float = HAIRLINE_MM, area_path: tuple[str, ...] = ()) -> PathItem:  # fmt: skip
    """Return a circle; with an ``area_path``, its box is also a `WritingArea` with this path."""
    box = (middle[0] - radius, middle[1] - radius, 2 * radius, 2 * radius)
    return panel(box, radius, fill=fill, stroke=stroke, width=width, area_path=area_path)


def _path(points: Sequence[Point]) -> str:
    return "M" + "L".join(f"{_n(x)} {_n(y)}" for x, y in points)


def _n(value: float) -> str:
    return str(round(value / _UNIT))
