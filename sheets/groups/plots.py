"""How is drawn what somebody has on average, and how that went on? Small SVG plots."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from django.template.defaultfilters import floatformat
from django.utils.formats import number_format

from sheets.artwork.shapes import number_text
from sheets.simulation.balance.drawing import (
    LABELS,
    WIDTH,
    diamond,
    label,
    line,
    outline,
    plot,
    rect,
    text,
)
from sheets.simulation.balance.plots import ROW, ticks

FIGURES: Final = 46
"""Room for what a bar stands for, at its right."""

HIGH: Final = 150
"""How high a line's field is."""

LEFT: Final = 44
"""Room for the scale at the left of a line."""


class MeanBar(NamedTuple):
    """A bar for a mean, above or below 0; ``beside`` is that of the others, drawn as a diamond.

    It is None where there is none.
    """

    label: str
    mean: float
    beside: float | None


class Point(NamedTuple):
    """A point of a line: how far to the right from 0 to 1, how high, and how sure that is."""

    along: float
    value: float
    within: float = 0.0


def mean_bars(title: str, rows: Sequence[MeanBar]) -> str:
    """Horizontal bars on one scale."""
    ends = [0.0, *(end for row in rows for end in (row.mean, row.beside or 0.0))]
    low, reach = min(ends), (max(ends) - min(ends)) or 1.0

    def x(value: float) -> float:
        return LABELS + 6 + (value - low) / reach * (WIDTH - LABELS - FIGURES - 14)

    parts = []
    for index, row in enumerate(rows):
        top = index * ROW
        left, right = sorted((x(0), x(row.mean)))
        parts.append(label(top + ROW / 2, row.label))
        parts.append(rect(left, top + 5, max(1.5, right - left), ROW - 10, "f-pen"))
        if row.beside is not None:
            parts.append(diamond(x(row.beside), top + ROW / 2))
        words = one_decimal(row.mean)
        parts.append(text(WIDTH - 4, top + ROW / 2 + 4.5, words, anchor="end", bold=True))
    if low < 0:
        parts.append(line(x(0), 0, x(0), len(rows) * ROW, "s-ink", 1))
    return plot(title, len(rows) * ROW, parts)


def course(
    title: str, points: Sequence[Point], ends: tuple[str, str], *, floor: float | None = None
) -> str:
    """A line from the first to the last point, in a band if they are unsure.

    ``ends`` says when the first and the last one were; ``floor`` is seen in any case.
    """
    low = min(point.value - point.within for point in points)
    low = low if floor is None else min(low, floor)
    high = max(point.value + point.within for point in points)
    margin = 0.06 * (high - low) or 1.0
    scale = _Scale(low - margin, high + margin)
    parts = list(_grid(scale))
    if any(point.within for point in points):
        parts.append(_band(scale, points))
    corners = [(scale.x(point.along), scale.y(point.value)) for point in points]
    parts.append(outline(corners, "s-pen", 2.5))
    parts += [dot(x, y) for x, y in corners]
    parts.append(text(LEFT, HIGH + 20, ends[0]))
    parts.append(text(WIDTH - 8, HIGH + 20, ends[1], anchor="end"))
    return plot(title, HIGH + 26, parts)


def dot(x: float, y: float) -> str:
    """A point of a line."""
    return f'<circle class="f-pen" cx="{number_text(x)}" cy="{number_text(y)}" r="3"/>'


def one_decimal(value: float) -> str:
    """A mean as the reader's language writes it, with a real minus sign."""
    return floatformat(value, 1).replace("-", "−")


class _Scale(NamedTuple):
    low: float
    high: float

    def x(self, along: float) -> float:
        return LEFT + 4 + along * (WIDTH - LEFT - 14)

    def y(self, value: float) -> float:
        return HIGH - (value - self.low) / (self.high - self.low) * (HIGH - 8)


def _grid(scale: _Scale) -> Iterator[str]:
    for value in ticks(scale.low, scale.high):
        if value < scale.low:
            continue
        y = scale.y(value)
        yield line(LEFT, y, WIDTH - 6, y, "s-field-line", 1)
        words = number_format(value, force_grouping=True).replace("-", "−")
        yield text(LEFT - 6, y + 4.5, words, anchor="end")


def _band(scale: _Scale, points: Sequence[Point]) -> str:
    above = [(scale.x(one.along), scale.y(one.value + one.within)) for one in points]
    below = [(scale.x(one.along), scale.y(one.value - one.within)) for one in reversed(points)]
    through = "L".join(f"{number_text(x)} {number_text(y)}" for x, y in [*above, *below])
    return f'<path class="plot-track" d="M{through}Z"/>'
