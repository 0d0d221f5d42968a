"""Drawing of a sheet in the editor, compared with the print: arrows, walls, borders and dashes."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from sheets.art.decorations import DASHES
from sheets.art.layout import Layout, lay_out
from sheets.rules import parse_level
from tests.browser.conftest import MakePath, OpenPage
from tests.browser.workshop_page import choose_tool, wait_for_frame

COLUMNS = [{"column": column, "points": 9} for column in "abcd"]
"""Columns with points."""

SHEETS: dict[str, tuple[list[str], dict[str, Any]]] = {
    "ragged": (
        ["1 2 3 4", "6 5 . 3", ". 1 . 2"],
        {
            "lines": [*COLUMNS, {"row": 2, "points": 5}, {"row": 2, "points": -99}],
            "areas": [{"fields": ["a1", "b1", "a2"], "points": 5}],
        },
    ),
    "leaning": (["1 2 3 4", "4 3 2 1", "1 2 3 ."], {"shifts": [0, 0, 0.75], "lines": COLUMNS}),
    "walled": (
        ["1 2 3 4", "4 3 -V 1", "1 2 3 4"],
        {
            "shifts": [0.25, 0, 0.5],
            "areas": [{"fields": ["b1", "b2", "c2"], "points": 5}],
            "lines": [{"fields": ["a3", "b3", "c1"], "points": 3}],
            "walls": [["a1", "b1"], ["a1", "a2"], ["a2", "a3"], ["a1", "b2"], ["c1", "a3"]],
        },
    ),
}
"""Grid and other parts of the drawn sheets."""

DRAWN = """() => {
    const drawing = document.getElementById("drawing");
    const boxes = (selector) => [...drawing.querySelectorAll(selector)].map((path) => {
        const { x, y, width, height } = path.getBBox();
        return [x, y, x + width, y + height].map((length) => length / 100);
    });
    const origin = drawing.querySelector("[data-field=a1]").transform.baseVal[0].matrix;
    return {
        origin: [origin.e / 100, origin.f / 100],
        arrows: boxes("path.f-badge"),
        walls: boxes(".wall-line"),
        borders: boxes(".border-line, .chain-line"),
        lengths: [...drawing.querySelectorAll(".border-line, .chain-line")].map(
            (path) => path.getTotalLength() / 100),
    };
}"""
"""Script that returns the boxes of the drawn parts."""


def drawn_boxes(page: Page) -> dict[str, list[list[float]]]:
    """Return the editor's parts as left, top, right and bottom, in fields from the corner of a1.

    Borders also have a length: a chain has one in each of its fields.
    """
    found = page.evaluate(DRAWN)
    x, y = found.pop("origin")
    lengths = found.pop("lengths")
    return {"lengths": [[length] for length in lengths]} | {
        kind: [[left - x, top - y, right - x, bottom - y] for left, top, right, bottom in boxes]
        for kind, boxes in found.items()
    }


def printed_boxes(layout: Layout) -> dict[str, list[list[float]]]:
    """Return the same for the printed sheet; arrows without their margin."""
    origin = next(iter(layout.fields.values()))

    def around(*points: tuple[float, float]) -> list[float]:
        xs, ys = ([point[i] for point in points] for i in (0, 1))
        return [min(xs) - origin.x, min(ys) - origin.y, max(xs) - origin.x, max(ys) - origin.y]

    loops = ((point for loop in border.loops for point in loop) for border in layout.borders)
    lengths = [
        sum(math.dist(a, b) for loop in border.loops for a, b in pairwise([*loop, loop[0]]))
        for border in layout.borders
    ]
    corners = [((x, y), (x + width, y + height)) for x, y, width, height in
               (arrow.box for arrow in layout.arrows)]  # fmt: skip
    return {
        "arrows": [around(*pair) for pair in corners],
        "walls": [around(*wall) for wall in layout.walls],
        "borders": [around(*points) for points in loops],
        "lengths": [[length] for length in lengths],
    }


@pytest.mark.parametrize("sheet", SHEETS)
def test_editor_draws_what_will_be_printed(
    open_page: OpenPage, make_level: MakePath, sheet: str
) -> None:
    grid, more = SHEETS[sheet]
    page = open_page(make_level(*grid, **more), "desktop")
    expect(page.locator("#drawing [data-field=a1]")).to_be_attached()
    level = parse_level({"id": "a", "name": "A", "grid": grid, **more})
    drawn, printed = drawn_boxes(page), printed_boxes(lay_out(level))
    for kind in ("walls", "borders", "lengths"):
        assert drawn[kind] == [pytest.approx(box, abs=0.001) for box in printed[kind]]
    # Arrows of the editor have another length: they are touch targets.
    arrows = ([box[:2] for box in found["arrows"]] for found in (drawn, printed))
    for here, there in zip(*arrows, strict=True):
        assert here == pytest.approx(there, abs=0.03)


def test_points_of_one_row_are_added_up_and_fit_into_their_arrow(
    open_page: OpenPage, make_level: MakePath
) -> None:
    lines = [{"row": 1, "points": -99}] * 12 + [{"column": "b", "points": 99}] * 2
    page = open_page(make_level("1 2", "3 .", lines=lines), "desktop")
    for name in ("numbers", "lines"):
        choose_tool(page, name)
        wait_for_frame(page)
        parts = page.locator("#drawing path.f-badge, #drawing use.f-on-badge").evaluate_all(
            "(all) => all.map((one) => [one.localName, one.getBoundingClientRect().toJSON()])"
        )
        assert [part for part, _box in parts] == ["path", *["use"] * 5, "path", *["use"] * 3]
        arrow: dict[str, float] = {}
        for part, box in parts:
            arrow = box if part == "path" else arrow
            assert arrow["left"] <= box["left"] < box["right"] <= arrow["right"]
            assert arrow["top"] <= box["top"] < box["bottom"] <= arrow["bottom"]
    edge = page.locator("[data-edge='row 1']")
    expect(edge).to_have_accessible_name("Row 1: -1188 points")


def test_chains_have_the_dashes_of_the_print(open_page: OpenPage, make_level: MakePath) -> None:
    lines = [{"fields": [f"{column}1"], "points": 5} for column in "abcdefg"]
    page = open_page(make_level("1 2 3 4 5 6 1", lines=lines), "desktop")
    wait_for_frame(page)
    shown = page.locator("#drawing .chain-line").evaluate_all(
        "(all) => all.map((line) => getComputedStyle(line).strokeDasharray.split(', '))"
    )
    patterns = [[float(length.removesuffix("px")) / 100 for length in one] for one in shown]
    assert patterns == [pytest.approx(list(pattern)) for pattern in (*DASHES, DASHES[0])]
