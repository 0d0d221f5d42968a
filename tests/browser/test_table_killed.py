"""A table whose server is killed, stopped or frozen: no acknowledged move is lost.

The server runs in a separate process, and each phone is a separate browser context.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NewContext
from tests.browser.own_server import OwnSite
from tests.browser.polling import wait_until
from tests.browser.table_phones import code_of, expect_begun
from tests.browser.test_table_connection import (
    expect_connected,
    expect_dice,
    expect_disconnected,
    legal_field,
    show_sheet_of,
    tap,
    tap_stored,
)

pytestmark = pytest.mark.own_servers


@pytest.fixture(scope="module")
def own_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OwnSite]:
    own = OwnSite(tmp_path_factory.mktemp("trouble"))
    yield own
    own.kill()


class Table:
    """Two phones of Ana and Ben at a mirrored table."""

    def __init__(self, site: OwnSite, new_context: NewContext) -> None:
        self.ana, self.ben = (new_context("phone").new_page() for _ in range(2))
        self.ana.goto(f"{site.url}/table/new/?level=level-2")
        self.ana.get_by_label("Your name").fill("Ana")
        self.ana.get_by_role("button", name="Start a table").click()
        self.code = code_of(self.ana)
        self.ben.goto(f"{site.url}/table/{self.code}/")
        self.ben.get_by_label("Free seat: your name").fill("Ben")
        self.ben.get_by_role("button", name="Sit here").click()
        self.ana.get_by_role("button", name="Begin the game").click()
        expect_begun(*self.phones)  # before the connection is lost

    @property
    def phones(self) -> tuple[Page, Page]:
        return self.ana, self.ben


@pytest.fixture
def table(own_site: OwnSite, new_context: NewContext) -> Table:
    return Table(own_site, new_context)


def test_server_that_ends_in_the_middle_of_a_pass(
    own_site: OwnSite, table: Table, page_errors: list[str]
) -> None:
    dice: list[set[str]] = [set(), set()]
    for number in (signal.SIGKILL, signal.SIGTERM):
        for player, page in enumerate(table.phones):
            show_sheet_of(page, ("Ana", "Ben")[player])
            dice[player].add(legal_field(page))
            tap_stored(page, legal_field(page))
        own_site.kill(number)
        for page in table.phones:
            expect_disconnected(page)
        meanwhile = legal_field(table.ana)
        tap(table.ana, meanwhile)
        dice[0].add(meanwhile)
        expect_dice(table.ana, dice[0])
        own_site.start()
        for player, page in enumerate(table.phones):
            expect_connected(page)
            expect_dice(page, dice[player])
        wait_until(table.ana, lambda: own_site.dice(table.code) == dice)
        show_sheet_of(table.ben, "Ana")
        expect_dice(table.ben, dice[0])
    # Both phones still act for their players.
    for player, page in enumerate(table.phones):
        show_sheet_of(page, ("Ana", "Ben")[player])
        at = legal_field(page)
        tap_stored(page, at)
        assert at in own_site.dice(table.code)[player]
    page_errors.clear()  # Chromium logs the failed requests as errors


ADVANCE_CLOCK = "() => { const now = Date.now; Date.now = () => now() + 8000; }"
"""Script that advances a page's clock by the maximum silence of a stream."""


def test_frozen_server_is_noticed(own_site: OwnSite, table: Table) -> None:
    """A frozen server looks like a router that drops packets: connections stay open."""
    assert own_site.process
    os.killpg(own_site.process.pid, signal.SIGSTOP)
    try:
        # An open stream is missed at once. While a stream is being opened, a request of the page
        # has to time out first, which takes up to twenty seconds.
        table.ana.evaluate(ADVANCE_CLOCK)
        expect(table.ana.locator("#connection")).to_be_visible()
    finally:
        os.killpg(own_site.process.pid, signal.SIGCONT)
    expect_connected(table.ana)
    at = legal_field(table.ben)
    tap_stored(table.ben, at)
    expect(table.ana.locator("#connection")).to_be_hidden()
