"""Page of a player with all parts that appear after many games."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.axe import axe_violations_in_both_themes
from tests.browser.conftest import OpenPage
from tests.browser.layout_checks import overflow_px, small_targets
from tests.groups.test_player import create_club


def test_charts_and_their_tables_are_accessible(open_page: OpenPage) -> None:
    access = create_club(count=150)
    number = access.resource.players.get(name="Ana").number
    page = open_page(f"/groups/{access.share_key}/players/{number}/", "phone", "de")
    tables = page.locator("figure details")
    expect(page.locator("figure svg[role=img]")).to_have_count(3)
    for table in tables.all():
        table.locator("summary").click()
        expect(table.locator("table")).to_be_visible()
    assert axe_violations_in_both_themes(page) == ""
    for width in (390, 1280):
        page.set_viewport_size({"width": width, "height": 844})
        assert overflow_px(page) == 0
        assert small_targets(page) == []
