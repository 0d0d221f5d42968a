"""The strokes that plots are drawn with, in the page's own colours.

Colours come from classes of ``artwork.css`` (``f-pen``, ``s-ink`` …) and ``workshop/plots.css``;
all else is in presentation attributes, so that a strict Content-Security-Policy holds. A plot is
`WIDTH` units wide, which is legible on a phone. What it shows is told by its label and by the table
beside it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Final

from sheets.artwork.shapes import number_text

WIDTH: Final = 360
LABELS: Final = 112
"""Room for the words at the left of bars and boxes."""

LONGEST: Final = 22
"""As many letters of a label are written."""

LETTER: Final = 7.2
"""How wide a letter of the widest system font is at the size of labels."""


def plot(label: str, height: float, parts: Iterable[str]) -> str:
    """A whole plot of that height, called ``label``."""
    return (
        f'<svg class="plot" role="img" aria-label="{escape(label)}" '
        f'viewBox="0 0 {WIDTH} {number_text(height)}">{"".join(parts)}</svg>'
    )


def rect(
    x: float, y: float, width: float, height: float, paint: str,
    *, radius: float = 2.5, opacity: float = 1,
) -> str:  # fmt: skip
    """A filled rectangle with rounded corners."""
    see = "" if opacity == 1 else f' fill-opacity="{opacity:.2f}"'
    return (
        f'<rect class="{paint}" x="{number_text(x)}" y="{number_text(y)}" '
        f'width="{number_text(width)}" height="{number_text(height)}" '
        f'rx="{number_text(radius)}"{see}/>'
    )


def line(
    x: float, y: float, to_x: float, to_y: float, paint: str, width: float, *, dashed: bool = False
) -> str:
    """A straight stroke."""
    dashes = ' stroke-dasharray="4 3"' if dashed else ""
    return (
        f'<path class="plot-line {paint}" d="M{number_text(x)} {number_text(y)}'
        f'L{number_text(to_x)} {number_text(to_y)}" stroke-width="{number_text(width)}"{dashes}/>'
    )


def outline(corners: Sequence[tuple[float, float]], paint: str, width: float) -> str:
    """A stroke from corner to corner."""
    through = "L".join(f"{number_text(x)} {number_text(y)}" for x, y in corners)
    return f'<path class="plot-line {paint}" d="M{through}" stroke-width="{number_text(width)}"/>'


def diamond(x: float, y: float) -> str:
    """The mark of what something is compared with; it stands out from every bar."""
    return f'<path class="plot-one" d="M{number_text(x)} {number_text(y - 7)}l6 7l-6 7l-6-7z"/>'


def label(middle: float, words: str, *, bold: bool = False) -> str:
    """Words at the left, squeezed where they are too long."""
    room = LABELS - 10
    words = words if len(words) <= LONGEST else f"{words[: LONGEST - 1]}…"
    is_long = sum(1.4 if letter in "mwMW" else 1 for letter in words) * LETTER > room
    squeezed = f' textLength="{room}" lengthAdjust="spacingAndGlyphs"' if is_long else ""
    return text(LABELS - 6, middle + 4.5, words, anchor="end", bold=bold, more=squeezed)


def text(
    x: float, y: float, words: str,
    *, anchor: str = "start", bold: bool = False, size: float = 13, more: str = "",
) -> str:  # fmt: skip
    """Words whose foot is at ``y``."""
    weight = ' font-weight="700"' if bold else ""
    return (
        f'<text class="plot-text" x="{number_text(x)}" y="{number_text(y)}" '
        f'font-size="{number_text(size)}" text-anchor="{anchor}"{weight}{more}>'
        f"{escape(words)}</text>"
    )
