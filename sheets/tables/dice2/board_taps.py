"""What does a tap on a field of a board of Dice² do at the moment?

A tap places the number chosen before it, or the die that the app has thrown, where that fits.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from sheets.rules.dice2 import Dice2Game


class BoardTaps(NamedTuple):
    """Where each number that may be placed now could go; none where it is not one's turn."""

    legal: Mapping[int, Sequence[str]] = {}

    @property
    def skips(self) -> list[int]:
        """The numbers that fit nowhere, each of which can be skipped."""
        return [die for die, fields in self.legal.items() if not fields]

    @property
    def numbers(self) -> list[tuple[int, bool]]:
        """The numbers to choose from, and whether each fits anywhere."""
        return [(die, bool(fields)) for die, fields in self.legal.items()]

    def takes(self, at: str) -> list[int]:
        """The numbers that a field takes."""
        return [die for die, fields in self.legal.items() if at in fields]


def board_taps(game: Dice2Game, thrown: int) -> BoardTaps:
    """What taps of the player to move do; ``thrown`` is the app's die, 0 for a real one."""
    legal = game.legal()
    return BoardTaps({thrown: legal[thrown]} if thrown else legal)
