"""Result pages: podium, first action, points next to the podium."""

from __future__ import annotations

import pytest
from django.test import Client
from playwright.sync_api import Page, expect

from sheets.access.keys import DEVICE_COOKIE
from tests.browser.axe import axe_violations_in_both_themes
from tests.browser.conftest import NewContext
from tests.browser.layout_checks import broken_names, overflow_px, set_font_size, small_targets
from tests.score_levels import GARDEN
from tests.scoring.scoring_pages import begin, tap
from tests.tables.table_clients import finished_party

NAMES = ("Player 1", "Maximilian", "Anna-Lena", "Dora")

pytestmark = pytest.mark.django_db(transaction=True)


def box(page: Page, selector: str) -> dict[str, float]:
    found = page.locator(selector).bounding_box()
    assert found
    return dict(found)


def scored(client: Client) -> str:
    """Return the path of the results of four players; Maximilian is first, Dora last."""
    url = begin(client, GARDEN, *({"player": name} for name in NAMES))
    for number, fields in enumerate(("b1 a3", "b1 a4", "b1", "c2"), start=1):
        tap(client, url, *fields.split(), number=number)
    return url


def test_podium_has_the_winner_in_the_middle_and_the_points_beside_it(
    live_app: str, client: Client, new_context: NewContext
) -> None:
    page = new_context("phone").new_page()
    page.goto(live_app + scored(client))
    first, second, third = (box(page, f".podium-{place} .place") for place in (1, 2, 3))
    assert second["x"] < first["x"] < third["x"]
    assert first["height"] > second["height"] > third["height"]
    assert len({round(one["y"] + one["height"]) for one in (first, second, third)}) == 1
    expect(page.locator(".ranking li")).to_contain_text("Dora")
    assert not broken_names(page, *NAMES)
    assert not small_targets(page)
    assert not axe_violations_in_both_themes(page)
    table = box(page, ".comparison-frame")
    assert table["y"] > box(page, ".moment")["y"] + box(page, ".moment")["height"]
    page.set_viewport_size({"width": 1280, "height": 800})
    podium, table = box(page, ".moment"), box(page, ".comparison-frame")
    assert table["x"] > podium["x"] + podium["width"]
    assert table["y"] < podium["y"] + podium["height"]
    # Steps become rows where the names have no room next to each other.
    page.set_viewport_size({"width": 320, "height": 640})
    set_font_size(page, "200%")
    first, second = (box(page, f".podium-{place}") for place in (1, 2))
    assert second["y"] >= first["y"] + first["height"]
    assert overflow_px(page) == 0
    assert not broken_names(page, *NAMES)


def test_next_game_is_on_the_first_screen_of_a_phone(
    live_app: str, new_context: NewContext
) -> None:
    party = finished_party("Ana", "Ben", "Cem")
    page = new_context("phone").new_page()
    path = f"{live_app}/table/{party.code}/"
    seat = {"name": DEVICE_COOKIE, "value": party.tokens[0], "url": path}
    page.context.add_cookies([seat])  # type: ignore[list-item]
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(path)
    button = page.get_by_role("button", name="Play again")
    expect(button).to_be_in_viewport(ratio=1)
    expect(page.locator(".button.primary")).to_have_count(1)
    # The link of a name leads to the sheet, as before.
    page.locator(".podium-1").get_by_role("link").click()
    expect(page.locator("details[open] .shown-paper")).to_be_in_viewport()
