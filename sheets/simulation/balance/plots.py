"""How is a distribution or a share drawn, beside that of other levels? Small SVG plots.

Everywhere a diamond and a thin outline stand for the level that is compared with, and a grey band
for all shipped levels: it reaches from the least to the most of them, with a tick at the median.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from statistics import median
from typing import Final, NamedTuple

from django.template.defaultfilters import floatformat
from django.utils.formats import number_format
from django.utils.translation import gettext as _

from sheets.artwork.layout import number
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
from sheets.simulation.balance.shipped import Beside

ROW: Final = 26

FULL: Final = WIDTH - LABELS - 62
"""How long a bar for a share of 1 is."""

EDGE: Final = 8
"""What is left free at both sides of histograms."""

TALL: Final = 50
"""How high the highest bar of a histogram is."""


class Bar(NamedTuple):
    """One bar: what stands at its left, a share from 0 to 1, and whether that is a worry.

    ``beside`` is the same share of other levels; ``is_bold`` marks a bar that sums others up.
    """

    label: str
    share: float
    is_odd: bool = False
    beside: Beside | None = None
    is_bold: bool = False


class Bars(NamedTuple):
    """Bars that belong together: a heading (or none), and where a dashed line is drawn, if any."""

    heading: str
    rows: Sequence[Bar]
    mark: float | None = None


class Box5(NamedTuple):
    """Worst, lower quartile, median, upper quartile and best, with a label.

    ``is_ours`` stands out from what it is compared with, ``is_chosen`` from other levels.
    """

    label: str
    five: tuple[float, float, float, float, float]
    is_ours: bool = False
    is_chosen: bool = False


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


def shortest_number(value: float) -> str:
    """Write a number with one decimal, and without any if it is whole."""
    return floatformat(value, -1).replace("-", "−")


def bin_width(values: Sequence[int]) -> int:
    """A round width that makes about twenty bins.

    >>> bin_width([30, 95])
    5
    """
    reach = max(values) - min(values)
    return next((step for step in (1, 2, 5, 10, 20, 50) if reach / step <= 22), 100)


def boxes(title: str, rows: Sequence[Box5]) -> str:
    """Box plots on one scale: a whisker from worst to best, a box over the middle half."""
    low = min(row.five[0] for row in rows)
    high = max(row.five[4] for row in rows)
    reach = (high - low) or 1
    left, right = LABELS, WIDTH - 12

    def x(value: float) -> float:
        return left + (value - low) / reach * (right - left)

    parts = []
    for index, row in enumerate(rows):
        middle = index * ROW + ROW / 2
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
    bottom = len(rows) * ROW
    for value in ticks(low, high):
        parts.append(line(x(value), bottom, x(value), bottom + 4, "s-ink", 1))
        parts.append(text(x(value), bottom + 17, number(value), anchor="middle"))
    return plot(title, bottom + 24, parts)


def ticks(low: float, high: float) -> list[int]:
    """A few round numbers from low to high.

    >>> ticks(27, 96)
    [40, 60, 80]
    """
    reach = max(1.0, high - low)
    step = next((s for s in (1, 2, 5, 10, 20, 50, 100, 200) if reach / s <= 6), 500)
    first = -(-int(low) // step) * step
    return list(range(first, int(high) + 1, step))


def bars(title: str, groups: Sequence[Bars]) -> str:
    """Horizontal bars for shares.

    They are as long as the largest share of all needs, so that small ones can be told apart.
    """
    rows = [row for group in groups for row in group.rows]
    longest = max([row.share for row in rows] + [row.beside.most for row in rows if row.beside])
    scale = 1.0 if longest > 0.5 else 0.5 if longest > 0.25 else 0.25
    parts = []
    top = 0.0
    for group in groups:
        if group.heading:
            parts.append(text(4, top + 18, group.heading, bold=True))
            top += ROW
        begin = top
        for row in group.rows:
            parts += _bar(row, top, scale)
            top += ROW
        if group.mark is not None:
            x = LABELS + group.mark / scale * FULL
            parts.append(line(x, begin, x, top, "s-ink", 1.5, dashed=True))
    return plot(title, top, parts)


def _bar(row: Bar, top: float, scale: float) -> Iterator[str]:
    yield label(top + ROW / 2, row.label, bold=row.is_bold)
    yield rect(LABELS, top + 4, FULL, ROW - 11, "plot-track")
    if row.share > 0:
        paint = "plot-odd" if row.is_odd else "f-pen"
        yield rect(LABELS, top + 4, max(1.5, row.share / scale * FULL), ROW - 11, paint)
    if row.beside:
        yield from _beside(row.beside, top, scale)
    words = percent(row.share) + (" !" if row.is_odd else "")
    yield text(WIDTH - 4, top + ROW / 2 + 4.5, words, anchor="end", bold=row.is_odd or row.is_bold)


def _beside(beside: Beside, top: float, scale: float) -> Iterator[str]:
    """The band of all levels below a bar, and the diamond of one of them on it."""
    low, middle, high = (LABELS + share / scale * FULL for share in beside[1:])
    yield rect(low, top + ROW - 6, max(2, high - low), 4, "plot-band", radius=1)
    yield line(middle, top + ROW - 7, middle, top + ROW - 1, "s-ink", 2)
    if beside.one is not None:
        yield diamond(LABELS + beside.one / scale * FULL, top + 11.5)


def percent(share: float, *, is_rough: bool = False) -> str:
    """A share in words, as the reader's language writes it: "26%", "0.4%"; it never breaks.

    One that ``is_rough``, of a few games, has no tenths.
    """
    decimals = 1 if 0 < share < 0.0995 and not is_rough else 0
    # What formats a number cuts it off and does not round it.
    figure = number_format(round(share * 100, decimals), decimal_pos=decimals)
    return _("%(figure)s%%") % {"figure": figure}
