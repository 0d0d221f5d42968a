"""What can stand where on a paper sheet, and what does a tap make of it?

The marks of one sheet are a mapping from place to value. A place is a field (``"c4"``), a flag
colour (``"flag red"``) or a race area by its index (``"race 0"``). A field's value is ``cross``,
``exploded``, ``lava``, ``exploded-lava`` (a bomb under lava that exploded) or a shape of track; a
flag's or race's value is the circled number. What is printed is never among them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from sheets.rules import Level
from sheets.rules.level import SHAPES
from sheets.rules.paper import Paper, parse_sheets
from sheets.rules.rails import OPPOSITE

Marks = Mapping[str, str]

EXPLODED: Final = ("exploded", "exploded-lava")
LAVA: Final = ("lava", "exploded-lava")


def field_values(level: Level, at: str) -> tuple[str, ...]:
    """The values a field may have, none for what is printed, no field, or a volcano."""
    index = level.index.get(at)
    if index is None or level.printed >> index & 1 or not level.crossable >> index & 1:
        return ()
    if level.rails:
        return SHAPES
    is_bomb = level.fields[index].symbol == "bomb"
    has_lava = has_volcano(level)
    return (
        "cross",
        *(("exploded",) if is_bomb else ()),
        *(("lava",) if has_lava else ()),
        *(("exploded-lava",) if is_bomb and has_lava else ()),
    )


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
    cycle = [value for value in (LAVA if lava else ("cross", "exploded")) if value in allowed]
    if is_solo:
        cycle = [value for value in cycle if value not in EXPLODED]
    if lava and value == "cross":
        return value
    if lava and value == "exploded":
        return "exploded-lava"
    if value not in cycle:
        return cycle[0]
    return (*cycle, "")[cycle.index(value) + 1]


def rank_shapes(level: Level, marks: Marks, at: str) -> list[str]:
    """The six pieces of track, those that join most of the tracks around the field first.

    Pieces with an end at which no field is, or a wall, come last.
    """
    tracks = {**level.printed_tracks, **marks}
    beyond = level.beyond[level.index[at]]
    joined = {
        edge
        for edge, other in beyond.items()
        if OPPOSITE[edge] in tracks.get(level.fields[other].name, "")
    }
    return sorted(
        SHAPES, key=lambda shape: (not beyond.keys() >= set(shape), -len(joined & set(shape)))
    )


def read_paper(
    level: Level, players: Sequence[str], sheets: Sequence[Marks], solo: bool | None
) -> Paper:
    """The sheets as the rules read them.

    A circled 0 that can no longer be, because others have taken their flag back, counts as not
    circled; in a solo game no bomb explodes.
    """
    is_solo = len(players) == 1 if solo is None else solo

    def parse(numbers: Sequence[Marks]) -> Paper:
        entries = [
            _entry(level, player, marks, circles, is_solo)
            for player, marks, circles in zip(players, sheets, numbers, strict=True)
        ]
        document = {"level": level.id, "solo": is_solo, "sheets": entries}
        return parse_sheets(document, lambda _: level)

    bare = parse([{}] * len(sheets))
    possible = {}
    for place, track in level.number_tracks.items():
        takers = len(track.takers(bare.sheets))
        possible[place] = {*track.numbers, *track.possible_numbers(takers)}
    return parse(
        [
            {
                at: value
                for at, value in marks.items()
                if at in possible and int(value) in possible[at]
            }
            for marks in sheets
        ]
    )


def _entry(
    level: Level, player: str, marks: Marks, circles: Marks, is_solo: bool
) -> dict[str, Any]:
    fields = {at: value for at, value in marks.items() if " " not in at}
    return {
        "player": player,
        "crosses": [at for at, value in fields.items() if value == "cross"],
        "exploded": [at for at, value in fields.items() if value in EXPLODED and not is_solo],
        "lava": [at for at, value in fields.items() if value in LAVA],
        "tracks": fields if level.rails else {},
        "flags": _numbers("flag", circles),
        "races": _numbers("race", circles),
    }


def _numbers(kind: str, circles: Marks) -> dict[str, int]:
    return {
        at.removeprefix(f"{kind} "): int(value)
        for at, value in circles.items()
        if at.startswith(f"{kind} ")
    }


def marks_of(paper: Paper, player: int) -> dict[str, str]:
    """The marks of one of the sheets the rules have read: `read_paper` the other way round."""
    return dict(_marks_of(paper, player))


def _marks_of(paper: Paper, player: int) -> Iterator[tuple[str, str]]:
    level, sheet = paper.level, paper.sheets[player]
    for index, field in enumerate(level.fields):
        bit = 1 << index
        if not field_values(level, field.name):
            continue
        exploded, lava = bool(sheet.exploded & bit), bool(sheet.lava & bit)
        if level.rails:
            value = sheet.tracks.get(index, "")
        elif exploded or lava:
            value = "-".join(("exploded",) * exploded + ("lava",) * lava)
        else:
            value = "cross" if sheet.crosses & bit else ""
        if value:
            yield field.name, value
    for place, track in level.number_tracks.items():
        number = track.circled(sheet)
        if number is not None:
            yield place, str(number)


def takes_number(level: Level, marks: Marks, at: str) -> bool:
    """Whether the sheet has reached the flag, or completed the race area, of a place."""
    crossed = level.mask(name for name, value in marks.items() if value in ("cross", *SHAPES))
    return level.number_tracks[at].is_reached(crossed | level.printed)
