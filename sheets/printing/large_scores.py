"""How does the score column look in large print? It is narrow: words stand above their boxes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from django.utils.translation import gettext as _

from sheets.artwork.layout import Box, number
from sheets.geometry import LARGE_TEXT_MM
from sheets.printing.tracks import Filled, number_room, track_drawing
from sheets.render.fonts import fit
from sheets.render.items import LINE_MM, Item, Words, disc, line, panel, stamp
from sheets.rules.tracks import NumberTrack

WORD_MM: Final = 6.4
BOX_MM: Final = 9.0
AIR_MM: Final = 1.6
TRACK_MM: Final = 7.4
INSET_MM: Final = 1.7
ICON_MM: Final = 7.0
"""Heights of a category's word, box and the air below it, of a line of a track; and the rest."""

Rows = Sequence[tuple[str, str, str, Sequence[NumberTrack]]]
"""The categories, each with its name, its drawing and its tracks."""


def draw_large_scores(rows: Rows, room: Box, filled: Filled | None) -> Iterator[Item]:
    """The categories with their tracks and the total, smaller only where there is no room."""
    lines = sum(_lines(track, room) for *_row, tracks in rows for track in tracks)
    row_mm = WORD_MM + BOX_MM + AIR_MM
    wanted = row_mm * (len(rows) + 1) + TRACK_MM * lines + AIR_MM
    scale = min(1.0, room.height / wanted)
    yield panel((*room[:3], wanted * scale), 2.5, fill="wash", stroke="line")
    y = room.y + AIR_MM * scale / 2
    for category, name, drawing, tracks in rows:
        points = filled.by[category] if filled else None
        what = ("scores", category)
        yield from _row(name, drawing, room, y, scale, what, points)
        y += (row_mm - AIR_MM) * scale
        for track in tracks:
            got = filled.circled.get(track.place) if filled else None
            yield from _track(track, room, y + AIR_MM * scale / 2, scale, got)
            y += TRACK_MM * scale * _lines(track, room)
        y += AIR_MM * scale
        thick = 2 * LINE_MM if category == rows[-1][0] else LINE_MM
        middle = y - AIR_MM * scale / 2 + 0.2
        yield line((room.x + INSET_MM, middle), (room.x + room.width - INSET_MM, middle), thick)
    total = filled.total if filled else None
    yield from _row(_("Total"), "", room, y, scale, ("scores", "total"), total)


def _per_line(room: Box) -> int:
    """How many numbers of a track fit beside each other, behind its drawing."""
    return max(1, int((room.width - 2 * INSET_MM - 0.72 * TRACK_MM - 1.2) / (TRACK_MM - 0.05)))


def _lines(track: NumberTrack, room: Box) -> int:
    return -(-len(track.numbers) // _per_line(room))


def _row(
    word: str,
    drawing: str,
    room: Box,
    y: float,
    scale: float,
    what: tuple[str, ...],
    points: int | None,
) -> Iterator[Item]:
    """A word above its drawing and box; the total has a box as wide as the column."""
    size = fit(word, LARGE_TEXT_MM * scale, room.width - 2 * INSET_MM, bold=True)
    left, right = room.x + INSET_MM, room.x + room.width - INSET_MM
    yield Words(word, left, y + 4.6 * scale, size, True)
    top, height = y + WORD_MM * scale, BOX_MM * scale
    if drawing:
        icon_mm = ICON_MM * scale
        yield stamp(drawing, left, top + (height - icon_mm) / 2, icon_mm)
        left += icon_mm + 1.6
    box = (left, top, right - left, height - 0.4)
    width = LINE_MM if drawing else 2 * LINE_MM
    yield panel(box, 1.6, fill="paper", stroke="line", width=width, what=what)
    if points is not None:
        text = number(points)
        size = fit(text, 0.8 * height, right - left - 1.5, bold=True)
        middle = top + height / 2 + 0.35 * size - 0.2
        yield Words(text, (left + right) / 2, middle, size, True, "pen", "middle")


def _track(
    track: NumberTrack, room: Box, y: float, scale: float, got: int | None
) -> Iterator[Item]:
    height, icon_mm = TRACK_MM * scale, 0.72 * TRACK_MM * scale
    left, right = room.x + INSET_MM + 0.4, room.x + room.width - INSET_MM
    yield stamp(track_drawing(track), left, y + (height - icon_mm) / 2, icon_mm)
    start = left + icon_mm + 0.8
    per_line = _per_line(room)
    step = min((right - start) / per_line, 1.2 * height)
    radius = min(step, height) / 2 - 0.3
    ringed = False
    for i, points in enumerate(track.numbers):
        x = start + step * (i % per_line + 0.5)
        middle = y + height * (i // per_line + 0.5)
        what = number_room(track, points)
        yield disc((x, middle), radius, fill="paper", stroke="line", what=what)
        size = fit(number(points), LARGE_TEXT_MM * scale, 1.55 * radius, bold=True, least=0.4)
        yield Words(number(points), x, middle + 0.355 * size, size, True, "text", "middle")
        if got == points and not ringed:
            ringed = True
            yield disc((x, middle), radius, stroke="pen", width=0.8)
