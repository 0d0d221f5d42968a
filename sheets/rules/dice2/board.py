"""Board of Dice²: dice on 9×9 fields, their neighbours and the order of their numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

SIDE: Final = 9
"""Number of rows and of columns."""

CENTRE: Final = SIDE * SIDE // 2
"""The index of the dark centre, e5."""

INNER: Final = range(1, SIDE - 1)
"""The indexes of the columns, and of the rows, of the light inner 7×7 fields."""

NAMES: Final = tuple(
    f"{chr(ord('a') + column)}{row + 1}" for row in range(SIDE) for column in range(SIDE)
)
"""The names of the fields in reading order; a field's position is its index."""

INDEX: Final = {name: index for index, name in enumerate(NAMES)}
"""The index of each field by its name."""

STEPS: Final = ((0, 1), (1, 0), (1, 1), (1, -1))
"""The direction (rows, columns) of each kind of line: across, down, and the two diagonals."""


class Board(NamedTuple):
    """The dice by field index: ``numbers`` (0: none) and ``owners`` (player index, -1: none)."""

    numbers: tuple[int, ...] = (0,) * SIDE**2
    owners: tuple[int, ...] = (-1,) * SIDE**2

    def with_die(self, index: int, player: int, die: int) -> Board:
        """Return the board with one more die."""
        numbers, owners = self.numbers, self.owners
        return Board(
            (*numbers[:index], die, *numbers[index + 1 :]),
            (*owners[:index], player, *owners[index + 1 :]),
        )

    @property
    def is_empty(self) -> bool:
        """Whether there is no die on the board."""
        return not self.numbers[CENTRE]


def walk(index: int, down: int, right: int) -> Iterator[int]:
    """Iterate over the fields in one direction from a field, which is excluded.

    >>> [NAMES[i] for i in walk(INDEX["g8"], 1, 1)]
    ['h9']
    """
    row, column = divmod(index, SIDE)
    while True:
        row, column = row + down, column + right
        if not (0 <= row < SIDE and 0 <= column < SIDE):
            return
        yield row * SIDE + column


def _lines_of_sight() -> tuple[tuple[tuple[int, ...], ...], ...]:
    sides = ((0, -1), (0, 1), (-1, 0), (1, 0))
    return tuple(
        tuple(tuple(walk(index, down, right)) for down, right in sides) for index in range(SIDE**2)
    )


LINES_OF_SIGHT: Final = _lines_of_sight()
"""For each field, the fields to its left, right, above and below, nearest first."""

EDGE_NEIGHBOURS: Final = tuple(tuple(side[0] for side in sides if side) for sides in LINES_OF_SIGHT)
"""For each field, those that share an edge with it."""

SURROUNDING: Final = tuple(
    tuple(
        other
        for other in range(SIDE**2)
        if other != index
        and abs(other // SIDE - index // SIDE) <= 1
        and abs(other % SIDE - index % SIDE) <= 1
    )
    for index in range(SIDE**2)
)
"""For each field, those that share an edge or a corner with it."""


def row_range(board: Board, index: int) -> tuple[int, int]:
    """Return the lowest and highest number that a field's row allows (`row-order`)."""
    left, right, _, _ = LINES_OF_SIGHT[index]
    return _nearest(board, left, 1), _nearest(board, right, 6)


def column_range(board: Board, index: int) -> tuple[int, int]:
    """Return the lowest and highest number that a field's column allows (`column-order`)."""
    _, _, above, below = LINES_OF_SIGHT[index]
    return _nearest(board, above, 1), _nearest(board, below, 6)


def _nearest(board: Board, fields: tuple[int, ...], default: int) -> int:
    """Return the number of the first die on these fields, or the default if there is none.

    Rows and columns are in order, so dice farther away impose no tighter limit.
    """
    numbers = board.numbers
    for field in fields:
        if numbers[field]:
            return numbers[field]
    return default


def run_through(board: Board, index: int, down: int, right: int, owner: int = -1) -> list[int]:
    """Return the unbroken run of dice through a field, the field itself included, in order.

    Args:
        board: the board.
        index: the field; it counts as part of the run with or without a die.
        down: rows per step.
        right: columns per step.
        owner: the player whose dice count; -1 if the dice of all players count.
    """
    run = [index]
    for sign in (-1, 1):
        for field in walk(index, sign * down, sign * right):
            if not board.numbers[field] or (owner >= 0 and board.owners[field] != owner):
                break
            run.append(field)
    return sorted(run)
