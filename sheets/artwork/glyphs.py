"""What do the numbers look like? The same outlines on screen, in the picture and on paper."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from fontTools.pens.basePen import BasePen
from fontTools.pens.transformPen import TransformPen
from fontTools.ttLib import TTFont

from sheets.artwork.shapes import Point, number_text

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


class ShortPathPen(BasePen):  # type: ignore[misc]  # fontTools has no types
    """Writes an outline as an SVG path from point to point: shorter than with all coordinates.

    Every page with numbers holds their outlines, and phones wait for them.
    """

    def __init__(self) -> None:
        super().__init__()
        self.path = ""
        self._at: Point = (0.0, 0.0)

    def _write(self, command: str, *points: Point) -> None:
        # From where the path has come to as it is written, or what was rounded would add up.
        rounded = [(round(x, 1), round(y, 1)) for x, y in points]
        x0, y0 = self._at
        steps = " ".join(f"{number_text(x - x0)} {number_text(y - y0)}" for x, y in rounded)
        self.path += command + steps.replace(" -", "-")
        self._at = rounded[-1]

    def _moveTo(self, pt: Point) -> None:
        self._start = (round(pt[0], 1), round(pt[1], 1))
        self._write("m", pt)

    def _lineTo(self, pt: Point) -> None:
        self._write("l", pt)

    def _qCurveToOne(self, pt1: Point, pt2: Point) -> None:
        self._write("q", pt1, pt2)

    def _closePath(self) -> None:
        self.path += "z"
        self._at = self._start


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
