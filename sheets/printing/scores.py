"""Score column of a sheet: a box for each category, number tracks to circle, and the total.

The label of a category is next to its box. In a large print the column is too narrow for that, so
the label is above the box.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from django.utils.translation import gettext as _

from sheets.art.layout import Box, format_amount
from sheets.art.render.fonts import face, fitted_size
from sheets.art.render.items import HAIRLINE_MM, LINE_MM, Item, TextLine, disc, line, panel, stamp
from sheets.art.shapes import Point
from sheets.printing.geometry import LARGE_TEXT_MM, Frame
from sheets.printing.score_tracks import (
    WrittenNumbers,
    categories,
    number_area_path,
    track_drawing,
    tracks,
)
from sheets.rules.level import Level
from sheets.rules.tracks import NumberTrack
from sheets.text.symbols import column_label

MIN_ROW_MM: Final = 8.6
"""Minimum height of a row, unless the column has no room for it."""

MAX_ROW_MM: Final = 14.0
"""Maximum height of a row."""

TOTAL_ROWS: Final = 1.35
"""Height of the total, in heights of a row."""

TRACK_ROWS: Final = 0.66
"""Maximum height of a line of a number track, in heights of a row."""

MIN_BOX_MM: Final = 8.4
"""Minimum width of a box, next to a long label: it has room for three handwritten digits."""

MAX_BOX_MM: Final = 9.6
"""Maximum width of a box, next to a short label."""

TRACK_MM: Final = 7.4
"""Maximum height of a line of a number track."""

LABEL_MM: Final = 2.65
"""Maximum font size of a label next to its box."""

DRAWING_MM: Final = 4.2
"""Maximum side of the drawing of a row and of a number track."""

INSET_MM: Final = 1.1
"""Distance from the sides of the column to the drawing and the box of a row."""

GAP_MM: Final = 0.85
"""Minimum distance of a label from the drawing and the box of its row."""

MAX_LABEL: Final = 0.6
"""Maximum font size of a label, in heights of its row; rows are low if there are many tracks."""

MIN_STEP_MM: Final = 3.2
"""Minimum distance between the centres of two circles; a long number track has more lines."""

MAX_DIGIT: Final = 1.75
"""Maximum font size of a number in a circle, in radii, so that no digit touches its circle."""

LARGE_LABEL_MM: Final = 6.4
"""Height of a label above its box."""

LARGE_BOX_MM: Final = 9.0
"""Height of a box below its label."""

CATEGORY_GAP_MM: Final = 1.6
"""Distance between two categories of a large column."""

LARGE_DRAWING: Final = 0.72
"""Side of the drawing of a number track in a large column, in heights of its line."""

LARGE_INSET_MM: Final = 1.7
"""Distance from the sides of a large column to its labels and boxes."""

Tracks = Sequence[NumberTrack]
"""Number tracks of a sheet, in the order of the column."""


def draw_scores(
    level: Level, frame: Frame, top: float, filled: WrittenNumbers | None
) -> Iterator[Item]:
    """Yield the score column: it begins at ``top`` and ends within ``frame.column``.

    ``filled`` has the handwritten numbers; None for a blank sheet.
    """
    room = Box(frame.column.x, top, frame.column.width, frame.column.y + frame.column.height - top)
    drawings, extra = categories(level), tracks(level)
    labels = {category: column_label(level, category) for category in drawings}
    counted = [track for category in labels for track in extra.get(category, ())]
    arrange = _LargeRows if frame.is_large else _PlainRows
    rows = arrange(frame, room, list(labels.values()), counted)
    yield panel((*room[:3], rows.height), rows.radius, fill="wash", stroke="line")
    left, right = room.x + rows.inset, room.x + room.width - rows.inset
    y = top + rows.top
    for i, (category, label) in enumerate(labels.items(), start=1):
        points = filled.by_category[category] if filled else None
        row = Box(room.x, y, room.width, rows.row_mm)
        yield from rows.draw(label, drawings[category], row, category, points)
        y += rows.row_mm
        for track in extra.get(category, ()):
            circled = filled.circled.get(track.place) if filled else None
            row = Box(room.x, y, room.width, rows.line_mm)
            at = rows.place_circles(row, len(track.numbers))
            yield from _track(track, at, rows.per_line, rows.line_mm, circled)
            y += rows.line_mm * _lines([track], rows.per_line)
        width = 2 * LINE_MM if i == len(labels) else rows.rule_mm
        yield line((left, y + rows.rule_drop), (right, y + rows.rule_drop), width)
        y += rows.category_gap
    total = filled.total if filled else None
    row = Box(room.x, y, room.width, rows.total_mm)
    yield from rows.draw(_("Total"), "", row, "total", total)


class _Circles(NamedTuple):
    """Measures of a number track in millimetres.

    Attributes:
        drawing: left edge and side of the drawing before the numbers.
        start: left end of the first line of circles; its y is that of the centres.
        step: distance between the centres of two circles in a line.
        radius: radius of a circle.
        text: maximum font size and maximum width of a number.
        pen: stroke width of the ring that a player draws around a number.
    """

    drawing: tuple[float, float]
    start: Point
    step: float
    radius: float
    text: tuple[float, float]
    pen: float


class _PlainRows:
    """Measures of rows with the label next to the box, in millimetres.

    The column ends level with the fields of the sheet, if the limits for the height of a row allow
    it.

    Attributes, also of `_LargeRows`:
        height: height of the column; ``radius`` is the radius of its corners.
        row_mm: height of a category without its tracks; ``total_mm`` is the height of the total.
        line_mm: height of a line of a track, which has ``per_line`` circles.
        top: distance from the top of the column to the first row.
        category_gap: distance between two categories.
        rule_drop: distance from the bottom of a category to the line (rule) below it.
        rule_mm: stroke width of this line; ``inset`` is its distance from the sides of the column.
    """

    rule_mm = HAIRLINE_MM
    rule_drop = category_gap = 0.0

    def __init__(self, frame: Frame, room: Box, labels: list[str], counted: Tracks) -> None:
        self.scale = scale = frame.text_scale
        self.radius, self.inset, self.top = 2.2 * scale, 1.6 * scale, 0.5 * scale
        self.per_line = int((room.width - (DRAWING_MM + 4.5) * scale) / (MIN_STEP_MM * scale))
        lines = _lines(counted, self.per_line)
        rows = len(labels) + TOTAL_ROWS + TRACK_ROWS * lines
        wanted = max(box.y + box.height for box in frame.fields.values()) - room.y
        wanted = max(wanted, MIN_ROW_MM * scale * rows)
        wanted = min(MAX_ROW_MM * scale * rows, wanted, room.height)
        self.row_mm = (wanted - 2 * self.top) / rows
        self.total_mm = self.row_mm * TOTAL_ROWS
        self.line_mm = min(TRACK_MM * scale, TRACK_ROWS * self.row_mm)
        self.height = self.row_mm * len(labels) + self.total_mm + self.line_mm * lines
        self.height += 2 * self.top
        self.drawing_mm = min(DRAWING_MM * scale, self.row_mm - 3.0 * scale)
        taken = (MIN_BOX_MM + 2 * INSET_MM + 2 * GAP_MM) * scale
        label_room = room.width - self.drawing_mm - taken
        size = min(LABEL_MM * scale, MAX_LABEL * self.row_mm)
        sizes = (fitted_size(label, size, label_room, min_share=0.5) for label in labels)
        self.label_mm = min(sizes, default=size)
        longest = max((face(False).width(label) for label in labels), default=0.0) * self.label_mm
        spare = max(0.0, label_room - longest)
        self.box_mm = min(MAX_BOX_MM * scale, MIN_BOX_MM * scale + spare)

    def draw(
        self, label: str, drawing: str, row: Box, what: str, points: int | None
    ) -> Iterator[Item]:
        """Yield a category, or the total, which has no drawing; ``what`` is its key."""
        scale, middle = self.scale, row.y + row.height / 2
        margin = (1.1 if drawing else 1.6) * scale
        left = row.x + row.width - self.box_mm - INSET_MM * scale
        box = (left, row.y + margin, self.box_mm, row.height - 2 * margin)
        if drawing:
            start, side = row.x + INSET_MM * scale, self.drawing_mm
            yield stamp(drawing, start, middle - side / 2, side)
            start, size = start + side + GAP_MM * scale, self.label_mm
            radius, border, text_mm = 1.2 * scale, HAIRLINE_MM, 5.2 * scale
        else:
            start, size = row.x + 2.0 * scale, min(4.0 * scale, MAX_LABEL * row.height)
            size = fitted_size(label, size, left - row.x - 3.0 * scale, bold=True)
            radius, border, text_mm = 1.4 * scale, 2 * LINE_MM, 6.4 * scale
        yield TextLine(label, start, middle + 0.36 * size, size, not drawing)
        yield from _box(box, radius, border, what, min(text_mm, 0.8 * box[3]), points)

    def place_circles(self, row: Box, count: int) -> _Circles:
        """Return the measures of a track with ``count`` numbers; ``row`` is its first line."""
        scale, side = self.scale, min(DRAWING_MM * self.scale, row.height - 1.6)
        start = row.x + side + 3.0 * scale
        room = row.x + row.width - 1.5 * scale - start
        step = min(6.0 * scale, room / min(count, self.per_line))
        radius = min(step / 2 - 0.35, row.height / 2 - 0.6)
        return _Circles(
            drawing=(row.x + 1.9 * scale, side),
            start=(start, row.y + row.height / 2 - 0.3 * scale),
            step=step,
            radius=radius,
            text=(min(2.9 * scale, MAX_DIGIT * radius), 1.5 * radius),
            pen=0.7,
        )


class _LargeRows:
    """Measures of rows with the label above the box, reduced if the column is too short."""

    radius, inset = 2.5, LARGE_INSET_MM
    rule_mm = LINE_MM

    def __init__(self, _frame: Frame, room: Box, labels: list[str], counted: Tracks) -> None:
        taken = 2 * LARGE_INSET_MM + LARGE_DRAWING * TRACK_MM + 1.2
        self.per_line = max(1, int((room.width - taken) / (TRACK_MM - 0.05)))
        lines = _lines(counted, self.per_line)
        rows = len(labels) + 1
        row_mm = LARGE_LABEL_MM + LARGE_BOX_MM
        wanted = row_mm * rows + CATEGORY_GAP_MM * (rows + 1) + TRACK_MM * lines
        self.scale = scale = min(1.0, room.height / wanted)
        self.height = wanted * scale
        self.row_mm = self.total_mm = row_mm * scale
        self.line_mm = TRACK_MM * scale
        self.category_gap = CATEGORY_GAP_MM * scale
        self.top = self.category_gap / 2
        self.rule_drop = self.category_gap / 2 + 0.2

    def draw(
        self, label: str, drawing: str, row: Box, what: str, points: int | None
    ) -> Iterator[Item]:
        """Yield a category, or the total, which has no drawing; ``what`` is its key."""
        scale, left = self.scale, row.x + self.inset
        right = row.x + row.width - self.inset
        size = fitted_size(label, LARGE_TEXT_MM * scale, right - left, bold=True)
        yield TextLine(label, left, row.y + 4.6 * scale, size, True)
        top, height = row.y + LARGE_LABEL_MM * scale, LARGE_BOX_MM * scale
        if drawing:
            side = 7.0 * scale
            yield stamp(drawing, left, top + (height - side) / 2, side)
            left += side + 1.6
        border = LINE_MM if drawing else 2 * LINE_MM
        box = (left, top, right - left, height - 0.4)
        yield from _box(box, 1.6, border, what, 0.8 * height, points)

    def place_circles(self, row: Box, _count: int) -> _Circles:
        """Return the measures of a track; ``row`` is its first line."""
        left, side = row.x + self.inset + 0.4, LARGE_DRAWING * row.height
        start = left + side + 0.8
        room = row.x + row.width - self.inset - start
        step = min(room / self.per_line, 1.2 * row.height)
        radius = min(step, row.height) / 2 - 0.3
        return _Circles(
            drawing=(left, side),
            start=(start, row.y + (self.category_gap + row.height) / 2),
            step=step,
            radius=radius,
            text=(LARGE_TEXT_MM * self.scale, 1.55 * radius),
            pen=0.8,
        )


def _box(
    box: tuple[float, float, float, float],
    radius: float,
    border: float,
    what: str,
    text_mm: float,
    points: int | None,
) -> Iterator[Item]:
    """Yield the box for the points of a category, and the points written in it."""
    yield panel(box, radius, fill="paper", stroke="line", width=border, area_path=("scores", what))
    if points is not None:
        x, y, width, height = box
        size = fitted_size(format_amount(points), text_mm, width - 1.5, bold=True)
        base = y + height / 2 + 0.35 * size
        yield TextLine(format_amount(points), x + width / 2, base, size, True, "pen", "middle")


def _lines(counted: Tracks, per_line: int) -> int:
    """Return the number of lines that the number tracks take together."""
    return sum(-(-len(track.numbers) // per_line) for track in counted)


def _track(
    track: NumberTrack, at: _Circles, per_line: int, line_mm: float, circled: int | None
) -> Iterator[Item]:
    """Yield a number track: its drawing, its numbers, and a ring around the circled number."""
    (left, side), (start, middle) = at.drawing, at.start
    yield stamp(track_drawing(track), left, middle - side / 2, side)
    ringed = track.numbers.index(circled) if circled in track.numbers else -1
    for i, points in enumerate(track.numbers):
        down, along = divmod(i, per_line)
        x, y = start + at.step * (along + 0.5), middle + line_mm * down
        path = number_area_path(track, points)
        yield disc((x, y), at.radius, fill="paper", stroke="line", area_path=path)
        size = fitted_size(format_amount(points), *at.text, bold=True, min_share=0.4)
        yield TextLine(format_amount(points), x, y + 0.355 * size, size, True, "text", "middle")
        if i == ringed:
            yield disc((x, y), at.radius, stroke="pen", width=at.pen)
