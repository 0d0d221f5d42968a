"""Which dice lie where on the 9×9 board of Dice², and in what order may their numbers stand?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

SIDE: Final = 9
CENTRE: Final = SIDE * SIDE // 2
INNER: Final = range(1, SIDE - 1)
"""The columns, and the rows, of the light inner 7×7."""

NAMES: Final = tuple(
    f"{chr(ord('a') + column)}{row + 1}" for row in range(SIDE) for column in range(SIDE)
)
"""The fields in reading order; a field's place in it is its index."""

INDEX: Final = {name: index for index, name in enumerate(NAMES)}
STEPS: Final = ((0, 1), (1, 0), (1, 1), (1, -1))
"""Rows and columns to go for each kind of line: across, down, and the two diagonals."""


class Board(NamedTuple):
    """The dice by field index: ``numbers`` (0: none) and ``owners`` (player index, -1: none)."""

    numbers: tuple[int, ...] = (0,) * SIDE**2
    owners: tuple[int, ...] = (-1,) * SIDE**2

    def with_die(self, index: int, player: int, die: int) -> Board:
        """The board with one more die."""
        numbers, owners = self.numbers, self.owners
        return Board(
            (*numbers[:index], die, *numbers[index + 1 :]),
            (*owners[:index], player, *owners[index + 1 :]),
        )

    @property
    def is_empty(self) -> bool:
        """Whether no die lies yet."""
        return not self.numbers[CENTRE]


def walk(index: int, down: int, right: int) -> Iterator[int]:
    """The fields from one field on in one direction, the field itself left out.

    >>> [NAMES[i] for i in walk(INDEX["g8"], 1, 1)]
    ['h9']
    """
    row, column = divmod(index, SIDE)
    while True:
        row, column = row + down, column + right
        if not (0 <= row < SIDE and 0 <= column < SIDE):
            return
        yield row * SIDE + column


def _line_of_sight() -> tuple[tuple[tuple[int, ...], ...], ...]:
    sides = ((0, -1), (0, 1), (-1, 0), (1, 0))
    return tuple(
        tuple(tuple(walk(index, down, right)) for down, right in sides) for index in range(SIDE**2)
    )


SIGHT: Final = _line_of_sight()
"""For each field, the fields to its left, right, above and below, nearest first."""

EDGES: Final = tuple(tuple(side[0] for side in sight if side) for sight in SIGHT)
"""For each field, those that share an edge with it."""

AROUND: Final = tuple(
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
    """The lowest and highest number a field's row allows there (`row-order`)."""
    left, right, _, _ = SIGHT[index]
    return _nearest(board, left, 1), _nearest(board, right, 6)


def column_range(board: Board, index: int) -> tuple[int, int]:
    """The lowest and highest number a field's column allows there (`column-order`)."""
    _, _, above, below = SIGHT[index]
    return _nearest(board, above, 1), _nearest(board, below, 6)


def _nearest(board: Board, fields: tuple[int, ...], otherwise: int) -> int:
    """The nearest die's number: rows and columns are in order, so farther ones do not matter."""
    numbers = board.numbers
    for field in fields:
        if numbers[field]:
            return numbers[field]
    return otherwise


def run_through(board: Board, index: int, down: int, right: int, owner: int = -1) -> list[int]:
    """The unbroken run of dice through a field, the field itself included, in order.

    Args:
        board: the board.
        index: the field, whether a die lies there or is about to.
        down: rows to go for each step.
        right: columns to go for each step.
        owner: count this player's dice only; -1 for everybody's.
    """
    run = [index]
    for sign in (-1, 1):
        for field in walk(index, sign * down, sign * right):
            if not board.numbers[field] or (owner >= 0 and board.owners[field] != owner):
                break
            run.append(field)
    return sorted(run)
