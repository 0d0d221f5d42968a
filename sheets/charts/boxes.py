"""Box plots."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sheets.art.layout import format_amount
from sheets.charts.drawing import (
    LABEL_WIDTH,
    ROW_HEIGHT,
    WIDTH,
    diamond,
    label,
    line,
    plot,
    rect,
    text,
)
from sheets.charts.scales import ticks


class BoxRow(NamedTuple):
    """Five-number summary with a label: worst, lower quartile, median, upper quartile and best.

    ``is_ours``: the row is the level of the report. ``is_chosen``: the row is the level with which
    all charts compare it.
    """

    label: str
    five: tuple[float, float, float, float, float]
    is_ours: bool = False
    is_chosen: bool = False


def boxes(title: str, rows: Sequence[BoxRow]) -> str:
    """Return box plots on one scale: whiskers from worst to best, boxes between the quartiles."""
    low = min(row.five[0] for row in rows)
    high = max(row.five[4] for row in rows)
    reach = (high - low) or 1
    left, right = LABEL_WIDTH, WIDTH - 12

    def x(value: float) -> float:
        return left + (value - low) / reach * (right - left)

    parts = []
    for index, row in enumerate(rows):
        middle = index * ROW_HEIGHT + ROW_HEIGHT / 2
        worst, lower, median, upper, best = row.five
        parts.append(label(middle, row.label, bold=row.is_ours or row.is_chosen))
        parts.append(line(x(worst), middle, x(best), middle, "s-ink", 1.5))
        paint = "f-pen" if row.is_ours else "plot-other"
        wide = max(4, x(upper) - x(lower))
        parts.append(rect((x(lower) + x(upper) - wide) / 2, middle - 8, wide, 16, paint))
        if row.is_chosen:
            parts.append(diamond(x(median), middle))
        elif wide > 8 or not row.is_ours:
            paint = "s-paper" if row.is_ours else "s-ink"
            parts.append(line(x(median), middle - 8, x(median), middle + 8, paint, 2.5))
    bottom = len(rows) * ROW_HEIGHT
    for value in ticks(low, high):
        parts.append(line(x(value), bottom, x(value), bottom + 4, "s-ink", 1))
        parts.append(text(x(value), bottom + 17, format_amount(value), anchor="middle"))
    return plot(title, bottom + 24, parts)
