"""Which game does a table play?"""

from __future__ import annotations

from typing import Final, cast

from sheets.models import Table
from sheets.rules import Game
from sheets.rules.dice2.sitting import Sitting
from sheets.tables.dice2.family import Dice2
from sheets.tables.dizzle import Dizzle
from sheets.tables.family import Family
from sheets.tables.log import Played
from sheets.tables.playing import is_dice2

DIZZLE: Final[Family[Game]] = Dizzle()
DICE2: Final[Family[Sitting]] = Dice2()


def family_of(table: Table) -> Family[Played]:
    """The game of a table."""
    # A table's log leads to a game of its own kind only, which types cannot say.
    return cast("Family[Played]", DICE2 if is_dice2(table) else DIZZLE)
