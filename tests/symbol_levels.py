"""A small level for each symbol, with all that the symbol needs to have an effect."""

from __future__ import annotations

from typing import Any

from sheets.rules.symbols import SYMBOLS, Pays

COMPANIONS = {"key": "6Lr", "lock": "6Kr", "rocket": "-P", "planet": "6R"}
"""Notation of a field with the symbol that another symbol needs, such as a lock for a key."""


def notation_of(name: str) -> str:
    """Return the notation of a symbol in a grid, in red if it has a colour."""
    symbol = SYMBOLS[name]
    return f"{symbol.letter}r" if symbol.is_coloured else symbol.letter


def colour_of(name: str) -> str:
    """Return the colour of a symbol on these levels."""
    return "red" if SYMBOLS[name].is_coloured else ""


def usual_points(name: str) -> dict[str, Any]:
    """Return a level's ``points`` for a symbol, with the default of the workshop."""
    symbol = SYMBOLS[name]
    if symbol.pays is Pays.NOTHING:
        return {}
    amount = (
        list(symbol.default_points)
        if isinstance(symbol.default_points, tuple)
        else symbol.default_points
    )
    return {name: {"red": amount} if symbol.is_coloured else amount}


def level_with(name: str) -> dict[str, Any]:
    """Return a ``dizzle-level/1`` with a symbol on b1 and b2, and a printed mark on a1."""
    is_rails = SYMBOLS[name].pays is Pays.ON_LOOP
    first, second = (
        ("-V", "-V") if name == "volcano" else (f"2{notation_of(name)}", f"3{notation_of(name)}")
    )
    return {
        "format": "dizzle-level/1",
        "id": f"with-{name}",
        "name": "Small",
        "grid": [
            f"{'1' if is_rails else '1x'} {first} 4",
            f"5 {second} {COMPANIONS.get(name, '6')}",
        ],
        **({"marks": "tracks", "tracks": {"a1": "ES"}} if is_rails else {}),
        "points": usual_points(name),
        "rounds": {"1": 2, "2": 1},
    }
