"""Waiting for what no page shows."""

from __future__ import annotations

import time
from collections.abc import Callable

from playwright.sync_api import BrowserContext, Locator, Page

PATIENCE_MS = 60_000


def wait_until(page: Page, condition: Callable[[], object], within_ms: float = PATIENCE_MS) -> None:
    """Wait for this while requests and routes of all pages go on; `page` is any of them.

    Looking takes the processor from what is waited for: the longer it takes, the seldomer.
    """
    end, pause_ms = time.monotonic() + within_ms / 1000, 30.0
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        page.wait_for_timeout(pause_ms)
        pause_ms = min(1.5 * pause_ms, 150)


def run_out(page: Page) -> None:
    """Let the seconds that a page counts down be over; the server knows already that they are.

    Again and again: what was on its way to the page may show it older ones once more.
    """
    last = "() => { const left = document.querySelector('[data-seconds]');"
    last += " if (left) left.textContent = 1; return !left; }"
    wait_until(page, lambda: page.evaluate(last), 3 * PATIENCE_MS)


def end_animations(link: Locator) -> None:
    """Let a link that takes no press for its first moment take one at once."""
    link.evaluate("link => link.getAnimations().forEach((one) => one.finish())")


def follow(page: Page, link: Locator) -> None:
    """Tap what leads to another page, and wait until that has its scripts.

    What is tapped before they are there counts as it does without scripts: that is tried elsewhere.
    """
    end_animations(link)
    with page.expect_navigation(wait_until="load"):
        link.click()


def close_cut_off(page: Page) -> BrowserContext:
    """Close a page without network; the pages opened after it in what is given back have one.

    The cut ends as soon as a page begins to close: it is told so, and in the moment that it lives
    on would send what it holds after all. So it loses the means to send before.
    """
    context = page.context
    page.evaluate("() => { window.fetch = () => Promise.reject(new TypeError('cut off')); }")
    page.close()
    context.set_offline(False)
    return context
