"""Design warnings about a level, to be read before printing it.

A level that the format accepts can still have a flaw: an unreachable corner, a lock without a key.
Advice never blocks saving or printing; it names the fields it concerns.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from sheets.rules.level import Level, bits
from sheets.rules.sheet import closed_locks
from sheets.rules.symbols import PAYING, symbol_key

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
    "line-lacks-rockets",
    "area-lacks-rockets",
    "line-complete-at-once",
    "area-complete-at-once",
    "dice-without-fields",
    "wall-between-strangers",
    "link-between-neighbours",
    "equal-neighbours",
    "no-number",
    "number-missing",
    "points-unused",
    "symbol-worth-nothing",
    "line-worth-nothing",
    "area-worth-nothing",
)
"""The names of all warnings."""

MIN_EQUAL_GROUP: Final = 3
"""Minimum size of a group of touching fields with equal numbers that `equal-neighbours` reports."""


class Advice(NamedTuple):
    """One design warning.

    ``name`` is one of `ADVICE`; ``fields`` are the names of the fields it concerns; ``key`` names
    the colour, line (``row 2``), area (counted from 1), number, symbol or number of players.
    """

    name: str
    fields: tuple[str, ...] = ()
    key: str = ""


def find_advice(level: Level) -> list[Advice]:
    """Return all warnings about a level, the most serious first."""
    reach = reachable(level)
    return [
        *_starts(level),
        *_unreachable(level, reach),
        *_locks(level),
        *_rockets(level),
        *_twice(level),
        *_never_complete(level, reach),
        *_lacking_rockets(level, reach),
        *_complete_at_once(level),
        *_dice(level),
        *_pairs(level),
        *_equal_neighbours(level),
        *_numbers(level),
        *_points(level),
        *_worth_nothing(level),
    ]


def reachable(level: Level) -> int:
    """Return the mask of the fields a player can cross in some game, printed crosses included.

    Dice spread from crosses over touching fields; a lock needs a reachable key of its colour, and
    a reachable rocket makes every planet a new start. A jump adds no field: it, too, ends next to
    a cross.
    """
    reach = level.printed
    grown = 0
    while grown != reach:
        grown = reach
        reach |= level.touching(reach) & level.numbered & ~closed_locks(level, reach)
        if reach & level.rockets & ~level.printed:
            reach |= level.planets
    return reach


def launches(level: Level, reach: int) -> int:
    """Return the mask of the rockets within ``reach`` that a die can launch.

    A rocket that only another rocket can cross launches nothing.
    """
    return level.rockets & reach & level.numbered & ~level.printed


def _advice(level: Level, name: str, fields: int, key: str = "") -> Iterator[Advice]:
    """Yield the warning if it concerns any field of the mask."""
    if fields:
        yield Advice(name, tuple(level.names(fields)), key)


def _starts(level: Level) -> Iterator[Advice]:
    if not level.printed:
        yield Advice("no-start")


def _unreachable(level: Level, reach: int) -> Iterator[Advice]:
    """Find unreachable fields; those with a symbol have a purpose and get their own warning."""
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
    # A rocket-planet that is the only planet has no target: its own field is crossed at launch.
    stranded = sum(1 << i for i in bits(level.rockets) if not level.planets & ~(1 << i))
    yield from _advice(level, "rocket-without-planet", stranded)
    if not level.rockets:
        yield from _advice(level, "planet-without-rocket", level.planets & level.with_number[0])


def _twice(level: Level) -> Iterator[Advice]:
    """Find rows and columns that have more than one arrow."""
    arrows = Counter((ln.kind, ln.which, ln.fields) for ln in level.lines if ln.kind != "fields")
    for (kind, which, fields), count in arrows.items():
        if count > 1:
            yield from _advice(level, "line-twice", fields, f"{kind} {which}")


def _never_complete(level: Level, reach: int) -> Iterator[Advice]:
    """Find lines, areas and puzzles with an unreachable field."""
    if not level.printed:  # `no-start` covers all of them
        return
    for number, line in enumerate(level.lines, start=1):
        key = f"{line.kind} {line.which or number}"
        yield from _advice(level, "line-never-complete", line.fields & ~reach, key)
    for number, area in enumerate(level.areas, start=1):
        yield from _advice(level, "area-never-complete", area.fields & ~reach, str(number))
    for colour, pieces in level.by_colour["puzzle"].items():
        yield from _advice(level, "puzzle-never-complete", pieces & ~reach, colour)


def _lines_and_areas(level: Level) -> Iterator[tuple[str, str, int]]:
    """Yield ``line`` or ``area``, the key and the field mask of each line and area."""
    for number, line in enumerate(level.lines, start=1):
        yield "line", f"{line.kind} {line.which or number}", line.fields
    for number, area in enumerate(level.areas, start=1):
        yield "area", str(number), area.fields


def _lacking_rockets(level: Level, reach: int) -> Iterator[Advice]:
    """Find lines and areas with more numberless planets than the level has usable rockets."""
    flights = launches(level, reach).bit_count()
    for kind, key, fields in _lines_and_areas(level):
        planets = fields & level.planets & level.with_number[0] & ~level.printed
        # Without any rocket the planets are unreachable, which has its own warning.
        if 0 < flights < planets.bit_count() and not fields & ~reach:
            yield from _advice(level, f"{kind}-lacks-rockets", planets, key)


def _complete_at_once(level: Level) -> Iterator[Advice]:
    for kind, key, fields in _lines_and_areas(level):
        if not fields & ~level.printed:
            yield from _advice(level, f"{kind}-complete-at-once", fields, key)


def _dice(level: Level) -> Iterator[Advice]:
    """Find the lowest number of players with more dice in a pass than fields on all sheets."""
    fields = open_fields(level)
    for players in level.player_counts if fields else ():
        if level.dice[players] > players * fields:
            yield Advice("dice-without-fields", (), str(players))
            return


def open_fields(level: Level) -> int:
    """Return the number of fields on a new sheet that can take a die."""
    return (level.numbered & ~level.printed).bit_count()


def _pairs(level: Level) -> Iterator[Advice]:
    """Find walls and links without effect, which are not drawn either."""
    for a, b in level.walls:
        if not _share_edge(level, a, b):
            yield Advice("wall-between-strangers", (a, b))
    for a, b in level.links:
        if _share_edge(level, a, b):
            yield Advice("link-between-neighbours", (a, b))


def _share_edge(level: Level, a: str, b: str) -> bool:
    return bool(level.edge_neighbours[level.index[a]] >> level.index[b] & 1)


def _equal_neighbours(level: Level) -> Iterator[Advice]:
    """Find connected components of at least `MIN_EQUAL_GROUP` fields with the same number."""
    for number in range(1, 7):
        left = level.with_number[number] & ~level.printed
        while left:
            group, grown = left & -left, 0
            while grown != group:
                grown = group
                group |= level.touching(group) & left
            left &= ~group
            if group.bit_count() >= MIN_EQUAL_GROUP:
                yield from _advice(level, "equal-neighbours", group, str(number))


def _numbers(level: Level) -> Iterator[Advice]:
    """Find the dice that fit on no field; a single warning covers a level without numbers."""
    if not level.numbered & ~level.printed:
        yield Advice("no-number")
        return
    for number in range(1, 7):
        if not level.with_number[number] & ~level.printed:
            yield Advice("number-missing", (), str(number))


def _points(level: Level) -> Iterator[Advice]:
    """Find points for a symbol that is not on the sheet: left over, or the symbol is missing."""
    for symbol, amounts in {**level.points_by_colour, "flag": level.flag_tracks}.items():
        for colour in amounts:
            if colour not in level.by_colour[symbol]:
                yield Advice("points-unused", (), symbol_key(symbol, colour))


def _worth_nothing(level: Level) -> Iterator[Advice]:
    """Find symbols, lines and areas that pay 0 points."""
    by_colour: Mapping[str, Mapping[str, int | tuple[int, ...]]] = {
        **level.points_by_colour,
        "flag": level.flag_tracks,
    }
    for symbol in PAYING:
        amounts: Mapping[str, int | tuple[int, ...]] = by_colour.get(symbol, level.points)
        for colour, fields in level.by_colour.get(symbol, {"": level.by_symbol[symbol]}).items():
            if not _has_worth(amounts.get(colour or symbol, 1)):
                key = symbol_key(symbol, colour)
                yield from _advice(level, "symbol-worth-nothing", fields, key)
    amounts_of: list[int | tuple[int, ...]] = [line.points for line in level.lines]
    amounts_of += [area.race or area.points for area in level.areas]
    for (kind, key, fields), amount in zip(_lines_and_areas(level), amounts_of, strict=True):
        if not _has_worth(amount):
            yield from _advice(level, f"{kind}-worth-nothing", fields, key)


def _has_worth(amount: int | tuple[int, ...]) -> bool:
    return any(amount) if isinstance(amount, tuple) else bool(amount)
