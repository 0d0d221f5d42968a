"""Heuristic values of boards of Square Dice, from the ways in which each line can still pay."""

from __future__ import annotations

from functools import reduce
from typing import Final

import numpy as np

from sheets.bots.dice2.playouts import Lanes
from sheets.bots.dice2.playouts.batch_state import EACH_BYTE
from sheets.bots.dice2.playouts.layout import ALL_NUMBERS
from sheets.bots.playouts.arrays import Floats, Ints, Sets
from sheets.rules.dice2.board import STEPS
from sheets.rules.dice2.kinds import LINE_LENGTH

OPEN_LINE_VALUES: Final = np.array((0, 0.0098, 0.03, 0.1225, 0))
"""Points for each way in which a line of four can still pay, by the number of dice on it. The
weights of this module brought the most points in trials."""

NEXT_DIE_VALUES: Final = np.array((-3.12, -2.91, -1.89, -0.83, -0.29, -0.15, 0))
"""Points by the count of numbers that the next die may show without ending the game."""

ROOM_VALUE: Final = 0.005
"""Points for each number that each field can take next."""

UNFINISHED_VALUE: Final = 10.0
"""Points for a game that goes on, compared with one that is over."""


def board_values(after: Lanes) -> Floats:
    """Return the values of boards, in points."""
    sets = after.fits & after.near
    to_come = open_line_values(after) + NEXT_DIE_VALUES.take(count_different(sets))
    to_come += ROOM_VALUE * np.bitwise_count(sets).sum(axis=1)
    return np.asarray(after.points[:, 0] + np.where(after.is_over, 0, UNFINISHED_VALUE + to_come))


def open_line_values(after: Lanes) -> Floats:
    """Return the values of the lines that are not complete.

    Each word is a row of the board, and each byte of it a field, so a shift moves to the next field
    of each line. A further shift by one bit per field makes consecutive numbers equal, so that one
    test finds equal and consecutive numbers.
    """
    can = np.ascontiguousarray((after.fits | after.shown).T)
    lies = np.ascontiguousarray(after.shown.T)
    for bits in (4, 2, 1):
        lies |= lies >> _u(bits)
    lies &= EACH_BYTE
    found = np.zeros(len(after))
    for down, right in STEPS:
        along = [shifted(can, down, right, step) for step in range(LINE_LENGTH)]
        ways = [along, [numbers_less(numbers, step) for step, numbers in enumerate(along)]]
        if right < 0:
            back = reversed(along)
            ways.append([numbers_less(numbers, step) for step, numbers in enumerate(back)])
        paid = [reduce(np.bitwise_and, numbers) for numbers in ways]
        placed = reduce(np.add, [shifted(lies, down, right, n) for n in range(LINE_LENGTH)])
        for count, points in enumerate(OPEN_LINE_VALUES.tolist()):
            if points:
                mask = bytes_of(placed, count)
                counts = reduce(np.add, [np.bitwise_count(numbers & mask) for numbers in paid])
                found += points * counts.sum(axis=0)
    return found


def shifted(sets: Sets, down: int, right: int, step: int) -> Sets:
    """Return the sets of the fields ``step`` steps after each field where a line can begin.

    Beyond the edge of the board they are empty. Here ``sets`` has a row for each row of the board.
    """
    first = down * step
    rows = sets[first : first + len(sets) - down * (LINE_LENGTH - 1)]
    bits = _u(8 * step)
    found: Sets = rows << bits if right < 0 else rows >> bits * _u(right)
    return found


def numbers_less(sets: Sets, step: int) -> Sets:
    """Return the sets with ``step`` subtracted from each number."""
    return sets >> _u(step) & EACH_BYTE * _u(ALL_NUMBERS >> step)


def bytes_of(sets: Sets, value: int) -> Sets:
    """Return the sets with all bits of the bytes that equal ``value``; bytes are less than 8."""
    other = sets ^ EACH_BYTE * _u(value)
    found: Sets = (~(other | other >> _u(1) | other >> _u(2)) & EACH_BYTE) * _u(0xFF)
    return found


def _u(value: int) -> np.uint64:
    return np.uint64(value)


def count_different(sets: Sets) -> Ints:
    """Return how many different numbers each set has."""
    found: Sets = np.bitwise_or.reduce(sets, axis=1)
    for width in (32, 16, 8):
        found |= found >> np.uint64(width)
    return np.asarray(np.bitwise_count(found & np.uint64(0xFF)), np.intp)
