"""Bar charts of shares and means, with horizontal bars.

A diamond marks a value for comparison with the bar. A grey band shows the range of several other
values, and a tick their median.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

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
from sheets.charts.numbers import one_decimal, percent

MAX_BAR: Final = WIDTH - LABEL_WIDTH - 62
"""Length of the longest bar, in SVG units."""


class Bar(NamedTuple):
    """Bar with its label.

    Attributes:
        label: text to the left of the bar.
        value: length of the bar.
        is_problem: whether the value is highlighted as a problem.
        is_bold: whether the texts are bold, because the bar is the sum of other bars.
        other: value for comparison, drawn as a diamond.
        band: minimum, median and maximum of several other values.
    """

    label: str
    value: float
    is_problem: bool = False
    is_bold: bool = False
    other: float | None = None
    band: tuple[float, float, float] | None = None


class Bars(NamedTuple):
    """Bars below a heading, which may be empty. A dashed line crosses them at ``mark``."""

    heading: str
    rows: Sequence[Bar]
    mark: float | None = None


class _Scale(NamedTuple):
    """Scale from ``low`` to ``high``; ``write`` formats a value.

    ``has_track``: the full length of the scale is drawn behind each bar.
    """

    low: float
    high: float
    write: Callable[[float], str]
    has_track: bool

    def x(self, value: float) -> float:
        return LABEL_WIDTH + (value - self.low) / (self.high - self.low) * MAX_BAR


def share_bars(title: str, groups: Sequence[Bars]) -> str:
    """Return a chart of shares; its scale ends at 25, 50 or 100 %, to show small shares well."""
    rows = [row for group in groups for row in group.rows]
    longest = max([row.value for row in rows] + [row.band[2] for row in rows if row.band])
    high = 1.0 if longest > 0.5 else 0.5 if longest > 0.25 else 0.25
    return _draw(title, groups, _Scale(0.0, high, percent, has_track=True))


def mean_bars(title: str, rows: Sequence[Bar]) -> str:
    """Return a chart of means, which may be below 0."""
    ends = [0.0, *(end for row in rows for end in (row.value, row.other or 0.0))]
    low, high = min(ends), max(ends)
    scale = _Scale(low, high if high > low else low + 1, one_decimal, has_track=False)
    return _draw(title, [Bars("", rows)], scale)


def _draw(title: str, groups: Sequence[Bars], scale: _Scale) -> str:
    parts = []
    top = 0.0
    for group in groups:
        if group.heading:
            parts.append(text(4, top + 18, group.heading, bold=True))
            top += ROW_HEIGHT
        begin = top
        for row in group.rows:
            parts += _bar(row, top, scale)
            top += ROW_HEIGHT
        if group.mark is not None:
            x = scale.x(group.mark)
            parts.append(line(x, begin, x, top, "s-ink", 1.5, dashed=True))
    if scale.low < 0:
        parts.append(line(scale.x(0), 0, scale.x(0), top, "s-ink", 1))
    return plot(title, top, parts)


def _bar(row: Bar, top: float, scale: _Scale) -> Iterator[str]:
    yield label(top + ROW_HEIGHT / 2, row.label, bold=row.is_bold)
    if scale.has_track:
        yield rect(LABEL_WIDTH, top + 4, MAX_BAR, ROW_HEIGHT - 11, "plot-track")
    if row.value:
        left, right = sorted((scale.x(0), scale.x(row.value)))
        paint = "plot-odd" if row.is_problem else "f-pen"
        yield rect(left, top + 4, max(1.5, right - left), ROW_HEIGHT - 11, paint)
    if row.band:
        low, middle, high = map(scale.x, row.band)
        yield rect(low, top + ROW_HEIGHT - 6, max(2, high - low), 4, "plot-band", radius=1)
        yield line(middle, top + ROW_HEIGHT - 7, middle, top + ROW_HEIGHT - 1, "s-ink", 2)
    if row.other is not None:
        yield diamond(scale.x(row.other), top + 11.5)
    words = scale.write(row.value) + (" !" if row.is_problem else "")
    is_bold = row.is_problem or row.is_bold or not scale.has_track
    yield text(WIDTH - 4, top + ROW_HEIGHT / 2 + 4.5, words, anchor="end", bold=is_bold)
