"""Histograms below each other on one scale.

A thin outline shows the distribution of other values for comparison, a diamond their median.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from statistics import median
from typing import Final, NamedTuple

from sheets.art.layout import format_amount
from sheets.charts.drawing import WIDTH, diamond, line, outline, plot, rect, text
from sheets.charts.numbers import shortest_number
from sheets.charts.scales import bin_width, ticks

MARGIN: Final = 8
"""Margin at both sides."""

BAR_HEIGHT: Final = 50
"""Height of the highest bar."""


class Histogram(NamedTuple):
    """A histogram: its label, its values, and other values for comparison."""

    label: str
    values: Sequence[int]
    others: Sequence[int] = ()


class _Bins(NamedTuple):
    """Common bins of the histograms of a chart: lowest value, width and number of bins."""

    first: int
    step: int
    bin_count: int

    def x(self, place: float) -> float:
        """Return the x coordinate of the left edge of a bin, by the index of the bin."""
        return MARGIN + place * (WIDTH - 2 * MARGIN) / self.bin_count

    def middle(self, value: float) -> float:
        """Return the x coordinate of a value."""
        return self.x((value - self.first + 0.5) / self.step)

    def shares(self, values: Sequence[int]) -> dict[int, float]:
        """Return the share of the values in each non-empty bin, by the index of the bin."""
        counts = Counter((value - self.first) // self.step for value in values)
        return {place: count / len(values) for place, count in counts.items()}


def histograms(title: str, rows: Sequence[Histogram]) -> str:
    """Return histograms below each other on one scale, with a line at the median of each."""
    everything = [value for one in rows for value in (*one.values, *one.others)]
    step = bin_width(everything)
    first = min(everything) // step * step
    bins = _Bins(first, step, (max(everything) // step * step - first) // step + 1)
    head, high = 32, BAR_HEIGHT + 16
    parts: list[str] = []
    for index, one in enumerate(rows):
        top = index * (head + high)
        parts.append(text(MARGIN, top + 15, one.label, bold=True))
        parts += _histogram(one, bins, top + head + BAR_HEIGHT + 6)
    bottom = len(rows) * (head + high)
    for value in ticks(first, first + bins.bin_count * step):
        x = bins.x((value - first) / step)
        parts.append(text(x, bottom + 8, format_amount(value), anchor="middle"))
    return plot(title, bottom + 14, parts)


def _histogram(one: Histogram, bins: _Bins, base: float) -> Iterator[str]:
    shares, others = bins.shares(one.values), bins.shares(one.others)
    tall = BAR_HEIGHT / max([*shares.values(), *others.values()])
    for place, share in sorted(shares.items()):
        high = max(1.5, share * tall)
        width = bins.x(1) - bins.x(0) - 1.4
        yield rect(bins.x(place) + 0.7, base - high, width, high, "f-pen")
    if others:
        corners = [(bins.x(0), base)]
        for place in range(bins.bin_count):
            high = base - others.get(place, 0) * tall
            corners += [(bins.x(place), high), (bins.x(place + 1), high)]
        yield outline([*corners, (bins.x(bins.bin_count), base)], "plot-beside", 1.5)
    yield line(MARGIN, base, WIDTH - MARGIN, base, "s-ink", 1)
    middle = median(one.values)
    x = bins.middle(middle)
    yield line(x, base - BAR_HEIGHT - 10, x, base, "s-ink", 2)
    anchor = "end" if x > WIDTH - 60 else "start"
    yield text(x + (-4 if anchor == "end" else 4), base - BAR_HEIGHT - 2, shortest_number(middle),
               anchor=anchor, bold=True)  # fmt: skip
    if others:
        yield diamond(bins.middle(median(one.others)), base)
