"""Import of old games into a group: typed by touch, pasted, and as dropped files."""

from __future__ import annotations

import json
from datetime import date

import pytest
from playwright.sync_api import expect

from sheets.groups import store
from sheets.groups.documents import format_group
from sheets.groups.paper_games_import import PaperGame, enter
from sheets.models import GroupGame, Scoring
from tests.browser.axe import axe_violations
from tests.browser.conftest import NewContext, OpenPage
from tests.browser.layout_checks import overflow_px
from tests.browser.test_opened_files import drop
from tests.browser.touch import touch
from tests.score_levels import GARDEN, sheets_document


def test_a_pile_of_old_sheets_is_typed_with_a_thumb(open_page: OpenPage) -> None:
    key = store.create("Family")
    page = open_page(f"/groups/{key}/enter/", "phone")
    for number, (name, points) in enumerate((("Ana", "44"), ("Ben", "51")), start=1):
        page.locator(f"[name=name-new-{number}]").fill(name)
        page.locator(f"[name=points-new-{number}]").fill(points)
    look = page.get_by_role("button", name="Check entries").first
    touch(look)
    expect(page.get_by_text("1 game was understood")).to_be_visible()
    assert overflow_px(page) == 0
    assert axe_violations(page) == ""
    touch(page.get_by_role("button", name="Add this game"))
    expect(page.get_by_role("status")).to_contain_text("1 game is added.")
    # From now on a tap on a name suffices to enter points.
    for name, points in (("Ana", "38"), ("Ben", "40")):
        row = page.locator(".had-one", has_text=name)
        touch(row.locator("bdi"))
        expect(row.get_by_role("spinbutton")).to_be_focused()
        page.keyboard.type(points)
    touch(look)
    expect(page.get_by_text("New in this group:")).to_have_count(0)
    touch(page.get_by_role("button", name="Add this game"))
    expect(page.get_by_role("status")).to_contain_text("1 game is added.")
    results = [
        {one.player.name: one.total for one in game.results.all() if one.player}
        for game in GroupGame.objects.order_by("number")
    ]
    assert results == [{"Ana": 44, "Ben": 51}, {"Ana": 38, "Ben": 40}]


@pytest.mark.parametrize("javascript", [True, False], ids=["script", "no-script"])
def test_interpretation_of_a_pasted_table_is_visible_at_once(
    live_app: str,
    new_context: NewContext,
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
    # Its errors are visible, too.
    page.get_by_text("Several games as a table").click()
    page.get_by_label("The games").fill("nothing")
    page.get_by_role("button", name="Check entries").last.click()
    expect(page.get_by_text("No game was found in this.")).to_be_in_viewport()
    page_errors.clear()  # Chromium logs the status of the error page


@pytest.mark.parametrize("javascript", [True, False], ids=["script", "no-script"])
def test_table_is_opened_and_its_guessed_dates_are_reversed_with_one_tap(
    live_app: str, new_context: NewContext, javascript: bool
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
    expect(page.get_by_role("status")).to_contain_text("1 game is added.")
    assert f"{GroupGame.objects.get().evening:%-d %b %Y}" in second


def test_dropped_files_are_added_to_the_group(open_page: OpenPage) -> None:
    key = store.create("Family")
    page = open_page(f"/groups/{key}/enter/", "desktop")
    scorings = Scoring.objects.count()
    file = json.dumps(sheets_document(GARDEN, {"player": "Ana", "crosses": ["b1"]})).encode()
    drop(page, file, b"shopping list", file)
    expect(page.get_by_role("heading", name="Garden")).to_have_count(2)
    expect(page.get_by_text("Is there already.")).to_have_count(1)
    expect(page.get_by_text("1.json:")).to_be_visible()
    assert axe_violations(page) == ""
    page.get_by_role("button", name="Add this game").click()
    expect(page.get_by_role("status")).to_contain_text("1 game is added. 1 game was there already.")
    assert GroupGame.objects.count() == 1
    assert Scoring.objects.count() == scorings


def test_file_of_an_existing_group_is_merged_into_it(open_page: OpenPage) -> None:
    key = store.create("Family")
    access = store.find(key)
    for number, day in enumerate((1, 2), start=1):
        enter(access, [PaperGame(date(2025, 5, day), "", (("Ana", number), ("Ben", 9)))])
    content = format_group(access.resource)
    store.delete_game(access, 2)
    page = open_page(f"/groups/{key}/", "phone")
    page.goto(page.url.replace(f"{key}/", "file/"))
    page.locator("[name=document]").set_input_files(
        {"name": "group.json", "mimeType": "application/json", "buffer": content}
    )
    page.get_by_role("button", name="Open the file").click()
    expect(page.get_by_text("1 game would be added. 1 is there already.")).to_be_visible()
    assert overflow_px(page) == 0
    assert axe_violations(page) == ""
    touch(page.get_by_role("button", name="Join it with “Family”"))
    expect(page.get_by_role("status")).to_contain_text("1 game is added. 1 game was there already.")
    assert GroupGame.objects.count() == 2
