"""Scoring after a game: two paper sheets and one phone."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from sheets.models import Tally
from tests.browser.conftest import OpenPage
from tests.browser.polling import follow_link
from tests.browser.touch import tap_fields

CAN_SHARE = """
navigator.canShare = () => true;
navigator.share = async ({ files: [file] }) => {
  window.sent = [file.name, file.type, file.size > 9000];
};
"""
"""Script that adds the file sharing of phones, which a headless browser lacks."""


@pytest.mark.usefixtures("castle")
def test_family_scores_an_evening(open_page: OpenPage) -> None:
    page = open_page("/")
    page.add_init_script(CAN_SHARE)
    page.get_by_role("link", name="Score paper sheets").first.click()
    page.get_by_role("link", name="Castle").click()
    page.get_by_label("Name of player 1").fill("Ana")
    page.get_by_label("Name of player 2").fill("Ben")
    follow_link(page, page.get_by_role("button", name="To the sheets"))
    # Ana: row 6 is full: 10. Column d (d5 is printed): 10. Green puzzle b3 c6 g9: 10.
    # Gems: yellow a4 d4 d7 at 2 and orange d10 at 3: 9. Heap c4: -3. Bomb f5 exploded: -2.
    # Both have the flag; Ana was first: 10.   10 + 10 + 10 + 9 - 3 - 2 + 10 = 44
    tap_fields(page, "a6 b6 c6 d6 e6 f6 g6 h6 d4 d7 d8 d9 d10 b3 g9 b5 a4 c4 c5 f5 f5 a1")
    follow_link(page, page.locator(".tabs a").last)
    # Ben: purple gems b4 g4 at 1 and orange c2 at 3: 5. Blue puzzle unfinished (g3 f6): 0.
    # Bomb c5 exploded: -2. Flag, second: 6.   5 - 2 + 6 = 9
    tap_fields(page, "b4 g4 c2 g3 f6 f5 c5 c5 a1")
    # Both questions are asked at once, the own sheet's first.
    asked = page.locator("#ask")
    expect(asked.locator("legend")).to_have_text(["Ben", "Ana"])
    asked.locator("form[data-number='2']").get_by_role("button", name="6").click()
    asked.get_by_role("button", name="Probably 10: OK").click()
    expect(asked).to_be_hidden()
    follow_link(page, page.locator(".tabs a").first)
    expect(page.locator("#total")).to_have_text(re.compile(r"\b44$"))
    page.get_by_role("link", name="Results").click()
    expect_results(page)
    page.get_by_role("link", name="Picture of the result").click()
    page.wait_for_function("() => window.sent")
    name, *rest = page.evaluate("window.sent")
    assert re.fullmatch(r"dizzle-castle-\d{4}-\d\d-\d\d\.png", name)
    assert rest == ["image/png", True]

    shared = page.locator("[data-share-url]").input_value()
    other = open_page(shared.split("/", 3)[3].join(("/", "")), "desktop", "en", "dark")
    expect_results(other)
    other.locator(".podium").get_by_role("link", name="Ana").click()
    expect(other.locator(".sheet-grid [data-at=c6]")).to_have_accessible_name(
        "c6, 5, green puzzle piece, crossed"
    )
    expect(other.locator(".sheet-grid [name=at]")).to_have_count(0)
    with other.expect_download() as saved:
        other.goto(shared)
        other.get_by_role("link", name="Picture of the result").click()
    assert saved.value.suggested_filename == name

    page.goto(page.url.split("/score/")[0])
    expect(page.locator("#recent .game")).to_have_count(1)
    expect(page.locator("#recent .game")).to_contain_text("Ana 44, Ben 9")


def expect_results(page: Page) -> None:
    expect(page.locator(".verdict")).to_have_text("Ana wins.")
    totals = page.locator("table.comparison tfoot tr").first.locator("td")
    expect(totals).to_have_text(["44", "9"])
    crosses = page.locator("table.comparison tr.crosses td")
    # Ana: 8 in row 6, 12 more, 2 printed; the exploded bomb is no cross. Ben: 7 and 2 printed.
    expect(crosses).to_have_text(["22", "9"])


def test_four_sheets_take_less_than_a_minute_of_taps(open_page: OpenPage) -> None:
    page = open_page("/score/new/level-1/")
    page.locator("label.choice", has_text="4").click()
    follow_link(page, page.get_by_role("button", name="To the sheets"))
    for number in range(4):
        page.locator(".tabs a").nth(number).click()
        page.wait_for_url(f"**/{number + 1}/")
        page.evaluate(
            """() => [...document.querySelectorAll(".sheet-grid button[data-kind='']")]
                .slice(0, 25).forEach((button) => button.click())"""
        )
    page.get_by_role("link", name="Results").click()
    crosses = page.locator("table.comparison tr.crosses td")
    # 25 taps on each sheet, and the 2 crosses that are printed on this level
    expect(crosses).to_have_text(["27"] * 4)
    expect(page.locator("#waiting")).to_be_hidden()


@pytest.mark.slow
def test_back_leaves_a_scoring_in_one_step(open_page: OpenPage) -> None:
    page = open_page("/score/new/level-1/")
    follow_link(page, page.get_by_role("button", name="To the sheets"))
    tap_fields(page, "b3")
    follow_link(page, page.locator(".tabs a").last)
    # A highlighted line on a phone has a label.
    page.locator(".item-light", has_text="Row").first.click()
    expect(page.locator("#lit-line")).to_contain_text("Row")
    expect(page.locator("#lit-line")).to_be_in_viewport()
    follow_link(page, page.get_by_role("link", name="Results"))
    follow_link(page, page.locator(".comparison .amount").first)
    expect(page.locator("#sheet")).to_be_visible()
    follow_link(page, page.get_by_role("link", name="Next: Player 2"))
    # Sending a form there adds no history step.
    follow_link(page, page.get_by_role("link", name="Players"))
    page.get_by_label("Name of player 1").fill("Ana")
    follow_link(page, page.get_by_role("button", name="One more player"))
    expect(page.get_by_label("Name of player 3")).to_be_visible()
    follow_link(page, page.get_by_role("button", name="Save and back"))
    expect(page.locator(".tabs a").first).to_contain_text("Ana")
    # Neither does another round of the same players.
    here = page.url
    follow_link(page, page.get_by_role("link", name="Results"))
    follow_link(page, page.get_by_role("button", name="Play again with the same people"))
    expect(page.locator(".tabs a").first).to_contain_text("Ana")
    assert page.url != here
    page.go_back()
    expect(page).to_have_url(re.compile("/score/new/level-1/$"))
    # A tally and its result are one history step, too.
    page.goto(page.url.replace("/score/new/level-1/", "/tally/"))
    page.get_by_role("button", name="To the result").click()
    page.wait_for_url(re.compile("/tally/[^/]{32}/$"))
    follow_link(page, page.get_by_role("link", name="Back to counting"))
    page.locator("#player-1 .field input").first.fill("Ana")
    follow_link(page, page.get_by_role("button", name="To the result"))
    expect(page.get_by_role("link", name="Back to counting")).to_be_visible()
    page.go_back()
    expect(page).to_have_url(re.compile("/score/new/level-1/$"))


def test_the_result_of_a_tally_takes_the_place_of_its_counts(open_page: OpenPage) -> None:
    page = open_page("/", "phone")
    home = page.url
    page.goto(f"{home}tally/")
    page.locator("#player-1").get_by_label("Name", exact=True).fill("Ana")
    page.locator("#player-1 [data-step='1']").first.click()
    total = page.locator("#total-1")
    expect(total).not_to_have_text("0")
    points = total.text_content() or ""
    page.get_by_role("button", name="To the result").click()
    page.wait_for_url(re.compile("/tally/[^/]{32}/$"))
    expect(page.locator(".rank-name").first).to_have_text("Ana")
    result = page.url
    page.go_back()
    expect(page).to_have_url(home)
    page.go_forward()
    expect(page).to_have_url(result)
    follow_link(page, page.get_by_role("link", name="Back to counting"))
    expect(page).to_have_url(f"{result}count/")
    expect(page.locator("#player-1 .player-name")).to_have_text("Ana")
    expect(total).to_have_text(points)
    follow_link(page, page.get_by_role("button", name="To the result"))
    expect(page).to_have_url(result)
    assert Tally.objects.count() == 1
    # The next tally of this device begins empty, with the same players.
    page.goto(f"{result}../")
    expect(page.locator("#player-1 .player-name")).to_have_text("Ana")
    expect(total).to_have_text("0")
