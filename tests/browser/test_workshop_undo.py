"""Undo of the last change: it names the change, or a later change by another device."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from sheets.workshop import store
from tests.browser.conftest import OpenPage
from tests.browser.workshop_page import (
    choose_tool,
    rows,
    stored,
    tap,
    type_numbers,
    wait_until_saved,
)


@pytest.fixture
def path(transactional_db: None) -> str:
    """Path of a level in the complete editor."""
    document = {
        "format": "dizzle-level/1",
        "id": "own-1",
        "name": {"en": "Garden"},
        "grid": ["3x 5 1Gy", "2 4 6Fr"],
        "points": {"flag": {"red": [6, 3]}},
    }
    return f"/workshop/{store.create(document)}/"


def undo_and_expect(page: Page, told: str) -> None:
    page.locator("#undo").press("Enter")
    expect(page.locator("#told")).to_have_text(told)


def test_one_undo_takes_back_all_typing_in_one_input(open_page: OpenPage, path: str) -> None:
    page = open_page(path, "desktop")
    choose_tool(page, "lines")
    for edge, points in (("row 1", "12"), ("column b", "-7")):
        page.locator(f"[data-edge='{edge}']").click()
        expect(page.locator("#line-points")).to_be_focused()
        page.keyboard.type(points, delay=30)
    choose_tool(page, "points")
    page.locator("#points-Gy").click()
    page.keyboard.type("15", delay=30)
    page.locator("#points-Fr").click()
    page.keyboard.press("Control+a")
    page.keyboard.type("10 6 3 1", delay=30)
    choose_tool(page, "areas")
    page.get_by_role("button", name="New area").click()
    tap(page, "a1")
    page.locator("#area-points").click()
    page.keyboard.press("Control+a")
    page.keyboard.type("8 4", delay=30)
    document = wait_until_saved(page)
    assert document["lines"] == [{"row": 1, "points": 12}, {"column": "b", "points": -7}]
    assert document["points"] == {"flag": {"red": [10, 6, 3, 1]}, "gem": {"yellow": 15}}
    assert document["areas"] == [{"fields": ["a1"], "race": [8, 4]}]
    assert stored(page).position == 6
    undo_and_expect(page, "Undone: area of a1.")
    assert wait_until_saved(page)["areas"] == [{"fields": ["a1"], "points": 5}]
    undo_and_expect(page, "Undone: area of a1.")
    undo_and_expect(page, "Undone: points for: red flag.")
    undo_and_expect(page, "Undone: points for: yellow gem.")
    undo_and_expect(page, "Undone: arrow of column b.")
    undo_and_expect(page, "Undone: arrow of row 1.")
    assert "lines" not in wait_until_saved(page)
    expect(page.locator("#undo")).to_have_attribute("aria-disabled", "true")
    page.locator("#redo").click()
    expect(page.locator("#told")).to_have_text("Redone: arrow of row 1.")
    tap(page, "a1")
    type_numbers(page, "6")
    expect(page.locator("#told")).to_be_hidden()


def test_undo_is_refused_once_if_another_device_has_gone_on(
    open_page: OpenPage, path: str, page_errors: list[str]
) -> None:
    one, two = open_page(path, "desktop"), open_page(path, "phone")
    type_numbers(one, "6")
    wait_until_saved(one)
    two.reload()
    type_numbers(two, "54")
    wait_until_saved(two)
    undo_and_expect(
        one, "Someone has gone on since, on another device: b1. Press again if you still want to."
    )
    page_errors.clear()  # Chromium logs the 409 as an error
    assert rows(one)[0] == "5x 4 1Gy", "both edits are there, and the page shows them"
    undo_and_expect(one, "Undone, though it was done on another device: b1.")
    one.reload()
    undo_and_expect(one, "Undone, though it was done on another device: a1.")
    undo_and_expect(one, "Undone: a1.")
    expect(one.locator("#undo")).to_have_attribute("aria-disabled", "true")
    assert rows(one) == ["3x 5 1Gy", "2 4 6Fr"]
    for _ in range(3):
        one.locator("#redo").click()
    expect(one.locator("#redo")).to_have_attribute("aria-disabled", "true")
    assert wait_until_saved(one)["grid"][0].split() == ["5x", "4", "1Gy"]


def test_undos_without_a_network_are_sent_later(
    open_page: OpenPage, path: str, page_errors: list[str]
) -> None:
    page = open_page(path, "desktop")
    for number in ("5", "6"):
        tap(page, "a1")
        type_numbers(page, number)
        wait_until_saved(page)
    page.context.set_offline(True)
    for _ in range(2):
        page.locator("#undo").click()
    page.context.set_offline(False)
    assert wait_until_saved(page)["grid"][0].split() == ["3x", "5", "1Gy"]
    assert stored(page).position == 0
    page_errors.clear()  # no network
