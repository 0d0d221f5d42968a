"""Pages where a level is chosen: pictures and main action on the first screen, folded settings."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from sheets.workshop import store
from tests.browser.axe import axe_violations
from tests.browser.conftest import NewContext, OpenPage
from tests.score_levels import GARDEN

pytestmark = pytest.mark.django_db(transaction=True)

SCREENS = ((390, 844), (1280, 800))
"""Width and height of the screens."""


@pytest.mark.parametrize("language", ["en", "de"])
def test_main_action_is_on_the_first_screen(
    live_app: str, new_context: NewContext, language: str
) -> None:
    key = store.create(GARDEN)
    own = f"/workshop/{key}/play/?bots=player"
    starts = ("/table/new/", "/table/new/?bots=player", own, "/dice2/")
    page = new_context("phone", language).new_page()
    page.goto(f"{live_app}/workshop/{key}/")  # the device has a level of its own
    for path in (*starts, "/score/", "/", "/table/", "/print/?level=level-1"):
        page.goto(live_app + path)
        for width, height in (*SCREENS, (320, 568)) if path in starts else SCREENS:
            page.set_viewport_size({"width": width, "height": height})
            expect(page.locator("main .button.primary")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("path", ["/table/new/", "/score/", "/print/"])
def test_pictures_of_our_levels_are_on_the_first_screen(open_page: OpenPage, path: str) -> None:
    page = open_page(path, "phone", "en")
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        for picture in page.locator(".silhouette").all():
            expect(picture).to_be_in_viewport(ratio=1)


def test_folded_settings_say_what_is_chosen(live_app: str, new_context: NewContext) -> None:
    page = new_context("phone", "en").new_page()
    page.goto(f"{live_app}/table/new/")
    fold = page.locator(".more-settings:not(.house-rules)")
    expect(fold).to_be_hidden()  # real dice have no settings
    page.get_by_role("radio", name="Typed in").check(force=True)
    expect(fold.locator("summary")).to_have_text("More settings")
    page.get_by_role("radio", name="Rolled by the app").check(force=True)
    expect(fold.locator("summary")).to_have_text("More settings no bots")
    assert not axe_violations(page)
    fold.locator("summary").press("Enter")
    page.get_by_role("radio", name="Bots: Hard").check(force=True)
    page.get_by_role("checkbox", name="Allow hints").check()
    fold.locator("summary").press("Enter")
    expect(fold.locator("summary")).to_have_text("More settings Bots: Hard · with hints")
    page.locator(".level-choice", has_text="Castle").click()
    page.get_by_role("radio", name="1", exact=True).check(force=True)
    expect(fold.locator("summary")).to_have_text("More settings with hints")
    house = page.locator(".house-rules")
    expect(house.locator("summary")).to_have_text("House rules")
    house.locator("summary").press("Enter")
    page.get_by_role("checkbox", name="No bombs").check()
    page.get_by_label("Who starts the next pass").select_option(
        label="The same player starts every pass"
    )
    page.get_by_label("Dice", exact=True).fill("12")
    page.keyboard.press("Tab")
    chosen = "House rules No bombs · The same player starts every pass · Dice 12"
    expect(house.locator("summary")).to_have_text(chosen)
    assert not axe_violations(page)
    house.locator("summary").press("Enter")
    with page.expect_event("load"):
        page.locator("button[lang=de]").evaluate("(it) => it.click()")
    expect(fold.locator("summary")).to_have_text("Weitere Einstellungen mit Tipps")


def test_table_against_bots_starts_without_scripts(open_page: OpenPage) -> None:
    page = open_page("/table/new/", "phone", "en", java_script_enabled=False)
    page.locator(".level-choice", has_text="Castle").click()
    page.locator(".choice", has_text="Rolled by the app").click()
    page.locator(".more-settings:not(.house-rules) > summary").click()
    page.locator(".choice", has_text="Bots: Easy").click()
    page.get_by_role("button", name="Start a table").click()
    expect(page.get_by_role("link", name="Bot 2, 0 points, Easy")).to_be_visible()
