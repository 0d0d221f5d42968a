"""Frame of all pages: menu, theme, language, focus, keyboard, and the tally."""

from __future__ import annotations

import json
import re
from datetime import datetime
from pprint import pformat
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from sheets.groups import store as groups
from sheets.http import rendering
from sheets.workshop import store
from tests.browser.axe import axe_violations
from tests.browser.conftest import MakePath, OpenPage
from tests.browser.layout_checks import open_folds, overflow_px
from tests.dice2_tables import sit_down_for
from tests.score_levels import GARDEN
from tests.table_games import sit_down


def assert_accessible(page: Page) -> None:
    assert axe_violations(page) == ""


def test_axe_reports_added_violations(open_page: OpenPage) -> None:
    page = open_page("/", "desktop")
    assert_accessible(page)
    page.evaluate("document.querySelector('h1').after(document.createElement('button'))")
    page.evaluate("document.querySelector('main a').ariaLabel = 'elsewhere'")
    found = axe_violations(page)
    assert "button-name" in found
    assert "label-content-name-mismatch" in found
    assert "button-name" not in axe_violations(page, "label-content-name-mismatch")


def test_axe_finds_nothing_in_a_tally_with_faults(open_page: OpenPage) -> None:
    page = open_page("/tally/", "phone")
    page.get_by_label("Numbers in the arrows").fill("8 eight")
    page.get_by_label("Numbers in the arrows").press("Tab")
    expect(page.get_by_role("alert")).to_be_visible()
    expect(page.get_by_label("Numbers in the arrows")).to_have_attribute("aria-invalid", "true")
    assert_accessible(page)


def test_focus_is_on_the_invalid_input_of_a_form(
    open_page: OpenPage, live_app: str, page_errors: list[str]
) -> None:
    page = open_page("/", "phone", "en")
    page.get_by_label("Code of the table").fill("ZZZZZ")
    page.get_by_role("button", name="Join").click()
    code = page.get_by_label("Code of the table")
    expect(code).to_be_focused()
    expect(code).to_have_value("ZZZZZ")
    expect(code).to_have_accessible_description(re.compile("no table with this code"))
    expect(page).to_have_title(re.compile("^Error: "))
    assert_accessible(page)
    # The fragment of the address would get the focus otherwise.
    page.goto(f"{live_app}/table/new/?level=level-1#ours")
    page.locator("form.start").evaluate("form => form.noValidate = true")
    page.locator("form.start [name=dice]").evaluate_all("all => all.forEach((one) => one.remove())")
    page.locator("form.start").get_by_role("button", name="Start a table").click()
    dice = page.get_by_role("radiogroup", name="Which dice?")
    expect(dice).to_be_focused()
    expect(dice).to_be_in_viewport()
    expect(dice).to_have_accessible_description("Choose which dice.")
    assert_accessible(page)
    page_errors.clear()  # Chromium logs the 404 and the 400 as errors, as intended


@pytest.mark.parametrize("has_script", [True, False], ids=["script", "no script"])
def test_menu_of_a_phone_leads_to_playing(
    open_page: OpenPage, live_app: str, has_script: bool
) -> None:
    page = open_page("/rules/", "phone", "en", java_script_enabled=has_script)
    for path in ("/rules/", "/levels/level-4/"):
        page.goto(live_app + path)
        play = page.get_by_role("navigation", name="Main").get_by_role("link", name="Join a table")
        expect(play).to_be_hidden()
        page.get_by_role("button", name="Menu").click()
        expect(play).to_be_in_viewport()
        page.keyboard.press("Escape")
        expect(play).to_be_hidden()
    if has_script:
        page.get_by_role("button", name="Menu").click()
        assert_accessible(page)
        play.click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Play at a table")
        page.goto(f"{live_app}/levels/level-4/")
        page.get_by_role("link", name="Play it").click()
        expect(page.get_by_role("radio", name="Treasure islands")).to_be_checked()
        expect(page.get_by_role("radio", name="Treasure islands")).to_be_in_viewport()


def button_with(page: Page, name: str) -> Locator:
    """Return the button with a name, which may be in the closed list of languages."""
    return page.get_by_role("button", name=name, include_hidden=True).first


def test_theme_and_language_need_no_script(open_page: OpenPage) -> None:
    page = open_page("/rules/", "phone", "en", java_script_enabled=False)
    ground = "getComputedStyle(document.body).backgroundColor"
    page.get_by_role("button", name="Switch to light").click()
    page.get_by_role("button", name="Switch to dark").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.locator(".language-button").click()
    page.get_by_role("button", name="Deutsch").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Regeln")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    assert page.url.endswith("/rules/")
    assert page.evaluate(ground) == "rgb(29, 26, 24)"


