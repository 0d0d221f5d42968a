"""Puzzles in a browser: taps, keyboard, first answers on the device, layout."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from sheets.puzzles.store import find_puzzle, shipped_puzzles
from tests.browser.axe import axe_violations_in_both_themes
from tests.browser.conftest import OpenPage
from tests.browser.polling import follow_link

pytestmark = pytest.mark.django_db(transaction=True)

FIRST, SECOND, THIRD = list(shipped_puzzles())[:3]


def field_of(key: str, *, is_right: bool) -> str:
    """Return the field of the answer to a puzzle, or of another choice."""
    puzzle = find_puzzle(key)
    place = puzzle.answer if is_right else (puzzle.answer + 1) % len(puzzle.choices)
    return puzzle.choices[place].action.at


def tap(page: Page, at: str) -> None:
    page.locator(f'[data-at="{at}"]').click()


def test_first_answer_counts_and_the_list_shows_it(live_app: str, open_page: OpenPage) -> None:
    page = open_page("/puzzles/")
    expect(page.locator("#solved")).to_be_hidden()
    follow_link(page, page.get_by_role("link", name="Next puzzle"))
    tap(page, field_of(FIRST, is_right=True))
    expect(page.locator("#result")).to_contain_text("Correct: ")
    expect(page.locator("#result")).to_be_focused()
    follow_link(page, page.get_by_role("link", name="Next puzzle"))
    page.wait_for_url(f"**/puzzles/{SECOND}/")
    tap(page, field_of(SECOND, is_right=False))
    expect(page.locator("#result")).to_contain_text("The best choice is")
    # The list knows it also after Back.
    for _page in range(4):
        page.go_back()
    expect(page.get_by_role("link", name="2 answered wrongly", exact=True)).to_be_visible()
    # A link that somebody sent counts as no answer.
    page.goto(f"{live_app}/puzzles/{THIRD}/?at={field_of(THIRD, is_right=True)}")
    expect(page.locator("#result")).to_contain_text("Correct: ")
    page.goto(f"{live_app}/puzzles/{SECOND}/?at={field_of(SECOND, is_right=True)}")
    follow_link(page, page.get_by_role("link", name="‹ Puzzles"))
    expect(page.locator("#solved")).to_have_text(
        f"You have solved 1 of {len(shipped_puzzles())} puzzles at the first try."
    )
    expect(page.get_by_role("link", name="1 solved", exact=True)).to_be_visible()
    expect(page.get_by_role("link", name="2 answered wrongly", exact=True)).to_be_visible()
    follow_link(page, page.get_by_role("link", name="Next puzzle"))
    expect(page.get_by_text("Puzzle 3")).to_be_visible()


def test_choice_by_keyboard(open_page: OpenPage) -> None:
    page = open_page(f"/puzzles/{FIRST}/")
    first = page.locator(".sheet-grid [tabindex='0']")
    first.focus()
    page.keyboard.press("Control+End")
    last = page.locator(".sheet-grid [data-at]").last.get_attribute("data-at")
    assert page.evaluate("document.activeElement.dataset.at") == last
    page.locator(f'[data-at="{field_of(FIRST, is_right=True)}"]').focus()
    page.keyboard.press("Enter")
    expect(page.locator("#result")).to_contain_text("Correct: ")


def test_refusal_is_an_alert_with_the_focus(open_page: OpenPage) -> None:
    page = open_page(f"/puzzles/{FIRST}/")
    puzzle = find_puzzle(FIRST)
    legal = {choice.action.at for choice in puzzle.choices}
    level = puzzle.record.level
    tap(page, next(field.name for field in level.fields if field.name not in legal))
    expect(page.get_by_role("alert")).to_be_focused()
    expect(page.get_by_text("What would you do?")).to_be_visible()


@pytest.mark.parametrize("device", ["phone", "desktop"])
def test_pages_have_no_violations(live_app: str, open_page: OpenPage, device: str) -> None:
    page = open_page("/puzzles/", device)
    assert axe_violations_in_both_themes(page) == ""
    for path in (FIRST + "/", f"{FIRST}/?at={field_of(FIRST, is_right=False)}"):
        page.goto(f"{live_app}/puzzles/{path}")
        assert axe_violations_in_both_themes(page) == ""
