"""What follows from a line of the board, for each of its codes?"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from sheets.playouts.arrays import Bools, Bytes
from sheets.playouts.dice2.layout import Layout, Shape, lay_out
from sheets.rules.dice2.kinds import LINE_LENGTH, RUN_LENGTH

Table = NDArray[np.int32]
"""Numbers by code."""

OPEN_RUN: Final = 3
"""What a run that one more die settles weighs to the greedy bot, beside shorter ones."""


def by_code(layout: Layout, of_shape: Callable[[Shape, Bytes], Table]) -> Table:
    """A table for all codes, made shape by shape from what lies in the lines; 0 for no line."""
    tables = [of_shape(shape, layout.contents(shape)) for shape in layout.shapes]
    return np.concatenate((*tables, np.zeros_like(tables[0][:1])))


def windows(contents: Bytes) -> Iterator[Bytes]:
    """Each four neighbouring fields of lines."""
    for first in range(contents.shape[1] - LINE_LENGTH + 1):
        yield contents[:, first : first + LINE_LENGTH]


def runs(contents: Bytes) -> Iterator[tuple[Bytes, Bools]]:
    """Each part of a line of at least two fields, and where it is an unbroken run from end to end."""
    fields = contents.shape[1]
    is_taken = contents > 0
    for first in range(fields):
        for end in range(first + 2, fields + 1):
            is_run = is_taken[:, first:end].all(axis=1)
            if first:
                is_run &= ~is_taken[:, first - 1]
            if end < fields:
                is_run &= ~is_taken[:, end]
            yield contents[:, first:end], is_run


def count_dice(contents: Bytes, players: int) -> Table:
    """How many dice each player has in lines whose contents are owners."""
    counts = [(contents == player + 1).sum(axis=1) for player in range(players)]
    return np.stack(counts, 1).astype(np.int32)


@cache
def taken(name: str, players: int) -> Table:
    """A bit for each field of a line that has a die."""

    def of_shape(shape: Shape, contents: Bytes) -> Table:
        inside = contents[:, shape.off : shape.off + shape.length] > 0
        return (inside << np.arange(shape.length)).sum(axis=1, dtype=np.int32)

    return by_code(lay_out(name, players), of_shape)


@cache
def points(name: str, players: int) -> Table:
    """What a line has brought each player: points of `square`, markers of `major`."""

    def of_square(shape: Shape, contents: Bytes) -> Table:
        found = np.zeros((len(contents), 1), np.int32)
        for window in windows(contents):
            steps = np.diff(window.astype(np.int8), axis=1)
            is_paid = (steps == 0).all(axis=1) | (steps == 1).all(axis=1)
            if shape.is_rising:
                is_paid |= (steps == -1).all(axis=1)
            found[:, 0] += is_paid & (window > 0).all(axis=1)
        return found

    def of_major(shape: Shape, contents: Bytes) -> Table:
        found = np.zeros((len(contents), players), np.int32)
        for run, is_run in runs(contents):
            if run.shape[1] == RUN_LENGTH:
                counts = count_dice(run, players)
                is_most = counts == counts.max(axis=1)[:, None]
                each = np.where(is_most.sum(axis=1) == 1, 2, 1)
                found += is_most * (each * is_run)[:, None].astype(np.int32)
        return found

    return by_code(lay_out(name, players), of_square if name == "square" else of_major)


@cache
def wins(name: str, players: int) -> Table:
    """1 for a player who has four dice in an unbroken part of a line, as `four-wins` wants."""

    def of_shape(shape: Shape, contents: Bytes) -> Table:
        found = np.zeros((len(contents), players), np.int32)
        for window in windows(contents):
            found |= count_dice(window, players) == LINE_LENGTH
        return found

    return by_code(lay_out(name, players), of_shape)


@cache
def greedy_promises(name: str, players: int) -> Table:
    """Twice what `sheets.bots.dice2` says that a line promises each player."""

    def of_square(shape: Shape, contents: Bytes) -> Table:
        found = np.zeros((len(contents), 1), np.int32)
        places = np.arange(LINE_LENGTH)
        for window in windows(contents):
            filled = (window > 0).sum(axis=1)
            # Part of a row such as 2-3-4-5: all numbers are as far from their places.
            promising = np.zeros(len(window), np.bool_)
            for numbers in (window.astype(np.int8), window - places):
                least = np.where(window > 0, numbers, 99).min(axis=1)
                promising |= least == np.where(window > 0, numbers, -99).max(axis=1)
            found[:, 0] += 2 * filled**2 * (promising & (filled > 1))
        return found

    def of_four_wins(shape: Shape, contents: Bytes) -> Table:
        found = np.zeros((len(contents), players), np.int32)
        for window in windows(contents):
            counts = count_dice(window, players)
            others = counts.sum(axis=1)[:, None] - counts
            found += np.where((counts > 0) & (others == 0), 2 * 4**counts, 0)
            found -= np.where((counts == 0) & (others > 0), 3 * 4**others, 0)
        return found

    def of_major(shape: Shape, contents: Bytes) -> Table:
        found = np.zeros((len(contents), players), np.int32)
        for run, is_run in runs(contents):
            length = run.shape[1]
            if length < RUN_LENGTH:
                counts = count_dice(run, players)
                is_most = counts == counts.max(axis=1)[:, None]
                is_alone = is_most & (is_most.sum(axis=1) == 1)[:, None]
                value = 2 * length * (1 if length < RUN_LENGTH - 1 else OPEN_RUN)
                found += value * is_run[:, None] * (is_alone.astype(np.int32) - ~is_most)
        return found

    makers = {"square": of_square, "four-wins": of_four_wins, "major": of_major}
    return by_code(lay_out(name, players), makers[name])
