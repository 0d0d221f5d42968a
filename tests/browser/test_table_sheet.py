"""A player's sheet on a phone: responsive, clear about the network, and accessible."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Callable
from random import Random

import pytest
from django.utils import timezone
from playwright.sync_api import APIResponse, Locator, Page, Route, expect

from sheets.access.keys import new_token
from sheets.art.palette import contrast
from sheets.models import Entry, Table
from sheets.rules.level import SHAPES
from sheets.tables import acts, claims, countdowns, seating
from sheets.tables.access import find_access
from tests.app_dice import let_app_throw
from tests.browser.axe import axe_violations_in_both_themes
from tests.browser.conftest import NewContext
from tests.browser.layout_checks import open_folds, overflow_px, set_font_size, small_targets
from tests.browser.polling import end_countdown, wait_until
from tests.browser.table_phones import (
    expect_begun,
    expect_up_to_date,
    field,
    mark,
    phone,
    press,
    refresh,
    skip_story,
    stretch_story,
    tap,
)
from tests.browser.touch import advance_clock, touch, touch_at
from tests.table_games import RAILS, TINY, VOLCANO, Party, play_on, random_move, sit_down

OpenPhone = Callable[..., Page]
"""Type of the fixture `open_seat`."""

BUTTON_DELAY_MS = 500
"""Time after a tap for which a button that has changed under it ignores the next one."""


@pytest.fixture
def open_seat(live_app: str, new_context: NewContext) -> OpenPhone:
    """Open the page of a player: `open_seat(party, 0, "phone", "de", "dark")`."""

    def open_phone(party: Party, player: int = 0, *device: str) -> Page:
        return phone(live_app, new_context, party, player, *device)

    return open_phone


# A tap -------------------------------------------------------------------------------------------


def test_die_is_shown_before_the_server_answers(open_seat: OpenPhone) -> None:
    party = sit_down(level=TINY)
    page = open_seat(party)

    held: list[Route] = []
    page.route(re.compile("/act/"), lambda route: held.append(route))
    field(page, "b1").click()
    expect(mark(page, "b1")).to_have_attribute("href", "#art-die-2")
    wait_until(page, lambda: held)
    assert not party.game.sheets[0].dice
    held[0].continue_()
    wait_until(page, lambda: bool(party.game.sheets[0].dice))


def test_die_queued_before_an_update_is_placed(open_seat: OpenPhone) -> None:
    """Names and formats of stored lists never change."""
    party = sit_down(level=TINY)
    page = open_seat(party)
    act = {
        "request": "0123456789abcdef01234567",
        "url": page.locator("#table").get_attribute("data-act-url"),
        "do": "place",
        "player": 0,
        "at": "b1",
        "moment": page.locator("#tap [name=moment]").input_value(),
        "isSure": True,
        "mark": "die-2",
    }
    name = f"dizzle.table.{party.code}"
    page.evaluate("([name, acts]) => localStorage.setItem(name, acts)", [name, json.dumps([act])])
    page.evaluate("localStorage.setItem('dizzle.hints', 'no')")
    held: list[Route] = []
    page.route(re.compile("/act/"), lambda route: held.append(route))
    page.reload()
    expect(mark(page, "b1")).to_have_attribute("href", "#art-die-2")
    expect(page.locator("#table")).to_contain_class("no-hints")
    wait_until(page, lambda: held)
    held[0].continue_()
    wait_until(page, lambda: bool(party.game.sheets[0].dice))
    wait_until(
        page, lambda: "dizzle.table." not in page.evaluate("Object.keys(localStorage).join()")
    )


def test_double_tap_counts_once_and_a_later_tap_takes_the_die_back(
    open_seat: OpenPhone,
) -> None:
    party = sit_down(level=TINY)
    page = open_seat(party)
    field(page, "b1").dblclick()
    expect(mark(page, "b1")).to_have_count(1)
    wait_until(page, lambda: party.access().table.length >= 1)
    page.wait_for_timeout(500)
    assert party.access().table.length == 1
    assert party.game.sheets[0].dice
    advance_clock(page)
    field(page, "b1").click()
    expect(mark(page, "b1")).to_have_count(0)
    wait_until(page, lambda: party.access().table.length == 2)
    assert not party.game.sheets[0].dice


def test_double_tap_on_a_button_counts_once(open_seat: OpenPhone) -> None:
    party = sit_down(level=TINY)
    page = open_seat(party)
    tap(page, "b1", "c1", "d1")
    undo = page.locator("#_bar").get_by_role("button", name="Undo")
    wait_until(page, lambda: party.access().table.length == 3)
    for button, what in ((undo, "undo"), (page.get_by_role("button", name="Done"), "done")):
        # The taps are quick by the page's clock, however slow the test is.
        page.evaluate("const now = performance.now(); performance.now = () => now")
        spot = centre(button)
        touch_at(page, *spot)
        wait_until(page, lambda what=what: party.loaded.entries[-1]["do"] == what)  # type: ignore[misc]
        expect_up_to_date(page, party)
        touch_at(page, *spot)
        page.evaluate("delete performance.now")
        page.wait_for_timeout(350)
    assert [entry["do"] for entry in party.loaded.entries[3:]] == ["undo", "done"]
    expect(mark(page, "c1")).to_have_count(1)
    touch(page.get_by_role("button", name="Not done yet"))
    wait_until(page, lambda: not party.loaded.state.done)


def centre(found: Locator) -> tuple[float, float]:
    box = found.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_player_who_just_ended_a_pass_can_undo_that(
    open_seat: OpenPhone,
) -> None:
    party = sit_down(level=TINY)
    ana, ben = open_seat(party, 0), open_seat(party, 1)
    for page in (ana, ben):
        stretch_story(page)
    tap(ana, "b1")
    party.done(1)
    expect_up_to_date(ana, party)
    press(ana, "Done")
    for page in (ana, ben):
        expect(page.locator("#telling")).to_contain_text("Ana crosses b1.")
    expect(ben.locator("[data-key=undo] button")).to_be_disabled()
    press(ana, "Undo")
    for page in (ana, ben):
        expect(page.locator("#telling")).to_be_hidden()
    assert party.game.sheets[0].dice
    assert party.loaded.state.done == {1}
    press(ana, "Done")
    expect(ben.locator("#telling")).to_contain_text("Ana crosses b1.")
    # The offer disappears by itself.
    offer = ana.locator("[data-key=undo]")
    expect(offer).to_contain_class("for-seconds")
    offer.evaluate("one => one.getAnimations()[0].finish()")
    expect(offer).to_be_hidden()


def test_taps_before_the_answer_are_not_lost(
    open_seat: OpenPhone, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a solo game with the app's dice the dice follow quickly, even if answers are slow."""
    dice = iter((2, 3, 4, 4, 4, 4, 4, 4))
    let_app_throw(monkeypatch, lambda: next(dice, 6))
    party = sit_down(("Ana",), TINY, "rolled")
    party.act("roll", by=0)
    page = open_seat(party)
    held: list[Route] = []
    page.route(re.compile("/act/"), lambda route: held.append(route))
    tap(page, "b1")
    wait_until(page, lambda: held)
    advance_clock(page)
    for _ in range(2):  # the second one counts as a double tap
        field(page, "c1").click()
    expect(page.locator("[data-field=c1][data-unsent]")).to_be_attached()
    advance_clock(page)
    field(page, "b1").click()  # is placed already
    assert not party.game.sheets[0].dice
    page.unroute(re.compile("/act/"))  # which continues the held requests
    expect(mark(page, "c1")).to_have_count(1)
    wait_until(page, lambda: bool(party.game.sheets[0].dice & party.game.level.mask(["c1"])))
    expect(page.locator("[data-unsent]")).to_have_count(0)
    placed = [entry["at"] for entry in party.loaded.entries if entry["do"] == "place"]
    assert placed == ["b1", "c1"]
    expect(page.locator("#refusal")).to_be_empty()