def test_changing_language_and_theme_keeps_the_scroll_position(open_page: OpenPage) -> None:
    page = open_page("/rules/#jump", "phone", "en")
    address = page.url
    top = "document.getElementById('rocket').getBoundingClientRect().top"
    page.locator("#rocket").evaluate("(it) => { it.closest('details').open = true }")
    page.locator("#rocket").evaluate("(it) => it.scrollIntoView()")
    before = page.evaluate(top)
    for name in ("Deutsch", "Farben", "English"):
        # Click without scrolling: the button may be anywhere on the page.
        with page.expect_event("load"):
            button_with(page, name).evaluate("(it) => it.click()")
        assert abs(page.evaluate(top) - before) < 2
        expect(page.locator("#rating")).to_be_hidden()
        assert page.url == address
    expect(page.locator("html")).to_have_attribute("lang", "en")
    # Choices made on the page are kept, too.
    page.goto(address.replace("/rules/#jump", "/print/?level=level-3"))
    page.locator(".more-settings > summary").click()
    page.get_by_label("Black and white").check()
    expect(page).to_have_url(re.compile("bw=on"))
    button_with(page, "Deutsch").evaluate("(it) => it.click()")
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page.locator("[name=bw]")).to_be_checked()


FORMS = (
    ("/table/new/", ("level=level-3", "players=4", "dice=typed"), "name"),
    ("/dice2/", ("game=relay", "players=3", "target=7", "handicap=on"), "name"),
    ("/score/new/level-1/", ("count=4",), "name-2"),
)
"""Forms that lead to a game: address, choices, and name of a text input."""


def test_form_entries_are_kept_when_the_language_changes(
    open_page: OpenPage, live_app: str
) -> None:
    page = open_page("/", "phone", "en")
    faults: dict[tuple[str, str], object] = {}
    for path, choices, name in FORMS:
        page.context.clear_cookies()  # return to the language and theme of the device
        page.goto(live_app + path)
        pairs = [one.split("=") for one in choices]
        chosen = [
            f'main form [name="{field}"]' + ("" if value == "on" else f'[value="{value}"]')
            for field, value in pairs
        ]
        for one in chosen:
            page.locator(one).check(force=True)
        page.locator(f"main form [name={name}]").fill("Ana")
        for button in ("Deutsch", "Farben"):
            with page.expect_event("load"):
                button_with(page, button).evaluate("(it) => it.click()")
            lost = [one for one in chosen if not page.locator(one).is_checked()]
            said = page.locator(f"main form [name={name}]").input_value()
            if lost or said != "Ana":
                faults[path, button] = lost, said
    assert not faults, pformat(faults)


def test_reloading_a_refused_form_returns_to_the_table(
    open_page: OpenPage, live_app: str, page_errors: list[str]
) -> None:
    party = sit_down()
    page = open_page("/", "phone", "en", java_script_enabled=False)
    here = f"{live_app}/table/{party.code}/"
    # Reload as a phone does with a discarded tab, or press a button of the page.
    for way in ("load again", "Switch to light", "Deutsch"):
        page.goto(here)
        # Every form has the token. Only seated players may begin the game.
        page.locator("form").first.evaluate(
            "(form, to) => { form.action = to; form.submit() }", f"{here}start/"
        )
        page.wait_for_url(f"{here}start/")
        if way == "load again":
            page.goto(page.url)
        else:
            button_with(page, way).evaluate("(it) => it.click()")
        page.wait_for_url(here)
        expect(page.get_by_role("main")).not_to_be_empty()
    page_errors.clear()  # Chromium logs the 403 as an error, as intended


def test_page_retries_until_it_is_drawn(
    open_page: OpenPage, page_errors: list[str], settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rendering, "RETRY_AFTER_SECONDS", 1)
    settings.DRAWING_THREADS = 1
    with rendering.request_slots(1):
        page = open_page("/print/page-1.svg?level=level-1", "phone", "de")
        expect(page.get_by_role("link", name="Noch einmal versuchen")).to_be_visible()
        expect(page.get_by_text("Diese Seite fragt von selbst noch einmal.")).to_be_visible()
        assert_accessible(page)
    expect(page.get_by_role("heading", level=1)).to_have_count(0)
    expect(page.locator(":root")).to_have_attribute("viewBox", re.compile(r"\d"))
    page_errors.clear()  # Chromium logs the 503 as an error, as intended


