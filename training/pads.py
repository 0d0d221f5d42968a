"""Synthetic pads: random pages with a level, and filled sheets of them."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from sheets.rules import format_level, parse_level
from sheets.rules.level import SHAPES, Level, format_field
from training.filled_pages import PX_PER_MM, Filling, PlannedMarks, Truth, fill_sheet
from training.games import play_sheet
from training.pad_pages import DrawnField, Fonts, Page, draw_page

_SYMBOLS: Final = ("B", "Gy", "H", "Gp", "Gb", "Gr", "Gg", "Go", "Gw")
"""Symbols of the level for the page's symbols, in their order, except volcanoes, which have a field
of their own."""

_BEGINNINGS: Final = 2
"""Number of marks from which a game starts, because synthetic pads have no printed start."""

_COLOURS: Final = ("yellow", "purple", "blue", "red", "green", "orange", "white")
"""Colours of gems, by the first letter in the grid."""

_NAME_MM: Final = 6.0
"""Height of the name's box in millimetres."""


class SyntheticPad(NamedTuple):
    """An empty sheet and its level; ``boxes`` are its fields in millimetres, by name."""

    page: Page
    level: Level
    boxes: dict[str, tuple[float, float, float, float]]


def choose_pad(rng: Generator, fonts: Fonts) -> SyntheticPad:
    """Choose a random pad; some have rails or a volcano."""
    page = draw_page(rng, fonts)
    rails = not any(page.shifts) and rng.random() < 0.15
    bare = [at for at, one in page.fields.items() if one.digit is None]
    volcano = bare[0] if bare and not rails and rng.random() < 0.4 else None
    wide, high = (max(at[i] for at in page.fields) + 1 for i in (0, 1))
    grid = [
        " ".join(
            "-V" if (x, y) == volcano else _square(page.fields.get((x, y)), rails=rails)
            for x in range(wide)
        )
        for y in range(high)
    ]
    text = " ".join(grid)
    document: dict[str, Any] = {
        "format": "dizzle-level/1",
        "id": f"pad-{rng.integers(10**6)}",
        "name": "Pad",
        "grid": grid,
        "points": _points(text),
    }
    if rails:
        document["marks"] = "tracks"
    elif any(page.shifts[:high]):
        document["shifts"] = page.shifts[:high]
    names = {format_field(x, y): one.box for (x, y), one in page.fields.items()}
    return SyntheticPad(page, parse_level(document), names)


def _square(drawn: DrawnField | None, *, rails: bool) -> str:
    if drawn is None:
        return "."
    number = str(drawn.digit or "-")
    if drawn.symbol is None:
        return number
    symbol = _SYMBOLS[drawn.symbol % len(_SYMBOLS)]
    return number + ("H" if rails and symbol == "B" else symbol)


def _points(grid: str) -> dict[str, Any]:
    gems = {colour: 1 for colour in _COLOURS if f"G{colour[0]}" in grid}
    points: dict[str, Any] = {"gem": gems} if gems else {}
    return points | {name: -2 for name, letter in (("bomb", "B"), ("heap", "H")) if letter in grid}


def play_pad(rng: Generator, level: Level, filling: Filling) -> PlannedMarks:
    """Return the marks of a player's sheet after a whole game, including the first marks."""
    numbered = [one.name for one in level.fields if one.number]
    count = min(_BEGINNINGS, len(numbered))
    first = {
        name: _first_mark(rng, level)
        for name in rng.choice(numbered, count, replace=False).tolist()
    }
    marked = play_sheet(rng, _begun(level, first), filling)
    return marked._replace(fields={**marked.fields, **first})


def _first_mark(rng: Generator, level: Level) -> str:
    return str(rng.choice(SHAPES)) if level.rails else "cross"


def _begun(level: Level, first: dict[str, str]) -> Level:
    """Return the level with some printed marks, from which bots can start."""
    document = format_level(level)
    if level.rails:
        return parse_level(document | {"tracks": first})
    grid = [row.split() for row in document["grid"]]
    for name in first:
        field = level.fields[level.index[name]]
        square = grid[field.row][field.column]
        grid[field.row][field.column] = f"{square[0]}x{square[1:]}"
    return parse_level(document | {"grid": [" ".join(row) for row in grid]})


def fill_pad(
    rng: Generator, pad: SyntheticPad, filling: Filling, marked: PlannedMarks | None = None
) -> tuple[NDArray[np.uint8], Truth]:
    """Return a filled sheet (red, green and blue at `PX_PER_MM`) and its ground truth.

    Args:
        marked: marks of the sheet; random marks without it.
    """
    picture = pad.page.picture.copy()
    width_mm = picture.shape[1] / PX_PER_MM
    name = [width_mm * 0.55, 4.0, width_mm * 0.35, _NAME_MM]
    sheet = {"fields": pad.boxes, "numbers": {}, "name": name, "scores": {}}
    truth = Truth(pad.level.id, 0, 1, {})
    fill_sheet(rng, picture, pad.level, sheet, filling, truth, marked)
    return picture, truth
