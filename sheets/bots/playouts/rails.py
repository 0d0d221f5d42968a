"""Loops on many sheets of a rail level: laid ones, possible ones, and pieces that join tracks.

The results are those of `sheets.rules.rails`, `sheets.bots.loops` and `GreedyBot`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from sheets.bots.loops import MAX_LOOP_FIELDS, code_tracks, rectangular_loops
from sheets.bots.playouts.arrays import Bools, Floats, Ints, Sets, count_all
from sheets.rules import Level
from sheets.rules.level import EDGES, SHAPES
from sheets.rules.rails import OPPOSITE

MAX_LOOPS: Final = 250
"""Maximum number of loops of a level; with more, games are played one by one."""

NO_TRACK: Final = -1
"""Number of the shape of a field without track."""

SPOILT: Final = MAX_LOOP_FIELDS + 1
"""Number that is added to the missing fields of a loop that can no longer be laid; no other loop
lacks as many."""


def has_few_loops(level: Level) -> bool:
    """Return whether a rail level has few enough possible loops for playouts in batches."""
    return len(rectangular_loops(level)) <= MAX_LOOPS


class Rails:
    """Lookup tables of the loops of a rail level.

    After the last loop comes an entry that stands for no loop: it has no fields and can never be
    laid. ``fields`` has each loop's set of fields. ``of_loops`` has 1 or 0 by field and loop:
    whether the loop has the field. ``spoils`` has by shape, field and loop `SPOILT` if the loop
    needs another shape there, else 0. ``shapes`` has by loop and field the number of the needed
    shape. ``loops_of`` has in a column for each field the loops with this field, filled up with the
    entry for no loop.
    """

    def __init__(self, level: Level, bits: Ints, size: int, sets: Sets, hopes: Floats) -> None:
        loops = rectangular_loops(level)
        self.level = level
        self.fields = np.concatenate((sets, np.zeros((1, sets.shape[1]), np.uint64)))
        self._bits, self._size = bits, size
        # By pass, loop and missing fields: the gain of one more field.
        gains = np.full((len(hopes), len(self.fields), 2 * SPOILT), -np.inf)
        for done, hope in enumerate(hopes):
            for number, loop in enumerate(loops):
                gains[done, number, :SPOILT] = [
                    loop.points * float(hope) ** max(lack - 1, 0) for lack in range(SPOILT)
                ]
        self._gains = gains.reshape(-1)
        self._begins = np.arange(0, gains.size, 2 * SPOILT).reshape(len(hopes), -1)
        self.of_loops = np.zeros((size, len(self.fields)), np.intp)
        self.spoils = np.zeros((len(SHAPES), size, len(self.fields)), np.intp)
        self.shapes = np.zeros((len(self.fields), size), np.intp)
        for number, loop in enumerate(loops):
            for field, needed in loop.shapes.items():
                self.of_loops[bits[field], number] = 1
                self.spoils[:, bits[field], number] = [
                    SPOILT * (shape != needed) for shape in SHAPES
                ]
                self.shapes[number, bits[field]] = SHAPES.index(needed)
        through = [
            [number for number, loop in enumerate(loops) if field in loop.shapes]
            for field in range(len(bits))
        ]
        most = max(map(len, through))
        self.loops_of = np.full((most, size), len(loops), np.intp)
        for field, found in enumerate(through):
            self.loops_of[: len(found), bits[field]] = found
        # By edge and field: the field beyond, or that after the last, where no track ever lies.
        self._beyond = np.full((len(EDGES), size), size, np.intp)
        for field, sides in enumerate(level.track_neighbours):
            for number, edge in enumerate(EDGES):
                if edge in sides:
                    self._beyond[number, bits[field]] = bits[sides[edge]]

    def spoilt(self, tracks: Mapping[int, str]) -> list[int]:
        """Return for each loop `SPOILT` if one of the tracks contradicts it, else 0."""
        laid = code_tracks(self.level, tracks)
        return [*(SPOILT * bool(loop.wrong & laid) for loop in rectangular_loops(self.level)), 0]

    def code(self, tracks: Mapping[int, str]) -> Sequence[int]:
        """Return the number of the shape by field, else `NO_TRACK`, also after the last field."""
        row = [NO_TRACK] * (self._size + 1)
        for field, shape in tracks.items():
            row[self._bits[field]] = SHAPES.index(shape)
        return row

    def count_missing(self, taken: Sets) -> Ints:
        """Return how many fields of each loop are not ``taken``, by sheet and loop."""
        words = range(taken.shape[1])
        return count_all(self.fields[:, w] & ~taken[:, w, None] for w in words)

    def loop_gains(self, done: Ints, lacks: Ints) -> Floats:
        """Return the gain of one more field of a loop, by player and loop.

        ``done`` has the passes done, ``lacks`` the missing fields of each loop. The gain is minus
        infinity if the loop can no longer be laid.
        """
        return self._gains.take(self._begins.take(done, 0) + lacks)

    def best_joined(self, tracks: Ints, fields: Ints) -> Ints:
        """Return for each sheet the shape that joins the most tracks around its field."""
        around = np.take_along_axis(tracks, self._beyond.take(fields, 1).T, axis=1)
        joined = REACHES[around, np.arange(len(EDGES))]
        best: Ints = (joined @ REACHED).argmax(axis=1)
        return best

    def find_loops(self, tracks: Ints) -> tuple[Bools, Ints]:
        """Return whether each field is in a loop, and the length of each sheet's longest loop.

        A walk from an end of a piece along the track either ends or goes round for ever. Pointer
        doubling finds where it is after 1, 2, 4, … pieces, up to the number of fields.
        """
        sheets, size = len(tracks), self._size
        nowhere = 2 * sheets * size
        rows, shapes = np.arange(sheets)[:, None], tracks[:, :size]
        # Ends of pieces are numbered by sheet, field and end; ``after`` has the next end of each.
        after = np.full((sheets, size, 2), nowhere)
        for end in range(2):
            edges = ENDS[shapes, end]
            beyond = self._beyond[edges, np.arange(size)]
            left = LEAVES[tracks[rows, beyond], edges]
            joined = (shapes != NO_TRACK) & (left != NO_END)
            after[:, :, end][joined] = (2 * (rows * size + beyond) + left)[joined]
        ahead = np.append(after, nowhere)
        # The first field of a loop identifies it.
        first = np.append(np.tile(np.repeat(np.arange(size), 2), sheets), size)
        pieces = 1
        while pieces <= size:
            first = np.minimum(first, first.take(ahead))
            ahead = ahead.take(ahead)
            pieces *= 2
        is_loop = (ahead[:-1:2] != nowhere).reshape(sheets, size)
        loops = (rows * size + first[:-1:2].reshape(sheets, size))[is_loop]
        lengths = np.bincount(loops, minlength=sheets * size).reshape(sheets, size)
        return is_loop, lengths.max(axis=1)


ENDS: Final = np.array(
    [*([list(EDGES).index(edge) for edge in shape] for shape in SHAPES), [0, 0]], np.intp
)
"""Numbers of the two edges that a shape joins. The last row, for no track, may have any edges."""

NO_END: Final = -1
"""Value in `LEAVES` of a shape that a walk cannot enter."""

LEAVES: Final = np.array(
    [
        [1 - shape.index(OPPOSITE[edge]) if OPPOSITE[edge] in shape else NO_END for edge in EDGES]
        for shape in (*SHAPES, "")
    ],
    np.intp,
)
"""End, 0 or 1, by which a walk leaves the next field, by that field's shape (the last row: no
track) and the edge over which the walk enters it."""

REACHES: Final = np.array(
    [[OPPOSITE[edge] in shape for edge in EDGES] for shape in (*SHAPES, "")], np.intp
)
"""Whether the shape on the next field reaches the common edge, by that shape (the last row: no
track) and the edge."""

REACHED: Final = np.array([[edge in shape for shape in SHAPES] for edge in EDGES], np.intp)
"""Whether a shape reaches an edge, by edge and shape."""