def test_tap_after_the_end_of_a_turn_shows_whose_turn_it_is(open_seat: OpenPhone) -> None:
    party = sit_down(level=TINY, dice="typed")
    party.act("roll", by=0, dice=(2, 5, 4, 4, 4, 4, 4))
    page = open_seat(party)
    held: list[Route] = []
    page.route(re.compile("/act/"), lambda route: held.append(route))
    tap(page, "b1")
    wait_until(page, lambda: held)
    advance_clock(page)
    field(page, "a2").click()
    page.unroute(re.compile("/act/"))  # which continues the held requests
    expect(page.locator("#refusal")).to_contain_text("turn")
    assert party.access().table.length == 2


def test_undo_right_after_a_tap_takes_that_one_back(open_seat: OpenPhone) -> None:
    """It also works before the server knows the tap, and works once."""
    party = sit_down(level=TINY)
    page = open_seat(party)
    tap(page, "b1", "c1")
    wait_until(page, lambda: party.game.sheets[0].dice.bit_count() == 2)
    expect_up_to_date(page, party)
    press(page, "Undo")
    expect(mark(page, "c1")).to_have_count(0)
    expect(mark(page, "b1")).to_have_count(1)
    wait_until(page, lambda: party.game.sheets[0].dice.bit_count() == 1)
    expect_up_to_date(page, party)
    advance_clock(page, BUTTON_DELAY_MS)
    page.context.set_offline(True)
    tap(page, "c1")
    for _ in range(2):
        press(page, "Undo")
        advance_clock(page, BUTTON_DELAY_MS)
    page.context.set_offline(False)
    wait_until(page, lambda: party.access().table.length == 5)
    expect_up_to_date(page, party)
    expect(mark(page, "c1")).to_have_count(0)
    expect(mark(page, "b1")).to_have_count(1)


def test_a_tap_counts_though_the_answer_to_the_one_before_is_late(open_seat: OpenPhone) -> None:
    party = sit_down(level=TINY, dice="typed")
    party.act("roll", by=0, dice=(1, 2, 3, 3, 5, 6, 6))
    page = open_seat(party)
    held: list[tuple[Route, APIResponse]] = []

    def hold(route: Route) -> None:
        held.append((route, route.fetch()))

    page.route(re.compile("/act/"), hold, times=1)
    field(page, "b1").click()
    wait_until(page, lambda: len(held) == 1)
    party.act("place", 1, "a2")
    expect(field(page, "c1")).to_have_attribute("data-hint", "strong")
    field(page, "c1").click()
    route, answer = held[0]
    route.fulfill(response=answer)
    expect_up_to_date(page, party)
    wait_until(page, lambda: party.game.sheets[0].dice.bit_count() == 2)


def test_names_use_the_available_width(open_seat: OpenPhone) -> None:
    party = sit_down(("Ana", "Benjamin", "Cem", "Dora"), level=TINY)
    tablet = open_seat(party, 0, "desktop", "de")
    expect(tablet.locator(".undo-word")).to_be_visible()
    for width in (768, 820, 1280):
        tablet.set_viewport_size({"width": width, "height": 1000})
        button, word = tablet.locator("[data-key=undo] .button"), tablet.locator(".undo-word")
        outer, inner = button.bounding_box(), word.bounding_box()
        assert outer
        assert inner
        assert outer["x"] <= inner["x"]
        assert inner["x"] + inner["width"] <= outer["x"] + outer["width"]
    page = open_seat(party, 1)
    expect(page.locator(".undo-word")).to_be_hidden()
    last = page.locator("#_people li").last.bounding_box()
    assert last
    assert last["x"] + last["width"] <= 390
    cut = "all => all.map(one => one.scrollWidth > one.clientWidth)"
    names = page.locator(".tab-name > span")
    assert names.evaluate_all(cut) == [False] * 4


def test_late_player_takes_a_vacated_seat(live_app: str, new_context: NewContext) -> None:
    party = sit_down(level=TINY)
    party.act("place", 1, "b1")
    seating.free_seat(party.access(1), 1)
    page = new_context("phone").new_page()
    page.goto(f"{live_app}/table/{party.code}/")
    expect(page.locator(".task")).to_contain_text("You are watching.")
    page.get_by_role("button", name="Sit down as Ben").click()
    expect(mark(page, "b1")).to_have_count(1)
    tap(page, "c1")
    wait_until(page, lambda: party.game.sheets[1].dice.bit_count() == 2)


def test_seat_is_freed_after_a_countdown_and_its_phone_is_notified(open_seat: OpenPhone) -> None:
    party = sit_down(level=TINY)
    ana, ben = open_seat(party, 0), open_seat(party, 1)
    ana.locator("#_links").get_by_role("link", name="Players and seats").click()
    ana.get_by_text("Free the seat of Ben …").click()
    count_down = ana.locator(".free-seat").get_by_role("button", name="Wait 20 seconds")
    expect(count_down).not_to_have_css("padding-left", "0px")
    count_down.click()
    expect(count_down).to_have_count(0)
    ben.locator(".task").click()
    expect(ben.locator("#_hurry")).to_be_empty()
    ana.get_by_text("Free the seat of Ben …").click()
    count_down.click()
    expect(ben.locator("[data-seconds]")).to_be_visible()
    Entry.objects.update(made=timezone.now() - countdowns.COUNTDOWN)
    end_countdown(ana)
    ana.get_by_text("Free the seat of Ben …").click()
    ana.get_by_role("button", name="Free the seat").click()
    expect(ben.get_by_role("alert")).to_contain_text("has lost its seat")


def test_taps_without_a_network_arrive_later_in_their_order(
    open_seat: OpenPhone, page_errors: list[str]
) -> None:
    party = sit_down(level=TINY)
    page = open_seat(party)
    page.context.set_offline(True)
    expect(page.locator("#connection")).to_be_visible()
    tap(page, "b1", "c1", "d1")
    press(page, "Done")
    # Unsent dice look different and have a note.
    expect(page.locator("#connection")).to_contain_text("Waiting to be sent: b1, c1, d1, Done")
    expect(page.locator("[data-field=c1] > .over")).to_have_css("opacity", "0.45")
    expect(page.locator("[data-key=done] button")).to_have_css("opacity", "0.45")
    page.context.set_offline(False)
    wait_until(page, lambda: party.game.sheets[0].dice.bit_count() == 3)
    expect(page.locator("#connection")).to_be_hidden()
    expect(mark(page, "d1")).to_have_count(1)
    page_errors.clear()  # Chromium logs each failed request


def test_refusal_ends_when_the_turn_has_come(open_seat: OpenPhone) -> None:
    party = sit_down(level=TINY, dice="typed")
    party.act("roll", by=0, dice=(2, 5, 4, 4, 4, 4, 4))
    page = open_seat(party, 1)
    field(page, "a2").click()
    expect(page.locator("#refusal")).to_contain_text("turn")
    party.act("place", 0, "b1")
    expect(page.locator("#_notice")).to_contain_text("Your turn")
    assert page.locator("#refusal").is_hidden()


