"""Results of the workshop on a phone: they are where one looks, and what is wider says so."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_workshop_reports import made_report

OpenPage = Callable[..., Page]


@pytest.mark.parametrize("script", [True, False])
def test_a_phone_shows_the_suggestion_that_was_asked_for(open_page: OpenPage, script: bool) -> None:
    page = open_page("/workshop/suggest/", "phone", java_script_enabled=script)
    sheet = page.locator("#wish-sheet .art-sheet")
    another = page.get_by_role("button", name="Another one")
    assert sheet.bounding_box()["y"] > 844
    for button in ("Show it", "Another one"):
        page.get_by_role("button", name=button).click()
        page.wait_for_url("**#wish-sheet")
        expect(page.locator("#wish-sheet h2")).to_be_in_viewport()
        expect(sheet).to_be_in_viewport(ratio=0.9)
        expect(another).to_be_in_viewport()


def test_a_wide_table_of_the_report_keeps_its_first_column(open_page: OpenPage) -> None:
    page = open_page(f"/workshop/{made_report()}/balance/", "phone")
    page.locator("#figure-scores summary").click()
    table = page.locator("#figure-scores .scroll-x")
    head = table.locator("tbody th").first
    left = head.bounding_box()["x"]
    assert table.evaluate("box => box.scrollWidth > box.clientWidth + 50")
    assert "linear-gradient" in table.evaluate("box => getComputedStyle(box).backgroundImage")
    table.evaluate("box => box.scrollTo(200, 0)")
    assert table.evaluate("box => box.scrollLeft") > 50
    assert head.bounding_box()["x"] == left
