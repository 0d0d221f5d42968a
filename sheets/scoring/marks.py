"""What can stand where on a paper sheet, and what does a tap make of it?

The marks of one sheet are a mapping from place to value, as they are stored. A place is a field
(``"c4"``) or a `NumberTrack` (``"flag red"``, ``"race 0"``). A field's value is the word for all
that lies on it (`sheets.rules.marks.format_marks`), a track's value the circled number. What is
printed is never among them.
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
from sheets.rules.paper import Paper, fill_numbers
from sheets.rules.rails import OPPOSITE
from sheets.rules.sheet import Sheet

Marks = Mapping[str, str]

PENS: Final = {"cross": ("cross", "exploded"), "lava": ("lava", "exploded-lava")}
"""What taps with each pen make of a field, one after the other, where it can be."""


def field_values(level: Level, at: str) -> tuple[str, ...]:
    """The values a field may have, none for what is printed, no field, or a volcano."""
    return tuple(map(format_marks, possible_stacks(level, at)))


def place_values(level: Level, at: str) -> tuple[str, ...]:
    """The values any place may have, see the module's text."""
    if track := level.number_tracks.get(at):
        return tuple(str(number) for number in dict.fromkeys((*track.numbers, 0)))
    return field_values(level, at)


def has_volcano(level: Level) -> bool:
    """Whether lava can flow on the level."""
    return bool(level.by_symbol["volcano"])


def next_value(level: Level, at: str, value: str, *, lava: bool, is_solo: bool) -> str:
    """What a tap on a field with this value makes of it; empty for nothing.

    A bomb goes from cross to exploded (never in a solo game) to open. With ``lava`` the tap pours
    lava instead of drawing a cross, and leaves a cross that stands there alone.
    """
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
    """`next_value` of all fields at once: by symbol (empty for none), pen and value before.

    Empty for a rail level, where a tap asks for the piece of track.
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


def rank_shapes(level: Level, marks: Marks, at: str) -> list[str]:
    """The six pieces of track, those that join most of the tracks around the field first.

    Pieces with an end at which no field is, or a wall, come last.
    """
    beyond, joined = level.beyond[level.index[at]], _joined(level, marks, at)
    return sorted(
        SHAPES, key=lambda shape: (not beyond.keys() >= set(shape), -len(joined & set(shape)))
    )


def only_shape(level: Level, marks: Marks, at: str) -> str:
    """The one piece that leads on everywhere and joins all tracks around; empty if there is none.

    Also where there are several.
    """
    beyond, joined = level.beyond[level.index[at]], _joined(level, marks, at)
    fitting = [shape for shape in SHAPES if joined <= set(shape) <= beyond.keys()]
    return fitting[0] if len(fitting) == 1 else ""


def _joined(level: Level, marks: Marks, at: str) -> set[str]:
    """The edges of a field at which a track of its neighbour ends."""
    tracks = {**level.printed_tracks, **marks}
    beyond = level.beyond[level.index[at]]
    return {
        edge
        for edge, other in beyond.items()
        if OPPOSITE[edge] in tracks.get(level.fields[other].name, "")
    }


def field_marks(level: Level, marks: Marks) -> dict[str, tuple[str, ...]]:
    """What lies on the fields alone, by field name: the circled numbers left out."""
    return {at: parse_marks(value) for at, value in marks.items() if at not in level.number_tracks}


def read_paper(
    level: Level, players: Sequence[str], sheets: Sequence[Marks], solo: bool | None
) -> Paper:
    """The sheets as the rules read them.

    A circled 0 that can no longer be, because others have taken their flag back, counts as not
    circled; in a solo game no bomb explodes.
    """
    is_solo = len(players) == 1 if solo is None else solo
    read = [_read_fields(level, marks, is_solo) for marks in sheets]
    for place, track in level.number_tracks.items():
        possible = {*track.numbers, *track.possible_numbers(len(track.takers(read)))}
        for i, marks in enumerate(sheets):
            if place in marks and int(marks[place]) in possible:
                read[i] = track.with_circled(read[i], int(marks[place]))
    return fill_numbers(Paper(level, level.id, tuple(players), tuple(read), is_solo, ()))


def _read_fields(level: Level, marks: Marks, is_solo: bool) -> Sheet:
    sheet = read_marks(level, field_marks(level, marks))
    return sheet._replace(exploded=0) if is_solo else sheet


def stored_marks(paper: Paper, player: int) -> dict[str, str]:
    """The marks of one of the sheets the rules have read: `read_paper` the other way round."""
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


def takes_number(level: Level, marks: Marks, at: str) -> bool:
    """Whether the sheet has reached the flag, or completed the race area, of a place."""
    crossed = crossed_fields(level, field_marks(level, marks))
    return level.number_tracks[at].is_reached(crossed)
