"""The editor of the workshop: bad networks, two pages, undo, checks, every theme."""

from __future__ import annotations

import json
import os
import re
import signal
from pathlib import Path
from pprint import pformat

import pytest
from playwright.sync_api import Page, Route, expect

from sheets.workshop.sentences import TOOLS
from tests.browser.axe import axe_violations_in_both_themes
from tests.browser.conftest import MakePath, NewContext, OpenPage
from tests.browser.layout_checks import overflow_px, set_font_size, small_targets
from tests.browser.own_server import start_server
from tests.browser.polling import close_offline, wait_until
from tests.browser.touch import touch
from tests.browser.workshop_page import (
    begin,
    choose_tool,
    key_of,
    place,
    rows,
    stored,
    tap,
    type_numbers,
    wait_for_frame,
    wait_until_saved,
)
from tests.processes import free_port
from tests.site.served_site import started_before


def test_number_shows_at_once_on_a_slow_network(open_page: OpenPage, make_level: MakePath) -> None:
    page = open_page(make_level())
    held: list[Route] = []
    page.route("**/acts/", lambda route: held.append(route))
    drawn_with_the_next_frame = page.evaluate(
        """() => new Promise((resolve) => {
            const drawing = document.getElementById("drawing");
            const before = drawing.innerHTML;
            document.querySelector("[data-number='6']").click();
            const look = () => resolve(drawing.innerHTML !== before);
            requestAnimationFrame(() => requestAnimationFrame(look));
        })"""
    )
    assert drawn_with_the_next_frame
    expect(place(page, "a1")).to_have_accessible_name("a1, 6, printed cross")
    expect(page.locator("#saving")).to_have_text("Not saved yet")
    assert stored(page).revision == 0
    held[0].continue_()
    expect(page.locator("#saving")).not_to_have_class(re.compile("waiting"))
    assert rows(page)[0] == "6x 5 1Gy"


def test_answer_during_a_press_does_not_cancel_it(
    open_page: OpenPage, make_level: MakePath
) -> None:
    page = open_page(make_level(), "desktop")
    choose_tool(page, "symbols")
    held: list[Route] = []
    page.route("**/acts/", lambda route: held.append(route))
    tap(page, "a3")
    bomb = page.locator("#symbol-palette").get_by_role("button", name="bomb")
    bomb.hover()
    page.mouse.down()
    wait_until(page, lambda: held)
    held[0].continue_()
    wait_until_saved(page)
    page.mouse.up()
    expect(bomb).to_have_attribute("aria-pressed", "true")


def test_keys_stay_under_the_thumb_where_the_sheet_has_room_above_them(
    open_page: OpenPage, make_level: MakePath
) -> None:
    page = open_page(make_level(*["? ? ? ? ? ? ? ?"] * 7))
    key = page.locator("[data-number='1']")
    expect(page.locator("#drawing [data-field=a7]")).to_be_attached()
    wait_for_frame(page)
    before = key.bounding_box()
    for _ in range(6):
        touch(page.get_by_role("button", name="Next row"))
        wait_for_frame(page)
        wait_for_frame(page)
        assert key.bounding_box() == before


def test_without_network_nothing_is_lost_over_a_reload(
    open_page: OpenPage, live_app: str, make_level: MakePath, page_errors: list[str]
) -> None:
    path = make_level()
    page = open_page(path, "desktop")
    choose_tool(page, "symbols")  # the first input loads all tools
    expect(page.locator("[data-panel=symbols]")).to_be_visible()
    choose_tool(page, "numbers")
    page.context.set_offline(True)
    type_numbers(page, "66")
    choose_tool(page, "symbols")
    tap(page, "a3")
    assert stored(page).revision == 0
    context = close_offline(page)
    again = context.new_page()
    again.goto(live_app + path)
    expect(place(again, "a1")).to_have_accessible_name("a1, 6, printed cross")
    wait_until_saved(again)
    assert rows(again) == ["6x 6 1Gy", "2 4 6Fr", "?Gy 1 -P"]
    page_errors.clear()  # Chromium logs every failed request


def test_dropped_edit_is_reported(
    open_page: OpenPage, make_level: MakePath, page_errors: list[str]
) -> None:
    page = open_page(make_level(), "desktop")
    page.route("**/acts/", lambda route: route.fulfill(status=400, body="malformed"))
    choose_tool(page, "symbols")
    tap(page, "a3")
    expect(page.locator("#refusal")).to_contain_text("A change was not understood")
    page_errors.clear()  # the refused request


