"""Suggestions that few games are played on, for tests of all else about them."""

from __future__ import annotations

from typing import Final

from sheets.workshop.suggest import trying

LITTLE: Final = {
    "CANDIDATES": 3,
    "RAIL_CANDIDATES": 3,
    "FINALISTS": 3,
    "SOLO_GAMES": 4,
    "TWO_GAMES": 2,
}
"""How few, by what `sheets.workshop.suggest.trying` calls it."""

IN_FULL: Final = {name: getattr(trying, name) for name in LITTLE}
"""How many on a site."""
