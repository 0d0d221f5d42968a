"""Layout of the workshop: room for the sheet on phones and wide screens, and the bar of tools."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import MakePath, OpenPage
from tests.browser.layout_checks import broken_names, overflow_px, set_font_size, small_targets
from tests.browser.workshop_page import choose_tool, place, tap, wait_for_frame, wait_until_saved

LARGE = ["1 2 3 4 5 6 1 2"] * 11
"""Rows of a level of the usual size."""

MIN_FIELD_PX, MAX_FIELD_PX = 56, 96
"""Width of a field on a wide screen."""

IS_CUT_OFF = """
    (bar) => [...bar.querySelectorAll("button")].some((tool) => {
      const [inner, outer] = [tool, bar].map((one) => one.getBoundingClientRect());
      return inner.left < outer.right - 8 && inner.right > outer.right - 24;
    })"""
"""Script that returns whether a tool is cut off at the end of the bar, or lies under the fade."""

IS_IN_SIGHT = """
    (tool) => {
      const { left, right, y, height } = tool.getBoundingClientRect();
      const isOnTop = (x) => document.elementFromPoint(x, y + height / 2) === tool;
      return isOnTop(left + 2) && isOnTop(right - 2);
    }"""
"""Script that returns whether both ends of a tool are in sight."""


def box_of(page: Page, name: str) -> dict[str, float]:
    box = page.locator(name).bounding_box()
    assert box, name
    return dict(box)


def test_sheet_begins_in_the_upper_third_of_a_phone(
    open_page: OpenPage, make_level: MakePath
) -> None:
    level = make_level(*LARGE)
    page = open_page(level, "phone", "de")
    assert box_of(page, "#draft-frame")["y"] < 844 / 3
    page.locator(".more summary").click()
    for name in ("Auswerten", "Spielen"):
        expect(page.locator(".more").get_by_role("link", name=name, exact=True)).to_be_visible()
        expect(page.locator(".uses").get_by_role("link", name=name, exact=True)).to_have_count(1)
    page = open_page(f"{level}guide/symbols/", "phone", "de")
    assert box_of(page, "#draft-frame")["y"] < 844 / 2


@pytest.mark.parametrize("size", ["", "200%"])
def test_bar_of_tools_shows_that_there_are_more(
    open_page: OpenPage, make_level: MakePath, size: str
) -> None:
    page = open_page(make_level(*LARGE), "phone")
    set_font_size(page, size)
    bar = page.locator(".tools")
    fade = "bar => getComputedStyle(bar, '::after').backgroundImage"
    assert "gradient" in bar.evaluate(fade)
    assert bar.evaluate(IS_CUT_OFF)
    for tool in page.locator("[data-tool]").all():
        tool.evaluate("tool => tool.click()")
        wait_for_frame(page)
        assert tool.evaluate(IS_IN_SIGHT), tool.inner_text()


def test_chosen_tool_is_in_sight_after_a_reload(open_page: OpenPage, make_level: MakePath) -> None:
    page = open_page(make_level("3x 5 1"), "phone")
    tap(page, "a1")
    page.keyboard.press("6")
    wait_until_saved(page)
    choose_tool(page, "names")
    page.reload()
    tool = page.locator("[data-tool=names]")
    expect(tool).to_have_attribute("aria-pressed", "true")
    assert tool.evaluate(IS_IN_SIGHT)


@pytest.mark.parametrize("size", [(1024, 768), (1280, 800), (1440, 900), (1920, 1080)])
def test_sheet_takes_the_height_of_a_wide_screen(
    open_page: OpenPage, make_level: MakePath, size: tuple[int, int]
) -> None:
    width, height = size
    level = make_level(*LARGE, lines=[{"row": 2, "points": 5}, {"column": "b", "points": 7}])
    for path in (level, f"{level}guide/numbers/"):
        page = open_page(path, "desktop", "de")
        page.set_viewport_size({"width": width, "height": height})
        wait_for_frame(page)
        field = place(page, "a1").bounding_box()
        assert field
        assert field["width"] >= MIN_FIELD_PX, path
        frame = box_of(page, "#draft-frame")
        assert height * 0.8 < frame["height"] <= height - frame["y"], path
        is_scrolled = "frame => frame.scrollHeight > frame.clientHeight"
        assert not page.locator("#draft-frame").evaluate(is_scrolled), path
        for part in ("#panels", "#checks"):
            assert box_of(page, part)["x"] > frame["x"] + frame["width"], (path, part)
        assert overflow_px(page) == 0, path
        assert broken_names(page, "keine", "Zahl", "kein", "Feld", "Zurück") == [], path


def test_sheet_stays_in_sight_while_a_long_list_scrolls(
    open_page: OpenPage, make_level: MakePath
) -> None:
    page = open_page(make_level(*LARGE), "desktop")
    choose_tool(page, "grid")
    page.mouse.move(1200, 600)
    page.mouse.wheel(0, 300)
    page.wait_for_function("() => scrollY > 100")
    expect(place(page, "a1")).to_be_in_viewport()
    expect(place(page, "h11")).to_be_in_viewport(ratio=1)


def test_fields_of_a_small_level_have_a_largest_size(
    open_page: OpenPage, make_level: MakePath
) -> None:
    page = open_page(make_level("3x 5 1", "2 4 6"), "desktop")
    field = place(page, "a1").bounding_box()
    assert field
    assert MAX_FIELD_PX * 0.9 < field["width"] <= MAX_FIELD_PX


def test_palettes_and_keys_are_aligned_with_their_panel(
    open_page: OpenPage, make_level: MakePath
) -> None:
    level = make_level(*LARGE)
    page = open_page(level, "phone")
    choose_tool(page, "symbols")
    text = box_of(page, "[data-panel=symbols] .hint")
    colours = box_of(page, "#colour-palette")
    assert colours["x"] == text["x"]
    assert colours["width"] == text["width"]
    swatches = page.locator("#colour-palette button").all()
    assert len({(swatch.bounding_box() or {})["y"] for swatch in swatches}) == 1
    page = open_page(f"{level}guide/check/", "phone")
    assert box_of(page, ".fixes")["x"] == box_of(page, ".row-walk")["x"]
    assert box_of(page, ".fixes")["width"] == box_of(page, ".row-walk")["width"]
    assert overflow_px(page) == 0
    assert not small_targets(page)
