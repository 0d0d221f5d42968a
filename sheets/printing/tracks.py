"""What is counted on a level's sheet: which categories, which tracks, and what is filled in?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from sheets.rules.level import Level
from sheets.rules.tracks import NumberTrack
from sheets.words import has_arrows


class Filled(NamedTuple):
    """What is written on a sheet: points by category, the total, and circled numbers.

    ``circled`` is by the place of a `NumberTrack`.
    """

    by: Mapping[str, int]
    total: int
    circled: Mapping[str, int]


def categories(level: Level) -> dict[str, str]:
    """The categories a level has, each with the id of the drawing that stands for it."""
    symbols = level.by_symbol
    colours = {name: next(iter(fields), "") for name, fields in level.by_colour.items()}
    has = {
        "gems": (symbols["gem"], f"gem-{colours['gem']}"),
        "lines": (level.lines, "sign-line" if has_arrows(level) else "sign-chain"),
        "puzzles": (symbols["puzzle"], f"puzzle-{colours['puzzle']}"),
        "areas": (level.areas, "sign-area"),
        "flags": (symbols["flag"], f"flag-{colours['flag']}"),
        "heaps": (symbols["heap"], "heap"),
        "bombs": (symbols["bomb"], "bomb"),
        "tracks": (level.rails, "track-ES-print"),
        "stops": (symbols["stop"], "stop"),
    }
    return {category: drawing for category, (there, drawing) in has.items() if there}


def tracks(level: Level) -> dict[str, tuple[NumberTrack, ...]]:
    """The tracks of numbers to circle, by the category that they count in."""
    return {"flags": level.flags, "areas": level.races}


def track_drawing(track: NumberTrack) -> str:
    """The id of the drawing that stands before a track's numbers."""
    return f"flag-{track.key}" if track.kind == "flag" else "sign-area"
