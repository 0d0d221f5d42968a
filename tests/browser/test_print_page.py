"""Print page: the pages follow the choice, and the file is one tap away."""

from __future__ import annotations

import re

from playwright.sync_api import Route, expect

from tests.browser.conftest import OpenPage
from tests.browser.polling import wait_until

EVERY_LEVEL = "/print/?" + "&".join(f"level=level-{number}" for number in range(1, 9))
"""Address of the page with all levels chosen."""


def test_pages_follow_the_choice(open_page: OpenPage, page_errors: list[str]) -> None:
    page = open_page(EVERY_LEVEL, "phone", "de", "dark")
    pages = page.locator(".print-pages img")
    expect(pages).to_have_count(4)
    # Until a page is loaded its text is on white paper, also in the dark theme. No switch touches
    # the one above it.
    expect(pages.first).to_have_css("color", "rgb(34, 34, 34)")
    page.locator(".more-settings > summary").click()
    switches = page.locator(".print-switches .check")
    tops = switches.evaluate_all("all => all.map(one => one.getBoundingClientRect().toJSON())")
    for one in tops:
        below = [other for other in tops if other["x"] == one["x"] and other["y"] > one["y"]]
        assert all(other["top"] - one["bottom"] >= 8 for other in below)
    pages.first.scroll_into_view_if_needed()
    page.wait_for_function(
        "() => { const i = document.querySelector('.print-pages img');"
        " return i.complete && i.naturalWidth > 0 }"
    )
    page.locator("select[name=paper]").select_option("a5")
    expect(pages).to_have_count(8)
    page.locator("input[name=rules]").check()
    expect(pages).to_have_count(10)  # the rules of all levels take two pages of A5
    assert "paper=a5" in page.url
    copies = page.locator("input[name=copies]")
    copies.fill("100")
    copies.press("Tab")
    expect(page.get_by_role("alert")).to_contain_text("200")
    expect(copies).to_have_accessible_description(page.get_by_role("alert").inner_text())
    page_errors.clear()  # Chromium logs the refusal as an error
    copies.fill("2")
    copies.press("Tab")
    expect(pages).to_have_count(10)
    expect(copies).not_to_have_attribute("aria-invalid", "true")
    expect(page.get_by_role("alert")).to_have_count(0)
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    with page.expect_download() as download:
        page.locator("a[download]").click()
    assert download.value.suggested_filename.endswith(".pdf")
    with open(download.value.path(), "rb") as file:
        assert file.read(5) == b"%PDF-"


def test_without_script_the_button_shows_the_pages(open_page: OpenPage) -> None:
    page = open_page("/print/", "phone", "en", java_script_enabled=False)
    page.locator("input[value=level-2]").check()
    page.locator("input[value=dice2]").check()
    page.locator("select[name=paper]").select_option("a5")
    page.get_by_role("button", name="Show the pages").click()
    expect(page.locator(".print-pages img")).to_have_count(3)


def test_first_level_shows_the_first_page(open_page: OpenPage, page_errors: list[str]) -> None:
    page = open_page("/print/", "phone", "en")
    pages = page.locator(".print-pages img")
    page.locator("select[name=paper]").select_option("a5")
    page.locator(".more-settings > summary").click()
    page.locator("input[name=bw]").check()
    page.locator(".level-choice", has_text="Castle").click()
    expect(pages).to_have_count(1)
    assert "paper=a5&copies=1&per-page=&lang=en&bw=on" in page.url
    expect(page.get_by_role("alert")).to_have_count(0)
    assert page_errors == []
    page.locator(".level-choice", has_text="Castle").click()
    expect(page.get_by_text("Choose at least one level.")).to_be_visible()
    expect(pages).to_have_count(0)
    assert page_errors == []


def test_button_to_print_appears_with_the_first_choice(open_page: OpenPage) -> None:
    page = open_page("/print/", "phone", "en")
    button = page.get_by_role("link", name="Download the PDF")
    expect(button).to_have_count(0)
    page.locator(".level-choice", has_text="Castle").click()
    expect(button).to_be_in_viewport(ratio=1)
    page.locator(".print-pages img").last.scroll_into_view_if_needed()
    expect(button).to_be_in_viewport(ratio=1)


def test_folded_options_are_listed_and_opened_by_a_fault(
    open_page: OpenPage, page_errors: list[str]
) -> None:
    page = open_page("/print/?level=level-2&bw=on", "phone", "en")
    fold = page.locator(".more-settings")
    expect(fold.locator("summary")).to_have_text("More settings English · Black and white")
    expect(page.get_by_label("Large")).to_be_hidden()
    fold.locator("summary").click()
    page.get_by_label("Sheets per page").select_option("2")
    expect(fold.locator("summary")).to_contain_text("2 per page")
    page.get_by_label("Large").check()
    expect(page.get_by_role("alert")).to_have_text("Large prints one sheet per page, not two.")
    fold.locator("summary").click()
    expect(page.get_by_label("Large")).to_be_hidden()
    copies = page.get_by_label("Copies")
    copies.fill("2")
    copies.press("Tab")
    expect(page.get_by_label("Sheets per page")).to_be_visible()
    page.get_by_label("Large").uncheck()
    expect(page.get_by_role("alert")).to_have_count(0)
    page.get_by_label("Short rules").press("Space")  # a tap so soon would be taken for a double tap
    expect(page).to_have_url(re.compile("rules=on"))
    page.go_back()
    expect(page.get_by_label("Short rules")).not_to_be_checked()
    expect(fold.locator("summary")).to_contain_text("2 per page · English · Black and white")
    page_errors.clear()  # Chromium logs the refusals as errors


def test_refused_drawing_of_a_page_is_fetched_again(
    open_page: OpenPage, page_errors: list[str]
) -> None:
    page = open_page("/print/", "phone", "en")
    asked: list[str] = []

    def refuse_once(route: Route) -> None:
        asked.append(route.request.url)
        if len(asked) == 1:
            route.fulfill(status=503)
        else:
            route.continue_()

    page.route("**/page-*.svg*", refuse_once)
    page.locator(".level-choice", has_text="Castle").click()
    drawing = page.locator(".print-pages img")
    wait_until(page, lambda: drawing.evaluate("image => image.complete && image.naturalWidth"))
    assert asked == [asked[0]] * 2
    page_errors.clear()  # Chromium logs the 503 as an error, as intended
