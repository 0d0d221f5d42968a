"""SVG output of a picture inside a page, in the colours of the page's theme.

Drawings and numbers refer to the page's sprite (`sheets.art.svg.sprite`).
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import Final

from sheets.art import svg
from sheets.art.drawings import drawings
from sheets.art.field_contents import PlacedDrawing, Text
from sheets.art.glyphs import CHARACTERS
from sheets.art.render.items import Item, PathItem, Stamp, TextLine
from sheets.art.shapes import Shape, number_text

UNITS_PER_MM: Final = 10
"""Units of the SVG in a millimetre: coordinates have at most one decimal."""


def draw_inline_svg(items: Iterable[Item], width_mm: float, height_mm: float) -> str:
    """Return items as one ``<svg>`` of this size; screen readers skip it."""
    return (
        f'<svg class="art-sheet" viewBox="0 0 {_n(width_mm)} {_n(height_mm)}" '
        f'aria-hidden="true">{"".join(map(_draw, items))}</svg>'
    )


def sprite_ids(items: Iterable[Item]) -> set[str]:
    """Return the ids of all drawings that `draw_inline_svg` refers to."""
    return {item.id for item in items if isinstance(item, Stamp)} & drawings().keys()


def _draw(item: Item) -> str:
    match item:
        case Stamp():
            if item.id in drawings():
                x, y, size = (mm * UNITS_PER_MM for mm in (item.x, item.y, item.size))
                return svg.use(PlacedDrawing(item.id, x, y, size))
            return _shapes(item.shapes, item, item.size / 100)
        case PathItem():
            return _shapes((item.shape,), item, item.scale)
        case TextLine():
            return _text(item)


def _shapes(shapes: Iterable[Shape], item: Stamp | PathItem, scale: float) -> str:
    group = f" g-{item.group}" if item.group else ""
    place = f"translate({_n(item.x)} {_n(item.y)})scale({scale * UNITS_PER_MM:.4g})"
    return f'<g class="art{group}" transform="{place}">{"".join(map(svg.draw_path, shapes))}</g>'


def _text(line: TextLine) -> str:
    """Return a number as outlines, and any other text as ``<text>`` in the font of the page."""
    if line.anchor == "middle" and set(line.text) <= set(CHARACTERS):
        x, y, size = (mm * UNITS_PER_MM for mm in (line.x, line.y, line.size))
        return svg.text(Text(line.text, x, y, size))
    return (
        f'<text class="f-text" x="{_n(line.x)}" y="{_n(line.y)}" font-size="{_n(line.size)}">'
        f"{escape(line.text)}</text>"
    )


def _n(mm: float) -> str:
    return number_text(mm * UNITS_PER_MM)
