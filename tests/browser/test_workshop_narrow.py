"""Results of the workshop on a phone: visible where expected, with a hint on wider content."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from playwright.sync_api import Locator, Route, expect

from tests.browser.conftest import MakePath, OpenPage
from tests.browser.layout_checks import small_targets
from tests.browser.polling import wait_until
from tests.browser.test_workshop_reports import create_report
from tests.browser.workshop_page import choose_tool, wait_until_saved

EDIT_PAUSE_MS = 3000
"""Time without an edit after which bots play."""

MASK = "frame => getComputedStyle(frame).maskImage"
"""Script that returns the mask image of a frame."""


@pytest.mark.usefixtures("few_trials")
@pytest.mark.parametrize("script", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_a_phone_shows_the_suggestion_that_was_asked_for(open_page: OpenPage, script: bool) -> None:
    page = open_page("/workshop/suggest/", "phone", java_script_enabled=script)
    sheet = page.locator("#wish-sheet .art-sheet")
    assert sheet.bounding_box()["y"] > 844
    for button in ("Suggest one", "Suggest another one"):
        before = sheet.inner_html()
        page.evaluate("scrollTo(0, 0)")
        page.get_by_role("button", name=button).click()
        if not script:
            page.wait_for_url("**#wish-sheet")
        heading = page.locator("#wish-found")
        expect(heading).to_be_in_viewport()
        if script:
            expect(page.locator("#wish-said")).to_have_text("The sheet is here.")
            expect(heading).to_be_focused()
        expect(sheet).to_be_in_viewport(ratio=0.9)
        assert (sheet.inner_html() == before) == (button == "Suggest one")


@pytest.mark.usefixtures("few_trials")
def test_only_the_button_asks_for_a_suggestion(open_page: OpenPage) -> None:
    page = open_page("/workshop/suggest/", "phone")
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/workshop/suggest/?*", hold)
    said, show = page.locator("#wish-said"), page.locator("#wish .button")
    bombs = page.get_by_label("Bombs")
    bombs.fill("5")
    bombs.blur()
    expect(said).to_have_text("You have changed something: press “Suggest one”.")
    expect(page.locator("#wish-sheet")).to_have_class(re.compile("changed"))
    assert not held
    for _ in range(2):
        show.click()
    wait_until(page, lambda: held)
    expect(said).to_have_text("Bots are playing …")
    expect(said).to_be_in_viewport(ratio=1)
    assert len(held) == 1
    held.pop().continue_()
    expect(said).to_have_text("The sheet is here.")
    expect(page.locator("#wish-sheet")).not_to_have_class(re.compile("changed"))


def test_a_wide_table_of_the_report_keeps_its_first_column(open_page: OpenPage) -> None:
    page = open_page(f"/workshop/{create_report()}/balance/", "phone")
    page.locator("#figure-scores summary").click()
    table = page.locator("#figure-scores .scroll-x")
    head = table.locator("tbody th").first
    left = head.bounding_box()["x"]
    assert table.evaluate("box => box.scrollWidth > box.clientWidth + 50")
    assert "linear-gradient" in table.evaluate("box => getComputedStyle(box).backgroundImage")
    table.evaluate("box => box.scrollTo(200, 0)")
    assert table.evaluate("box => box.scrollLeft") > 50
    assert head.bounding_box()["x"] == left


def test_fields_are_as_large_as_thumbs_while_arrows_are_made(
    open_page: OpenPage, make_level: MakePath
) -> None:
    page = open_page(make_level(*["1 2 3 4 5 6 1 2"] * 4), "phone")
    choose_tool(page, "lines")
    edges = page.locator("#edges button")
    expect(edges).to_have_count(12)
    sizes = [(box["width"], box["height"]) for box in map(Locator.bounding_box, edges.all()) if box]
    assert all(min(size) >= 24 and max(size) >= 40 for size in sizes)
    field = page.locator(".draft-grid [data-at=a1]").bounding_box()
    assert field
    assert round(min(field["width"], field["height"])) >= 44


def test_a_small_phone_has_undo_and_views_in_one_row(
    open_page: OpenPage, make_level: MakePath
) -> None:
    screen = {"width": 320, "height": 640}
    page = open_page(make_level(*["1 2 3 4 5 6 1 2"] * 6), "phone", "de", viewport=screen)
    tops = [page.locator(one).bounding_box() for one in ("#undo", "[data-view=paper]")]
    assert all(tops)
    assert abs(tops[0]["y"] - tops[1]["y"]) < 4  # type: ignore[index]


def test_a_phone_has_a_wide_sheet_with_its_arrow_keys(
    open_page: OpenPage, make_level: MakePath
) -> None:
    rows = ["1 2 3 4 5 6 1 2 3"] * 4
    page = open_page(make_level(*rows, shifts=[0, 0.75, 0, 0.75]), "phone")
    choose_tool(page, "lines")
    frame = page.locator("#draft-frame")
    expect(page.locator("[data-edge='row 1']")).to_be_in_viewport(ratio=1)
    assert frame.evaluate("frame => frame.scrollWidth == frame.clientWidth")
    assert frame.evaluate(MASK) == "none"


@pytest.mark.parametrize("columns", [10, 13])
def test_row_ends_are_visible_and_tappable_with_the_maximum_of_columns(
    open_page: OpenPage, make_level: MakePath, columns: int
) -> None:
    page = open_page(make_level(*[" ".join("1234561234561"[:columns])] * 12), "phone")
    choose_tool(page, "lines")
    expect(page.locator("[data-edge='row 1']")).to_be_in_viewport(ratio=1)
    frame = page.locator("#draft-frame")
    assert frame.evaluate("frame => frame.scrollWidth == frame.clientWidth")
    assert not small_targets(page)
    # The column that the panel would cover is above it.
    column = page.locator("[data-edge='column c']")
    column.tap()
    expect(column).to_have_class("chosen")
    above = "edge => edge.getBoundingClientRect().bottom <= panels.getBoundingClientRect().top"
    wait_until(page, lambda: column.evaluate(above))


def test_a_sheet_wider_than_a_phone_fades_out_where_it_goes_on(
    open_page: OpenPage, make_level: MakePath
) -> None:
    page = open_page(make_level(*["1 2 3 4 5 6 1 2 3 4 5 6 1 2 3 4"] * 4), "phone")
    frame = page.locator("#draft-frame")
    expect(page.locator("#drawing [data-field=a1]")).to_be_attached()
    assert "to left" in frame.evaluate(MASK)
    choose_tool(page, "lines")
    expect(page.locator("[data-edge='row 1']")).to_be_in_viewport(ratio=1)
    page.wait_for_function(f"() => ({MASK})(document.getElementById('draft-frame')) != 'none'")
    assert "to right" in frame.evaluate(MASK)
    # Once: the view stays when the user returns to a field.
    frame.evaluate("frame => frame.scrollTo(0, 0)")
    page.locator("[data-edge='column a']").click()
    assert frame.evaluate("frame => frame.scrollLeft") == 0


def test_all_difficulties_stand_in_one_line(open_page: OpenPage, make_level: MakePath) -> None:
    page = open_page(make_level(), "phone")
    choose_tool(page, "names")
    for width in (390, 320):
        page.set_viewport_size({"width": width, "height": 844})
        boxes = [box.bounding_box() for box in page.locator("#difficulty span").all()]
        assert len({box["y"] for box in boxes}) == 1
        for one, other in pairwise(boxes):
            assert one["x"] + one["width"] < other["x"]


@pytest.mark.parametrize("columns", [5, 8])
def test_fields_next_to_arrows_are_large_enough_for_a_thumb(
    open_page: OpenPage, make_level: MakePath, columns: int
) -> None:
    row = " ".join("12345612"[:columns])
    lines = [{"row": 10, "points": 12}, {"column": "b", "points": 7}]
    page = open_page(make_level(*[row] * 11, lines=lines), "phone")
    expect(page.locator("#drawing [data-field=a1]")).to_be_attached()
    for name in ("a1", "b11"):
        box = page.locator(f"#grid [data-at={name}]").bounding_box()
        assert min(box["width"], box["height"]) >= 44
    frame = page.locator("#draft-frame")
    assert frame.evaluate("frame => frame.scrollWidth == frame.clientWidth")
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    # Row numbers of two digits are inside the frame.
    tenth = page.locator("#row-names span").nth(9)
    assert tenth.bounding_box()["x"] >= 0


def test_editor_shows_results_of_bots_after_a_pause(
    open_page: OpenPage, make_level: MakePath
) -> None:
    path = make_level("1x 2Gy 3", "4 5 6", points={"gem": {"yellow": 2}})
    page = open_page(path, "phone", has_clock=True)
    page.clock.fast_forward(EDIT_PAUSE_MS)
    told = page.locator("#check-list .advice button", has_text="have only 2 points or fewer")
    fine = page.locator("#check-list .fine")
    expect(told).to_be_visible()
    expect(page.locator("#check-count")).to_have_text(re.compile(r"^To check: \d+$"))
    expect(page.get_by_role("heading", name="Worth a look")).to_be_visible()
    expect(fine).to_have_count(0)
    expect(page.locator("#trial")).to_be_hidden()
    # The next edit removes the results of the old sheet.
    choose_tool(page, "numbers")
    page.locator("#grid [data-at=c2]").click()
    page.keyboard.press("4")
    expect(told).to_be_hidden()
    wait_until_saved(page)
    page.clock.fast_forward(EDIT_PAUSE_MS)
    expect(told).to_be_visible()


def test_results_of_bots_are_requested_again_after_a_refusal(
    open_page: OpenPage, make_level: MakePath, page_errors: list[str]
) -> None:
    asked: list[int] = []

    def refuse_twice(route: Route) -> None:
        asked.append(len(asked))
        if len(asked) > 2:
            route.continue_()
        else:
            route.fulfill(status=(503, 429)[len(asked) - 1], headers={"Retry-After": "1"})

    page = open_page("/workshop/", "phone", has_clock=True)
    page.context.route("**/trial/", refuse_twice)
    page.goto(
        page.url.removesuffix("/workshop/") + make_level("1x 2Gy 3", points={"gem": {"yellow": 2}})
    )
    for number in range(3):
        page.clock.fast_forward(EDIT_PAUSE_MS)
        wait_until(page, lambda number=number: len(asked) > number)  # type: ignore[misc]
    told = page.locator("#check-list .advice button", has_text="have only 2 points or fewer")
    expect(told).to_be_visible()
    assert len(asked) == 3
    page_errors.clear()  # Chromium logs the refusals as errors, as intended
