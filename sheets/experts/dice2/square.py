"""What is a board of Square Dice worth to somebody who looks at what each line can still become?"""

from __future__ import annotations

from functools import cache
from typing import Final

import numpy as np

from sheets.playouts.arrays import Floats, Ints, Sets
from sheets.playouts.dice2 import Lanes
from sheets.playouts.dice2.layout import lay_out
from sheets.rules.dice2.board import STEPS, walk
from sheets.rules.dice2.kinds import LINE_LENGTH

LINES_TO_COME: Final = np.array((0, 0.0098, 0.03, 0.1225, 0))
"""Points that a line of four promises for each way in which it can still be paid, by how many of
its dice lie; as all weights here, those with which most points were made in trials."""

NEXT_DIE: Final = np.array((-3.12, -2.91, -1.89, -0.83, -0.29, -0.15, 0))
"""… that the board promises, by how many numbers the next die may show without ending the game …"""

ROOM: Final = 0.005
"""… and for each number of each field that it may show."""

STILL_OPEN: Final = 10.0
"""A game that can go on, beside one that is over with as many points."""


def worths(after: Lanes) -> Floats:
    """What boards are worth, in points."""
    sets = after.fits & after.near
    to_come = lines_to_come(after) + NEXT_DIE.take(count_different(sets))
    to_come += ROOM * np.bitwise_count(sets).sum(axis=1)
    return np.asarray(after.points[:, 0] + np.where(after.is_over, 0, STILL_OPEN + to_come))


def lines_to_come(after: Lanes) -> Floats:
    """What the lines that are not complete promise."""
    fields, rising = _lines()
    can = (after.fits | after.shown).view(np.uint8)
    first, second, third, fourth = can.take(fields, axis=1).swapaxes(0, 1)
    ways = np.bitwise_count(first & second & third & fourth)
    ways += np.bitwise_count(first & (second >> 1) & (third >> 2) & (fourth >> 3))
    back = [numbers[:, -rising:] for numbers in (fourth, third, second, first)]
    ways[:, -rising:] += np.bitwise_count(
        back[0] & (back[1] >> 1) & (back[2] >> 2) & (back[3] >> 3)
    )
    lies = (after.shown.view(np.uint8) != 0).view(np.uint8)
    placed = np.add.reduce(lies.take(fields, axis=1), axis=1)
    return np.asarray((LINES_TO_COME.take(placed) * ways).sum(axis=1))


@cache
def _lines() -> tuple[Ints, int]:
    """A column for each line of four: its fields, the rising ones last; and how many are rising."""
    layout = lay_out("square", 1)
    place = {index: number for number, index in enumerate(layout.fields)}
    lines: dict[bool, list[list[int]]] = {False: [], True: []}
    for start in layout.fields:
        for down, right in STEPS:
            line = [start, *walk(start, down, right)][:LINE_LENGTH]
            if len(line) == LINE_LENGTH and all(index in place for index in line):
                lines[right < 0].append([place[index] for index in line])
    return np.array(lines[False] + lines[True]).T, len(lines[True])


def count_different(sets: Sets) -> Ints:
    """How many different numbers each set has."""
    found: Sets = np.bitwise_or.reduce(sets, axis=1)
    for width in (32, 16, 8):
        found |= found >> np.uint64(width)
    return np.asarray(np.bitwise_count(found & np.uint64(0xFF)), np.intp)
