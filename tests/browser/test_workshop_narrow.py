"""Results of the workshop on a phone: they are where one looks, and what is wider says so."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_workshop_reports import made_report
from tests.browser.workshop_bench import tool

OpenPage = Callable[..., Page]

MASK = "frame => getComputedStyle(frame).maskImage"


@pytest.mark.parametrize("script", [True, False])
def test_a_phone_shows_the_suggestion_that_was_asked_for(open_page: OpenPage, script: bool) -> None:
    page = open_page("/workshop/suggest/", "phone", java_script_enabled=script)
    sheet = page.locator("#wish-sheet .art-sheet").first
    assert sheet.bounding_box()["y"] > 844
    for button in ("Show them", "Three others"):
        page.get_by_role("button", name=button).click()
        page.wait_for_url("**#wish-sheet")
        expect(page.locator("#wish-sheet h2").first).to_be_in_viewport()
        expect(sheet).to_be_in_viewport(ratio=0.9)
        expect(page.locator("#wish-sheet .art-sheet")).to_have_count(3)


def test_a_wide_table_of_the_report_keeps_its_first_column(open_page: OpenPage) -> None:
    page = open_page(f"/workshop/{made_report()}/balance/", "phone")
    page.locator("#figure-scores summary").click()
    table = page.locator("#figure-scores .scroll-x")
    head = table.locator("tbody th").first
    left = head.bounding_box()["x"]
    assert table.evaluate("box => box.scrollWidth > box.clientWidth + 50")
    assert "linear-gradient" in table.evaluate("box => getComputedStyle(box).backgroundImage")
    table.evaluate("box => box.scrollTo(200, 0)")
    assert table.evaluate("box => box.scrollLeft") > 50
    assert head.bounding_box()["x"] == left


def test_a_phone_has_a_wide_sheet_with_its_arrow_keys(
    open_page: OpenPage, made: Callable[..., str]
) -> None:
    rows = ["1 2 3 4 5 6 1 2 3"] * 4
    page = open_page(made(*rows, shifts=[0, 0.75, 0, 0.75]), "phone")
    tool(page, "lines")
    frame = page.locator("#draft-frame")
    expect(page.locator("[data-edge='row 1']")).to_be_in_viewport(ratio=1)
    assert frame.evaluate("frame => frame.scrollWidth == frame.clientWidth")
    assert frame.evaluate(MASK) == "none"


def test_a_sheet_wider_than_a_phone_fades_out_where_it_goes_on(
    open_page: OpenPage, made: Callable[..., str]
) -> None:
    page = open_page(made(*["1 2 3 4 5 6 1 2 3 4 5 6"] * 4), "phone")
    frame = page.locator("#draft-frame")
    expect(page.locator("#drawing [data-field=a1]")).to_be_attached()
    assert "to left" in frame.evaluate(MASK)
    tool(page, "lines")
    expect(page.locator("[data-edge='row 1']")).to_be_in_viewport(ratio=1)
    page.wait_for_function(f"() => ({MASK})(document.getElementById('draft-frame')) != 'none'")
    assert "to right" in frame.evaluate(MASK)
    # Once: whoever goes back to a field is left there.
    frame.evaluate("frame => frame.scrollTo(0, 0)")
    page.locator("[data-edge='column a']").click()
    assert frame.evaluate("frame => frame.scrollLeft") == 0


@pytest.mark.parametrize("width", [390, 320])
def test_all_difficulties_stand_in_one_line(
    open_page: OpenPage, made: Callable[..., str], width: int
) -> None:
    page = open_page(made(), "phone", viewport={"width": width, "height": 844})
    tool(page, "names")
    boxes = [box.bounding_box() for box in page.locator("#difficulty span").all()]
    assert len({box["y"] for box in boxes}) == 1
    for one, other in pairwise(boxes):
        assert one["x"] + one["width"] < other["x"]


@pytest.mark.parametrize("columns", [5, 8])
def test_fields_are_large_enough_for_a_thumb_beside_arrows(
    open_page: OpenPage, made: Callable[..., str], columns: int
) -> None:
    row = " ".join("12345612"[:columns])
    lines = [{"row": 10, "points": 12}, {"column": "b", "points": 7}]
    page = open_page(made(*[row] * 11, lines=lines), "phone")
    expect(page.locator("#drawing [data-field=a1]")).to_be_attached()
    for name in ("a1", "b11"):
        box = page.locator(f"#grid [data-at={name}]").bounding_box()
        assert min(box["width"], box["height"]) >= 44
    frame = page.locator("#draft-frame")
    assert frame.evaluate("frame => frame.scrollWidth == frame.clientWidth")
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    # Rows of two digits are named within the frame.
    tenth = page.locator("#row-names span").nth(9)
    assert tenth.bounding_box()["x"] >= 0


def test_bots_say_in_the_editor_once_it_rests_how_a_level_plays(
    open_page: OpenPage, made: Callable[..., str]
) -> None:
    page = open_page(made("1x 2Gy 3", "4 5 6", points={"gem": {"yellow": 2}}), "phone")
    told = page.locator("#trial")
    expect(told).to_have_text(re.compile("have only 2 points or fewer"), timeout=30_000)
    expect(told).to_have_class(re.compile("far"))
    # What was said of the sheet as it was goes with the next edit.
    tool(page, "numbers")
    page.locator("#grid [data-at=c2]").click()
    page.keyboard.press("4")
    expect(told).to_be_hidden()
    expect(told).to_be_visible(timeout=30_000)
