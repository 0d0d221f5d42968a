"""Suggestions and balance reports of levels."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator

import pytest
from django.db import connections
from playwright.sync_api import Page, expect

from sheets.jobs import worker as job_worker
from sheets.jobs.kinds import KINDS
from sheets.simulation.balance import jobs
from sheets.simulation.balance.report import PlannedGames
from sheets.workshop import store
from sheets.workshop.level_codes import format_code
from tests.browser.axe import axe_violations, axe_violations_in_both_themes
from tests.browser.conftest import OpenPage
from tests.browser.layout_checks import overflow_px, small_targets
from tests.browser.workshop_page import wait_until_saved
from tests.jobs.requesters import REQUESTER
from tests.score_levels import GARDEN

POLL_MS = 1000
"""Interval between requests for the progress of a report."""


@pytest.fixture(autouse=True)
def report_worker(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Create reports of few games in this process, one by one, once the event is set."""
    told = threading.Event()
    threads: list[threading.Thread] = []

    def measure_here() -> None:
        told.wait(120)
        job_worker.run_jobs(KINDS)
        connections.close_all()

    def start() -> None:
        if not any(thread.is_alive() for thread in threads):
            threads.append(threading.Thread(target=measure_here))
            threads[-1].start()

    measure = jobs.measure
    monkeypatch.setattr(jobs, "measure", lambda *a, **more: measure(*a, processes=1, **more))
    monkeypatch.setattr(job_worker, "start_worker", start)
    monkeypatch.setattr(
        jobs, "plan_games", lambda level: [PlannedGames(n, 10) for n in (1, 2, 3, 4)]
    )
    yield told
    told.set()
    for thread in threads:
        thread.join(30)


def create_report() -> str:
    """Create a level with its report; return its key."""
    key = store.create(GARDEN)
    access = store.find(key)
    jobs.request_report(access.resource, store.level_of(access), REQUESTER)
    job_worker.run_jobs(KINDS)
    return key


def assert_fits(page: Page) -> None:
    assert overflow_px(page) == 0
    assert small_targets(page) == []


@pytest.mark.usefixtures("few_trials")
def test_suggestion_follows_the_wish_and_becomes_a_report(
    open_page: OpenPage, report_worker: threading.Event, page_errors: list[str]
) -> None:
    page = open_page("/workshop/suggest/", "desktop", has_clock=True)
    sheet = page.locator("#wish-sheet .art-sheet")
    before = sheet.inner_html()
    bombs = page.get_by_label("Bombs")
    show = page.get_by_role("button", name="Suggest one")
    bombs.fill("600")
    show.click()
    expect(bombs).to_have_accessible_description(re.compile("a number from 0 to"))
    expect(page.get_by_role("alert")).to_have_text(re.compile("^Bombs: "))
    expect(show).to_be_focused()
    page_errors.clear()  # Chromium logs the refusal as an error
    bombs.fill("6")
    show.click()
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(page).to_have_url(re.compile("bombs=6"))
    assert sheet.inner_html() != before
    page.get_by_role("button", name="Suggest another one").click()
    page.get_by_role("button", name="Open it in the editor").click()
    page.wait_for_url("**/workshop/*/")
    page.goto(page.url + "balance/")
    page.get_by_role("button", name="Make the report").click()
    expect(page.get_by_text("of 40 games are played.")).to_be_visible()
    cancel = page.get_by_role("button", name="Cancel")
    cancel.focus()
    for _ in range(2):
        with page.expect_response("**/balance/state/"):
            page.clock.fast_forward(POLL_MS)
    expect(page.get_by_text("of 40 games are played.")).to_be_visible()
    expect(cancel).to_be_focused()
    # A captive portal answers a poll: the page stays.
    portal = {"body": "<h1>Log in first</h1>", "content_type": "text/html"}
    page.route("**/balance/state/", lambda route: route.fulfill(**portal), times=1)
    with page.expect_response("**/balance/state/"):
        page.clock.fast_forward(POLL_MS)
    with page.expect_response("**/balance/state/"):
        page.clock.fast_forward(POLL_MS)
    expect(page.get_by_text("of 40 games are played.")).to_be_visible()
    report_worker.set()
    expect(page.get_by_role("heading", name="In three sentences")).to_be_visible()
    expect(page.locator("svg.plot")).to_have_count(17)
    page.locator("#figure-scores summary").click()
    expect(page.locator("#figure-scores table")).to_be_visible()


