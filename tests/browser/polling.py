"""Helpers that wait for conditions and follow links."""

from __future__ import annotations

import time
from collections.abc import Callable

from playwright.sync_api import BrowserContext, Locator, Page

TIMEOUT_MS = 60_000
"""Maximum time to wait for a page; generous, because test machines are busy."""

SHORT_TIMEOUT = """
delete AbortSignal.timeout;
window.later = setTimeout;
window.setTimeout = (act, ms) => later(act, ms === 20000 ? 300 : ms);
"""
"""Script that shortens `requestTimeout` in a browser without `AbortSignal.timeout`."""


def wait_until(page: Page, condition: Callable[[], object], within_ms: float = TIMEOUT_MS) -> None:
    """Wait for a condition while the requests and routes of all pages continue.

    The interval grows, because polling takes processor time from the server. `page` may be any page
    of the browser.
    """
    end, pause_ms = time.monotonic() + within_ms / 1000, 30.0
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        page.wait_for_timeout(pause_ms)
        pause_ms = min(1.5 * pause_ms, 150)


def end_countdown(page: Page) -> None:
    """Set the countdown of a page to its end; on the server it is over already.

    Repeated, because an older answer may show the countdown again.
    """
    last = "() => { const left = document.querySelector('[data-seconds]');"
    last += " if (left) left.textContent = 1; return !left; }"
    wait_until(page, lambda: page.evaluate(last), 3 * TIMEOUT_MS)


def end_animations(link: Locator) -> None:
    """End the animation of a link that ignores presses in its first moment."""
    link.evaluate("link => link.getAnimations().forEach((one) => one.finish())")


def follow_link(page: Page, link: Locator) -> None:
    """Tap a link and wait until the next page is loaded with its scripts.

    Taps before that work as without scripts, which other tests cover.
    """
    end_animations(link)
    with page.expect_navigation(wait_until="load"):
        link.click()


def close_offline(page: Page) -> BrowserContext:
    """Close a page while it has no network; return its context, which then has one.

    The network is back as soon as the page begins to close, and the page could still send its queue
    then. So its `fetch` is disabled before.
    """
    context = page.context
    page.evaluate("() => { window.fetch = () => Promise.reject(new TypeError('cut off')); }")
    page.close()
    context.set_offline(False)
    return context
