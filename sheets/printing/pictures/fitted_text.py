"""Text of a picture, fitted into its room."""

from __future__ import annotations

from typing import Final, Literal

from sheets.art.render.fonts import face, fitted_size, truncate
from sheets.art.render.items import TextLine
from sheets.art.shapes import Point

MIN_SHARE: Final = 0.5
"""Minimum font size of a text, as a share of the wanted one; longer texts are truncated."""


def fit_text(
    text: str,
    at: Point,
    size: float,
    room: float,
    *,
    bold: bool = True,
    role: str = "ink",
    anchor: Literal["start", "middle", "end"] = "start",
) -> TextLine:
    """Return a line of text that fits a width.

    If it is too long, the font size is reduced; if that is not enough, the text is truncated.
    ``at`` is the point of the baseline to which ``anchor`` refers.
    """
    text = face(bold).drawable_text(text)
    size = fitted_size(text, size, room, bold=bold, min_share=MIN_SHARE)
    return TextLine(truncate(text, size, room, bold=bold), *at, size, bold, role, anchor)
