"""Summary of many simulated games on a level as a document."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from sheets.rules import Level
from sheets.rules.level import RATINGS
from sheets.rules.scoring import rate
from sheets.rules.symbols import (
    BY_CATEGORY,
    CATEGORIES,
    COLOURED_PAYING_EACH,
    PLAIN_PAYING_EACH,
    SYMBOLS,
    symbol_key,
)
from sheets.simulation.games import Tally
from sheets.stats import FIVE_NUMBERS, five_numbers


def _entry(category: str) -> str:
    """Return the name of one item of a score category: ``line`` for ``lines``.

    Symbols without a colour are counted together as one item, which has the name of its category.
    """
    symbol = BY_CATEGORY.get(category)
    if symbol:
        return symbol.name if symbol.is_coloured else category
    return {"lines": "line", "areas": "area", "tracks": "track"}[category]


def _costs(category: str) -> bool:
    symbol = BY_CATEGORY.get(category)
    return symbol is not None and symbol.costs


GROUPS: Final = {
    "planets": "planet",
    **{
        category: _entry(category)
        for category in sorted(CATEGORIES, key=_costs)
        if category not in BY_CATEGORY or BY_CATEGORY[category].name not in COLOURED_PAYING_EACH
    },
}
"""Groups of ``pays`` in a summary that are counted by sheet, with the name of one item of the
group. Groups that cost points are last."""

GAINING_SYMBOLS: Final = (
    *COLOURED_PAYING_EACH,
    *(name for name in PLAIN_PAYING_EACH if not SYMBOLS[name].costs),
)
"""Symbols that bring points one by one."""

GRADE_COUNT: Final = len(RATINGS) + 1
"""Number of grades of a solo game."""


def summarise(level: Level, tally: Tally) -> dict[str, Any]:
    """Return a tally as a JSON document; every share is a number from 0 to 1.

    - ``scores``: the worst and the best total, and the quartiles.
    - ``grades``: of solo games, the grades of the median and of the best total, and for each grade
      its share of the games; null if there are no solo games.
    - ``crossed``: the mean share of a sheet's fields that are crossed.
    - ``fields``: for each field, the share of sheets on which it is crossed. Volcanoes cannot be
      crossed, and are left out here and in ``crossed``.
    - ``pays``: in ``symbols``, for each symbol the mean share of its fields that are crossed; in
      each group of `GROUPS`, for each item the share of sheets on which it brings or costs points
      (for a planet: on which it is crossed).
    - ``wins``: for each seat, its share of the wins.
    """
    totals = sorted(tally.totals)
    sheets = len(totals)
    scores = dict(zip(FIVE_NUMBERS, five_numbers(totals), strict=True))
    fields = {
        f.name: _share(tally.crossed[i], sheets)
        for i, f in enumerate(level.fields)
        if f.symbol != "volcano"
    }
    grades = None
    if tally.grades:
        grades = {
            "median": rate(scores["median"], level.ratings),
            "best": rate(scores["best"], level.ratings),
            "shares": [_share(tally.grades.count(n), tally.games) for n in range(GRADE_COUNT)],
        }
    return {
        "scores": scores,
        "grades": grades,
        "crossed": _share(sum(fields.values()), len(fields)),
        "pays": {
            "symbols": _symbol_shares(level, fields),
            **{group: _item_shares(level, tally, fields, group) for group in GROUPS},
        },
        "fields": fields,
        "wins": [round(tally.win_share(seat), 4) for seat in range(sheets // tally.games)],
    }


def least_paid(level: Level, summary: Mapping[str, Any]) -> tuple[str, float]:
    """Return the thing that pays most rarely, and the share of sheets on which it pays.

    The candidates are each symbol of `GAINING_SYMBOLS`, each planet, line and area, and each colour
    of a symbol that pays by colour.
    """
    each = [f for f in level.fields if f.symbol in GAINING_SYMBOLS]
    shares = {f"{f.symbol} {f.name}": summary["fields"][f.name] for f in each}
    for group, entry in GROUPS.items():
        # Tracks always pay, and a group with a single entry says nothing about a place on the
        # sheet. Older reports lack the groups of newer symbols.
        if group != "tracks" and entry != group:
            shares |= {f"{entry} {key}": s for key, s in summary["pays"].get(group, {}).items()}
    name = min(shares, key=lambda name: shares[name], default="")
    return name, shares.get(name, 1.0)


def _symbol_shares(level: Level, fields: Mapping[str, float]) -> dict[str, float]:
    groups: dict[str, list[float]] = {}
    for f in level.fields:
        if f.symbol and f.name in fields:
            groups.setdefault(symbol_key(f.symbol, f.colour), []).append(fields[f.name])
    return {name: _share(sum(shares), len(shares)) for name, shares in sorted(groups.items())}


def _item_shares(
    level: Level, tally: Tally, fields: Mapping[str, float], group: str
) -> dict[str, float]:
    """Return the share of sheets on which each item of a group pays, also if it is 0."""
    if group == "planets":
        return {name: fields[name] for name in level.names(level.planets)}
    return {key: _share(tally.paid[group, key], len(tally.totals)) for key in _keys(level, group)}


def _keys(level: Level, category: str) -> list[str]:
    """Return the keys of all items that the level's score column can have in a category."""
    if category == "lines":
        return [f"{ln.kind} {ln.which or n}" for n, ln in enumerate(level.lines, start=1)]
    if category == "areas":
        return [str(number) for number in range(1, len(level.areas) + 1)]
    if category == "tracks":
        return ["route", "loop", "longest"] if level.rails else []
    symbol = BY_CATEGORY[category].name
    if symbol in level.by_colour:
        return list(level.by_colour[symbol])
    return [""] if level.by_symbol[symbol] else []


def _share(part: float, whole: float) -> float:
    return round(part / whole, 4) if whole else 0.0
