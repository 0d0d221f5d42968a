"""Scoring: a sheet's points by category with the fields they come from, winners and rating."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from sheets.rules.rails import find_routes
from sheets.rules.sheet import Sheet
from sheets.rules.symbols import (
    CATEGORIES,
    COLOURED_PAYING_ALL,
    COLOURED_PAYING_EACH,
    PLAIN_PAYING_EACH,
    SYMBOLS,
)

SOLO_BOMB_POINTS: Final = 2
"""Points of a crossed bomb in a solo game (`bombs`)."""

TRACK_POINTS: Final[Mapping[str, int]] = {"route": 1, "loop": 2, "longest": 3}
"""Points per field with a track: on an open route, a loop or the longest loop (`tracks`)."""


class Item(NamedTuple):
    """One amount of the score column with the fields it comes from.

    ``category`` is one of `CATEGORIES`; ``key`` distinguishes the items of a category: a colour, a
    line's ``row 2``, ``column c`` or ``fields 3`` (its number among the level's lines), an area's
    number from 1, ``loop``, ``longest`` or ``route``. ``fields`` names the fields the amount comes
    from or, while it is 0, those already crossed; ``missing`` those still to be crossed;
    ``spoilt`` those that cannot be crossed any more: exploded, or under lava.
    """

    category: str
    key: str
    points: int
    fields: tuple[str, ...]
    missing: tuple[str, ...]
    spoilt: tuple[str, ...] = ()


class Score(NamedTuple):
    """A sheet's total with its items; ``marks`` is the number of crosses and tracks."""

    total: int
    marks: int
    by_category: dict[str, int]
    items: tuple[Item, ...]


def score_sheet(sheet: Sheet, *, solo: bool) -> Score:
    """Return the current score of a sheet.

    Args:
        sheet: the sheet; dice on it do not count.
        solo: whether crossed bombs pay, instead of exploded ones costing points (`bombs`).
    """
    items = (
        *_each_of_colour(sheet),
        *_lines(sheet),
        *_all_of_colour(sheet),
        *_areas(sheet),
        *_flags(sheet),
        *_each(sheet),
        *_bombs(sheet, solo),
        *_rail_items(sheet),
    )
    by = dict.fromkeys(CATEGORIES, 0)
    for item in items:
        by[item.category] += item.points
    return Score(sum(by.values()), sheet.crosses.bit_count(), by, items)


def find_winners(scores: Sequence[Score]) -> list[int]:
    """Return the winners' indexes; tie-break: fewer crosses, then shared (`winner`)."""
    if not scores:
        return []
    best = max((score.total, -score.marks) for score in scores)
    return [i for i, score in enumerate(scores) if (score.total, -score.marks) == best]


def share_win(winners: Collection[int], players: int) -> list[float]:
    """Return each player's share of the win: equal shares for the winners, 0 for the others.

    >>> share_win([0, 2], 3)
    [0.5, 0.0, 0.5]
    """
    return [1 / len(winners) if player in winners else 0.0 for player in range(players)]


def rate(total: float, ratings: Sequence[int]) -> int:
    """Return the grade of a solo total or median: the number of minimums it reaches (`rating`).

    >>> rate(61, (41, 51, 61, 71, 81, 91))
    3
    """
    return sum(total >= limit for limit in ratings)


def _item(sheet: Sheet, category: str, key: str, points: int, fields: int) -> Item:
    names = sheet.level.names
    crossed = fields & sheet.crosses
    spoilt = fields & ~crossed & (sheet.exploded | sheet.lava)
    missing = fields & ~(crossed | spoilt)
    return Item(category, key, points, *(tuple(names(one)) for one in (crossed, missing, spoilt)))


def _each_of_colour(sheet: Sheet) -> Iterator[Item]:
    level = sheet.level
    for symbol in COLOURED_PAYING_EACH:
        for colour, fields in level.by_colour[symbol].items():
            each = level.points_by_colour[symbol][colour]
            points = each * (fields & sheet.crosses).bit_count()
            yield _item(sheet, SYMBOLS[symbol].category, colour, points, fields)


def _lines(sheet: Sheet) -> Iterator[Item]:
    for number, line in enumerate(sheet.level.lines, start=1):
        points = 0 if line.fields & ~sheet.crosses else line.points
        yield _item(sheet, "lines", f"{line.kind} {line.which or number}", points, line.fields)


def _all_of_colour(sheet: Sheet) -> Iterator[Item]:
    level = sheet.level
    for symbol in COLOURED_PAYING_ALL:
        for colour, fields in level.by_colour[symbol].items():
            points = 0 if fields & ~sheet.crosses else level.points_by_colour[symbol][colour]
            yield _item(sheet, SYMBOLS[symbol].category, colour, points, fields)


def _areas(sheet: Sheet) -> Iterator[Item]:
    for index, area in enumerate(sheet.level.areas):
        if area.race:
            points = sheet.races.get(index, 0)
        else:
            points = 0 if area.fields & ~sheet.crosses else area.points
        yield _item(sheet, "areas", str(index + 1), points, area.fields)


def _flags(sheet: Sheet) -> Iterator[Item]:
    for colour, fields in sheet.level.by_colour["flag"].items():
        yield _item(sheet, "flags", colour, sheet.flags.get(colour, 0), fields)


def _each(sheet: Sheet) -> Iterator[Item]:
    """Yield the items of uncoloured symbols that pay or cost points for each one crossed.

    Uncrossed symbols that cost points are not listed as missing.
    """
    level = sheet.level
    for name in PLAIN_PAYING_EACH:
        if fields := level.by_symbol[name]:
            symbol = SYMBOLS[name]
            points = level.points[name] * (fields & sheet.crosses).bit_count()
            counted = fields & sheet.crosses if symbol.costs else fields
            yield _item(sheet, symbol.category, "", points, counted)


def _bombs(sheet: Sheet, solo: bool) -> Iterator[Item]:
    if fields := sheet.level.by_symbol["bomb"]:
        if solo:
            counted, each = fields & sheet.crosses, SOLO_BOMB_POINTS
        else:
            counted, each = fields & sheet.exploded, sheet.level.points["bomb"]
        names = tuple(sheet.level.names(counted))
        yield Item("bombs", "", each * len(names), names, ())


def _rail_items(sheet: Sheet) -> Iterator[Item]:
    """Yield the items of `tracks` and `stops`; none if the level has no rails."""
    if not sheet.level.rails:
        return
    names = sheet.level.names
    routes = find_routes(sheet.level, sheet.tracks)
    loops = sorted(
        (route.fields for route in routes if route.is_loop), key=int.bit_count, reverse=True
    )
    for rank, fields in enumerate(loops):
        yield _tracks(sheet, "loop" if rank else "longest", fields)
    yield _tracks(sheet, "route", sum(route.fields for route in routes if not route.is_loop))
    if stops := sheet.level.by_symbol["stop"]:
        reached = stops & sum(loops)
        points = sheet.level.points["stop"] * reached.bit_count()
        yield Item("stops", "", points, tuple(names(reached)), tuple(names(stops & ~reached)))


def _tracks(sheet: Sheet, key: str, fields: int) -> Item:
    points = TRACK_POINTS[key] * fields.bit_count()
    return Item("tracks", key, points, tuple(sheet.level.names(fields)), ())
