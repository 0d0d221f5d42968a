"""Every symbol in the editor: by keyboard, pasted, and with its points."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from sheets.art.drawings import symbol_id
from sheets.rules.symbols import PAYING, SYMBOLS, TOKENS_OFF_RAILS
from tests.browser.conftest import MakePath, OpenPage
from tests.browser.workshop_page import choose_tool, place, rows, stored, wait_until_saved
from tests.symbol_levels import colour_of, notation_of, usual_points

LETTERS = [symbol.letter for symbol in SYMBOLS.values()]
"""Letters of all symbols."""

ROW = " ".join("-V" if name == "volcano" else f"2{notation_of(name)}" for name in SYMBOLS)
"""Each symbol once, in red if it has a colour."""

POINTS = {key: value for name in PAYING for key, value in usual_points(name).items()}
"""Usual points of all symbols."""


def wait_for_symbol(page: Page, name: str, symbol: str) -> None:
    """Wait until a field shows a symbol in its colours."""
    field = page.locator(f"#drawing [data-field={name}]")
    expect(
        field.locator(f"use[href='#art-{symbol_id(symbol, colour_of(symbol))}']")
    ).to_be_attached()
    group = page.evaluate(
        "([name]) => document.querySelector(`#drawing [data-field=${name}]`).classList.value",
        [name],
    )
    assert " g-" in group


def test_every_letter_puts_its_symbol(open_page: OpenPage, make_level: MakePath) -> None:
    grid = [" ".join(str(1 + i % 6) for i in range(len(SYMBOLS)))]
    page = open_page(make_level(*grid, points={}), "desktop")
    choose_tool(page, "symbols")
    page.locator("#colour-palette").get_by_role("button").first.click()
    place(page, "a1").click()
    page.keyboard.press("Backspace")
    for letter in LETTERS:
        page.keyboard.press(letter.lower())
        page.keyboard.press("ArrowRight")
    for column, symbol in enumerate(SYMBOLS):
        wait_for_symbol(page, f"{chr(ord('a') + column)}1", symbol)
    wait_until_saved(page)
    (row,) = rows(page)
    assert [token.lstrip("123456-") for token in row.split()] == [
        notation_of(name) for name in SYMBOLS
    ]


def test_every_symbol_is_pasted_and_paid(open_page: OpenPage, make_level: MakePath) -> None:
    page = open_page(make_level("1 2", points={}), "desktop")
    choose_tool(page, "points")
    again = page.get_by_label("The last number of a flag or race is never used up")
    expect(again).to_be_hidden()  # there is no symbol yet
    choose_tool(page, "grid")
    page.locator("summary").filter(has_text="Paste").click()
    for wrong in ("3V", "2G", "2Br", "2X", "7"):
        page.locator("#paste").fill(wrong)
        page.locator("[data-act=paste]").click()
        expect(page.locator("#paste")).to_have_attribute("aria-invalid", "true")
    page.locator("#paste").fill(ROW)
    page.locator("[data-act=paste]").click()
    assert rows(page) == [ROW]
    choose_tool(page, "points")
    inputs = page.locator("#points-list input")
    expect(inputs).to_have_count(len(PAYING))
    expect(again).to_be_visible()
    page.locator("#points-usual").click()
    assert wait_until_saved(page)["points"] == POINTS
    for name, symbol in PAYING.items():
        if symbol.costs:
            # The number keyboards of some phones have no minus.
            page.locator(f"#points-{notation_of(name)}").fill("7")
            page.locator(f"#points-{notation_of(name)}").press("Tab")
            assert wait_until_saved(page)["points"][name] == -7


@pytest.mark.parametrize("name", ["rocket", "stop"])
def test_rail_levels_offer_no_impossible_symbols(
    open_page: OpenPage, make_level: MakePath, name: str
) -> None:
    page = open_page(make_level("1 " + ROW, points=POINTS), "desktop")
    choose_tool(page, "grid")
    page.locator("#rails").check()
    wait_until_saved(page)
    left = {token.lstrip("123456-") for token in stored(page).document["grid"][0].split()}
    assert (notation_of(name) in left) == (notation_of(name) not in TOKENS_OFF_RAILS)
    choose_tool(page, "symbols")
    swatches = page.locator("#symbol-palette [data-key]")
    letters = swatches.evaluate_all("all => all.map((one) => one.dataset.key)")
    assert set(letters) == set(LETTERS) - TOKENS_OFF_RAILS
