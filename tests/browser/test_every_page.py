"""Every kind of page under a thumb, on a phone held across and in letters twice as large."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client
from playwright.sync_api import BrowserContext, expect

from sheets.access.keys import SEAT_COOKIE
from tests.browser.room import too_small, too_wide
from tests.every_page import every_page

ACROSS, NARROW = {"width": 844, "height": 390}, {"width": 320, "height": 568}
OPEN = "for (const fold of document.querySelectorAll('details')) fold.open = true"
LETTERS = "(size) => { document.documentElement.style.fontSize = size }"


@pytest.mark.django_db(transaction=True)
def test_every_page_suits_thumbs_and_fits(
    live_app: str,
    client: Client,
    new_context: Callable[..., BrowserContext],
    page_errors: list[str],
) -> None:
    context = new_context("phone", "de")
    page = context.new_page()
    faults: dict[str, object] = {}
    for path, token in every_page(client):
        if token:
            code = path.split("/")[2]
            seat = {"name": SEAT_COOKIE, "value": token, "url": f"{live_app}/table/{code}/"}
            context.add_cookies([seat])  # type: ignore[list-item]
        page.set_viewport_size({"width": 390, "height": 844})
        page.goto(live_app + path)
        expect(page.get_by_role("heading").first).to_be_attached()
        page.evaluate(OPEN)
        found: list[object] = list(too_small(page))
        for size, letters in ((ACROSS, ""), (NARROW, "200%")):
            page.set_viewport_size(size)  # type: ignore[arg-type]
            page.evaluate(LETTERS, letters)
            if wide := too_wide(page):
                found.append((size, letters, wide))
        if found:
            faults[path] = found
    assert faults == {}
    page_errors.clear()  # Chromium calls pages that are not there an error: some are asked for
