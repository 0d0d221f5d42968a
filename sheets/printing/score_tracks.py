"""Categories and number tracks that a level's sheet counts, and their values on a filled sheet."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from sheets.art.drawings import symbol_id
from sheets.rules.level import Level
from sheets.rules.symbols import BY_CATEGORY, CATEGORIES
from sheets.rules.tracks import NumberTrack
from sheets.text.symbols import has_arrows


class WrittenNumbers(NamedTuple):
    """Numbers written on a sheet: points by category, the total, and circled numbers.

    ``circled`` maps the identifier of a number track (`NumberTrack.place`) to its circled number.
    """

    by_category: Mapping[str, int]
    total: int
    circled: Mapping[str, int]


def categories(level: Level) -> dict[str, str]:
    """Return the score categories of a level, each with the id of its drawing."""
    drawings = {}
    if level.lines:
        drawings["lines"] = "sign-line" if has_arrows(level) else "sign-chain"
    if level.areas:
        drawings["areas"] = "sign-area"
    if level.rails:
        drawings["tracks"] = "track-ES-print"
    for category, symbol in BY_CATEGORY.items():
        if level.by_symbol[symbol.name]:
            colour = next(iter(level.by_colour.get(symbol.name, ())), "")
            drawings[category] = symbol_id(symbol.name, colour)
    return {category: drawings[category] for category in CATEGORIES if category in drawings}


def tracks(level: Level) -> dict[str, tuple[NumberTrack, ...]]:
    """Return the number tracks of a level by their score category."""
    return {"flags": level.flags, "areas": level.races}


def number_area_path(track: NumberTrack, points: int) -> tuple[str, ...]:
    """Return `WritingArea.path` for the circle of a number on a number track."""
    return ("numbers", f"{track.kind}-{track.key}", str(points))


def track_drawing(track: NumberTrack) -> str:
    """Return the id of the drawing to the left of a number track's numbers."""
    return f"flag-{track.key}" if track.kind == "flag" else "sign-area"
