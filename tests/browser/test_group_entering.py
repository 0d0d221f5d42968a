"""Old games come into a group: typed with a thumb, and as files that are dropped."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from sheets.groups import store
from sheets.groups.documents import format_group
from sheets.groups.entering import Entered, enter
from sheets.models import GroupGame, Scoring
from tests.browser.axe import barriers
from tests.browser.finger import touch
from tests.browser.room import too_wide
from tests.browser.test_opened_files import drop
from tests.score_levels import GARDEN, sheets_document

OpenPage = Callable[..., Page]


def test_a_pile_of_old_sheets_is_typed_with_a_thumb(open_page: OpenPage) -> None:
    key = store.create("Family")
    page = open_page(f"/groups/{key}/enter/", "phone")
    for number, (name, points) in enumerate((("Ana", "44"), ("Ben", "51")), start=1):
        page.locator(f"[name=name-new-{number}]").fill(name)
        page.locator(f"[name=points-new-{number}]").fill(points)
    look = page.get_by_role("button", name="Check entries").first
    touch(look)
    expect(page.get_by_text("1 game was understood")).to_be_visible()
    assert too_wide(page) == 0
    assert barriers(page) == ""
    touch(page.get_by_role("button", name="Add this game"))
    expect(page.get_by_role("status")).to_contain_text("1 new.")
    # From now on a tap on a name is enough to type the points.
    for name, points in (("Ana", "38"), ("Ben", "40")):
        row = page.locator(".had-one", has_text=name)
        touch(row.locator("bdi"))
        expect(row.get_by_role("spinbutton")).to_be_focused()
        page.keyboard.type(points)
    touch(look)
    expect(page.get_by_text("New in this group:")).to_have_count(0)
    touch(page.get_by_role("button", name="Add this game"))
    expect(page.get_by_role("status")).to_contain_text("1 new.")
    results = [
        {one.player.name: one.total for one in game.results.all() if one.player}
        for game in GroupGame.objects.order_by("number")
    ]
    assert results == [{"Ana": 44, "Ben": 51}, {"Ana": 38, "Ben": 40}]


@pytest.mark.parametrize("javascript", [True, False], ids=["script", "no-script"])
def test_what_a_table_was_understood_as_is_there_to_see_at_once(
    live_app: str,
    new_context: Callable[..., BrowserContext],
    page_errors: list[str],
    javascript: bool,
) -> None:
    key = store.create("Family")
    page = new_context("phone", java_script_enabled=javascript).new_page()
    page.goto(f"{live_app}/groups/{key}/enter/")
    page.get_by_text("Several games as a table").click()
    page.get_by_label("The games").fill("day;Ana;Ben\n26.12.25;44;51")
    page.get_by_role("button", name="Check entries").last.click()
    expect(page.get_by_text("1 game was understood")).to_be_in_viewport()
    page.get_by_role("button", name="Add these games").click()
    expect(page.get_by_role("status")).to_be_in_viewport()
    # What is wrong with it is there to see, too.
    page.get_by_text("Several games as a table").click()
    page.get_by_label("The games").fill("nothing")
    page.get_by_role("button", name="Check entries").last.click()
    expect(page.get_by_text("No game was found in this.")).to_be_in_viewport()
    page_errors.clear()  # Chromium tells of the page that says so


@pytest.mark.parametrize("javascript", [True, False], ids=["script", "no-script"])
def test_table_is_opened_and_its_guessed_dates_are_reversed_with_one_tap(
    live_app: str, new_context: Callable[..., BrowserContext], javascript: bool
) -> None:
    key = store.create("Family")
    page = new_context("phone", java_script_enabled=javascript).new_page()
    page.goto(f"{live_app}/groups/{key}/enter/")
    table = {"name": "old.csv", "mimeType": "text/csv", "buffer": b"day,Ana\n03/04/2026,44"}
    page.locator("input[type=file]").set_input_files(table)
    page.locator("#files-title ~ form button").click()
    expect(page.get_by_text("This is a guess.")).to_be_in_viewport()
    first, second = "Wed 4 Mar 2026", "Fri 3 Apr 2026"
    if page.get_by_text(second).count():
        first, second = second, first
    expect(page.get_by_text(first)).to_be_visible()
    page.get_by_role("button", name="comes first").click()
    expect(page.get_by_text(second)).to_be_in_viewport()
    expect(page.get_by_text("This is a guess.")).to_have_count(0)
    page.get_by_role("button", name="Add these games").click()
    expect(page.get_by_role("status")).to_contain_text("1 new.")
    assert f"{GroupGame.objects.get().evening:%-d %b %Y}" in second


def test_files_that_are_dropped_on_the_page_come_into_the_group(open_page: OpenPage) -> None:
    key = store.create("Family")
    page = open_page(f"/groups/{key}/enter/", "desktop")
    scorings = Scoring.objects.count()
    file = json.dumps(sheets_document(GARDEN, {"player": "Ana", "crosses": ["b1"]})).encode()
    drop(page, file, b"shopping list", file)
    expect(page.get_by_role("heading", name="Garden")).to_have_count(2)
    expect(page.get_by_text("Is there already.")).to_have_count(1)
    expect(page.get_by_text("1.json:")).to_be_visible()
    assert barriers(page) == ""
    page.get_by_role("button", name="Add this game").click()
    expect(page.get_by_role("status")).to_contain_text("1 new, 1 was there already.")
    assert GroupGame.objects.count() == 1
    assert Scoring.objects.count() == scorings


def test_a_file_of_a_group_that_is_here_is_joined_with_it(open_page: OpenPage) -> None:
    key = store.create("Family")
    access = store.find(key)
    for number, day in enumerate((1, 2), start=1):
        enter(access, [Entered(date(2025, 5, day), "", (("Ana", number), ("Ben", 9)))])
    content = format_group(access.thing)
    store.delete_game(access, 2)
    page = open_page(f"/groups/{key}/", "phone")
    page.goto(page.url.replace(f"{key}/", "file/"))
    page.locator("[name=document]").set_input_files(
        {"name": "group.json", "mimeType": "application/json", "buffer": content}
    )
    page.get_by_role("button", name="Open", exact=True).click()
    expect(page.get_by_text("1 game would be added. 1 is there already.")).to_be_visible()
    assert too_wide(page) == 0
    assert barriers(page) == ""
    touch(page.get_by_role("button", name="Join it with “Family”"))
    expect(page.get_by_role("status")).to_contain_text("1 new, 1 was there already.")
    assert GroupGame.objects.count() == 2
