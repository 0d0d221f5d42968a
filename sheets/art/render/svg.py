"""SVG output of a page, exactly as it is printed.

Texts become outlines, so that the browser needs no font. Colours are presentation attributes, so
that a strict Content-Security-Policy holds.
"""

from __future__ import annotations

from html import escape

from sheets.art.palette import Palette
from sheets.art.path_compression import short_path
from sheets.art.render.fonts import outline, typeset
from sheets.art.render.items import DrawnPage, Item, PathItem, Stamp, TextLine
from sheets.art.shapes import Shape
from sheets.art.text_shaping import EM, shape_text


def draw_svg(page: DrawnPage, label: str) -> str:
    """Return the page as one ``<svg>`` in millimetres; ``label`` is its accessible name."""
    return _Drawing(page).text(label)


class _Drawing:
    """An SVG under construction; it defines each repeated drawing and letter once."""

    def __init__(self, page: DrawnPage) -> None:
        self._page = page
        self._definitions: dict[tuple[object, ...], tuple[str, str]] = {}

    def text(self, label: str) -> str:
        body = "".join(
            f'<g transform="translate({_n(x_mm)} 0)">{"".join(map(self._item, part.items))}</g>'
            for part, x_mm in self._page.parts
        )
        width, height = _n(self._page.width_mm), _n(self._page.height_mm)
        definitions = "".join(text for _id, text in self._definitions.values())
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
            f'width="{width}mm" height="{height}mm" role="img" aria-label="{escape(label)}" '
            f'stroke-linecap="round" stroke-linejoin="round"><defs>{definitions}</defs>'
            f'<rect width="{width}" height="{height}" fill="#ffffff"/>{body}</svg>'
        )

    def _item(self, item: Item) -> str:
        match item:
            case Stamp():
                return self._stamp(item)
            case PathItem():
                place = f"translate({_n(item.x)} {_n(item.y)})scale({_n(item.scale, 5)})"
                return f'<g transform="{place}">{self._shape(item.shape, item.group)}</g>'
            case TextLine():
                return self._text_line(item)

    def _define(self, key: tuple[object, ...], content: str) -> str:
        if key not in self._definitions:
            id = f"d{len(self._definitions)}"
            self._definitions[key] = (id, f'<g id="{id}">{content}</g>')
        return self._definitions[key][0]

    def _stamp(self, item: Stamp) -> str:
        content = "".join(self._shape(shape, item.group) for shape in item.shapes)
        id = self._define((item.id, item.shapes), content)
        place = f"translate({_n(item.x)} {_n(item.y)})scale({_n(item.size / 100, 5)})"
        return f'<use href="#{id}" transform="{place}"/>'

    def _shape(self, shape: Shape, group: str) -> str:
        palette: Palette = self._page.palette
        path = short_path(shape.path)
        text = ""
        if shape.stroke:
            colour = palette.colour(shape.stroke, group)
            text += (
                f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="{_n(shape.width)}"/>'
            )
        if shape.fill:
            text += f'<path d="{path}" fill="{palette.colour(shape.fill, group)}"/>'
        return text

    def _text_line(self, words: TextLine) -> str:
        font, text, x = typeset(words)
        if not font.is_plain(text):
            place = f"translate({_n(x)} {_n(words.y)})scale({_n(words.size / EM, 5)})"
            colour = self._page.palette.colour(words.role, words.group)
            path = shape_text(text, bold=words.bold).path
            return f'<path d="{path}" transform="{place}" fill="{colour}"/>'
        if len(text) == 1:
            return self._letter(text, x, words)
        at, uses = 0.0, ""
        for character in text:
            path = outline(character, words.bold)
            if path:
                id = self._outline(character, path, words.bold)
                uses += f'<use href="#{id}" x="{_n(at)}"/>'
            at += font.width(character) * EM
        colour = self._page.palette.colour(words.role, words.group)
        place = f"translate({_n(x)} {_n(words.y)})scale({_n(words.size / EM, 5)})"
        return f'<g transform="{place}" fill="{colour}">{uses}</g>'

    def _letter(self, character: str, x: float, words: TextLine) -> str:
        id = self._outline(character, outline(character, words.bold), words.bold)
        colour = self._page.palette.colour(words.role, words.group)
        place = f"translate({_n(x)} {_n(words.y)})scale({_n(words.size / EM, 5)})"
        return f'<use href="#{id}" fill="{colour}" transform="{place}"/>'

    def _outline(self, character: str, path: str, bold: bool) -> str:
        return self._define((character, bold), f'<path d="{path}"/>')


def _n(value: float, digits: int = 2) -> str:
    text = f"{value:.{digits}f}".rstrip("0").rstrip(".") if digits else f"{value:.0f}"
    return "0" if text in ("-0", "") else text
