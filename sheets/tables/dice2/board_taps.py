"""Effect of a tap on a field of a board of Dice².

A tap places a die on the field if it fits there: the number that the player has chosen before, or
the die that the app has thrown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from sheets.rules.dice2 import Dice2Game


class BoardTaps(NamedTuple):
    """Legal fields by number, for the numbers that this device may place now; empty for none."""

    legal: Mapping[int, Sequence[str]] = {}

    @property
    def skips(self) -> list[int]:
        """Numbers without a legal field, which may be skipped."""
        return [die for die, fields in self.legal.items() if not fields]

    @property
    def numbers(self) -> list[tuple[int, bool]]:
        """Numbers to choose from, each with whether it has a legal field."""
        return [(die, bool(fields)) for die, fields in self.legal.items()]

    def takes(self, at: str) -> list[int]:
        """Return the numbers that may be placed on a field."""
        return [die for die, fields in self.legal.items() if at in fields]


def board_taps(game: Dice2Game, thrown: int) -> BoardTaps:
    """Return what the player to move can place; ``thrown`` is the app's die, 0 with real dice."""
    legal = game.legal()
    return BoardTaps({thrown: legal[thrown]} if thrown else legal)
