"""Rectangular loops of a rail level, and the piece of track that each needs on a field."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from sheets.rules import Level, Sheet
from sheets.rules.level import SHAPES
from sheets.rules.rails import OPPOSITE
from sheets.rules.scoring import TRACK_POINTS

LONGEST: Final = 14
"""Maximum number of fields of a loop; longer ones are rarely finished in a game."""

LOOP_POINTS: Final = TRACK_POINTS["longest"] - TRACK_POINTS["route"]
"""Points of a field of the longest loop beyond those of a field of an open route."""


class Loop(NamedTuple):
    """A rectangle of tracks, and its points beyond those of open routes on the same fields.

    ``shapes`` has the piece that each field needs, ``wrong`` all other pieces on these fields,
    coded as in `code_tracks`.
    """

    fields: int
    shapes: Mapping[int, str]
    wrong: int
    points: int


@lru_cache(maxsize=64)
def rectangles(level: Level) -> tuple[Loop, ...]:
    """Return the rectangular loops of a level, up to `LONGEST` fields."""
    return tuple(_find_rectangles(level))


def open_loops(sheet: Sheet) -> tuple[Loop, ...]:
    """Return the loops that no track of the sheet spoils."""
    return _left(sheet.level, code_tracks(sheet.level, sheet.tracks))


@lru_cache(maxsize=64)
def _left(level: Level, laid: int) -> tuple[Loop, ...]:
    # Tracks are drawn at the end of a pass: all decisions until then need the same loops.
    return tuple(loop for loop in rectangles(level) if not loop.wrong & laid)


def code_tracks(level: Level, tracks: Mapping[int, str]) -> int:
    """Code tracks as one integer: for each shape in turn, a bit per field."""
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
    """Return the shapes of a round walk over these edges; empty if it leaves the sheet."""
    shapes: dict[int, str] = {}
    field, entered = start, OPPOSITE[edges[-1]]
    for edge in edges:
        shapes[field] = next(shape for shape in SHAPES if set(shape) == {entered, edge})
        beyond = level.beyond[field].get(edge)
        if beyond is None:
            return {}
        field, entered = beyond, OPPOSITE[edge]
    return shapes
