"""Dark modes that browsers force on pages (Chromium, Samsung): the site keeps its own colours."""

from __future__ import annotations

import pytest
from playwright.sync_api import FloatRect, Page, expect

from tests.browser.conftest import NewContext
from tests.browser.table_phones import phone
from tests.table_games import sit_down
from tests.tables.table_clients import finished_party

THEMES = ("", "light", "dark")
"""The themes of the site; the first one follows the device."""


def picture(page: Page) -> bytes:
    return page.screenshot(animations="disabled", caret="hide")


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme or "automatic")
def test_a_forced_dark_mode_changes_no_pixel(
    live_app: str, new_context: NewContext, theme: str
) -> None:
    """Dice in the pool, coordinates and borders of areas look as they are drawn.

    The device is dark, because only then browsers force pages into a dark mode.
    """
    rolled = sit_down(level="level-3", dice="rolled")
    rolled.act("roll", by=0)
    page = phone(live_app, new_context, rolled, 0, "phone", "en", "dark")
    cookies = [{"name": "theme", "value": theme, "url": live_app}] if theme else []
    page.context.add_cookies(cookies)  # type: ignore[arg-type]
    session = page.context.new_cdp_session(page)
    changed = []
    for path in (
        f"/table/{rolled.code}/",
        f"/table/{rolled.code}/screen/",
        f"/table/{finished_party().code}/",
        "/score/here/level-3/",
        "/levels/level-3/",
        "/dice2/",
    ):
        page.goto(live_app + path)
        page.wait_for_load_state("load")
        pictures = []
        for enabled in (False, True):
            session.send("Emulation.setAutoDarkModeOverride", {"enabled": enabled})
            pictures.append(picture(page))
        if pictures[0] != pictures[1]:
            changed.append(path)
    assert changed == []


def test_a_forced_dark_mode_on_a_light_device_leaves_dice_and_sheet(
    live_app: str, new_context: NewContext
) -> None:
    """Chromium ignores the page's opt-out there, but it recolours no large drawing."""
    rolled, typed = (sit_down(level="level-3", dice=dice) for dice in ("rolled", "typed"))
    rolled.act("roll", by=0)
    changed = []
    for party, drawings in ((rolled, (".pool .pic", ".art-sheet")), (typed, (".key .pic",))):
        page = phone(live_app, new_context, party, 0, "phone", "en", "light")
        page.evaluate("localStorage.setItem('dizzle.hints', 'no')")
        session = page.context.new_cdp_session(page)
        pictures = []
        for enabled in (False, True):
            session.send("Emulation.setAutoDarkModeOverride", {"enabled": enabled})
            page.reload()
            expect(page.locator("#table")).to_contain_class("no-hints")
            pictures.append([page.screenshot(clip=middle(page, one)) for one in drawings])
        pairs = zip(drawings, *pictures, strict=True)
        changed += [drawing for drawing, before, after in pairs if before != after]
    assert changed == []


def middle(page: Page, drawing: str) -> FloatRect:
    """Return the middle of a die, or the sheet without its rounded corners."""
    box = page.locator(drawing).first.bounding_box()
    assert box
    margins = 2.0, 20.0
    if drawing != ".art-sheet":
        margins = box["width"] / 2 - 9, box["height"] / 2 - 9
    across, down = margins
    return {
        "x": box["x"] + across,
        "y": box["y"] + down,
        "width": box["width"] - 2 * across,
        "height": box["height"] - 2 * down,
    }
