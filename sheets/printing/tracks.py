"""What is counted on a level's sheet: which categories, which tracks, and what is filled in?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from sheets.rules.level import Level
from sheets.words import has_arrows


class Filled(NamedTuple):
    """What is written on a sheet: points by category, the total, and circled numbers.

    ``circled`` is by ``flag`` or ``race`` and colour or area's index, as ``("flag", "red")``.
    """

    by: Mapping[str, int]
    total: int
    circled: Mapping[tuple[str, str], int]


class Track(NamedTuple):
    """Numbers of which a player circles one: of a flag colour or a race area."""

    kind: str
    key: str
    numbers: tuple[int, ...]
    symbol: str


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


def tracks(level: Level) -> list[Track]:
    """The tracks of numbers to circle, flags first."""
    found = [
        Track("flag", colour, level.flag_tracks[colour], f"flag-{colour}")
        for colour in level.by_colour["flag"]
    ]
    for index, area in enumerate(level.areas):
        if area.race:
            found.append(Track("race", str(index), area.race, "sign-area"))
    return found
