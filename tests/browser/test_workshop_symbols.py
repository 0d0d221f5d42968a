"""Every symbol of the table by keyboard, by paste and with its points, in the page's own script."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from sheets.artwork.drawings import symbol_id
from sheets.rules.symbols import OFF_RAILS, PAYING, SYMBOLS
from tests.browser.workshop_bench import place, rows, settle, stored, tool
from tests.symbol_levels import colour_of, usual_points, written

Open = Callable[..., Page]

LETTERS = [symbol.letter for symbol in SYMBOLS.values()]
ROW = " ".join("-V" if name == "volcano" else f"2{written(name)}" for name in SYMBOLS)
"""Each symbol once, a red one if it has a colour."""

POINTS = {key: value for name in PAYING for key, value in usual_points(name).items()}


def drawn(page: Page, name: str, symbol: str) -> None:
    """Wait until a field shows a symbol, in its colours."""
    field = page.locator(f"#drawing [data-field={name}]")
    expect(
        field.locator(f"use[href='#art-{symbol_id(symbol, colour_of(symbol))}']")
    ).to_be_attached()
    group = page.evaluate(
        "([name]) => document.querySelector(`#drawing [data-field=${name}]`).classList.value",
        [name],
    )
    assert " g-" in group


def test_every_letter_puts_its_symbol(open_page: Open, made: Callable[..., str]) -> None:
    grid = [" ".join(str(1 + i % 6) for i in range(len(SYMBOLS)))]
    page = open_page(made(*grid, points={}), "desktop")
    tool(page, "symbols")
    page.locator("#colour-palette").get_by_role("button").first.click()
    place(page, "a1").click()
    page.keyboard.press("Backspace")
    for letter in LETTERS:
        page.keyboard.press(letter.lower())
        page.keyboard.press("ArrowRight")
    for column, symbol in enumerate(SYMBOLS):
        drawn(page, f"{chr(ord('a') + column)}1", symbol)
    settle(page)
    (row,) = rows(page)
    assert [token.lstrip("123456-") for token in row.split()] == [written(name) for name in SYMBOLS]


def test_every_symbol_is_pasted_and_paid(open_page: Open, made: Callable[..., str]) -> None:
    page = open_page(made("1 2", points={}), "desktop")
    tool(page, "points")
    again = page.get_by_label("The last number of a flag or race can be got again and again")
    expect(again).to_be_hidden()  # there is none yet
    tool(page, "grid")
    page.locator("summary").filter(has_text="Paste").click()
    for wrong in ("3V", "2G", "2Br", "2X", "7"):
        page.locator("#paste").fill(wrong)
        page.locator("#paste-use").click()
        expect(page.locator("#paste")).to_have_attribute("aria-invalid", "true")
    page.locator("#paste").fill(ROW)
    page.locator("#paste-use").click()
    assert rows(page) == [ROW]
    tool(page, "points")
    inputs = page.locator("#points-list input")
    expect(inputs).to_have_count(len(PAYING))
    expect(again).to_be_visible()
    page.locator("#points-usual").click()
    assert settle(page)["points"] == POINTS
    for name, symbol in PAYING.items():
        if symbol.costs:
            # Not every phone's keys for numbers have a minus.
            page.locator(f"#points-{written(name)}").fill("7")
            page.locator(f"#points-{written(name)}").press("Tab")
            assert settle(page)["points"][name] == -7


@pytest.mark.parametrize("name", ["rocket", "stop"])
def test_tracks_leave_out_what_cannot_stand_there(
    open_page: Open, made: Callable[..., str], name: str
) -> None:
    page = open_page(made("1 " + ROW, points=POINTS), "desktop")
    tool(page, "grid")
    page.locator("#rails").check()
    settle(page)
    left = {token.lstrip("123456-") for token in stored(page).document["grid"][0].split()}
    assert (written(name) in left) == (written(name) not in OFF_RAILS)
    tool(page, "symbols")
    swatches = page.locator("#symbol-palette [data-key]")
    letters = swatches.evaluate_all("all => all.map((one) => one.dataset.key)")
    assert set(letters) == set(LETTERS) - OFF_RAILS
