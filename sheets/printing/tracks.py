"""What is counted on a level's sheet: which categories, which tracks, and what is filled in?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from sheets.artwork.drawings import symbol_id
from sheets.rules.level import Level
from sheets.rules.symbols import BY_CATEGORY, CATEGORIES
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
