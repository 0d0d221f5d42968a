"""The Print page in a real browser: pages follow the choice, the file is one tap away."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tests.site.running import serving

Open = Callable[..., Page]
LEVELS = "".join(f"&level=level-{number}" for number in range(1, 9))


@pytest.mark.parametrize(
    "device", [("phone", "de", "light"), ("desktop", "en", "dark")], ids=" ".join
)
def test_pages_follow_the_choice(
    open_page: Open, page_errors: list[str], device: tuple[str, ...]
) -> None:
    page = open_page("/print/", *device)
    pages = page.locator(".print-pages img")
    expect(pages).to_have_count(4)
    pages.first.scroll_into_view_if_needed()
    page.wait_for_function(
        "() => { const i = document.querySelector('.print-pages img');"
        " return i.complete && i.naturalWidth > 0 }"
    )
    page.locator("select[name=paper]").select_option("a5")
    expect(pages).to_have_count(8)
    page.locator("input[name=rules]").check()
    expect(pages).to_have_count(9)
    assert "paper=a5" in page.url
    page.locator("input[name=copies]").fill("100")
    page.locator("input[name=copies]").press("Tab")
    expect(page.get_by_role("alert")).to_contain_text("200")
    page_errors.clear()  # the browser reports the refusal
    page.locator("input[name=copies]").fill("2")
    page.locator("input[name=copies]").press("Tab")
    expect(pages).to_have_count(9)
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    with page.expect_download() as download:
        page.locator("a[download]").click()
    assert download.value.suggested_filename.endswith(".pdf")
    with open(download.value.path(), "rb") as file:
        assert file.read(5) == b"%PDF-"


def test_without_script_the_button_shows_the_pages(open_page: Open) -> None:
    page = open_page("/print/", "phone", "en", java_script_enabled=False)
    page.locator("select[name=paper]").select_option("a5")
    page.get_by_role("button", name="Show the pages").click()
    expect(page.locator(".print-pages img")).to_have_count(8)


def test_pages_that_found_no_place_in_line_come_a_little_later(
    browser: Browser, tmp_path: Path
) -> None:
    with serving(tmp_path, DRAWING_PROCESSES="1", DRAWING_THREADS="1") as site:
        page = browser.new_page(viewport={"width": 1600, "height": 4000})
        refused = []
        page.on("response", lambda answer: refused.append(answer.status == 503))
        page.goto(f"http://127.0.0.1:{site.port}/print/?paper=a5{LEVELS}&rules=on")
        page.wait_for_function(
            "() => [...document.querySelectorAll('.print-pages img')]"
            ".every((image) => image.complete && image.naturalWidth)"
        )
        assert any(refused)
        expect(page.locator(".print-pages img")).to_have_count(9)
        page.close()