def test_edits_left_by_another_page_stay_where_there_is_no_room_for_a_copy(
    open_page: OpenPage, make_level: MakePath, page_errors: list[str]
) -> None:
    page = open_page(make_level(), "desktop")
    name = f"dizzle.workshop.{key_of(page)}.left"
    left = [{"id": "0123456789abcdef01234567", "do": "rename", "name": "Fir"}]
    page.evaluate("([name, acts]) => localStorage.setItem(name, acts)", [name, json.dumps(left)])
    page.context.add_init_script(
        "Storage.prototype.setItem = () => { throw new Error('full') }",
    )
    page.route("**/acts/*", lambda route: route.abort("internetdisconnected"))
    page.reload()
    expect(page.locator("#saving")).to_have_text("Not saved yet")
    assert page.evaluate("(name) => localStorage.getItem(name)", name) == json.dumps(left)
    page_errors.clear()  # Chromium logs every failed request


def test_page_that_is_too_old_loses_no_edit(
    open_page: OpenPage, make_level: MakePath, page_errors: list[str]
) -> None:
    page = open_page(make_level(), "desktop")
    page.context.clear_cookies()
    choose_tool(page, "symbols")
    tap(page, "a3")
    expect(page.locator("#refusal")).to_contain_text("please reload this page")
    assert stored(page).revision == 0
    page.reload()
    wait_until_saved(page)
    assert stored(page).revision == 1
    page_errors.clear()  # the refused request


def test_preview_is_the_newest_one_and_comes_after_a_refusal(
    open_page: OpenPage, make_level: MakePath, page_errors: list[str]
) -> None:
    page = open_page(make_level(), "desktop")
    phone, preview = page.locator("button[data-view=phone]"), page.locator("#preview")
    page.route("**/phone/", lambda route: route.fulfill(status=503), times=1)
    with page.expect_response("**/phone/"):
        phone.click()
    held: list[Route] = []
    page.route("**/phone/", lambda route: held.append(route), times=1)
    phone.click()
    wait_until(page, lambda: held)
    with page.expect_response("**/phone/"):
        type_numbers(page, "6")
    expect(preview.locator("svg").first).to_be_attached()
    held[0].fulfill(body="<p>older</p>")
    page.wait_for_timeout(200)
    expect(preview).not_to_contain_text("older")
    page_errors.clear()  # the answer 503


def test_two_pages_do_not_overwrite_each_other(
    open_page: OpenPage, live_app: str, make_level: MakePath
) -> None:
    path = make_level("3 5", "2 4")
    one, two = open_page(path, "desktop"), open_page(path, "desktop")
    choose_tool(two, "symbols")
    type_numbers(one, "66")
    wait_until_saved(one)
    tap(two, "a1", "b1")
    choose_tool(one, "areas")
    one.get_by_role("button", name="New area").click()
    tap(one, "a2")
    wait_until_saved(one)
    choose_tool(two, "grid")
    two.get_by_role("button", name="One fewer row").click()
    wait_until_saved(two)
    assert rows(two) == ["6Gy 6Gy"]
    # The first page does not know yet that the row is gone: it gets a message and an update.
    tap(one, "b2")
    expect(one.locator("#refusal")).to_contain_text("Somebody has changed that")
    expect(place(one, "a1")).to_have_accessible_name("a1, 6, yellow gem")
    expect(place(one, "a2")).to_have_count(0)


def test_undo_goes_back_over_a_reload(open_page: OpenPage, make_level: MakePath) -> None:
    page = open_page(make_level("? ?", "? ?"), "desktop")
    expect(page.locator("#undo")).to_have_attribute("aria-disabled", "true")
    type_numbers(page, "1234")
    wait_until_saved(page)
    page.reload()
    for grid in (["1 2", "3 ?"], ["1 2", "? ?"], ["1 ?", "? ?"], ["? ?", "? ?"]):
        page.locator("#undo").press("Enter")
        assert rows(page) == grid
    expect(page.locator("#undo")).to_have_attribute("aria-disabled", "true")
    page.reload()
    page.locator("#redo").click()
    assert rows(page) == ["1 ?", "? ?"]


