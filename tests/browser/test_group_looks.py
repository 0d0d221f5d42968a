"""A group has games looked at: asked for with a thumb, waited for, and legible as it comes."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator
from random import Random

import pytest
from django.db import connections
from playwright.sync_api import Page, expect

from sheets.analysis import looking
from sheets.analysis.given_away import ENGINE
from sheets.groups import keeping, store
from sheets.jobs import worker as job_worker
from sheets.jobs.kinds import KINDS
from sheets.models import GivenAway, GroupResult
from sheets.tables import playing
from tests.browser.axe import barriers, barriers_in_both_themes
from tests.browser.finger import touch
from tests.browser.room import too_small, too_wide
from tests.browser.waiting import wait_until
from tests.groups.played_games import scored
from tests.tables.test_look import rolled_party

POLL_MS = 2000
"""Time after which the page asks again how far the analysis is."""

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def worker(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Look at games in this process, at few choices, once it is told to."""
    told = threading.Event()
    threads: list[threading.Thread] = []

    def look_here() -> None:
        told.wait(120)
        job_worker.run_jobs(KINDS)
        connections.close_all()

    def start() -> None:
        if not any(thread.is_alive() for thread in threads):
            threads.append(threading.Thread(target=look_here))
            threads[-1].start()

    random = Random(2)
    monkeypatch.setattr(playing, "_throw", lambda: random.randint(1, 6))
    monkeypatch.setattr(job_worker, "start_worker", start)
    monkeypatch.setattr(looking, "TIMES", (12, 16, 16))
    monkeypatch.setattr(looking, "STARTS", (0, 12, 12))
    yield told
    told.set()
    for thread in threads:
        thread.join(30)


def a_group() -> str:
    """The key of a group in which ten games of Ana were looked at, and two could be."""
    access = store.find(store.create("Family"))
    for number in range(12):
        party = rolled_party("Ana", *("Ben",)[: number % 2])
        keeping.keep(access, party.access().table)
    keeping.keep(access, scored({"Ana": 20})[1])
    for result in GroupResult.objects.filter(player__name="Ana", game__number__lte=10):
        points = 3.0 * (result.game.number % 4)
        parts = [["place", 0, points, 2.0, 0, 9, 1], ["return", 1, 0.5, 0.4, 0, 2, 0]]
        GivenAway.objects.create(
            result=result, engine=ENGINE, points=points + 0.5, within=2.1,
            clear=0, decisions=11, mistakes=1, parts=parts,
        )  # fmt: skip
    return access.key


@pytest.mark.slow
def test_what_was_given_away_is_legible_on_a_phone(
    open_page: Callable[..., Page], worker: threading.Event
) -> None:
    page = open_page(f"/groups/{a_group()}/players/1/", "phone", "en", has_clock=True)
    for table in page.get_by_text("As a table").all():
        touch(table)
    touch(page.get_by_text("1 game cannot be analysed"))
    expect(page.get_by_text("1 has no record of its choices")).to_be_visible()
    assert barriers_in_both_themes(page) == ""
    assert too_wide(page) == 0
    assert too_small(page) == []
    width = page.evaluate("innerWidth")
    for plot in page.locator("#given .plot").all():
        box = plot.bounding_box()
        assert box
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
    touch(page.get_by_role("button", name="Analyse the last 2 games"))
    expect(page.get_by_text("2 games of this group are being analysed")).to_be_visible()
    page.wait_for_load_state()  # the jump to #given takes the focus away
    cancel = page.get_by_role("button", name="Cancel")
    cancel.focus()
    for _ in range(2):
        with page.expect_response("**/looks/state/**"):
            page.clock.fast_forward(POLL_MS)
    expect(cancel).to_be_focused()
    assert barriers(page) == ""
    assert too_wide(page) == 0
    worker.set()

    def is_over() -> bool:
        page.clock.fast_forward(POLL_MS)
        return not cancel.count()

    wait_until(page, is_over)
    expect(page.get_by_role("button", name="Look at")).to_have_count(0)
    expect(page.get_by_text("In the 6 games that were analysed")).to_have_count(2)


@pytest.mark.slow
def test_without_script_the_page_comes_anew_by_itself(
    open_page: Callable[..., Page], worker: threading.Event
) -> None:
    page = open_page(f"/groups/{a_group()}/players/1/", "phone", java_script_enabled=False)
    page.get_by_role("button", name="Analyse the last 2 games").click()
    expect(page).to_have_url(re.compile("#given$"))
    expect(page.get_by_role("button", name="Cancel")).to_be_visible()
    worker.set()
    expect(page.get_by_role("button", name="Cancel")).to_have_count(0, timeout=60_000)
