"""How does the score column look: a box per category of the level, tracks to circle, the total?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from django.utils.translation import gettext as _

from sheets.artwork.layout import Box, number
from sheets.geometry import Frame
from sheets.printing.large_scores import draw_large_scores
from sheets.printing.tracks import Filled, categories, number_room, track_drawing, tracks
from sheets.render.fonts import face, fit
from sheets.render.items import HAIRLINE_MM, LINE_MM, Item, Words, disc, line, panel, stamp
from sheets.rules.level import Level
from sheets.rules.tracks import NumberTrack
from sheets.texts.symbols import column_label

MIN_ROW_MM: Final = 8.6
MAX_ROW_MM: Final = 14.0
TRACK_ROW_MM: Final = 7.4
LEAST_BOX_MM, BOX_MM = 8.4, 9.6
"""A box is narrower where a long label needs the room; three digits by hand fit either."""

LABEL_MM: Final = 2.65
ICON_MM: Final = 4.2
INSET_MM: Final = 1.1
"""From the sides of the column to a row's drawing and to its box."""

GAP_MM: Final = 0.85
"""On both sides of a label."""

MOST_LABEL: Final = 0.6
"""The size of a label in heights of its row, where very many tracks make rows low."""

TRACK_ICON_MM: Final = 4.2
LEAST_STEP_MM: Final = 3.2
"""From circle to circle of a track; longer tracks have several lines."""

MOST_TEXT: Final = 1.75
"""The size of a number in a circle, in radii: a single digit touches it nowhere."""


def draw_scores(level: Level, frame: Frame, top: float, filled: Filled | None) -> Iterator[Item]:
    """The score column below the round tracker, down to the end of the frame's column."""
    column, scale = frame.column, frame.text_scale
    rows = categories(level)
    extra = tracks(level)
    if frame.is_large:
        large = [
            (category, column_label(level, category), drawing, extra.get(category, ()))
            for category, drawing in rows.items()
        ]
        room = Box(column.x, top, column.width, column.y + column.height - top)
        yield from draw_large_scores(large, room, filled)
        return
    track_rows = sum(_lines(t, column.width, scale) for found in extra.values() for t in found)
    room_mm = column.y + column.height - top
    shares = len(rows) + 1.35 + 0.66 * track_rows
    wanted = max(box.y + box.height for box in frame.fields.values()) - top
    wanted = min(MAX_ROW_MM * scale * shares, max(wanted, MIN_ROW_MM * scale * shares), room_mm)
    unit = (wanted - 1.0 * scale) / shares
    track_mm = min(TRACK_ROW_MM * scale, 0.66 * unit)
    height = unit * (len(rows) + 1.35) + track_mm * track_rows + 1.0 * scale
    yield panel((column.x, top, column.width, height), 2.2 * scale, fill="wash", stroke="line")
    y = top + 0.5 * scale
    names = {category: column_label(level, category) for category in rows}
    size = _label_size(names.values(), column.width, unit, scale)
    box_mm = _box_mm(names.values(), size, column.width, unit, scale)
    for i, (category, drawing) in enumerate(rows.items()):
        if i:
            yield line((column.x + 1.6 * scale, y), (column.x + column.width - 1.6 * scale, y))
        points = filled.by[category] if filled else None
        row = Box(column.x, y, column.width, unit)
        what = ("scores", category)
        yield from _row(names[category], drawing, row, scale, size, box_mm, what, points)
        y += unit
        for track in extra.get(category, ()):
            got = filled.circled.get(track.place) if filled else None
            yield from _track(track, Box(column.x, y, column.width, track_mm), scale, got)
            y += track_mm * _lines(track, column.width, scale)
    if rows:
        inset = 1.6 * scale
        yield line((column.x + inset, y), (column.x + column.width - inset, y), 2 * LINE_MM)
    yield from _total(Box(column.x, y, column.width, unit * 1.35), scale, box_mm, filled)


def _box(row: Box, width: float, scale: float, inset: float) -> tuple[float, float, float, float]:
    left = row.x + row.width - width - INSET_MM * scale
    return left, row.y + inset, width, row.height - 2 * inset


def _icon_mm(row_mm: float, scale: float) -> float:
    return min(ICON_MM * scale, row_mm - 3.0 * scale)


