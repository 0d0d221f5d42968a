"""Constant lookup tables of a game of Dice², by field, number and line.

The numbers that a field can take are a byte, whose bit *n* stands for the number *n*. The bytes of
all fields are a row of 64-bit words, so that a rule is one operation on a few words. The content of
a line of the board is a code: a number with a digit for each of the line's fields, which says what
lies there.
"""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sheets.bots.playouts.arrays import Bytes, Ints, Sets
from sheets.rules.dice2 import KINDS
from sheets.rules.dice2.board import (
    CENTRE,
    EDGE_NEIGHBOURS,
    INNER,
    LINES_OF_SIGHT,
    SIDE,
    STEPS,
    SURROUNDING,
    walk,
)
from sheets.rules.dice2.game import DIE_NUMBERS, MAX_SPAN, is_inner
from sheets.rules.dice2.kinds import LINE_LENGTH, RUN_LENGTH

Codes = NDArray[np.int32]

ALL_NUMBERS: Final = sum(1 << die for die in DIE_NUMBERS)
"""Byte with all numbers."""

NUMBER_COUNT: Final = len(DIE_NUMBERS) + 1
"""Count of the numbers that a field can show, including 0 for an empty field."""

NO_FIELD: Final = -1
"""Index of a position in `Layout.fields` that is not a field."""


class Shape(NamedTuple):
    """Properties of a line of the board; lines with the same shape share their codes.

    ``length`` counts the fields that can have dice, ``off`` the further fields of the board at
    either end. ``is_rising`` marks the diagonals from bottom left to top right.
    """

    length: int
    off: int
    is_rising: bool