def test_refusal_shows_reason_and_rule_link_and_disappears(open_seat: OpenPhone) -> None:
    party = sit_down(level=TINY)
    page = open_seat(party)
    expect(field(page, "b1")).to_have_accessible_name("b1, 2, a die fits here")
    expect(field(page, "a1")).to_have_accessible_name("a1, 1, printed cross")
    field(page, "c2").click()
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("c2 is a closed lock")
    expect(alert.get_by_role("link")).to_have_attribute("href", "/rules/#locked")
    expect(mark(page, "c2")).to_have_count(0)
    tap(page, "b1")
    expect(alert).to_be_hidden()
    expect(field(page, "b1")).to_have_accessible_name("b1, 2, your die")


def test_no_button_moves_or_is_covered_while_a_message_is_shown(open_seat: OpenPhone) -> None:
    party = sit_down(("Ana", "Ben", "Cem"), RAILS | {"rounds": {"3": 2}})
    page = open_seat(party)
    places = """all => all.map((one) =>
      [one.textContent, ...Object.values(one.getBoundingClientRect().toJSON())])"""

    def buttons(found: str = "#_bar button, .sheet-grid button") -> list[object]:
        seen: list[object] = page.locator(found).evaluate_all(places)
        return seen

    # The very first die of a pass is placed next to the printed track.
    at, far = "b1", "c3"
    before = buttons()
    field(page, far).click()
    expect(page.get_by_role("alert")).to_be_visible()
    assert buttons() == before
    page.get_by_role("alert").click()
    expect(page.get_by_role("alert")).to_be_hidden()
    for player in range(3):
        party.act("place", player, at)
    expect_up_to_date(page, party)
    before = buttons()
    acts.propose(party.access(1), 1, 1, request="")
    expect(page.locator("#_proposal")).to_contain_text("Ben proposes")
    assert buttons() == before
    # A track drawn by another player is announced without delay, a track of one's own is not.
    # Buttons also stay while the end of the pass can be undone.
    party.done(1, 2)
    expect_up_to_date(page, party)
    press(page, "Done")
    skip_story(page)
    expect(page.locator("[data-key=undo]")).to_contain_class("for-seconds")
    pieces = "#_bar .piece"
    before = buttons(pieces)
    party.act("track", 1, at, shape="EW")
    expect(page.locator("#telling")).to_contain_text("Ben draws")
    expect(page.locator("[data-key=undo]")).to_have_count(0)
    assert buttons(pieces) == before
    expect(page.locator(pieces).first).to_be_visible()
    skip_story(page)
    page.locator(pieces).first.click()
    wait_until(page, lambda: not party.game.sheets[0].dice)
    expect_up_to_date(page, party)
    expect(page.locator("#telling")).to_be_hidden()


def test_a_refused_field_shakes_only_where_motion_is_welcome(
    live_app: str, new_context: NewContext
) -> None:
    party = sit_down(level=TINY)
    for wish, animation in (("no-preference", "refused"), ("reduce", "none")):
        context = new_context("phone", reduced_motion=wish)
        context.add_cookies([{"name": "dizzle_seat", "value": party.tokens[0], "url": live_app}])
        page = context.new_page()
        page.goto(f"{live_app}/table/{party.code}/")
        field(page, "c2").click()
        # One call, because the refusal is shown briefly.
        style = """() => {
            const refused = document.querySelector(".refused");
            return refused && getComputedStyle(refused).animationName;
        }"""
        assert page.wait_for_function(style).json_value() == animation


def test_pass_that_ended_meanwhile_is_explained_and_shown(open_seat: OpenPhone) -> None:
    party = sit_down(level=TINY)
    page = open_seat(party)

    def late(route: Route) -> None:
        if party.game.pass_number == 1:
            party.act("end_pass", by=0)
        route.continue_()

    page.route(re.compile("/act/"), late)
    field(page, "b1").click()
    expect(page.get_by_role("alert")).to_contain_text("The game has moved on")
    expect(mark(page, "b1")).to_have_count(0)


# Sheets ------------------------------------------------------------------------------------------


def test_other_sheets_are_one_key_tap_or_swipe_away(open_seat: OpenPhone) -> None:
    party = sit_down(level=TINY)
    party.act("place", 1, "a2")
    page = open_seat(party)
    expect(mark(page, "a2")).to_have_count(0)
    # Speech input may press single keys by accident, so they need the focus in the sheet.
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.locator("body").press("2")
    page.locator("#sheet").press("2")
    expect(mark(page, "a2")).to_have_count(1)
    assert len([url for url in asked if "show=1" in url]) == 1
    expect(page.locator(".task")).to_contain_text("The sheet of Ben")
    expect(field(page, "b1")).to_have_attribute("aria-disabled", "true")
    field(page, "b1").click(force=True)
    page.get_by_role("link", name="Back to my sheet").click()
    expect(mark(page, "a2")).to_have_count(0)
    page.locator("#_people a").nth(1).click()
    expect(mark(page, "a2")).to_have_count(1)
    swipe(page, 300, 60)
    expect(mark(page, "a2")).to_have_count(0)
    assert "seat=0" in page.url
    assert [bool(sheet.dice) for sheet in party.game.sheets] == [False, True]


def swipe(page: Page, start: int, end: int) -> None:
    box = page.locator("#sheet").bounding_box()
    assert box
    y = box["y"] + 100
    page.evaluate(
        """([from, to, y]) => {
          const sheet = document.getElementById("sheet");
          const touch = (x) => new Touch({ identifier: 1, target: sheet, clientX: x, clientY: y });
          const send = (kind, x, touches) => sheet.dispatchEvent(new TouchEvent(kind,
            { bubbles: true, touches, changedTouches: [touch(x)] }));
          send("touchstart", from, [touch(from)]);
          send("touchend", to, []);
        }""",
        [start, end, y],
    )


def test_two_seats_on_one_tablet_are_switched_by_one_tap(open_seat: OpenPhone) -> None:
    party = sit_down(level=TINY, dice="typed")
    seating.free_seat(party.access(1), 1)
    seating.take_seat(find_access(party.code), 1, "Kim", party.tokens[0])
    page = open_seat(party)
    for die in "1223556":
        page.locator(f"#_bar [data-die='{die}']").click()
    press(page, "Rolled")
    expect(field(page, "b1")).to_have_attribute("data-hint", "strong")
    tap(page, "b1")
    page.get_by_role("link", name="To Kim").click()
    expect(field(page, "a2")).to_have_attribute("data-hint", "strong")
    tap(page, "a2")
    wait_until(page, lambda: bool(party.game.sheets[1].dice))


def test_hints_are_switched_off_for_purists_on_this_device(open_seat: OpenPhone) -> None:
    party = sit_down(level=TINY)
    page = open_seat(party)
    shadow = "getComputedStyle(document.querySelector('[data-hint=strong]')).boxShadow"
    assert page.evaluate(shadow) != "none"
    page.get_by_label("Show where dice can go").uncheck()
    assert page.evaluate(shadow) == "none"
    page.reload()
    assert page.evaluate(shadow) == "none"


