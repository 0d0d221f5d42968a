"""What is a board of Square Dice with few dice worth, played as well as can be to the end?

That is looked up: `bench/square_best.py` has worked out the whole game once and written down what
all boards with so few dice are worth, those that are worth the same as one.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from sheets.bots.dice2.playouts import Lanes
from sheets.bots.dice2.search import Options
from sheets.bots.dice2.square_boards import boards_of, least
from sheets.bots.playouts.arrays import Bytes, Floats, Ints

VALUES: Final = Path(__file__).with_name("square_opening.npz")
"""Two arrays of bytes, the lowest of each number in the first row, the next in the second …:
``steps`` from each board to the next one, and ``points``, of which `PARTS` are one."""

MOST_DICE: Final = 6
"""Boards with more dice are not in the file."""

PARTS: Final = 2048


class Opening(NamedTuple):
    """Boards as `least` gives them, ascending, and the points that games end with on average."""

    boards: Ints
    points: Floats


@cache
def load_opening() -> Opening:
    """What the file says."""
    with np.load(VALUES, allow_pickle=False) as file:
        return Opening(from_bytes(file["steps"]).cumsum(), from_bytes(file["points"]) / PARTS)


def to_bytes(numbers: Ints) -> Bytes:
    """A row for each byte of numbers: what is alike lies together, so that it packs well."""
    count = -(-int(numbers.max()).bit_length() // 8)
    return (numbers >> 8 * np.arange(count)[:, None] & 0xFF).astype(np.uint8)


def from_bytes(rows: Bytes) -> Ints:
    """The numbers again."""
    return np.asarray((rows.astype(np.intp) << 8 * np.arange(len(rows))[:, None]).sum(axis=0))


def expected_points(lanes: Lanes) -> Floats:
    """What games of Square Dice end with on average, played as well as can be.

    Args:
        lanes: before a throw, with one die to `MOST_DICE` on the board, and with what they show.
    """
    opening = load_opening()
    return opening.points[np.searchsorted(opening.boards, least(boards_of(lanes)))]


def best_option(options: Options) -> int | None:
    """The best option of one decision, or None where too many dice lie."""
    if options.after.placed[0] > MOST_DICE:
        return None
    return int(expected_points(options.after).argmax())
