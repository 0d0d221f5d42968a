"""Printed sheets of levels at the limits of the format: crowded, but no text covers another."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from typing import Any

import numpy as np
import pytest

from sheets.art.palette import COLOURS
from sheets.art.render.items import DrawnPage, PathItem
from sheets.printing.booklet import draw_booklet
from sheets.printing.geometry import PageOptions, make_frame
from sheets.printing.round_tracker import draw_tracker
from sheets.rules import parse_level
from sheets.text.languages import languages
from tests.printing.shapes_on_paper import covered, covered_by_text

SIZES: dict[str, dict[str, Any]] = {
    "a4": {},
    "a4, large": {"large": True},
    "a4, no markers": {"per_page": 1, "markers": False},
    "a5": {"paper": "a5"},
    "letter": {"paper": "letter", "per_page": 1},
    "letter, large": {"paper": "letter", "large": True},
    "letter, two sheets": {"paper": "letter", "per_page": 2},
}
ROUNDS = {
    "50 each": [50] * 6,
    "all different": [50, 49, 48, 47, 46, 45],
    "50 alone": [50, 6, 4, 3, 1, 1],
    "one": [1] * 6,
    "many": [20, 18, 16, 14, 12, 10],
}
CATEGORIES = (
    *(["1Gr", "2Jr", "3B", "4H", "5Kr", "6Lr"], ["1R", "-P", "2O", "3x", "4Gy", "5Jy"]),
    " ".join(f"1F{colour}" for colour in "roygbpwk").split(),
)


def level(rounds: list[int], *, everything: bool) -> dict[str, Any]:
    """Return a level of 26 by 26 fields, with every category or with none.

    ``rounds`` are the numbers of rounds for one to six players.
    """
    grid = [[str((x * 2 + y * 3) % 6 + 1) for x in range(26)] for y in range(26)]
    points: dict[str, Any] = {}
    if everything:
        for y, row in enumerate(CATEGORIES):
            grid[y][: len(row)] = row
        points = {
            "gem": {"red": 2, "yellow": 3},
            "puzzle": {"red": 8, "yellow": 9},
            "flag": {colour: [10, 6, 3, 1] for colour in COLOURS},
            "bomb": -2,
            "heap": -3,
        }
    grid[25][25] += "x"
    counts = range(1, 7)
    return {
        "format": "dizzle-level/1",
        "id": "extreme",
        "name": "An unusually long name, of forty letters",
        "grid": [" ".join(row) for row in grid],
        "points": points,
        "lines": [{"row": y, "points": 5} for y in range(1, 27)],
        "areas": [{"fields": ["a10", "b10"], "race": [12, 8, 4]}] if everything else [],
        "dice": dict.fromkeys(map(str, counts), 30),
        "rounds": {str(n): rounds[n - 1] for n in counts},
    }


def clashes(page: DrawnPage) -> list[tuple[str, str]]:
    """Return the pairs of texts that overlap."""
    found = list(covered_by_text(page))
    left, top, right, bottom = np.array([one.box for one in found]).T
    across = (left[:, None] < right) & (left < right[:, None])
    along = (top[:, None] < bottom) & (top < bottom[:, None])
    pairs = np.argwhere(np.triu(across & along, 1))
    return [(found[i].name, found[j].name) for i, j in pairs]


def faults_of(size: str, rounds: str, everything: bool, lang: str) -> list[object]:
    """Return the pairs of texts that overlap, and the items that reach below the column."""
    drawn = parse_level(level(ROUNDS[rounds], everything=everything))
    options = PageOptions(**{"per_page": 1} | SIZES[size], lang=lang)
    (page,) = draw_booklet([drawn], options)
    column = make_frame(drawn, options, options.per_page).column
    end = column.y + column.height + 0.3
    faults: list[object] = [*clashes(page)]
    for found in covered(page):
        left, _top, right, bottom = found.box
        is_in_column = left >= column.x - 0.5 and right <= column.x + column.width + 0.5
        if is_in_column and bottom > end:
            faults.append((found.name, bottom - end))
    return faults


def check(cases: Iterable[tuple[str, str, bool, str]]) -> None:
    """Check that no texts overlap, and that the column ends above the code."""
    faults = {case: faults_of(*case) for case in cases}
    assert {case: found for case, found in faults.items() if found} == {}


def test_no_text_lies_on_another_and_the_column_ends_above_the_code() -> None:
    """Draw each size with all rounds, with alternating contents and languages."""
    more = list(product((False, True), languages()))
    pairs = enumerate(product(SIZES, ROUNDS))
    check((size, rounds, *more[i % len(more)]) for i, (size, rounds) in pairs)


@pytest.mark.slow
def test_no_text_lies_on_another_in_any_combination() -> None:
    check(product(SIZES, ROUNDS, (False, True), languages()))


@pytest.mark.parametrize("size", SIZES)
def test_many_rounds_have_one_set_of_boxes_for_all_numbers_of_players(size: str) -> None:
    options = PageOptions(**{"per_page": 1} | SIZES[size])

    def boxes(rounds: list[int]) -> int:
        drawn = parse_level(level(rounds, everything=False))
        leaf = make_frame(drawn, options, options.per_page)
        items, low = draw_tracker(drawn, leaf)
        assert low < leaf.column.height / 2
        return sum(isinstance(item, PathItem) and item.shape.fill == "paper" for item in items)

    assert boxes([50] * 6) == boxes([45, 46, 47, 48, 49, 50]) == 50
    assert boxes([10, 6, 4, 3, 2, 2]) == (10 if options.large else 27)


def test_endless_number_tracks_make_the_column_small_but_no_text_lies_on_another() -> None:
    wrong = {}
    for races, numbers in ((40, 8), (8, 40), (40, 40)):
        document = level([50] * 6, everything=True)
        document["points"]["flag"] = {colour: [10] * numbers for colour in COLOURS}
        document["areas"] = [
            {"fields": [f"{chr(97 + i % 26)}{12 + i // 26}"], "race": [9] * numbers}
            for i in range(races)
        ]
        drawn = parse_level(document)
        for size, own in SIZES.items():
            (page,) = draw_booklet([drawn], PageOptions(**{"per_page": 1} | own))
            if found := clashes(page):
                wrong[size, races, numbers] = found
    assert wrong == {}
