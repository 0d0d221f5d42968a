"""How wide are words in the two fonts of the sheets?"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from threading import Lock
from typing import Final

from fontTools.pens.basePen import AbstractPen
from fontTools.pens.boundsPen import BoundsPen
from fontTools.ttLib import TTFont

from sheets.artwork.glyphs import BOLD, REGULAR
from sheets.people.names import CLUSTERS

CAPITAL_HEIGHT: Final = 0.705
"""Height of a capital letter as a share of the font size."""

MISSING: Final = "?"
"""Stands for characters the fonts do not have."""

MOST_MISSING: Final = 2
"""So many letters may be missing in a name that still is one."""


class Face:
    """One of the fonts: its character widths, for a font size of 1."""

    def __init__(self, bold: bool) -> None:
        self.path = BOLD if bold else REGULAR
        self.font = TTFont(self.path, lazy=True)
        self.outlines = self.font.getGlyphSet()
        self._drawing = Lock()
        self._per_em = self.font["head"].unitsPerEm
        self._names = self.font.getBestCmap()
        self._advances = self.font["hmtx"].metrics
        self._widths: dict[str, float] = {}

    def printable(self, text: str) -> str:
        """The text with every character the font lacks replaced, and without marks it lacks."""
        clusters = CLUSTERS.findall(text)
        return "".join(
            "".join(filter(self.has, c)) if self.has(c[0]) else MISSING for c in clusters
        )

    def has(self, character: str) -> bool:
        """Whether the font can draw a character."""
        return ord(character) in self._names

    def is_legible(self, name: str) -> bool:
        """Whether people would know a name in what the font can draw of it."""
        letters = [c[0] for c in CLUSTERS.findall(name) if not (c.isspace() or c.isdecimal())]
        missing = sum(not self.has(letter) for letter in letters)
        return missing <= min(MOST_MISSING, len(letters) / 2)

    def width(self, text: str) -> float:
        """The width of a text."""
        widths = self._widths
        try:
            return sum([widths[c] for c in text])
        except KeyError:
            for c in text:
                widths[c] = self._advances[self.glyph_name(c)][0] / self._per_em
            return sum(widths[c] for c in text)

    def glyph_name(self, character: str) -> str:
        """The name of a character's glyph."""
        return str(self._names.get(ord(character)) or self._names[ord(MISSING)])

    def extent(self, text: str) -> tuple[float, float, float, float]:
        """What the text's outlines fill from its start on its baseline, y counting upwards."""
        left, low, right, high, at = 0.0, 0.0, 0.0, 0.0, 0.0
        for i, character in enumerate(text):
            if box := self._bounds(character):
                left = at + box[0] if i == 0 else left
                low, high, right = min(low, box[1]), max(high, box[3]), at + box[2]
            at += self.width(character)
        return left, low, right, high

    def draw(self, character: str, pen: AbstractPen) -> None:
        """Draw a character's outline with a pen, in the font's own units.

        The font unpacks a glyph when it is first drawn, and several pages may ask at once.
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


@lru_cache(maxsize=2)
def face(bold: bool) -> Face:
    """The bold or the regular font."""
    return Face(bold)


def fit(text: str, size: float, room: float, *, bold: bool = False, least: float = 0.6) -> float:
    """The font size at which a text fits the room, not below a share of the wanted size."""
    width = face(bold).width(text) * size
    return size if width <= room else max(size * least, size * room / width)


def cut(text: str, size: float, room: float, *, bold: bool = False) -> str:
    """As much of a text as fits, with an ellipsis where something is missing."""
    measure = face(bold).width
    text = face(bold).printable(text)
    if measure(text) * size <= room + 1e-6:
        return text
    while text and measure(text + "…") * size > room:
        text = text[:-1].rstrip()
    return text + "…"


def wrap(text: str, size: float, room: float, *, bold: bool = False) -> Iterator[str]:
    """The lines of a text broken between words."""
    measure = face(bold).width
    line = ""
    for word in text.split():
        longer = f"{line} {word}".strip()
        if line and measure(longer) * size > room:
            yield line
            longer = word
        line = longer
    if line:
        yield line