def test_keyboard_alone_reaches_the_content(open_page: OpenPage) -> None:
    page = open_page("/levels/", "desktop")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Enter a pad you own")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.locator(".level-card").first).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("link", name="Score this sheet")).to_be_visible()


def test_refusal_links_to_its_paragraph(open_page: OpenPage) -> None:
    page = open_page("/rules/#locked", "phone")
    expect(page.locator("#locked")).to_be_in_viewport()
    expect(page.locator("#locked h3")).to_have_text("Keys and locks: when a lock opens")
    # The script opens it in browsers that do not.
    page.evaluate("document.querySelector('#chapter-app').closest('details').open = false")
    page.evaluate(
        "history.replaceState(null, '', '#bad-dice'); dispatchEvent(new Event('hashchange'))"
    )
    expect(page.locator("#bad-dice")).to_be_in_viewport()
    expect(page.locator("#rating")).to_be_hidden()
    page.get_by_role("button", name="Open all").click()
    expect(page.locator("#rating")).to_be_visible()
    assert_accessible(page)


def test_levels_of_the_old_list_on_the_device_are_migrated(open_page: OpenPage) -> None:
    key = store.create({**GARDEN, "name": {"de": "Mein Garten"}})
    page = open_page("/", "phone", "de")
    for rubbish in ("{", "3", "[null, 4]"):
        page.evaluate("(it) => localStorage.setItem('dizzle.recent', it)", rubbish)
        page.reload()
        expect(page.locator(".first-doors")).to_be_visible()
    old = [
        {"url": f"/workshop/{key}/guide/numbers/", "title": "Früher", "when": ""},
        {"url": "javascript:alert(1)", "title": "not ours", "when": ""},
    ]
    page.evaluate("(it) => localStorage.setItem('dizzle.recent', it)", json.dumps(old))
    page.reload()
    own = page.locator("#own-levels a")
    expect(own).to_have_attribute("href", f"/workshop/{key}/")
    expect(own).to_have_text("Mein Garten")
    expect(own.locator(".silhouette")).to_be_visible()
    assert page.evaluate("localStorage.getItem('dizzle.recent')") is None


def drawings_missing(page: Page) -> list[str]:
    """Return the drawings that the page references but does not contain."""
    return page.evaluate(
        """() => [...document.querySelectorAll("use")].map((use) => use.getAttribute("href"))
            .filter((id) => !document.querySelector(id))"""
    )


def tap_more(page: Page, player: int, thing: str, times: int = 1) -> None:
    button = page.locator(f"#player-{player}").get_by_role("button", name=f"One more: {thing}")
    for _ in range(times):
        button.click()


def test_tally_adds_up_while_thumbs_tap(open_page: OpenPage) -> None:
    page = open_page("/tally/", "phone")
    tap_more(page, 1, "orange gem", 4)
    page.locator("#player-1").get_by_role("checkbox", name="8").first.check()
    expect(page.locator("#total-1")).to_have_text("20")
    expect(page.locator("#tally-verdict")).to_have_text("Player 2 is still to come")
    page.locator("#player-1").get_by_label("Name", exact=True).fill("Ana")
    expect(page.locator("#player-1 .player-name")).to_have_text("Ana")
    page.locator("#player-2 summary").click()
    page.get_by_label("There is nothing to count").last.check()
    expect(page.locator("#tally-verdict")).to_have_text("Ana wins.")
    tap_more(page, 2, "yellow gem", 10)
    expect(page.locator("#tally-verdict")).to_contain_text("Ana and Player 2 share the win")
    tap_more(page, 1, "crosses")
    expect(page.locator("#tally-verdict")).to_contain_text("Player 2 wins")


def test_tally_is_remembered_by_the_device(open_page: OpenPage) -> None:
    page = open_page("/tally/", "phone")
    page.get_by_role("radio", name="3").check()
    expect(page.locator("#player-3")).to_be_visible()
    assert drawings_missing(page) == []
    page.get_by_label("Numbers in the arrows").fill("7 9")
    page.get_by_label("Numbers in the arrows").press("Tab")
    expect(page.locator("#player-1 .tick", has_text="9")).to_be_visible()
    page.locator("#player-1").get_by_label("Name", exact=True).fill("Ana")
    tap_more(page, 1, "purple gem", 5)
    expect(page.locator("#total-1")).to_have_text("5")

    page.reload()
    expect(page.locator("#total-1")).to_have_text("5")
    expect(page.locator("#player-3")).to_be_visible()

    page.get_by_role("button", name="New game, same pad").click()
    expect(page.locator("#total-1")).to_have_text("0")
    expect(page.locator("#player-1 .player-name")).to_have_text("Ana")
    expect(page.locator("#player-1 .tick", has_text="9")).to_be_visible()


