"""Which drawings are there?"""

from __future__ import annotations

from functools import lru_cache

from sheets.artwork import coloured, marks, things
from sheets.artwork.palette import COLOURS
from sheets.artwork.shapes import Drawing


@lru_cache(maxsize=1)
def drawings() -> dict[str, Drawing]:
    """Every symbol and mark by its id: ``gem-red``, ``bomb``, ``cross-2``, ``track-NE-print`` …"""
    found = [coloured.draw(symbol, colour) for symbol in coloured.SYMBOLS for colour in COLOURS]
    found += [things.draw(symbol) for symbol in things.THINGS]
    found += [things.draw_sign(sign) for sign in things.SIGNS]
    found += marks.all_marks()
    return {drawing.id: drawing for drawing in found}


def drawing(id: str) -> Drawing:
    """One drawing (KeyError if there is none of that id)."""
    return drawings()[id]


def symbol_id(symbol: str, colour: str = "") -> str:
    """The id of a field's symbol: ``symbol_id("gem", "red")`` is ``gem-red``."""
    return f"{symbol}-{colour}" if colour else symbol
