"""Taps by touch events, as a finger makes them."""

from __future__ import annotations

from weakref import WeakKeyDictionary

from playwright.sync_api import CDPSession, Locator, Page

TOUCH_MS = 50
"""Duration of a tap."""

DOUBLE_TAP_MS = 350
"""Interval after which a second tap on a field counts as intended."""


_sessions: WeakKeyDictionary[Page, CDPSession] = WeakKeyDictionary()
"""DevTools session of each page that has been tapped."""


def touch(found: Locator, timeout_ms: float | None = None) -> None:
    """Tap an element. A tap of Playwright itself may last 0 ms, which browsers ignore."""
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
    page.wait_for_timeout(TOUCH_MS)
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def tap_fields(page: Page, fields: str) -> None:
    """Tap fields of a scored sheet one by one, with a pause before tapping one twice."""
    last = ""
    for name in fields.split():
        if name == last:
            advance_clock(page)
        last = name
        page.locator(f".sheet-grid [data-at={name}]").click()


def advance_clock(page: Page, ms: float = DOUBLE_TAP_MS) -> None:
    """Advance the page's own clock, so that its next tap comes this much later."""
    page.evaluate(
        "(ms) => { const now = performance.now.bind(performance);"
        " performance.now = () => now() + ms; }",
        ms,
    )
