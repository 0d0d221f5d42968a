"""Tutorial in a browser: taps without a network, keyboard, layout."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Page, expect

from sheets.pages.tutorial.positions import TURNS
from sheets.pages.tutorial.steps import SCORE_STEP, right_tap
from tests.browser.axe import axe_violations_in_both_themes
from tests.browser.conftest import LOCALES, NewContext, OpenPage
from tests.browser.polling import follow_link

pytestmark = pytest.mark.django_db(transaction=True)

SMALL = {"width": 320, "height": 568}
"""Screen of the smallest phone."""


def tap(page: Page, name: str, value: str) -> None:
    """Tap a button of a step."""
    page.locator(f'[name="{name}"][value="{value}"]').click()


SHOWN_PARTS = """part => [...part.querySelectorAll("*")].map((one) => [
    one.localName,
    one.childElementCount ? "" : one.textContent.trim(),
    ...[...one.attributes]
        .map(({ name, value }) => `${name}=${value.trim()}`)
        .filter((attribute) => !/^(tabindex|autofocus)=/.test(attribute))
        .sort(),
].join(" "))"""
"""Script that returns all elements of a part, without what only the script sets."""


def shown_parts(page: Page) -> list[str]:
    """Return the elements of the part of a step that a tap changes."""
    parts: list[str] = page.locator("#_step").evaluate(SHOWN_PARTS)
    return parts


def test_script_shows_what_the_server_shows(live_app: str, open_page: OpenPage) -> None:
    page = open_page("/tutorial/")
    for number in range(1, SCORE_STEP + 1):
        name, value = right_tap(number)
        path = f"{live_app}/tutorial/{number}/"
        page.goto(path)
        tap(page, name, value)
        expect(page.locator("#next")).to_be_focused()
        by_script = shown_parts(page)
        page.goto(f"{path}?{name}={value}")
        expect(page.locator("#next")).to_be_focused()
        assert by_script == shown_parts(page), number


def test_taps_need_no_network_and_progress_is_stored(open_page: OpenPage) -> None:
    page = open_page("/tutorial/4/")
    page.context.set_offline(True)
    refusal, reroll = page.locator("#refusal"), page.get_by_role("button", name="Reroll")
    tap(page, "at", "a5")
    expect(refusal).to_have_text("a5 takes no 6: it is a 1.")
    page.get_by_role("button", name="Drop out").click()
    expect(refusal).to_contain_text("You may drop out")
    reroll.click()
    expect(page.locator("#result")).to_contain_text("Now it is a 1 and fits")
    expect(refusal).to_be_hidden()
    page.context.set_offline(False)
    # A repeated step takes no later one back.
    page.goto(page.url.replace("/tutorial/4/", "/tutorial/1/"))
    answers = json.loads(page.locator("#answers").text_content() or "")
    tap(page, *answers["right"].split("="))
    expect(page.locator("#next")).to_be_visible()
    page.goto(page.url.replace("/tutorial/1/", "/tutorial/"))
    expect(page.get_by_role("link", name="Go on: step 5 of 6")).to_be_visible()


def test_wrong_tap_explains_and_marks_the_right_field(open_page: OpenPage) -> None:
    page = open_page("/tutorial/2/")
    right = page.locator('[data-at="a1"]')
    assert right.get_attribute("aria-label") == "a1, 3"
    tap(page, "at", "c2")
    alert = page.get_by_role("alert")
    expect(alert).to_have_text("c2 touches none of your dice: go on beside one of them.")
    expect(page.get_by_role("gridcell").get_by_label("a1, 3, a die fits here")).to_be_visible()
    tap(page, "at", "b5")
    expect(alert).to_contain_text("b5")
    assert right.get_attribute("aria-label") == "a1, 3, a die fits here"
    assert "tutorial" not in {cookie["name"] for cookie in page.context.cookies()}


def test_whole_tutorial_with_the_keyboard(open_page: OpenPage) -> None:
    page = open_page("/tutorial/", "desktop")
    begin = page.get_by_role("link", name="Begin")
    begin.focus()
    with page.expect_navigation(wait_until="load"):
        page.keyboard.press("Enter")
    for number, turn in enumerate(TURNS, start=1):
        page.locator("h1").focus()
        if turn.act.do == "place":
            page.keyboard.press("Tab")
            expect(page.locator('[data-at="a1"]')).to_be_focused()
            across, down = ord(turn.act.at[0]) - ord("a"), int(turn.act.at[1]) - 1
            for key in ["ArrowRight"] * across + ["ArrowDown"] * down:
                page.keyboard.press(key)
        else:
            page.get_by_role("button", name="Reroll").focus()
        page.keyboard.press("Enter")
        expect(page.locator("#next")).to_be_focused()
        expect(page.locator("#result")).to_be_visible()
        with page.expect_navigation(wait_until="load"):
            page.keyboard.press("Enter")
        expect(page.locator("h1")).to_be_focused()
        assert f"/tutorial/{number + 1}/" in page.url
    page.get_by_role("button", name="13").focus()
    page.keyboard.press("Space")
    expect(page.get_by_role("link", name="Start a table").last).to_be_focused()


def test_next_link_is_described_by_what_happened(open_page: OpenPage) -> None:
    page = open_page("/tutorial/1/")
    tap(page, "at", "a2")
    expect(page.locator("#next")).to_have_accessible_description(
        "Well placed: the 5 lies on a2, next to a cross."
    )
    assert page.get_by_role("grid", name="Your sheet").locator("[data-at=a2]").get_attribute(
        "aria-label"
    ) == ("a2, 5, your die")


@pytest.mark.parametrize("language", LOCALES)
def test_each_step_fits_the_screen_of_a_phone(
    live_app: str, new_context: NewContext, language: str
) -> None:
    page = new_context("phone", language).new_page()
    small = new_context("phone", language, viewport=SMALL).new_page()
    faults = []
    for number in range(1, SCORE_STEP + 1):
        name, value = right_tap(number)
        for query in ("", f"?{name}={value}"):
            path = f"{live_app}/tutorial/{number}/{query}"
            page.goto(path)
            high = page.evaluate("document.documentElement.scrollHeight")
            if high > 844:
                faults.append((path, high))
            small.goto(path)
            needed = small.evaluate(
                "document.querySelector('.lesson').getBoundingClientRect().bottom"
                " - document.querySelector('h1').getBoundingClientRect().top"
            )
            if needed > SMALL["height"]:
                faults.append((path, "small", needed))
    assert not faults


def test_axe_finds_nothing_after_taps(open_page: OpenPage) -> None:
    page = open_page("/tutorial/3/")
    tap(page, "at", "b1")
    assert axe_violations_in_both_themes(page) == ""
    tap(page, "at", "b5")
    expect(page.locator("#next")).to_be_focused()
    assert axe_violations_in_both_themes(page) == ""
    follow_link(page, page.locator("#next"))
    expect(page.locator("h1")).to_have_text("Nothing fits")
