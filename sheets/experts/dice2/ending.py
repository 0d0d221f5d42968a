"""Who wins Last Man Dice when both play as well as can be, worked out to the end?

Sets of numbers by field are one integer each: the byte of a field has a bit for each number, as in
`sheets.playouts.dice2.layout`.
"""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

import numpy as np

from sheets.experts.dice2.search import Options
from sheets.playouts.arrays import Sets
from sheets.playouts.dice2 import Lanes
from sheets.playouts.dice2.layout import DICE, lay_out

MOST_DICE: Final = 8
"""With more dice left, endings are not worked out …"""

MOST_POSITIONS: Final = 4000
"""… nor with more positions than these."""

NUMBERS: Final = DICE - 1
BYTE: Final = 0xFF


class Ending(NamedTuple):
    """A position before somebody throws, stripped of what no longer matters.

    ``fits``, ``near`` and ``own`` are those of `sheets.playouts.dice2.Lanes`, of fields that can
    still take a die; ``last`` placed one last.
    """

    fits: int
    near: int
    own: tuple[int, int]
    dice_left: tuple[int, int]
    last: int

    def open_to(self, player: int) -> int:
        """The numbers that each field takes from a player."""
        return self.fits & self.near & self.own[player] if self.dice_left[player] else 0

    def place(self, player: int, field: int, die: int) -> Ending:
        """What it is after a player's die."""
        keep, beside, around = _tables()
        fits = self.fits & keep[field * DICE + die]
        open_fields = _whole_bytes(fits)
        own = [numbers & open_fields for numbers in self.own]
        own[player] |= around[field] & open_fields
        left = list(self.dice_left)
        left[player] -= 1
        near = (self.near | beside[field]) & open_fields
        return Ending(fits, near, (own[0], own[1]), (left[0], left[1]), player)


class TooLarge(Exception):
    """There are more positions than may be looked at."""


class Endings:
    """Positions that are worked out, as many as may be.

    Args:
        limit: how many positions are looked at before it is `TooLarge`.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._known: dict[Ending, tuple[float, float]] = {}

    def chance(self, ending: Ending, player: int) -> float:
        """How probably the first player wins if somebody throws next.

        Who has thrown what fits nowhere keeps the die, so that the turn may go round without any
        change: what it is worth to have it and not to have it are two equations.

        Args:
            ending: the position.
            player: who throws next, unless they have no dice left.
        """
        open_to = ending.open_to(0), ending.open_to(1)
        if not any(open_to):
            return float(ending.last == 0)
        if not all(ending.dice_left):  # who alone has dice will place the last one
            return float(ending.dice_left[0] > 0)
        if ending not in self._known:
            if len(self._known) >= self._limit:
                raise TooLarge
            self._known[ending] = 0, 0
            self._known[ending] = self._solve(ending, open_to)
        return self._known[ending][player]

    def _solve(self, ending: Ending, open_to: tuple[int, int]) -> tuple[float, float]:
        placed, skipped = zip(*(self._moves(ending, p, open_to[p]) for p in range(2)), strict=True)
        # first = placed[0] + skipped[0] * second, second = placed[1] + skipped[1] * first
        first = (placed[0] + skipped[0] * placed[1]) / (1 - skipped[0] * skipped[1])
        return first, placed[1] + skipped[1] * first

    def _moves(self, ending: Ending, player: int, numbers: int) -> tuple[float, float]:
        """What a player's best moves bring over all throws, and the part that has to be skipped."""
        best: dict[int, float] = {}
        choose = min if player else max
        while numbers:
            lowest = numbers & -numbers
            numbers ^= lowest
            field, die = divmod(lowest.bit_length() - 1, 8)
            value = self.chance(ending.place(player, field, die), 1 - player)
            best[die] = choose(best.get(die, value), value)
        return sum(best.values()) / NUMBERS, 1 - len(best) / NUMBERS


def best_option(options: Options) -> int | None:
    """The best option of one decision, or None where that would take too long to work out.

    Args:
        options: what can be done; both players have placed a die.
    """
    after, players = options.after, options.players.tolist()
    if after.dice_left[0].sum() > MOST_DICE:
        return None
    endings = Endings(MOST_POSITIONS)
    try:
        chances = [
            endings.chance(ending_of(after, option), int(after.player[option]))
            for option in range(len(players))
        ]
    except TooLarge:
        return None
    own = [
        1 - chance if player else chance for chance, player in zip(chances, players, strict=True)
    ]
    return own.index(max(own))


def ending_of(lanes: Lanes, lane: int) -> Ending:
    """The position of a lane."""
    fits = _integer(lanes.fits[lane])
    open_fields = _whole_bytes(fits)
    own = [_integer(sets) & open_fields for sets in lanes.own[lane]]
    left = lanes.dice_left[lane].tolist()
    last = int(lanes.last_placed[lane].argmax())
    near = _integer(lanes.near[lane]) & open_fields
    return Ending(fits, near, (own[0], own[1]), (left[0], left[1]), last)


def _integer(row: Sets) -> int:
    return int.from_bytes(np.ascontiguousarray(row).tobytes(), "little")


def _whole_bytes(numbers: int) -> int:
    """All bits of each byte that has one."""
    found = numbers | numbers >> 4
    found |= found >> 2
    found |= found >> 1
    return (found & _ones()) * BYTE


@cache
def _ones() -> int:
    return int.from_bytes(b"\1" * 8 * lay_out("last-man", 2).words, "little")


@cache
def _tables() -> tuple[list[int], list[int], list[int]]:
    """`keep`, `beside` and `around` of the layout as integers."""
    layout = lay_out("last-man", 2)
    tables = [
        [_integer(row) for row in table] for table in (layout.keep, layout.beside, layout.around)
    ]
    return tables[0], tables[1], tables[2]
