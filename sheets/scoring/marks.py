"""Marks of a paper sheet: possible values of each place, and the next value after a tap.

The marks of one sheet are a mapping from place to value, as they are stored. A place is a field
(``"c4"``) or a `NumberTrack` (``"flag red"``, ``"race 0"``). A field's value is the word for its
stack of marks (`sheets.rules.marks.format_marks`), a track's value the circled number. Printed
marks are never included.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from sheets.rules import Level
from sheets.rules.level import SHAPES
from sheets.rules.marks import (
    crossed_fields,
    format_marks,
    marks_of,
    parse_marks,
    possible_stacks,
    read_marks,
)
from sheets.rules.paper_scoring import Paper, fill_numbers
from sheets.rules.rails import OPPOSITE
from sheets.rules.sheet import Sheet

PaperMarks = Mapping[str, str]
"""Marks of one sheet: value by place."""

PENS: Final = {"cross": ("cross", "exploded"), "lava": ("lava", "exploded-lava")}
"""Values that taps on a field set one after the other, by pen; impossible ones are skipped."""


def field_values(level: Level, at: str) -> tuple[str, ...]:
    """Return the possible values of a field; empty for printed marks, volcanoes, unknown names."""
    return tuple(map(format_marks, possible_stacks(level, at)))


def place_values(level: Level, at: str) -> tuple[str, ...]:
    """Return the possible values of any place: a field or a `NumberTrack`."""
    if track := level.number_tracks.get(at):
        return tuple(str(number) for number in dict.fromkeys((*track.numbers, 0)))
    return field_values(level, at)


def has_volcano(level: Level) -> bool:
    """Return whether lava can flow on the level."""
    return bool(level.by_symbol["volcano"])


def next_value(level: Level, at: str, value: str, *, lava: bool, is_solo: bool) -> str:
    """Return the value of a field after a tap, given its current value; empty for no mark.

    Taps on a bomb set a cross, then explode it (not in a solo game), then remove the mark. With
    ``lava``, a tap pours lava instead of drawing a cross, but does not change a field with a cross.
    A level without a volcano has no lava.
    """
    lava = lava and has_volcano(level)
    allowed = field_values(level, at)
    cycle = [value for value in PENS["lava" if lava else "cross"] if value in allowed]
    if is_solo:
        cycle = [value for value in cycle if "exploded" not in parse_marks(value)]
    if lava and value == "cross":
        return value
    if lava and value == "exploded":
        return "exploded-lava"
    if value not in cycle:
        return cycle[0]
    return (*cycle, "")[cycle.index(value) + 1]


def tap_values(level: Level, *, is_solo: bool) -> dict[str, dict[str, dict[str, str]]]:
    """Return `next_value` for all fields, by symbol (empty for none), pen and current value.

    Empty for a level with rails, where a tap opens a choice of track pieces.
    """
    if level.rails:
        return {}
    fields = {f.symbol: f.name for f in level.fields if field_values(level, f.name)}
    pens = ("cross", "lava") if has_volcano(level) else ("cross",)
    values = ("", *PENS["cross"], *PENS["lava"])
    return {
        symbol: {
            pen: {
                value: next_value(level, at, value, lava=pen == "lava", is_solo=is_solo)
                for value in values
            }
            for pen in pens
        }
        for symbol, at in fields.items()
    }


def rank_shapes(level: Level, marks: PaperMarks, at: str) -> list[str]:
    """Return the six track pieces, sorted by the number of adjacent tracks that each would join.

    The piece that joins most is the first. Pieces that end at a wall or at the edge of the sheet
    are the last.
    """
    beyond, joined = level.track_neighbours[level.index[at]], _joined(level, marks, at)
    return sorted(
        SHAPES, key=lambda shape: (not beyond.keys() >= set(shape), -len(joined & set(shape)))
    )


def only_shape(level: Level, marks: PaperMarks, at: str) -> str:
    """Return the only track piece without a dead end that joins all adjacent tracks.

    Empty if there is no such piece, or more than one.
    """
    beyond, joined = level.track_neighbours[level.index[at]], _joined(level, marks, at)
    fitting = [shape for shape in SHAPES if joined <= set(shape) <= beyond.keys()]
    return fitting[0] if len(fitting) == 1 else ""


def _joined(level: Level, marks: PaperMarks, at: str) -> set[str]:
    """Return the edges of a field at which a neighbour's track ends."""
    tracks = {**level.printed_tracks, **marks}
    beyond = level.track_neighbours[level.index[at]]
    return {
        edge
        for edge, other in beyond.items()
        if OPPOSITE[edge] in tracks.get(level.fields[other].name, "")
    }


def field_marks(level: Level, marks: PaperMarks) -> dict[str, tuple[str, ...]]:
    """Return the stacks of marks by field name, without the circled numbers."""
    return {at: parse_marks(value) for at, value in marks.items() if at not in level.number_tracks}


def read_paper(
    level: Level, players: Sequence[str], sheets: Sequence[PaperMarks], solo: bool | None
) -> Paper:
    """Convert the stored marks of all sheets to the `Paper` that the rules score.

    A circled 0 that has become impossible, because other players have undone their flag, is
    ignored. Numbers that follow from the other sheets are circled. In a solo game no bomb explodes.

    Args:
        solo: whether it is a solo game; None if a single sheet means a solo game.
    """
    is_solo = len(players) == 1 if solo is None else solo
    read = [_read_fields(level, marks, is_solo) for marks in sheets]
    for place, track in level.number_tracks.items():
        possible = {*track.numbers, *track.possible_numbers(len(track.takers(read)))}
        for i, marks in enumerate(sheets):
            if place in marks and int(marks[place]) in possible:
                read[i] = track.with_circled(read[i], int(marks[place]))
    return fill_numbers(Paper(level, level.id, tuple(players), tuple(read), is_solo, ()))


def _read_fields(level: Level, marks: PaperMarks, is_solo: bool) -> Sheet:
    sheet = read_marks(level, field_marks(level, marks))
    return sheet._replace(exploded=0) if is_solo else sheet


def stored_marks(paper: Paper, player: int) -> dict[str, str]:
    """Convert a player's sheet of a `Paper` to stored marks, the inverse of `read_paper`."""
    level, sheet = paper.level, paper.sheets[player]
    found = {
        at: format_marks(marks)
        for at, marks in marks_of(sheet).items()
        if possible_stacks(level, at)
    }
    for place, track in level.number_tracks.items():
        number = track.circled(sheet)
        if number is not None:
            found[place] = str(number)
    return found


def takes_number(level: Level, marks: PaperMarks, at: str) -> bool:
    """Return whether a sheet has reached the flag or completed the race of a number track."""
    crossed = crossed_fields(level, field_marks(level, marks))
    return level.number_tracks[at].is_reached(crossed)
