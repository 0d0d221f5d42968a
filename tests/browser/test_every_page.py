"""Every kind of page: axe, thumbs, a phone held across, large letters, modes for weak eyes."""

from __future__ import annotations

from collections.abc import Callable
from pprint import pformat

import pytest
from django.test import Client
from playwright.sync_api import BrowserContext, Page, expect

from sheets.access.keys import SEAT_COOKIE
from sheets.workshop import store
from sheets.workshop.guide import STEPS
from tests.addresses import pages_in_navigation
from tests.browser.axe import barriers_in_both_themes
from tests.browser.room import too_small, too_wide
from tests.every_page import Place, every_page
from tests.score_levels import GARDEN

UPRIGHT, ACROSS = {"width": 390, "height": 844}, {"width": 844, "height": 390}
NARROW = {"width": 320, "height": 568}
OPEN = "for (const fold of document.querySelectorAll('details')) fold.open = true"
LETTERS = "(size) => { document.documentElement.style.fontSize = size }"

pytestmark = pytest.mark.django_db(transaction=True)


def opened(page: Page, live_app: str, place: Place) -> None:
    """Open a page, with the seat of its device where it has one, and all that is folded on it."""
    if place.token:
        code = place.path.split("/")[2]
        seat = {"name": SEAT_COOKIE, "value": place.token, "url": f"{live_app}/table/{code}/"}
        page.context.add_cookies([seat])  # type: ignore[list-item]
    page.set_viewport_size(UPRIGHT)  # type: ignore[arg-type]
    page.goto(live_app + place.path)
    page.locator("h1, h2").first.wait_for(state="attached")
    page.evaluate(OPEN)


def steps_of_the_workshop() -> list[Place]:
    """All steps of the guided way, and a level as those see it who may only look at it."""
    key = store.create(GARDEN)
    shown = f"/workshop/{store.find(key).share_key}/"
    steps = (Place(f"/workshop/{key}/guide/{step}/") for step in STEPS)
    return [*steps, Place(f"/workshop/{key}/score/"), Place(shown)]


def places_to_open(client: Client) -> list[Place]:
    """Every kind of page; each step of the guided way once, whatever level it belongs to."""
    found: dict[str, Place] = {}
    for place in [*every_page(client), *steps_of_the_workshop()]:
        step = place.path.partition("/guide/")[2]
        found.setdefault(step or place.path, place)
    return list(found.values())


@pytest.mark.usefixtures("few_trials")
def test_every_page_suits_thumbs_and_fits(
    live_app: str,
    client: Client,
    new_context: Callable[..., BrowserContext],
    page_errors: list[str],
) -> None:
    page = new_context("phone", "de").new_page()
    faults: dict[str, object] = {}
    for place in places_to_open(client):
        opened(page, live_app, place)
        found: list[object] = list(too_small(page))
        for size, letters in ((UPRIGHT, ""), (ACROSS, ""), (NARROW, "200%")):
            page.set_viewport_size(size)  # type: ignore[arg-type]
            page.evaluate(LETTERS, letters)
            if wide := too_wide(page):
                found.append((size, letters, wide))
        if found:
            faults[place.path] = found
    page_errors.clear()  # Chromium calls pages that are not there an error: some are asked for
    assert not faults, pformat(faults)


@pytest.mark.usefixtures("few_trials")
@pytest.mark.slow
def test_axe_finds_nothing_on_any_kind_of_page(
    live_app: str,
    client: Client,
    new_context: Callable[..., BrowserContext],
    page_errors: list[str],
) -> None:
    page = new_context("phone", "de").new_page()
    faults: dict[str, str] = {}
    for place in places_to_open(client):
        # The same page for a choice of games has the same parts.
        if place.path.endswith("?players=2"):
            continue
        opened(page, live_app, place)
        if found := barriers_in_both_themes(page):
            faults[place.path] = found
    page_errors.clear()  # Chromium calls pages that are not there an error: some are asked for
    assert not faults, "\n\n".join(f"{path}: {found}" for path, found in faults.items())


@pytest.mark.usefixtures("few_trials")
def test_pages_stand_in_modes_for_weak_eyes(
    live_app: str, new_context: Callable[..., BrowserContext]
) -> None:
    """Pages keep their headings in forced colours, and fit a screen of a desk."""
    page = new_context("desktop", "de", "dark").new_page()
    for path in pages_in_navigation():
        page.goto(live_app + path)
        assert too_wide(page) == 0, path
        assert too_small(page) == [], path
        for contrast, forced in (("more", "none"), ("no-preference", "active")):
            page.emulate_media(forced_colors=forced, contrast=contrast)  # type: ignore[arg-type]
            expect(page.get_by_role("heading", level=1)).to_be_visible()
        page.emulate_media(forced_colors="none", contrast="no-preference")
