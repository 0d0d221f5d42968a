"""Scoring of paper sheets: bad networks, several devices, keyboard, no script."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from sheets.documents import structure
from sheets.levels import find_level
from sheets.scoring import changes, store
from sheets.scoring.acts import Act
from tests.browser.axe import axe_violations, axe_violations_in_both_themes
from tests.browser.conftest import MakePath, OpenPage
from tests.browser.layout_checks import small_targets
from tests.browser.polling import SHORT_TIMEOUT, close_offline, follow_link, wait_until
from tests.browser.touch import advance_clock, touch
from tests.score_levels import GARDEN, RAILS, STREETS, VOLCANO, sheets_document

POLL_MS = 7000
"""Interval between requests for the marks of other devices (`score/acts.js`)."""

BOTH = ({"player": "Ana"}, {"player": "Ben"})
"""Players of the sheets."""


@pytest.fixture
def make_scoring(transactional_db: None) -> Callable[..., str]:
    """Store a scoring and return its path ``/score/KEY/``."""

    def make(level: dict[str, Any] | str = GARDEN, *sheets: dict[str, Any]) -> str:
        text = json.dumps(sheets_document(level, *(sheets or BOTH)))  # type: ignore[arg-type]
        paper = structure.read_sheets(text.encode(), find_level)
        return f"/score/{store.create_from_paper(paper)}/"

    return make


def field(page: Page, name: str) -> Any:
    return page.locator(f".sheet-grid [data-at={name}]")


def tap_after(page: Page, found: Any, quiet_ms: int) -> None:
    """Tap with a finger this long after the last tap, by the page's own clock."""
    page.evaluate(
        "(ms) => { const at = (window.at ?? performance.now()) + ms; window.at = at;"
        " performance.now = () => at; }",
        quiet_ms,
    )
    touch(found)


def total(page: Page) -> Any:
    return page.locator("#total")


def stored(path: str, number: int = 1) -> dict[str, str]:
    """Return the stored marks from the database."""
    scoring = store.find(path.split("/")[2]).resource
    return store.read_sheets(scoring)[number].marks


def expect_marked(page: Page, name: str, marks: int = 1) -> None:
    """Wait until a field shows this number of marks, also after a reload."""
    drawn = page.locator(f"[data-field={name}] > :is(.over, .top) > use")
    expect(drawn).to_have_count(marks)


def test_taps_are_scored_and_stored(open_page: OpenPage, make_scoring: MakePath) -> None:
    path = make_scoring()
    page = open_page(f"{path}1/")
    lock = page.locator("[data-lock=red]")
    expect(lock.locator(".open")).to_be_hidden()
    field(page, "a1").click(force=True)
    expect(page.locator("#refusal")).to_have_text("That is printed on the sheet and stays.")
    for name in ("b1", "a2", "b2", "c2", "d2"):
        field(page, name).click()
    expect(lock.locator(".shut")).to_be_hidden()  # a2 is its key
    # gem b1: 2; row 2: 5; area c2 d2: 6; heap d2: -3
    expect(total(page)).to_have_text(re.compile(r"\b10$"))
    expect(page.locator(".tabs [aria-current]")).to_have_text(re.compile("Ana.*10"))
    wait_until(page, lambda: stored(path) == dict.fromkeys(("b1", "a2", "b2", "c2", "d2"), "cross"))
    page.reload()
    expect(total(page)).to_have_text(re.compile(r"\b10$"))
    expect_marked(page, "b2")
    expect(field(page, "b1")).to_have_accessible_name("b1, 5, yellow gem, crossed")


def test_tap_shows_at_once_on_a_slow_network(open_page: OpenPage, make_scoring: MakePath) -> None:
    path = make_scoring()
    page = open_page(f"{path}1/")

    held: list[Route] = []
    page.route("**/acts/", lambda route: held.append(route))
    marks_with_the_tap = page.evaluate(
        """() => {
            document.querySelector("[data-at=b1]").click();
            return document.querySelectorAll("[data-field=b1] > .over > use").length;
        }"""
    )
    assert marks_with_the_tap == 1
    expect(page.locator("#saving")).to_have_text("Not saved yet")
    assert stored(path) == {}
    held.pop().continue_()
    expect(page.locator("#saving")).to_have_text("")
    assert stored(path) == {"b1": "cross"}


def test_without_network_nothing_is_lost(
    open_page: OpenPage, make_scoring: MakePath, page_errors: list[str]
) -> None:
    path = make_scoring()
    page = open_page(f"{path}1/")
    page.context.set_offline(True)
    for name in ("b1", "c1", "", "c1", "c2"):
        if name:
            field(page, name).click()
        else:
            advance_clock(page)
    page.locator("#turn-back [value=undo]").click()
    expect_marked(page, "c1")
    expect_marked(page, "c2", 0)
    expect(page.locator("#saving")).to_have_text("Not saved yet")
    assert stored(path) == {}
    page.context.set_offline(False)
    wait_until(page, lambda: stored(path) == {"b1": "cross", "c1": "exploded"})
    expect(page.locator("#saving")).to_have_text("")
    page_errors.clear()  # Chromium logs every failed request


def test_closing_the_browser_before_it_is_saved_loses_nothing(
    open_page: OpenPage, live_app: str, make_scoring: MakePath
) -> None:
    path = make_scoring()
    page = open_page(f"{path}1/")
    page.context.set_offline(True)
    field(page, "b1").click()
    field(page, "c2").click()
    context = close_offline(page)
    assert stored(path) == {}
    again = context.new_page()
    again.goto(f"{live_app}{path}1/")
    expect_marked(again, "b1")
    wait_until(again, lambda: stored(path) == {"b1": "cross", "c2": "cross"})


