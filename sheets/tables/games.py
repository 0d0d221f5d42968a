"""Which game does a table play?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, cast

from sheets.models import Table
from sheets.tables.dice2.family import Dice2
from sheets.tables.dizzle import Dizzle
from sheets.tables.family import Family
from sheets.tables.log import Played
from sheets.tables.playing import DICE2, DIZZLE, playing_of

# A table's log leads to a game of its own kind only, which types cannot say.
FAMILIES: Final = cast("Mapping[object, Family[Played]]", {DIZZLE: Dizzle(), DICE2: Dice2()})
"""How each game that is played shows itself."""


def family_of(table: Table) -> Family[Played]:
    """The game of a table."""
    return FAMILIES[playing_of(table)]
