"""Every component in light, dark and forced colours, and in all languages."""

from __future__ import annotations

import io
from collections.abc import Iterator

import pytest
from django.test import override_settings
from PIL import Image
from playwright.sync_api import Page

from sheets.pages.style import tokens
from sheets.text.languages import languages
from tests.browser.axe import axe_violations_in_both_themes
from tests.browser.conftest import NewContext
from tests.browser.layout_checks import overflow_px, set_font_size, small_targets

COMPONENTS = (
    *(".button", ".button.primary", ".button.danger", ".button:disabled", ".crumb", ".card"),
    *(".alert", ".alert.bad", ".alert.good", ".field input", "[aria-invalid]", ".fault"),
    *("select", ".check", ".choice", ".choice:has(:checked)", ".stepper", ".tabs", "summary"),
    *(".slim", ".tight .button", ".icon", ".fold > summary"),
    *("table.score", ".podium", ".die", ".art-sheet"),
)
"""Selectors of what must be visible in every mode."""


@pytest.fixture(autouse=True)
def _style_page() -> Iterator[None]:
    with override_settings(ROOT_URLCONF="tests.style_urls"):
        yield


def photograph(page: Page) -> dict[str, bytes]:
    """Return the picture of each component, by its selector."""
    return {one: page.locator(f"main {one}").first.screenshot() for one in COMPONENTS}


def is_empty(picture: bytes) -> bool:
    """Return whether a picture has only one colour."""
    return len(Image.open(io.BytesIO(picture)).convert("RGB").getcolors(1 << 24) or ()) < 2


@pytest.mark.parametrize("language", languages())
def test_components_are_visible_in_every_mode(
    live_app: str, new_context: NewContext, language: str
) -> None:
    page = new_context("phone", language).new_page()
    page.goto(f"{live_app}/style/")
    light = photograph(page)
    page.emulate_media(color_scheme="dark")
    dark = photograph(page)
    page.emulate_media(color_scheme="light", forced_colors="active")
    forced = photograph(page)
    assert [one for one in COMPONENTS if is_empty(light[one])] == []
    assert [one for one in COMPONENTS if is_empty(dark[one]) or dark[one] == light[one]] == []
    assert [one for one in COMPONENTS if is_empty(forced[one])] == []


@pytest.mark.parametrize("language", languages())
def test_components_are_accessible_and_fit(
    live_app: str, new_context: NewContext, language: str
) -> None:
    page = new_context("phone", language).new_page()
    page.goto(f"{live_app}/style/")
    assert axe_violations_in_both_themes(page) == ""
    assert small_targets(page) == []
    page.set_viewport_size({"width": 320, "height": 568})
    set_font_size(page, "200%")
    assert overflow_px(page) == 0


def test_every_token_has_a_value_in_both_themes(live_app: str, new_context: NewContext) -> None:
    for theme in ("light", "dark"):
        page = new_context("desktop", "en", theme).new_page()
        page.goto(f"{live_app}/style/")
        values = page.evaluate(
            "names => names.map(name => getComputedStyle(document.body).getPropertyValue(name))",
            tokens(),
        )
        assert "" not in values
