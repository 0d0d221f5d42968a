"""Rectangular loops of a rail level, and the piece of track that each needs on a field."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from sheets.rules import Level, Sheet
from sheets.rules.level import SHAPES
from sheets.rules.rails import OPPOSITE
from sheets.rules.scoring import TRACK_POINTS

MAX_LOOP_FIELDS: Final = 14
"""Maximum number of fields of a loop; longer ones are rarely finished in a game."""

LOOP_POINTS: Final = TRACK_POINTS["longest"] - TRACK_POINTS["route"]
"""Points of a field in the longest loop, minus those of a field in an open route."""


class Loop(NamedTuple):
    """A rectangular loop of track.

    ``fields`` is the mask of its fields, ``shapes`` the piece that each field needs. ``wrong`` has
    all other pieces on these fields, encoded as in `code_tracks`. ``points`` is how much more the
    loop pays than open routes on the same fields.
    """

    fields: int
    shapes: Mapping[int, str]
    wrong: int
    points: int


@lru_cache(maxsize=64)
def rectangular_loops(level: Level) -> tuple[Loop, ...]:
    """Return the rectangular loops of a level that have at most `MAX_LOOP_FIELDS` fields."""
    return tuple(_find_rectangles(level))


def open_loops(sheet: Sheet) -> tuple[Loop, ...]:
    """Return the loops that can still be laid: no piece of track on the sheet contradicts them."""
    return _left(sheet.level, code_tracks(sheet.level, sheet.tracks))


@lru_cache(maxsize=64)
def _left(level: Level, laid: int) -> tuple[Loop, ...]:
    # Tracks are drawn at the end of a pass: all decisions until then need the same loops.
    return tuple(loop for loop in rectangular_loops(level) if not loop.wrong & laid)


def code_tracks(level: Level, tracks: Mapping[int, str]) -> int:
    """Encode tracks as one integer, so that sets of tracks can be compared with bit operations.

    ``tracks`` has shapes by field index. Each pair of a shape and a field has a bit.
    """
    count = len(level.fields)
    return sum(1 << SHAPES.index(shape) * count + field for field, shape in tracks.items())


def _find_rectangles(level: Level) -> Iterator[Loop]:
    sizes = [
        (right, down)
        for right in range(1, MAX_LOOP_FIELDS // 2)
        for down in range(1, MAX_LOOP_FIELDS // 2 - right + 1)
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
    """Return the shape of each field on a closed walk; empty if the walk leaves the sheet.

    ``edges`` are the edges over which the walk leaves each of its fields in turn.
    """
    shapes: dict[int, str] = {}
    field, entered = start, OPPOSITE[edges[-1]]
    for edge in edges:
        shapes[field] = next(shape for shape in SHAPES if set(shape) == {entered, edge})
        beyond = level.track_neighbours[field].get(edge)
        if beyond is None:
            return {}
        field, entered = beyond, OPPOSITE[edge]
    return shapes
