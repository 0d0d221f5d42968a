"""Suggestions that few games are played on, for tests of all else about them."""

from __future__ import annotations


def trying_little() -> dict[str, int]:
    """How few, by what `sheets.workshop.suggest.trying` calls it."""
    return {
        "CANDIDATES": 3,
        "RAIL_CANDIDATES": 3,
        "FINALISTS": 3,
        "SOLO_GAMES": 4,
        "TWO_GAMES": 2,
    }
