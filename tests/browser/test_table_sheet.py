"""My sheet at a table on a real phone: fast, honest about the network, and usable by everybody."""

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
from sheets.artwork.palette import contrast
from sheets.models import Entry, Table
from sheets.rules.level import SHAPES
from sheets.tables import claims, going_on, play, playing, seating
from sheets.tables.access import find_access
from tests.browser.axe import barriers_in_both_themes
from tests.browser.finger import let_pass, touch, touch_at
from tests.browser.room import too_small, too_wide
from tests.browser.table_phones import (
    NewContext,
    expect_begun,
    expect_fresh,
    field,
    mark,
    phone,
    press,
    refresh,
    skip_story,
    stretch_story,
    tap,
)
from tests.browser.waiting import run_out, wait_until
from tests.table_games import RAILS, TINY, VOLCANO, Party, next_move, play_on, sit_down

OpenPhone = Callable[..., Page]

UNREAD_MS = 500
"""Time after a tap before a button that has changed under it takes the next one."""


@pytest.fixture
def seat(live_app: str, new_context: NewContext) -> OpenPhone:
    """Open the page of a player: `seat(party, 0, "phone", "de", "dark")`."""

    def open_phone(party: Party, player: int = 0, *device: str) -> Page:
        return phone(live_app, new_context, party, player, *device)

    return open_phone


# A tap -------------------------------------------------------------------------------------------


def test_a_die_lies_there_before_the_server_has_answered(seat: OpenPhone) -> None:
    party = sit_down(level=TINY)
    page = seat(party)

    held: list[Route] = []
    page.route(re.compile("/act/"), lambda route: held.append(route))
    field(page, "b1").click()
    expect(mark(page, "b1")).to_have_attribute("href", "#art-die-2")
    wait_until(page, lambda: held)
    assert not party.game.sheets[0].dice
    held[0].continue_()
    wait_until(page, lambda: bool(party.game.sheets[0].dice))


def test_a_die_that_waits_since_before_an_update_is_placed(seat: OpenPhone) -> None:
    """The names and the shapes are those of the first version, and stay as they are."""
    party = sit_down(level=TINY)
    page = seat(party)
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
    page.evaluate("([name, acts]) => sessionStorage.setItem(name, acts)", [name, json.dumps([act])])
    page.evaluate("localStorage.setItem('dizzle.hints', 'no')")
    held: list[Route] = []
    page.route(re.compile("/act/"), lambda route: held.append(route))
    page.reload()
    expect(mark(page, "b1")).to_have_attribute("href", "#art-die-2")
    expect(page.locator("#table")).to_contain_class("no-hints")
    wait_until(page, lambda: held)
    held[0].continue_()
    wait_until(page, lambda: bool(party.game.sheets[0].dice))
    assert not page.evaluate("(name) => sessionStorage.getItem(name)", name)
    wait_until(
        page, lambda: "dizzle.table." not in page.evaluate("Object.keys(localStorage).join()")
    )


def test_a_nervous_double_tap_is_one_tap_and_a_later_one_takes_the_die_back(
    seat: OpenPhone,
) -> None:
    party = sit_down(level=TINY)
    page = seat(party)
    field(page, "b1").dblclick()
    expect(mark(page, "b1")).to_have_count(1)
    wait_until(page, lambda: party.access().table.length >= 1)
    page.wait_for_timeout(500)
    assert party.access().table.length == 1
    assert party.game.sheets[0].dice
    let_pass(page)
    field(page, "b1").click()
    expect(mark(page, "b1")).to_have_count(0)
    wait_until(page, lambda: party.access().table.length == 2)
    assert not party.game.sheets[0].dice


def test_a_nervous_double_tap_on_a_button_does_one_thing(seat: OpenPhone) -> None:
    party = sit_down(level=TINY)
    page = seat(party)
    tap(page, "b1", "c1", "d1")
    undo = page.locator("#_bar").get_by_role("button", name="Undo")
    wait_until(page, lambda: party.access().table.length == 3)
    for button, what in ((undo, "undo"), (page.get_by_role("button", name="Done"), "done")):
        # However long the test takes from tap to tap, they are quick for the page.
        page.evaluate("const now = performance.now(); performance.now = () => now")
        spot = centre(button)
        touch_at(page, *spot)
        wait_until(page, lambda what=what: party.loaded.entries[-1]["do"] == what)  # type: ignore[misc]
        expect_fresh(page, party)
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


