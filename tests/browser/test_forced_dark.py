"""Dark modes that browsers force on pages (Chromium, Samsung): the site's own colours stay."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page

from tests.browser.table_phones import phone
from tests.table_games import sit_down
from tests.tables.table_clients import finished_party

NewContext = Callable[..., BrowserContext]

THEMES = ("", "light", "dark")
"""The themes of the site; the first one follows the device."""


def picture(page: Page) -> bytes:
    return page.screenshot(animations="disabled", caret="hide")


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme or "automatic")
def test_a_forced_dark_mode_changes_no_pixel(
    live_app: str, new_context: NewContext, theme: str
) -> None:
    """So dice in the pool, coordinates and borders of areas look as they are drawn.

    The device is dark, as browsers force pages into a dark mode only then.
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
