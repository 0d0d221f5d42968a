"""On the sheets of random levels, too, no badge, line or symbol touches another."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

import numpy as np
import pytest

from sheets.geometry import Frame, PageOptions, frame
from sheets.printing.grid import draw_grid
from sheets.render.items import Item, Stamp, Words
from sheets.rules import Level, parse_level
from sheets.rules.documents.level import MAX_SIDE
from tests.artwork.badges import badly_placed, least_badly_placed
from tests.printing.shapes_on_paper import Covered, _cover, _distance
from tests.rules.random_games import random_level

LEVELS = 500
LARGEST, LARGE, BETWEEN = 1, (9, 12), 17
"""So many levels are as large as levels may be; columns and rows of the large ones; of so many
levels one is large: an odd number, so that they come in each of the ways."""

WAYS = (
    ({"paper": "a5"}, 1),
    ({}, 2),
    ({"per_page": 1}, 1),
    ({"paper": "letter"}, 1),
    ({"paper": "letter", "per_page": 2}, 2),
    ({"large": True}, 1),
    ({"paper": "letter", "large": True}, 1),
    ({"bw": True}, 2),
)
"""Options to print with, by turns, and how many sheets lie on a page then."""


class Sheet(NamedTuple):
    """What lies on a grid: what fields show, lines over them, and badges."""

    prints: list[Covered]
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
    if isinstance(item, Words):
        return None if item.role == "on-badge" else sheet.prints
    if isinstance(item, Stamp):
        # Rails run from border to border, so they meet whatever is drawn there.
        return None if item.id.startswith(("field-", "track-")) else sheet.prints
    if item.shape.fill == "badge":
        return sheet.badges
    return sheet.lines if item.shape.stroke == "border" else None


def meeting(first: list[Covered], second: list[Covered]) -> Iterator[tuple[Covered, Covered]]:
    """The pairs whose boxes meet."""
    if not first or not second:
        return
    a, b = (np.array([found.box for found in group]) for group in (first, second))
    apart = np.maximum(a[:, None, :2] - b[None, :, 2:], b[None, :, :2] - a[:, None, 2:]).max(-1)
    for i, j in zip(*np.nonzero(apart <= 0), strict=True):
        yield first[i], second[j]


def touching(first: list[Covered], second: list[Covered]) -> list[tuple[str, str]]:
    return [(a.name, b.name) for a, b in meeting(first, second) if _distance(a, b) <= 0]


def sizes(random: Random) -> Iterator[tuple[int, int] | None]:
    """Columns and rows of each level; None leaves them to chance, which makes most small."""
    for number in range(LEVELS):
        if number < LARGEST:
            yield MAX_SIDE, MAX_SIDE
        elif not number % BETWEEN:
            yield random.randint(*LARGE), random.randint(*LARGE)
        else:
            yield None


@pytest.mark.slow
def test_nothing_touches_on_500_random_sheets() -> None:
    random = Random(12)
    found = []
    for number, size in enumerate(sizes(random)):
        level = parse_level(random_level(random, size))
        options, per_page = WAYS[number % len(WAYS)]
        shape = frame(level, PageOptions(**options), per_page)
        sheet = laid_out(level, shape)
        badges = [(a.name, b.name) for a, b in meeting(sheet.badges, sheet.badges) if a is not b]
        bad = badly_placed(level)
        least = least_badly_placed(level) if badges or bad else 0
        if least is None:
            badges = []
        elif bad > least:
            badges.append((f"{bad} badges on other things", f"{least} have to be"))
        crosses = [found for found in sheet.prints if found.name == "cross-print"]
        others = [found for found in sheet.prints if found.name != "cross-print"]
        clashes = badges + touching(sheet.badges, others)
        clashes += touching(sheet.lines, [*crosses, *others])
        if clashes:
            found.append((number, options, clashes[:3]))
    assert found == []
