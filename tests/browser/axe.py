"""Accessibility checks with axe."""

from __future__ import annotations

from typing import Any

from axe_playwright_python.base import AXE_SCRIPT, AxeResults
from playwright.sync_api import Page

OPTIONS = {
    "rules": {"label-content-name-mismatch": {"enabled": True}},  # not looked at unasked
    "resultTypes": ["violations"],
    "preload": False,  # no rule that is asked for needs style sheets of others, or sounds
}


COLOURS = ("color-contrast", "link-in-text-block")
"""The rules that may see something else in another theme; they take most of the time."""

WORDS = (
    *("label-content-name-mismatch", "button-name", "link-name", "label", "select-name"),
    *("input-button-name", "summary-name", "image-alt", "role-img-alt", "svg-img-alt"),
    *("aria-command-name", "aria-input-field-name", "aria-toggle-field-name", "empty-heading"),
    *("document-title", "html-has-lang", "html-lang-valid", "valid-lang"),
)
"""The rules that may see something else in another language."""


def barriers(page: Page, *rules: str) -> str:
    """Return the violations of these rules, or of all, as text; an empty string if there are none.

    The page keeps axe, and returns violations only: fetching the rest takes longer than the checks.
    Waits for the load event, because colours depend on all style sheets.
    """
    page.wait_for_load_state()
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    options: dict[str, Any] = {**OPTIONS, "runOnly": list(rules)} if rules else OPTIONS
    found = page.evaluate("async (options) => (await axe.run(options)).violations", options)
    return AxeResults({"violations": found}).generate_report() if found else ""


def barriers_in_both_themes(page: Page) -> str:
    """Return the violations of a light page, and those of its colours in the dark theme."""
    found = barriers(page)
    page.emulate_media(color_scheme="dark")
    found += barriers(page, *COLOURS)
    page.emulate_media(color_scheme="light")
    return found
