"""The guided way for sheets that have more than most: ticked first, then led through."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.axe import barriers
from tests.browser.finger import touch
from tests.browser.room import too_small
from tests.browser.waiting import end_animations, follow
from tests.browser.workshop_bench import begin, settle, tap

Open = Callable[..., Page]

PHONE = 390
"""The width of its screen in pixels."""

TOLD_MS = 9500
"""What is said about Undo is gone after this time."""


def on(page: Page, title: str) -> None:
    """Go on to a step."""
    settle(page)
    follow(page, page.locator("#next-step"))
    expect(page.get_by_role("heading", level=1)).to_have_text(title)


def back(page: Page, title: str) -> None:
    settle(page)
    follow(page, page.get_by_role("link", name="Back"))
    expect(page.get_by_role("heading", level=1)).to_have_text(title)


def own(page: Page, columns: int, height: int, *features: str) -> None:
    for feature in features:
        page.get_by_label(feature).check()
    begin(page, columns, height)


@pytest.mark.slow
def test_sheet_with_volcano_walls_races_and_moved_rows(open_page: Open) -> None:
    page = open_page("/workshop/own/", "phone")
    own(page, 3, 3, "a volcano", "moved sideways", "walls or bridges", "pay the first more")
    for key in "123456123":
        page.locator(f"[data-number='{key}']").click()
    on(page, "Moved rows")
    tap(page, "b2")
    for _ in range(2):
        page.get_by_role("button", name="A quarter of a field to the right").click()
    on(page, "Symbols")
    expect(page.locator("#symbol-palette").get_by_role("button", name="volcano")).to_have_count(0)
    on(page, "Volcano")
    tap(page, "a3", "b3", "b3")
    on(page, "Printed crosses")
    tap(page, "a1")
    on(page, "Walls and bridges")
    page.get_by_role("radio", name="Wall").check()
    tap(page, "a1", "b1")
    on(page, "Arrows")
    on(page, "Bordered areas")
    on(page, "Races")
    page.get_by_role("button", name="New race").click()
    tap(page, "c1", "c2")
    expect(page.locator("#area-points")).to_have_value("")
    page.locator("#area-points").fill("7.5.3")
    on(page, "Points")
    document = settle(page)
    assert [row.split() for row in document["grid"]] == [
        ["1x", "2", "3"], ["4", "5", "6"], ["-V", "?", "3"],
    ]  # fmt: skip
    assert document["shifts"] == [0, 0.5, 0]
    assert document["walls"] == [["a1", "b1"]]
    assert document["areas"] == [{"fields": ["c1", "c2"], "race": [7, 5, 3]}]


@pytest.mark.slow
def test_rail_sheet_is_ticked_later_and_gets_its_steps(open_page: Open) -> None:
    page = open_page("/workshop/own/", "phone")
    begin(page, 3, 2)
    for key in "123456":
        page.locator(f"[data-number='{key}']").click()
    back(page, "Size and name")
    expect(page.locator("#step-count")).to_have_text("Step 1 of 10")
    page.get_by_label("railway tracks").check()
    page.get_by_label("pay the first more").check()
    expect(page.locator("#step-count")).to_have_text("Step 1 of 11")
    on(page, "Numbers")
    on(page, "Symbols")
    expect(page.locator("#symbol-palette").get_by_role("button", name="stop")).to_have_count(1)
    on(page, "Printed tracks")
    page.get_by_role("button", name="printed track ES").click()
    tap(page, "a1")
    assert settle(page)["tracks"] == {"a1": "ES"}
    page.goto(page.url.replace("/tracks/", "/size/"))
    page.get_by_label("railway tracks").uncheck()
    expect(page.locator("#told")).to_contain_text("printed tracks (1)")
    assert "tracks" not in settle(page)
    page.get_by_role("button", name="Steps", exact=True).click()
    expect(page.locator(".guide-steps li:visible")).to_have_count(11)


def test_tick_that_is_quicker_than_the_page_counts(open_page: Open) -> None:
    page = open_page("/workshop/own/", "phone")
    own(page, 2, 2, "pay the first more")
    settle(page)
    held: list[Route] = []
    page.route("**/workshop/features*.js", lambda route: held.append(route))
    step_back = page.get_by_role("link", name="Back")
    end_animations(step_back)
    step_back.click()
    page.get_by_label("railway tracks").check()
    page.get_by_label("pay the first more").press("Space")
    expect(page.locator("#step-count")).to_have_text("Step 1 of 11")
    for route in held:
        route.continue_()
    expect(page.locator("#step-count")).to_have_text("Step 1 of 10")
    assert settle(page)["marks"] == "tracks"


def test_points_are_tapped_without_a_keyboard_over_the_sheet(open_page: Open) -> None:
    page = open_page("/workshop/own/", "phone")
    own(page, 9, 2, "pay the first more")
    page.goto(page.url.replace("/numbers/", "/arrows/"))
    for edge, keys in (("row 2", "12"), ("column i", "-7")):
        button = page.locator(f"[data-edge='{edge}']")
        box = button.bounding_box()
        assert box
        assert box["x"] + box["width"] < PHONE, "an arrow lies outside the screen"
        touch(button)
        pad(page, *keys)
    expect(page.locator("#line-points")).to_be_focused()
    expect(page.locator("#line-points")).to_have_attribute("inputmode", "none")
    pad(page, "3", "3", "back", "back", "4")
    assert settle(page)["lines"] == [{"row": 2, "points": 12}, {"column": "i", "points": -4}]
    page.goto(page.url.replace("/arrows/", "/races/"))
    touch(page.get_by_role("button", name="New race"))
    for name in ("a1", "b1"):
        touch(page.locator(f"#grid [data-at={name}]"))
    pad(page, "1", "0", " ", "5")
    assert settle(page)["areas"] == [{"fields": ["a1", "b1"], "race": [10, 5]}]
    touch(page.locator("#undo"))
    expect(page.locator("#told")).to_have_text("Taken back: area of a1, b1.")
    assert settle(page)["areas"] == [{"fields": ["a1", "b1"], "race": []}]


def pad(page: Page, *keys: str) -> None:
    for key in keys:
        touch(page.locator(f".pad:visible [data-pad='{key}']"))


def test_keys_stay_under_the_thumb_whatever_is_said(open_page: Open) -> None:
    page = open_page("/workshop/own/", "phone")
    own(page, 9, 2)
    page.goto(page.url.replace("/numbers/", "/arrows/"))
    page.clock.install()
    touch(page.locator("[data-edge='row 1']"))
    settle(page)
    keys = page.locator(".pad:visible")
    before = keys.bounding_box()
    held: list[Route] = []
    page.route("**/acts/**", lambda route: held.append(route))
    pad(page, "7")
    expect(page.locator("#saving")).to_have_text("Not saved yet")
    expect(page.locator("#saving")).to_be_in_viewport(ratio=1)
    assert keys.bounding_box() == before
    held.pop().continue_()
    page.unroute("**/acts/**")
    settle(page)
    assert keys.bounding_box() == before
    touch(page.locator("#undo"))
    expect(page.locator("#told")).to_be_in_viewport(ratio=1)
    settle(page)
    page.evaluate("""async () => {
        const { sayRefusal } = await import("/static/sheets/workshop/acts.js");
        sayRefusal("This is refused.");
    }""")
    expect(page.locator("#refusal")).to_be_in_viewport(ratio=1)
    # The arrow is gone with what it pays; the next one has its keys in the same place.
    touch(page.locator("[data-edge='row 1']"))
    page.clock.fast_forward(TOLD_MS)
    expect(page.locator("#told")).to_be_hidden()
    assert keys.bounding_box() == before


def test_pad_is_for_thumbs_alone(open_page: Open) -> None:
    page = open_page("/workshop/own/", "desktop")
    own(page, 2, 2)
    page.goto(page.url.replace("/numbers/", "/arrows/"))
    page.locator("[data-edge='row 1']").click()
    expect(page.locator("#line-points")).to_have_attribute("inputmode", "numeric")
    expect(page.locator(".pad")).to_be_hidden()


def test_what_costs_needs_no_minus(open_page: Open) -> None:
    """The keys for numbers of some phones have none."""
    page = open_page("/workshop/own/", "phone")
    own(page, 2, 2)
    page.goto(page.url.replace("/numbers/", "/symbols/"))
    page.locator("#symbol-palette").get_by_role("button", name="bomb").click()
    tap(page, "a1")
    settle(page)
    page.goto(page.url.replace("/symbols/", "/points/"))
    page.locator("#points-B").fill("3")
    assert settle(page)["points"] == {"bomb": -3}
    page.locator("#points-B").blur()
    expect(page.locator("#points-B")).to_have_value("-3")


def test_only_what_a_step_reached_asks_for_is_missing(open_page: Open) -> None:
    page = open_page("/workshop/own/", "desktop")
    own(page, 6, 1)
    found = page.locator("#check-list")
    expect(found).to_contain_text("These have no number yet")
    page.keyboard.type("351426")
    expect(found).to_have_text("Nothing is missing so far, and nothing looks odd.")
    on(page, "Symbols")
    page.locator("#symbol-palette").get_by_role("button", name="bomb").click()
    tap(page, "a1")
    settle(page)
    expect(found).to_have_text("Nothing is missing so far, and nothing looks odd.")
    on(page, "Printed crosses")
    expect(found).to_contain_text("There is no printed cross yet")
    expect(found).not_to_contain_text("How much is it worth?")
    page.goto(page.url.replace("/crosses/", "/points/"))
    expect(found).to_contain_text("How much is it worth?")
    page.goto(page.url.replace("/points/", "/done/"))
    expect(found).to_contain_text("How much is it worth?")


def test_what_is_missing_leads_to_the_step_that_puts_it_right(open_page: Open) -> None:
    page = open_page("/workshop/own/", "phone")
    own(page, 6, 1)
    for key in "351426":
        page.locator(f"[data-number='{key}']").click()
    settle(page)
    page.goto(page.url.replace("/numbers/", "/done/"))
    lacks = page.locator("#check-list li", has_text="There is no printed cross yet")
    # Also where its list was drawn anew.
    expect(lacks.get_by_role("button")).to_have_attribute("aria-pressed", "false")
    assert barriers(page) == ""
    assert not too_small(page)
    follow(page, lacks.get_by_role("link", name="Printed crosses"))
    expect(lacks.get_by_role("link")).to_have_count(0)
    tap(page, "a1")
    settle(page)
    follow(page, page.get_by_role("link", name="Back to comparing"))
    on(page, "Done")
    expect(page.locator("#check-list")).to_contain_text("Worth a look")
    expect(lacks).to_have_count(0)


def test_first_step_says_how_to_come_back(open_page: Open) -> None:
    page = open_page("/workshop/own/", "phone")
    own(page, 3, 1)
    way_back = page.get_by_text("the workshop on this device lists your sheet")
    expect(way_back).to_be_in_viewport()
    touch(page.locator("[data-number='3']"))
    settle(page)
    page.reload()
    expect(way_back).to_have_count(0)
    back(page, "Size and name")
    expect(way_back).to_be_in_viewport()


def test_rails_say_why_moved_rows_have_no_step(open_page: Open) -> None:
    page = open_page("/workshop/own/", "phone")
    reason = page.get_by_text("the step for moved rows is left out")
    page.get_by_label("moved sideways").check()
    expect(reason).to_be_hidden()
    page.get_by_label("railway tracks").check()
    expect(reason).to_be_visible()
    begin(page, 2, 2)
    back(page, "Size and name")
    expect(reason).to_be_visible()
    page.get_by_label("railway tracks").uncheck()
    expect(reason).to_be_hidden()