def test_story_of_a_pass_end_is_shown_once_and_can_be_reopened(open_seat: OpenPhone) -> None:
    party = sit_down(level=TINY)
    page = open_seat(party, 1)
    # The line about this sheet stays until it is skipped.
    page.add_init_script(
        """const soon = window.setTimeout;
        window.lasts = {};
        window.setTimeout = (go, ms, ...more) => {
          const line = document.querySelector("#telling p")?.textContent.trim();
          window.lasts[line] ??= ms;
          return soon(go, line?.startsWith("The bomb") ? 60000 : ms, ...more);
        };"""
    )
    page.reload()
    for at in ("b1", "c1", "d1"):
        party.act("place", 0, at)
    party.done(0, 1)
    telling = page.locator("#telling")
    expect(telling).to_contain_text("The bomb on c1 explodes on the sheet of Ben.")
    expect(page.locator("[data-field=c1]")).to_have_class(re.compile(r"\blit\b"))
    heard = page.get_by_role("log")
    expect(heard).to_contain_text(
        "Ana crosses b1, c1 and d1. The bomb on c1 explodes on the sheet of Ben."
    )
    telling.get_by_role("button", name="Skip").click()
    expect(telling).to_be_hidden()
    expect(page.locator(".lit")).to_have_count(0)
    # Lines about other sheets are shown for less time.
    lasts = page.evaluate("lasts")
    bomb = lasts["The bomb on c1 explodes on the sheet of Ben."]
    assert lasts["Ana crosses b1, c1 and d1."] < bomb
    page.get_by_text("How pass 1 ended").click()
    expect(page.locator("#_story li")).to_have_count(3)
    page.reload()
    expect(page.locator(".sheet-grid")).to_be_visible()
    expect(telling).to_be_hidden()


def test_proposal_asks_the_others_and_all_phones_follow(open_seat: OpenPhone) -> None:
    party = sit_down(level=TINY)
    ana, ben = open_seat(party, 0), open_seat(party, 1)
    tap(ana, "b1")
    ben.get_by_text(f"Table {party.typed_code}").click()
    ben.locator("#_links").get_by_role("link", name="Log and going back").click()
    ben.get_by_role("link", name="Back to before").first.click()
    ben.get_by_role("button", name="Propose it").click()
    card = ana.locator(".proposal")
    expect(card).to_contain_text("Ben proposes to go back to before “Ana: 2 on b1”.")
    card.get_by_role("button", name="Agree").click()
    expect(mark(ana, "b1")).to_have_count(0)
    expect(card).to_have_count(0)
    assert not party.game.sheets[0].dice


def test_host_continues_without_a_player_unless_they_touch_the_page(open_seat: OpenPhone) -> None:
    party = sit_down(level=TINY, dice="typed")
    party.act("roll", by=0, dice=(1, 2, 2, 3, 5, 5, 6))
    party.act("place", 0, "b1", die=2)
    ana, ben = open_seat(party, 0), open_seat(party, 1)
    ana.get_by_text("Don’t wait …").click()
    ana.get_by_role("button", name="Wait 20 seconds").click()
    expect(ana.locator("#_hurry")).to_contain_text("Waiting for Ben to react.")
    expect(ben.locator("#_hurry")).to_contain_text("Ana would like to go on without you.")
    left = int(ben.locator("[data-seconds]").inner_text())
    wait_until(ben, lambda: int(ben.locator("[data-seconds]").inner_text()) < left)
    ben.locator(".task").click()
    expect(ben.locator("#_hurry")).to_be_empty()
    expect(ana.locator("#_hurry")).to_be_empty()
    ana.get_by_text("Don’t wait …").click()
    ana.get_by_role("button", name="Wait 20 seconds").click()
    expect(ben.locator("[data-seconds]")).to_be_visible()
    Entry.objects.update(made=timezone.now() - countdowns.COUNTDOWN)
    # At the end of its own countdown the phone requests its state.
    end_countdown(ana)
    ana.get_by_text("Go on for Ben …").click()
    expect(ana.locator(".go-on-ask")).to_contain_text("A bot places a die for Ben.")
    ana.get_by_role("button", name="Decide for Ben").click()
    wait_until(ana, lambda: bool(party.game.sheets[1].dice))


def test_proposal_is_in_view_vibrates_and_can_be_withdrawn(
    live_app: str, new_context: NewContext, open_seat: OpenPhone
) -> None:
    party = sit_down(level=TINY)
    party.act("place", 0, "b1")
    ana = watch_vibration(live_app, new_context, party, 0)
    ben = open_seat(party, 1)
    ana.locator(".task").click()
    ana.evaluate("scrollTo(0, 60)")
    before = field(ana, "a1").bounding_box()
    acts.propose(party.access(1), 1, 1, request="")
    expect(ana.locator(".proposal")).to_be_in_viewport(ratio=1)
    assert field(ana, "a1").bounding_box() == before
    expect(ana).to_have_title(f"● Go back? · {party.typed_code} · Dizzle Companion")
    ana.wait_for_function("window.vibrated")
    ben.get_by_role("button", name="Take the proposal back").click()
    expect(ana.locator(".proposal")).to_have_count(0)
    assert party.game.sheets[0].dice


def test_the_host_goes_back_alone_only_after_a_countdown_that_a_touch_stops(
    open_seat: OpenPhone,
) -> None:
    party = sit_down(("Ana", "Ben", "Cem"), TINY)
    party.act("place", 0, "b1")
    acts.propose(party.access(0), 0, 1, request="")
    number = party.loaded.state.proposal.number
    acts.answer(party.access(1), True, proposal=number, request="")
    ana, cem = open_seat(party, 0), open_seat(party, 2)
    cem.evaluate("delete HTMLFormElement.prototype.requestSubmit")  # as in Safari 15
    asked = ana.locator(".proposal")

    def count_down() -> None:
        asked.get_by_text("Don’t wait …").click()
        asked.get_by_role("button", name="Wait 20 seconds").click()
        expect(ana.locator("#_hurry")).to_contain_text("Waiting for Cem to react.")
        expect(cem.locator("#_hurry")).to_contain_text("would like to decide without your answer")

    count_down()
    expect(cem.locator(".hurry")).to_be_in_viewport(ratio=1)
    expect(cem.locator(".proposal")).to_be_in_viewport(ratio=1)
    cem.locator("#_points h2").click()
    expect(ana.locator("#_hurry")).to_be_empty()
    expect(asked.get_by_text("Go back without")).to_have_count(0)
    count_down()
    Entry.objects.update(made=timezone.now() - countdowns.COUNTDOWN)
    end_countdown(ana)
    asked.get_by_text("Go back without Cem …").click()
    expect(asked).to_contain_text("The log says that you decided it.")
    asked.get_by_role("button", name="Go back", exact=True).click()
    expect(cem.locator(".answered")).to_contain_text("Ana has decided it")
    assert not party.game.sheets[0].dice


def test_countdown_of_a_proposal_fits_small_screens(live_app: str, new_context: NewContext) -> None:
    names = ("Maximiliane Anna Lang", "Friederike Sophie Lang", "Bartholomäus Jo Lang")
    party = sit_down(names, TINY)
    for player in range(3):
        for at in ("b1", "c1"):
            party.act("place", player, at)
    acts.propose(party.access(0), 0, 1, request="")
    host, other = (phone(live_app, new_context, party, player, "phone", "de") for player in (0, 2))

    def expect_seen(*places: Locator) -> None:
        for width, height in ((844, 390), (320, 640)):
            for page in (host, other):
                page.set_viewport_size({"width": width, "height": height})
            for place in places:
                expect(place).to_be_in_viewport(ratio=1)

    asked, answers = host.locator(".proposal"), other.locator(".proposal")
    summary, no = asked.locator("summary"), asked.locator("[value=no]")
    expect_seen(summary, no, answers.locator("[value=yes]"), answers.locator("[value=no]"))
    summary.click()
    count_down = asked.locator(".go-on .button").last
    expect_seen(count_down, summary, no)
    count_down.click()
    hurries = [
        page.locator(found) for page in (host, other) for found in (".hurry", ".hurry .seconds")
    ]
    expect_seen(*hurries, no, answers.locator("[value=no]"), answers.locator("[value=yes]"))
    expect_seen(other.locator("[data-here] .button"))
    Entry.objects.update(made=timezone.now() - countdowns.COUNTDOWN)
    end_countdown(host)
    expect_seen(summary, host.locator(".hurry"))
    summary.click()
    expect_seen(asked.locator("[value=alone]"))


