"""Outlines and widths of digits and the signs next to them, for screen, pictures and paper.

`sheets.art.render.fonts` does the same for any text, but needs text shaping.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple

from fontTools.pens.transformPen import TransformPen
from fontTools.ttLib import TTFont

from sheets.art.path_compression import ShortPathPen

FONT_FOLDER: Final = Path(__file__).parent / "fonts"
"""Folder with all fonts."""

BOLD: Final = FONT_FOLDER / "Nunito-ExtraBold.ttf"
"""File of the bold font of the sheets."""

REGULAR: Final = FONT_FOLDER / "Nunito-SemiBold.ttf"
"""File of the regular font of the sheets."""

CHARACTERS: Final = "0123456789−+·"
"""All characters of fields, arrows and badges; they are drawn in the bold font."""

DIGIT_HEIGHT: Final = 0.716
"""Height of a digit as a share of the font size."""


class Glyph(NamedTuple):
    """Outline of a character as path data, and its advance width, at a font size of 100.

    The baseline is at y = 0.
    """

    path: str
    advance: float


@lru_cache(maxsize=1)
def glyphs() -> dict[str, Glyph]:
    """Return outline and width of each of the `CHARACTERS`."""
    found = {}
    with TTFont(BOLD) as font:
        scale = 100 / font["head"].unitsPerEm
        names, outlines = font.getBestCmap(), font.getGlyphSet()
        for character in CHARACTERS:
            outline = outlines[names[ord(character)]]
            pen = ShortPathPen()
            outline.draw(TransformPen(pen, (scale, 0, 0, -scale, 0, 0)))
            found[character] = Glyph(pen.path, outline.width * scale)
    return found


def text_width(text: str, size: float) -> float:
    """Return the width of a text of `CHARACTERS` at a font size."""
    return sum(glyphs()[character].advance for character in text) * size / 100