def _label_size(names: Iterable[str], width: float, row_mm: float, scale: float) -> float:
    """The size at which the longest label fits between its drawing and its box."""
    room = _label_room(width, row_mm, scale)
    wanted = min(LABEL_MM * scale, MOST_LABEL * row_mm)
    sizes = (fit(name, wanted, room, least=0.5) for name in names)
    return min(sizes, default=wanted)


def _label_room(width: float, row_mm: float, scale: float) -> float:
    """What a label has beside a box of the least width."""
    taken = LEAST_BOX_MM + 2 * INSET_MM + 2 * GAP_MM
    return width - _icon_mm(row_mm, scale) - taken * scale


def _box_mm(names: Iterable[str], size: float, width: float, row_mm: float, scale: float) -> float:
    """How wide the boxes are: what the longest label leaves them."""
    longest = max((face(False).width(name) * size for name in names), default=0.0)
    spare = _label_room(width, row_mm, scale) - longest
    return min(BOX_MM * scale, LEAST_BOX_MM * scale + max(0.0, spare))


def _row(
    name: str,
    drawing: str,
    row: Box,
    scale: float,
    size: float,
    box_mm: float,
    what: tuple[str, ...],
    points: int | None,
) -> Iterator[Item]:
    box = _box(row, box_mm, scale, 1.1 * scale)
    icon_mm = _icon_mm(row.height, scale)
    middle = row.y + row.height / 2
    yield stamp(drawing, row.x + INSET_MM * scale, middle - icon_mm / 2, icon_mm)
    start = row.x + icon_mm + (INSET_MM + GAP_MM) * scale
    yield Words(name, start, middle + 0.36 * size, size)
    yield panel(box, 1.2 * scale, fill="paper", stroke="line", width=HAIRLINE_MM, what=what)
    if points is not None:
        yield from _written(number(points), box, 5.2 * scale)


def _written(text: str, box: tuple[float, float, float, float], size: float) -> Iterator[Item]:
    x, y, width, height = box
    size = fit(text, min(size, 0.8 * height), width - 1.5, bold=True)
    yield Words(text, x + width / 2, y + height / 2 + 0.35 * size, size, True, "pen", "middle")


def _per_line(column_mm: float, scale: float) -> int:
    """How many numbers of a track fit beside each other, behind its drawing."""
    return int((column_mm - (TRACK_ICON_MM + 4.5) * scale) / (LEAST_STEP_MM * scale))


def _lines(track: NumberTrack, column_mm: float, scale: float) -> int:
    return -(-len(track.numbers) // _per_line(column_mm, scale))


def _track(track: NumberTrack, row: Box, scale: float, got: int | None) -> Iterator[Item]:
    """A track's numbers in circles, in lines of the row's height."""
    middle = row.y + row.height / 2 - 0.3 * scale
    icon_mm = min(TRACK_ICON_MM * scale, row.height - 1.6)
    yield stamp(track_drawing(track), row.x + 1.9 * scale, middle - icon_mm / 2, icon_mm)
    start = row.x + icon_mm + 3.0 * scale
    per_line = min(len(track.numbers), _per_line(row.width, scale))
    step = min(6.0 * scale, (row.x + row.width - 1.5 * scale - start) / per_line)
    radius = min(step / 2 - 0.35, row.height / 2 - 0.6)
    ringed = False
    for i, points in enumerate(track.numbers):
        x = start + step * (i % per_line + 0.5)
        if i and i % per_line == 0:
            middle += row.height
        what = number_room(track, points)
        yield disc((x, middle), radius, fill="paper", stroke="line", what=what)
        most = min(2.9 * scale, MOST_TEXT * radius)
        size = fit(number(points), most, 1.5 * radius, bold=True, least=0.4)
        yield Words(number(points), x, middle + 0.355 * size, size, True, "text", "middle")
        if got == points and not ringed:
            ringed = True
            yield disc((x, middle), radius, stroke="pen", width=0.7)


def _total(row: Box, scale: float, box_mm: float, filled: Filled | None) -> Iterator[Item]:
    box = _box(row, box_mm, scale, 1.6 * scale)
    label = _("Total")
    room = box[0] - row.x - 3.0 * scale
    size = fit(label, min(4.0 * scale, MOST_LABEL * row.height), room, bold=True)
    yield Words(label, row.x + 2.0 * scale, row.y + row.height / 2 + 0.36 * size, size, True)
    what = ("scores", "total")
    yield panel(box, 1.4 * scale, fill="paper", stroke="line", width=2 * LINE_MM, what=what)
    if filled:
        yield from _written(number(filled.total), box, 6.4 * scale)
