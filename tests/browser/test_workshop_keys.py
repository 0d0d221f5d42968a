"""A whole level made by keyboard, and the keyboard shortcuts."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from sheets.text.languages import languages
from tests.browser.axe import axe_violations
from tests.browser.conftest import OpenPage
from tests.browser.workshop_keys import at_each, begin, go_to, next_tool, press, tab_to, write
from tests.browser.workshop_page import check_messages, rows, wait_until_saved


@pytest.mark.slow
def test_level_of_all_kinds_of_things(open_page: OpenPage, live_app: str) -> None:
    page = open_page("/workshop/invent/", "desktop")
    begin(page, 3, 2, "Garden")
    next_tool(page, "grid")
    press(page, "Escape")
    write(page, "#columns", "4")
    press(page, "Tab", "Escape")
    for tool in ("grid", "points", "counts", "names"):
        expect(page.locator(f"[data-tool={tool}]")).to_be_visible()
    next_tool(page, "numbers")
    go_to(page, "a1")
    page.keyboard.type("351.")
    press(page, "Enter")
    page.keyboard.type("2463")
    next_tool(page, "symbols")
    at_each(page, "c1", "3", "g")
    at_each(page, "b2", "1", "k")
    at_each(page, "d2", "1", "l")
    next_tool(page, "crosses")
    at_each(page, "a1", "x")
    next_tool(page, "lines")
    go_to(page, "a2")
    press(page, "r")
    page.keyboard.type("7")
    press(page, "Enter")
    next_tool(page, "areas")
    press(page, "n")
    at_each(page, "b1 c1", "Space")
    press(page, "Enter")
    page.keyboard.type("8 4")
    press(page, "Enter")
    next_tool(page, "points")
    press(page, "Escape")
    write(page, "#points-Gy", "2")
    press(page, "PageDown", "PageDown")
    write(page, "[data-text=name][data-language=de]", "Garten")
    document = wait_until_saved(page)
    assert rows(page) == ["3x 5 1Gy .", "2 4Kr 6 3Lr"]
    assert document["lines"] == [{"row": 2, "points": 7}]
    assert document["areas"] == [{"fields": ["b1", "c1"], "race": [8, 4]}]
    assert document["name"] == dict.fromkeys(languages(), "Garden") | {"de": "Garten"}
    assert check_messages(page) == [
        "One player rolls 8 dice in a round, but has only 6 fields for them."
    ]
    tab_to(page, ".uses button", by="Shift+Tab")
    press(page, "Enter")
    page.wait_for_url(re.compile(f"^{live_app}/table/"))
    expect(page.locator("#_bar").get_by_role("button", name="Roll the dice")).to_be_visible()


def test_arrows_go_along_the_tools(open_page: OpenPage) -> None:
    page = open_page("/workshop/invent/", "desktop")
    begin(page, 2, 2, "Garden")
    tab_to(page, "[data-tool]", by="Shift+Tab")
    press(page, "ArrowRight", "Enter")
    expect(page.locator("[data-tool=symbols]")).to_have_attribute("aria-pressed", "true")
    press(page, "ArrowLeft", "ArrowLeft", "Enter")
    expect(page.locator("[data-tool=names]")).to_have_attribute("aria-pressed", "true")
    press(page, "Shift+Tab", "Tab")
    expect(page.locator("[data-tool=names]")).to_be_focused()
    tab_to(page, ".keys-help summary")
    press(page, "Enter")
    expect(page.locator(".keys-help dl")).to_be_visible()
    assert axe_violations(page) == ""


def test_keys_take_away_what_keys_have_made(open_page: OpenPage) -> None:
    page = open_page("/workshop/invent/", "desktop")
    begin(page, 2, 2, "Garden")
    page.keyboard.type("1234")
    press(page, "Backspace")
    assert rows(page) == ["1 2", "3 ?"]
    go_to(page, "b1")
    press(page, "Delete")
    assert rows(page) == ["1 ?", "3 ?"]
    press(page, "Backspace")
    assert rows(page) == ["? ?", "3 ?"]
    press(page, "Control+z", "Control+z")
    assert rows(page) == ["1 2", "3 ?"]
    press(page, "Control+Shift+Z")
    assert rows(page) == ["1 ?", "3 ?"]
    next_tool(page, "symbols")
    press(page, "g")
    assert rows(page)[0][0] in "1?"
    press(page, "Delete")
    assert rows(page) == ["1 ?", "3 ?"]


def test_invalid_short_name_is_refused_with_a_message(open_page: OpenPage) -> None:
    page = open_page("/workshop/invent/", "desktop")
    begin(page, 2, 2, "Garden")
    next_tool(page, "names")
    press(page, "Escape")
    before = wait_until_saved(page)["id"]
    write(page, "#level-id", "Garden!")
    press(page, "Tab")
    expect(page.locator("#level-id")).to_have_accessible_description(
        "Small letters, digits and hyphens, please; no spaces."
    )
    assert wait_until_saved(page)["id"] == before
    # Typed text is saved at once, without leaving the input.
    write(page, "[data-text=name][data-language=de]", "Garten")
    assert wait_until_saved(page)["name"]["de"] == "Garten"
