"""Presentation of the game that a table plays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, cast

from sheets.models import Table
from sheets.tables.dice2.family import Dice2
from sheets.tables.dizzle import Dizzle
from sheets.tables.family import Family
from sheets.tables.log import Played
from sheets.tables.playing import DICE2, DIZZLE, playing_of

# The log of a table leads only to its own kind of game; the type system cannot express that.
FAMILIES: Final = cast("Mapping[object, Family[Played]]", {DIZZLE: Dizzle(), DICE2: Dice2()})
"""Presentation by game."""


def family_of(table: Table) -> Family[Played]:
    """Return the presentation of the game that a table plays."""
    return FAMILIES[playing_of(table)]
