"""What would the inventor of a level want to know before printing it?

A level that the format accepts can still be odd: a corner nobody reaches, a lock without a key.
Advice never stops anybody; it names the fields it is about.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final, NamedTuple

from sheets.rules.level import Level, bits
from sheets.rules.symbols import symbol_key

ADVICE: Final = (
    "no-start",
    "unreachable",
    "unreachable-symbol",
    "lock-without-key",
    "key-without-lock",
    "rocket-without-planet",
    "planet-without-rocket",
    "line-twice",
    "line-never-complete",
    "area-never-complete",
    "puzzle-never-complete",
    "wall-between-strangers",
    "link-between-neighbours",
    "equal-neighbours",
    "no-number",
    "number-missing",
    "points-unused",
)
LONG_RUN: Final = 3
"""From how many equal numbers in one touching group on they are worth a word."""


class Advice(NamedTuple):
    """One oddity of a level.

    ``name`` is one of `ADVICE`; ``fields`` are the names of the fields it is about; ``key`` tells
    which colour, line (``row 2``), area (from 1), number or symbol.
    """

    name: str
    fields: tuple[str, ...] = ()
    key: str = ""


def find_advice(level: Level) -> list[Advice]:
    """All advice about a level, the gravest first."""
    reach = reachable(level)
    return [
        *_starts(level),
        *_unreachable(level, reach),
        *_locks(level),
        *_rockets(level),
        *_twice(level),
        *_never_complete(level, reach),
        *_pairs(level),
        *_equal_neighbours(level),
        *_numbers(level),
        *_points(level),
    ]


def reachable(level: Level) -> int:
    """The fields somebody can cross in some game, as a mask; printed ones are among them.

    Dice grow from crosses over touching fields; a lock needs a reachable key of its colour, and a
    reachable rocket makes every planet a new start. A jump leads nowhere else: it, too, ends next
    to a cross.
    """
    reach = level.printed
    grown = 0
    while grown != reach:
        grown = reach
        reach |= level.touching(reach) & level.numbered & ~_closed(level, reach)
        if reach & level.rockets & ~level.printed:
            reach |= level.planets
    return reach


def _closed(level: Level, reach: int) -> int:
    closed = 0
    for colour, locks in level.by_colour["lock"].items():
        if not level.by_colour["key"].get(colour, 0) & reach:
            closed |= locks
    return closed


def _advice(level: Level, name: str, fields: int, key: str = "") -> Iterator[Advice]:
    if fields:
        yield Advice(name, tuple(level.names(fields)), key)


def _starts(level: Level) -> Iterator[Advice]:
    if not level.printed:
        yield Advice("no-start")


def _unreachable(level: Level, reach: int) -> Iterator[Advice]:
    """Fields nobody reaches; those with a symbol are told apart: they were meant for something."""
    if not level.printed:
        return
    lost = level.crossable & ~reach
    plain = sum(1 << i for i in bits(lost) if not level.fields[i].symbol)
    yield from _advice(level, "unreachable", plain)
    yield from _advice(level, "unreachable-symbol", lost & ~plain)


def _locks(level: Level) -> Iterator[Advice]:
    keys, locks = level.by_colour["key"], level.by_colour["lock"]
    for colour, fields in locks.items():
        if colour not in keys:
            yield from _advice(level, "lock-without-key", fields, colour)
    for colour, fields in keys.items():
        if colour not in locks:
            yield from _advice(level, "key-without-lock", fields, colour)


def _rockets(level: Level) -> Iterator[Advice]:
    # A rocket whose own field is the only planet has just crossed it.
    stranded = sum(1 << i for i in bits(level.rockets) if not level.planets & ~(1 << i))
    yield from _advice(level, "rocket-without-planet", stranded)
    if not level.rockets:
        yield from _advice(level, "planet-without-rocket", level.planets & level.with_number[0])


def _twice(level: Level) -> Iterator[Advice]:
    """Rows and columns that more than one arrow is for."""
    arrows = Counter((ln.kind, ln.which, ln.fields) for ln in level.lines if ln.kind != "fields")
    for (kind, which, fields), count in arrows.items():
        if count > 1:
            yield from _advice(level, "line-twice", fields, f"{kind} {which}")


def _never_complete(level: Level, reach: int) -> Iterator[Advice]:
    for number, line in enumerate(level.lines, start=1):
        key = f"{line.kind} {line.which or number}"
        yield from _advice(level, "line-never-complete", line.fields & ~reach, key)
    for number, area in enumerate(level.areas, start=1):
        yield from _advice(level, "area-never-complete", area.fields & ~reach, str(number))
    for colour, pieces in level.by_colour["puzzle"].items():
        yield from _advice(level, "puzzle-never-complete", pieces & ~reach, colour)


def _pairs(level: Level) -> Iterator[Advice]:
    """Walls and links that change nothing, and are drawn nowhere."""
    for a, b in level.walls:
        if not _side_by_side(level, a, b):
            yield Advice("wall-between-strangers", (a, b))
    for a, b in level.links:
        if _side_by_side(level, a, b):
            yield Advice("link-between-neighbours", (a, b))


def _side_by_side(level: Level, a: str, b: str) -> bool:
    return bool(level.side_by_side[level.index[a]] >> level.index[b] & 1)


def _equal_neighbours(level: Level) -> Iterator[Advice]:
    for number in range(1, 7):
        left = level.with_number[number] & ~level.printed
        while left:
            group, grown = left & -left, 0
            while grown != group:
                grown = group
                group |= level.touching(group) & left
            left &= ~group
            if group.bit_count() >= LONG_RUN:
                yield from _advice(level, "equal-neighbours", group, str(number))


def _numbers(level: Level) -> Iterator[Advice]:
    """Dice that fit nowhere; where none does, that alone is worth a word."""
    if not level.numbered & ~level.printed:
        yield Advice("no-number")
        return
    for number in range(1, 7):
        if not level.with_number[number] & ~level.printed:
            yield Advice("number-missing", (), str(number))


def _points(level: Level) -> Iterator[Advice]:
    """Points for a symbol that is not on the sheet: a leftover, or a symbol that was forgotten."""
    for symbol, amounts in {**level.points_by_colour, "flag": level.flag_tracks}.items():
        for colour in amounts:
            if colour not in level.by_colour[symbol]:
                yield Advice("points-unused", (), symbol_key(symbol, colour))
