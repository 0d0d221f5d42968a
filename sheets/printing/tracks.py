"""What is counted on a level's sheet: which categories, which tracks, and what is filled in?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from sheets.artwork.drawings import symbol_id
from sheets.rules.level import Level
from sheets.rules.symbols import BY_CATEGORY, CATEGORIES
from sheets.rules.tracks import NumberTrack
from sheets.texts.symbols import has_arrows


class Filled(NamedTuple):
    """What is written on a sheet: points by category, the total, and circled numbers.

    ``circled`` is by the place of a `NumberTrack`.
    """

    by: Mapping[str, int]
    total: int
    circled: Mapping[str, int]


def categories(level: Level) -> dict[str, str]:
    """The categories a level has, each with the id of the drawing that stands for it."""
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
    """The tracks of numbers to circle, by the category that they count in."""
    return {"flags": level.flags, "areas": level.races}


def number_room(track: NumberTrack, points: int) -> tuple[str, ...]:
    """What the circle of a number is for, as the `what` of a `Room`."""
    return ("numbers", f"{track.kind}-{track.key}", str(points))


def track_drawing(track: NumberTrack) -> str:
    """The id of the drawing that stands before a track's numbers."""
    return f"flag-{track.key}" if track.kind == "flag" else "sign-area"
