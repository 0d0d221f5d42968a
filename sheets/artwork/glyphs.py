"""What do the numbers look like? The same outlines on screen, in the picture and on paper."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from fontTools.pens.transformPen import TransformPen
from fontTools.ttLib import TTFont

from sheets.artwork.short_path import ShortPathPen

FONTS = Path(__file__).parent / "fonts"
BOLD = FONTS / "Nunito-ExtraBold.ttf"
REGULAR = FONTS / "Nunito-SemiBold.ttf"
CHARACTERS = "0123456789−+·"
"""What arrows, badges and fields may say; drawn from the bold font."""

DIGIT_HEIGHT = 0.716
"""Height of a digit as a share of the font size."""


class Glyph(NamedTuple):
    """An outline at a font size of 100 with its baseline at y = 0, and its advance width."""

    path: str
    advance: float


@lru_cache(maxsize=1)
def glyphs() -> dict[str, Glyph]:
    """The outlines of `CHARACTERS`."""
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
    """The width of a text of `CHARACTERS` at a font size."""
    return sum(glyphs()[character].advance for character in text) * size / 100
