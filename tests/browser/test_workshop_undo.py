"""One press of Undo takes back one thing that somebody did, and says what that was."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from sheets.workshop import acts, store
from tests.browser.workshop_bench import rows, settle, stored, tap, tool, type_numbers

Open = Callable[..., Page]


@pytest.fixture
def path(transactional_db: None) -> str:
    """A level in the whole editor."""
    document = {
        "format": "dizzle-level/1",
        "id": "own-1",
        "name": {"en": "Garden"},
        "grid": ["3x 5 1Gy", "2 4 6Fr"],
        "points": {"flag": {"red": [6, 3]}},
    }
    return f"/workshop/{store.create(document)}/"


def undo(page: Page, told: str) -> None:
    page.locator("#undo").press("Enter")
    expect(page.locator("#told")).to_have_text(told)


def test_what_is_typed_into_one_place_is_taken_back_at_once(open_page: Open, path: str) -> None:
    page = open_page(path, "desktop")
    tool(page, "lines")
    for edge, points in (("row 1", "12"), ("column b", "-7")):
        page.locator(f"[data-edge='{edge}']").click()
        expect(page.locator("#line-points")).to_be_focused()
        page.keyboard.type(points, delay=30)
    tool(page, "points")
    page.locator("#points-Gy").click()
    page.keyboard.type("15", delay=30)
    page.locator("#points-Fr").click()
    page.keyboard.press("Control+a")
    page.keyboard.type("10 6 3 1", delay=30)
    tool(page, "areas")
    page.get_by_role("button", name="New area").click()
    tap(page, "a1")
    page.locator("#area-points").click()
    page.keyboard.press("Control+a")
    page.keyboard.type("8 4", delay=30)
    document = settle(page)
    assert document["lines"] == [{"row": 1, "points": 12}, {"column": "b", "points": -7}]
    assert document["points"] == {"flag": {"red": [10, 6, 3, 1]}, "gem": {"yellow": 15}}
    assert document["areas"] == [{"fields": ["a1"], "race": [8, 4]}]
    assert stored(page).position == 6
    undo(page, "Taken back: area of a1.")
    assert settle(page)["areas"] == [{"fields": ["a1"], "points": 5}]
    undo(page, "Taken back: area of a1.")
    undo(page, "Taken back: points for: red flag.")
    undo(page, "Taken back: points for: yellow gem.")
    undo(page, "Taken back: arrow of column b.")
    undo(page, "Taken back: arrow of row 1.")
    assert "lines" not in settle(page)
    expect(page.locator("#undo")).to_have_attribute("aria-disabled", "true")
    page.locator("#redo").click()
    expect(page.locator("#told")).to_have_text("Done again: arrow of row 1.")
    tap(page, "a1")
    type_numbers(page, "6")
    expect(page.locator("#told")).to_be_hidden()


def test_undo_takes_back_ones_own_and_asks_about_what_others_did(
    open_page: Open, path: str
) -> None:
    one, two = open_page(path, "desktop"), open_page(path, "desktop")
    type_numbers(one, "6")
    settle(one)
    one.reload()
    type_numbers(two, "54")
    settle(two)
    undo(two, "Taken back: b1.")
    undo(one, "It was changed on another device since, so it stays as it is: a1.")
    undo(two, "Taken back: a1.")
    assert rows(two)[0] == "6x 5 1Gy"
    type_numbers(one, "6666")
    settle(one)
    two.reload()
    said = "a2: that was done on another device. Press again to take it back, too."
    undo(two, f"All your own changes are taken back. {said}")
    two.wait_for_timeout(900)
    undo(two, "Taken back, though it was done on another device: a2.")
    assert rows(two)[1] == "2 4 6Fr"


def test_more_undos_than_one_request_may_bring_are_sent_one_by_one(
    open_page: Open, path: str, page_errors: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(acts, "MOST_TURNS", 3)
    page = open_page(path, "desktop")
    count = acts.MOST_TURNS + 2
    for number in range(count):
        tap(page, "a1")
        type_numbers(page, str(number % 2 + 5))
        settle(page)
    assert stored(page).position == count
    answers: list[int] = []
    page.on("response", lambda answer: answers.append(answer.status))
    page.context.set_offline(True)
    for _ in range(count):
        page.locator("#undo").click()
    page.context.set_offline(False)
    assert settle(page)["grid"][0].split() == ["3x", "5", "1Gy"]
    assert stored(page).position == 2 * count
    assert answers.count(400) == 1
    page_errors.clear()  # no network, and the answer to the first request
