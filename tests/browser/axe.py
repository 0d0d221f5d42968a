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


def barriers(page: Page, rule: str = "") -> str:
    """What axe has against a page as it is now, of one rule or of all; empty if that is nothing.

    The page keeps axe, and to itself what is in order: to fetch that takes longer than to find it.
    """
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    options: dict[str, Any] = {**OPTIONS, "runOnly": [rule]} if rule else OPTIONS
    found = page.evaluate("async (options) => (await axe.run(options)).violations", options)
    return AxeResults({"violations": found}).generate_report() if found else ""
