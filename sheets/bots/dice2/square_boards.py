"""Which boards of Square Dice are worth the same, and how are they written down?

A board is a number of sixteen octal digits, four for each row that dice may lie in, the top left
field last: the number of the die there, 0 for none. Where all that lies on the table does not
matter. A board is worth the same once its rows are columns, and once it is turned upside down and
each die shows 7 less its number: what was in order is so again, and pays the same.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from sheets.bots.dice2.playouts import Lanes
from sheets.bots.playouts.arrays import Ints
from sheets.rules.dice2.game import MAX_SPAN

DIGIT: Final = 3
"""Bits of a field …"""

ROW: Final = DIGIT * MAX_SPAN
"""… and of a row."""

TOP: Final = 0o0000_0000_0000_7777
LEFT: Final = 0o0007_0007_0007_0007
ONES: Final = 0o1111_1111_1111_1111

HALVES: Final = 0o0000_0000_7777_7777
SECOND_ROWS: Final = 0o0000_7777_0000_7777
PAIRS: Final = 0o0077_0077_0077_0077
SECOND_COLUMNS: Final = 0o0707_0707_0707_0707

ASIDE: Final = 0o0000_7070_0000_7070
"""Fields that change places with those three on, within blocks of two by two …"""

CORNER: Final = 0o0000_0000_7700_7700
"""… and fields of the block that changes places with the one six on."""


def settled(boards: Ints) -> Ints:
    """Moved up and to the left until a die lies in the top row, and one in the left column."""
    for _ in range(MAX_SPAN - 1):
        boards = boards >> ROW * (boards & TOP == 0)
    for _ in range(MAX_SPAN - 1):
        boards = boards >> DIGIT * (boards & LEFT == 0)
    return boards


def mirrored(boards: Ints) -> Ints:
    """With rows as columns."""
    swapped = (boards ^ boards >> 9) & ASIDE
    boards = boards ^ swapped ^ swapped << 9
    swapped = (boards ^ boards >> 18) & CORNER
    return boards ^ swapped ^ swapped << 18


def turned(boards: Ints) -> Ints:
    """Upside down, with 7 less each number."""
    taken = (boards | boards >> 1 | boards >> 2) & ONES
    boards = boards ^ taken * 7
    boards = boards >> 24 & HALVES | (boards & HALVES) << 24
    boards = boards >> 12 & SECOND_ROWS | (boards & SECOND_ROWS) << 12
    boards = boards >> 6 & PAIRS | (boards & PAIRS) << 6
    return boards >> 3 & SECOND_COLUMNS | (boards & SECOND_COLUMNS) << 3


def least(boards: Ints) -> Ints:
    """The smallest of the numbers of all boards that are worth as much.

    Args:
        boards: as `settled` gives them.
    """
    others = settled(turned(boards))
    first: Ints = np.minimum(boards, mirrored(boards))
    found: Ints = np.minimum(first, np.minimum(others, mirrored(others)))
    return found


def boards_of(lanes: Lanes) -> Ints:
    """The boards of games of Square Dice, as `settled` gives them, by lane.

    Args:
        lanes: with what they show, and at least one die.
    """
    shown = lanes.shown.view(np.uint8).reshape(len(lanes), lanes.layout.words, 8)
    rows = shown.any(axis=2).argmax(axis=1)
    columns = shown.any(axis=1).argmax(axis=1)
    side = np.arange(MAX_SPAN)
    # What lies beyond the last row is the first one: no die lies there, or it would be the top.
    down = (rows[:, None] + side) % lanes.layout.words
    right = (columns[:, None] + side) % 8
    sets = shown[np.arange(len(lanes))[:, None, None], down[:, :, None], right[:, None, :]]
    numbers = np.where(sets > 0, np.bitwise_count(sets - np.uint8(1)), 0).astype(np.intp)
    digits = numbers.reshape(len(lanes), -1) << DIGIT * np.arange(MAX_SPAN**2)
    return np.asarray(digits.sum(axis=1))
