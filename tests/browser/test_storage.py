"""Pages while the database is locked: each shows a message and stores its acts later."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NewContext
from tests.browser.own_server import OwnSite
from tests.browser.polling import wait_until
from tests.browser.table_phones import expect_begun, expect_revision
from tests.browser.test_table_connection import (
    expect_connected,
    expect_dice,
    legal_field,
    tap,
    tap_stored,
)
from tests.browser.test_table_killed import Table
from tests.browser.workshop_page import begin, place, type_numbers

pytestmark = pytest.mark.own_servers

SENTENCE = re.compile("cannot be stored just now. Nothing is lost")
"""The message in English."""

SATZ = re.compile("kann gerade nicht gespeichert werden. Nichts ist verloren")
"""The message in German."""


@pytest.fixture(scope="module")
def own_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OwnSite]:
    """A site whose database times out after one second."""
    folder = tmp_path_factory.mktemp("storage")
    own = OwnSite(folder, DATABASE_URL=f"sqlite:///{folder / 'dizzle.sqlite3'}?timeout=1")
    yield own
    own.kill()


@contextmanager
def locked_database(own_site: OwnSite, errors: list[str]) -> Iterator[None]:
    """Hold the database's write lock, as another program would."""
    other = sqlite3.connect(Path(own_site.folder) / "dizzle.sqlite3", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        yield
    finally:
        other.execute("ROLLBACK")
        other.close()
    errors[:] = [error for error in errors if "status of 503" not in error]


def expect_said(page: Page, selector: str, sentence: re.Pattern[str] = SENTENCE) -> None:
    expect(page.locator(selector)).to_have_text(sentence)
    expect(page.locator(selector)).to_be_visible()


def test_moves_at_a_table_are_stored_later(
    own_site: OwnSite, new_context: NewContext, page_errors: list[str]
) -> None:
    table = Table(own_site, new_context)
    with locked_database(own_site, page_errors):
        at = legal_field(table.ana)
        tap(table.ana, at)
        expect_said(table.ana, "#connection")
        expect_dice(table.ana, {at})  # it is shown all the time
        assert own_site.dice(table.code) == [set(), set()]
    expect_connected(table.ana)
    wait_until(table.ana, lambda: own_site.dice(table.code) == [{at}, set()])
    expect_dice(table.ana, {at})
    # The answer contains the fields that take a die now.
    expect_revision(table.ana, own_site.revision(table.code))
    tap_stored(table.ana, legal_field(table.ana))


def test_moves_of_dice2_are_stored_later(
    own_site: OwnSite, new_context: NewContext, page_errors: list[str]
) -> None:
    ana, ben = (new_context("phone").new_page() for _ in range(2))
    ana.goto(f"{own_site.url}/dice2/")
    ana.get_by_role("radio", name="4 Dice Wins").check(force=True)
    ana.get_by_label("Your name").fill("Ana")
    ana.get_by_role("button", name="Start a table").click()
    ben.goto(f"{own_site.url}/table/{ana.locator('.code').inner_text()}/")
    ben.get_by_label("Free seat: your name").fill("Ben")
    ben.get_by_role("button", name="Sit here").click()
    expect(ana.locator("#_lobby")).to_contain_text("Ben")
    ana.get_by_role("button", name="Begin the game").click()
    expect_begun(ana)  # only a form sent after its script is loaded is queued
    ana.locator("label:has(#die-3)").click()
    with locked_database(own_site, page_errors):
        ana.locator(".sheet-grid [data-at=e5]").click()
        expect_said(ana, "#connection")
    expect(ana.locator("[data-die=e5]")).to_have_count(1)
    expect_connected(ana)


def test_marks_of_a_scored_sheet_are_stored_later(
    own_site: OwnSite, new_context: NewContext, page_errors: list[str]
) -> None:
    page = new_context("phone", "de").new_page()
    page.goto(f"{own_site.url}/score/new/level-2/")
    page.locator("main form button.primary").click()
    page.wait_for_url(re.compile("/1/$"))
    at = page.locator(".sheet-grid button[data-kind='']").first.get_attribute("data-at")
    with locked_database(own_site, page_errors):
        page.locator(f"[data-at={at}]").click()
        expect_said(page, "#refusal", SATZ)
        crossed = page.locator(f"[data-field={at}] > .over > use")
        expect(crossed).to_have_count(1)
    expect(page.locator("#refusal")).to_be_hidden()
    page.reload()
    expect(crossed).to_have_count(1)


def test_edits_of_a_level_are_stored_later(
    own_site: OwnSite, new_context: NewContext, page_errors: list[str]
) -> None:
    page = new_context("desktop").new_page()
    page.goto(f"{own_site.url}/workshop/invent/")
    begin(page, 3, 2)
    with locked_database(own_site, page_errors):
        type_numbers(page, "123")
        expect_said(page, "#refusal")
    expect(page.locator("#saving")).to_have_text("Saved")
    expect(page.locator("#refusal")).to_be_hidden()
    page.reload()
    for at, number in (("a1", "1"), ("b1", "2"), ("c1", "3")):
        expect(place(page, at)).to_have_attribute("aria-label", re.compile(rf"\b{number}\b"))


def test_messages_of_the_workshop_are_not_covered_on_a_phone(
    own_site: OwnSite,
    new_context: NewContext,
    page_errors: list[str],
) -> None:
    page = new_context("phone", "de").new_page()
    page.goto(f"{own_site.url}/workshop/invent/")
    page.locator("[name=columns]").fill("3")
    page.locator("[name=rows]").fill("2")
    page.locator("form:has([name=columns]) .button.primary").click()
    expect(page.locator("[data-number='5']")).to_be_visible()
    page.wait_for_load_state("load")
    with locked_database(own_site, page_errors):
        page.locator("[data-number='5']").click()
        expect(page.locator("#saving")).to_be_visible()
        expect_said(page, "#refusal", SATZ)
        expect(page.locator("#saving")).to_have_attribute("data-late", "")
        assert covering(page, "#refusal", ("#saving", "#told")) == []
    expect(page.locator("#saving")).not_to_have_attribute("data-late", "")


def covering(page: Page, selector: str, others: tuple[str, ...]) -> list[str]:
    """Return which of the other elements overlap an element on the screen."""
    here = page.locator(selector).bounding_box()
    assert here
    boxes = {other: page.locator(other).bounding_box() for other in others}
    return [
        other
        for other, box in boxes.items()
        if box and box["y"] < here["y"] + here["height"] and here["y"] < box["y"] + box["height"]
    ]
