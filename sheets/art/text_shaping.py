"""Text shaping for scripts that Nunito lacks, with the Noto fonts.

Names are written in all scripts. HarfBuzz joins and places their letters, and the Unicode
bidirectional algorithm finds the parts that are read from right to left. The result is outlines,
so that page, preview and picture are the same.
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

from sheets.art.glyphs import BOLD, FONT_FOLDER, REGULAR
from sheets.art.shapes import number_text

EM: Final = 100
"""Font size of all outlines."""

CLUSTERS: Final = regex.compile(r"\X")
"""Pattern of a grapheme cluster: a letter with its marks."""

JOINERS: Final = "\N{ZERO WIDTH NON-JOINER}\N{ZERO WIDTH JOINER}"
"""Invisible characters that control whether letters are joined."""

_SHAPING_LOCK: Final = Lock()
"""Lock around HarfBuzz's fonts, which are not thread-safe."""

Bounds = tuple[float, float, float, float]
"""Left, bottom, right and top of outlines; y counts upwards from the baseline."""


class Lettering(NamedTuple):
    """Shaped line of text at a font size of `EM`, its start at x = 0 and its baseline at y = 0.

    ``glyphs`` are the outlines as path data, y downwards; ``bounds`` is their bounding box.
    """

    glyphs: tuple[str, ...]
    advance: float
    bounds: Bounds

    @property
    def path(self) -> str:
        """Path data of all outlines."""
        return "".join(self.glyphs)


class _Run(NamedTuple):
    """Consecutive characters with the same font and bidi level; even levels run left to right."""

    font: Path
    level: int
    text: str


def drawable_text(text: str, *, bold: bool = True) -> str:
    """Return the text in NFC, without characters that no font has.

    >>> drawable_text("Mu\\u0308ller \\N{GAME DIE}")
    'Müller'
    """
    composed, kept, is_drawn = normalize("NFC", text), "", False
    for character in composed:
        if _joins(character):
            is_kept = is_drawn and (character in JOINERS or bool(_font_of(character, bold)))
        else:
            is_kept = is_drawn = bool(_font_of(character, bold))
        kept += character if is_kept else ""
    return kept if kept == composed else " ".join(kept.split())


def is_plain(text: str, *, bold: bool) -> bool:
    """Return whether Nunito has all characters of a text and none of them needs shaping."""
    return _plain(BOLD if bold else REGULAR).issuperset(text)


def cut_to_fit(text: str, fits: Callable[[str], bool]) -> str:
    """Return the longest start of a text that fits, with an ellipsis if something is missing."""
    if fits(text):
        return text
    clusters = CLUSTERS.findall(text)

    def beginning(count: int) -> str:
        return "".join(clusters[:count]).rstrip() + "…"

    # A longer text is never narrower, so a binary search finds the length.
    too_many = bisect_left(range(1, len(clusters)), True, key=lambda n: not fits(beginning(n)))
    return beginning(too_many)


@lru_cache(maxsize=256)
def shape_text(text: str, *, bold: bool = True) -> Lettering:
    """Return the outlines of a line of text, without characters that no font has."""
    glyphs: list[str] = []
    bounds: list[Bounds] = []
    at = 0.0
    with _SHAPING_LOCK:
        for run in _in_visual_order(tuple(_runs(drawable_text(text, bold=bold), bold))):
            font = _harfbuzz_font(run.font)
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
    """Return whether a character belongs to the previous one: an accent, vowel sign or joiner."""
    return category(character) in ("Mn", "Mc", "Me", "Cf")


@lru_cache(maxsize=1)
def _noto() -> tuple[Path, ...]:
    """Return the fallback fonts, smallest first, so that the large East Asian one is last."""
    return tuple(
        sorted((FONT_FOLDER / "noto").glob("*.[ot]tf"), key=lambda path: path.stat().st_size)
    )


@lru_cache(maxsize=32)
def _harfbuzz_font(font: Path) -> uharfbuzz.Font:
    return uharfbuzz.Font(uharfbuzz.Face(uharfbuzz.Blob.from_file_path(font)))


@lru_cache(maxsize=32)
def _characters(font: Path) -> frozenset[int]:
    return frozenset(_harfbuzz_font(font).face.unicodes)


@lru_cache(maxsize=2)
def _plain(font: Path) -> frozenset[str]:
    """Return the characters of a font that need no shaping: all but combining ones and joiners."""
    return frozenset(c for c in map(chr, _characters(font)) if not _joins(c))


@lru_cache(maxsize=1024)
def _font_of(character: str, bold: bool) -> Path | None:
    """Return the first font that has a character, Nunito or a fallback font, or None."""
    fonts = (BOLD if bold else REGULAR, *_noto())
    return next((font for font in fonts if ord(character) in _characters(font)), None)


def _runs(text: str, bold: bool) -> Iterator[_Run]:
    """Yield the text in parts with the same font and bidi level, in logical (reading) order."""
    fonts: list[Path] = []
    default = BOLD if bold else REGULAR
    for character in text:
        previous = fonts[-1] if fonts else default
        keeps_font = _joins(character) and (
            character in JOINERS or ord(character) in _characters(previous)
        )
        fonts.append(previous if keeps_font else _font_of(character, bold) or default)
    parts = zip(fonts, _levels(text), text, strict=True)
    for (font, level), found in groupby(parts, key=lambda part: part[:2]):
        yield _Run(font, level, "".join(character for *_, character in found))


def _levels(text: str) -> list[int]:
    """Return the embedding level of each character (UAX #9); the first letter sets the base."""
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
    for index in range(len(text)):  # joiners have no level of their own
        levels.append(found.get(index, levels[-1] if levels else base))
    return levels


def _in_visual_order(runs: Sequence[_Run]) -> list[_Run]:
    """Return the runs from left to right (rule L2 of UAX #9)."""
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
