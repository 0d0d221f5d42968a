"""Which barriers does axe find on a page?"""

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
    """What axe has against a page as it is now, of these rules or of all; empty if that is nothing.

    The page keeps axe, and to itself what is in order: to fetch that takes longer than to find it.
    A page just come to has all of its styles first: without one of them other colours meet.
    """
    page.wait_for_load_state()
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    options: dict[str, Any] = {**OPTIONS, "runOnly": list(rules)} if rules else OPTIONS
    found = page.evaluate("async (options) => (await axe.run(options)).violations", options)
    return AxeResults({"violations": found}).generate_report() if found else ""


def barriers_in_both_themes(page: Page) -> str:
    """What axe has against a page that is light, as it is and dark; how it is built stays."""
    found = barriers(page)
    page.emulate_media(color_scheme="dark")
    found += barriers(page, *COLOURS)
    page.emulate_media(color_scheme="light")
    return found
