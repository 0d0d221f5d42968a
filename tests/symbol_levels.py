"""A small level for each symbol, with all that this symbol needs to be of use."""

from __future__ import annotations

from typing import Any

from sheets.rules.symbols import SYMBOLS, Pays

COMPANIONS = {"key": "6Lr", "lock": "6Kr", "rocket": "-P", "planet": "6R"}
"""What stands on the level besides: a lock for a key."""


def written(name: str) -> str:
    """How a symbol is written in a grid, a red one if it has a colour."""
    symbol = SYMBOLS[name]
    return f"{symbol.letter}r" if symbol.is_coloured else symbol.letter


def colour_of(name: str) -> str:
    """The colour it has on these levels."""
    return "red" if SYMBOLS[name].is_coloured else ""


def usual_points(name: str) -> dict[str, Any]:
    """A level's ``points`` for a symbol, as the workshop offers them."""
    symbol = SYMBOLS[name]
    if symbol.pays is Pays.NOTHING:
        return {}
    amount = list(symbol.usual) if isinstance(symbol.usual, tuple) else symbol.usual
    return {name: {"red": amount} if symbol.is_coloured else amount}


def level_with(name: str) -> dict[str, Any]:
    """A ``dizzle-level/1`` with two of a symbol, on b1 and b2, beside a start on a1."""
    is_rails = SYMBOLS[name].pays is Pays.ON_LOOP
    first, second = (
        ("-V", "-V") if name == "volcano" else (f"2{written(name)}", f"3{written(name)}")
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
