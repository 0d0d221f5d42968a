"""Scoring of paper sheets on one phone without a network, which is sent to the site later."""

from __future__ import annotations

import json
import re
from random import Random
from typing import Any, Final

import pytest
from playwright.sync_api import Page, Route, expect

from sheets.documents.structure import read_sheets
from sheets.levels import find_level
from sheets.models import Scoring
from sheets.rules import Level
from sheets.scoring import store
from sheets.scoring.marks import stored_marks
from sheets.workshop import store as workshop_store
from tests.browser.axe import axe_violations
from tests.browser.conftest import NewContext, OpenPage
from tests.browser.layout_checks import overflow_px, small_targets
from tests.browser.polling import follow_link
from tests.browser.touch import tap_fields
from tests.rules.random_sheets import random_sheets
from tests.score_levels import GARDEN

STORED_GAMES: Final = "Object.keys(localStorage).filter((name) => name.startsWith('dizzle.here.'))"
"""Script that returns the keys of the stored games."""

STORE_GAME: Final = "([name, game]) => localStorage.setItem(name, game)"
"""Script that stores a game."""

COLUMN: Final = """() => [...document.querySelectorAll(".score-items tr")].map((row) =>
    [...row.cells].map((cell) => cell.textContent.trim().replace(/\\s+/g, " ")))"""
"""Script that returns the score table of a sheet."""


def begin(page: Page, *names: str) -> None:
    page.locator(f".who [name=count][value='{len(names)}']").check()
    for number, name in enumerate(names, start=1):
        page.get_by_label(f"Name of player {number}").fill(name)
    page.get_by_role("button", name="To the sheets").click()


@pytest.mark.usefixtures("castle")
def test_family_scores_without_network_and_sends_it_later(open_page: OpenPage) -> None:
    page = open_page("/score/")
    follow_link(page, page.get_by_role("link", name="Score without network"))
    follow_link(page, page.get_by_role("link", name="Castle"))
    page.context.set_offline(True)
    begin(page, "Ana", "")
    # The sheets and totals of test_score_story, which lists the points of each field.
    tap_fields(page, "a6 b6 c6 d6 e6 f6 g6 h6 d4 d7 d8 d9 d10 b3 g9 b5 a4 c4 c5 f5 f5 a1")
    expect(page.locator("#total")).to_have_text(re.compile(r"\b44$"))
    page.get_by_role("button", name="Next: Player 2").click()
    tap_fields(page, "b4 g4 c2 g3 f6 f5 c5 c5 a1 c1")
    page.get_by_role("button", name="Undo").click()
    # Two players have the flag: there is no winner until both have entered their circled number.
    expect(page.locator(".verdict")).to_have_count(0)
    asked = page.locator("#ask")
    expect(asked.get_by_role("heading")).to_have_text("Red flag: which number is circled?")
    asked.get_by_role("button", name="6", exact=True).click()
    expect(page.locator("#total")).to_have_text(re.compile(r"\b9$"))
    page.locator("#tabs").get_by_role("link", name=re.compile("Ana")).click()
    expect(page.get_by_role("grid", name="Sheet of Ana")).to_be_visible()
    asked.get_by_role("button", name="10", exact=True).click()
    expect(page.locator(".verdict")).to_have_text("Ana wins.")
    expect(page.locator("#comparison tfoot tr").first).to_have_text(re.compile(r"Total\s*44\s*9$"))
    expect(page.locator(".verdict-detail")).to_have_text("44 points, 35 ahead of Player 2.")
    steps = page.get_by_role("list", name="Ranking").get_by_role("listitem")
    expect(steps).to_have_text([r"1.AnaWinner44", r"2.Player 29"])
    expect(page.locator("#ranking")).to_be_hidden()
    assert axe_violations(page) == ""
    assert list(small_targets(page)) == []
    assert not overflow_px(page)
    here = page.evaluate(COLUMN)
    page.get_by_role("button", name="Send it to the site").click()
    expect(page.locator("#not-sent")).to_have_text(re.compile("does not answer"))
    assert len(page.evaluate(STORED_GAMES)) == 1

    page.context.set_offline(False)
    page.reload()  # the stored game is shown again
    expect(page.locator(".verdict")).to_have_text("Ana wins.")
    page.get_by_role("button", name="Send it to the site").click()
    page.wait_for_url(re.compile(r"/score/[\w-]{32}/$"))
    expect(page.locator(".verdict")).to_have_text("Ana wins.")
    expect(page.locator(".comparison tfoot tr").first).to_have_text(
        re.compile(r"Total\s*44\s*9\s*$")
    )
    assert page.evaluate(STORED_GAMES) == []
    page.locator(".podium").get_by_role("link", name="Ana").click()
    expect(page.locator("#total")).to_have_text(re.compile(r"\b44$"))
    assert page.evaluate(COLUMN) == here


