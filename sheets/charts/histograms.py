"""Histograms below each other on one scale.

A thin outline and a diamond stand for the values that others are compared with.
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

TALL: Final = 50
"""Height of the highest bar."""


class Tally(NamedTuple):
    """One histogram: its label, all values, and those of the level it is compared with."""

    label: str
    values: Sequence[int]
    beside: Sequence[int] = ()


class _Bins(NamedTuple):
    """The bins that all histograms of a plot share: the first begins at ``first``."""

    first: int
    step: int
    many: int

    def x(self, place: float) -> float:
        """Where a bin begins."""
        return EDGE + place * (WIDTH - 2 * EDGE) / self.many

    def middle(self, value: float) -> float:
        """Where a value lies."""
        return self.x((value - self.first + 0.5) / self.step)

    def shares(self, values: Sequence[int]) -> dict[int, float]:
        """The share of the values in each bin that has any."""
        counts = Counter((value - self.first) // self.step for value in values)
        return {place: count / len(values) for place, count in counts.items()}


def histograms(title: str, tallies: Sequence[Tally]) -> str:
    """Histograms below each other on one scale, the median of each marked."""
    everything = [value for tally in tallies for value in (*tally.values, *tally.beside)]
    step = bin_width(everything)
    first = min(everything) // step * step
    bins = _Bins(first, step, (max(everything) // step * step - first) // step + 1)
    head, high = 32, TALL + 16
    parts: list[str] = []
    for index, tally in enumerate(tallies):
        top = index * (head + high)
        parts.append(text(EDGE, top + 15, tally.label, bold=True))
        parts += _histogram(tally, bins, top + head + TALL + 6)
    bottom = len(tallies) * (head + high)
    for value in ticks(first, first + bins.many * step):
        x = bins.x((value - first) / step)
        parts.append(text(x, bottom + 8, number(value), anchor="middle"))
    return plot(title, bottom + 14, parts)


def _histogram(tally: Tally, bins: _Bins, base: float) -> Iterator[str]:
    shares, others = bins.shares(tally.values), bins.shares(tally.beside)
    tall = TALL / max([*shares.values(), *others.values()])
    for place, share in sorted(shares.items()):
        high = max(1.5, share * tall)
        width = bins.x(1) - bins.x(0) - 1.4
        yield rect(bins.x(place) + 0.7, base - high, width, high, "f-pen")
    if others:
        corners = [(bins.x(0), base)]
        for place in range(bins.many):
            high = base - others.get(place, 0) * tall
            corners += [(bins.x(place), high), (bins.x(place + 1), high)]
        yield outline([*corners, (bins.x(bins.many), base)], "plot-beside", 1.5)
    yield line(EDGE, base, WIDTH - EDGE, base, "s-ink", 1)
    middle = median(tally.values)
    x = bins.middle(middle)
    yield line(x, base - TALL - 10, x, base, "s-ink", 2)
    anchor = "end" if x > WIDTH - 60 else "start"
    yield text(x + (-4 if anchor == "end" else 4), base - TALL - 2, shortest_number(middle),
               anchor=anchor, bold=True)  # fmt: skip
    if others:
        yield diamond(bins.middle(median(tally.beside)), base)
