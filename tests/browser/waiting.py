"""Waiting for what no page shows."""

from __future__ import annotations

import time
from collections.abc import Callable

from playwright.sync_api import Locator, Page

PATIENCE_MS = 10_000


def wait_until(page: Page, condition: Callable[[], object], within_ms: float = PATIENCE_MS) -> None:
    """Wait for this while requests and routes of all pages go on; `page` is any of them."""
    end = time.monotonic() + within_ms / 1000
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        page.wait_for_timeout(30)


def follow(page: Page, link: Locator) -> None:
    """Tap what leads to another page, and wait until that has its scripts.

    What is tapped before they are there counts as it does without scripts: that is tried elsewhere.
    """
    with page.expect_navigation(wait_until="load"):
        link.click()