def test_result_of_a_proposal_stays_until_it_is_read(
    live_app: str, new_context: NewContext, open_seat: OpenPhone
) -> None:
    party = sit_down(("Ana", "Ben", "Cem"), TINY)
    party.act("place", 0, "b1")
    acts.propose(party.access(1), 1, 1, request="")
    context = new_context("phone")
    context.add_cookies([{"name": "dizzle_seat", "value": party.tokens[0], "url": live_app}])
    ana = context.new_page()
    ana.clock.install()
    ana.goto(f"{live_app}/table/{party.code}/")
    ben, cem = open_seat(party, 1), open_seat(party, 2)
    ana.locator(".proposal").get_by_role("button", name="No", exact=True).click()
    said = "Ana said no to the proposal of Ben"
    for page in (ana, ben, cem):
        expect(page.locator(".answered")).to_contain_text(said)
    # Acts of others leave it there; so does a tap before it can be read.
    party.act("place", 2, "b1")
    tap(ana, "c1")
    wait_until(ana, lambda: party.game.sheets[0].dice.bit_count() == 2)
    revision = str(party.access().table.revision)
    for page in (ana, ben, cem):
        expect(page.locator("#table")).to_have_attribute("data-revision", revision)
        expect(page.locator(".answered")).to_be_in_viewport(ratio=1)
    ana.clock.run_for(5000)
    tap(ana, "d1")
    expect(ana.locator("#_proposal")).to_be_hidden()
    wait_until(ana, lambda: party.game.sheets[0].dice.bit_count() == 3)
    expect(ana.locator("#_proposal")).to_be_hidden()
    ana.reload()
    expect(ana.locator("#_proposal")).to_be_hidden()
    # A tap on the sentence itself closes it.
    ben.locator(".answered").click()
    expect(ben.locator("#_proposal")).to_be_hidden()
    assert not party.game.sheets[1].dice
    expect(cem.locator(".answered")).to_contain_text(said)
    acts.propose(party.access(1), 1, 1, request="")
    for page in (ana, ben, cem):
        expect(page.locator(".proposal")).to_be_visible()


def test_title_shows_whose_turn_it_is_and_acts_are_announced(
    live_app: str, new_context: NewContext, open_seat: OpenPhone
) -> None:
    party = sit_down(level=TINY, dice="typed")
    ana = open_seat(party, 0)
    ben = watch_vibration(live_app, new_context, party, 1)
    ben.locator(".task").click()
    expect(ana).to_have_title(f"● Your turn · {party.typed_code} · Dizzle Companion")
    ends = f"{party.typed_code} · Dizzle Companion"
    expect(ben).to_have_title(f"Ana starts this pass and rolls 7 dice · {ends}")
    party.act("roll", by=0, dice=(1, 2, 2, 3, 5, 5, 6))
    expect(ben.get_by_role("log")).to_contain_text("Ana: rolls 1, 2, 2, 3, 5, 5, 6")
    assert not ben.evaluate("window.vibrated")
    party.act("place", 0, "b1")
    expect(ben).to_have_title(f"● Your turn · {party.typed_code} · Dizzle Companion")
    expect(ana).to_have_title(f"It is Ben’s turn · {party.typed_code} · Dizzle Companion")
    expect(ben.locator(".lately")).to_have_text("Ana: 2 on b1")
    expect(ben.locator("[data-person='0'] .mini-fresh")).to_have_count(1)
    expect(ana.locator(".mini-fresh")).to_have_count(0)
    expect(ben.get_by_role("log")).to_contain_text(
        "Ana: 2 on b1. Pool: 1, 2, 3, 5, 5, 6. Your turn: place a die."
    )
    expect(ana.get_by_role("log")).not_to_contain_text("Ana: 2 on b1")
    ben.wait_for_function("window.vibrated")


def watch_vibration(live_app: str, new_context: NewContext, party: Party, player: int) -> Page:
    """Open a player's page that records each vibration in `window.vibrated`."""
    context = new_context("phone")
    context.add_init_script("navigator.vibrate = (pattern) => { window.vibrated = pattern; }")
    context.add_cookies([{"name": "dizzle_seat", "value": party.tokens[player], "url": live_app}])
    page = context.new_page()
    page.goto(f"{live_app}/table/{party.code}/")
    return page


RECORD_NOTES = """window.heard = [];
const { start } = OscillatorNode.prototype;
OscillatorNode.prototype.start = function (when) {
  window.heard.push(this.frequency.value);
  start.call(this, when);
};"""
"""Script that records the frequency of each played note in `window.heard`."""


