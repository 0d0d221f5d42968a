"""Does a page fit its screen?"""

from __future__ import annotations

from playwright.sync_api import Page


def too_wide(page: Page) -> int:
    """By how many pixels a page must be pushed sideways to see all of it.

    Measured against `clientWidth`: on a phone `innerWidth` grows with a page that is too wide.
    """
    width: int = page.evaluate(
        "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    )
    return width