def test_tally_catches_up_after_a_lost_connection(
    open_page: OpenPage, page_errors: list[str]
) -> None:
    page = open_page("/tally/", "phone")
    page.clock.install()

    def cut(route: Route) -> None:
        route.abort("internetdisconnected")

    page.route("**/tally/", cut)
    tap_more(page, 1, "purple gem", 3)
    expect(page.locator("#tally-offline")).to_be_visible()
    page.unroute("**/tally/", cut)
    page.clock.run_for(5000)  # until it tries again
    expect(page.locator("#total-1")).to_have_text("3")
    expect(page.locator("#tally-offline")).to_be_hidden()
    page_errors.clear()  # the requests that were cut


def test_tally_needs_no_script(open_page: OpenPage) -> None:
    page = open_page("/tally/", "desktop", java_script_enabled=False)
    first = page.locator("#player-1")
    first.get_by_role("spinbutton", name="orange gem").fill("2")
    first.get_by_role("checkbox", name="8").first.check()
    page.get_by_role("button", name="Add it up").click()
    expect(page.locator("#total-1")).to_have_text("14")
    expect(page.locator("#tally-verdict")).to_have_text("Player 2 is still to come")
    page.get_by_label("There is nothing to count").check()
    page.get_by_role("button", name="To the result").click()
    expect(page.locator(".verdict")).to_have_text("Player 1 wins.")
    page.locator(".comparison .amount").first.click()
    first.get_by_role("spinbutton", name="orange gem").fill("3")
    page.get_by_role("button", name="To the result").click()
    expect(page.locator(".rank-total").first).to_have_text("17")


BROKEN_WORDS = """() => {
  const found = [];
  const walk = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const text = walk.currentNode;
    if (!text.parentElement.checkVisibility({ visibilityProperty: true })) continue;
    const { hyphens, writingMode } = getComputedStyle(text.parentElement);
    if (hyphens === "auto" || writingMode !== "horizontal-tb") continue;
    for (const word of text.data.matchAll(/\\p{L}{2,}/gu)) {
      const range = document.createRange();
      range.setStart(text, word.index);
      range.setEnd(text, word.index + word[0].length);
      const tops = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
      if (tops.size > 1) found.push(word[0]);
    }
  }
  return found;
}"""
"""Script that returns the words of a page that are broken over lines without a hyphen."""


@pytest.mark.usefixtures("few_trials")
def test_no_word_is_broken_on_a_narrow_phone(open_page: OpenPage, live_app: str) -> None:
    page = open_page("/", "phone", "de")
    faults: dict[tuple[str, int, int], object] = {}
    for path, count in (("/tally/", 2), ("/tally/", 4), ("/workshop/suggest/", 0)):
        if not page.url.endswith(path):
            page.goto(live_app + path)
        if count:
            page.locator("label", has=page.locator(f"[name=players][value='{count}']")).click()
            expect(page.locator(".result thead bdi")).to_have_count(count)
            open_folds(page)
        for width in (390, 360, 320):
            page.set_viewport_size({"width": width, "height": 700})
            found = page.evaluate(BROKEN_WORDS), overflow_px(page)
            if any(found):
                faults[path, count, width] = found
    assert not faults, pformat(faults)


def test_double_tap_does_not_zoom_pages_with_quick_taps(
    open_page: OpenPage, live_app: str, make_level: MakePath
) -> None:
    """The space between fields does not zoom either; pinching still zooms."""
    tables = [sit_down(), sit_down_for("square")]
    page = open_page("/tally/")
    paths = (
        *("/tally/", "/score/here/level-1/", "/dice2/score/?game=major&players=3", make_level()),
        *(f"/table/{party.code}/" for party in tables),
    )
    found = {}
    for path in paths:
        page.goto(live_app + path)
        found[path] = page.evaluate("getComputedStyle(document.body).touchAction")
    assert set(found.values()) == {"manipulation"}, found


def test_default_date_of_an_entered_game_is_today_in_the_devices_time_zone(
    open_page: OpenPage, live_app: str
) -> None:
    """At any time one of these two time zones has another date than the server."""
    group = f"{live_app}/groups/{groups.create('Family')}/"
    for zone in ("Pacific/Kiritimati", "Pacific/Pago_Pago"):
        page = open_page("/", "phone", "en", timezone_id=zone)
        page.goto(f"{group}enter/")
        today = datetime.now(ZoneInfo(zone)).date()
        expect(page.locator("[name=day]").first).to_have_value(today.isoformat())
