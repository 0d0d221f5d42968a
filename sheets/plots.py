"""How is a distribution, a share or a heat map drawn? Small SVG plots in the page's own colours.

Colours come from classes of ``artwork.css`` (``f-pen``, ``s-ink`` …) and ``plots.css``; all else is
in presentation attributes, so that a strict Content-Security-Policy holds. A plot is 360 units
wide, which is legible on a phone. What it shows is told by its label and by the table beside it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from typing import Final, NamedTuple

from django.utils.formats import number_format

from sheets.artwork.layout import Box, number
from sheets.artwork.shapes import number_text

WIDTH: Final = 360
LABELS: Final = 112
"""Room for the words at the left of bars and boxes."""

ROW: Final = 26

LONGEST: Final = 22
"""As many letters of a label are written."""

LETTER: Final = 7.2
"""How wide a letter of the widest system font is at the size of labels."""

FULL: Final = WIDTH - LABELS - 56
"""How long a bar for a share of 1 is."""

DEEPEST: Final = 0.52
"""The strongest tint of a heat map: ink must stay legible on it."""


class Bar(NamedTuple):
    """One bar: what stands at its left, a share from 0 to 1, and whether that is a worry."""

    label: str
    share: float
    is_odd: bool = False


class Bars(NamedTuple):
    """Bars that belong together: a heading (or none), and where a dashed line is drawn, if any."""

    heading: str
    rows: Sequence[Bar]
    mark: float | None = None


class Box5(NamedTuple):
    """Worst, lower quartile, median, upper quartile and best, with a label; ``is_ours`` stands
    out from what it is compared with."""

    label: str
    five: tuple[float, float, float, float, float]
    is_ours: bool = False


class Tally(NamedTuple):
    """One histogram: its label and all values."""

    label: str
    values: Sequence[int]


def histograms(label: str, tallies: Sequence[Tally]) -> str:
    """Histograms below each other on one scale, the median of each marked."""
    everything = [value for tally in tallies for value in tally.values]
    step = bin_width(everything)
    first = min(everything) // step * step
    last = max(everything) // step * step
    bins = (last - first) // step + 1
    height, head = 62, 32
    across = (WIDTH - 16) / bins
    parts = []
    for index, tally in enumerate(tallies):
        top = index * (height + head)
        counts = [0] * bins
        for value in tally.values:
            counts[(value - first) // step] += 1
        most = max(counts)
        parts.append(_text(8, top + 15, tally.label, bold=True))
        for place, count in enumerate(counts):
            if count:
                tall = max(1.5, count / most * (height - 12))
                x, y = 8 + place * across, top + head + height - 8 - tall
                parts.append(_rect(x + 0.7, y, across - 1.4, tall, "f-pen"))
        middle = sorted(tally.values)[(len(tally.values) - 1) // 2]
        x = 8 + (middle - first + 0.5) / step * across
        base = top + head + height - 8
        parts.append(_line(x, top + head - 4, x, base, "s-ink", 2))
        anchor = "end" if x > WIDTH - 60 else "start"
        parts.append(_text(x + (-4 if anchor == "end" else 4), top + head + 4, number(middle),
                           anchor=anchor, bold=True))  # fmt: skip
        parts.append(_line(8, base, WIDTH - 8, base, "s-ink", 1))
    bottom = len(tallies) * (height + head)
    every = max(1, round(bins / 7))
    for place in range(0, bins, every):
        parts.append(_text(8 + place * across, bottom + 8, number(first + place * step)))
    return _plot(label, bottom + 14, parts)


def bin_width(values: Sequence[int]) -> int:
    """A round width that makes about twenty bins.

    >>> bin_width([30, 95])
    5
    """
    reach = max(values) - min(values)
    return next((step for step in (1, 2, 5, 10, 20, 50) if reach / step <= 22), 100)


def boxes(label: str, rows: Sequence[Box5]) -> str:
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
        paint = "f-pen" if row.is_ours else "plot-other"
        worst, lower, median, upper, best = row.five
        parts.append(_label(middle, row.label, bold=row.is_ours))
        parts.append(_line(x(worst), middle, x(best), middle, "s-ink", 1.5))
        parts.append(_rect(x(lower), middle - 8, max(1.5, x(upper) - x(lower)), 16, paint))
        paint = "s-paper" if row.is_ours else "s-ink"
        parts.append(_line(x(median), middle - 8, x(median), middle + 8, paint, 2.5))
    bottom = len(rows) * ROW
    for value in ticks(low, high):
        parts.append(_line(x(value), bottom, x(value), bottom + 4, "s-ink", 1))
        parts.append(_text(x(value), bottom + 17, number(value), anchor="middle"))
    return _plot(label, bottom + 24, parts)


def ticks(low: float, high: float) -> list[int]:
    """A few round numbers from low to high.

    >>> ticks(27, 96)
    [40, 60, 80]
    """
    reach = max(1.0, high - low)
    step = next((s for s in (1, 2, 5, 10, 20, 50, 100, 200) if reach / s <= 6), 500)
    first = -(-int(low) // step) * step
    return list(range(first, int(high) + 1, step))


def bars(label: str, groups: Sequence[Bars]) -> str:
    """Horizontal bars for shares.

    They are as long as the largest share of all needs, so that small ones can be told apart.
    """
    longest = max([row.share for group in groups for row in group.rows], default=1.0)
    scale = 1.0 if longest > 0.5 else 0.5 if longest > 0.25 else 0.25
    parts = []
    top = 0.0
    for group in groups:
        if group.heading:
            parts.append(_text(4, top + 18, group.heading, bold=True))
            top += ROW
        begin = top
        for row in group.rows:
            parts += _bar(row, top, scale)
            top += ROW
        if group.mark is not None:
            x = LABELS + group.mark / scale * FULL
            parts.append(_line(x, begin, x, top, "s-ink", 1.5, dashed=True))
    return _plot(label, top, parts)


def _bar(row: Bar, top: float, scale: float) -> Iterator[str]:
    yield _label(top + ROW / 2, row.label)
    yield _rect(LABELS, top + 5, FULL, ROW - 10, "plot-track")
    if row.share > 0:
        paint = "plot-odd" if row.is_odd else "f-pen"
        yield _rect(LABELS, top + 5, max(1.5, row.share / scale * FULL), ROW - 10, paint)
    words = percent(row.share) + (" !" if row.is_odd else "")
    yield _text(WIDTH - 4, top + ROW / 2 + 4.5, words, anchor="end", bold=row.is_odd)


def heat_map(
    label: str, fields: Mapping[str, Box], size: tuple[float, float], shares: Mapping[str, float]
) -> str:
    """A sheet whose fields are the darker the larger their share is, with per cents.

    ``fields`` and ``size`` are those of `sheets.artwork.layout.lay_out`, in fields.
    """
    unit = (WIDTH - 8) / max(size[0], 6)
    left = (WIDTH - unit * size[0]) / 2
    parts = []
    for name, box in fields.items():
        share = shares[name]
        x, y, side = left + box.x * unit, 4 + box.y * unit, box.width * unit
        parts.append(_rect(x, y, side, side, "f-paper s-field-line", radius=side * 0.14))
        if share:
            parts.append(_rect(x, y, side, side, "f-pen", radius=side * 0.14,
                               opacity=0.04 + share * (DEEPEST - 0.04)))  # fmt: skip
        size_px = min(14.0, side * 0.38)
        words = f"{share * 100:.0f}"
        parts.append(_text(x + side / 2, y + side / 2 + size_px * 0.36, words,
                           anchor="middle", size=size_px, bold=share >= 0.5))  # fmt: skip
    return _plot(label, size[1] * unit + 8, parts)


def percent(share: float) -> str:
    """A share in words, as the reader's language writes it: "26 %", "0.4 %"; it never breaks."""
    decimals = 1 if 0 < share < 0.0995 else 0
    # What formats a number cuts it off and does not round it.
    figure = number_format(round(share * 100, decimals), decimal_pos=decimals)
    return f"{figure}\N{NO-BREAK SPACE}%"


