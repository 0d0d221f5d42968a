"""Search on the rules page."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.axe import axe_violations
from tests.browser.conftest import OpenPage


def test_typing_filters_the_rules_without_a_new_page(open_page: OpenPage) -> None:
    page = open_page("/rules/", "phone", "en")
    page.evaluate("window.isSamePage = true")
    search = page.get_by_role("searchbox", name="Search the rules")
    search.press_sequentially("bomb")
    expect(page.locator("#_rules [role=status]")).to_have_text("10 rules found for “bomb”.")
    expect(search).to_be_focused()
    expect(page.locator("#exploded")).to_be_visible()
    expect(page.locator("#winner, #open-all:visible")).to_have_count(0)
    expect(page).to_have_url(re.compile(r"/rules/\?q=bomb$"))
    assert axe_violations(page) == ""
    page.reload()
    expect(page.locator("#exploded")).to_be_visible()
    page.evaluate("window.isSamePage = true")
    search.fill("")
    expect(page.get_by_role("button", name="Open all")).to_be_visible()
    expect(page).to_have_url(re.compile("/rules/$"))
    expect(page.locator("#_rules [role=status]")).to_be_empty()
    page.get_by_role("button", name="Open all").click()
    expect(page.locator("#winner")).to_be_visible()
    assert page.evaluate("window.isSamePage")


def test_link_of_a_hit_opens_the_rule_in_its_chapter(open_page: OpenPage) -> None:
    page = open_page("/rules/?q=equal+points", "desktop", "en")
    page.get_by_role("link", name="Who wins, and equal points").click()
    expect(page.locator(".chapter #winner")).to_be_in_viewport()
    page.get_by_role("navigation", name="Chapters").get_by_role("link", name="Volcano").click()
    expect(page.locator("#erupt")).to_be_in_viewport()


@pytest.mark.parametrize("device", ["phone", "desktop"])
def test_search_works_without_scripts(open_page: OpenPage, device: str) -> None:
    page = open_page("/rules/", device, "de", java_script_enabled=False)
    page.get_by_role("searchbox").fill("Gleichstand")
    page.get_by_role("button", name="Suchen").click()
    expect(page.locator("#winner")).to_be_visible()
    expect(page.get_by_role("searchbox")).to_have_value("Gleichstand")
    page.get_by_role("link", name="Alle Regeln zeigen").click()
    expect(page.locator("#dice-count")).to_be_visible()


def test_search_without_a_network_says_so(open_page: OpenPage, page_errors: list[str]) -> None:
    page = open_page("/rules/", "phone", "en")
    page.route("**/rules/?q=*", lambda route: route.abort("internetdisconnected"))
    page.get_by_role("searchbox").press_sequentially("bomb")
    expect(page.locator("[data-no-answer]")).to_be_visible()
    expect(page.locator("#dice-count")).to_be_visible()
    page_errors.clear()  # htmx logs the missing answer as an error, as intended
