"""From an idea or a paper sheet to a game, made in the editor without reading JSON."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from sheets.documents.structure import read_level
from sheets.simulation.games import simulate
from tests.browser.conftest import NewContext, OpenPage
from tests.browser.polling import follow_link
from tests.browser.table_phones import expect_begun
from tests.browser.workshop_page import (
    begin,
    check_messages,
    choose_symbol,
    choose_tool,
    enter_arrow_points,
    rows,
    tap,
    total,
    type_numbers,
    wait_until_saved,
)

# The paper sheet of the first test:
#
#   3x  5   1   .  ‹      yellow gem on c1
#   2   4   6   3  ‹ 5    red key on a2, bomb on d2
#   5   2   1   4         red lock on b3, green puzzle on c3; a border around c2 c3 d3: 6
#   ^ 7
PAPER = ["3x 5 1Gy .", "2Kr 4 6 3B", "5 2Lr 1Jg 4"]
"""Grid of the paper sheet."""


@pytest.mark.parametrize("device", ["phone", pytest.param("desktop", marks=pytest.mark.slow)])
def test_sheet_on_paper_becomes_a_scored_game(open_page: OpenPage, device: str) -> None:
    page = open_page("/workshop/", device)
    page.get_by_role("link", name="Enter a pad you own").click()
    begin(page, 4, 3, "Grandma’s pad")
    for key in "351.24635214":
        page.locator(f"[data-number='{key}']").click()
    on(page)
    for letter, colour, at in (
        ("G", "y", "c1"), ("K", "r", "a2"), ("B", "", "d2"), ("L", "r", "b3"), ("J", "g", "c3"),
    ):  # fmt: skip
        choose_symbol(page, letter, colour)
        tap(page, at)
    on(page)
    tap(page, "a1")
    on(page)
    enter_arrow_points(page, "row 2", 5)
    enter_arrow_points(page, "column a", 7)
    on(page)
    page.get_by_role("button", name="New area").click()
    tap(page, "c2", "c3", "d3")
    page.locator("#area-points").fill("6")
    on(page)
    page.locator("#points-Gy").fill("2")
    page.locator("#points-Jg").fill("10")
    page.locator("#points-B").fill("-2")
    on(page)
    expect(page.get_by_label("Dice for 3")).to_have_value("10")
    expect(page.get_by_label("Grade 6 from")).to_have_value("91")
    on(page)
    for row in (1, 2, 3):
        page.get_by_role("button", name=f"Row {row} is right").press("Enter")
    things = page.locator("#thing-list li")
    expect(things.first).to_have_class("now")
    for _ in range(things.count()):
        page.locator("#thing-list li.now input").press("Space")
    expect(page.locator("#check-progress")).to_have_text("Everything is compared with the paper.")
    on(page)
    assert rows(page) == PAPER
    page.get_by_role("link", name="Score it").click()
    page.get_by_role("button", name="To the sheets").click()
    page.wait_for_url(re.compile("/score/.*/1/$"))
    for at in ("b1", "c1", "a2", "b2", "c2", "d2", "a3"):
        page.locator(f".sheet-grid [data-at={at}]").click()
    # gem c1: 2; row 2: 5; column a: 7; nothing for the bomb, the area or the puzzle
    expect(page.locator("#total")).to_have_text(re.compile(r"\b14$"))
    assert total(page) == 14


def on(page: Page) -> None:
    wait_until_saved(page)
    follow_link(page, page.locator("#next-step"))


def play_to_the_end(document: dict[str, Any], content: bytes, *counts: int) -> None:
    """Simulate games of bots on the downloaded level."""
    level = read_level(content)
    assert level.document == document
    for players in counts:
        tally = simulate(level, players=players, games=2, bot="greedy", seed=1, processes=1)
        assert tally.games == 2
        assert max(tally.totals) > 0


def test_rail_level_with_links_and_walls(open_page: OpenPage) -> None:
    page = open_page("/workshop/invent/", "desktop")
    begin(page, 4, 3, "Branch line")
    type_numbers(page, "1234", "4561", "2345")
    choose_tool(page, "grid")
    page.get_by_label("A rail level").check()
    expect(page.locator(".shift")).to_be_hidden()
    choose_tool(page, "crosses")
    page.get_by_role("button", name="track from right to bottom").click()
    tap(page, "a1")
    choose_tool(page, "symbols")
    expect(page.locator("#symbol-palette").get_by_role("button", name="rocket")).to_have_count(0)
    choose_symbol(page, "S")
    tap(page, "c2")
    choose_tool(page, "points")
    page.locator("#points-S").fill("4")
    choose_tool(page, "pairs")
    tap(page, "a3", "d1")
    page.get_by_role("radio", name="Wall").check()
    tap(page, "b1", "b2")
    document = wait_until_saved(page)
    assert document["tracks"] == {"a1": "ES"}
    assert (document["links"], document["walls"]) == ([["d1", "a3"]], [["b1", "b2"]])
    assert check_messages(page) == []
    play_to_the_end(document, page.request.get(f"{page.url}level.json").body(), 1)


def test_own_level_is_played_at_a_table_by_two_phones(
    open_page: OpenPage, live_app: str, new_context: NewContext
) -> None:
    """The read-only link suffices to start a table, whose level never changes."""
    page = open_page("/workshop/invent/", "desktop")
    begin(page, 3, 2, "Kitchen")
    type_numbers(page, "351", "246")
    choose_tool(page, "crosses")
    tap(page, "a1")
    wait_until_saved(page)
    page.get_by_text("More", exact=True).click()
    page.get_by_role("link", name="Links").click()
    shown = page.get_by_label("Link to show").input_value()

    ana, ben = new_context("phone").new_page(), new_context("phone").new_page()
    ana.goto(shown)
    expect(ana.get_by_role("heading", name="Kitchen")).to_be_visible()
    ana.get_by_role("main").get_by_role("link", name="Play").click()
    ana.get_by_label("Your name").fill("Ana")
    ana.get_by_role("button", name="Start a table").click()
    code = ana.locator(".code").inner_text()
    ben.goto(f"{live_app}/table/{code}/")
    ben.get_by_label("Free seat: your name").first.fill("Ben")
    ben.get_by_role("button", name="Sit here").first.click()
    expect(ana.locator("#_lobby")).to_contain_text("Ben")
    page.go_back()
    choose_tool(page, "numbers")
    tap(page, "b1")
    page.keyboard.press("6")
    wait_until_saved(page)
    ana.get_by_role("button", name="Begin the game").click()
    expect_begun(ana, ben)
    for phone in (ana, ben):
        field = phone.locator(".sheet-grid [data-at=b1]")
        expect(field).to_have_attribute("data-label", "b1, 5")
        field.click()
        expect(phone.locator("[data-field=b1] :is(.over, .top) > use")).to_have_count(1)
