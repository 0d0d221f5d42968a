"""All boards of Square Dice with one more die, and what those with one less are worth: compiled.

A board is a number, see `sheets.bots.dice2.square_boards`; of those worth the same the least
stands for all. Boards are found in tables, whose size is a power of two: where a board is, or would
be, its bits say, or it is the next place that is free.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit
from numba.extending import register_jitable

from sheets.bots.dice2.square_boards import least, mirrored, settled, turned
from sheets.bots.playouts.arrays import Floats, Ints
from sheets.rules.dice2.game import DIE_NUMBERS, MAX_SPAN

MOST_FOLLOWING = 2 * MAX_SPAN**2 * len(DIE_NUMBERS)
"""No board leads to so many."""

MIXER = 0x9E3779B97F4A7C15 - (1 << 64)
"""Odd, with bits all over: 2^64 parted by the golden mean, as a number with a sign."""

FULL = 0.6
"""A table is never fuller than this."""

for function in (settled, mirrored, turned, least):
    register_jitable(function)


def find_following(layer: Ints) -> Ints:
    """The boards with one more die to which those of a layer lead, ascending."""
    table = np.zeros(1 << 16, np.int64)
    begin = taken = 0
    while True:
        most = int(len(table) * FULL) - MOST_FOLLOWING
        begin, taken = go_forwards(layer, begin, table, taken, most)
        found = table[table > 0]
        if begin == len(layer):
            found.sort()
            return found
        table = np.zeros(2 * len(table), np.int64)
        put_all(table, found)


def find_worths(layer: Ints, later: Ints, later_worths: Floats, bonus: int) -> Floats:
    """What the boards of a layer are worth.

    Args:
        layer: the boards.
        later: those with one more die.
        later_worths: what these are worth.
        bonus: what a board of the layer brings besides its lines.
    """
    table = np.zeros(1 << math.ceil(math.log2(max(len(later), 1) / FULL)), np.int64)
    worths = np.zeros(len(table), np.float32)
    put_worths(table, worths, later, later_worths)
    return go_backwards(layer, table, worths, bonus)


@njit
def count_all(layer: Ints) -> int:
    """How many boards there are with those that are worth the same."""
    found = 0
    for board in layer:
        other = settled(turned(board))
        found += 1 if mirrored(board) == board else 2
        if other != board and other != mirrored(board):
            found += 1 if mirrored(other) == other else 2
    return found


@njit
def slot_of(table: Ints, board: int) -> int:
    """Where a board is in a table, or would be."""
    mask = len(table) - 1
    slot = (board * MIXER >> 20) & mask
    while table[slot] and table[slot] != board:
        slot = (slot + 1) & mask
    return slot


@njit
def put_all(table: Ints, boards: Ints) -> None:
    """Write boards into a table that has room for them."""
    for board in boards:
        table[slot_of(table, board)] = board


@njit
def put_worths(table: Ints, worths: Floats, boards: Ints, of_boards: Floats) -> None:
    """The same with what they are worth, which goes to the same places of another table."""
    for number in range(len(boards)):
        slot = slot_of(table, boards[number])
        table[slot] = boards[number]
        worths[slot] = of_boards[number]


@njit
def go_forwards(layer: Ints, begin: int, table: Ints, taken: int, most: int) -> tuple[int, int]:
    """Write what a layer leads to into a table, until that has too many.

    Args:
        layer: the boards.
        begin: which of them is the first.
        table: 0 where nothing is.
        taken: how many it has.
        most: with how many to stop.

    Returns:
        Which board of the layer would be next, and how many the table has.
    """
    scratch = new_scratch()
    boards = np.zeros(MOST_FOLLOWING, np.int64)
    dice = np.zeros(MOST_FOLLOWING, np.int64)
    for place in range(begin, len(layer)):
        if taken > most:
            return place, taken
        for number in range(follow(layer[place], scratch, boards, dice)):
            slot = slot_of(table, boards[number])
            if not table[slot]:
                table[slot] = boards[number]
                taken += 1
    return len(layer), taken


@njit
def go_backwards(layer: Ints, table: Ints, later: Floats, bonus: int) -> Floats:
    """What boards are worth: the mean over six numbers of the best that follows.

    A number that fits nowhere is the end, and brings what the board shows.

    Args:
        layer: the boards.
        table: those with one more die.
        later: what these are worth, by place in the table.
        bonus: what a board of the layer brings besides its lines.
    """
    scratch = new_scratch()
    boards = np.zeros(MOST_FOLLOWING, np.int64)
    dice = np.zeros(MOST_FOLLOWING, np.int64)
    worths = np.zeros(len(layer), np.float32)
    best = np.zeros(7)
    for place in range(len(layer)):
        best[:] = -1.0
        for number in range(follow(layer[place], scratch, boards, dice)):
            worth = later[slot_of(table, boards[number])]
            best[dice[number]] = max(best[dice[number]], worth)
        total = 0.0
        for die in range(1, 7):
            total += best[die] if best[die] >= 0.0 else points_of(layer[place]) + bonus
        worths[place] = total / 6.0
    return worths


@njit
def new_scratch() -> Ints:
    """Room for `follow`: numbers, lowest and highest ones of fields, each 6 × 6."""
    return np.zeros((3, 6, 6), np.int64)


@njit
def follow(board: int, scratch: Ints, boards: Ints, dice: Ints) -> int:
    """Where a next die can go: the boards that follow, its number in each, and how many they are.

    Before the four rows and columns that begin with those of the board there is one more of each,
    where a die may lie, too, while the last of the four is empty.

    Args:
        board: as `settled` gives it.
        scratch: of `new_scratch`.
        boards: filled with the boards that follow, for each the `least`.
        dice: filled with the numbers.
    """
    numbers, low, high = scratch[0], scratch[1], scratch[2]
    for row in range(4):
        for column in range(4):
            numbers[row + 1, column + 1] = board >> 3 * (4 * row + column) & 7
    find_ranges(numbers, low, high)
    first_row = 1 if numbers[4].any() else 0
    first_column = 1 if numbers[:, 4].any() else 0
    count = 0
    for row in range(first_row, 5):
        for column in range(first_column, 5):
            # Before the first of a row or a column comes the last of six, which stays empty.
            beside = numbers[row, column + 1] | numbers[row + 1, column]
            beside |= numbers[row - 1, column] | numbers[row, column - 1]
            if numbers[row, column] or not beside:
                continue
            # Moved down or to the right where the die lies before what was the first one.
            moved = board << (0 if row else 12) + (0 if column else 3)
            bits = 3 * (4 * max(row - 1, 0) + max(column - 1, 0))
            for die in range(low[row, column], high[row, column] + 1):
                boards[count] = least(moved | die << bits)
                dice[count] = die
                count += 1
    return count


@njit
def find_ranges(numbers: Ints, low: Ints, high: Ints) -> None:
    """Fill in between which numbers those in a row and a column keep their order, by field."""
    for row in range(5):
        least_left = 1
        for column in range(5):
            least_left = max(least_left, numbers[row, column])
            low[row, column] = least_left
        most_left = 6
        for column in range(4, -1, -1):
            most_left = numbers[row, column] or most_left
            high[row, column] = most_left
    for column in range(5):
        least_left = 1
        for row in range(5):
            least_left = max(least_left, numbers[row, column])
            low[row, column] = max(low[row, column], least_left)
        most_left = 6
        for row in range(4, -1, -1):
            most_left = numbers[row, column] or most_left
            high[row, column] = min(high[row, column], most_left)


@njit
def points_of(board: int) -> int:
    """What the lines of a board bring: each goes from one side of the four by four to another."""
    found = is_paid(board, 0, 15, False) + is_paid(board, 9, 9, True)
    for line in range(4):
        found += is_paid(board, 12 * line, 3, False) + is_paid(board, 3 * line, 12, False)
    return found


@njit
def is_paid(board: int, start: int, step: int, is_rising: bool) -> bool:
    """Whether four fields, so many bits apart, are four alike or four in order."""
    first = board >> start & 7
    by = (board >> start + step & 7) - first
    third, fourth = board >> start + 2 * step & 7, board >> start + 3 * step & 7
    is_straight = third == first + 2 * by and fourth == first + 3 * by
    return first > 0 and is_straight and (by == 0 or by == 1 or (is_rising and by == -1))
