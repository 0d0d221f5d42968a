"""Histograms below each other on one scale.

A thin outline and a diamond are the distribution and the median of the values for comparison.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from statistics import median
from typing import Final, NamedTuple

from sheets.artwork.layout import number
from sheets.charts.drawing import WIDTH, diamond, line, outline, plot, rect, text
from sheets.charts.numbers import shortest_number
from sheets.charts.scales import bin_width, ticks

EDGE: Final = 8
"""Margin at both sides."""

BAR_HEIGHT: Final = 50
"""Height of the highest bar."""


class Tally(NamedTuple):
    """Values of one histogram, and those that they are compared with."""

    label: str
    values: Sequence[int]
    compared: Sequence[int] = ()


class _Bins(NamedTuple):
    """Bins of all histograms of a plot: ``bin_count`` bins of width ``step`` from ``first`` on."""

    first: int
    step: int
    bin_count: int

    def x(self, index: float) -> float:
        """Return the x at which a bin begins."""
        return EDGE + index * (WIDTH - 2 * EDGE) / self.bin_count

    def middle(self, value: float) -> float:
        """Return the x of a value."""
        return self.x((value - self.first + 0.5) / self.step)

    def shares(self, values: Sequence[int]) -> dict[int, float]:
        """Return the share of the values in each bin that is not empty, by its index."""
        counts = Counter((value - self.first) // self.step for value in values)
        return {index: count / len(values) for index, count in counts.items()}


def histograms(title: str, tallies: Sequence[Tally]) -> str:
    """Return histograms below each other on one scale, each with its median marked."""
    values = [value for tally in tallies for value in (*tally.values, *tally.compared)]
    step = bin_width(values)
    first = min(values) // step * step
    bins = _Bins(first, step, (max(values) // step * step - first) // step + 1)
    head, height = 32, BAR_HEIGHT + 16
    parts: list[str] = []
    for index, tally in enumerate(tallies):
        top = index * (head + height)
        parts.append(text(EDGE, top + 15, tally.label, bold=True))
        parts += _histogram(tally, bins, top + head + BAR_HEIGHT + 6)
    bottom = len(tallies) * (head + height)
    for value in ticks(first, first + bins.bin_count * step):
        x = bins.x((value - first) / step)
        parts.append(text(x, bottom + 8, number(value), anchor="middle"))
    return plot(title, bottom + 14, parts)


def _histogram(tally: Tally, bins: _Bins, base: float) -> Iterator[str]:
    shares, others = bins.shares(tally.values), bins.shares(tally.compared)
    scale = BAR_HEIGHT / max([*shares.values(), *others.values()])
    for index, share in sorted(shares.items()):
        height = max(1.5, share * scale)
        width = bins.x(1) - bins.x(0) - 1.4
        yield rect(bins.x(index) + 0.7, base - height, width, height, "f-pen")
    if others:
        corners = [(bins.x(0), base)]
        for index in range(bins.bin_count):
            y = base - others.get(index, 0) * scale
            corners += [(bins.x(index), y), (bins.x(index + 1), y)]
        yield outline([*corners, (bins.x(bins.bin_count), base)], "plot-beside", 1.5)
    yield line(EDGE, base, WIDTH - EDGE, base, "s-ink", 1)
    middle = median(tally.values)
    x = bins.middle(middle)
    yield line(x, base - BAR_HEIGHT - 10, x, base, "s-ink", 2)
    anchor = "end" if x > WIDTH - 60 else "start"
    yield text(x + (-4 if anchor == "end" else 4), base - BAR_HEIGHT - 2, shortest_number(middle),
               anchor=anchor, bold=True)  # fmt: skip
    if others:
        yield diamond(bins.middle(median(tally.compared)), base)
