"""What do many simulated games say about a level?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from sheets.rules import Level
from sheets.rules.level import format_field
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
}
"""The parts of ``pays`` that are counted by sheet, and what a reader calls one entry."""

GRADES: Final = 7


def summarise(level: Level, tally: Tally) -> dict[str, Any]:
    """A tally as one JSON document; every share is a number from 0 to 1.

    ``scores`` has the worst, the quartiles and the best; ``grades`` (solo, else null) those of the
    median and the best and the share of games by grade; ``crossed`` the mean share of a sheet's
    fields that are crossed; ``fields`` the share of sheets on which each field is; ``pays`` for
    ``symbols`` the mean share of their fields that is crossed, for each entry of `GROUPS` the share
    of sheets on which it brings points (a planet: is crossed); ``wins`` the share of games by seat.
    """
    totals = sorted(tally.totals)
    sheets = len(totals)
    worst, lower, median, upper, best = (totals[(sheets - 1) * part // 4] for part in range(5))
    fields = {f.name: _share(tally.crossed[i], sheets) for i, f in enumerate(level.fields)}
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


def format_report(level: Level, summary: Mapping[str, Any]) -> str:
    """The summary for people."""
    return "\n".join(_report_lines(level, summary))


def _symbol_shares(level: Level, fields: Mapping[str, float]) -> dict[str, float]:
    groups: dict[str, list[float]] = {}
    for f in level.fields:
        if f.symbol and f.symbol != "volcano":
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
    }
    return {key: _share(tally.paid[group, key], len(tally.totals)) for key in keys[group]}


def _share(part: float, whole: float) -> float:
    return round(part / whole, 4)


def _report_lines(level: Level, summary: Mapping[str, Any]) -> Iterator[str]:
    scores = summary["scores"]
    yield "Scores   " + ", ".join(f"{key.replace('_', ' ')} {scores[key]}" for key in scores)
    if grades := summary["grades"]:
        shares = ", ".join(f"{n}: {share:.1%}" for n, share in enumerate(grades["shares"]))
        yield f"Grades   {shares}"
        yield f"         the median is grade {grades['median']}, the best {grades['best']}"
    seats = enumerate(summary["wins"], start=1)
    yield "Wins     " + ", ".join(f"seat {seat}: {share:.1%}" for seat, share in seats)
    yield f"Crossed  {summary['crossed']:.1%} of the fields"
    yield ""
    yield "Crossed of each kind of symbol, on average:"
    yield from _format_shares("", summary["pays"]["symbols"])
    yield "Sheets on which it pays (a planet: is crossed):"
    for group, word in GROUPS.items():
        yield from _format_shares(word, summary["pays"][group])
    yield "Sheets on which a field is crossed, per cent:"
    yield from format_heat(level, summary["fields"])


def _format_shares(word: str, shares: Mapping[str, float]) -> Iterator[str]:
    for key, share in shares.items():
        yield f"  {f'{word} {key}'.strip():<20}{share:>7.1%}"


def format_heat(level: Level, fields: Mapping[str, float]) -> Iterator[str]:
    """The sheet drawn with each field's share in per cent, holes left blank."""
    columns = range(level.columns)
    yield "    " + "".join(f"{format_field(column, 0)[0]:>4}" for column in columns)
    for row in range(level.rows):
        names = [format_field(column, row) for column in columns]
        cells = (f"{fields[name]:>4.0%}"[:-1] if name in fields else "" for name in names)
        yield f"{row + 1:>4}" + "".join(f"{cell:>4}" for cell in cells).rstrip()
