"""Accessibility checks with axe."""

from __future__ import annotations

from typing import Any

from axe_playwright_python.base import AXE_SCRIPT, AxeResults
from playwright.sync_api import Page

OPTIONS = {
    "rules": {"label-content-name-mismatch": {"enabled": True}},  # off by default in axe
    "resultTypes": ["violations"],
    "preload": False,  # no requested rule needs foreign style sheets or sounds
}
"""Options of `axe.run`."""


THEME_RULES = ("color-contrast", "link-in-text-block")
"""Rules whose result depends on the theme; they take most of the time."""


def axe_violations(page: Page, *rules: str) -> str:
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


def axe_violations_in_both_themes(page: Page) -> str:
    """Return the violations of a light page, and those of its colours in the dark theme."""
    found = axe_violations(page)
    page.emulate_media(color_scheme="dark")
    found += axe_violations(page, *THEME_RULES)
    page.emulate_media(color_scheme="light")
    return found
