"""Scores of all sheets of a batch of games, and the items of the score column."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from sheets.bots.playouts.arrays import Floats, Ints, count_fields, has_fields, share_best
from sheets.bots.playouts.batch_state import NO_NUMBER, Lanes
from sheets.bots.playouts.rails import NO_TRACK, Rails
from sheets.rules.level import bits
from sheets.rules.scoring import SOLO_BOMB_POINTS, TRACK_POINTS
from sheets.rules.symbols import (
    COLOURED_PAYING_ALL,
    COLOURED_PAYING_EACH,
    PLAIN_PAYING_EACH,
    SYMBOLS,
)

Column = Iterator[tuple[str, str, Ints]]
"""Items of the score column: category, key, and the points on each sheet."""


class Scores(NamedTuple):
    """Scores by game and player: ``totals``, and ``marks``, the number of crosses.

    ``paid`` has by category and key the number of sheets on which the item changes the total;
    ``crossed`` has by field the number of sheets on which the field is crossed.
    """

    totals: Ints
    marks: Ints
    paid: dict[tuple[str, str], int]
    crossed: Ints

    @property
    def wins(self) -> Floats:
        """Share of the win, by game and player."""
        return share_wins(self.totals, self.marks)


def score(lanes: Lanes) -> Scores:
    """Return the scores of `sheets.rules.score_sheet` for all sheets."""
    shape = (-1, lanes.board.players)
    totals = np.zeros(len(lanes.crosses), np.intp)
    paid: dict[tuple[str, str], int] = {}
    for category, key, points in _column(lanes):
        totals += points
        paid[category, key] = int(np.count_nonzero(points))
    return Scores(
        totals.reshape(shape),
        count_fields(lanes.crosses).reshape(shape),
        {item: sheets for item, sheets in paid.items() if sheets},
        lanes.board.unpack(lanes.crosses).sum(axis=0, dtype=np.intp),
    )


def share_wins(totals: Ints, marks: Ints) -> Floats:
    """Return the share of the win by game and player.

    Most points win, then fewest crosses; further ties share the win, as in
    `sheets.rules.scoring.find_winners`.
    """
    return share_best(totals * (marks.max() + 1) - marks)


def _column(lanes: Lanes) -> Column:
    yield from _each_of_colour(lanes)
    yield from _complete(lanes)
    yield from _circled(lanes)
    yield from _each(lanes)
    if lanes.board.rails:
        yield from _rails(lanes, lanes.board.rails)


def _each_of_colour(lanes: Lanes) -> Column:
    level = lanes.board.level
    for symbol in COLOURED_PAYING_EACH:
        for colour, fields in level.by_colour[symbol].items():
            points = level.points_by_colour[symbol][colour]
            yield SYMBOLS[symbol].category, colour, points * _count(lanes, fields)


def _complete(lanes: Lanes) -> Column:
    """Yield the items that pay when all their fields are crossed; races are left out."""
    level = lanes.board.level
    for number, line in enumerate(level.lines, start=1):
        key = f"{line.kind} {line.which or number}"
        yield "lines", key, line.points * _has_all(lanes, line.fields)
    for symbol in COLOURED_PAYING_ALL:
        for colour, fields in level.by_colour[symbol].items():
            points = level.points_by_colour[symbol][colour]
            yield SYMBOLS[symbol].category, colour, points * _has_all(lanes, fields)
    for index, area in enumerate(level.areas):
        if not area.race:
            yield "areas", str(index + 1), area.points * _has_all(lanes, area.fields)


def _circled(lanes: Lanes) -> Column:
    """Yield the items with circled numbers: flags and races."""
    for number, track in enumerate(lanes.board.tracks):
        circled = lanes.circled[:, number]
        points = np.where(circled == NO_NUMBER, 0, circled)
        if track.kind == "flag":
            yield "flags", track.key, points
        else:
            yield "areas", str(track.area + 1), points


def _each(lanes: Lanes) -> Column:
    level = lanes.board.level
    for name in PLAIN_PAYING_EACH:
        if fields := level.by_symbol[name]:
            yield SYMBOLS[name].category, "", level.points[name] * _count(lanes, fields)
    if fields := level.by_symbol["bomb"]:
        if lanes.board.players == 1:
            yield "bombs", "", SOLO_BOMB_POINTS * _count(lanes, fields)
        else:
            bombs = count_fields(lanes.exploded & lanes.board.pack(fields))
            yield "bombs", "", level.points["bomb"] * bombs


def _rails(lanes: Lanes, rails: Rails) -> Column:
    level = lanes.board.level
    is_loop, longest = rails.find_loops(lanes.tracks)
    in_loops = is_loop.sum(axis=1)
    in_routes = (lanes.tracks != NO_TRACK).sum(axis=1) - in_loops
    yield "tracks", "longest", TRACK_POINTS["longest"] * longest
    yield "tracks", "loop", TRACK_POINTS["loop"] * (in_loops - longest)
    yield "tracks", "route", TRACK_POINTS["route"] * in_routes
    if stops := level.by_symbol["stop"]:
        reached = is_loop.take(lanes.board.bits.take(list(bits(stops))), axis=1).sum(axis=1)
        yield "stops", "", level.points["stop"] * reached


def _count(lanes: Lanes, fields: int) -> Ints:
    return count_fields(lanes.crosses & lanes.board.pack(fields))


def _has_all(lanes: Lanes, fields: int) -> Ints:
    return (~has_fields(lanes.board.pack(fields) & ~lanes.crosses)).astype(np.intp)
