"""SVG shapes and texts of charts.

Colours come from classes of ``artwork.css`` (``f-pen``, ``s-ink`` …) and ``workshop/plots.css``;
everything else is in presentation attributes, so that a strict Content-Security-Policy holds. A
chart is `WIDTH` units wide, which is legible on a phone. Its label and the table next to it
describe it for screen readers (`sheets.charts.figure`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Final

from sheets.art.shapes import number_text

WIDTH: Final = 360
"""Width of a chart, in SVG units, as all lengths in charts."""

LABEL_WIDTH: Final = 112
"""Width of the column with the labels of bars and boxes."""

ROW_HEIGHT: Final = 26
"""Height of a row of bars or boxes."""

MAX_LETTERS: Final = 22
"""Maximum number of letters of a label; the rest is cut off."""

LETTER_WIDTH: Final = 7.2
"""Width of a letter of the widest system font at the size of labels."""


def plot(label: str, height: float, parts: Iterable[str]) -> str:
    """Return the SVG of a chart with these parts; ``label`` is for screen readers."""
    return (
        f'<svg class="plot" role="img" aria-label="{escape(label)}" '
        f'viewBox="0 0 {WIDTH} {number_text(height)}">{"".join(parts)}</svg>'
    )


def rect(
    x: float, y: float, width: float, height: float, paint: str,
    *, radius: float = 2.5, opacity: float = 1,
) -> str:  # fmt: skip
    """Return a filled rectangle with rounded corners; ``paint`` is a class of the style sheet."""
    alpha = "" if opacity == 1 else f' fill-opacity="{opacity:.2f}"'
    return (
        f'<rect class="{paint}" x="{number_text(x)}" y="{number_text(y)}" '
        f'width="{number_text(width)}" height="{number_text(height)}" '
        f'rx="{number_text(radius)}"{alpha}/>'
    )


def line(
    x: float, y: float, to_x: float, to_y: float, paint: str, width: float, *, dashed: bool = False
) -> str:
    """Return a straight line."""
    dashes = ' stroke-dasharray="4 3"' if dashed else ""
    return (
        f'<path class="plot-line {paint}" d="M{number_text(x)} {number_text(y)}'
        f'L{number_text(to_x)} {number_text(to_y)}" stroke-width="{number_text(width)}"{dashes}/>'
    )


def outline(corners: Sequence[tuple[float, float]], paint: str, width: float) -> str:
    """Return an open polyline."""
    through = "L".join(f"{number_text(x)} {number_text(y)}" for x, y in corners)
    return f'<path class="plot-line {paint}" d="M{through}" stroke-width="{number_text(width)}"/>'


def area(corners: Sequence[tuple[float, float]], paint: str) -> str:
    """Return a filled polygon."""
    through = "L".join(f"{number_text(x)} {number_text(y)}" for x, y in corners)
    return f'<path class="{paint}" d="M{through}z"/>'


def dot(x: float, y: float) -> str:
    """Return the dot for a point of a line chart."""
    return f'<circle class="f-pen" cx="{number_text(x)}" cy="{number_text(y)}" r="3"/>'


def diamond(x: float, y: float) -> str:
    """Return a diamond, which marks a value for comparison."""
    return f'<path class="plot-one" d="M{number_text(x)} {number_text(y - 7)}l6 7l-6 7l-6-7z"/>'


def label(middle: float, words: str, *, bold: bool = False) -> str:
    """Return the label of a row, condensed if it is long; ``middle`` is the y of its centre."""
    room = LABEL_WIDTH - 10
    words = words if len(words) <= MAX_LETTERS else f"{words[: MAX_LETTERS - 1]}…"
    is_long = sum(1.4 if letter in "mwMW" else 1 for letter in words) * LETTER_WIDTH > room
    squeezed = f' textLength="{room}" lengthAdjust="spacingAndGlyphs"' if is_long else ""
    return text(LABEL_WIDTH - 6, middle + 4.5, words, anchor="end", bold=bold, more=squeezed)


def text(
    x: float, y: float, words: str,
    *, anchor: str = "start", bold: bool = False, size: float = 13, more: str = "",
) -> str:  # fmt: skip
    """Return a text with its baseline at ``y``; ``more`` are additional attributes."""
    weight = ' font-weight="700"' if bold else ""
    return (
        f'<text class="plot-text" x="{number_text(x)}" y="{number_text(y)}" '
        f'font-size="{number_text(size)}" text-anchor="{anchor}"{weight}{more}>'
        f"{escape(words)}</text>"
    )