def _plot(label: str, height: float, parts: Iterable[str]) -> str:
    return (
        f'<svg class="plot" role="img" aria-label="{escape(label)}" '
        f'viewBox="0 0 {WIDTH} {number_text(height)}">{"".join(parts)}</svg>'
    )


def _rect(
    x: float, y: float, width: float, height: float, paint: str,
    *, radius: float = 2.5, opacity: float = 1,
) -> str:  # fmt: skip
    see = "" if opacity == 1 else f' fill-opacity="{opacity:.2f}"'
    return (
        f'<rect class="{paint}" x="{number_text(x)}" y="{number_text(y)}" '
        f'width="{number_text(width)}" height="{number_text(height)}" '
        f'rx="{number_text(radius)}"{see}/>'
    )


def _line(
    x: float, y: float, to_x: float, to_y: float, paint: str, width: float, *, dashed: bool = False
) -> str:
    dashes = ' stroke-dasharray="4 3"' if dashed else ""
    return (
        f'<path class="{paint}" d="M{number_text(x)} {number_text(y)}'
        f'L{number_text(to_x)} {number_text(to_y)}" stroke-width="{number_text(width)}"{dashes}/>'
    )


def _label(middle: float, words: str, *, bold: bool = False) -> str:
    """Words at the left, squeezed where they are too long."""
    room = LABELS - 10
    words = words if len(words) <= LONGEST else f"{words[: LONGEST - 1]}…"
    is_long = sum(1.4 if letter in "mwMW" else 1 for letter in words) * LETTER > room
    squeezed = f' textLength="{room}" lengthAdjust="spacingAndGlyphs"' if is_long else ""
    return _text(LABELS - 6, middle + 4.5, words, anchor="end", bold=bold, more=squeezed)


def _text(
    x: float, y: float, words: str,
    *, anchor: str = "start", bold: bool = False, size: float = 13, more: str = "",
) -> str:  # fmt: skip
    weight = ' font-weight="700"' if bold else ""
    return (
        f'<text class="plot-text" x="{number_text(x)}" y="{number_text(y)}" '
        f'font-size="{number_text(size)}" text-anchor="{anchor}"{weight}{more}>'
        f"{escape(words)}</text>"
    )
