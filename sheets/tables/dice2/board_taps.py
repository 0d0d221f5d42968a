"""Effect of a tap on a field of a board of Dice².

A tap places the number chosen before it, or the die that the app has thrown, if it fits there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from sheets.rules.dice2 import Dice2Game


class BoardTaps(NamedTuple):
    """Legal fields of each number that may be placed now; empty if it is another player's turn."""

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
    """Return the taps of the player to move; ``thrown`` is the app's die, 0 for a real one."""
    legal = game.legal()
    return BoardTaps({thrown: legal[thrown]} if thrown else legal)