def test_who_has_just_ended_a_pass_takes_it_back_and_nobody_hears_of_it_any_more(
    seat: OpenPhone,
) -> None:
    party = sit_down(level=TINY)
    ana, ben = seat(party, 0), seat(party, 1)
    for page in (ana, ben):
        stretch_story(page)
    tap(ana, "b1")
    party.done(1)
    expect_fresh(ana, party)
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
    # The offer goes by itself.
    offer = ana.locator("[data-key=undo]")
    expect(offer).to_contain_class("for-seconds")
    offer.evaluate("one => one.getAnimations()[0].finish()")
    expect(offer).to_be_hidden()


def test_who_is_quicker_than_the_server_loses_no_tap(
    seat: OpenPhone, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Alone with the app's dice one die follows the other, however long an answer takes."""
    dice = iter((2, 3, 4, 4, 4, 4, 4, 4))
    monkeypatch.setattr(playing, "_throw", lambda: next(dice, 6))
    party = sit_down(("Ana",), TINY, "rolled")
    party.act("roll", by=0)
    page = seat(party)
    held: list[Route] = []
    page.route(re.compile("/act/"), lambda route: held.append(route))
    tap(page, "b1")
    wait_until(page, lambda: held)
    let_pass(page)
    for _ in range(2):  # the second one is a nervous thumb's
        field(page, "c1").click()
    expect(page.locator("[data-field=c1][data-unsent]")).to_be_attached()
    let_pass(page)
    field(page, "b1").click()  # lies there already
    assert not party.game.sheets[0].dice
    page.unroute(re.compile("/act/"))  # which lets go on what was held
    expect(mark(page, "c1")).to_have_count(1)
    wait_until(page, lambda: bool(party.game.sheets[0].dice & party.game.level.mask(["c1"])))
    expect(page.locator("[data-unsent]")).to_have_count(0)
    placed = [entry["at"] for entry in party.loaded.entries if entry["do"] == "place"]
    assert placed == ["b1", "c1"]
    expect(page.locator("#refusal")).to_be_empty()


def test_a_tap_after_the_last_one_of_a_turn_is_told_whose_turn_it_is(seat: OpenPhone) -> None:
    party = sit_down(level=TINY, dice="typed")
    party.act("roll", by=0, dice=(2, 5, 4, 4, 4, 4, 4))
    page = seat(party)
    held: list[Route] = []
    page.route(re.compile("/act/"), lambda route: held.append(route))
    tap(page, "b1")
    wait_until(page, lambda: held)
    let_pass(page)
    field(page, "a2").click()
    page.unroute(re.compile("/act/"))  # which lets go on what was held
    expect(page.locator("#refusal")).to_contain_text("turn")
    assert party.access().table.length == 2


def test_undo_right_after_a_tap_takes_that_one_back(seat: OpenPhone) -> None:
    """Also where the server does not know of it yet, and once only."""
    party = sit_down(level=TINY)
    page = seat(party)
    tap(page, "b1", "c1")
    wait_until(page, lambda: party.game.sheets[0].dice.bit_count() == 2)
    expect_fresh(page, party)
    press(page, "Undo")
    expect(mark(page, "c1")).to_have_count(0)
    expect(mark(page, "b1")).to_have_count(1)
    wait_until(page, lambda: party.game.sheets[0].dice.bit_count() == 1)
    expect_fresh(page, party)
    let_pass(page, UNREAD_MS)
    page.context.set_offline(True)
    tap(page, "c1")
    for _ in range(2):
        press(page, "Undo")
        let_pass(page, UNREAD_MS)
    page.context.set_offline(False)
    wait_until(page, lambda: party.access().table.length == 5)
    expect_fresh(page, party)
    expect(mark(page, "c1")).to_have_count(0)
    expect(mark(page, "b1")).to_have_count(1)


def test_a_tap_counts_though_the_answer_to_the_one_before_is_late(seat: OpenPhone) -> None:
    party = sit_down(level=TINY, dice="typed")
    party.act("roll", by=0, dice=(1, 2, 3, 3, 5, 6, 6))
    page = seat(party)
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
    expect_fresh(page, party)
    wait_until(page, lambda: party.game.sheets[0].dice.bit_count() == 2)


def test_names_have_the_room_there_is(seat: OpenPhone) -> None:
    party = sit_down(("Ana", "Benjamin", "Cem", "Dora"), level=TINY)
    tablet = seat(party, 0, "desktop", "de")
    expect(tablet.locator(".undo-word")).to_be_visible()
    for width in (768, 820, 1280):
        tablet.set_viewport_size({"width": width, "height": 1000})
        button, word = tablet.locator("[data-key=undo] .button"), tablet.locator(".undo-word")
        outer, inner = button.bounding_box(), word.bounding_box()
        assert outer
        assert inner
        assert outer["x"] <= inner["x"]
        assert inner["x"] + inner["width"] <= outer["x"] + outer["width"]
    page = seat(party, 1)
    expect(page.locator(".undo-word")).to_be_hidden()
    last = page.locator("#_people li").last.bounding_box()
    assert last
    assert last["x"] + last["width"] <= 390
    cut = "all => all.map(one => one.scrollWidth > one.clientWidth)"
    names = page.locator(".tab-name > span")
    assert names.evaluate_all(cut) == [False] * 4


def test_who_comes_late_sits_down_where_somebody_got_up(
    live_app: str, new_context: NewContext
) -> None:
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


def test_a_seat_is_freed_after_a_countdown_and_its_phone_is_told(seat: OpenPhone) -> None:
    party = sit_down(level=TINY)
    ana, ben = seat(party, 0), seat(party, 1)
    ana.locator("#_links").get_by_role("link", name="Players and seats").click()
    ana.get_by_text("Free the seat of Ben …").click()
    count_down = ana.locator(".free-seat").get_by_role("button", name="Count down")
    expect(count_down).not_to_have_css("padding-left", "0px")
    count_down.click()
    expect(count_down).to_have_count(0)
    ben.locator(".task").click()
    expect(ben.locator("#_hurry")).to_be_empty()
    ana.get_by_text("Free the seat of Ben …").click()
    count_down.click()
    expect(ben.locator("[data-seconds]")).to_be_visible()
    Entry.objects.update(made=timezone.now() - going_on.COUNTDOWN)
    run_out(ana)
    ana.get_by_text("Free the seat of Ben …").click()
    ana.get_by_role("button", name="Free the seat").click()
    expect(ben.get_by_role("alert")).to_contain_text("has lost its seat")


def test_taps_without_a_network_arrive_later_in_their_order(
    seat: OpenPhone, page_errors: list[str]
) -> None:
    party = sit_down(level=TINY)
    page = seat(party)
    page.context.set_offline(True)
    expect(page.locator("#connection")).to_be_visible()
    tap(page, "b1", "c1", "d1")
    press(page, "Done")
    # What the server does not have yet says so, and looks so.
    expect(page.locator("#connection")).to_contain_text("Waits to be sent: b1, c1, d1, Done")
    expect(page.locator("[data-field=c1] > .over")).to_have_css("opacity", "0.45")
    expect(page.locator("[data-key=done] button")).to_have_css("opacity", "0.45")
    page.context.set_offline(False)
    wait_until(page, lambda: party.game.sheets[0].dice.bit_count() == 3)
    expect(page.locator("#connection")).to_be_hidden()
    expect(mark(page, "d1")).to_have_count(1)
    page_errors.clear()  # the browser reports each request that failed


def test_a_refusal_says_why_where_to_read_and_goes_away(seat: OpenPhone) -> None:
    party = sit_down(level=TINY)
    page = seat(party)
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


def test_no_button_moves_or_hides_while_something_is_said(seat: OpenPhone) -> None:
    party = sit_down(("Ana", "Ben", "Cem"), RAILS | {"rounds": {"3": 2}})
    page = seat(party)
    places = """all => all.map((one) =>
      [one.textContent, ...Object.values(one.getBoundingClientRect().toJSON())])"""

    def buttons(found: str = "#_bar button, .sheet-grid button") -> list[object]:
        seen: list[object] = page.locator(found).evaluate_all(places)
        return seen

    # The very first die of a pass goes beside the printed track.
    at, far = "b1", "c3"
    before = buttons()
    field(page, far).click()
    expect(page.get_by_role("alert")).to_be_visible()
    assert buttons() == before
    page.get_by_role("alert").click()
    expect(page.get_by_role("alert")).to_be_hidden()
    for player in range(3):
        party.act("place", player, at)
    expect_fresh(page, party)
    before = buttons()
    play.propose(party.access(1), 1, 1, request="")
    expect(page.locator("#_proposal")).to_contain_text("Ben proposes")
    assert buttons() == before
    # What somebody else draws is told, and nobody waits for it; what one draws oneself is not told.
    # Nor while one may take back that the pass has ended.
    party.done(1, 2)
    expect_fresh(page, party)
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
    expect_fresh(page, party)
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
        # Asked in one go: the field is not refused for long.
        style = """() => {
            const refused = document.querySelector(".refused");
            return refused && getComputedStyle(refused).animationName;
        }"""
        assert page.wait_for_function(style).json_value() == animation


def test_a_pass_that_ended_meanwhile_is_told_and_shown(seat: OpenPhone) -> None:
    party = sit_down(level=TINY)
    page = seat(party)

    def late(route: Route) -> None:
        if party.game.pass_number == 1:
            party.act("end_pass", by=0)
        route.continue_()

    page.route(re.compile("/act/"), late)
    field(page, "b1").click()
    expect(page.get_by_role("alert")).to_contain_text("The game has moved on")
    expect(mark(page, "b1")).to_have_count(0)


# Sheets ------------------------------------------------------------------------------------------


def test_other_sheets_are_one_key_tap_or_swipe_away(seat: OpenPhone) -> None:
    party = sit_down(level=TINY)
    party.act("place", 1, "a2")
    page = seat(party)
    expect(mark(page, "a2")).to_have_count(0)
    # Speech input presses single characters by chance, so they need the focus in the sheet.
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


def test_two_seats_on_one_tablet_are_switched_by_one_tap(seat: OpenPhone) -> None:
    party = sit_down(level=TINY, dice="typed")
    seating.free_seat(party.access(1), 1)
    seating.take_seat(find_access(party.code), 1, "Kim", party.tokens[0])
    page = seat(party)
    for die in "1223556":
        page.locator(f"#_bar [data-die='{die}']").click()
    press(page, "Rolled")
    expect(field(page, "b1")).to_have_attribute("data-hint", "strong")
    tap(page, "b1")
    page.get_by_role("link", name="To Kim").click()
    expect(field(page, "a2")).to_have_attribute("data-hint", "strong")
    tap(page, "a2")
    wait_until(page, lambda: bool(party.game.sheets[1].dice))


def test_hints_are_switched_off_for_purists_on_this_device(seat: OpenPhone) -> None:
    party = sit_down(level=TINY)
    page = seat(party)
    shadow = "getComputedStyle(document.querySelector('[data-hint=strong]')).boxShadow"
    assert page.evaluate(shadow) != "none"
    page.get_by_label("Show where dice can go").uncheck()
    assert page.evaluate(shadow) == "none"
    page.reload()
    assert page.evaluate(shadow) == "none"


def test_a_pass_end_is_told_once_and_can_be_read_again(seat: OpenPhone) -> None:
    party = sit_down(level=TINY)
    page = seat(party, 1)
    # The line that shows something on this sheet stays until it is skipped.
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
    expect(telling).to_contain_text("The bomb on c1 goes off on the sheet of Ben.")
    expect(page.locator("[data-field=c1]")).to_have_class(re.compile(r"\blit\b"))
    heard = page.get_by_role("log")
    expect(heard).to_contain_text(
        "Ana crosses b1, c1 and d1. The bomb on c1 goes off on the sheet of Ben."
    )
    telling.get_by_role("button", name="Skip").click()
    expect(telling).to_be_hidden()
    expect(page.locator(".lit")).to_have_count(0)
    # What shows nothing on this sheet is over sooner.
    lasts = page.evaluate("lasts")
    bomb = lasts["The bomb on c1 goes off on the sheet of Ben."]
    assert lasts["Ana crosses b1, c1 and d1."] < bomb
    page.get_by_text("How pass 1 ended").click()
    expect(page.locator("#_story li")).to_have_count(3)
    page.reload()
    expect(page.locator(".sheet-grid")).to_be_visible()
    expect(telling).to_be_hidden()


def test_a_proposal_asks_the_others_and_everybody_sees_it_happen(seat: OpenPhone) -> None:
    party = sit_down(level=TINY)
    ana, ben = seat(party, 0), seat(party, 1)
    tap(ana, "b1")
    ben.get_by_text(f"Table {party.typed_code}").click()
    ben.locator("#_links").get_by_role("link", name="Log, and way back").click()
    ben.get_by_role("link", name="Back to before").first.click()
    ben.get_by_role("button", name="Propose it").click()
    card = ana.locator(".proposal")
    expect(card).to_contain_text("Ben proposes to go back to before “Ana: 2 on b1”.")
    card.get_by_role("button", name="Agree").click()
    expect(mark(ana, "b1")).to_have_count(0)
    expect(card).to_have_count(0)
    assert not party.game.sheets[0].dice


def test_the_host_goes_on_without_somebody_unless_they_touch_anything(seat: OpenPhone) -> None:
    party = sit_down(level=TINY, dice="typed")
    party.act("roll", by=0, dice=(1, 2, 2, 3, 5, 5, 6))
    party.act("place", 0, "b1", die=2)
    ana, ben = seat(party, 0), seat(party, 1)
    ana.get_by_text("Don’t wait …").click()
    ana.get_by_role("button", name="Count down").click()
    expect(ana.locator("#_hurry")).to_contain_text("Waiting for Ben to react.")
    expect(ben.locator("#_hurry")).to_contain_text("Ana would like to go on without you.")
    left = int(ben.locator("[data-seconds]").inner_text())
    wait_until(ben, lambda: int(ben.locator("[data-seconds]").inner_text()) < left)
    ben.locator(".task").click()
    expect(ben.locator("#_hurry")).to_be_empty()
    expect(ana.locator("#_hurry")).to_be_empty()
    ana.get_by_text("Don’t wait …").click()
    ana.get_by_role("button", name="Count down").click()
    expect(ben.locator("[data-seconds]")).to_be_visible()
    Entry.objects.update(made=timezone.now() - going_on.COUNTDOWN)
    # Its own seconds over, the phone asks what it may do now.
    run_out(ana)
    ana.get_by_text("Go on for Ben …").click()
    expect(ana.locator(".go-on-ask")).to_contain_text("A bot places a die for Ben.")
    ana.get_by_role("button", name="Decide for Ben").click()
    wait_until(ana, lambda: bool(party.game.sheets[1].dice))


def test_a_proposal_stands_above_the_thumb_calls_and_can_be_taken_back(
    live_app: str, new_context: NewContext, seat: OpenPhone
) -> None:
    party = sit_down(level=TINY)
    party.act("place", 0, "b1")
    ana = watch_vibration(live_app, new_context, party, 0)
    ben = seat(party, 1)
    ana.locator(".task").click()
    ana.evaluate("scrollTo(0, 60)")
    before = field(ana, "a1").bounding_box()
    play.propose(party.access(1), 1, 1, request="")
    expect(ana.locator(".proposal")).to_be_in_viewport(ratio=1)
    assert field(ana, "a1").bounding_box() == before
    expect(ana).to_have_title(f"● Go back? · {party.typed_code} · Dizzle Companion")
    ana.wait_for_function("window.vibrated")
    ben.get_by_role("button", name="Take the proposal back").click()
    expect(ana.locator(".proposal")).to_have_count(0)
    assert party.game.sheets[0].dice


def test_the_host_goes_back_alone_only_after_a_countdown_that_a_touch_stops(
    seat: OpenPhone,
) -> None:
    party = sit_down(("Ana", "Ben", "Cem"), TINY)
    party.act("place", 0, "b1")
    play.propose(party.access(0), 0, 1, request="")
    number = party.loaded.state.proposal.number
    play.answer(party.access(1), True, proposal=number, request="")
    ana, cem = seat(party, 0), seat(party, 2)
    asked = ana.locator(".proposal")

    def count_down() -> None:
        asked.get_by_text("Don’t wait …").click()
        asked.get_by_role("button", name="Count down").click()
        expect(ana.locator("#_hurry")).to_contain_text("Waiting for Cem to react.")
        expect(cem.locator("#_hurry")).to_contain_text("would like to go back without your answer")

    count_down()
    expect(cem.locator(".hurry")).to_be_in_viewport(ratio=1)
    expect(cem.locator(".proposal")).to_be_in_viewport(ratio=1)
    cem.locator("#_points h2").click()
    expect(ana.locator("#_hurry")).to_be_empty()
    expect(asked.get_by_text("Go back without")).to_have_count(0)
    count_down()
    Entry.objects.update(made=timezone.now() - going_on.COUNTDOWN)
    run_out(ana)
    asked.get_by_text("Go back without Cem …").click()
    expect(asked).to_contain_text("The log says that you decided it.")
    asked.get_by_role("button", name="Go back", exact=True).click()
    expect(cem.locator(".answered")).to_contain_text("Ana has decided it")
    assert not party.game.sheets[0].dice


def test_the_countdown_of_a_proposal_is_within_small_screens(
    live_app: str, new_context: NewContext
) -> None:
    names = ("Maximiliane Anna Lang", "Friederike Sophie Lang", "Bartholomäus Jo Lang")
    party = sit_down(names, TINY)
    for player in range(3):
        for at in ("b1", "c1"):
            party.act("place", player, at)
    play.propose(party.access(0), 0, 1, request="")
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
    Entry.objects.update(made=timezone.now() - going_on.COUNTDOWN)
    run_out(host)
    expect_seen(summary, host.locator(".hurry"))
    summary.click()
    expect_seen(asked.locator("[value=alone]"))


def test_what_became_of_a_proposal_stays_until_it_has_been_seen(
    live_app: str, new_context: NewContext, seat: OpenPhone
) -> None:
    party = sit_down(("Ana", "Ben", "Cem"), TINY)
    party.act("place", 0, "b1")
    play.propose(party.access(1), 1, 1, request="")
    context = new_context("phone")
    context.add_cookies([{"name": "dizzle_seat", "value": party.tokens[0], "url": live_app}])
    ana = context.new_page()
    ana.clock.install()
    ana.goto(f"{live_app}/table/{party.code}/")
    ben, cem = seat(party, 1), seat(party, 2)
    ana.locator(".proposal").get_by_role("button", name="No", exact=True).click()
    said = "Ana said no to the proposal of Ben"
    for page in (ana, ben, cem):
        expect(page.locator(".answered")).to_contain_text(said)
    # What the others do leaves it there; so does a tap before anybody can have read it.
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
    # Whoever taps the sentence itself has read it.
    ben.locator(".answered").click()
    expect(ben.locator("#_proposal")).to_be_hidden()
    assert not party.game.sheets[1].dice
    expect(cem.locator(".answered")).to_contain_text(said)
    play.propose(party.access(1), 1, 1, request="")
    for page in (ana, ben, cem):
        expect(page.locator(".proposal")).to_be_visible()


def test_the_title_calls_whose_turn_it_is_and_acts_are_seen_and_heard(
    live_app: str, new_context: NewContext, seat: OpenPhone
) -> None:
    party = sit_down(level=TINY, dice="typed")
    ana = seat(party, 0)
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
    """Open a player's page that stores each vibration in `window.vibrated`."""
    context = new_context("phone")
    context.add_init_script("navigator.vibrate = (pattern) => { window.vibrated = pattern; }")
    context.add_cookies([{"name": "dizzle_seat", "value": party.tokens[player], "url": live_app}])
    page = context.new_page()
    page.goto(f"{live_app}/table/{party.code}/")
    return page


HEARD = """window.heard = [];
const { start } = OscillatorNode.prototype;
OscillatorNode.prototype.start = function (when) {
  window.heard.push(this.frequency.value);
  start.call(this, when);
};"""
"""Store the frequency of each note that a page plays in `window.heard`."""


def test_a_sound_calls_players_who_have_switched_it_on(
    live_app: str, new_context: NewContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    dice = itertools.cycle(range(1, 7))
    monkeypatch.setattr(playing, "_throw", lambda: next(dice))
    party = sit_down(dice="rolled")
    party.act("roll", by=0)
    context = new_context("phone", "de")
    context.add_init_script(HEARD)
    context.add_cookies([{"name": "dizzle_seat", "value": party.tokens[1], "url": live_app}])
    page = context.new_page()
    page.goto(f"{live_app}/table/{party.code}/")

    def expect_heard(number: int) -> None:
        wait_until(page, lambda: len(page.evaluate("window.heard")) == 2 * number)

    def place(player: int) -> None:
        die, fields = next((die, at) for die, at in party.game.legal().items() if at)
        party.act("place", player, fields[0], die=die)
        expect_fresh(page, party)

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
"""A word's colour, and that of the bar it stands on."""


def test_typing_a_roll_survives_what_others_do(seat: OpenPhone) -> None:
    party = sit_down(level=TINY, dice="typed")
    page = seat(party)
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


def test_focus_and_scroll_stay_when_others_act(seat: OpenPhone) -> None:
    party = sit_down(level=TINY)
    page = seat(party)
    field(page, "c3").focus()
    page.evaluate("scrollTo(0, 120)")
    before = page.evaluate("scrollY")
    party.act("place", 1, "a2")
    party.done(1)
    expect(page.locator("#_people .awaited")).to_have_count(1)
    assert page.evaluate("document.activeElement.dataset.at") == "c3"
    assert page.evaluate("scrollY") == before


def test_what_is_asked_stays_marked_while_a_story_is_told_and_without_hints(
    seat: OpenPhone,
) -> None:
    grid = ["1  2Fr 3S", *RAILS["grid"][1:]]
    flags = {**RAILS, "grid": grid, "points": {"stop": 4, "flag": {"red": [10, 6]}}}
    party = sit_down(("Ana",), flags)
    page = seat(party)
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
    seat: OpenPhone, device: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On no field is a piece first, marked or focused because it joins more tracks."""
    dice = itertools.cycle(range(1, 7))
    monkeypatch.setattr(playing, "_throw", lambda: next(dice))
    party = sit_down(("Ana", "Ben", "Cem"), "level-8", "rolled")
    party.act("roll", by=0)
    while party.game.phase == "turn":
        die, at = next(((die, at[0]) for die, at in party.game.legal().items() if at), (0, ""))
        party.act("place" if die else "drop", party.game.player, at, die=die)
    last = party.loaded.entries[-1]["player"]
    page = seat(party, last, device)
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
    assert lowest["y"] + lowest["height"] <= dock["y"]


def test_the_game_begins_at_the_top_of_the_page(seat: OpenPhone) -> None:
    party = sit_down(("Ana", "Ben", "Cem"), "level-2", start=False)
    ana, ben = seat(party, 0), seat(party, 1)
    ben.evaluate("scrollTo(0, 9999)")
    assert ben.evaluate("scrollY") > 100
    ana.get_by_role("button", name="Begin the game").click()
    expect_begun(ana, ben)
    for page in (ana, ben):
        page.wait_for_timeout(200)
        assert page.evaluate("scrollY") == 0


# For everybody -----------------------------------------------------------------------------------


def test_a_pass_by_keyboard_alone(seat: OpenPhone) -> None:
    party = sit_down(("Ana",), TINY)
    page = seat(party, 0, "desktop")
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
    expect_fresh(page, party)
    expect(page.locator("#_bar [name=done]")).to_be_focused()


def test_a_key_leads_from_field_to_field_that_takes_a_die(seat: OpenPhone) -> None:
    page = seat(sit_down(level=TINY), 0, "desktop")
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
def test_axe_finds_nothing(live_app: str, seat: OpenPhone) -> None:
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
    play.propose(mirror.access(1), 1, number + 1, request="")
    pages = [seat(party, 0, "phone", "de") for party in (lobby, typed, rails, mirror)]
    for page in pages:
        page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    field(pages[-1], "a1").click()
    expect(pages[-1].get_by_role("alert")).to_be_visible()
    for path in ("/table/", "/table/new/"):
        page = pages[0].context.new_page()
        page.goto(live_app + path)
        pages.append(page)
    faults: dict[str, object] = {}
    for page in pages:
        found = (barriers_in_both_themes(page), max(0, too_wide(page)), too_small(page))
        if any(found):
            faults[page.url] = found
    assert faults == {}
    begin = pages[0].get_by_role("button", name="Spiel beginnen")
    expect(begin).to_be_in_viewport(ratio=1)
    for width, height, size in ((1280, 800, ""), (320, 568, ""), (320, 568, "200%")):
        for page in pages[:4]:
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate("(size) => (document.documentElement.style.fontSize = size)", size)
            if page is pages[0] or not size:
                assert too_wide(page) <= 0, (page.url, width, size)


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
"""Measures of a sheet's page."""


def layout_faults(page: Page, is_across: bool) -> list[str]:
    """Return what is too small, too wide, broken or covered on a phone held either way."""
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
    play.hurry(late.access(), moment=late.loaded.state.moment, request="")
    Entry.objects.update(made=timezone.now() - going_on.COUNTDOWN)
    faults: dict[str, list[str]] = {}
    for name, party in (("castle", castle), ("tracks", tracks)):
        page = phone(live_app, new_context, party, 0)
        faults[name] = layout_faults(page, is_across=False)
        page.set_viewport_size({"width": 844, "height": 390})
        faults[f"{name} across"] = layout_faults(page, is_across=True)
    assert page.locator("#_bar .piece").count() == 6
    page = phone(live_app, new_context, turn, 0, "phone", "de")
    faults["turn"] = layout_faults(page, is_across=False)
    # Going back is not the biggest button.
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


def test_over_plain_http_iphones_read_which_setting_keeps_them_awake(
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


def test_bots_play_on_and_the_page_follows(seat: OpenPhone) -> None:
    party = sit_down(("Ana", "Ben"), TINY, "rolled", start=False)
    seating.free_seat(party.access(1), 1)
    seating.seat_bot(party.access(), 1, "greedy")
    play.start(party.access())
    page = seat(party)
    press(page, "Roll the dice")
    wait_until(page, lambda: party.game.phase != "roll")
    expect_fresh(page, party)
    while party.game.pass_number == 1:
        # While it is the bot's turn its page takes no taps, and it may not have heard yet that it
        # no longer is.
        wait_until(page, lambda: party.game.player == 0 or party.game.pass_number > 1)
        expect_fresh(page, party)
        before = party.access().table.revision
        game = party.game
        if game.pass_number > 1:
            break
        if "drop" in game.may():
            # By a key: a tap where just now something else stood would be a nervous thumb's.
            page.get_by_role("button", name="Drop out").press("Enter")
        elif game.phase == "return":
            field(page, game.level.names(game.sheets[0].dice)[0]).press("Enter")
            let_pass(page)  # sooner it is a nervous thumb that presses it again
        else:
            fields = next(fields for fields in game.legal().values() if fields)
            field(page, fields[0]).press("Enter")
        wait_until(page, lambda before=before: party.access().table.revision > before)  # type: ignore[misc]
        expect_fresh(page, party)
    skip_story(page)


def test_a_guest_becomes_host_when_nothing_has_happened_for_a_minute(seat: OpenPhone) -> None:
    party = sit_down(level=TINY, dice="typed")
    ana, ben = seat(party, 0), seat(party, 1)
    ben.clock.install()
    ben.reload()
    offer = ben.locator("#_bar").get_by_text("Ana does not react …")
    expect(offer).to_be_hidden()
    ben.clock.fast_forward("01:01")
    offer.click()
    Table.objects.update(touched=timezone.now() - going_on.HOST_SILENCE)
    ben.locator("#_bar").get_by_role("button", name="Count down").click()
    expect(ana.locator("#_hurry")).to_contain_text("Ben would like to become host")
    Entry.objects.update(made=timezone.now() - going_on.COUNTDOWN)
    run_out(ben)
    ben.locator("#_hurry").get_by_role("button", name="Become host").click()
    expect(ben.locator("#_hurry")).to_be_empty()
    assert party.access(1).is_host
    # Ana comes back, and takes the role back.
    ana.goto(f"{ana.url}seats/")
    ana.get_by_role("button", name="Become host").click()
    expect(ana.locator("#seat-0")).to_contain_text("Host")
    assert party.access(0).is_host


def test_a_player_gets_a_lost_seat_back_with_one_tap_of_another(
    seat: OpenPhone, live_app: str, new_context: NewContext
) -> None:
    party = sit_down(level=TINY)
    ana = seat(party, 0)
    new = new_context("phone").new_page()
    new.goto(f"{live_app}/table/{party.code}/")
    new.get_by_role("button", name="I am Ben").click()
    expect(new.locator("#_claim")).to_contain_text("The other players are asked.")
    ana.locator("#_claim").get_by_role("button", name="Yes, that is Ben").click()
    expect(ana.locator("#_claim")).to_be_empty()
    # The new phone goes on by itself, on Ben's sheet.
    tap(new, "b1")
    wait_until(new, lambda: party.game.sheets[1].dice.bit_count() == 1)


@pytest.mark.parametrize("device", ["phone", "desktop"])
@pytest.mark.parametrize(("level", "dice"), [(TINY, "rolled"), (TINY, "table"), (VOLCANO, "table")])
def test_the_board_stays_where_it_is_for_a_whole_game(
    seat: OpenPhone, level: dict[str, object], dice: str, device: str
) -> None:
    names = ("Jörg-Ödön Maximilian", "Wilhelmine Charlotte Augusta", "Cem")
    party = sit_down(names, level | {"dice": {"3": 4}, "rounds": {"3": 1}}, dice)
    page = seat(party, 0, device, "de")
    places: set[float] = set()
    random = Random(3)
    while not party.game.is_finished:
        game = party.game
        if game.phase == "open" and all(one.dice for one in game.sheets):
            party.done(*(n for n in range(3) if n not in party.loaded.state.done))
        else:
            move = next_move(game, random, lambda _game, _player, fields: fields[0])
            by = game.start_player if move.player < 0 else move.player
            if move.do == "end_pass":
                party.end_pass()
            else:
                party.act(move.do, move.player, move.at, by=by, shape=move.shape, die=move.die)
        expect_fresh(page, party)
        places.add(page.locator(".sheet-grid").evaluate("e => e.getBoundingClientRect().top"))
    assert len(places) == 1, places


COVERED = """() => {
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
"""The number of notices, how many are partly outside the screen, and which fields they cover."""


def test_no_notice_covers_a_field_while_fields_take_dice(seat: OpenPhone) -> None:
    party = sit_down(("Jörg-Ödön Maximilian", "Ben", "Cem"), "level-3")
    page = seat(party, 1, "phone", "de")
    tops: dict[int, float] = {}
    faults: list[tuple[object, ...]] = []

    def expect_free(name: str) -> None:
        expect_fresh(page, party)
        expect(page.locator(".sheet-grid [data-hint]")).not_to_have_count(0)
        for width, height in ((390, 844), (1280, 800), (844, 390)):
            page.set_viewport_size({"width": width, "height": height})
            found = page.evaluate(COVERED)
            top = tops.setdefault(width, found["top"])
            if not found["notices"] or found["outside"] or found["covered"] or found["top"] != top:
                faults.append((name, width, found))

    field(page, "a1").click()
    expect(page.locator("#refusal")).to_be_visible()
    expect_free("refusal")
    tap(page, party.game.legal()[1][0])
    wait_until(page, lambda: bool(party.game.sheets[1].dice))
    play.propose(party.access(2), 2, 1, request="")
    expect_free("proposal")
    number = party.loaded.state.proposal.number
    play.answer(party.access(1), True, proposal=number, request="")
    expect_free("answered by oneself")
    play.answer(party.access(0), True, proposal=number, request="")
    expect_free("agreed")
    page.locator(".answered").click()
    token = new_token()
    claims.claim(find_access(party.code, token), 2, token)
    refresh(page)
    expect(page.locator(".claim")).to_be_visible()
    expect_free("claim")
    page.locator(".claim [value=no]").click()
    expect(page.locator(".claim")).to_have_count(0)
    play.pause(party.access(), 0, True)
    expect_free("pause")
    play.pause(party.access(), 0, False)
    play.hurry(party.access(), moment=party.loaded.state.moment, request="")
    expect_free("countdown")
    assert faults == []
