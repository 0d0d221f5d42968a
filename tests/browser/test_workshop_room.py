"""The workshop where there is little room: menus, large letters, quick fingers."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from sheets import workshop
from tests.browser.workshop_bench import place, rows, settle, tool, type_numbers

Open = Callable[..., Page]


@pytest.fixture
def made(transactional_db: None) -> Callable[..., str]:
    """Begin a level behind the pages' back; gives its path."""

    def make(*grid: str, **more: object) -> str:
        document = {
            "format": "dizzle-level/1",
            "id": "own-1",
            "name": {"de": "Garten", "en": "Garden"},
            "grid": list(grid or ("3x 5 1Gy", "2 4 6Fr", "? 1 -P")),
            **more,
        }
        return f"/workshop/{workshop.create(document)}/"

    return make


@pytest.mark.parametrize("width", [320, 390])
@pytest.mark.parametrize("language", ["de", "en"])
def test_menu_of_uses_stays_on_the_screen(
    open_page: Open, made: Callable[..., str], language: str, width: int
) -> None:
    page = open_page(made(), "phone", language, viewport={"width": width, "height": 844})
    page.locator(".more summary").click()
    box = page.locator(".more ul").bounding_box()
    assert box
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width


def test_axe_finds_nothing_after_a_look_at_the_paper(
    open_page: Open, made: Callable[..., str]
) -> None:
    page = open_page(made("3x 5 1", "2 4 6"))
    for view in ("paper", "phone", "draft"):
        page.locator(f"button[data-view={view}]").click()
        found = Axe().run(page)
        assert not found.response["violations"], found.generate_report()


def test_quick_redo_loses_no_press(open_page: Open, made: Callable[..., str]) -> None:
    page = open_page(made("? ?", "? ?"), "desktop")
    type_numbers(page, "1234")
    for _ in range(4):
        page.locator("#undo").click()
    assert rows(page) == ["? ?", "? ?"]
    page.evaluate(
        "() => { for (let i = 0; i < 3; i += 1) document.getElementById('redo').click(); }"
    )
    settle(page)
    assert rows(page) == ["1 2", "3 ?"]


def test_new_level_opens_with_its_numbers(
    open_page: Open, live_app: str, made: Callable[..., str]
) -> None:
    page = open_page(made(), "desktop")
    tool(page, "areas")
    page.goto(live_app + made())
    expect(page.locator("[data-tool=numbers]")).to_have_attribute("aria-pressed", "true")
    place(page, "a1").click()
    page.keyboard.type("6")
    settle(page)
    tool(page, "areas")
    page.reload()
    expect(page.locator("[data-tool=areas]")).to_have_attribute("aria-pressed", "true")