def test_stored_games_can_be_found_changed_and_deleted(open_page: OpenPage) -> None:
    page = open_page("/score/here/level-1/", "desktop")
    for number, names in enumerate((("Ana",), ("Ben", "Cem"))):
        begin(page, *names)
        page.locator(".sheet-grid button[data-kind='']").nth(number).focus()
        page.keyboard.press("Enter")
        expect(page.locator("#turn-back [value=undo]")).to_have_attribute("aria-disabled", "false")
        page.get_by_role("button", name="Score another game").click()
    kept = page.locator("#kept-games a")
    expect(kept).to_have_text([re.compile("Ben, Cem"), re.compile("Ana")])
    page.goto(page.url.replace("level-1/", ""))
    kept.last.click()
    expect(page.get_by_role("grid", name="Sheet of Ana")).to_be_visible()
    expect(page.locator("#solo [data-solo]")).to_be_visible()
    page.get_by_role("button", name="Players", exact=True).click()
    begin(page, "Ana", "Dora")
    expect(page.locator("#tabs a")).to_have_text([re.compile("Ana"), re.compile("Dora")])
    assert len(page.evaluate(STORED_GAMES)) == 2
    page.get_by_text("Delete it here").click()
    page.get_by_role("button", name="Delete for good").click()
    expect(kept).to_have_text([re.compile("Ben, Cem")])
    page.goto(page.url.split("/score/")[0] + "/my/forget/")
    follow_link(page, page.get_by_role("button", name="Forget all"))
    assert page.evaluate("localStorage.length") == 0


def test_page_has_one_heading_and_equal_names_are_numbered(open_page: OpenPage) -> None:
    page = open_page("/score/here/level-1/")
    heading = page.get_by_role("heading", level=1)
    level = page.locator("#level-name").inner_text()
    expect(heading).to_have_count(1)
    expect(heading).to_have_text(re.compile(rf"^\s*Score without network:\s+{level}$"))
    begin(page, "Ana", "ana", "Ana 2", "Ben")
    expect(page.locator("#tabs a bdi")).to_have_text(["Ana", "ana 2", "Ana 2 2", "Ben"])
    expect(page.locator("#ranking bdi")).to_have_text(["Ana", "ana 2", "Ana 2 2", "Ben"])
    expect(heading).to_have_accessible_name(f"Score without network: {level}")
    expect(page.locator("#where")).to_have_class("for-ears")
    assert not overflow_px(page)


def test_page_warns_when_the_browser_stores_nothing(live_app: str, new_context: NewContext) -> None:
    context = new_context("phone", "de")
    context.add_init_script("Storage.prototype.setItem = () => { throw new Error('full'); }")
    page = context.new_page()
    page.goto(f"{live_app}/score/here/level-1/")
    page.get_by_role("button", name="Zu den Blättern").click()
    expect(page.locator("#not-kept")).to_have_text(re.compile("privaten Fenstern"))
    page.locator(".sheet-grid button[data-kind='']").first.click()
    expect(page.locator("#comparison .crosses")).to_be_attached()


def test_own_games_list_unsent_games_of_the_device(live_app: str, new_context: NewContext) -> None:
    page = new_context("phone").new_page()
    page.goto(f"{live_app}/my/")
    label = page.get_by_role("region", name="Stored only on this device")
    expect(page.get_by_text("Nothing yet.")).to_be_visible()
    expect(label).to_be_hidden()
    page.goto(f"{live_app}/score/here/level-1/")
    begin(page, "Ana")
    page.goto(f"{live_app}/my/")
    expect(label).to_be_visible()
    expect(page.get_by_text("Nothing yet.")).to_be_hidden()
    assert axe_violations(page) == ""
    assert not overflow_px(page)
    follow_link(page, label.get_by_role("link", name="Ana"))
    expect(page.get_by_role("grid", name="Sheet of Ana")).to_be_visible()


COUNT_PERSIST: Final = """
window.asked = 0;
if (navigator.storage) navigator.storage.persist = async () => { window.asked += 1; return false; };
"""
"""Script that counts the requests for persistent storage and refuses them."""


def test_page_lists_unsent_games_and_requests_persistent_storage(
    live_app: str, new_context: NewContext
) -> None:
    context = new_context("phone")
    context.add_init_script(COUNT_PERSIST)
    page = context.new_page()
    page.goto(f"{live_app}/score/here/level-1/")
    expect(page.locator("#begin")).to_contain_text("stored only on this device")
    assert page.evaluate("window.asked") == 0
    begin(page, "Ana")
    expect(page.locator("#results")).to_contain_text("stored only on this device")
    assert page.evaluate("window.asked") == 1
    page.goto(f"{live_app}/score/here/")
    label = page.get_by_role("region", name="Stored only on this device")
    expect(label).to_contain_text("Send them to the site to keep them.")
    expect(label.get_by_role("link")).to_contain_text("Ana")


