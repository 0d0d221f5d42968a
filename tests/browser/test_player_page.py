"""A player's page in a real browser, with all that there is to show after many games."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.axe import barriers_in_both_themes
from tests.browser.room import too_small, too_wide
from tests.groups.test_player import club

Open = Callable[..., Page]


def test_figures_and_the_tables_behind_them_have_no_barriers(open_page: Open) -> None:
    access = club(count=150)
    number = access.thing.players.get(name="Ana").number
    page = open_page(f"/groups/{access.share_key}/players/{number}/", "phone", "de")
    tables = page.locator("figure details")
    expect(page.locator("figure svg[role=img]")).to_have_count(3)
    for table in tables.all():
        table.locator("summary").click()
        expect(table.locator("table")).to_be_visible()
    assert barriers_in_both_themes(page) == ""
    for width in (390, 1280):
        page.set_viewport_size({"width": width, "height": 844})
        assert too_wide(page) == 0
        assert too_small(page) == []
