"""From an idea, or a sheet of paper, to a game: all of it is made in the editor, no JSON seen."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from sheets.documents import read_level
from sheets.simulation import simulate
from tests.browser.workshop_bench import (
    arrow,
    begin,
    pick,
    place,
    rows,
    said,
    settle,
    tap,
    tool,
    total,
    type_numbers,
)

Open = Callable[..., Page]

# The sheet that lies on the table in the first test:
#
#   3x  5   1   .  ‹      yellow gem on c1
#   2   4   6   3  ‹ 5    red key on a2, bomb on d2
#   5   2   1   4         red lock on b3, green puzzle on c3; a border around c2 c3 d3: 6
#   ^ 7
PAPER = ["3x 5 1Gy .", "2Kr 4 6 3B", "5 2Lr 1Jg 4"]


@pytest.mark.parametrize("device", ["phone", "desktop"])
def test_sheet_on_paper_becomes_a_scored_game(open_page: Open, device: str) -> None:
    page = open_page("/workshop/", device)
    page.get_by_role("link", name="Enter a sheet you own").click()
    begin(page, 4, 3, "Grandma’s pad")
    for key in "351.24635214":
        page.locator(f"[data-number='{key}']").click()
    on(page)
    for letter, colour, at in (
        ("G", "y", "c1"), ("K", "r", "a2"), ("B", "", "d2"), ("L", "r", "b3"), ("J", "g", "c3"),
    ):  # fmt: skip
        pick(page, letter, colour)
        tap(page, at)
    on(page)
    tap(page, "a1")
    on(page)
    arrow(page, "row 2", 5)
    arrow(page, "column a", 7)
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
        page.get_by_role("button", name=f"Row {row} is right").click()
    expect(page.locator("#check-progress")).to_have_text("3 of 3 rows compared")
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
    settle(page)
    before = page.url
    page.locator("#next-step").click()
    expect(page).not_to_have_url(before)


def play_to_the_end(document: dict[str, Any], content: bytes, *counts: int) -> None:
    """Bots play the level as it was downloaded."""
    level = read_level(content)
    assert level.document == document
    for players in counts:
        tally = simulate(level, players=players, games=2, bot="greedy", seed=1, processes=1)
        assert tally.games == 2
        assert max(tally.totals) > 0


def test_tree_of_shifted_rows_with_baubles_and_a_set(open_page: Open, live_app: str) -> None:
    """A fan level of the first kind: shifted rows, rockets that are planets, own words, a set."""
    page = open_page("/workshop/invent/", "desktop")
    begin(page, 5, 6, "Fir")
    tool(page, "numbers")
    type_numbers(page, "..4..", ".35..", ".261.", "14253", "36142", "..5..")
    tool(page, "grid")
    for row in (2, 4):
        tap(page, f"a{row}")
        page.get_by_role("button", name="A quarter of a field to the right").click()
        page.get_by_role("button", name="A quarter of a field to the right").click()
    tool(page, "symbols")
    for letter, colour, names in (
        ("O", "", ("b2", "d4")), ("G", "r", ("b3", "e5")), ("G", "w", ("a4", "c1")),
    ):  # fmt: skip
        pick(page, letter, colour)
        tap(page, *names)
    tool(page, "numbers")
    tap(page, "b2")
    page.keyboard.press("-")
    tool(page, "crosses")
    tap(page, "c6")
    tool(page, "lines")
    page.get_by_role("button", name="New chain of fields").click()
    tap(page, "a5", "c3", "e4")
    page.locator("#line-points").fill("20")
    tool(page, "points")
    page.locator("#points-Gr").fill("2")
    page.locator("#points-Gw").fill("4")
    page.get_by_text("Own words for symbols").click()
    page.get_by_label("Own word for: red gem English").fill("candy cane")
    page.get_by_label("Own word for: rocket and planet English").fill("bauble")
    tool(page, "counts")
    page.get_by_label("Rounds for 1").fill("12")
    page.get_by_label("Rounds for 2").fill("8")
    document = settle(page)
    assert [check for check in said(page) if "touch each other" not in check] == []
    assert document["shifts"] == [0, 0.5, 0, 0.5, 0, 0]
    assert document["lines"] == [{"fields": ["c3", "e4", "a5"], "points": 20}]
    assert document["labels"] == {
        "gem red": {"en": "candy cane"},
        "rocket-planet": {"en": "bauble"},
    }
    base = page.url
    content = page.request.get(f"{base}level.json").body()
    play_to_the_end(document, content, 1, 2)
    assert page.request.get(f"{base}sheet.pdf").body().startswith(b"%PDF")
    page.locator("[data-view=phone]").click()
    expect(page.locator("#preview [data-field=e5]")).to_be_visible()
    page.locator("[data-view=paper]").click()
    expect(page.locator("#preview img")).to_be_visible()
    page.get_by_role("button", name="Try it").click()
    page.wait_for_url(re.compile(f"^{live_app}/table/"))


def test_level_for_six_with_races_and_twelve_rounds_alone(open_page: Open) -> None:
    """A fan level of the second kind: more players and dice, races, a number that stays."""
    page = open_page("/workshop/invent/", "phone")
    begin(page, 6, 6, "Regions")
    for key in "352416" + "146253" + "461325" + "253614" + "324165" + "615342":
        page.locator(f"[data-number='{key}']").click()
    tool(page, "crosses")
    tap(page, "c3", "d4")
    tool(page, "symbols")
    pick(page, "F", "b")
    tap(page, "a1", "f6")
    tool(page, "areas")
    for names, pays in (
        (("a5", "a6", "b6"), "12 8 5 3 2 1"),
        (("e1", "f1", "f2"), "9 6 3"),
        (("b3", "b4"), "4"),
    ):
        page.get_by_role("button", name="New area").click()
        tap(page, *names)
        page.locator("#area-points").fill(pays)
    tool(page, "points")
    page.locator("#points-Fb").fill("10 7 5 3 2")
    page.get_by_label("can be got again and again").check()
    tool(page, "counts")
    page.get_by_label("Rounds for 1").fill("12")
    for players, dice in ((5, 16), (6, 19)):
        page.get_by_label(f"Dice for {players}").fill(str(dice))
        page.get_by_label(f"Rounds for {players}").fill("3")
    document = settle(page)
    assert document["areas"] == [
        {"fields": ["a5", "a6", "b6"], "race": [12, 8, 5, 3, 2, 1]},
        {"fields": ["e1", "f1", "f2"], "race": [9, 6, 3]},
        {"fields": ["b3", "b4"], "points": 4},
    ]
    assert document["dice"] == {"5": 16, "6": 19}
    assert document["rounds"] == {"1": 12, "5": 3, "6": 3}
    assert document["repeat_last"]
    assert said(page) == []
    content = page.request.get(f"{page.url}level.json").body()
    play_to_the_end(document, content, 1, 5, 6)
    page.get_by_role("link", name="Play").click()
    page.get_by_role("radio", name="6").check()
    page.get_by_role("button", name="Start a table").click()
    page.wait_for_url(re.compile("/table/"))


def test_rail_level_with_links_and_walls(open_page: Open) -> None:
    page = open_page("/workshop/invent/", "desktop")
    begin(page, 4, 3, "Branch line")
    type_numbers(page, "1234", "4561", "2345")
    tool(page, "grid")
    page.get_by_label("A rail level").check()
    expect(page.locator(".shift")).to_be_hidden()
    tool(page, "crosses")
    page.get_by_role("button", name="printed track ES").click()
    tap(page, "a1")
    tool(page, "symbols")
    expect(page.locator("#symbol-palette").get_by_role("button", name="rocket")).to_have_count(0)
    pick(page, "S")
    tap(page, "c2")
    tool(page, "points")
    page.locator("#points-S").fill("4")
    tool(page, "pairs")
    tap(page, "a3", "d1")
    page.get_by_role("radio", name="Wall").check()
    tap(page, "b1", "b2")
    document = settle(page)
    assert document["tracks"] == {"a1": "ES"}
    assert (document["links"], document["walls"]) == ([["d1", "a3"]], [["b1", "b2"]])
    assert said(page) == []
    play_to_the_end(document, page.request.get(f"{page.url}level.json").body(), 1)


def test_keyboard_alone_makes_a_level(open_page: Open) -> None:
    page = open_page("/workshop/invent/", "desktop")
    begin(page, 3, 2)
    place(page, "a1").focus()
    for key in ("3", "5", ".", "Enter", "1"):
        page.keyboard.press(key)
    # The cursor went on to a2 by itself, Enter then to the first of the row below: there is none.
    assert rows(page)[0] == "3 5 ."
    tool_button = page.locator("[data-tool=symbols]")
    tool_button.focus()
    page.keyboard.press("Enter")
    place(page, "b1").focus()
    page.keyboard.press("4")
    page.keyboard.press("g")
    assert rows(page)[0] == "3 5Gg ."
    page.keyboard.press("Delete")
    assert rows(page)[0] == "3 5 ."
    page.locator("[data-tool=crosses]").focus()
    page.keyboard.press("Enter")
    place(page, "a1").focus()
    page.keyboard.press("Space")
    assert rows(page)[0] == "3x 5 ."
    page.keyboard.press("Control+z")
    assert rows(page)[0] == "3 5 ."
    page.keyboard.press("Control+Shift+Z")
    assert rows(page)[0] == "3x 5 ."


def test_own_level_is_played_at_a_table_by_two_phones(
    open_page: Open, live_app: str, new_context: Callable[..., BrowserContext]
) -> None:
    """The link to show is enough to start a table; the level stays as it was when that began."""
    page = open_page("/workshop/invent/", "desktop")
    begin(page, 3, 2, "Kitchen")
    type_numbers(page, "351", "246")
    tool(page, "crosses")
    tap(page, "a1")
    settle(page)
    page.get_by_text("More", exact=True).click()
    page.get_by_role("link", name="Links").click()
    shown = page.get_by_label("Link to show").input_value()

    ana, ben = new_context("phone").new_page(), new_context("phone").new_page()
    ana.goto(shown)
    expect(ana.get_by_role("heading", name="Kitchen")).to_be_visible()
    ana.get_by_role("link", name="Play").click()
    ana.get_by_label("Your name").fill("Ana")
    ana.get_by_role("button", name="Start a table").click()
    code = ana.locator(".code").inner_text()
    ben.goto(f"{live_app}/table/{code}/")
    ben.get_by_label("Free seat: your name").first.fill("Ben")
    ben.get_by_role("button", name="Sit here").first.click()
    expect(ana.locator("#_lobby")).to_contain_text("Ben")
    page.go_back()
    tool(page, "numbers")
    tap(page, "b1")
    page.keyboard.press("6")
    settle(page)
    ana.get_by_role("button", name="Begin the game").click()
    for phone in (ana, ben):
        field = phone.locator(".sheet-grid [data-at=b1]")
        expect(field).to_have_attribute("data-label", "b1, 5")
        field.click()
        expect(phone.locator("[data-field=b1] :is(.over, .top) > use")).to_have_count(1)