def test_own_sheet_is_scored_without_network_and_sent(open_page: OpenPage) -> None:
    key = workshop_store.create(GARDEN, is_bought=True)
    page = open_page(f"/workshop/{key}/score/")
    follow_link(page, page.get_by_role("link", name="Score without network"))
    page.context.set_offline(True)
    begin(page, "Ana", "Ben")
    tap_fields(page, "b1 a2 b2 c2 d2 a3 a4")
    total = page.locator("#total")
    # Yellow gems b1 and a4 at 2, heap d2 at -3, row 2 for 5, column a for 7, area c2 d2 for 6,
    # puzzle unfinished.   4 - 3 + 5 + 7 + 6 = 19
    expect(total).to_have_text(re.compile(r"\b19$"))
    kept = page.evaluate(f"() => {STORED_GAMES}.map((name) => [name, localStorage[name]])")
    assert not any(key in name for name, _ in kept)
    page.context.set_offline(False)
    page.get_by_role("button", name="Send it to the site").click()
    page.wait_for_url(re.compile(r"/score/[\w-]{32}/$"))
    expect(page.locator("#main")).to_contain_text("19")
    assert Scoring.objects.get().is_bought


def answer_as_portal(route: Route) -> None:
    """Answer like a captive portal."""
    if route.request.method == "GET":
        route.continue_()
    else:
        route.fulfill(status=200, content_type="text/html", body="<h1>Log in first</h1>")


def test_game_that_the_site_refuses_stays_on_the_device(
    open_page: OpenPage, page_errors: list[str]
) -> None:
    page = open_page("/score/here/level-1/")
    begin(page, "Ana")
    name = page.evaluate(STORED_GAMES)[0]
    game = page.evaluate("(name) => JSON.parse(localStorage[name])", name)
    game["sheets"][0]["marks"] = {"z9": "cross"}  # from a version of the level before an update
    page.evaluate(STORE_GAME, [name, json.dumps(game)])
    page.reload()
    page.get_by_role("button", name="Send it to the site").click()
    expect(page.locator("#not-sent")).to_contain_text("z9")
    assert page.evaluate(STORED_GAMES) == [name]
    page_errors.clear()  # Chromium logs a refused file as an error
    # A captive portal answers, too.
    page.route("**/score/import/", answer_as_portal)
    page.get_by_role("button", name="Send it to the site").click()
    expect(page.locator("#not-sent")).to_contain_text("could not take these sheets")
    assert page.evaluate(STORED_GAMES) == [name]


def stored_game(level: Level, document: dict[str, Any]) -> dict[str, Any]:
    """Return a document's sheets as a device stores them."""
    paper = read_sheets(json.dumps(document).encode(), find_level)
    filled = [stored_marks(paper, i) for i in range(len(paper.sheets))]
    names = [f"Player {i}" for i, _ in enumerate(filled, start=1)]
    return {
        **{"id": "abc", "level": level.id, "players": names, "shownNames": names},
        **{"isSolo": paper.is_solo, "touched": 1, "address": "", "levelName": ""},
        "sheets": [{"marks": marks, "undo": [], "redo": []} for marks in filled],
    }


@pytest.mark.slow
# Together these levels have every part: rails and stops, lava, races.
def test_offline_sheet_shows_the_same_scores_as_the_site(open_page: OpenPage) -> None:
    for level_id in ("level-5", "level-6", "level-7", "level-8"):
        random, level = Random(3), find_level(level_id)
        document = random_sheets(random, level, level_id)
        while len(document["sheets"]) != 2:
            document = random_sheets(random, level, level_id)
        for entry in document["sheets"]:
            entry["crosses"] = [] if level.rails else entry["crosses"]
        paper = read_sheets(json.dumps(document).encode(), find_level)
        page = open_page(f"/score/here/{level_id}/", "desktop")
        game = json.dumps(stored_game(level, document))
        page.evaluate(STORE_GAME, [f"dizzle.here.{level_id}.abc", game])
        page.goto(f"{page.url}#abc")
        page.reload()
        expect(page.locator("#score-title")).to_have_text("Score of Player 1")
        here = page.evaluate(COLUMN)
        drawn = page.locator(".art-field .over use").count()
        key = store.create_from_paper(paper)
        page.goto(f"{page.url.split('/score/')[0]}/score/{key}/1/")
        assert page.evaluate(COLUMN) == here
        assert page.locator(".art-field .over use").count() == drawn
