"""Line charts: a line per player, one line with an uncertainty band, and sparklines."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

from django.utils.formats import number_format

from sheets.art.shapes import number_text
from sheets.charts.drawing import WIDTH, area, dot, line, outline, plot, text
from sheets.charts.numbers import percent
from sheets.charts.scales import ticks

PLAYER_COLOURS: Final = ("blue", "red", "green", "purple", "orange", "black")
"""Colours of players, by seat; the shapes of `PLAYER_MARKS` differ as well."""

PLAYER_MARKS: Final = (
    "m-5 0a5 5 0 1 0 10 0a5 5 0 1 0 -10 0z",
    "m-4.5 -4.5h9v9h-9z",
    "m0 -6l6 6l-6 6l-6 -6z",
    "m0 -5.5l5.8 10h-11.6z",
    "m0 5.5l5.8 -10h-11.6z",
    "m-6 -2h4v-4h4v4h4v4h-4v4h-4v-4h-4z",
)
"""Path data of the players' marks around a point, by seat."""

PLOT_HEIGHT: Final = 180
"""Height of the area with the lines."""

LEFT: Final = 44
"""Width of the scale at the left."""

RIGHT: Final = 14
"""Margin to the right of the lines."""

TOP: Final = 12
"""Margin above the lines."""


class Point(NamedTuple):
    """Point of a line: position from 0 (left) to 1 (right), value, and its error margin.

    The error margin is half the height of the uncertainty band.
    """

    along: float
    value: float
    within: float = 0.0


class Line(NamedTuple):
    """Line of a chart. ``player`` is a seat from 0, which determines the colour and the mark."""

    points: Sequence[Point]
    player: int | None = None


class Label(NamedTuple):
    """Text below the lines at a position from 0 to 1; ``anchor`` is the ``text-anchor`` of SVG."""

    along: float
    words: str
    anchor: str = "middle"


class _Scale(NamedTuple):
    low: float
    high: float

    def x(self, along: float) -> float:
        return LEFT + along * (WIDTH - LEFT - RIGHT)

    def y(self, value: float) -> float:
        return TOP + PLOT_HEIGHT * (1 - (value - self.low) / ((self.high - self.low) or 1))

    def corners(self, points: Sequence[Point], side: int = 0) -> list[tuple[float, float]]:
        """Return the positions of points, or of the upper (1) or lower (-1) edge of their band."""
        return [(self.x(one.along), self.y(one.value + side * one.within)) for one in points]


def line_chart(
    title: str, lines: Sequence[Line], labels: Sequence[Label], *, foot: str = "", is_share: bool
) -> str:
    """Return a line chart.

    Args:
        title: label of the chart.
        lines: one or several lines; a single line is drawn with its uncertainty band.
        labels: texts below the lines.
        foot: name of the horizontal axis, below the labels.
        is_share: whether values are shares, on a scale from 0 to 100 %.
    """
    scale = _Scale(0, 1) if is_share else _scale_of(lines)
    if is_share:
        parts = list(_grid(scale, (0, 0.25, 0.5, 0.75, 1), percent))
    else:
        parts = list(_grid(scale, ticks(scale.low, scale.high), _write))
    if len(lines) == 1:
        parts.append(_band(scale, lines[0]))
    for one in lines:
        parts.append(_coloured(one, outline(scale.corners(one.points), _paint(one), 2.5)))
    for one in lines:
        for x, y in scale.corners(one.points):
            parts.append(dot(x, y) if one.player is None else mark(one.player, x, y))
    for words in labels:
        x = scale.x(words.along)
        parts.append(text(x, TOP + PLOT_HEIGHT + 20, words.words, anchor=words.anchor))
    if foot:
        parts.append(text(scale.x(0.5), TOP + PLOT_HEIGHT + 37, foot, anchor="middle"))
    return plot(title, TOP + PLOT_HEIGHT + (40 if foot else 26), parts)


def sparkline(values: Sequence[float]) -> str:
    """Return a line of values without a scale, which a text next to it must name.

    The CSS class ``trend`` sets its size and colour.
    """
    low, high = min(values), max(values)
    step, scale = 100 / max(1, len(values) - 1), 30 / max(1, high - low)
    points = (
        f"{place * step:.4g},{30 - (value - low) * scale:.4g}" for place, value in enumerate(values)
    )
    return (
        '<svg class="trend" viewBox="-3 -3 106 36" preserveAspectRatio="none" aria-hidden="true">'
        f'<polyline points="{" ".join(points)}"/></svg>'
    )


def mark(player: int, x: float, y: float) -> str:
    """Return the mark of a player, by seat, with its centre at a point."""
    return (
        f'<g class="g-{PLAYER_COLOURS[player]}"><path class="f-line s-ground" stroke-width="1.5" '
        f'd="M{number_text(x)} {number_text(y)}{PLAYER_MARKS[player]}"/></g>'
    )


def _scale_of(lines: Sequence[Line]) -> _Scale:
    edges = [
        one.value + side * one.within for line in lines for one in line.points for side in (-1, 1)
    ]
    margin = 0.06 * (max(edges) - min(edges)) or 1.0
    return _Scale(min(edges) - margin, max(edges) + margin)


def _write(value: float) -> str:
    return number_format(value, force_grouping=True).replace("-", "−")


def _grid(scale: _Scale, values: Sequence[float], write: Callable[[float], str]) -> Iterator[str]:
    for value in values:
        if value < scale.low:
            continue
        y = scale.y(value)
        yield line(LEFT, y, WIDTH - RIGHT, y, "s-field-line", 1)
        yield text(LEFT - 8, y + 4.5, write(value), anchor="end")


def _band(scale: _Scale, one: Line) -> str:
    corners = [*scale.corners(one.points, 1), *scale.corners(one.points, -1)[::-1]]
    return _coloured(one, area(corners, "plot-track" if one.player is None else "f-tint"))


def _paint(one: Line) -> str:
    return "s-pen" if one.player is None else "s-line"


def _coloured(one: Line, drawn: str) -> str:
    if one.player is None:
        return drawn
    return f'<g class="g-{PLAYER_COLOURS[one.player]}">{drawn}</g>'
