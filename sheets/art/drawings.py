"""Registry of all drawings by id."""

from __future__ import annotations

from functools import lru_cache

from sheets.art import board, coloured_symbols, marks, plain_symbols
from sheets.art.palette import COLOURS
from sheets.art.shapes import Drawing


@lru_cache(maxsize=1)
def drawings() -> dict[str, Drawing]:
    """Return all symbols and marks by id: ``gem-red``, ``cross-2``, ``track-NE-print`` …"""
    found = [
        coloured_symbols.draw(symbol, colour)
        for symbol in coloured_symbols.COLOURED_SYMBOLS
        for colour in COLOURS
    ]
    found += [plain_symbols.draw(symbol) for symbol in plain_symbols.PLAIN_SYMBOLS]
    found += [plain_symbols.draw_sign(sign) for sign in plain_symbols.SIGNS]
    found += marks.all_marks()
    return {drawing.id: drawing for drawing in found}


@lru_cache(maxsize=1)
def board_drawings() -> dict[str, Drawing]:
    """Return the dice and markers of Dice² by id: ``die2-0-6`` is the first player's six."""
    return {drawing.id: drawing for drawing in board.all_pieces()}


def drawing(id: str) -> Drawing:
    """Return the drawing with this id, of Dizzle or of Dice².

    Raises:
        KeyError: no drawing has this id.
    """
    return drawings().get(id) or board_drawings()[id]


def symbol_id(symbol: str, colour: str = "") -> str:
    """Return the drawing id of a symbol: ``symbol_id("gem", "red")`` is ``gem-red``."""
    return f"{symbol}-{colour}" if colour else symbol