def test_checks_light_up_their_fields_and_open_their_tool(
    open_page: OpenPage, make_level: MakePath
) -> None:
    page = open_page(make_level("3x 5 . 1Gy", "2 4 . 6"), "desktop")
    page.get_by_role("button", name="There are no points yet for: yellow gem").click()
    expect(page.locator("#drawing .lit")).to_have_attribute("data-field", "d1")
    page.locator("#points-Gy").fill("2")
    page.locator("#points-Gy").press("Tab")
    # The list is drawn again: an earlier press would hit another button.
    expect(page.get_by_role("button", name="There are no points yet")).to_have_count(0)
    check = page.get_by_role("button", name="Nobody can ever reach d2")
    check.click()
    expect(page.locator("#drawing .lit")).to_have_attribute("data-field", "d2")
    check.click()
    expect(page.locator("#drawing .lit")).to_have_count(0)


def test_try_it_leads_to_what_is_missing(open_page: OpenPage, make_level: MakePath) -> None:
    page = open_page(make_level("3x 5 1Gy", "2 ? 4"), "phone")
    place(page, "a1").click()
    page.keyboard.press("3")
    choose_tool(page, "names")
    wait_until_saved(page)
    page.get_by_role("button", name="Try it").click()
    missing = page.get_by_role("alert").filter(has_text="Not ready yet.")
    expect(missing).to_contain_text("b2 has no number yet.")
    expect(missing).to_be_focused()
    expect(page.locator("[data-tool=numbers]")).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".art-field.lit")).to_have_attribute("data-field", "b2")
    expect(place(page, "b2")).to_be_in_viewport(ratio=1)
    page.locator("[data-number='6']").click()
    wait_until_saved(page)
    expect(missing).to_be_hidden()
    # Then the points of the gem are missing.
    page.get_by_role("button", name="Try it").click()
    expect(page.locator("[data-panel=points]")).to_be_visible()
    expect(missing).to_be_in_viewport(ratio=1)
    page.get_by_role("button", name="Fill in usual values").click()
    wait_until_saved(page)
    expect(missing).to_be_hidden()
    page.get_by_role("button", name="Try it").click()
    page.wait_for_url("**/table/*/")


def test_mouse_paints_an_area(open_page: OpenPage, make_level: MakePath) -> None:
    page = open_page(make_level("1 2 3 4", "5 6 1 2"), "desktop")
    choose_tool(page, "areas")
    page.get_by_role("button", name="New area").click()
    place(page, "a1").hover()
    page.mouse.down()
    for name in ("b1", "c1", "c2"):
        place(page, name).hover()
    page.mouse.up()
    assert wait_until_saved(page)["areas"] == [{"fields": ["a1", "b1", "c1", "c2"], "points": 5}]
    assert stored(page).position == 1, "a stroke is one thing to take back"


def test_touch_scrolls_and_does_not_paint(open_page: OpenPage, make_level: MakePath) -> None:
    page = open_page(make_level(*(["1 2 3 4 5 6 1 2 3 4 5 6"] * 12)))
    choose_tool(page, "crosses")
    session = page.context.new_cdp_session(page)
    session.send(
        "Input.synthesizeScrollGesture", {"x": 200, "y": 400, "yDistance": -150, "xDistance": -80}
    )
    assert stored(page).revision == 0


def drag_finger(page: Page, *names: str) -> None:
    """Drag a finger from field to field."""
    session = page.context.new_cdp_session(page)
    places = []
    for name in names:
        box = place(page, name).bounding_box()
        assert box
        places.append({"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2})
    session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": places[:1]})
    for point in places[1:]:
        session.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [point]})
    # Stop at the end: after a fling the browser may use the next tap to stop scrolling.
    page.wait_for_timeout(200)
    session.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": places[-1:]})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


@pytest.mark.parametrize(
    ("chosen", "button", "kind"),
    [("areas", "New area", "areas"), ("lines", "New chain of fields", "lines")],
)
def test_finger_paints_what_is_gathered(
    open_page: OpenPage, make_level: MakePath, chosen: str, button: str, kind: str
) -> None:
    page = open_page(make_level("1 2 3 4", "5 6 1 2", "1 2 3 4"))
    choose_tool(page, chosen)
    touch(page.get_by_role("button", name=button))
    expect(page.locator("#draft.painting")).to_be_visible()
    # From a1 directly to c1: the fields in between are included.
    drag_finger(page, "a1", "c1", "c2")
    assert wait_until_saved(page)[kind] == [{"fields": ["a1", "b1", "c1", "c2"], "points": 5}]
    assert stored(page).position == 1, "a stroke is one thing to take back"
    drag_finger(page, "c2", "d2", "d3")
    assert wait_until_saved(page)[kind] == [
        {"fields": ["a1", "b1", "c1", "c2", "d2", "d3"], "points": 5}
    ]
    assert stored(page).position == 2
    page.locator("#undo").click()
    wait_until(
        page,
        lambda: wait_until_saved(page)[kind] == [{"fields": ["a1", "b1", "c1", "c2"], "points": 5}],
    )
    touch(place(page, "c2"))
    touch(place(page, "d2"))
    wait_until(
        page,
        lambda: wait_until_saved(page)[kind] == [{"fields": ["a1", "b1", "c1", "d2"], "points": 5}],
    )


