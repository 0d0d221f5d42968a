"""Text of a picture, fitted into its room."""

from __future__ import annotations

from typing import Final, Literal

from sheets.artwork.shapes import Point
from sheets.render.fonts import cut, face, fit
from sheets.render.items import Words

MIN_SHARE: Final = 0.5
"""Smallest share of the wanted font size; a longer text is cut."""


def fit_text(
    text: str,
    at: Point,
    size: float,
    room: float,
    *,
    bold: bool = True,
    role: str = "ink",
    anchor: Literal["start", "middle", "end"] = "start",
) -> Words:
    """Return a line of text at a point of its baseline: smaller, then cut, to fit the room."""
    text = face(bold).drawable_text(text)
    size = fit(text, size, room, bold=bold, min_share=MIN_SHARE)
    return Words(cut(text, size, room, bold=bold), *at, size, bold, role, anchor)
