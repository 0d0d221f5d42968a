"""What do many simulated games say about a level?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from sheets.rules import Level
from sheets.rules.scoring import rate
from sheets.simulation import WIN, Tally

GROUPS: Final = {
    "planets": "planet",
    "lines": "line",
    "puzzles": "puzzle",
    "areas": "area",
    "flags": "flag",
    "tracks": "track",
    "stops": "stops",
    "heaps": "heaps",
    "bombs": "bombs",
}
"""The parts of ``pays`` that are counted by sheet, and what a reader calls one entry."""

GRADES: Final = 7


def summarise(level: Level, tally: Tally) -> dict[str, Any]:
    """A tally as one JSON document; every share is a number from 0 to 1.

    ``scores`` has the worst, the quartiles and the best; ``grades`` (solo, else null) those of the
    median and the best and the share of games by grade; ``crossed`` the mean share of a sheet's
    fields that are crossed; ``fields`` the share of sheets on which each field is, without
    volcanoes, which nobody can cross; ``pays`` for ``symbols`` the mean share of their fields that
    is crossed, for each entry of `GROUPS` the share of sheets on which it brings or costs points
    (a planet: is crossed); ``wins`` the share of games by seat.
    """
    totals = sorted(tally.totals)
    sheets = len(totals)
    worst, lower, median, upper, best = (totals[(sheets - 1) * part // 4] for part in range(5))
    fields = {
        f.name: _share(tally.crossed[i], sheets)
        for i, f in enumerate(level.fields)
        if f.symbol != "volcano"
    }
    grades = None
    if tally.grades:
        grades = {
            "median": rate(median, level.ratings),
            "best": rate(best, level.ratings),
            "shares": [_share(tally.grades.count(n), tally.games) for n in range(GRADES)],
        }
    return {
        "scores": {
            "worst": worst,
            "lower_quartile": lower,
            "median": median,
            "upper_quartile": upper,
            "best": best,
        },
        "grades": grades,
        "crossed": _share(sum(fields.values()), len(fields)),
        "pays": {
            "symbols": _symbol_shares(level, fields),
            **{group: _item_shares(level, tally, fields, group) for group in GROUPS},
        },
        "fields": fields,
        "wins": [
            _share(tally.wins[seat], tally.games * WIN) for seat in range(sheets // tally.games)
        ],
    }


def least_paid(level: Level, summary: Mapping[str, Any]) -> tuple[str, float]:
    """Of all that can pay on the sheet, what does so most rarely, and on what share of sheets.

    Looked at are each gem and each planet by itself, and lines, puzzles, areas and flags.
    """
    gems = [f.name for f in level.fields if f.symbol == "gem"]
    shares = {f"gem {name}": summary["fields"][name] for name in gems}
    for group in ("planets", "lines", "puzzles", "areas", "flags"):
        shares |= {f"{GROUPS[group]} {key}": s for key, s in summary["pays"][group].items()}
    name = min(shares, key=lambda name: shares[name], default="")
    return name, shares.get(name, 1.0)


def _symbol_shares(level: Level, fields: Mapping[str, float]) -> dict[str, float]:
    groups: dict[str, list[float]] = {}
    for f in level.fields:
        if f.symbol and f.name in fields:
            groups.setdefault(f"{f.symbol} {f.colour}".rstrip(), []).append(fields[f.name])
    return {name: _share(sum(shares), len(shares)) for name, shares in sorted(groups.items())}


def _item_shares(
    level: Level, tally: Tally, fields: Mapping[str, float], group: str
) -> dict[str, float]:
    """How often each item of a group pays, those that never did included."""
    if group == "planets":
        return {name: fields[name] for name in level.names(level.planets)}
    keys: dict[str, list[str]] = {
        "lines": [f"{ln.kind} {ln.which or n}" for n, ln in enumerate(level.lines, start=1)],
        "puzzles": list(level.by_colour["puzzle"]),
        "areas": [str(number) for number in range(1, len(level.areas) + 1)],
        "flags": list(level.by_colour["flag"]),
        "tracks": ["route", "loop", "longest"] if level.rails else [],
        "stops": [""] if level.by_symbol["stop"] else [],
        "heaps": [""] if level.by_symbol["heap"] else [],
        "bombs": [""] if level.by_symbol["bomb"] else [],
    }
    return {key: _share(tally.paid[group, key], len(tally.totals)) for key in keys[group]}


def _share(part: float, whole: float) -> float:
    return round(part / whole, 4)
