"""The guide for sheets with rare features: ticked first, then entered step by step."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.axe import axe_violations
from tests.browser.conftest import PHONE_WIDTH, OpenPage
from tests.browser.layout_checks import small_targets
from tests.browser.polling import end_animations, follow_link
from tests.browser.touch import touch
from tests.browser.workshop_page import begin, tap, wait_until_saved

UNDO_MESSAGE_MS = 9500
"""Time after which the message about Undo has disappeared."""


def go_to_step(page: Page, title: str) -> None:
    """Go forward to a step."""
    wait_until_saved(page)
    follow_link(page, page.locator("#next-step"))
    expect(page.get_by_role("heading", level=1)).to_have_text(title)


def go_back_to_step(page: Page, title: str) -> None:
    wait_until_saved(page)
    follow_link(page, page.get_by_role("link", name="Back"))
    expect(page.get_by_role("heading", level=1)).to_have_text(title)


def begin_own_sheet(page: Page, columns: int, height: int, *features: str) -> None:
    for feature in features:
        page.get_by_label(feature).check()
    begin(page, columns, height)


@pytest.mark.slow
def test_sheet_with_volcano_walls_races_and_moved_rows(open_page: OpenPage) -> None:
    page = open_page("/workshop/own/", "phone")
    begin_own_sheet(
        page, 3, 3, "a volcano", "moved sideways", "walls or bridges", "pay the first player more"
    )
    for key in "123456123":
        page.locator(f"[data-number='{key}']").click()
    go_to_step(page, "Moved rows")
    tap(page, "b2")
    for _ in range(2):
        page.get_by_role("button", name="A quarter of a field to the right").click()
    go_to_step(page, "Symbols")
    expect(page.locator("#symbol-palette").get_by_role("button", name="volcano")).to_have_count(0)
    go_to_step(page, "Volcano")
    tap(page, "a3", "b3", "b3")
    go_to_step(page, "Printed crosses")
    tap(page, "a1")
    go_to_step(page, "Walls and bridges")
    page.get_by_role("radio", name="Wall").check()
    tap(page, "a1", "b1")
    go_to_step(page, "Arrows")
    go_to_step(page, "Bordered areas")
    go_to_step(page, "Races")
    page.get_by_role("button", name="New race").click()
    tap(page, "c1", "c2")
    expect(page.locator("#area-points")).to_have_value("")
    page.locator("#area-points").fill("7.5.3")
    go_to_step(page, "Points")
    document = wait_until_saved(page)
    assert [row.split() for row in document["grid"]] == [
        ["1x", "2", "3"], ["4", "5", "6"], ["-V", "?", "3"],
    ]  # fmt: skip
    assert document["shifts"] == [0, 0.5, 0]
    assert document["walls"] == [["a1", "b1"]]
    assert document["areas"] == [{"fields": ["c1", "c2"], "race": [7, 5, 3]}]


@pytest.mark.slow
def test_rail_sheet_is_ticked_later_and_gets_its_steps(open_page: OpenPage) -> None:
    page = open_page("/workshop/own/", "phone")
    begin(page, 3, 2)
    for key in "123456":
        page.locator(f"[data-number='{key}']").click()
    go_back_to_step(page, "Size and name")
    expect(page.locator("#step-count")).to_have_text("Step 1 of 10")
    page.get_by_label("railway tracks").check()
    page.get_by_label("pay the first player more").check()
    expect(page.locator("#step-count")).to_have_text("Step 1 of 11")
    go_to_step(page, "Numbers")
    go_to_step(page, "Symbols")
    expect(page.locator("#symbol-palette").get_by_role("button", name="stop")).to_have_count(1)
    go_to_step(page, "Printed tracks")
    page.get_by_role("button", name="track from right to bottom").click()
    tap(page, "a1")
    assert wait_until_saved(page)["tracks"] == {"a1": "ES"}
    page.goto(page.url.replace("/tracks/", "/size/"))
    page.get_by_label("railway tracks").uncheck()
    expect(page.locator("#told")).to_contain_text("printed tracks (1)")
    assert "tracks" not in wait_until_saved(page)
    page.get_by_role("button", name="Steps", exact=True).click()
    expect(page.locator(".guide-steps li:visible")).to_have_count(11)


def test_tick_before_the_script_is_loaded_counts(open_page: OpenPage) -> None:
    page = open_page("/workshop/own/", "phone")
    begin_own_sheet(page, 2, 2, "pay the first player more")
    wait_until_saved(page)
    held: list[Route] = []
    page.route("**/workshop/features*.js", lambda route: held.append(route))
    step_back = page.get_by_role("link", name="Back")
    end_animations(step_back)
    step_back.click()
    page.get_by_label("railway tracks").check()
    page.get_by_label("pay the first player more").press("Space")
    expect(page.locator("#step-count")).to_have_text("Step 1 of 11")
    for route in held:
        route.continue_()
    expect(page.locator("#step-count")).to_have_text("Step 1 of 10")
    assert wait_until_saved(page)["marks"] == "tracks"


def test_points_are_tapped_without_a_keyboard_over_the_sheet(open_page: OpenPage) -> None:
    page = open_page("/workshop/own/", "phone")
    begin_own_sheet(page, 9, 2, "pay the first player more")
    page.goto(page.url.replace("/numbers/", "/arrows/"))
    for edge, keys in (("row 2", "12"), ("column i", "-7")):
        button = page.locator(f"[data-edge='{edge}']")
        box = button.bounding_box()
        assert box
        assert box["x"] + box["width"] < PHONE_WIDTH, "an arrow lies outside the screen"
        touch(button)
        tap_keys(page, *keys)
    expect(page.locator("#line-points")).to_be_focused()
    expect(page.locator("#line-points")).to_have_attribute("inputmode", "none")
    tap_keys(page, "3", "3", "back", "back", "4")
    assert wait_until_saved(page)["lines"] == [
        {"row": 2, "points": 12},
        {"column": "i", "points": -4},
    ]
    page.goto(page.url.replace("/arrows/", "/races/"))
    touch(page.get_by_role("button", name="New race"))
    for name in ("a1", "b1"):
        touch(page.locator(f"#grid [data-at={name}]"))
    tap_keys(page, "1", "0", " ", "5")
    assert wait_until_saved(page)["areas"] == [{"fields": ["a1", "b1"], "race": [10, 5]}]
    touch(page.locator("#undo"))
    expect(page.locator("#told")).to_have_text("Undone: area of a1, b1.")
    assert wait_until_saved(page)["areas"] == [{"fields": ["a1", "b1"], "race": []}]


def tap_keys(page: Page, *keys: str) -> None:
    for key in keys:
        touch(page.locator(f".pad:visible [data-pad='{key}']"))


def test_keys_stay_in_place_when_messages_appear(open_page: OpenPage) -> None:
    page = open_page("/workshop/own/", "phone")
    begin_own_sheet(page, 9, 2)
    page.goto(page.url.replace("/numbers/", "/arrows/"))
    page.clock.install()
    touch(page.locator("[data-edge='row 1']"))
    wait_until_saved(page)
    keys = page.locator(".pad:visible")
    before = keys.bounding_box()
    held: list[Route] = []
    page.route("**/acts/**", lambda route: held.append(route))
    tap_keys(page, "7")
    expect(page.locator("#saving")).to_have_text("Not saved yet")
    expect(page.locator("#saving")).to_be_in_viewport(ratio=1)
    assert keys.bounding_box() == before
    held.pop().continue_()
    page.unroute("**/acts/**")
    wait_until_saved(page)
    assert keys.bounding_box() == before
    touch(page.locator("#undo"))
    expect(page.locator("#told")).to_be_in_viewport(ratio=1)
    wait_until_saved(page)
    page.evaluate("""async () => {
        const { sayRefusal } = await import("/static/sheets/workshop/acts.js");
        sayRefusal("This is refused.");
    }""")
    expect(page.locator("#refusal")).to_be_in_viewport(ratio=1)
    # The arrow is deleted with its points; the keys of the next one are in the same place.
    touch(page.locator("[data-edge='row 1']"))
    page.clock.fast_forward(UNDO_MESSAGE_MS)
    expect(page.locator("#told")).to_be_hidden()
    assert keys.bounding_box() == before


def test_number_pad_is_hidden_on_a_desktop(open_page: OpenPage) -> None:
    page = open_page("/workshop/own/", "desktop")
    begin_own_sheet(page, 2, 2)
    page.goto(page.url.replace("/numbers/", "/arrows/"))
    page.locator("[data-edge='row 1']").click()
    expect(page.locator("#line-points")).to_have_attribute("inputmode", "numeric")
    expect(page.locator(".pad")).to_be_hidden()


def test_costs_are_entered_without_a_minus_sign(open_page: OpenPage) -> None:
    """The number keyboards of some phones have none."""
    page = open_page("/workshop/own/", "phone")
    begin_own_sheet(page, 2, 2)
    page.goto(page.url.replace("/numbers/", "/symbols/"))
    page.locator("#symbol-palette").get_by_role("button", name="bomb").click()
    tap(page, "a1")
    wait_until_saved(page)
    page.goto(page.url.replace("/symbols/", "/points/"))
    page.locator("#points-B").fill("3")
    assert wait_until_saved(page)["points"] == {"bomb": -3}
    page.locator("#points-B").blur()
    expect(page.locator("#points-B")).to_have_value("-3")


def test_only_reached_steps_report_missing_parts(open_page: OpenPage) -> None:
    page = open_page("/workshop/own/", "desktop")
    begin_own_sheet(page, 6, 1)
    found = page.locator("#check-list")
    expect(found).to_contain_text("These have no number yet")
    page.keyboard.type("351426")
    expect(found).to_have_text("Nothing is missing so far, and nothing looks odd.")
    go_to_step(page, "Symbols")
    page.locator("#symbol-palette").get_by_role("button", name="bomb").click()
    tap(page, "a1")
    expect(found).to_have_text("Nothing is missing up to here. The next steps ask for the rest.")
    go_to_step(page, "Printed crosses")
    expect(found).to_contain_text("There is no printed cross yet")
    expect(found).not_to_contain_text("How much is it worth?")
    page.goto(page.url.replace("/crosses/", "/points/"))
    expect(found).to_contain_text("How much is it worth?")
    page.goto(page.url.replace("/points/", "/done/"))
    expect(found).to_contain_text("How much is it worth?")


def test_missing_part_links_to_its_step(open_page: OpenPage) -> None:
    page = open_page("/workshop/own/", "phone")
    begin_own_sheet(page, 6, 1)
    for key in "351426":
        page.locator(f"[data-number='{key}']").click()
    wait_until_saved(page)
    page.goto(page.url.replace("/numbers/", "/done/"))
    lacks = page.locator("#check-list li", has_text="There is no printed cross yet")
    # Also after its list was drawn again.
    expect(lacks.get_by_role("button")).to_have_attribute("aria-pressed", "false")
    assert axe_violations(page) == ""
    assert not small_targets(page)
    follow_link(page, lacks.get_by_role("link", name="Printed crosses"))
    expect(lacks.get_by_role("link")).to_have_count(0)
    tap(page, "a1")
    wait_until_saved(page)
    follow_link(page, page.get_by_role("link", name="Back to the last step"))
    expect(page.locator("#check-list")).to_contain_text("Worth a look")
    expect(lacks).to_have_count(0)


def test_first_step_says_how_to_come_back(open_page: OpenPage) -> None:
    page = open_page("/workshop/own/", "phone")
    begin_own_sheet(page, 3, 1)
    way_back = page.get_by_text("the workshop on this device lists your sheet")
    expect(way_back).to_be_in_viewport()
    touch(page.locator("[data-number='3']"))
    wait_until_saved(page)
    page.reload()
    expect(way_back).to_have_count(0)
    go_back_to_step(page, "Size and name")
    expect(way_back).to_be_in_viewport()


def test_rails_say_why_moved_rows_have_no_step(open_page: OpenPage) -> None:
    page = open_page("/workshop/own/", "phone")
    reason = page.get_by_text("the step for moved rows is left out")
    page.get_by_label("moved sideways").check()
    expect(reason).to_be_hidden()
    page.get_by_label("railway tracks").check()
    expect(reason).to_be_visible()
    begin(page, 2, 2)
    go_back_to_step(page, "Size and name")
    expect(reason).to_be_visible()
    page.get_by_label("railway tracks").uncheck()
    expect(reason).to_be_hidden()
