"""What do the symbols of a level mean, in as few words as possible?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from sheets.artwork.layout import number
from sheets.geometry import Frame
from sheets.printing.grid import stamp
from sheets.printing.items import Item, Words
from sheets.printing.type import face
from sheets.rules.level import Level
from sheets.words import in_language

MAX_LINE_MM, LEAST_LINE_MM = 6.4, 5.1

Pairs = tuple[tuple[str, str], ...]
"""Ids of drawings, each with the points that stand beside it."""


class Entry(NamedTuple):
    """Drawings, each with its points (or none), what is said about them, and what that is about."""

    drawings: Pairs
    words: str
    objects: Pairs = ()


def entries(level: Level) -> Iterator[Entry]:
    """The legend of exactly the symbols a level has."""
    colours = level.by_colour
    yield from _coloured(level, "gem", level.gem_points, _("each"))
    yield from _coloured(level, "puzzle", level.puzzle_points, _("for all of a colour"))
    if any(line.kind != "fields" for line in level.lines):
        yield Entry((("sign-line", ""),), _("full row or column"))
    if level.areas:
        yield Entry((("sign-area", ""),), _("full area"))
    for colour in colours["flag"]:
        track = "·".join(map(number, level.flag_tracks[colour]))
        yield Entry(((f"flag-{colour}", track),), _own(level, f"flag {colour}", ""))
    locked = [colour for colour in colours["key"] if colour in colours["lock"]]
    if locked:
        keys = tuple((f"key-{colour}", "") for colour in locked)
        locks = tuple((f"lock-{colour}", "") for colour in locked)
        yield Entry(keys, pgettext("a key … a lock", "opens"), locks)
    yield from _things(level)


def _things(level: Level) -> Iterator[Entry]:
    there = level.by_symbol
    if there["bomb"]:
        yield Entry((("bomb", number(level.bomb_points)),), _("when exploded"))
    if there["heap"]:
        yield Entry((("heap", number(level.heap_points)),), _("each"))
    if there["rocket"]:
        yield Entry(
            (("rocket", ""),), pgettext("a rocket … a planet", "crosses"), (("planet", ""),)
        )
    if there["rocket-planet"]:
        yield Entry((("rocket-planet", ""),), _("crosses a planet"))
    if there["volcano"]:
        yield Entry((("volcano", ""),), _("spreads lava"))
    if level.rails:
        yield Entry(
            (("track-EW-print", "1"), ("track-ES-print", "2·3")), _("open · loop · longest")
        )
    if there["stop"]:
        yield Entry((("stop", number(level.stop_points)),), _("on a loop"))


def _coloured(level: Level, symbol: str, points: Mapping[str, int], words: str) -> Iterator[Entry]:
    """One entry for all colours, or one for each where a colour has a word of its own."""
    colours = sorted(level.by_colour[symbol], key=lambda colour: (points[colour], colour))
    pairs = tuple((f"{symbol}-{colour}", number(points[colour])) for colour in colours)
    if any(f"{symbol} {colour}" in level.labels for colour in colours):
        for colour, pair in zip(colours, pairs, strict=True):
            yield Entry((pair,), _own(level, f"{symbol} {colour}", words))
    elif pairs:
        yield Entry(pairs, _own(level, symbol, words))


def _own(level: Level, label: str, words: str) -> str:
    return in_language(level.labels[label]) if label in level.labels else words


def draw_legend(level: Level, frame: Frame) -> Iterator[Item]:
    """The entries, as many in a line as fit."""
    box, scale = frame.legend, frame.text_scale
    found = list(entries(level))
    size = min(1.0, box.width / max(_width(entry, scale) for entry in found)) if found else 1.0
    lines = list(_flow(found, box.width, scale * size))
    while len(lines) * LEAST_LINE_MM * scale * size > box.height and size > 0.4:
        size -= 0.04
        lines = list(_flow(found, box.width, scale * size))
    step = min(MAX_LINE_MM * scale * size, box.height / max(len(lines), 1))
    for i, entries_in_line in enumerate(lines):
        y = box.y + step * (i + 0.5)
        for x, entry in entries_in_line:
            yield from _draw(entry, box.x + x, y, scale * size)


def _flow(found: list[Entry], room: float, scale: float) -> Iterator[list[tuple[float, Entry]]]:
    line: list[tuple[float, Entry]] = []
    x = 0.0
    for entry in found:
        width = _width(entry, scale)
        if line and x + width > room:
            yield line
            line, x = [], 0.0
        line.append((x, entry))
        x += width + 3.4 * scale
    if line:
        yield line


ICON, PAIR_GAP, TEXT, POINTS, POINTS_GAP = 4.4, 1.3, 2.5, 3.2, 0.7
"""Sizes in millimetres, on a5."""


def _width(entry: Entry, scale: float) -> float:
    words = face(False).width(entry.words) * TEXT
    if not entry.objects:
        return scale * (_pairs_width(entry.drawings) + (words or -PAIR_GAP))
    pairs = _pairs_width(entry.drawings) + _pairs_width(entry.objects)
    return scale * (pairs + words)


def _pairs_width(drawings: Pairs) -> float:
    """The width of drawings with their points, and of the gap behind each."""
    return sum(
        ICON + PAIR_GAP + (POINTS_GAP + face(True).width(text) * POINTS if text else 0)
        for _drawing, text in drawings
    )


def _draw(entry: Entry, x: float, y: float, scale: float) -> Iterator[Item]:
    yield from _draw_pairs(entry.drawings, x, y, scale)
    x += _pairs_width(entry.drawings) * scale
    if entry.words:
        yield Words(entry.words, x, y + 0.355 * TEXT * scale, TEXT * scale)
    x += (face(False).width(entry.words) * TEXT + PAIR_GAP) * scale
    yield from _draw_pairs(entry.objects, x, y, scale)


def _draw_pairs(drawings: Pairs, x: float, y: float, scale: float) -> Iterator[Item]:
    for drawing, text in drawings:
        yield stamp(drawing, x, y - ICON * scale / 2, ICON * scale)
        x += ICON * scale
        if text:
            size = POINTS * scale
            yield Words(text, x + POINTS_GAP * scale, y + 0.355 * size, size, True)
            x += POINTS_GAP * scale + face(True).width(text) * size
        x += PAIR_GAP * scale