def test_results_wait_for_the_last_taps(
    open_page: OpenPage, live_app: str, make_scoring: MakePath
) -> None:
    path = make_scoring()
    page = open_page(f"{path}1/")
    page.context.set_offline(True)
    field(page, "b1").click()
    context = close_offline(page)
    results = context.new_page()
    results.goto(live_app + path)
    expect(results.locator("tfoot td").first).to_have_text("2")


def test_results_know_when_the_last_taps_are_stored_already(
    open_page: OpenPage, live_app: str, make_scoring: MakePath
) -> None:
    """The server had the taps before it rendered the results, but its answer was lost."""
    path = make_scoring()
    page = open_page(f"{path}1/")
    with page.expect_request("**/acts/") as request:
        field(page, "b1").click()
    wait_until(page, lambda: stored(path) == {"b1": "cross"})
    name = f"dizzle.outbox.{path.split('/')[2]}"
    wait_until(page, lambda: page.evaluate("(name) => localStorage.getItem(name)", name) is None)
    acts = json.dumps(request.value.post_data_json["acts"])
    page.evaluate("([name, acts]) => localStorage.setItem(name, acts)", [name, acts])
    held: list[Route] = []
    page.route("**/acts/", lambda route: held.append(route))
    page.goto(live_app + path)
    expect(page.locator("#waiting")).to_be_visible()
    held.pop().continue_()
    expect(page.locator("#waiting")).to_be_hidden()


def test_outdated_results_are_replaced(
    open_page: OpenPage, live_app: str, make_scoring: MakePath
) -> None:
    path = make_scoring()
    page = open_page(path)
    old = page.content()
    act = Act("", 1, "mark", "b1", "cross")
    changes.act(store.find(path.split("/")[2]), [act], "x")
    # The page rendered before the tap arrived, with an empty outbox.
    seen: list[str] = []

    def give_old_page_once(route: Route) -> None:
        if seen:
            route.continue_()
        else:
            seen.append("old")
            route.fulfill(body=old, content_type="text/html")

    page.route(live_app + path, give_old_page_once)
    page.reload()
    expect(page.locator("tfoot td").first).to_have_text("2")
    assert seen


def test_newer_results_leave_the_rest_of_the_page(
    open_page: OpenPage, make_scoring: MakePath
) -> None:
    path = make_scoring()
    page = open_page(path)
    copy = page.get_by_role("button", name="Copy the link")
    expect(copy).to_be_visible()
    page.evaluate("window.heading = document.querySelector('h1')")
    for field_name, points in (("b1", "2"), ("a4", "4")):
        changes.act(store.find(path.split("/")[2]), [Act("", 1, "mark", field_name, "cross")], "x")
        page.evaluate("dispatchEvent(new Event('online'))")
        expect(page.locator("tfoot td").first).to_have_text(points)
    expect(copy).to_be_visible()
    assert page.evaluate("window.heading.isConnected")


def test_newer_results_do_not_stop_the_way_to_another_page(
    open_page: OpenPage, live_app: str, make_scoring: MakePath
) -> None:
    path = make_scoring()
    page = open_page(path)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.removeprefix(live_app)))
    held: list[Route] = []
    page.route(f"{live_app}{path}players/", lambda route: held.append(route))
    page.evaluate("setTimeout(() => dispatchEvent(new Event('online')), 500)")
    changes.act(store.find(path.split("/")[2]), [Act("", 1, "mark", "b1", "cross")], "x")
    with page.expect_response(re.compile("/news/")):
        page.get_by_role("link", name="Players", exact=True).click(no_wait_after=True)
    page.wait_for_timeout(300)
    assert path not in asked
    held.pop().continue_()
    page.wait_for_url(f"{live_app}{path}players/")


def test_answer_that_got_lost_is_not_carried_out_twice(
    open_page: OpenPage, make_scoring: MakePath, page_errors: list[str]
) -> None:
    path = make_scoring()
    page = open_page(f"{path}1/")
    lost = []

    def lose_first(route: Route) -> None:
        if lost:
            route.continue_()
        else:
            lost.append(route.fetch())
            route.abort()

    page.route("**/acts/", lose_first)
    field(page, "b1").click()
    expect(page.locator("#saving")).to_have_text("Not saved yet")
    expect(page.locator("#saving")).to_have_text("")
    page.locator("#turn-back [value=undo]").click()
    wait_until(page, lambda: stored(path) == {})
    expect(page.locator("#turn-back [value=undo]")).to_have_attribute("aria-disabled", "true")
    page_errors.clear()


def test_second_tap_counts_on_the_first_while_its_answer_comes_in(
    open_page: OpenPage, make_scoring: MakePath
) -> None:
    path = make_scoring()
    page = open_page(f"{path}1/")
    page.evaluate(
        """() => {
            const { json } = Response.prototype;
            Response.prototype.json = async function () {
                await new Promise((resolve) => (window.readOn = resolve));
                return json.call(this);
            };
        }"""
    )
    field(page, "c1").click()
    page.wait_for_function("() => Boolean(window.readOn)")
    advance_clock(page)
    field(page, "c1").click()
    page.evaluate("() => window.readOn()")
    wait_until(page, lambda: stored(path).get("c1") == "exploded")


def test_polls_over_a_stalled_network_do_not_pile_up(
    open_page: OpenPage, make_scoring: MakePath, page_errors: list[str]
) -> None:
    path = make_scoring()
    page = open_page(path)
    page.add_init_script(SHORT_TIMEOUT)
    page.add_init_script(
        "addEventListener('htmx:configRequest', ({ detail }) => (detail.timeout = 300));"
    )
    given_up: list[str] = []

    def stall(route: Route) -> None:
        pass

    page.on("requestfailed", lambda request: given_up.append(request.url))
    page.route("**/news/?*", stall)
    page.route("**/state/*", stall)
    for where in ("1/", ""):
        page.goto(page.url.split("/score/")[0] + path + where)
        wait_until(page, lambda: any("/news/" in url or "/state/" in url for url in given_up))
        given_up.clear()
    page_errors.clear()  # htmx logs requests without an answer


