"""Layout stability of the workshop: no shift while loading; undo and names stay visible."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from sheets.workshop import store
from tests.browser.conftest import NewContext, OpenPage
from tests.browser.workshop_page import choose_tool, place, rows, tap, wait_until_saved

MAX_SHIFT = 0.05
"""Maximum sum of layout shifts."""

WATCH_SHIFTS = """
window.shifts = [];
new PerformanceObserver((list) => shifts.push(...list.getEntries()))
    .observe({ type: "layout-shift", buffered: true });
"""
"""Script that records layout shifts."""

SHIFTS = """() => shifts.filter((one) => !one.hadRecentInput).map(
    ({ value, sources }) => [value, ...sources.map(({ node }) => node?.id || node?.className)])"""
"""Script that returns the layout shifts without user input, and the shifted elements."""

GARDEN = {
    "format": "dizzle-level/1",
    "id": "own-1",
    "name": {"en": "Garden"},
    "grid": ["3x 5 1Gy 4 2 6", "2 4 6 1 5 3", *["1 2 3 4 5 6", "4 5 6 1 2 3"] * 4],
    "points": {"gem": {"yellow": 2}},
    "lines": [{"row": 2, "points": 5}, {"column": "b", "points": 7}],
}
"""A level."""


@pytest.fixture
def path(transactional_db: None) -> str:
    return f"/workshop/{store.create(GARDEN)}/"


@pytest.mark.parametrize("device", ["phone", "desktop"])
def test_layout_does_not_shift_while_the_page_loads(
    live_app: str, new_context: NewContext, path: str, device: str
) -> None:
    blank = store.create_blank({"en": "Blank"}, 8, 11)
    context = new_context(device)
    context.add_init_script(WATCH_SHIFTS)
    page = context.new_page()
    for address in (
        path,
        f"/workshop/{blank}/",
        *(f"{path}guide/{s}/" for s in ("numbers", "symbols")),
    ):
        page.goto(live_app + address)
        expect(page.locator("#drawing [data-field=a1]")).to_be_attached()
        page.wait_for_load_state("load")
        wait_until_saved(page)
        found = page.evaluate(SHIFTS)
        assert sum(value for value, *_what in found) < MAX_SHIFT, (address, found)


def test_rows_are_named_arranged_and_pasted_while_undo_stays_in_sight(
    open_page: OpenPage, path: str
) -> None:
    page = open_page(path, "phone")
    expect(page.locator("#letters")).to_have_text("abcdef")
    expect(page.locator("#row-names span")).to_have_text([str(row) for row in range(1, 11)])
    box = place(page, "c4").bounding_box()
    at = page.locator("#row-names span").nth(3).bounding_box()
    over = page.locator("#letters span").nth(2).bounding_box()
    assert box
    assert at
    assert over
    assert at["x"] + at["width"] <= box["x"] + box["width"]
    assert box["y"] < at["y"] + at["height"] / 2 < box["y"] + box["height"]
    assert box["x"] < over["x"] + over["width"] / 2 < box["x"] + box["width"]

    choose_tool(page, "grid")
    tap(page, "a1")
    for name_of_act in ("Row down", "Row down", "Mirror row", "Copy row"):
        page.get_by_role("button", name=name_of_act, exact=True).click()
    assert rows(page)[:5] == [
        *("2 4 6 1 5 3", "1 2 3 4 5 6", "6 2 4 1Gy 5 3x", "6 2 4 1Gy 5 3x", "4 5 6 1 2 3")
    ]
    for one in ("points", "numbers", "grid"):
        choose_tool(page, one)
        page.mouse.wheel(0, 600)
        expect(page.locator("#undo")).to_be_in_viewport(ratio=1)
        covering = page.evaluate(
            """() => { const { x, y } = document.getElementById("undo").getBoundingClientRect();
               return Boolean(document.elementFromPoint(x + 9, y + 9)?.closest("#undo")); }"""
        )
        assert covering, "nothing lies over it"

    page.get_by_text("Paste rows of text").click()
    own = page.locator("#paste")
    expect(own).to_have_value("\n".join(wait_until_saved(page)["grid"]))
    own.fill("3x 5 1\n2 Gw 4\n1 9 2")
    page.get_by_role("button", name="Use these rows").click()
    expect(page.locator(".wrong")).to_contain_text("Row 2: “Gw” is not a field.")
    own.fill("\n".join(["1"] * 27))
    page.get_by_role("button", name="Use these rows").click()
    expect(page.locator(".wrong")).to_contain_text("A sheet has 1 to 26 rows and columns.")
    own.fill("3x 5 1\n2 6 4")
    page.get_by_role("button", name="Use these rows").click()
    assert rows(page) == ["3x 5 1", "2 6 4"]


def test_only_new_messages_are_announced(open_page: OpenPage, path: str) -> None:
    page = open_page(path, "desktop")
    heard = page.locator("#check-count")
    tap(page, "a2")
    # The number of problems stays the same: three equal neighbours, then two others.
    page.keyboard.type("2")
    wait_until_saved(page)
    expect(heard).to_be_empty()
    expect(page.locator("#saving")).to_have_text("Saved")
    assert page.locator("#saving").evaluate("one => one.ariaLive") == "off"
    place(page, "a1").click()
    page.keyboard.type("?")
    expect(heard).to_have_text("To check: 1")
    expect(page.locator("#check-list")).not_to_have_attribute("aria-live", "polite")
    choose_tool(page, "lines")
    page.locator("[data-edge='row 2']").click()
    page.locator("#line-points").fill("100")
    choose_tool(page, "numbers")
    expect(page.locator("#refusal")).to_have_text(
        "Points for: Row 2: A number from −99 to 99, please."
    )
