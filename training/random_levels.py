"""Random levels for training: any size, any symbols; they need not be playable."""

from __future__ import annotations

from typing import Any, Final

from numpy.random import Generator

from sheets.rules import parse_level
from sheets.rules.level import SHAPES, Level, format_field

_COLOURS: Final = {"G": "ypo", "K": "rbgp", "L": "rbgp", "J": "gbo", "F": "ryb"}
"""Colours of each symbol, by letter."""

_SYMBOLS: Final = {
    "plain": "GGGKLJFBHH",
    "rockets": "GGKLJFBHRRPPO",
    "volcano": "GGKLJBBHRP",
    "rails": "GGKLHSS",
}
"""Symbols by kind of level; repeated ones are more frequent."""

_TRACKS: Final = ([10, 6, 3, 1], [8, 6, 4, 2], [7, 5, 3, 1], [12, 8, 4, 2, 1], [9, 4])
"""Numbers of flags and races."""


def choose_level(rng: Generator) -> Level:
    """Return a random level, which need not be playable."""
    kind = str(rng.choice(list(_SYMBOLS), p=[0.4, 0.12, 0.23, 0.25]))
    columns, rows = int(rng.integers(5, 10)), int(rng.integers(6, 13))
    holes, symbols = rng.choice([0, 0.1, 0.25]), rng.uniform(0.2, 0.6)
    grid = [
        ["." if rng.random() < holes else _square(rng, kind, symbols) for _ in range(columns)]
        for _ in range(rows)
    ]
    grid[0][:2] = ["3" if kind == "rails" else "3x", "4"]
    if kind == "volcano":
        grid[-1][0] = "-V"
    document: dict[str, Any] = {
        "format": "dizzle-level/1",
        "id": f"trained-{rng.integers(10**6)}",
        "name": "Trained",
        "grid": [" ".join(row) for row in grid],
        "lines": [{"row": i + 1, "points": 5} for i in range(rows) if rng.random() < 0.3],
        "points": _points(rng, grid),
    }
    fields = [
        format_field(x, y)
        for y, row in enumerate(grid)
        for x, square in enumerate(row)
        if square != "." and not square.endswith("V")
    ]
    if kind == "rails":
        document["marks"] = "tracks"
        document["tracks"] = {
            name: str(rng.choice(SHAPES)) for name in rng.choice(fields, 2, replace=False).tolist()
        }
    elif rng.random() < 0.2:
        document["shifts"] = [float(rng.choice([0, 0.25, 0.5])) for _ in grid]
    document["areas"] = [
        {"fields": sorted(rng.choice(fields, 3, replace=False).tolist()), **_area(rng)}
        for _ in range(int(rng.integers(0, 3)))
    ]
    return parse_level(document)


def _square(rng: Generator, kind: str, symbols: float) -> str:
    number = str(rng.integers(1, 7))
    if kind != "rails" and rng.random() < 0.03:
        return number + "x"
    if rng.random() >= symbols:
        return number
    letter = str(rng.choice(list(_SYMBOLS[kind])))
    colour = str(rng.choice(list(_COLOURS[letter]))) if letter in _COLOURS else ""
    return number + letter + colour


def _area(rng: Generator) -> dict[str, Any]:
    if rng.random() < 0.5:
        return {"points": int(rng.integers(2, 10))}
    return {"race": list(_TRACKS[int(rng.integers(len(_TRACKS)))])}


def _points(rng: Generator, grid: list[list[str]]) -> dict[str, Any]:
    used = {square[1:] for row in grid for square in row if len(square) > 1}
    names = {"y": "yellow", "p": "purple", "o": "orange", "g": "green", "b": "blue", "r": "red"}
    found: dict[str, Any] = {}
    for name, letter in (("gem", "G"), ("puzzle", "J"), ("flag", "F")):
        for colour in sorted(one[1] for one in used if one[0] == letter):
            track = list(_TRACKS[int(rng.integers(len(_TRACKS)))])
            found.setdefault(name, {})[names[colour]] = track if letter == "F" else 3
    for name, letter, points in (("bomb", "B", -2), ("heap", "H", -3), ("stop", "S", 4)):
        if letter in used:
            found[name] = points
    return found
