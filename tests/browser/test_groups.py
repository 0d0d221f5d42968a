"""Pages of a group after twenty evenings, on phones and by both of its links."""

from __future__ import annotations

import re
from pprint import pformat

import pytest
from playwright.sync_api import Page, expect

from sheets.groups import store
from tests.browser.axe import axe_violations_in_both_themes
from tests.browser.conftest import NewContext
from tests.browser.layout_checks import open_folds, overflow_px, small_targets
from tests.groups.simulated_family import twenty_evenings

pytestmark = pytest.mark.django_db(transaction=True)

LARGE, SMALL = {"width": 390, "height": 844}, {"width": 320, "height": 640}
"""Screens of phones."""

FIGURES = ("", "players/1/", "levels/", "year/2025/")
"""Pages of a group that its viewers see."""

EDITORS = (
    *("?year=2022&kind=tally", "players/", "players/1/delete/", "players/1/year/2025/"),
    *("evening/2025-12-31/", "games/1/delete/", "enter/", "links/", "delete/"),
)
"""Pages of a group that only its editors see."""


def level_address(page: Page, group: str) -> str:
    """Return the address of a level's page, read from its link."""
    page.goto(group)
    link = page.locator("main a[href*='/levels/']").first.get_attribute("href") or ""
    return link.removeprefix(re.sub(r"^https?://[^/]+", "", group))


@pytest.mark.slow
def test_group_pages_fit_phones_and_are_accessible(live_app: str, new_context: NewContext) -> None:
    family = twenty_evenings()
    group = f"{live_app}/groups/{family.access.key}/"
    empty = f"../{store.create('Neu')}/"
    page = new_context("phone", "de").new_page()
    level = level_address(page, group)
    faults: dict[object, object] = {}
    for below in (*FIGURES, *EDITORS, empty):
        page.set_viewport_size(LARGE)  # type: ignore[arg-type]
        page.goto(group + (level if below == "levels/" else below))
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        open_folds(page)
        found: list[object] = [overflow_px(page), small_targets(page)]
        # `test_every_page` checks the pages that exist after one evening.
        if below in ("", "players/1/", "evening/2025-12-31/", empty):
            found.append(axe_violations_in_both_themes(page))
        page.set_viewport_size(SMALL)  # type: ignore[arg-type]
        found += [overflow_px(page), small_targets(page)]
        if any(found):
            faults[below] = found
    assert not faults, pformat(faults)


CUT_TABLES = """() => [...document.querySelectorAll('.wide-table')]
  .filter((box) => box.scrollWidth > box.clientWidth).map((box) => box.textContent)"""
"""Script that returns the texts of tables that are wider than their box."""


@pytest.mark.slow
def test_tables_of_a_player_are_whole_on_a_phone(live_app: str, new_context: NewContext) -> None:
    family = twenty_evenings()
    for size, language in ((LARGE, "de"), (SMALL, "de"), (SMALL, "en")):
        page = new_context("phone", language, "light", viewport=size).new_page()
        for number in (1, 2):
            page.goto(f"{live_app}/groups/{family.access.key}/players/{number}/")
            assert page.locator(".wide-table").count() >= 3
            assert page.evaluate(CUT_TABLES) == [], (size, language, number)


def test_groups_work_without_scripts(live_app: str, new_context: NewContext) -> None:
    family = twenty_evenings()
    page = new_context("phone", java_script_enabled=False).new_page()
    page.goto(f"{live_app}/groups/{family.access.key}/")
    expect(page.get_by_role("rowheader", name="Ana")).to_be_visible()
    page.get_by_text("Only some of the games").click()
    page.get_by_label("Kind").select_option("tally")
    page.get_by_role("button", name="Show").click()
    expect(page).to_have_url(re.compile(r"kind=tally"))
    expect(page.get_by_text("2 games", exact=True)).to_be_visible()
    page.get_by_role("link", name="Show all games").click()
    page.get_by_role("link", name="Older").click()
    page.get_by_role("link", name="Change: Dec. 31, 2025").or_(
        page.get_by_role("link", name="Newer")
    ).first.click()
    page.goto(f"{live_app}/groups/{family.access.key}/evening/2025-12-31/")
    page.get_by_label("Where was it?").fill("At Ida's")
    page.get_by_role("button", name="Save").click()
    page.goto(f"{live_app}/groups/{family.access.key}/evening/2025-12-31/")
    expect(page.get_by_label("Where was it?")).to_have_value("At Ida's")
    page.goto(f"{live_app}/groups/{family.access.key}/players/1/")
    expect(page.get_by_role("heading", name="Level by level")).to_be_visible()
