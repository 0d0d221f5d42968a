"""Every kind of page: axe, touch targets, landscape, large fonts, contrast modes."""

from __future__ import annotations

from pprint import pformat

import pytest
from django.test import Client
from playwright.sync_api import Page, expect

from sheets.access.keys import DEVICE_COOKIE
from sheets.workshop import store
from sheets.workshop.guide import STEPS
from tests.addresses import pages_in_navigation
from tests.browser.axe import axe_violations_in_both_themes
from tests.browser.conftest import LOCALES, NewContext
from tests.browser.layout_checks import (
    open_folds,
    overflow_px,
    set_font_size,
    small_targets,
    split_sentences,
)
from tests.every_page import PageAddress, every_page
from tests.score_levels import GARDEN

UPRIGHT, ACROSS = {"width": 390, "height": 844}, {"width": 844, "height": 390}
NARROW = {"width": 320, "height": 568}

pytestmark = pytest.mark.django_db(transaction=True)


def open_place(page: Page, live_app: str, place: PageAddress) -> None:
    """Open a page on an upright phone, and unfold its collapsed parts.

    If the page belongs to a seat, the seat's cookie is set first.
    """
    if place.token:
        # For all paths: it replaces the cookie that other pages have set.
        page.context.add_cookies([{"name": DEVICE_COOKIE, "value": place.token, "url": live_app}])
    page.set_viewport_size(UPRIGHT)  # type: ignore[arg-type]
    page.goto(live_app + place.path)
    page.locator("h1, h2").first.wait_for(state="attached")
    open_folds(page)


def workshop_steps() -> list[PageAddress]:
    """Return all steps of the guide, and a level that its viewer cannot edit."""
    key = store.create(GARDEN)
    shown = f"/workshop/{store.find(key).share_key}/"
    steps = (PageAddress(f"/workshop/{key}/guide/{step}/") for step in STEPS)
    return [*steps, PageAddress(f"/workshop/{key}/score/"), PageAddress(shown)]


def places_to_open(client: Client) -> list[PageAddress]:
    """Return every kind of page, and each step of the guide once."""
    found: dict[str, PageAddress] = {}
    for place in [*every_page(client), *workshop_steps()]:
        step = place.path.partition("/guide/")[2]
        found.setdefault(step or place.path, place)
    return list(found.values())


@pytest.mark.usefixtures("few_trials")
@pytest.mark.parametrize(
    "language",
    [code if code == "de" else pytest.param(code, marks=pytest.mark.slow) for code in LOCALES],
)
def test_every_page_fits_and_has_large_touch_targets(
    language: str,
    live_app: str,
    client: Client,
    new_context: NewContext,
    page_errors: list[str],
) -> None:
    page = new_context("phone", language).new_page()
    faults: dict[str, object] = {}
    for place in places_to_open(client):
        open_place(page, live_app, place)
        found: list[object] = [*small_targets(page), *split_sentences(page)]
        for size, letters in ((UPRIGHT, ""), (ACROSS, ""), (NARROW, "200%")):
            page.set_viewport_size(size)  # type: ignore[arg-type]
            set_font_size(page, letters)
            if wide := overflow_px(page):
                found.append((size, letters, wide))
        if found:
            faults[place.path] = found
    page_errors.clear()  # some pages do not exist: Chromium logs each as an error
    assert not faults, pformat(faults)


@pytest.mark.usefixtures("few_trials")
@pytest.mark.slow
def test_axe_finds_nothing_on_any_kind_of_page(
    live_app: str,
    client: Client,
    new_context: NewContext,
    page_errors: list[str],
) -> None:
    page = new_context("phone", "de").new_page()
    faults: dict[str, str] = {}
    for place in places_to_open(client):
        # The page of filtered games has the same parts.
        if place.path.endswith("?players=2"):
            continue
        open_place(page, live_app, place)
        if found := axe_violations_in_both_themes(page):
            faults[place.path] = found
    page_errors.clear()  # some pages do not exist: Chromium logs each as an error
    assert not faults, "\n\n".join(f"{path}: {found}" for path, found in faults.items())


@pytest.mark.usefixtures("few_trials")
def test_pages_work_in_forced_colours_and_high_contrast(
    live_app: str, new_context: NewContext
) -> None:
    """Pages keep their headings in forced colours, and fit the screen of a desktop."""
    page = new_context("desktop", "de", "dark").new_page()
    for path in pages_in_navigation():
        page.goto(live_app + path)
        assert overflow_px(page) == 0, path
        assert small_targets(page) == [], path
        for contrast, forced in (("more", "none"), ("no-preference", "active")):
            page.emulate_media(forced_colors=forced, contrast=contrast)  # type: ignore[arg-type]
            expect(page.get_by_role("heading", level=1)).to_be_visible()
        page.emulate_media(forced_colors="none", contrast="no-preference")
