"""Widths and outlines of text, in the two fonts of the sheets or in fonts of other scripts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from threading import Lock
from typing import Final
from unicodedata import category

from fontTools.pens.basePen import AbstractPen
from fontTools.pens.boundsPen import BoundsPen
from fontTools.pens.transformPen import TransformPen
from fontTools.ttLib import TTFont

from sheets.art.glyphs import BOLD, REGULAR
from sheets.art.path_compression import ShortPathPen
from sheets.art.render.items import TextLine
from sheets.art.text_shaping import EM, cut_to_fit, drawable_text, is_plain, shape_text

CAPITAL_HEIGHT: Final = 0.705
"""Height of a capital letter as a share of the font size."""


class Face:
    """Bold or regular font of the sheets, with fallback fonts for other scripts."""

    def __init__(self, bold: bool) -> None:
        self.is_bold = bold
        self.path = BOLD if bold else REGULAR
        self.font = TTFont(self.path, lazy=True)
        self.outlines = self.font.getGlyphSet()
        self._drawing = Lock()
        self._per_em = self.font["head"].unitsPerEm
        self._names = self.font.getBestCmap()
        self._advances = self.font["hmtx"].metrics
        self._widths: dict[str, float] = {}

    def drawable_text(self, text: str) -> str:
        """Return the text without characters that no font can draw."""
        return text if self.is_plain(text) else drawable_text(text, bold=self.is_bold)

    def is_plain(self, text: str) -> bool:
        """Return whether this font has all characters of a text; `shape_text` draws other texts."""
        return is_plain(text, bold=self.is_bold)

    def width(self, text: str) -> float:
        """Return the width of a text at a font size of 1."""
        widths = self._widths
        try:
            return sum([widths[c] for c in text])
        except KeyError:
            if not self.is_plain(text):
                return shape_text(text, bold=self.is_bold).advance / EM
            for c in text:
                widths[c] = self._advances[self.glyph_name(c)][0] / self._per_em
            return sum(widths[c] for c in text)

    def glyph_name(self, character: str) -> str:
        """Return the name of the glyph of a character."""
        return str(self._names[ord(character)])

    def extent(self, text: str) -> tuple[float, float, float, float]:
        """Return left, bottom, right and top of the outlines of a text at a font size of 1.

        y counts upwards from the baseline.
        """
        if not self.is_plain(text):
            left, low, right, high = shape_text(text, bold=self.is_bold).bounds
            return left / EM, low / EM, right / EM, high / EM
        left, low, right, high, at = 0.0, 0.0, 0.0, 0.0, 0.0
        for i, character in enumerate(text):
            if box := self._bounds(character):
                left = at + box[0] if i == 0 else left
                low, high, right = min(low, box[1]), max(high, box[3]), at + box[2]
            at += self.width(character)
        return left, low, right, high

    def draw(self, character: str, pen: AbstractPen) -> None:
        """Draw the outline of a character with a pen, in the font's own units.

        A lock makes this thread-safe, because the font unpacks a glyph when it is first drawn.
        """
        with self._drawing:
            self.outlines[self.glyph_name(character)].draw(pen)

    @lru_cache(maxsize=512)  # noqa: B019  # there are two faces, for the whole process
    def _bounds(self, character: str) -> tuple[float, float, float, float] | None:
        pen = BoundsPen(self.outlines)
        self.draw(character, pen)
        scale = self._per_em
        box = pen.bounds
        return (box[0] / scale, box[1] / scale, box[2] / scale, box[3] / scale) if box else None


def is_legible(name: str) -> bool:
    """Return whether the fonts have all letters of a name; emoji and signs may be missing.

    >>> is_legible("李小龍"), is_legible("🎲 Zoë 🦄"), is_legible("🦄"), is_legible("𐎠𐎴")
    (True, True, False, False)
    """
    drawn = drawable_text(name)
    return bool(drawn) and all(drawable_text(c) for c in name if category(c).startswith("L"))


@lru_cache(maxsize=2)
def face(bold: bool) -> Face:
    """Return the bold or the regular font."""
    return Face(bold)


@lru_cache(maxsize=512)
def outline(character: str, bold: bool) -> str:
    """Return the outline of a character at a font size of `EM`, its baseline at y = 0."""
    font = face(bold)
    scale = EM / font.font["head"].unitsPerEm
    pen = ShortPathPen(font.outlines, digits=0)
    font.draw(character, TransformPen(pen, (scale, 0, 0, -scale, 0, 0)))
    return pen.path


def typeset(words: TextLine) -> tuple[Face, str, float]:
    """Return the font of a line of text, its drawable text, and the x at which it starts."""
    font = face(words.bold)
    text = font.drawable_text(words.text)
    return font, text, words.x - words.share * font.width(text) * words.size


def fitted_size(
    text: str, size: float, room: float, *, bold: bool = False, min_share: float = 0.6
) -> float:
    """Return the largest font size, up to ``size``, at which a text fits the room.

    It is at least ``min_share`` of ``size``; `truncate` a text that does not fit then.
    """
    width = face(bold).width(text) * size
    return size if width <= room else max(size * min_share, size * room / width)


def truncate(text: str, size: float, room: float, *, bold: bool = False) -> str:
    """Return a text, or its longest start with an ellipsis that fits the room."""
    font = face(bold)
    return cut_to_fit(font.drawable_text(text), lambda text: font.width(text) * size <= room + 1e-6)


def wrap(text: str, size: float, room: float, *, bold: bool = False) -> Iterator[str]:
    """Yield the lines of a text, broken at spaces and line breaks but not at no-break spaces."""
    measure = face(bold).width
    line = ""
    for word in re.findall(r"[^ \n]+", text):
        longer = f"{line} {word}".strip()
        if line and measure(longer) * size > room:
            yield line
            longer = word
        line = longer
    if line:
        yield line
