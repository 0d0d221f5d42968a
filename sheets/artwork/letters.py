"""How is a text drawn for which Nunito lacks letters? In Noto, shaped as its script wants it.

Names are written in all scripts. HarfBuzz joins and places their letters, and the Unicode
bidirectional algorithm says which parts are read from right to left. The result is outlines, so
that page, preview and picture show the same.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from threading import Lock
from typing import Final, NamedTuple
from unicodedata import category, normalize

import regex
import uharfbuzz
from bidi import algorithm as bidi
from fontTools.pens.boundsPen import BoundsPen
from fontTools.pens.svgPathPen import SVGPathPen
from fontTools.pens.transformPen import TransformPen

from sheets.artwork.glyphs import BOLD, FONTS, REGULAR
from sheets.artwork.shapes import number_text

EM: Final = 100
"""The font size of all outlines."""

CLUSTERS: Final = regex.compile(r"\X")
"""What people take for one character: a letter with its marks."""

JOINERS: Final = "\N{ZERO WIDTH NON-JOINER}\N{ZERO WIDTH JOINER}"
"""They are not seen, but say which letters are joined."""

_DRAWING: Final = Lock()
"""HarfBuzz's fonts belong to one thread at a time."""

Bounds = tuple[float, float, float, float]
"""Left, low, right, high; y counts upwards from the baseline."""


class Lettering(NamedTuple):
    """A line of text at a font size of `EM`, its start at x = 0 and its baseline at y = 0.

    ``glyphs`` are the outlines as path data, y downwards; ``bounds`` is what they fill.
    """

    glyphs: tuple[str, ...]
    advance: float
    bounds: Bounds

    @property
    def path(self) -> str:
        """All outlines as one path."""
        return "".join(self.glyphs)


class _Run(NamedTuple):
    """Characters in a row of one font and of one level: even ones run from left to right."""

    font: Path
    level: int
    text: str


def drawable(text: str, *, bold: bool = True) -> str:
    """The text with accents on their letters, without characters that no font can draw.

    >>> drawable("Mu\\u0308ller \\N{GAME DIE}")
    'Müller'
    """
    whole, kept, is_drawn = normalize("NFC", text), "", False
    for character in whole:
        if _joins(character):
            is_kept = is_drawn and (character in JOINERS or bool(_font_of(character, bold)))
        else:
            is_kept = is_drawn = bool(_font_of(character, bold))
        kept += character if is_kept else ""
    return kept if kept == whole else " ".join(kept.split())


def is_plain(text: str, *, bold: bool) -> bool:
    """Whether the letters of Nunito, one beside the other, are the whole text."""
    return _plain(BOLD if bold else REGULAR).issuperset(text)


def cut_to_fit(text: str, fits: Callable[[str], bool]) -> str:
    """As much of a text as fits, with an ellipsis where something is missing."""
    if fits(text):
        return text
    clusters = CLUSTERS.findall(text)

    def beginning(count: int) -> str:
        return "".join(clusters[:count]).rstrip() + "…"

    # More letters are never narrower, so few lengths have to be tried.
    too_many = bisect_left(range(1, len(clusters)), True, key=lambda n: not fits(beginning(n)))
    return beginning(too_many)


@lru_cache(maxsize=256)
def letter(text: str, *, bold: bool = True) -> Lettering:
    """The outlines of a line of text; what no font can draw is left out."""
    glyphs: list[str] = []
    bounds: list[Bounds] = []
    at = 0.0
    with _DRAWING:
        for run in _in_visual_order(tuple(_runs(drawable(text, bold=bold), bold))):
            font = _shaping(run.font)
            buffer = uharfbuzz.Buffer()
            buffer.add_str(run.text)
            buffer.guess_segment_properties()
            buffer.direction = "rtl" if run.level % 2 else "ltr"
            uharfbuzz.shape(font, buffer)
            unit = EM / font.face.upem
            for info, place in zip(buffer.glyph_infos, buffer.glyph_positions, strict=True):
                x, y = at + place.x_offset * unit, place.y_offset * unit
                pen = SVGPathPen(None, ntos=lambda value: number_text(round(value, 1)))
                font.draw_glyph_with_pen(
                    info.codepoint, TransformPen(pen, (unit, 0, 0, -unit, x, -y))
                )
                if path := pen.getCommands():
                    glyphs.append(path)
                    box = BoundsPen(None)
                    font.draw_glyph_with_pen(
                        info.codepoint, TransformPen(box, (unit, 0, 0, unit, x, y))
                    )
                    bounds.append(box.bounds)
                at += place.x_advance * unit
    left, low, right, high = zip(*bounds, strict=True) if bounds else ((0.0,),) * 4
    return Lettering(tuple(glyphs), at, (min(left), min(low), max(right), max(high)))


