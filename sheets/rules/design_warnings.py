"""Design warnings about a level, to be read before printing it.

A level that the format accepts can still have a flaw: an unreachable corner, a lock without a key.
A warning never blocks saving or printing; it names the fields it concerns.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from sheets.rules.level import Level, bits
from sheets.rules.sheet import closed_locks
from sheets.rules.symbols import PAYING, symbol_key

DESIGN_WARNINGS: Final = (
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


class DesignWarning(NamedTuple):
    """One design warning.

    ``name`` is one of `DESIGN_WARNINGS`; ``fields`` are the names of the fields it concerns.
    ``key`` depends on the warning: a colour, a line (``row 2``), an area (counted from 1), a number
    on fields, a symbol (``gem yellow``) or a number of players; empty if the warning needs none.
    """

    name: str
    fields: tuple[str, ...] = ()
    key: str = ""


def find_design_warnings(level: Level) -> list[DesignWarning]:
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
    """Return the mask of the rockets that a die can launch; ``reach`` is the mask from `reachable`.

    A rocket that only another rocket can cross launches nothing.
    """
    return level.rockets & reach & level.numbered & ~level.printed


def _warn(level: Level, name: str, fields: int, key: str = "") -> Iterator[DesignWarning]:
    """Yield the warning if it concerns any field of the mask."""
    if fields:
        yield DesignWarning(name, tuple(level.names(fields)), key)


def _starts(level: Level) -> Iterator[DesignWarning]:
    if not level.printed:
        yield DesignWarning("no-start")


def _unreachable(level: Level, reach: int) -> Iterator[DesignWarning]:
    """Find unreachable fields; unreachable fields with a symbol get a separate warning."""
    if not level.printed:
        return
    lost = level.crossable & ~reach
    plain = sum(1 << i for i in bits(lost) if not level.fields[i].symbol)
    yield from _warn(level, "unreachable", plain)
    yield from _warn(level, "unreachable-symbol", lost & ~plain)


def _locks(level: Level) -> Iterator[DesignWarning]:
    keys, locks = level.by_colour["key"], level.by_colour["lock"]
    for colour, fields in locks.items():
        if colour not in keys:
            yield from _warn(level, "lock-without-key", fields, colour)
    for colour, fields in keys.items():
        if colour not in locks:
            yield from _warn(level, "key-without-lock", fields, colour)


def _rockets(level: Level) -> Iterator[DesignWarning]:
    # A rocket-planet that is the only planet has no target: its own field is crossed at launch.
    stranded = sum(1 << i for i in bits(level.rockets) if not level.planets & ~(1 << i))
    yield from _warn(level, "rocket-without-planet", stranded)
    if not level.rockets:
        yield from _warn(level, "planet-without-rocket", level.planets & level.with_number[0])


def _twice(level: Level) -> Iterator[DesignWarning]:
    """Find rows and columns that have more than one arrow."""
    arrows = Counter((ln.kind, ln.which, ln.fields) for ln in level.lines if ln.kind != "fields")
    for (kind, which, fields), count in arrows.items():
        if count > 1:
            yield from _warn(level, "line-twice", fields, f"{kind} {which}")


def _never_complete(level: Level, reach: int) -> Iterator[DesignWarning]:
    """Find lines, areas and puzzles with an unreachable field."""
    if not level.printed:  # `no-start` covers all of them
        return
    for kind, key, fields in _lines_and_areas(level):
        yield from _warn(level, f"{kind}-never-complete", fields & ~reach, key)
    for colour, pieces in level.by_colour["puzzle"].items():
        yield from _warn(level, "puzzle-never-complete", pieces & ~reach, colour)


def _lines_and_areas(level: Level) -> Iterator[tuple[str, str, int]]:
    """Yield a tuple per line and area: ``line`` or ``area``, key of the warning, mask of fields."""
    for number, line in enumerate(level.lines, start=1):
        yield "line", f"{line.kind} {line.which or number}", line.fields
    for number, area in enumerate(level.areas, start=1):
        yield "area", str(number), area.fields


def _lacking_rockets(level: Level, reach: int) -> Iterator[DesignWarning]:
    """Find lines and areas with more numberless planets than the level has usable rockets."""
    flights = launches(level, reach).bit_count()
    for kind, key, fields in _lines_and_areas(level):
        planets = fields & level.planets & level.with_number[0] & ~level.printed
        # Without any rocket the planets are unreachable, which has its own warning.
        if 0 < flights < planets.bit_count() and not fields & ~reach:
            yield from _warn(level, f"{kind}-lacks-rockets", planets, key)


def _complete_at_once(level: Level) -> Iterator[DesignWarning]:
    for kind, key, fields in _lines_and_areas(level):
        if not fields & ~level.printed:
            yield from _warn(level, f"{kind}-complete-at-once", fields, key)


def _dice(level: Level) -> Iterator[DesignWarning]:
    """Find the lowest number of players with more dice in a pass than fields on all sheets."""
    fields = open_fields(level)
    for players in level.player_counts if fields else ():
        if level.dice[players] > players * fields:
            yield DesignWarning("dice-without-fields", (), str(players))
            return


def open_fields(level: Level) -> int:
    """Return the number of fields on a new sheet that can take a die."""
    return (level.numbered & ~level.printed).bit_count()


def _pairs(level: Level) -> Iterator[DesignWarning]:
    """Find walls between fields without a common edge, and links between fields with one.

    They have no effect, and the sheet does not show them.
    """
    for a, b in level.walls:
        if not _share_edge(level, a, b):
            yield DesignWarning("wall-between-strangers", (a, b))
    for a, b in level.links:
        if _share_edge(level, a, b):
            yield DesignWarning("link-between-neighbours", (a, b))


def _share_edge(level: Level, a: str, b: str) -> bool:
    return bool(level.edge_neighbours[level.index[a]] >> level.index[b] & 1)


def _equal_neighbours(level: Level) -> Iterator[DesignWarning]:
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
                yield from _warn(level, "equal-neighbours", group, str(number))


def _numbers(level: Level) -> Iterator[DesignWarning]:
    """Find the numbers that no uncrossed field has; one warning if no such field has a number."""
    if not level.numbered & ~level.printed:
        yield DesignWarning("no-number")
        return
    for number in range(1, 7):
        if not level.with_number[number] & ~level.printed:
            yield DesignWarning("number-missing", (), str(number))


def _points(level: Level) -> Iterator[DesignWarning]:
    """Find points for a symbol and colour that no field has."""
    for symbol, amounts in {**level.points_by_colour, "flag": level.flag_tracks}.items():
        for colour in amounts:
            if colour not in level.by_colour[symbol]:
                yield DesignWarning("points-unused", (), symbol_key(symbol, colour))


def _worth_nothing(level: Level) -> Iterator[DesignWarning]:
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
                yield from _warn(level, "symbol-worth-nothing", fields, key)
    amounts_of: list[int | tuple[int, ...]] = [line.points for line in level.lines]
    amounts_of += [area.race or area.points for area in level.areas]
    for (kind, key, fields), amount in zip(_lines_and_areas(level), amounts_of, strict=True):
        if not _has_worth(amount):
            yield from _warn(level, f"{kind}-worth-nothing", fields, key)


def _has_worth(amount: int | tuple[int, ...]) -> bool:
    return any(amount) if isinstance(amount, tuple) else bool(amount)