def test_dropped_mark_is_reported_and_a_foreign_answer_loses_nothing(
    open_page: OpenPage, make_scoring: MakePath, page_errors: list[str]
) -> None:
    path = make_scoring()
    page = open_page(f"{path}1/")
    page.route("**/acts/", lambda route: route.fulfill(status=400, body="malformed"), times=1)
    field(page, "c1").click()
    expect(page.locator("#refusal")).to_contain_text("A change was not understood")
    expect_marked(page, "c1", 0)
    page_errors.clear()  # the refused request
    # A captive portal answers everything with its own page.
    portal = {"status": 200, "content_type": "text/html", "body": "<h1>Welcome</h1>"}
    page.route("**/acts/", lambda route: route.fulfill(**portal), times=1)
    advance_clock(page)
    field(page, "c1").click()
    wait_until(page, lambda: "c1" in stored(path))
    expect_marked(page, "c1")


def test_two_devices_on_one_sheet(open_page: OpenPage, make_scoring: MakePath) -> None:
    path = make_scoring()
    one, two = open_page(f"{path}1/"), open_page(f"{path}1/", "desktop")
    for page in (one, two):
        page.clock.install()
        page.reload()
    field(one, "b1").click()
    field(two, "c2").click()
    wait_until(one, lambda: stored(path) == {"b1": "cross", "c2": "cross"})
    for page in (one, two):
        page.clock.fast_forward(POLL_MS)
    expect(one.locator("[data-field=c2] > .over > use")).to_be_attached()
    expect(two.locator("[data-field=b1] > .over > use")).to_be_attached()
    one.locator("#turn-back [value=undo]").click()
    wait_until(one, lambda: stored(path) == {"c2": "cross"})


def test_sheet_removed_elsewhere_keeps_its_marks_and_a_notice(
    open_page: OpenPage, make_scoring: MakePath, page_errors: list[str]
) -> None:
    path = make_scoring()
    page = open_page(f"{path}2/", has_clock=True)
    field(page, "b1").click()
    wait_until(page, lambda: stored(path, 2) == {"b1": "cross"})
    expect(total(page)).to_have_text(re.compile(r"\b2$"))
    store.remove_sheet(store.find(path.split("/")[2]), 2, is_sure=True)
    page.clock.fast_forward(POLL_MS)
    expect(page.locator("#refusal")).to_have_text("This sheet has been removed.")
    expect_marked(page, "b1")
    expect(total(page)).to_have_text(re.compile(r"\b2$"))
    page_errors.clear()  # the answer 404


def test_undo_and_redo_survive_a_reload(open_page: OpenPage, make_scoring: MakePath) -> None:
    path = make_scoring()
    page = open_page(f"{path}1/")
    undo, redo = (page.locator(f"#turn-back [value={name}]") for name in ("undo", "redo"))
    expect(undo).to_have_attribute("aria-disabled", "true")
    field(page, "b1").click()
    field(page, "c2").click()
    wait_until(page, lambda: len(stored(path)) == 2)
    page.reload()
    undo.click(click_count=2)
    undo.press("Enter")
    expect_marked(page, "b1", 0)
    wait_until(page, lambda: stored(path) == {})
    page.reload()
    redo.click()
    expect_marked(page, "b1")
    wait_until(page, lambda: stored(path) == {"b1": "cross"})


