"""Tables of the contents of lines: points, wins, threats, and values for the greedy bot.

A table has a row for each code of `layout` and a column for each player; only `taken` has no
columns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from sheets.bots.dice2.playouts.layout import Layout, Shape, lay_out
from sheets.bots.playouts.arrays import Bools, Bytes, Ints, where
from sheets.rules.dice2.kinds import LINE_LENGTH, RUN_LENGTH

Table = NDArray[np.int32]

OPEN_RUN: Final = 3
"""Weight of a run that one more die settles, compared with shorter runs."""


def by_code(layout: Layout, of_shape: Callable[[Shape], Table]) -> Table:
    """Build a table for all codes, shape by shape; the last code, which is no line, gets 0."""
    tables = [of_shape(shape) for shape in layout.shapes]
    return np.concatenate((*tables, np.zeros_like(tables[0][:1])))


def add_windows(layout: Layout, shape: Shape, of_window: Table) -> Table:
    """Return for each code of a shape the sum of the values of its windows.

    A window is four neighbouring fields; ``of_window`` has the values by the window's code.
    """
    base = layout.base
    codes = np.arange(base**shape.length) * base**shape.off
    found = np.zeros((len(codes), of_window.shape[1]), np.int32)
    for first in range(shape.length + 2 * shape.off - LINE_LENGTH + 1):
        found += of_window.take(codes // base**first % base**LINE_LENGTH, 0)
    return found


def window_of(layout: Layout) -> Bytes:
    """Return the contents of a window of four fields: a row per field, a column per code."""
    return layout.contents(Shape(LINE_LENGTH, 0, False))


def runs(contents: Bytes) -> Iterator[tuple[Bytes, Ints]]:
    """Yield the contents of each run of two to five dice, and the codes that have the run.

    A run is an unbroken series of dice that is not part of a longer one. Each item is for the same
    fields in all lines; the contents have a column for each code.
    """
    fields = len(contents)
    is_taken = contents > 0
    for first in range(fields):
        for end in range(first + 2, min(fields, first + RUN_LENGTH) + 1):
            is_run: Bools = np.logical_and.reduce(is_taken[first:end])
            if first:
                is_run &= ~is_taken[first - 1]
            if end < fields:
                is_run &= ~is_taken[end]
            codes = where(is_run)
            yield contents[first:end, codes], codes


def count_dice(contents: Bytes, players: int) -> Table:
    """Count each player's dice in lines; ``contents`` has player + 1 for a die, 0 without one."""
    counts = [(contents == player + 1).sum(axis=0) for player in range(players)]
    return np.stack(counts, 1).astype(np.int32)


@cache
def taken(name: str, players: int) -> NDArray[np.int32]:
    """Return by code a bit for each field of the line that has a die."""
    layout = lay_out(name, players)

    def of_shape(shape: Shape) -> Table:
        inside = layout.contents(shape)[shape.off : shape.off + shape.length] > 0
        bits = [row.astype(np.int32) << digit for digit, row in enumerate(inside)]
        return np.asarray(np.add.reduce(bits), np.int32)[:, None]

    return by_code(layout, of_shape).ravel()


@cache
def points(name: str, players: int) -> Table:
    """Return what a line has paid each player: points of `square`, markers of `major`."""
    layout = lay_out(name, players)

    def of_square(shape: Shape) -> Table:
        window = window_of(layout).astype(np.int8)
        steps = np.diff(window, axis=0)
        ways = (0, 1, -1) if shape.is_rising else (0, 1)
        is_paid = np.logical_or.reduce([(steps == way).all(axis=0) for way in ways])
        is_paid &= (window > 0).all(axis=0)
        return add_windows(layout, shape, is_paid[:, None].astype(np.int32))

    def of_major(shape: Shape) -> Table:
        contents = layout.contents(shape)
        found = np.zeros((contents.shape[1], players), np.int32)
        for run, codes in runs(contents):
            if len(run) == RUN_LENGTH:
                counts = count_dice(run, players)
                is_most = counts == counts.max(axis=1)[:, None]
                found[codes] += is_most * np.where(is_most.sum(axis=1) == 1, 2, 1)[:, None]
        return found

    return by_code(layout, of_square if name == "square" else of_major)


@cache
def wins(name: str, players: int) -> Table:
    """Return 1 or more for a player with four dice in an unbroken part of a line, else 0."""
    layout = lay_out(name, players)
    of_window = (count_dice(window_of(layout), players) == LINE_LENGTH).astype(np.int32)
    return by_code(layout, lambda shape: add_windows(layout, shape, of_window))


@cache
def threats(players: int) -> Table:
    """Return a bit for each field of a line of `four-wins` where a die would win at once."""
    layout = lay_out("four-wins", players)
    brings = wins("four-wins", players)
    found = np.zeros((layout.codes, players), np.int32)
    for shape, start in zip(layout.shapes, layout.starts, strict=True):
        contents = layout.contents(shape)
        for digit in range(shape.length):
            before = start + where(contents[shape.off + digit] == 0)
            for player in range(players):
                after = before + layout.base**digit * (player + 1)
                more = brings[after, player] > brings[before, player]
                found[before, player] |= more.astype(np.int32) << digit
    return found


@cache
def greedy_prospects(name: str, players: int) -> Table:
    """Return twice the greedy bot's value of a line for each player, which is a whole number."""
    layout = lay_out(name, players)
    if name == "major":
        return by_code(layout, lambda shape: _runs_prospect(layout, shape))
    of_window = _square_window(layout) if name == "square" else _four_wins_window(layout)
    return by_code(layout, lambda shape: add_windows(layout, shape, of_window))


def _square_window(layout: Layout) -> Table:
    window = window_of(layout).astype(np.int8)
    is_filled = window > 0
    filled = is_filled.sum(axis=0)
    # Part of a row such as 2-3-4-5: all numbers are as far from their places.
    fits_a_row = np.zeros(window.shape[1], np.bool_)
    for numbers in (window, window - np.arange(LINE_LENGTH)[:, None]):
        least = np.where(is_filled, numbers, 99).min(axis=0)
        fits_a_row |= least == np.where(is_filled, numbers, -99).max(axis=0)
    return np.asarray(2 * filled**2 * (fits_a_row & (filled > 1)), np.int32)[:, None]


def _four_wins_window(layout: Layout) -> Table:
    counts = count_dice(window_of(layout), layout.players)
    others = counts.sum(axis=1)[:, None] - counts
    own = np.where((counts > 0) & (others == 0), 2 * 4**counts, 0)
    return np.asarray(own - np.where((counts == 0) & (others > 0), 3 * 4**others, 0), np.int32)


def _runs_prospect(layout: Layout, shape: Shape) -> Table:
    contents = layout.contents(shape)
    found = np.zeros((contents.shape[1], layout.players), np.int32)
    for run, codes in runs(contents):
        length = len(run)
        if length < RUN_LENGTH:
            counts = count_dice(run, layout.players)
            is_most = counts == counts.max(axis=1)[:, None]
            leads = is_most & (is_most.sum(axis=1) == 1)[:, None]
            weight = 1 if length < RUN_LENGTH - 1 else OPEN_RUN
            found[codes] += 2 * length * weight * (leads.astype(np.int32) - ~is_most)
    return found
