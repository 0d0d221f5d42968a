"""Which loops could somebody lay on a rail level, and which piece of track does each field need?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from sheets.rules import Level, Sheet
from sheets.rules.level import SHAPES
from sheets.rules.rails import OPPOSITE
from sheets.rules.scoring import TRACK_POINTS

LONGEST: Final = 14
"""Longer loops are rarely finished in one game."""

LOOP_POINTS: Final = TRACK_POINTS["longest"] - TRACK_POINTS["route"]
"""What a field of a loop is worth more than one of an open route, if it is the longest."""


class Loop(NamedTuple):
    """A rectangle of tracks and what it pays beyond open routes of the same fields.

    ``shapes`` has the piece each field needs, ``wrong`` all others there as
    `code_tracks` writes them.
    """

    fields: int
    shapes: Mapping[int, str]
    wrong: int
    points: int


@lru_cache(maxsize=64)
def rectangles(level: Level) -> tuple[Loop, ...]:
    """Every rectangular loop of the level, up to `LONGEST` fields."""
    return tuple(_find_rectangles(level))


def open_loops(sheet: Sheet) -> tuple[Loop, ...]:
    """The loops that no track of the sheet spoils."""
    return _left(sheet.level, code_tracks(sheet.level, sheet.tracks))


@lru_cache(maxsize=64)
def _left(level: Level, laid: int) -> tuple[Loop, ...]:
    # Tracks are laid at the end of a pass: all thoughts until then ask for the same.
    return tuple(loop for loop in rectangles(level) if not loop.wrong & laid)


def code_tracks(level: Level, tracks: Mapping[int, str]) -> int:
    """Tracks as one integer: for each shape in turn, a bit per field."""
    count = len(level.fields)
    return sum(1 << SHAPES.index(shape) * count + field for field, shape in tracks.items())


def _find_rectangles(level: Level) -> Iterator[Loop]:
    sizes = [
        (right, down)
        for right in range(1, LONGEST // 2)
        for down in range(1, LONGEST // 2 - right + 1)
    ]
    for start in range(len(level.fields)):
        for right, down in sizes:
            shapes = _walk_round(level, start, "E" * right + "S" * down + "W" * right + "N" * down)
            if shapes:
                yield _loop(level, shapes)


def _loop(level: Level, shapes: dict[int, str]) -> Loop:
    fields = sum(1 << field for field in shapes)
    stops = (fields & level.by_symbol["stop"]).bit_count()
    every_shape = sum(fields << number * len(level.fields) for number in range(len(SHAPES)))
    wrong = every_shape - code_tracks(level, shapes)
    return Loop(fields, shapes, wrong, LOOP_POINTS * len(shapes) + level.points["stop"] * stops)


def _walk_round(level: Level, start: int, edges: str) -> dict[int, str]:
    """The shapes of a walk over these edges back to its start; empty where the sheet ends."""
    shapes: dict[int, str] = {}
    field, entered = start, OPPOSITE[edges[-1]]
    for edge in edges:
        shapes[field] = next(shape for shape in SHAPES if set(shape) == {entered, edge})
        beyond = level.beyond[field].get(edge)
        if beyond is None:
            return {}
        field, entered = beyond, OPPOSITE[edge]
    return shapes
