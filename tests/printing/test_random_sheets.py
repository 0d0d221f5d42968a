"""Printed sheets of random levels: no badge, line or symbol touches another."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

import numpy as np
import pytest

from sheets.art.render.items import Item, Stamp, TextLine
from sheets.printing.geometry import Frame, PageOptions, make_frame
from sheets.printing.grid import draw_grid
from sheets.rules import Level, parse_level
from sheets.rules.documents.level import MAX_SIDE
from tests.art.badges import badly_placed, min_badly_placed
from tests.printing.shapes_on_paper import Covered, _cover, _distance
from tests.rules.random_games import random_level

LEVELS = 500
"""Number of random levels."""

MAX_SIZE_LEVELS = 1
"""Number of levels that have the maximum size."""

LARGE_SIDES = (9, 12)
"""Minimum and maximum number of columns and rows of a large level."""

LARGE_INTERVAL = 17
"""Interval between two large levels; odd, so that all `PRINTS` include large levels."""

PRINTS = (
    ({"paper": "a5"}, 1),
    ({}, 2),
    ({"per_page": 1}, 1),
    ({"paper": "letter"}, 1),
    ({"paper": "letter", "per_page": 2}, 2),
    ({"large": True}, 1),
    ({"paper": "letter", "large": True}, 1),
    ({"bw": True}, 2),
)
"""Options and sheets per page; the levels use them in turn."""


class Sheet(NamedTuple):
    """Paper covered by a grid: by contents of fields, by lines over them, and by badges."""

    contents: list[Covered]
    lines: list[Covered]
    badges: list[Covered]


def laid_out(level: Level, shape: Frame) -> Sheet:
    sheet = Sheet([], [], [])
    for item in draw_grid(level, shape, {}):
        group = group_of(sheet, item)
        if group is not None:
            group += _cover(item)
    return sheet


def group_of(sheet: Sheet, item: Item) -> list[Covered] | None:
    if isinstance(item, TextLine):
        return None if item.role == "on-badge" else sheet.contents
    if isinstance(item, Stamp):
        # Rails run from border to border, so they always meet the contents of a field.
        return None if item.id.startswith(("field-", "track-")) else sheet.contents
    if item.shape.fill == "badge":
        return sheet.badges
    return sheet.lines if item.shape.stroke == "border" else None


def overlapping(first: list[Covered], second: list[Covered]) -> Iterator[tuple[Covered, Covered]]:
    """Yield the pairs whose boxes overlap."""
    if not first or not second:
        return
    a, b = (np.array([found.box for found in group]) for group in (first, second))
    apart = np.maximum(a[:, None, :2] - b[None, :, 2:], b[None, :, :2] - a[:, None, 2:]).max(-1)
    for i, j in zip(*np.nonzero(apart <= 0), strict=True):
        yield first[i], second[j]


def touching(first: list[Covered], second: list[Covered]) -> list[tuple[str, str]]:
    return [(a.name, b.name) for a, b in overlapping(first, second) if _distance(a, b) <= 0]


def sizes(random: Random) -> Iterator[tuple[int, int] | None]:
    """Yield columns and rows of each level; None leaves them to chance, so most are small."""
    for number in range(LEVELS):
        if number < MAX_SIZE_LEVELS:
            yield MAX_SIDE, MAX_SIDE
        elif not number % LARGE_INTERVAL:
            yield random.randint(*LARGE_SIDES), random.randint(*LARGE_SIDES)
        else:
            yield None


@pytest.mark.slow
def test_nothing_touches_on_500_random_sheets() -> None:
    random = Random(12)
    found = []
    for number, size in enumerate(sizes(random)):
        level = parse_level(random_level(random, size))
        options, per_page = PRINTS[number % len(PRINTS)]
        shape = make_frame(level, PageOptions(**options), per_page)
        sheet = laid_out(level, shape)
        badges = [
            (a.name, b.name) for a, b in overlapping(sheet.badges, sheet.badges) if a is not b
        ]
        bad = badly_placed(level)
        fewest = min_badly_placed(level) if badges or bad else 0
        if fewest is None:
            badges = []
        elif bad > fewest:
            badges.append((f"{bad} badges on other things", f"{fewest} have to be"))
        crosses = [found for found in sheet.contents if found.name == "cross-print"]
        others = [found for found in sheet.contents if found.name != "cross-print"]
        clashes = badges + touching(sheet.badges, others)
        clashes += touching(sheet.lines, [*crosses, *others])
        if clashes:
            found.append((number, options, clashes[:3]))
    assert found == []