def test_sheet_by_keyboard_alone(open_page: OpenPage, make_scoring: MakePath) -> None:
    path = make_scoring()
    page = open_page(f"{path}1/", "desktop")
    page.locator(".tabs a").last.focus()
    page.keyboard.press("Tab")
    expect(field(page, "a1")).to_be_focused()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Space")
    page.keyboard.press("ArrowDown")  # over the hole on b3
    expect(field(page, "b4")).to_be_focused()
    expect(field(page, "b1")).to_have_accessible_name(re.compile("crossed$"))
    wait_until(page, lambda: stored(path) == {"b1": "cross", "b2": "cross"})
    page.keyboard.press("End")
    expect(field(page, "d4")).to_be_focused()
    page.keyboard.press("PageUp")
    expect(field(page, "d1")).to_be_focused()
    page.keyboard.press("Control+Home")
    expect(field(page, "a1")).to_be_focused()
    expect(page.get_by_role("gridcell", name="no field")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator("#sheet")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    expect(page.locator("#turn-back [value=undo]")).to_be_focused()
    page.keyboard.press("Enter")
    wait_until(page, lambda: stored(path) == {"b1": "cross"})
    item = page.locator("[data-key='gems yellow']")
    item.focus()
    expect(page.locator("[data-field=b1]")).to_have_class(re.compile("lit"))
    expect(page.locator("[data-field=a4]")).to_have_class(re.compile("missing"))
    expect(item).to_have_attribute("aria-pressed", "false")
    page.keyboard.press("Space")
    expect(item).to_have_attribute("aria-pressed", "true")
    expect(item).to_have_accessible_description("Lit up: b1. Missing: a4.")
    expect(page.get_by_role("log")).to_contain_text("Lit up: b1. Missing: a4.")
    page.keyboard.press("Enter")
    expect(item).to_have_attribute("aria-pressed", "false")
    expect(item).to_have_accessible_description("")


def test_scrolling_and_pinching_mark_nothing(open_page: OpenPage, make_scoring: MakePath) -> None:
    page = open_page(f"{make_scoring()}1/")
    box = field(page, "b2").bounding_box()
    assert box
    x, y = box["x"] + 20, box["y"] + 20
    fingers = page.context.new_cdp_session(page)

    def put(kind: str, *points: tuple[float, float]) -> None:
        places = [{"x": px, "y": py, "id": i} for i, (px, py) in enumerate(points)]
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": places})

    put("touchStart", (x, y))
    for step in range(1, 8):
        put("touchMove", (x, y - 20 * step))
    put("touchEnd")
    put("touchStart", (x, y))
    put("touchStart", (x, y), (x + 60, y + 60))
    put("touchMove", (x - 20, y - 20), (x + 90, y + 90))
    put("touchEnd")
    page.wait_for_timeout(400)
    marks = page.locator(".over > use, .top > use")
    assert marks.count() == 1  # the printed cross
    touch(field(page, "b2"))
    expect(marks).to_have_count(2)
    # With the brush a finger marks all fields on its way, and a tap stays a tap.
    brush = page.get_by_role("button", name="Paint")
    brush.click()

    def stroke(*names: str) -> None:
        places = [field(page, name).bounding_box() for name in names]
        middles = [(b["x"] + b["width"] / 2, b["y"] + b["height"] / 2) for b in places if b]
        put("touchStart", middles[0])
        for middle in middles:
            put("touchMove", middle)
        put("touchEnd")

    stroke("a1", "b1", "c1", "c2")
    for name in ("b1", "c1", "c2"):
        expect_marked(page, name)
    stroke("c2", "c1", "b2")  # a stroke that begins on a mark clears
    for name in ("b2", "c1", "c2"):
        expect_marked(page, name, 0)
    assert page.evaluate("scrollY") == 0
    field(page, "c1").click()
    advance_clock(page)
    field(page, "c1").click()
    expect(field(page, "c1")).to_have_accessible_name(re.compile("exploded"))
    brush.click()
    put("touchStart", (x, y))
    for step in range(1, 8):
        put("touchMove", (x, y - 20 * step))
    put("touchEnd")
    expect(marks).to_have_count(3)
    expect_marked(page, "b2", 0)


def test_rails_offer_the_track_that_joins_first(
    open_page: OpenPage, make_scoring: MakePath
) -> None:
    path = make_scoring(RAILS)
    page = open_page(f"{path}1/")
    field(page, "b1").click()
    first = page.locator("#pieces .piece").first
    expect(first).to_have_attribute("value", "EW")
    page.locator("#pieces [value=SW]").click()
    field(page, "b2").click()
    expect(first).to_have_attribute("value", "NS")
    page.locator("#pieces [value=NW]").click()
    field(page, "a2").click()  # only one piece joins a1 above and b2 to the right: no question
    # a ring of 4 with 3 each and the stop on a2 with 4
    expect(total(page)).to_have_text(re.compile(r"\b16$"))
    lines = """amount => {
        const text = document.createRange();
        text.selectNodeContents(amount);
        return new Set([...text.getClientRects()].map((box) => Math.round(box.top))).size;
    }"""
    assert page.locator(".score-items tfoot td").last.evaluate(lines) == 1
    advance_clock(page)
    field(page, "a2").click()
    page.get_by_role("button", name="No track").click()
    wait_until(page, lambda: stored(path) == {"b1": "SW", "b2": "NW"})
    field(page, "c2").click()
    page.keyboard.press("Escape")
    expect(page.locator("#pieces")).to_be_hidden()
    assert "c2" not in stored(path)


def stroke(page: Page, by: str, *names: str) -> None:
    """Drag from field to field with the mouse or a finger."""
    places = [field(page, name).bounding_box() for name in names]
    (x, y), *on = [(b["x"] + b["width"] / 2, b["y"] + b["height"] / 2) for b in places if b]
    if by == "mouse":
        page.mouse.move(x, y)
        page.mouse.down()
        for middle in on:
            page.mouse.move(*middle, steps=3)
        page.mouse.up()
        return
    fingers = page.context.new_cdp_session(page)

    def put(kind: str, *points: tuple[float, float]) -> None:
        places = [{"x": px, "y": py} for px, py in points]
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": places})

    put("touchStart", (x, y))
    for middle in on:
        put("touchMove", middle)
    put("touchEnd")
    fingers.detach()


def test_brush_draws_the_track_along_its_way(open_page: OpenPage, make_scoring: MakePath) -> None:
    path = make_scoring(STREETS)
    page = open_page(f"{path}1/")
    page.get_by_role("button", name="Paint").click()
    # All six pieces, over a printed one; the track begins and ends straight.
    way = ["c4", "c3", "b3", "b2", "d2", "d4", "e4", "e1", "c1"]
    stroke(page, "finger", *way)
    drawn = {"c4": "NS", "c3": "SW", "b3": "NE", "b2": "ES", "d2": "SW", "d3": "NS", "d4": "NE",
             "e4": "NW", "e3": "NS", "e2": "NS", "e1": "SW", "d1": "EW", "c1": "EW"}  # fmt: skip
    wait_until(page, lambda: stored(path) == drawn)
    for name in drawn:
        expect_marked(page, name)
    expect(page.locator("#pieces")).to_be_hidden()
    assert page.evaluate("scrollY") == 0
    # Continuing from the end of a track turns its last piece.
    stroke(page, "finger", "c4", "b4", "b5", "c5")
    drawn |= {"c4": "NW", "b4": "ES", "b5": "NE", "c5": "EW"}
    wait_until(page, lambda: stored(path) == drawn)
    page.get_by_role("button", name="Undo").click()
    wait_until(page, lambda: stored(path).keys() == drawn.keys() - {"c5"})


def test_brush_takes_back_what_goes_back_and_closes_rings(
    open_page: OpenPage, make_scoring: MakePath
) -> None:
    path = make_scoring(STREETS)
    page = open_page(f"{path}1/", "desktop")
    page.get_by_role("button", name="Paint").click()
    stroke(page, "mouse", "d3", "e3", "d3")  # going back cancels the stroke, and is no tap
    stroke(page, "mouse", "d3", "e3", "e5", "e4", "d4", "d3")
    ring = {"d3": "ES", "e3": "SW", "e4": "NW", "d4": "NE"}
    wait_until(page, lambda: stored(path) == ring)
    expect(page.locator("#pieces")).to_be_hidden()
    # A track never crosses a hole or a wall; in a corner only one piece fits.
    stroke(page, "mouse", "a2", "a4", "b4")
    stroke(page, "mouse", "a5", "c5")
    ring |= {"a5": "NE", "b5": "EW", "c5": "EW"}
    wait_until(page, lambda: stored(path) == ring)
    # The track joins the end of the one where it ends.
    stroke(page, "mouse", "c3", "c5")
    ring |= {"c3": "NS", "c4": "NS", "c5": "NW"}
    wait_until(page, lambda: stored(path) == ring)
    # A tap is a tap.
    field(page, "b3").click()
    expect(page.locator("#pieces")).to_be_visible()


def test_second_finger_is_no_track(open_page: OpenPage, make_scoring: MakePath) -> None:
    path = make_scoring(STREETS)
    page = open_page(f"{path}1/")
    page.get_by_role("button", name="Paint").click()
    fingers = page.context.new_cdp_session(page)
    boxes = [field(page, name).bounding_box() for name in ("c2", "c3", "c4", "a5")]
    *way, other = [{"x": b["x"] + 20, "y": b["y"] + 20, "id": 0} for b in boxes if b]

    def put(kind: str, *points: dict[str, float]) -> None:
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": list(points)})

    put("touchStart", way[0])
    for place in way[1:]:
        put("touchMove", place)
    expect_marked(page, "c3")  # shown while it is drawn, but not sent
    assert stored(path) == {}
    put("touchStart", way[-1], other | {"id": 1})
    expect_marked(page, "c3", 0)
    put("touchEnd")
    stroke(page, "finger", "d3", "d4")
    wait_until(page, lambda: stored(path) == {"d3": "NS", "d4": "NS"})


def test_lava_switch(open_page: OpenPage, make_scoring: MakePath) -> None:
    path = make_scoring(VOLCANO)
    page = open_page(f"{path}1/")
    page.locator("#pen").click()
    expect(page.locator("#pen")).to_have_attribute("aria-pressed", "true")
    field(page, "b1").click()
    for _ in range(2):
        field(page, "b2").click()
        advance_clock(page)
    page.locator("#pen").click()
    field(page, "c2").click()
    wait_until(page, lambda: stored(path) == {"b1": "lava", "b2": "exploded-lava", "c2": "cross"})
    expect(total(page)).to_have_text(re.compile("−2$"))


def test_flag_asks_for_its_number(open_page: OpenPage, make_scoring: MakePath) -> None:
    path = make_scoring()
    page = open_page(f"{path}1/")
    ask = page.locator("#ask")
    field(page, "d1").click()
    expect(total(page)).to_have_text(re.compile(r"\b10$"))
    expect(ask).to_be_hidden()
    follow_link(page, page.locator(".tabs a").last)
    field(page, "d1").click()
    expect(page.locator("#ask:modal")).to_be_visible()
    expect(page.locator(".tabs .owes")).to_have_count(2)
    ask.locator("form[data-number='2']").get_by_role("button", name="6", exact=True).click()
    expect(total(page)).to_have_text(re.compile(r"\b6$"))
    expect(ask.locator("form:visible[data-number]")).to_have_count(1)
    ask.locator("form[data-number='1']").get_by_role("button", name="10", exact=True).click()
    expect(ask).to_be_hidden()
    expect(page.locator(".tabs .owes")).to_have_count(0)
    wait_until(page, lambda: stored(path, 2) == {"d1": "cross", "flag red": "6"})
    assert stored(path) == {"d1": "cross", "flag red": "10"}


def test_the_focus_stays_in_the_dialog_of_circled_numbers(
    open_page: OpenPage, make_scoring: MakePath
) -> None:
    path = make_scoring(GARDEN, *({"player": name, "crosses": ["d1"]} for name in ("Ana", "Ben")))
    page = open_page(f"{path}1/")
    expect(page.locator("#ask:modal:focus")).to_be_visible()
    page.keyboard.press("Tab")
    expect(page.locator("#ask form[data-number='1'] :focus")).to_contain_text("10")
    page.keyboard.press("Enter")
    wait_until(page, lambda: "flag red" in stored(path))
    expect(page.locator("#ask form[data-number='1']")).to_have_count(0)
    expect(page.locator("#ask:modal:focus")).to_be_visible()
    page.keyboard.press("Tab")
    expect(page.locator("#ask form[data-number='2'] :focus")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.locator("#ask")).to_be_hidden()
    expect(page.locator("#sheet:focus")).to_be_visible()


def test_the_focus_returns_from_the_dialog_to_the_field(
    open_page: OpenPage, make_scoring: MakePath
) -> None:
    path = make_scoring(GARDEN, {"player": "Ana"}, {"player": "Ben", "crosses": ["d1"]})
    page = open_page(f"{path}1/")
    field(page, "d1").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#ask:modal:focus")).to_be_visible()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("#ask")).to_be_hidden()
    expect(field(page, "d1")).to_be_focused()


def test_postponed_question_stays_visible(open_page: OpenPage, make_scoring: MakePath) -> None:
    path = make_scoring(GARDEN, *({"player": name, "crosses": ["d1"]} for name in ("Ana", "Ben")))
    page = open_page(f"{path}1/")
    page.get_by_role("button", name="Later").click()
    expect(page.locator("#ask:modal")).to_have_count(0)
    choice = page.locator("#ask form[data-number='1']").get_by_role(
        "button", name="Probably 10: OK"
    )
    expect(choice).to_be_in_viewport()
    expect(page.locator("#ask form[data-number='2']")).to_be_hidden()
    field(page, "b1").click()
    expect(total(page)).to_have_text(re.compile(r"\b2$"))
    expect(page.locator("#ask:modal")).to_have_count(0)
    choice.click()
    expect(page.locator("#ask")).to_be_hidden()
    expect(total(page)).to_have_text(re.compile(r"\b12$"))


def test_numbers_are_circled_without_script(open_page: OpenPage, make_scoring: MakePath) -> None:
    path = make_scoring(GARDEN, *({"player": name, "crosses": ["d1"]} for name in ("Ana", "Ben")))
    page = open_page(f"{path}2/", java_script_enabled=False)
    choice = page.locator("#ask form[data-number='2']").get_by_role("button", name="6")
    expect(choice).to_be_in_viewport()
    choice.click()
    wait_until(page, lambda: stored(path, 2) == {"d1": "cross", "flag red": "6"})


RESULT_POSITIONS = """() => {
  const frame = document.querySelector(".comparison-frame");
  const boxOf = (one) => one.getBoundingClientRect();
  const isWhole = frame.scrollWidth <= frame.clientWidth;
  frame.scrollLeft = 9999;
  const totals = [...document.querySelectorAll(".rank-total")];
  return {
    totals: totals.map((one) => [boxOf(one).left, boxOf(one).right]),
    width: document.documentElement.scrollWidth,
    isWhole,
    offset: boxOf(document.querySelector("table.comparison tbody th")).x - boxOf(frame).x,
  };
}"""
"""Script that returns the positions of the totals and, after scrolling, of the categories."""

SIX_NAMES = ("Oma Gertrud", "Michael", "Anna", "Sophie", "Maximilian", "Franziska")
"""Names of six players."""


def test_all_totals_are_visible_without_scrolling_sideways(
    open_page: OpenPage, live_app: str, make_scoring: MakePath
) -> None:
    page = open_page("/score/", "phone", "de")
    faults: dict[tuple[str, ...], object] = {}
    for names in (("Oliver", "Sophie", "Hannah", "Miriam"), SIX_NAMES, ("W" * 40, "Ben")):
        players = ({"player": name, "crosses": ["c4"]} for name in names)
        page.goto(live_app + make_scoring("level-2", *players))
        found = page.evaluate(RESULT_POSITIONS)
        # Four players fit; a larger table scrolls inside its frame, and its categories stay.
        is_seen = len(found["totals"]) == len(names) and all(
            left >= 0 and right <= 390 for left, right in found["totals"]
        )
        is_framed = found["width"] == 390 and (len(names) != 4 or found["isWhole"])
        if not (is_seen and is_framed and abs(found["offset"]) <= 3):
            faults[names] = found
    assert faults == {}


def test_long_names_widen_no_page(open_page: OpenPage, make_scoring: MakePath) -> None:
    long = {**GARDEN, "name": "Donaudampfschifffahrt" * 23}
    path = make_scoring(
        long, {"player": "W" * 40, "crosses": ["d1"]}, {"player": "Ben", "crosses": ["d1"]}
    )
    page = open_page(f"{path}1/")
    for where in ("1/", "players/", "delete/", "players/1/remove/", ""):
        page.goto(page.url.split("/score/")[0] + path + where)
        assert page.evaluate("document.documentElement.scrollWidth") == 390, where
    page.goto(page.url.split("/score/")[0])
    expect(page.locator("#recent .game")).to_have_count(1)
    assert page.evaluate("document.documentElement.scrollWidth") == 390


def test_lava_pen_stays_chosen_on_this_device(open_page: OpenPage, make_scoring: MakePath) -> None:
    path = make_scoring(VOLCANO)
    page = open_page(f"{path}1/")
    field(page, "c2").click()
    page.locator("#pen").click()
    follow_link(page, page.locator(".tabs a").last)
    expect(page.locator("#pen")).to_have_attribute("aria-pressed", "true")
    field(page, "b1").click()
    wait_until(page, lambda: stored(path, 2) == {"b1": "lava"})
    follow_link(page, page.locator(".tabs a").first)
    field(page, "c2").click()
    expect(page.locator("#refusal")).to_contain_text("Take it away first")
    assert stored(path) == {"c2": "cross"}
    page.locator("#pen").click()
    page.reload()
    expect(page.locator("#pen")).to_have_attribute("aria-pressed", "false")


def test_tracks_that_lead_nowhere_come_last(open_page: OpenPage, make_scoring: MakePath) -> None:
    page = open_page(f"{make_scoring(RAILS)}1/")
    field(page, "c3").click()  # the corner at the bottom right: only NW stays on the sheet
    expect(page.locator("#pieces")).to_be_hidden()
    expect(field(page, "c3")).to_have_accessible_name(
        re.compile("NW|north|top|left", re.IGNORECASE)
    )
    advance_clock(page)
    field(page, "c3").click()  # again, to change it
    values = [piece.get_attribute("value") for piece in page.locator("#pieces .piece").all()]
    assert values[0] == "NW"
    page.keyboard.press("Escape")
    field(page, "c2").click()
    values = [piece.get_attribute("value") for piece in page.locator("#pieces .piece").all()]
    assert set(values[:3]) == {"NS", "SW", "NW"}


def visible_rows(page: Page) -> int:
    """Return the number of rows of the sheet between the top of the screen and the bar."""
    return int(
        page.evaluate(
            """() => {
                document.getElementById("sheet").scrollIntoView();
                const sheet = document.getElementById("sheet").getBoundingClientRect();
                const foot = document.querySelector(".score-foot").getBoundingClientRect();
                const beside = foot.left > sheet.right;
                const bottom = beside ? innerHeight : foot.top;
                return [...document.querySelectorAll(".sheet-row")].filter((row) => {
                    const box = row.getBoundingClientRect();
                    return box.top >= 0 && box.bottom <= bottom;
                }).length;
            }"""
        )
    )


def test_double_font_size_leaves_room_for_the_sheet(
    open_page: OpenPage, make_scoring: MakePath
) -> None:
    page = open_page(f"{make_scoring('level-2')}1/", viewport={"width": 390, "height": 844})
    session = page.context.new_cdp_session(page)
    session.send("Page.enable")
    session.send("Page.setFontSizes", {"fontSizes": {"standard": 32, "fixed": 26}})
    page.reload()
    assert page.evaluate("getComputedStyle(document.documentElement).fontSize") == "32px"
    assert visible_rows(page) >= 9
    box = page.get_by_role("link", name="Results").bounding_box()
    assert box
    assert box["x"] + box["width"] <= 390


def test_everything_works_without_script(open_page: OpenPage, live_app: str) -> None:
    page = open_page("/score/", java_script_enabled=False)
    page.get_by_role("link", name=re.compile("Castle|level-2")).first.click()
    page.locator("label.choice", has_text="2").click()
    page.get_by_label("Name of player 1").fill("Ana")
    follow_link(page, page.get_by_role("button", name="To the sheets"))
    plain = page.locator(".sheet-grid button[data-kind='']").first
    name = plain.get_attribute("data-at")
    assert name
    plain.click()
    expect_marked(page, name)
    page.get_by_role("button", name="Undo").click()
    expect_marked(page, name, 0)
    page.get_by_role("button", name="Redo").click()
    expect_marked(page, name)
    page.locator(".item-light").first.click()
    expect(page.locator(".art-field.missing").first).to_be_visible()
    page.get_by_role("link", name="Results").click()
    expect(page.locator("table.comparison tfoot")).to_be_visible()
    page.get_by_role("link", name="Delete all these sheets").click()
    page.get_by_role("button", name="Delete all these sheets").click()
    expect(page.get_by_role("heading", name="The sheets are deleted")).to_be_visible()


def test_rails_work_without_script(open_page: OpenPage, make_scoring: MakePath) -> None:
    path = make_scoring(RAILS)
    page = open_page(f"{path}1/", java_script_enabled=False)
    field(page, "b1").click()
    page.locator("#pieces [value=SW]").click()
    wait_until(page, lambda: stored(path) == {"b1": "SW"})


def test_marks_queued_before_an_update_are_sent(
    open_page: OpenPage, live_app: str, make_scoring: MakePath, page_errors: list[str]
) -> None:
    """Names and formats are those of the first version and never change."""
    path = make_scoring()
    page = open_page("/rules/")
    acts = [
        {"id": "0123456789abcdef01234567", "number": 2, "do": "mark", "at": "b2", "value": "cross"},
        {"id": "0123456789abcdef01234568", "number": 2, "do": "mark", "at": "c2", "value": "cross"},
        {"id": "0123456789abcdef01234569", "number": 2, "do": "undo"},
        {"id": "0123456789abcdef0123456a", "number": 2, "do": "dance"},  # not known to any version
        {"id": "0123456789abcdef0123456b", "number": 2, "do": "mark", "at": "d2", "value": "cross"},
    ]
    name = f"dizzle.outbox.{path.split('/')[2]}"
    page.evaluate("([name, acts]) => localStorage.setItem(name, acts)", [name, json.dumps(acts)])
    page.goto(f"{live_app}{path}1/")
    wait_until(page, lambda: stored(path, 2) == {"b2": "cross", "d2": "cross"})
    wait_until(page, lambda: page.evaluate("(name) => localStorage.getItem(name)", name) is None)
    page_errors.clear()  # the unknown act was refused


def test_sheets_that_are_deleted_leave_nothing_on_the_device(
    open_page: OpenPage, live_app: str, make_scoring: MakePath
) -> None:
    path = make_scoring(GARDEN, *({"player": name, "crosses": ["d1"]} for name in ("Ana", "Ben")))
    page = open_page(f"{path}1/")
    page.get_by_role("button", name="Later").click()
    names = "[...Object.keys(localStorage), ...Object.keys(sessionStorage)].join()"
    key = path.split("/")[2]
    assert key in page.evaluate(names)
    page.goto(f"{live_app}{path}delete/")
    page.locator("#delete button").click()
    page.wait_for_url(re.compile(f"^((?!{re.escape(key)}).)*$"))
    assert key not in page.evaluate(names)


FIELD_SIZES = """() => [...document.querySelectorAll(".sheet-grid button")].map((button) => {
  const box = button.getBoundingClientRect();
  const drawn = document.querySelector(`[data-field="${button.dataset.at}"] > .paper`)
    .getBoundingClientRect();
  const across = box.x + box.width / 2 - drawn.x - drawn.width / 2;
  const down = box.y + box.height / 2 - drawn.y - drawn.height / 2;
  return [Math.min(box.width, box.height), Math.max(Math.abs(across), Math.abs(down))];
})"""
"""Script that returns the size of each field and its distance from its drawing, in pixels."""


def field_faults(page: Page, least: float, width: int) -> list[str]:
    """Return the fields that are too small, apart from their drawing, or too wide."""
    sizes, offsets = zip(*page.evaluate(FIELD_SIZES), strict=True)
    wide = page.evaluate("document.documentElement.scrollWidth")
    faults = {
        f"fields are too small: {min(sizes)}": min(sizes) < least - 0.1,
        f"fields are not where they are drawn: {max(offsets)}": max(offsets) >= 1.5,
        f"the page is too wide: {wide}": wide > width,
    }
    return [name for name, is_fault in faults.items() if is_fault]


def test_fields_are_large_enough_and_sheets_fit(
    open_page: OpenPage, live_app: str, make_scoring: MakePath
) -> None:
    no_more: dict[str, Any] = {"lines": [], "areas": []}
    wide = {**GARDEN, "grid": ["1x 2 3 4 5 6 1 2 3 4 5 6"], **no_more}
    moved = {**GARDEN, "grid": ["1x 2 3", "4 5 6", ". 1 2"], "shifts": [0, 0.5, -0.25], **no_more}
    paths: dict[str, str] = {f"level-{n}": make_scoring(f"level-{n}") for n in range(1, 9)}
    paths |= {"wide": make_scoring(wide), "moved": make_scoring(moved)}
    faults: dict[str, list[str]] = {}
    page = open_page("/score/")
    for name, path in paths.items():
        page.goto(f"{live_app}{path}1/")
        faults[name] = field_faults(page, 44, 390)
    # In landscape most of the sheet is visible.
    page.goto(f"{live_app}{paths['level-2']}1/")
    for width, height, rows in ((844, 390, 7), (640, 360, 6)):
        page.set_viewport_size({"width": width, "height": height})
        if (seen := visible_rows(page)) < rows:
            faults[f"{width} x {height}"] = [f"{seen} rows are in sight"]
    # The sheet grows with the window.
    page = open_page(f"{paths['level-2']}1/", "desktop")
    faults["window"] = field_faults(page, 52, 1280)
    drawn = page.locator(".art-sheet").bounding_box()
    assert drawn
    if drawn["y"] + drawn["height"] > 800:
        faults["window"].append(f"the sheet is not whole: {drawn}")
    page.goto(f"{live_app}{paths['moved']}1/")
    faults["moved in a window"] = field_faults(page, 44, 1280)
    assert {name: found for name, found in faults.items() if found} == {}


@pytest.mark.slow
def test_hint_about_bombs_is_not_covered(open_page: OpenPage, make_scoring: MakePath) -> None:
    page = open_page(f"{make_scoring('level-7')}1/")
    page.locator(".site-head").scroll_into_view_if_needed()
    covered = {}
    for height in (844, 760, 700, 640, 568):
        page.set_viewport_size({"width": 390, "height": height})
        hint = page.get_by_text("A second tap on a bomb explodes it.").bounding_box()
        foot = page.locator(".score-foot").bounding_box()
        assert hint
        assert foot
        if hint["y"] + hint["height"] > foot["y"]:
            covered[height] = (hint, foot)
    assert not covered


def test_games_of_the_device_have_hide_at_the_end_of_their_row(
    open_page: OpenPage, live_app: str, make_scoring: MakePath
) -> None:
    page = open_page(f"{make_scoring()}1/")
    page.goto(f"{live_app}/my/")
    for width, height in ((320, 568), (390, 844), (1280, 800)):
        page.set_viewport_size({"width": width, "height": height})
        card = page.locator(".games .game").bounding_box()
        hide = page.get_by_role("button", name="Hide").bounding_box()
        assert card
        assert hide
        assert hide["x"] >= card["x"] + card["width"]
        assert card["y"] <= hide["y"] <= card["y"] + card["height"] - hide["height"]


def test_axe_finds_nothing(open_page: OpenPage, live_app: str, make_scoring: MakePath) -> None:
    path = make_scoring(GARDEN, {"player": "Ana", "crosses": ["b2", "d1"]}, {"player": "Ben"})
    asking = make_scoring(GARDEN, *({"player": name, "crosses": ["d1"]} for name in "AB"))
    in_both_themes = (f"{path}1/", path, f"{asking}1/", f"{make_scoring(RAILS)}1/?at=b1")
    others = ("players/", "delete/", "players/1/remove/")
    page = open_page("/score/import/", "phone", "de")
    faults: dict[str, object] = {}
    for url in (
        *("/score/import/", "/score/new/level-2/"),
        *(path + below for below in others),
        *in_both_themes,
    ):
        page.goto(live_app + url)
        found = (
            axe_violations_in_both_themes(page) if url in in_both_themes else axe_violations(page)
        )
        if found or small_targets(page):
            faults[url] = (found, small_targets(page))
    assert faults == {}


def test_double_tap_marks_a_field_once(open_page: OpenPage, make_scoring: MakePath) -> None:
    path = make_scoring(GARDEN)
    page = open_page(f"{path}1/")
    for quiet_ms, mark in ((1000, "cross"), (150, "cross"), (350, "exploded"), (150, "exploded")):
        tap_after(page, field(page, "c1"), quiet_ms)
        wait_until(page, lambda mark=mark: stored(path) == {"c1": mark})  # type: ignore[misc]
    # Taps on two fields count twice.
    for name in ("b1", "b2"):
        tap_after(page, field(page, name), 100)
    wait_until(page, lambda: stored(path) == {"c1": "exploded", "b1": "cross", "b2": "cross"})
    # The same on a scored board of Dice².
    page.goto(page.url.replace(f"{path}1/", "/dice2/score/"))
    for quiet_ms, dice in ((1000, 1), (150, 1), (350, 0)):
        tap_after(page, field(page, "e5"), quiet_ms)
        expect(page.locator("[data-die=e5]")).to_have_count(dice)
