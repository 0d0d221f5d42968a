"""Tapping as a finger does."""

from __future__ import annotations

from weakref import WeakKeyDictionary

from playwright.sync_api import CDPSession, Locator, Page

LIES_MS = 50
"""So long a finger lies on the glass."""

CALM_MS = 350
"""After so long a second tap on one field is meant, and no nervous thumb's."""


_sessions: WeakKeyDictionary[Page, CDPSession] = WeakKeyDictionary()
"""What each page is tapped through, from the first time on."""


def touch(found: Locator, timeout_ms: float | None = None) -> None:
    """Tap an element. Playwright's own tap may last 0 ms, and is then no tap to the browser."""
    found.tap(trial=True, timeout=timeout_ms)  # scrolls to it, and waits until it can be tapped
    box = found.bounding_box()
    assert box
    touch_at(found.page, box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def touch_at(page: Page, x: float, y: float) -> None:
    """Tap a point of the screen, in CSS pixels."""
    session = _sessions.get(page) or page.context.new_cdp_session(page)
    _sessions[page] = session
    point = {"x": x, "y": y}
    session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
    page.wait_for_timeout(LIES_MS)
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def tap_fields(page: Page, fields: str) -> None:
    """Tap the fields of a sheet that is scored, one after the other; one twice with a pause."""
    last = ""
    for name in fields.split():
        if name == last:
            let_pass(page)
        last = name
        page.locator(f".sheet-grid [data-at={name}]").click()


def let_pass(page: Page, ms: float = CALM_MS) -> None:
    """Advance the page's own clock, so that its next tap comes this much later."""
    page.evaluate(
        "(ms) => { const now = performance.now.bind(performance);"
        " performance.now = () => now() + ms; }",
        ms,
    )