def _joins(character: str) -> bool:
    """Whether a character belongs to the one before it: an accent, a vowel sign, a joiner."""
    return category(character) in ("Mn", "Mc", "Me", "Cf")


@lru_cache(maxsize=1)
def _noto() -> tuple[Path, ...]:
    """The other fonts; the largest, for East Asia, is asked last."""
    return tuple(sorted((FONTS / "noto").glob("*.[ot]tf"), key=lambda path: path.stat().st_size))


@lru_cache(maxsize=32)
def _shaping(font: Path) -> uharfbuzz.Font:
    return uharfbuzz.Font(uharfbuzz.Face(uharfbuzz.Blob.from_file_path(font)))


@lru_cache(maxsize=32)
def _characters(font: Path) -> frozenset[int]:
    return frozenset(_shaping(font).face.unicodes)


@lru_cache(maxsize=2)
def _plain(font: Path) -> frozenset[str]:
    """The characters of a font that stand for themselves."""
    return frozenset(c for c in map(chr, _characters(font)) if not _joins(c))


@lru_cache(maxsize=1024)
def _font_of(character: str, bold: bool) -> Path | None:
    """The first font that has a character; None if there is none."""
    fonts = (BOLD if bold else REGULAR, *_noto())
    return next((font for font in fonts if ord(character) in _characters(font)), None)


def _runs(text: str, bold: bool) -> Iterator[_Run]:
    """The text in parts of one font and direction, in the order in which it is read."""
    fonts: list[Path] = []
    usual = BOLD if bold else REGULAR
    for character in text:
        before = fonts[-1] if fonts else usual
        is_theirs = _joins(character) and (
            character in JOINERS or ord(character) in _characters(before)
        )
        fonts.append(before if is_theirs else _font_of(character, bold) or usual)
    parts = zip(fonts, _levels(text), text, strict=True)
    for (font, level), found in groupby(parts, key=lambda part: part[:2]):
        yield _Run(font, level, "".join(character for *_, character in found))


def _levels(text: str) -> list[int]:
    """The embedding level of each character (Unicode's annex 9); the first letter sets the base."""
    base = bidi.get_base_level(text)
    storage = bidi.get_empty_storage()
    storage["base_level"], storage["base_dir"] = base, "LR"[base]
    bidi.get_embedding_levels(text, storage)
    for index, character in enumerate(storage["chars"]):
        character["index"] = index
    bidi.explicit_embed_and_overrides(storage)
    bidi.resolve_weak_types(storage)
    bidi.resolve_neutral_types(storage, False)
    bidi.resolve_implicit_levels(storage, False)
    found = {character["index"]: int(character["level"]) for character in storage["chars"]}
    levels: list[int] = []
    for index in range(len(text)):  # joiners have none of their own
        levels.append(found.get(index, levels[-1] if levels else base))
    return levels


def _in_visual_order(runs: Sequence[_Run]) -> list[_Run]:
    """The runs from left to right (rule L2)."""
    ordered = list(runs)
    for least in range(max((run.level for run in runs), default=0), 0, -1):
        start = 0
        while start < len(ordered):
            end = start
            while end < len(ordered) and ordered[end].level >= least:
                end += 1
            ordered[start:end] = reversed(ordered[start:end])
            start = end + 1
    return ordered
