"""Settings of a table: its game, its level and whose dice are used."""

from __future__ import annotations

from typing import Final

from sheets.models import Table
from sheets.models.levels import stored_level
from sheets.rules import Level
from sheets.rules.dice2 import KINDS
from sheets.rules.dice2.relay import PLAYER_COUNTS

ROLLED: Final = "rolled"
"""Dice setting of a table: the app rolls."""
MIRRORED: Final = "table"
"""Dice setting of a table: real dice lie on the table, and players tap where they place them."""
TYPED: Final = "typed"
"""Dice setting of a table: the players type in what real dice show."""
DICE: Final = (MIRRORED, TYPED, ROLLED)
"""All dice settings."""

RELAY: Final = "relay"
"""Value of `Table.game` for a relay, which is a series of games of Dice²."""


def player_counts(dice2_game: str) -> tuple[int, ...]:
    """Return the possible numbers of players for a game of Dice², or a relay."""
    return PLAYER_COUNTS if dice2_game == RELAY else KINDS[dice2_game].player_counts


def is_dice2(table: Table) -> bool:
    """Return whether a table plays Dice² and not Dizzle."""
    return bool(table.game)


def level_of(table: Table) -> Level:
    """Return the level as it was when the table was opened."""
    return stored_level(Table, pk=table.pk, code=table.code)
