"""The workshop by keyboard, mouse and touch in turn, and its messages about wrong numbers."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import MakePath, OpenPage
from tests.browser.touch import touch
from tests.browser.workshop_page import begin, choose_tool, place, rows, wait_until_saved


def key(page: Page, digit: str) -> Locator:
    return page.locator(f"[data-number='{digit}']")


@pytest.mark.parametrize(("way", "device"), [("own", "phone"), ("invent", "desktop")])
def test_digits_are_tapped_and_typed_in_turn(open_page: OpenPage, way: str, device: str) -> None:
    page = open_page(f"/workshop/{way}/", device)
    begin(page, 3, 3)
    key(page, "2").click()
    page.keyboard.type("6")
    page.keyboard.press("Enter")
    assert rows(page) == ["2 6 ?", "? ? ?", "? ? ?"]
    page.keyboard.type("1")
    key(page, "3").click()
    page.keyboard.press("Backspace")
    page.keyboard.type("4")
    page.locator("#undo").click()
    page.keyboard.type("5")
    page.keyboard.press("Enter")
    page.keyboard.type("6")
    assert rows(page)[1:] == ["1 ? 5", "6 ? ?"]


def test_key_of_the_pad_is_pressed_by_keyboard_too(open_page: OpenPage) -> None:
    page = open_page("/workshop/own/", "desktop")
    begin(page, 4, 2)
    key(page, "2").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Space")
    expect(key(page, "2")).to_be_focused()
    page.keyboard.type("6")
    page.keyboard.press("Enter")
    page.keyboard.type("1")
    assert rows(page) == ["2 2 6 ?", "1 ? ? ?"]


def test_enter_after_a_corrected_digit_confirms_the_row(
    open_page: OpenPage, make_level: MakePath
) -> None:
    page = open_page(make_level("1 2", "3 4") + "guide/check/", "desktop")
    page.locator("[data-act='fix 5']").click()
    page.keyboard.press("Enter")
    expect(page.locator("#rows-done")).to_have_text("1 of 2")
    assert rows(page) == ["5 2", "3 4"]


@pytest.mark.parametrize("view", ["phone", "paper"])
def test_preview_on_a_phone_has_no_tools(
    open_page: OpenPage, make_level: MakePath, view: str
) -> None:
    page = open_page(make_level("1 2", "3 ?"))
    touch(page.locator(f"button[data-view={view}]"))
    expect(key(page, "1")).to_be_hidden()
    expect(page.locator("#panels")).to_be_hidden()
    page.keyboard.type("6")
    assert rows(page) == ["1 2", "3 ?"]
    choose_tool(page, "symbols")
    expect(page.locator("#drawing")).to_be_visible()
    expect(page.locator("#symbol-palette")).to_be_visible()
    touch(page.locator(f"button[data-view={view}]"))
    touch(page.get_by_role("button", name="b2 has no number yet"))
    expect(key(page, "1")).to_be_visible()


def test_preview_in_the_last_step_keeps_the_way_back(
    open_page: OpenPage, make_level: MakePath
) -> None:
    path = make_level("1 2", "3 4")
    page = open_page(path + "guide/points/")
    expect(page.locator("button[data-view]")).to_have_count(0)
    page.goto(page.url.replace("points", "done"))
    touch(page.locator("button[data-view=phone]"))
    expect(page.locator("#preview")).to_be_visible()
    expect(page.locator(".guide-foot a")).to_be_visible()
    expect(place(page, "a1")).to_be_hidden()


def test_refusal_is_shown_at_its_input_until_corrected(
    open_page: OpenPage, make_level: MakePath
) -> None:
    page = open_page(make_level("3x 5", "2 4"))
    choose_tool(page, "counts")
    three = page.get_by_label("Dice for 3")
    three.fill("31")
    page.get_by_label("Rounds for 2").fill("7")
    refusal = page.get_by_text("Dice for 3: A number from 1 to 30, please.")
    expect(three).to_have_accessible_description(refusal.inner_text())
    expect(page.locator("#refusal")).to_be_hidden()
    box, row = refusal.bounding_box(), three.bounding_box()
    assert box
    assert row
    assert 0 <= box["y"] - (row["y"] + row["height"]) < 20
    # Its first digit alone was a valid number of dice.
    assert "dice" not in wait_until_saved(page)
    assert wait_until_saved(page)["rounds"] == {"2": 7}
    page.get_by_label("Rounds for 4").fill("5")
    expect(three).to_have_value("31")
    three.fill("8")
    expect(refusal).to_have_count(0)
    expect(three).not_to_have_attribute("aria-invalid", "true")
    assert wait_until_saved(page)["dice"] == {"3": 8}
    page.get_by_label("Grade 2 from").fill("x")
    page.get_by_label("Grade 2 from").blur()
    expect(page.get_by_text("Grade 2 from: A number from −9999 to 9999")).to_be_in_viewport()
    choose_tool(page, "grid")
    page.get_by_role("spinbutton", name="Columns").fill("27")
    page.get_by_role("spinbutton", name="Columns").blur()
    expect(page.get_by_text("A number from 1 to 26, please.")).to_be_visible()
    page.get_by_role("button", name="One more column").click()
    expect(page.locator(".wrong")).to_have_count(0)
    assert rows(page) == ["3x 5 ?", "2 4 ?"]
    choose_tool(page, "counts")
    expect(page.locator("[aria-invalid=true]")).to_have_count(0)
    expect(page.get_by_label("Grade 2 from")).to_have_value("51")


def test_first_digit_replaces_what_stands_in_a_box(
    open_page: OpenPage, make_level: MakePath
) -> None:
    page = open_page(make_level("3x 5B", "2 4", lines=[{"row": 1, "points": 12}]))
    choose_tool(page, "points")
    page.locator("#points-B").fill("7")
    page.locator("#points-B").blur()
    touch(page.locator("#points-B"))
    page.keyboard.type("4")
    assert wait_until_saved(page)["points"] == {"bomb": -4}
    # A second tap sets the caret to change one digit.
    touch(page.locator("#points-B"))
    page.keyboard.press("End")
    page.keyboard.type("5")
    assert wait_until_saved(page)["points"] == {"bomb": -45}
    page.locator("#points-B").blur()
    page.locator("#points-B").fill("100")
    page.locator("#points-B").blur()
    assert wait_until_saved(page)["points"] == {"bomb": -45}
    choose_tool(page, "lines")
    touch(page.locator("[data-edge='row 1']"))
    touch(page.locator("#line-points"))
    touch(page.locator(".pad:visible [data-pad='3']"))
    assert wait_until_saved(page)["lines"] == [{"row": 1, "points": 3}]


@pytest.mark.slow
def test_backspace_takes_one_digit_and_a_race_stays_one(
    open_page: OpenPage, make_level: MakePath
) -> None:
    def pays(*keys: str) -> object:
        for one in keys:
            touch(page.locator(f".pad:visible [data-pad='{one}']"))
        (area,) = wait_until_saved(page)["areas"]
        return area.get("race") or area["points"]

    page = open_page(make_level("3x 5", "2 4") + "guide/races/")
    touch(page.get_by_role("button", name="New race"))
    touch(place(page, "a1"))
    assert pays("8", " ", "4", " ", "2") == [8, 4, 2]
    assert pays("back") == [8, 4]
    assert pays("back") == [8]
    assert pays(" ", "1", "2") == [8, 12]
    assert pays("back", "back", "back", "1") == [1]
    expect(page.locator("#area-list")).to_contain_text("Race 1")
    page.locator("#area-points").blur()
    page.locator("#area-points").fill("")
    page.keyboard.type("9")
    assert pays() == [9]
    page.goto(page.url.replace("guide/races/", "?whole"))
    choose_tool(page, "areas")
    touch(place(page, "a1"))
    assert pays("5", " ", "3") == [5, 3]
    touch(page.locator("#area-remove"))
    touch(place(page, "a1"))
    assert pays("5", " ", "3", "back", "back") == 5


def test_first_race_is_race_1_though_an_area_stands_before_it(
    open_page: OpenPage, make_level: MakePath
) -> None:
    page = open_page(make_level("3x 5 1", "2 4 6") + "?whole")
    choose_tool(page, "areas")
    for field, numbers in (("a1", "5"), ("b1", "8 4"), ("c1", "7")):
        touch(page.locator("#area-new"))
        touch(place(page, field))
        page.locator("#area-points").fill(numbers)
    wait_until_saved(page)
    names = [text.split(" ·")[0] for text in page.locator("#area-list button").all_inner_texts()]
    assert names == ["Area 1", "Race 1", "Area 2"]
    touch(page.locator("#area-list button").nth(1))
    expect(page.locator("#area-title")).to_have_text("Points for: Race 1")