class Layout:
    """Lookup tables of one game for a number of players.

    ``fields`` are the board indexes of the fields that can have dice, in reading order; all tables
    identify a field by its position in this list, which ``places`` maps from the board index. On
    the inner 7×7, each row has a word of its own, with `NO_FIELD` at its end.

    A set has a byte of numbers for each field. ``keep`` has by field and number (row ``field *
    NUMBER_COUNT + number``) the set of numbers that the other fields can still take after a die is
    placed there, because of the order of numbers and the bounds. ``edge_neighbours`` has by field
    all numbers on the fields that share an edge with it, ``around`` also on those that share a
    corner. ``start`` has all numbers on the field of the first die, ``all`` has all numbers on all
    fields.

    ``lines`` and ``digits`` have by field and direction the index of the field's line, and the
    value of the field's digit in the line's code. The last line stands for all lines too short to
    matter. ``empty`` has for each line its code without dice. ``starts`` has for each shape its
    first code; there are ``codes`` codes in all. ``spread`` has by line and by bits of its fields
    all numbers on these fields; ``full`` has by line and by bits of its taken fields the numbers
    that `six-in-a-row` permits on all fields.
    """

    def __init__(self, name: str, players: int) -> None:
        self.kind = KINDS[name]
        self.players = players
        is_small = self.kind.is_bounded or not self.kind.is_on_board(players, 0)
        self.fields = _inner_fields() if is_small else tuple(range(SIDE**2))
        self.places = {index: place for place, index in enumerate(self.fields) if index != NO_FIELD}
        self.words = -(-len(self.fields) // 8)
        self.start = self._row({self.places[CENTRE]: ALL_NUMBERS})
        self.all = self._row(dict.fromkeys(self.places.values(), ALL_NUMBERS))
        self.keep = self._rows(
            [self._kept(i, die) for i in self.fields for die in range(NUMBER_COUNT)]
        )
        self.edge_neighbours = self._spots(EDGE_NEIGHBOURS)
        self.around = self._spots(SURROUNDING)
        self.base = NUMBER_COUNT if name == "square" else players + 1
        self.steps = STEPS[: {"last-man": 0, "major": 2}.get(name, 4)]
        self._lay_lines()

    def _on(self, indexes: tuple[int, ...]) -> list[int]:
        return [self.places[index] for index in indexes if index in self.places]

    def _kept(self, index: int, die: int) -> dict[int, int]:
        """Return the numbers that each field can still take after a die on field ``index``."""
        if index == NO_FIELD:
            return {}
        kept = dict.fromkeys(self.places.values(), ALL_NUMBERS)
        before, after = ALL_NUMBERS & ((2 << die) - 1), ALL_NUMBERS & -(1 << die)
        for side, numbers in zip(
            LINES_OF_SIGHT[index], (before, after, before, after), strict=True
        ):
            for place in self._on(side):
                kept[place] &= numbers
        kept[self.places[index]] = 0
        if self.kind.is_bounded:
            row, column = divmod(index, SIDE)
            for other, place in self.places.items():
                if max(abs(other // SIDE - row), abs(other % SIDE - column)) >= MAX_SPAN:
                    kept[place] = 0
        return kept

    def _spots(self, others: tuple[tuple[int, ...], ...]) -> Sets:
        """Return for each field all numbers on the fields that ``others`` has for it."""
        found = [self._on(others[index]) if index != NO_FIELD else [] for index in self.fields]
        return self._rows([dict.fromkeys(places, ALL_NUMBERS) for places in found])

    def _row(self, numbers: dict[int, int]) -> Sets:
        row = np.zeros(self.words * 8, np.uint8)
        row[list(numbers)] = list(numbers.values())
        return row.view(np.uint64)

    def _rows(self, rows: list[dict[int, int]]) -> Sets:
        return np.array([self._row(numbers) for numbers in rows])

    def _lay_lines(self) -> None:
        lines: list[list[int]] = []
        self.shapes: list[Shape] = []
        shape_of = []
        count = len(self.fields)
        self.lines: Ints = np.full((count, len(self.steps)), -1, np.intp)
        self.digits: Codes = np.zeros((count, len(self.steps)), np.int32)
        for direction, (down, right) in enumerate(self.steps):
            for start in range(SIDE**2):
                if next(walk(start, -down, -right), None) is not None:
                    continue
                whole = [start, *walk(start, down, right)]
                line = [self.places[index] for index in whole if index in self.places]
                off = (len(whole) - len(line)) // 2
                shape = Shape(len(line), off, right < 0)
                if len(whole) < LINE_LENGTH or not line:
                    continue
                if shape not in self.shapes:
                    self.shapes.append(shape)
                shape_of.append(self.shapes.index(shape))
                for digit, place in enumerate(line):
                    self.lines[place, direction] = len(lines)
                    self.digits[place, direction] = self.base**digit
                lines.append(line)
        sizes = [self.base**shape.length for shape in self.shapes]
        self.starts = [sum(sizes[:n]) for n in range(len(sizes))]
        self.codes = sum(sizes) + 1
        last = self.codes - 1
        self.empty: Codes = np.array([self.starts[n] for n in shape_of] + [last], np.int32)
        self.lines[self.lines < 0] = len(lines)
        self.spread = self._spread(lines)
        self.full = self._filled(lines) if self.kind.name == "major" else self.spread[:0]

    def _spread(self, lines: list[list[int]]) -> Sets:
        """Return all numbers on some fields of a line, by line and by the bits of these fields."""
        most = max((len(line) for line in lines), default=0)
        spread = np.zeros((len(lines) + 1, 1 << most, self.words), np.uint64)
        for number, line in enumerate(lines):
            for bits in range(1 << len(line)):
                on = (place for digit, place in enumerate(line) if bits >> digit & 1)
                spread[number, bits] = self._row(dict.fromkeys(on, ALL_NUMBERS))
        return spread

    def _filled(self, lines: list[list[int]]) -> Sets:
        """Return the numbers that `six-in-a-row` permits, by line and bits of its taken fields."""
        most = max(len(line) for line in lines)
        kept = np.tile(self.all, (len(lines), 1 << most, 1))
        for number, line in enumerate(lines):
            for taken in range(1 << len(line)):
                for digit, place in enumerate(line):
                    if not taken >> digit & 1 and _run(taken | 1 << digit, digit) > RUN_LENGTH:
                        kept[number, taken].view(np.uint8)[place] = 0
        return kept

    def contents(self, shape: Shape) -> Bytes:
        """Return the contents of a shape's lines: a row for each field, a column for each code.

        The fields that cannot have dice (``off`` at either end) have rows, too.
        """
        codes = np.arange(self.base**shape.length, dtype=np.int32)
        rows = np.zeros((shape.length + 2 * shape.off, len(codes)), np.uint8)
        for digit in range(shape.length):
            rows[shape.off + digit] = codes // self.base**digit % self.base
        return rows


def _inner_fields() -> tuple[int, ...]:
    """Return the board indexes of the inner 7×7, with `NO_FIELD` after each row of seven."""
    inner = [index for index in range(SIDE**2) if is_inner(index)]
    rows = (inner[first : first + len(INNER)] for first in range(0, len(inner), len(INNER)))
    return tuple(index for row in rows for index in (*row, NO_FIELD))


def _run(taken: int, digit: int) -> int:
    """Return the length of the run of bits through one bit."""
    first = last = digit
    while first and taken >> (first - 1) & 1:
        first -= 1
    while taken >> (last + 1) & 1:
        last += 1
    return last - first + 1


@cache
def lay_out(name: str, players: int) -> Layout:
    """Return the layout of a game, cached for the process."""
    return Layout(name, players)
