"""Content-Security-Policy, and language and layout of the home page."""

import pytest

from tests.browser.conftest import OpenPage


def test_inline_script_is_blocked_and_reported(open_page: OpenPage, page_errors: list[str]) -> None:
    page = open_page("/")
    page.evaluate(
        """const script = document.createElement("script");
        script.text = "window.x = 1";
        document.body.append(script)"""
    )
    assert page.evaluate("window.x") is None
    assert any("Content Security Policy" in error for error in page_errors)
    page_errors.clear()


OUTSIDE = """() => [...document.querySelectorAll(".card svg")].filter(drawing => {
  const card = drawing.closest(".card");
  let { left, right, top, bottom } = drawing.getBoundingClientRect();
  for (let box = drawing.parentElement; box !== card; box = box.parentElement) {
    if (getComputedStyle(box).overflow === "visible") continue;
    const edge = box.getBoundingClientRect();
    [left, right] = [Math.max(left, edge.left), Math.min(right, edge.right)];
    [top, bottom] = [Math.max(top, edge.top), Math.min(bottom, edge.bottom)];
  }
  const edge = card.getBoundingClientRect();
  return left < edge.left || right > edge.right || top < edge.top || bottom > edge.bottom;
}).map(drawing => drawing.getAttribute("class"))"""
"""Script that returns the drawings that are partly visible outside their card."""


@pytest.mark.parametrize("language", ["de", "en"])
def test_home_page_is_in_the_browsers_language_and_drawings_stay_in_their_cards(
    open_page: OpenPage, language: str
) -> None:
    page = open_page("/", "phone", language)
    assert page.locator("html").get_attribute("lang") == language
    for width in (320, 360, 390, 768, 1280):
        page.set_viewport_size({"width": width, "height": 700})
        sheet = page.locator(".hero-sheet").bounding_box()
        assert sheet
        assert sheet["height"] >= 100
        assert page.evaluate(OUTSIDE) == [], width
