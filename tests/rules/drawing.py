"""Sheets as text drawings: parser and formatter, so that a test reads like a printed sheet.

A drawing has the squares of a level's grid (``4``, ``3x``, ``5Lr``, ``-P``, ``.``), each with at
most one mark behind it: ``X`` a cross, ``*`` a die of this pass, ``!`` exploded, ``~`` lava.
"""

from __future__ import annotations

from typing import Any

from sheets.rules import Game, Level, Sheet, blank_sheet, new_game, parse_level
from sheets.rules.documents.level import HOLE
from sheets.rules.sheet import closed_locks

MARKS = {"X": "crosses", "*": "dice", "!": "exploded", "~": "lava"}
"""The attributes of `Sheet` by the sign of the mark in a drawing."""

COLOURS = ("red", "orange", "yellow", "green", "blue", "purple", "white", "black")
"""All colours of symbols."""

POINTS: dict[str, Any] = {
    "gem": dict.fromkeys(COLOURS, 2),
    "puzzle": dict.fromkeys(COLOURS, 10),
    "flag": {colour: [10, 6, 3, 1] for colour in COLOURS},
    "bomb": -2,
    "heap": -3,
    "stop": 4,
}
"""The default ``points`` of drawn levels: every symbol pays."""


def level_of(drawing: str, **keys: Any) -> Level:
    """Return the level of a drawing without its marks; `keys` are further keys of the document."""
    grid = [
        " ".join(square.rstrip("X*!~") for square in row.split())
        for row in drawing.strip().splitlines()
    ]
    points = {**POINTS, **keys.pop("points", {})}
    return parse_level({"id": "drawn", "name": "Drawn", "grid": grid, "points": points, **keys})


def sheet_of(drawing: str, level: Level | None = None, **keys: Any) -> Sheet:
    """Return the sheet of a drawing, on `level` or by default on the drawn level."""
    level = level or level_of(drawing, **keys)
    masks = dict.fromkeys(MARKS.values(), 0)
    squares = [square for row in drawing.split("\n") for square in row.split() if square != HOLE]
    for i, square in enumerate(squares):
        if square[-1] in MARKS:
            masks[MARKS[square[-1]]] |= 1 << i
    crosses = masks["crosses"] | level.printed
    return blank_sheet(level)._replace(
        crosses=crosses,
        near_crosses=level.touching(crosses),
        closed=closed_locks(level, crosses),
        dice=masks["dice"],
        near_dice=level.touching(masks["dice"]),
        exploded=masks["exploded"],
        lava=masks["lava"],
    )


def drawn(sheet: Sheet) -> str:
    """Return the drawing of a sheet, one blank between squares."""
    level = sheet.level
    marks = {
        name: mark
        for mark, kind in MARKS.items()
        for name in level.names(getattr(sheet, kind) & ~level.printed)
    }
    rows = []
    index = 0
    for row in level.document["grid"]:
        squares = []
        for square in row.split():
            if square != HOLE:
                square += marks.get(level.fields[index].name, "")
                index += 1
            squares.append(square)
        rows.append(" ".join(squares))
    return "\n".join(rows)


def tidy(drawing: str) -> str:
    """Return a drawing in the format of `drawn`."""
    return "\n".join(" ".join(row.split()) for row in drawing.strip().splitlines())


def turn_of(*drawings: str, pool: tuple[int, ...], player: int = 0, **keys: Any) -> Game:
    """Return a tracked game in which it is `player`'s turn; one drawing per player, same level."""
    game = open_pass_of(*drawings, tracked=True, **keys)
    return game._replace(phase="turn", player=player, pool=tuple(sorted(pool)))


def open_pass_of(*drawings: str, tracked: bool = False, **keys: Any) -> Game:
    """Return a game whose first pass is open; one drawing per player, all of the same level."""
    level = level_of(drawings[0], **keys)
    names = ["Ana", "Ben", "Cem", "Dora"][: len(drawings)]
    game = new_game(level, names, tracked=tracked)
    sheets = tuple(sheet_of(drawing, level) for drawing in drawings)
    return game._replace(sheets=sheets, phase="roll" if tracked else "open")