def test_a_sound_calls_players_who_have_switched_it_on(
    live_app: str, new_context: NewContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    dice = itertools.cycle(range(1, 7))
    let_app_throw(monkeypatch, lambda: next(dice))
    party = sit_down(dice="rolled")
    party.act("roll", by=0)
    context = new_context("phone", "de")
    context.add_init_script(RECORD_NOTES)
    context.add_cookies([{"name": "dizzle_seat", "value": party.tokens[1], "url": live_app}])
    page = context.new_page()
    page.goto(f"{live_app}/table/{party.code}/")

    def expect_heard(number: int) -> None:
        wait_until(page, lambda: len(page.evaluate("window.heard")) == 2 * number)

    def place(player: int) -> None:
        die, fields = next((die, at) for die, at in party.game.legal().items() if at)
        party.act("place", player, fields[0], die=die)
        expect_up_to_date(page, party)

    switch = page.get_by_label("Ton, wenn du dran bist")
    expect(switch).not_to_be_checked()
    place(0)
    expect(page).to_have_title(re.compile("Du bist dran"))
    expect_heard(0)
    place(1)
    switch.check()
    expect_heard(1)
    place(0)
    expect_heard(2)
    place(1)
    page.reload()
    expect(switch).to_be_checked()
    page.locator(".task").click()
    expect_heard(0)
    place(0)
    expect_heard(1)
    switch.uncheck()
    page.reload()
    expect(switch).to_be_visible()
    expect(switch).not_to_be_checked()


COLOURS = """(one) => [one, document.querySelector(".act-bar")].map((element, under) => {
  const { color, backgroundColor } = getComputedStyle(element);
  const parts = (under ? backgroundColor : color).match(/\\d+/g).slice(0, 3);
  return "#" + parts.map((part) => Number(part).toString(16).padStart(2, "0")).join("");
})"""
"""Script that returns the colours of a text and of the bar below it."""


def test_typed_roll_survives_acts_of_others(open_seat: OpenPhone) -> None:
    party = sit_down(level=TINY, dice="typed")
    page = open_seat(party)
    for die in "123":
        page.locator(f"#_bar [data-die='{die}']").click()
    page.locator("[data-back]").click()
    seating.rename(party.access(1), 1, "Bea")
    expect(page.locator("#_people")).to_contain_text("Bea")
    expect(page.locator("[name=dice]")).to_have_value("12")
    expect(page.locator(".thrown svg")).to_have_count(2)
    expect(page.locator(".thrown > *")).to_have_count(7)
    expect(page.locator(".counter")).to_have_text("2 of 7")
    expect(page.get_by_role("log")).to_contain_text("3: 3 of 7")
    rolled = page.get_by_role("button", name="Rolled", exact=True)
    expect(rolled).to_be_disabled()
    assert rolled.evaluate("one => getComputedStyle(one).opacity") == "1"
    assert contrast(*rolled.evaluate(COLOURS)) >= 4.5
    rolled.dispatch_event("click")
    for die in "33455":
        page.locator(f"#_bar [data-die='{die}']").click()
    expect(rolled).to_be_enabled()
    rolled.click()
    wait_until(page, lambda: party.game.pool == (1, 2, 3, 3, 4, 5, 5))
    assert party.loaded.state.length == 1


def test_focus_and_scroll_stay_when_others_act(open_seat: OpenPhone) -> None:
    party = sit_down(level=TINY)
    page = open_seat(party)
    field(page, "c3").focus()
    page.evaluate("scrollTo(0, 120)")
    before = page.evaluate("scrollY")
    party.act("place", 1, "a2")
    party.done(1)
    expect(page.locator("#_people .awaited")).to_have_count(1)
    assert page.evaluate("document.activeElement.dataset.at") == "c3"
    assert page.evaluate("scrollY") == before


def test_asked_fields_stay_marked_during_a_story_and_without_hints(
    open_seat: OpenPhone,
) -> None:
    grid = ["1  2Fr 3S", *RAILS["grid"][1:]]
    flags = {**RAILS, "grid": grid, "points": {"stop": 4, "flag": {"red": [10, 6]}}}
    party = sit_down(("Ana",), flags)
    page = open_seat(party)
    stretch_story(page)
    page.get_by_label("Show where dice can go").uncheck()
    tap(page, "b1")
    press(page, "Done")
    page.locator("#telling").wait_for(state="visible")
    shapes = page.locator("#_bar .piece")
    expect(shapes).to_have_count(6)
    for shape in shapes.all():
        expect(shape).to_be_visible()
    expect(field(page, "b1")).not_to_have_css("box-shadow", "none")
    skip_story(page)
    expect(shapes.first).to_be_visible()
    expect(page.locator(".shapes-for")).to_contain_text("b1")
    expect(field(page, "b1")).not_to_have_css("box-shadow", "none")


@pytest.mark.parametrize("device", ["phone", "desktop"])
def test_pieces_of_track_keep_their_order_and_hide_no_row(
    open_seat: OpenPhone, device: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No piece is first, marked or focused because it joins more tracks."""
    dice = itertools.cycle(range(1, 7))
    let_app_throw(monkeypatch, lambda: next(dice))
    party = sit_down(("Ana", "Ben", "Cem"), "level-8", "rolled")
    party.act("roll", by=0)
    while party.game.phase == "turn":
        die, at = next(((die, at[0]) for die, at in party.game.legal().items() if at), (0, ""))
        party.act("place" if die else "drop", party.game.player, at, die=die)
    last = party.loaded.entries[-1]["player"]
    page = open_seat(party, last, device)
    owed = next(owed.at for owed in party.game.pending() if owed.player == last)
    assert len(owed) > 1
    for at in owed:
        field(page, at).click()
        expect(page.locator(".shapes-for")).to_contain_text(at)
        pieces = page.locator("#_bar .piece")
        assert tuple(piece.get_attribute("value") for piece in pieces.all()) == SHAPES
        assert not page.locator("#_bar :focus").count()
        for piece in pieces.all():
            expect(piece).to_have_css("outline-style", "none")
    expect(page.locator("[data-key=undo] button")).to_be_visible()
    lowest = page.locator(".sheet-grid button").last.bounding_box()
    dock = page.locator(".dock").bounding_box()
    assert lowest
    assert dock
    is_above = lowest["y"] + lowest["height"] <= dock["y"]
    assert is_above or lowest["x"] + lowest["width"] <= dock["x"]


@pytest.mark.parametrize("size", [(1024, 768), (1280, 800), (1440, 900), (1920, 1080)])
def test_wide_screens_show_large_fields_and_dice_without_scrolling(
    open_seat: OpenPhone, size: tuple[int, int]
) -> None:
    party = sit_down(("Ana", "Ben", "Cem", "Dora"), "level-8", "rolled")
    party.act("roll", by=0)
    page = open_seat(party, 0, "desktop")
    page.set_viewport_size({"width": size[0], "height": size[1]})
    for found, least in ((".sheet-grid button", 56), (".notice .pool .pic", 48)):
        for one in page.locator(found).all():
            box = one.bounding_box()
            assert box
            assert box["width"] >= least
            assert box["y"] + box["height"] <= size[1]
    scrolled = "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
    assert page.evaluate(scrolled) == list(size)


def test_the_game_begins_at_the_top_of_the_page(open_seat: OpenPhone) -> None:
    party = sit_down(("Ana", "Ben", "Cem"), "level-2", start=False)
    ana, ben = open_seat(party, 0), open_seat(party, 1)
    ben.evaluate("scrollTo(0, 9999)")
    assert ben.evaluate("scrollY") > 100
    ana.get_by_role("button", name="Begin the game").click()
    expect_begun(ana, ben)
    for page in (ana, ben):
        page.wait_for_timeout(200)
        assert page.evaluate("scrollY") == 0


# Accessibility -----------------------------------------------------------------------------------


def test_a_pass_by_keyboard_alone(open_seat: OpenPhone) -> None:
    party = sit_down(("Ana",), TINY)
    page = open_seat(party, 0, "desktop")
    field(page, "a1").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(mark(page, "b1")).to_have_count(1)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    expect(mark(page, "c1")).to_have_count(1)
    page.keyboard.press("Escape")
    for _ in range(6):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.name") == "done":
            break
    page.keyboard.press("Enter")
    wait_until(page, lambda: party.game.pass_number == 2)
    expect_up_to_date(page, party)
    expect(page.locator("#_bar [name=done]")).to_be_focused()


def test_a_key_leads_from_field_to_field_that_takes_a_die(open_seat: OpenPhone) -> None:
    page = open_seat(sit_down(level=TINY), 0, "desktop")
    page.locator("#sheet").focus()
    for key, at in (("n", "b1"), ("n", "a2"), ("n", "b1"), ("N", "a2"), ("N", "b1")):
        page.keyboard.press(key if key == "n" else "Shift+N")
        expect(field(page, at)).to_be_focused()
    page.locator("#hints input").focus()
    page.keyboard.press("n")
    expect(page.locator(".sheet-grid :focus")).to_have_count(0)


def test_a_game_without_script(live_app: str, new_context: NewContext) -> None:
    party = sit_down(("Ana",), TINY)
    context = new_context("phone", java_script_enabled=False)
    context.add_cookies([{"name": "dizzle_seat", "value": party.tokens[0], "url": live_app}])
    page = context.new_page()
    page.goto(f"{live_app}/table/{party.code}/")
    for at in ("b1", "b2"):
        field(page, at).click()
    expect(mark(page, "b2")).to_have_count(1)
    field(page, "e1").click()
    expect(page.get_by_role("alert")).to_contain_text("e1 touches none of your dice")
    press(page, "Done")
    expect(page.locator("#_story")).to_contain_text("How pass 1 ended")
    field(page, "c2").click()
    expect(mark(page, "c2")).to_have_count(1)


@pytest.mark.slow
def test_axe_finds_nothing(live_app: str, open_seat: OpenPhone) -> None:
    lobby = sit_down(("Ana", "Ben", "Cem"), "level-2", "rolled", start=False)
    seating.free_seat(lobby.access(2), 2)
    typed = sit_down(level="level-7", dice="typed")
    rails = sit_down(("Ana",), RAILS)
    rails.act("place", 0, "b1")
    rails.done(0)
    mirror = sit_down(level="level-2")
    play_on(mirror, Random(1), 2)
    number = mirror.loaded.state.length
    mirror.act("place", 0, next(iter(mirror.game.legal()[0])))
    acts.propose(mirror.access(1), 1, number + 1, request="")
    pages = [open_seat(party, 0, "phone", "de") for party in (lobby, typed, rails, mirror)]
    for page in pages:
        open_folds(page)
    field(pages[-1], "a1").click()
    expect(pages[-1].get_by_role("alert")).to_be_visible()
    for path in ("/table/", "/table/new/"):
        page = pages[0].context.new_page()
        page.goto(live_app + path)
        pages.append(page)
    faults: dict[str, object] = {}
    for page in pages:
        found = (
            axe_violations_in_both_themes(page),
            max(0, overflow_px(page)),
            small_targets(page),
        )
        if any(found):
            faults[page.url] = found
    assert faults == {}
    begin = pages[0].get_by_role("button", name="Spiel beginnen")
    expect(begin).to_be_in_viewport(ratio=1)
    for width, height, size in ((1280, 800, ""), (320, 568, ""), (320, 568, "200%")):
        for page in pages[:4]:
            page.set_viewport_size({"width": width, "height": height})
            set_font_size(page, size)
            if page is pages[0] or not size:
                assert overflow_px(page) <= 0, (page.url, width, size)


LAYOUT = """() => {
  const boxOf = (one) => one.getBoundingClientRect();
  const isCovered = (button) => {
    const { left, right, top, bottom } = boxOf(button);
    const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return hit !== button || top < 0 || bottom > innerHeight;
  };
  const isBroken = (button) => {
    const whole = button.cloneNode(true);
    Object.assign(whole.style, { width: "min-content", overflowWrap: "normal" });
    button.after(whole);
    const least = boxOf(whole).width;
    whole.remove();
    return boxOf(button).width < least - 1;
  };
  const fields = [...document.querySelectorAll(".sheet-grid button")];
  const heading = document.querySelector("h1");
  return {
    wide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    heading: heading.scrollWidth > heading.clientWidth,
    least: Math.min(...fields.map((one) => Math.min(boxOf(one).width, boxOf(one).height))),
    covered: fields.filter(isCovered).map((one) => one.dataset.at),
    pieces: [...document.querySelectorAll("#_bar .piece")].map((one) => boxOf(one).width),
    broken: [...document.querySelectorAll("[data-key=done] button")].some(isBroken),
  };
}"""
"""Script that returns measures of a sheet's page."""


def layout_faults(page: Page, is_across: bool) -> list[str]:
    """Return what is too small, too wide, broken or covered, in portrait or landscape."""
    found = page.evaluate(LAYOUT)
    faults = {
        "the page is too wide": found["wide"] > 0,
        "the heading is cut": is_across and found["heading"],
        "fields are too small for a thumb": not is_across and found["least"] < 44,
        f"fields are covered: {found['covered']}": is_across and found["covered"],
        f"tracks have no good size: {found['pieces']}": is_across
        and not all(44 <= width <= 57 for width in found["pieces"]),
        "a word is broken": not is_across and found["broken"],
    }
    return [name for name, is_fault in faults.items() if is_fault]


def test_sheets_fit_a_phone_held_either_way(live_app: str, new_context: NewContext) -> None:
    castle, tracks = (sit_down(("Ana",), level) for level in ("level-2", "level-8"))
    for party in (castle, tracks):
        party.act("place", 0, party.game.legal()[0][0])
    tracks.done(0)
    turn = sit_down(level=TINY, dice="typed")
    turn.act("roll", by=0, dice=(2, 5, 4, 4, 4, 4, 4))
    turn.act("place", 0, "b1", die=2)
    turn.act("place", 1, "a2", die=5)
    late = sit_down(level=TINY)
    late.done(0)
    acts.start_countdown(late.access(), moment=late.loaded.state.moment, request="")
    Entry.objects.update(made=timezone.now() - countdowns.COUNTDOWN)
    faults: dict[str, list[str]] = {}
    for name, party in (("castle", castle), ("tracks", tracks)):
        page = phone(live_app, new_context, party, 0)
        faults[name] = layout_faults(page, is_across=False)
        page.set_viewport_size({"width": 844, "height": 390})
        faults[f"{name} across"] = layout_faults(page, is_across=True)
    assert page.locator("#_bar .piece").count() == 6
    page = phone(live_app, new_context, turn, 0, "phone", "de")
    faults["turn"] = layout_faults(page, is_across=False)
    # The back button is not the biggest one.
    out = page.get_by_role("button", name="Passen")
    expect(out).to_be_in_viewport(ratio=1)
    widths = [
        found.evaluate("one => one.getBoundingClientRect().width")
        for found in (page.get_by_role("link", name="Zurückgehen"), out)
    ]
    if widths[0] >= widths[1]:
        faults["turn"].append(f"going back is as wide as dropping out: {widths}")
    page = phone(live_app, new_context, late, 0, "phone", "de")
    faults["late"] = layout_faults(page, is_across=False)
    expect(page.get_by_text("Für Ben weitermachen …")).to_be_visible()
    expect(page.get_by_role("button", name="Doch nicht")).to_be_visible()
    assert {name: found for name, found in faults.items() if found} == {}


# Staying awake -----------------------------------------------------------------------------------


def test_the_screen_stays_awake_until_the_game_is_over(
    live_app: str, new_context: NewContext
) -> None:
    party = sit_down(("Ana",), TINY)
    context = new_context("phone")
    context.add_init_script(
        """window.locks = [];
        Object.defineProperty(navigator, "wakeLock", { value: { request: async () => {
          const lock = new EventTarget();
          lock.release = () => { lock.isOver = true; lock.dispatchEvent(new Event("release")); };
          window.locks.push(lock);
          return lock;
        } } });"""
    )
    context.add_cookies([{"name": "dizzle_seat", "value": party.tokens[0], "url": live_app}])
    page = context.new_page()
    page.goto(f"{live_app}/table/{party.code}/")
    wait_until(
        page, lambda: bool(page.evaluate("window.locks.length === 1 && !window.locks[0].isOver"))
    )
    play_on(party, Random(1), 99)
    wait_until(page, lambda: bool(page.evaluate("window.locks[0].isOver")))


def test_over_plain_http_a_silent_video_keeps_it_awake(
    live_app: str, new_context: NewContext
) -> None:
    party = sit_down(("Ana",), TINY)
    context = new_context("phone")
    context.add_init_script("delete Navigator.prototype.wakeLock")
    context.add_cookies([{"name": "dizzle_seat", "value": party.tokens[0], "url": live_app}])
    page = context.new_page()
    page.goto(f"{live_app}/table/{party.code}/")
    assert page.locator("video").count() == 0
    tap(page, "b1")
    wait_until(page, lambda: bool(page.evaluate("!document.querySelector('video').paused")))
    assert page.evaluate("document.querySelector('video').muted")
    wait_until(page, lambda: bool(party.game.sheets[0].dice))
    play_on(party, Random(1), 99)
    wait_until(page, lambda: bool(page.evaluate("document.querySelector('video').paused")))


def test_over_plain_http_iphones_show_the_setting_that_keeps_them_awake(
    live_app: str, new_context: NewContext
) -> None:
    party = sit_down(("Ana",), TINY)
    for agent, is_told in (("iPhone; CPU iPhone OS 17_0", True), ("Linux; Android 14", False)):
        context = new_context("phone")
        context.add_init_script(
            f"""delete Navigator.prototype.wakeLock;
            Object.defineProperty(navigator, "userAgent", {{ value: "Mozilla/5.0 ({agent})" }});"""
        )
        context.add_cookies([{"name": "dizzle_seat", "value": party.tokens[0], "url": live_app}])
        page = context.new_page()
        page.goto(f"{live_app}/table/{party.code}/")
        page.wait_for_load_state("networkidle")
        page.locator(".task").click()
        expect(page.get_by_text("Auto-Lock")).to_be_visible(visible=is_told)
        expect(page.locator("video")).to_have_count(0 if is_told else 1)


def test_bots_play_on_and_the_page_follows(open_seat: OpenPhone) -> None:
    party = sit_down(("Ana", "Ben"), TINY, "rolled", start=False)
    seating.free_seat(party.access(1), 1)
    seating.seat_bot(party.access(), 1, "greedy")
    acts.start(party.access())
    page = open_seat(party)
    press(page, "Roll the dice")
    wait_until(page, lambda: party.game.phase != "roll")
    expect_up_to_date(page, party)
    while party.game.pass_number == 1:
        # During the bot's turn the page ignores taps, and it may not know yet that the turn
        # has ended.
        wait_until(page, lambda: party.game.player == 0 or party.game.pass_number > 1)
        expect_up_to_date(page, party)
        before = party.access().table.revision
        game = party.game
        if game.pass_number > 1:
            break
        if "drop" in game.may():
            # By keyboard, because a tap on a control that just changed is ignored.
            page.get_by_role("button", name="Drop out").press("Enter")
        elif game.phase == "return":
            field(page, game.level.names(game.sheets[0].dice)[0]).press("Enter")
            advance_clock(page)  # earlier presses count as double taps
        else:
            fields = next(fields for fields in game.legal().values() if fields)
            field(page, fields[0]).press("Enter")
        wait_until(page, lambda before=before: party.access().table.revision > before)  # type: ignore[misc]
        expect_up_to_date(page, party)
    skip_story(page)


def test_a_guest_becomes_host_when_nothing_has_happened_for_a_minute(open_seat: OpenPhone) -> None:
    party = sit_down(level=TINY, dice="typed")
    ana, ben = open_seat(party, 0), open_seat(party, 1)
    ben.clock.install()
    ben.reload()
    offer = ben.locator("#_bar").get_by_text("Ana does not react …")
    expect(offer).to_be_hidden()
    ben.clock.fast_forward("01:01")
    offer.click()
    Table.objects.update(touched=timezone.now() - countdowns.HOST_SILENCE)
    ben.locator("#_bar").get_by_role("button", name="Wait 20 seconds").click()
    expect(ana.locator("#_hurry")).to_contain_text("Ben would like to become host")
    Entry.objects.update(made=timezone.now() - countdowns.COUNTDOWN)
    end_countdown(ben)
    ben.locator("#_hurry").get_by_role("button", name="Become host").click()
    expect(ben.locator("#_hurry")).to_be_empty()
    assert party.access(1).is_host
    # Ana returns and becomes host again.
    ana.goto(f"{ana.url}seats/")
    ana.get_by_role("button", name="Become host").click()
    expect(ana.locator("#seat-0")).to_contain_text("Host")
    assert party.access(0).is_host


def test_a_player_gets_a_lost_seat_back_with_one_tap_of_another(
    open_seat: OpenPhone, live_app: str, new_context: NewContext
) -> None:
    party = sit_down(level=TINY)
    ana = open_seat(party, 0)
    new = new_context("phone").new_page()
    new.goto(f"{live_app}/table/{party.code}/")
    new.get_by_role("button", name="I am Ben").click()
    expect(new.locator("#_claim")).to_contain_text("The other players are asked.")
    ana.locator("#_claim").get_by_role("button", name="Yes, that is Ben").click()
    expect(ana.locator("#_claim")).to_be_empty()
    # The new phone continues by itself, with Ben's sheet.
    tap(new, "b1")
    wait_until(new, lambda: party.game.sheets[1].dice.bit_count() == 1)


@pytest.mark.parametrize("device", ["phone", "desktop"])
@pytest.mark.parametrize(("level", "dice"), [(TINY, "rolled"), (TINY, "table"), (VOLCANO, "table")])
def test_the_board_stays_where_it_is_for_a_whole_game(
    open_seat: OpenPhone, level: dict[str, object], dice: str, device: str
) -> None:
    names = ("Jörg-Ödön Maximilian", "Wilhelmine Charlotte Augusta", "Cem")
    party = sit_down(names, level | {"dice": {"3": 4}, "rounds": {"3": 1}}, dice)
    page = open_seat(party, 0, device, "de")
    places: set[float] = set()
    random = Random(3)
    while not party.game.is_finished:
        game = party.game
        if game.phase == "open" and all(one.dice for one in game.sheets):
            party.done(*(n for n in range(3) if n not in party.loaded.state.done))
        else:
            move = random_move(game, random, lambda _game, _player, fields: fields[0])
            by = game.start_player if move.player < 0 else move.player
            if move.do == "end_pass":
                party.end_pass()
            else:
                party.act(move.do, move.player, move.at, by=by, shape=move.shape, die=move.die)
        expect_up_to_date(page, party)
        places.add(page.locator(".sheet-grid").evaluate("e => e.getBoundingClientRect().top"))
    assert len(places) == 1, places


COVERED_FIELDS = """() => {
  const boxOf = (one) => one.getBoundingClientRect();
  const boxes = [...document.querySelectorAll(".sayings > *")].map(boxOf);
  const notices = boxes.filter(({ height }) => height);
  const fields = [...document.querySelectorAll(".sheet-grid button")];
  const isUnder = (field) => notices.some(({ left, right, top, bottom }) =>
    field.left < right && left < field.right && field.top < bottom && top < field.bottom);
  return {
    notices: notices.length,
    outside: notices.filter(({ top, bottom }) => top < 0 || bottom > innerHeight).length,
    covered: fields.filter((one) => isUnder(boxOf(one))).map((one) => one.dataset.at),
    top: boxOf(fields[0]).top,
  };
}"""
"""Script that counts notices, those partly off the screen, and the fields they cover."""


def test_no_notice_covers_a_field_while_fields_take_dice(open_seat: OpenPhone) -> None:
    party = sit_down(("Jörg-Ödön Maximilian", "Ben", "Cem"), "level-3")
    page = open_seat(party, 1, "phone", "de")
    tops: dict[int, float] = {}
    faults: list[tuple[object, ...]] = []

    def expect_free(name: str) -> None:
        expect_up_to_date(page, party)
        expect(page.locator(".sheet-grid [data-hint]")).not_to_have_count(0)
        for width, height in ((390, 844), (1280, 800), (844, 390)):
            page.set_viewport_size({"width": width, "height": height})
            found = page.evaluate(COVERED_FIELDS)
            top = tops.setdefault(width, found["top"])
            if not found["notices"] or found["outside"] or found["covered"] or found["top"] != top:
                faults.append((name, width, found))

    field(page, "a1").click()
    expect(page.locator("#refusal")).to_be_visible()
    expect_free("refusal")
    tap(page, party.game.legal()[1][0])
    wait_until(page, lambda: bool(party.game.sheets[1].dice))
    acts.propose(party.access(2), 2, 1, request="")
    expect_free("proposal")
    number = party.loaded.state.proposal.number
    acts.answer(party.access(1), True, proposal=number, request="")
    expect_free("answered by oneself")
    acts.answer(party.access(0), True, proposal=number, request="")
    expect_free("agreed")
    page.locator(".answered").click()
    token = new_token()
    claims.claim(find_access(party.code, token), 2, token)
    refresh(page)
    expect(page.locator(".claim")).to_be_visible()
    expect_free("claim")
    page.locator(".claim [value=no]").click()
    expect(page.locator(".claim")).to_have_count(0)
    acts.pause(party.access(), 0, True)
    expect_free("pause")
    acts.pause(party.access(), 0, False)
    acts.start_countdown(party.access(), moment=party.loaded.state.moment, request="")
    expect_free("countdown")
    assert faults == []