def test_two_fingers_do_not_paint(open_page: OpenPage, make_level: MakePath) -> None:
    page = open_page(make_level(*(["1 2 3 4 5 6 1 2 3 4 5 6"] * 12)))
    choose_tool(page, "areas")
    touch(page.get_by_role("button", name="New area"))
    expect(page.locator("#draft.painting")).to_be_visible()
    session = page.context.new_cdp_session(page)
    session.send("Input.synthesizePinchGesture", {"x": 200, "y": 300, "scaleFactor": 1.5})
    assert page.evaluate("visualViewport.scale") > 1.2
    assert stored(page).revision == 0


def test_wrong_points_are_refused_with_a_message(open_page: OpenPage, make_level: MakePath) -> None:
    page = open_page(make_level(lines=[{"row": 1, "points": 5}]), "desktop")
    choose_tool(page, "lines")
    page.locator("[data-edge='row 1']").click()
    field = page.locator("#line-points")

    def enter(text: str) -> None:
        field.evaluate("(input, text) => { input.maxLength = 99; input.value = text; }", text)
        field.dispatch_event("change")

    for bad in ("100", "x", "1 2 3", ""):
        enter(bad)
        expect(field).to_have_accessible_description("A number from −99 to 99, please.")
        expect(field).to_have_attribute("aria-invalid", "true")
        enter("7")
        expect(field).not_to_have_attribute("aria-invalid", "true")


def test_largest_sheet_loses_no_key_of_fast_fingers(
    open_page: OpenPage, make_level: MakePath
) -> None:
    page = open_page(make_level(*(["?" + " ?" * 25] * 26)), "desktop")
    place(page, "a1").click()
    page.keyboard.type("123456" * 4)
    expect(place(page, "x1")).to_have_accessible_name("x1, 6")


@pytest.mark.slow
def test_tools_fit_a_phone_and_are_accessible(open_page: OpenPage, make_level: MakePath) -> None:
    """`test_every_page` checks the rest of the page."""
    path = make_level(lines=[{"row": 1, "points": 5}], areas=[{"fields": ["a1"], "points": 2}])
    page = open_page(path, "phone", "de")
    faults: dict[str, object] = {}
    for name in TOOLS:
        choose_tool(page, name)
        found: list[object] = [
            axe_violations_in_both_themes(page),
            overflow_px(page),
            small_targets(page),
        ]
        set_font_size(page, "200%")
        found.append(overflow_px(page))
        set_font_size(page, "")
        if any(found):
            faults[name] = found
    assert not faults, pformat(faults)


@pytest.mark.own_servers
def test_edits_outlive_a_killed_server(
    tmp_path: Path, new_context: NewContext, page_errors: list[str]
) -> None:
    port = free_port()
    server = start_server(started_before(tmp_path), port)
    try:
        page = new_context("desktop").new_page()
        page.goto(f"http://127.0.0.1:{port}/workshop/invent/")
        begin(page, 3, 2)
        place(page, "a1").click()
        for key in "351":
            with page.expect_response("**/acts/") as answer:
                page.keyboard.press(key)
            assert answer.value.ok
        os.killpg(server.pid, signal.SIGKILL)
        server.wait()
        page.keyboard.press("2")
        server = start_server(tmp_path, port)
        page.reload()
        for name, number in (("a1", 3), ("b1", 5), ("c1", 1), ("a2", 2)):
            expect(place(page, name)).to_have_accessible_name(f"{name}, {number}")
        expect(page.locator("#saving")).to_have_text("Saved")
        page.close()
        page_errors.clear()  # the page may have polled the dead server
    finally:
        os.killpg(server.pid, signal.SIGKILL)
        server.wait()
