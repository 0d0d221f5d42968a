"""Results, replay and log: axe, keyboard, without scripts, live."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from sheets.rules.documents.game import format_game, parse_game, replay_record
from sheets.tables import event_loader
from sheets.tables.replay import replay_to
from tests.browser.axe import axe_violations, axe_violations_in_both_themes
from tests.browser.conftest import NewContext
from tests.browser.layout_checks import overflow_px, set_font_size, small_targets
from tests.browser.polling import wait_until
from tests.browser.table_phones import code_of, expect_begun, phone
from tests.dice2_tables import sit_down_for
from tests.table_games import Party, sit_down
from tests.tables.table_clients import SHORT, finished_party

SET_FOLDS = "(open) => document.querySelectorAll('details').forEach((fold) => (fold.open = open))"
"""Script that opens or closes all folds of a page."""


def shown_act_count(page: Page) -> int:
    """Return the number of acts before the shown moment."""
    found = re.search(r"(\d+)\s+(?:of|von)\s+\d+", page.locator(".step-now .quiet").inner_text())
    assert found
    return int(found[1])


def open_history(live_app: str, new_context: NewContext, party: Party, *device: str) -> Page:
    page = new_context(*device).new_page()
    page.goto(f"{live_app}/table/{party.code}/history/")
    return page


@pytest.mark.slow
def test_axe_finds_nothing_and_text_of_twice_the_size_fits(
    live_app: str, new_context: NewContext
) -> None:
    party = finished_party("Maximiliane von und zu Hohenstein", "Ben")
    page = phone(live_app, new_context, party, 0, "phone", "de")
    table = f"/table/{party.code}/"
    in_both_themes = (table, f"{table}history/?at=5", f"{table}log/")
    others = ("history/", "history/?at=999", "log/?before=2", "screen/")
    faults: dict[str, object] = {}
    for path in (*in_both_themes, *(table + other for other in others), "/table/file/"):
        page.goto(live_app + path)
        page.evaluate(SET_FOLDS, True)
        found = (
            axe_violations_in_both_themes(page) if path in in_both_themes else axe_violations(page)
        )
        small, wide = small_targets(page), [overflow_px(page)]
        page.evaluate(SET_FOLDS, False)
        set_font_size(page, "200%")
        wide.append(overflow_px(page))
        if found or small or max(wide) > 0:
            faults[path] = (found, small, wide)
    assert faults == {}


def test_arrows_step_act_by_act_and_pass_by_pass(live_app: str, new_context: NewContext) -> None:
    party = finished_party()
    record = event_loader.record_of(party.access())
    stops = replay_to(record, 0).stops
    page = open_history(live_app, new_context, party, "desktop")
    page.evaluate("window.stays = true")
    for key, at in (
        ("ArrowRight", 1),
        ("ArrowRight", 2),
        ("ArrowLeft", 1),
        ("ArrowDown", stops[1]),
        ("ArrowDown", stops[2]),
        ("ArrowUp", stops[1]),
        ("ArrowUp", 0),
        ("ArrowLeft", 0),
    ):
        page.keyboard.press(key)
        wait_until(page, lambda at=at: shown_act_count(page) == at)  # type: ignore[misc]
    assert page.evaluate("window.stays"), "the page was exchanged in place"
    page.go_back()
    wait_until(page, lambda: shown_act_count(page) == stops[1])


def test_every_pass_shows_what_the_document_replays_to(
    live_app: str, new_context: NewContext
) -> None:
    party = finished_party()
    document = format_game(event_loader.record_of(party.access()))
    page = open_history(live_app, new_context, party, "phone")
    for stop in replay_to(event_loader.record_of(party.access()), 0).stops:
        if stop:
            page.locator("[data-step=pass-on]").click()
        wait_until(page, lambda stop=stop: shown_act_count(page) == stop)  # type: ignore[misc]
        told = replay_record(parse_game(document | {"actions": document["actions"][:stop]}))
        shown = page.locator(".shown-head b").all_inner_texts()
        assert [int(text.replace("−", "-")) for text in shown] == [
            score["total"] for score in told["scores"]
        ]
    expect(page.locator(".verdict")).to_be_visible()
    assert page.locator("[data-step=on]").get_attribute("href") is None


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (1440, 900), (1920, 1080)])
def test_large_windows_show_whole_sheets_next_to_the_story(
    width: int, height: int, live_app: str, new_context: NewContext
) -> None:
    relay = sit_down_for("relay", target=5, dice="rolled")
    relay.act("begin", 0, shape="major")
    relay.play_on(games=1)
    for party in (finished_party(level="level-2"), relay):
        page = open_history(live_app, new_context, party, "desktop")
        page.set_viewport_size({"width": width, "height": height})
        sheets = [sheet.bounding_box() for sheet in page.locator(".shown-sheet, .board").all()]
        story = page.locator(".step-story").bounding_box()
        assert story
        assert sheets
        for sheet in sheets:
            assert sheet
            assert sheet["y"] + sheet["height"] <= height
            assert sheet["x"] + sheet["width"] < story["x"]
        assert story["y"] + story["height"] <= height
        assert overflow_px(page) <= 0


def test_the_same_without_script(live_app: str, new_context: NewContext) -> None:
    party = finished_party()
    stops = replay_to(event_loader.record_of(party.access()), 0).stops
    page = new_context("phone", java_script_enabled=False).new_page()
    page.goto(f"{live_app}/table/{party.code}/")
    page.get_by_role("link", name="Step through the game").click()
    page.get_by_role("link", name="Forward one pass").click()
    assert shown_act_count(page) == stops[1]
    page.get_by_role("link", name="Forward one move").click()
    page.locator(".step-acts a").last.click()
    assert shown_act_count(page) == stops[2]
    page.get_by_role("link", name="Back one pass").click()
    assert shown_act_count(page) == stops[1]


def test_a_line_of_the_story_lights_up_its_fields(live_app: str, new_context: NewContext) -> None:
    party = finished_party()
    stops = replay_to(event_loader.record_of(party.access()), 0).stops
    page = new_context("desktop").new_page()
    page.goto(f"{live_app}/table/{party.code}/history/?at={stops[1]}")
    line = page.locator(".told-effects li").first
    fields = str(line.get_attribute("data-lit")).split()
    player = str(line.get_attribute("data-players")).split()[0]
    line.hover()
    lit = page.locator(f"#sheet-{player} .art-field.lit")
    assert sorted(lit.evaluate_all("all => all.map(f => f.dataset.field)")) == sorted(fields)


def test_a_line_of_the_points_lights_up_its_fields(live_app: str, new_context: NewContext) -> None:
    party = finished_party("Maximiliane", "Ben", "Cem")
    page = phone(live_app, new_context, party, 0)
    columns = page.locator(".comparison thead th + th")
    widths = columns.evaluate_all("all => all.map(one => one.getBoundingClientRect().width)")
    assert max(widths) - min(widths) < 2
    page.locator(".shown-sheet summary").first.click()
    line = page.locator(".shown-sheet[open] .item-light:not([data-lit=''])").first
    line.focus()
    fields = str(line.get_attribute("data-lit")).split()
    lit = page.locator("#sheet-0 .art-field.lit")
    assert sorted(lit.evaluate_all("all => all.map(f => f.dataset.field)")) == sorted(fields)
    page.keyboard.press("Enter")
    expect(page.get_by_role("log")).to_contain_text(f"Lit up: {', '.join(fields)}.")


def test_a_game_goes_from_one_device_to_another_as_a_file(
    live_app: str, new_context: NewContext, tmp_path: Path
) -> None:
    party = finished_party()
    page = phone(live_app, new_context, party, 0)
    with page.expect_download() as download:
        page.get_by_role("link", name="The whole game (JSON)").click()
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    assert json.loads(file.read_text("utf-8"))["players"] == ["Ana", "Ben"]
    other = new_context("desktop").new_page()
    other.goto(f"{live_app}/table/")
    other.get_by_role("link", name="Step through a game from a file").click()
    other.get_by_label("The game (.json)").set_input_files(file)
    other.get_by_role("button", name="Open the file").click()
    expect(other.locator("#_history")).to_be_visible()
    other.wait_for_load_state()
    other.keyboard.press("ArrowDown")
    wait_until(page, lambda: shown_act_count(other) > 0)
    at = shown_act_count(other)
    other.reload()
    assert shown_act_count(other) == at


def test_the_log_is_live_and_leads_back(live_app: str, new_context: NewContext) -> None:
    party = sit_down(("Ana", "Ben"), SHORT)
    party.act("place", 0, party.game.legal()[0][0])
    ana = phone(live_app, new_context, party, 0)
    ana.goto(f"{live_app}/table/{party.code}/log/")
    expect(ana.locator(".log-line")).to_have_count(1)
    party.act("place", 1, party.game.legal()[1][0])
    expect(ana.locator(".log-line")).to_have_count(2)
    expect(ana.locator(".log-line").first).to_contain_text("Ben: ")
    ben = phone(live_app, new_context, party, 1)
    ana.locator("#entry-1 .log-back").click()
    ana.get_by_role("button", name="Propose it").click()
    ben.get_by_role("button", name="Agree").click()
    wait_until(ana, lambda: party.loaded.state.applied == ())
    ana.goto(f"{live_app}/table/{party.code}/log/")
    expect(ana.locator(".log-line.struck")).to_have_count(2)


def test_next_game_takes_all_players_along(live_app: str, new_context: NewContext) -> None:
    party = finished_party()
    ana, ben = (phone(live_app, new_context, party, player) for player in (0, 1))
    expect(ana.get_by_role("button", name="Play again")).to_be_visible()
    ben.get_by_role("button", name="Play again").click()
    expect(ana.get_by_role("status").filter(has_text="The next game is ready.")).to_be_visible()
    ana.get_by_role("link", name="To the next game").click()
    expect_begun(ana, ben)
    assert code_of(ana) == code_of(ben) != party.code


def test_back_leaves_a_game_and_the_next_one_in_one_step(
    live_app: str, new_context: NewContext
) -> None:
    party = finished_party()
    before = re.compile("/rules/$")
    pages = [phone(live_app, new_context, party, player) for player in range(2)]
    for page in pages:
        page.goto(f"{live_app}/rules/")
        page.goto(f"{live_app}/table/{party.code}/")
    ana, ben = pages
    ana.get_by_role("button", name="Play again").click()
    ben.get_by_role("link", name="To the next game").click()
    expect_begun(ana, ben)
    for page in pages:
        assert code_of(page) != party.code
        page.go_back()
        expect(page).to_have_url(before)