@pytest.mark.parametrize("script", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_heat_maps_of_all_player_counts_are_compared_with_any_level(
    open_page: OpenPage, script: bool
) -> None:
    key = create_report()
    page = open_page(f"/workshop/{key}/balance/", "phone", java_script_enabled=script)
    shown = page.locator(".by-players .figure:visible")
    expect(shown).to_have_count(3)
    page.get_by_role("radio", name="Alone").focus()
    for players in ("2 players", "3 players", "4 players"):
        page.keyboard.press("ArrowRight")
        expect(page.get_by_role("radio", name=players)).to_be_checked()
        expect(shown).to_have_count(3)
        ours = "Beside the levels that come with the app"
        for title in ("Crossed fields", "Crossed fields (By the lake)", ours):
            expect(page.get_by_role("img", name=f"{title}: {players}")).to_be_visible()
    page.get_by_label("Compared with").select_option("Rocket")
    page.get_by_role("button", name="Compare").click()
    page.wait_for_url("**/balance/?beside=level-3")
    expect(page.get_by_role("img", name="Crossed fields (Rocket): Alone")).to_be_visible()


def test_report_goes_on_while_its_page_is_left_and_can_be_cancelled(
    open_page: OpenPage, report_worker: threading.Event
) -> None:
    key = store.create(GARDEN)
    page = open_page(f"/workshop/{key}/balance/", "phone")
    report = page.url
    for is_wanted in (False, True):
        page.get_by_role("button", name="Make the report").click()
        expect(page.get_by_role("progressbar", name="Games played")).to_be_visible()
        page.goto(report.partition("/workshop/")[0])
        page.goto(report)
        expect(page.get_by_text("of 40 games are played.")).to_be_visible()
        if not is_wanted:
            page.get_by_role("button", name="Cancel").click()
            expect(page.get_by_text("The report was cancelled.")).to_be_visible()
    report_worker.set()
    expect(page.get_by_role("heading", name="In three sentences")).to_be_visible()
    expect(page.get_by_role("progressbar")).to_have_count(0)


def test_every_number_of_players_is_printed(open_page: OpenPage) -> None:
    page = open_page(f"/workshop/{create_report()}/balance/", "desktop")
    page.emulate_media(media="print")
    expect(page.locator(".by-players .figure:visible")).to_have_count(12)
    expect(page.get_by_role("radio").first).not_to_be_visible()


@pytest.mark.slow
def test_pages_are_accessible_and_fit(open_page: OpenPage, live_app: str) -> None:
    page = open_page(f"/workshop/{create_report()}/balance/", "phone", "de")
    for summary in page.locator(".figure summary:visible").all():
        summary.click()
    assert axe_violations_in_both_themes(page) == ""
    assert_fits(page)
    page.set_viewport_size({"width": 1280, "height": 800})
    assert overflow_px(page) == 0
    page.goto(f"{live_app}/open/level/?code={format_code(GARDEN)}")
    assert axe_violations_in_both_themes(page) == ""
    assert_fits(page)


@pytest.mark.slow
def test_report_can_be_followed_without_script(
    open_page: OpenPage, report_worker: threading.Event
) -> None:
    key = store.create(GARDEN)
    page = open_page(f"/workshop/{key}/balance/", "phone", java_script_enabled=False)
    page.get_by_role("button", name="Make the report").click()
    expect(page.get_by_text("of 40 games are played.")).to_be_visible()
    report_worker.set()
    expect(page.get_by_role("heading", name="In three sentences")).to_be_visible()


def test_levels_of_this_device_can_be_chosen_in_a_report(
    open_page: OpenPage, report_worker: threading.Event
) -> None:
    other = store.create(GARDEN | {"name": "Orchard"})
    page = open_page(f"/workshop/{other}/", "phone")
    wait_until_saved(page)
    key = create_report()
    page.goto(page.url.replace(other, key))
    wait_until_saved(page)
    page.goto(f"{page.url}balance/")
    own = page.get_by_label("Or with another level of yours")
    expect(own.locator("option")).to_have_text(["Orchard"])
    page.get_by_role("button", name="Side by side").click()
    expect(own).to_have_accessible_description(
        "“Orchard” has no report yet. Make it, and then compare."
    )
    expect(own).to_have_value(other)
    expect(own).to_be_focused()
    assert axe_violations(page) == ""
    page.get_by_role("link", name="To its report").click()
    page.wait_for_url(f"**/workshop/{other}/balance/")
    report_worker.set()
    page.get_by_role("button", name="Make the report").click()
    expect(page.get_by_role("heading", name="In three sentences")).to_be_visible()
    page.get_by_label("Or with another level of yours").select_option(key)
    page.get_by_role("button", name="Side by side").click()
    expect(
        page.get_by_role("img", name=re.compile(r"^Crossed fields \(.*\): Alone"))
    ).to_be_visible()
