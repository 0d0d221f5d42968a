"""Does the house stand in a real browser?"""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page


@pytest.mark.parametrize("device", ["phone", "desktop"])
@pytest.mark.parametrize("language", ["de", "en"])
def test_home_speaks_the_browsers_language(
    open_page: Callable[..., Page], device: str, language: str
) -> None:
    page = open_page("/", device, language)
    assert page.locator("html").get_attribute("lang") == language


def test_inline_script_is_refused_and_told(
    open_page: Callable[..., Page], page_errors: list[str]
) -> None:
    page = open_page("/")
    page.evaluate(
        """const script = document.createElement("script");
        script.text = "window.x = 1";
        document.body.append(script)"""
    )
    assert page.evaluate("window.x") is None
    assert any("Content Security Policy" in error for error in page_errors)
    page_errors.clear()
