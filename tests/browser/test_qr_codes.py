"""QR codes: a phone's camera reads them in every theme, with the quiet zone of their standard."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
import zxingcpp
from playwright.sync_api import Page

from sheets.http import phone_address
from tests.browser.conftest import NewContext
from tests.browser.table_phones import phone
from tests.table_games import sit_down

QUIET_MODULES = 4
"""Minimum width of the white around a QR code, from ISO/IEC 18004."""

EDGE_PX = 3
"""Maximum number of pixels at an edge of a screenshot that show the page around the picture."""

THEMES = {
    "light": {},
    "dark": {"color_scheme": "dark"},
    "forced": {"color_scheme": "dark", "forced_colors": "active"},
}
"""Media features of the browser by theme."""


def dark_in_quiet_zone(page: Page) -> list[str]:
    """Return the sides of the QR code with a dark pixel in the quiet zone; all if unreadable."""
    qr = page.locator("svg.qr")
    view_box = qr.get_attribute("viewBox") or ""
    png = np.frombuffer(qr.screenshot(), np.uint8)
    picture = cv2.imdecode(png, cv2.IMREAD_GRAYSCALE)
    assert picture is not None
    zone = int(picture.shape[1] / int(view_box.split()[2]) * QUIET_MODULES) - EDGE_PX
    inside = picture[EDGE_PX:-EDGE_PX, EDGE_PX:-EDGE_PX]
    sides = {
        "top": inside[:zone],
        "bottom": inside[-zone:],
        "left": inside[:, :zone],
        "right": inside[:, -zone:],
    }
    found = [side for side, pixels in sides.items() if pixels.min() < 250]
    reads = zxingcpp.read_barcodes(picture, try_invert=False)
    return found if reads else [*found, "not read"]


@pytest.mark.parametrize("theme", THEMES)
def test_every_qr_code_has_its_quiet_zone(
    live_app: str, new_context: NewContext, monkeypatch: pytest.MonkeyPatch, theme: str
) -> None:
    monkeypatch.setattr(phone_address, "own_address", lambda: "127.0.0.1")
    waiting, begun = sit_down(start=False), sit_down()
    page = phone(live_app, new_context, waiting, 0)
    page.emulate_media(**THEMES[theme])  # type: ignore[arg-type]
    faults = {"lobby": dark_in_quiet_zone(page)}
    page.set_viewport_size({"width": 1280, "height": 800})
    for name, path in {
        "screen, lobby": f"/table/{waiting.code}/screen/",
        "screen": f"/table/{begun.code}/screen/",
    }.items():
        page.goto(live_app + path)
        faults[name] = dark_in_quiet_zone(page)
    page.goto(f"{live_app}/table/{waiting.code}/")
    page.get_by_role("button", name="Link to move to another phone").click()
    page.wait_for_url("**/link/")
    faults["link"] = dark_in_quiet_zone(page)
    assert not any(faults.values()), faults
