"""A table whose server is killed, stopped or frozen: nothing acknowledged is lost.

The server is a process of its own and every phone a browser context of its own.
"""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.request import ProxyHandler, build_opener

import pytest
from playwright.sync_api import Page, expect

from tests.browser.table_phones import NewContext, code_of, expect_begun
from tests.browser.test_score_killed import start_server
from tests.browser.test_table_trouble import (
    expect_connected,
    expect_cut_off,
    expect_dice,
    free,
    look_at,
    tap,
    tap_stored,
)
from tests.browser.waiting import wait_until
from tests.processes import free_port
from tests.site.running import started_before

pytestmark = pytest.mark.own_servers


class OwnSite:
    """A served site with its own data, which can be killed and started again."""

    def __init__(self, folder: Path, **variables: str) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.folder = started_before(folder)
        self.variables = variables
        self.process: subprocess.Popen[bytes] | None = None
        self.start()

    def start(self) -> None:
        self.process = start_server(self.folder, self.port, **self.variables)

    def kill(self, number: int = signal.SIGKILL) -> None:
        assert self.process
        os.killpg(self.process.pid, number)
        self.process.wait()

    def game(self, code: str) -> dict[str, Any]:
        """The document of a table's game, past the browsers."""
        opener = build_opener(ProxyHandler({}))
        with opener.open(f"{self.url}/table/{code}/game.json", timeout=5) as answer:
            return dict(json.load(answer))

    def revision(self, code: str) -> int:
        with closing(sqlite3.connect(self.folder / "dizzle.sqlite3")) as database:
            query = "SELECT revision FROM sheets_table WHERE code = ?"
            return int(database.execute(query, (code,)).fetchone()[0])

    def dice(self, code: str) -> list[set[str]]:
        """The fields with dice of this pass, by player: what the server has acknowledged."""
        document = self.game(code)
        lying: list[set[str]] = [set() for _ in document["players"]]
        for action in document["actions"]:
            if action["do"] == "place":
                assert action["at"] not in lying[action["player"]], "placed twice"
                lying[action["player"]].add(action["at"])
            elif action["do"] == "return":
                lying[action["player"]].remove(action["at"])
            elif action["do"] == "end_pass":
                lying = [set() for _ in lying]
        return lying


@pytest.fixture(scope="module")
def own_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OwnSite]:
    own = OwnSite(tmp_path_factory.mktemp("trouble"))
    yield own
    own.kill()


class Table:
    """Two phones at a table of the mirror, Ana's and Ben's."""

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
        expect_begun(*self.phones)  # before anything is cut off

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
            look_at(page, ("Ana", "Ben")[player])
            dice[player].add(free(page))
            tap_stored(page, free(page))
        own_site.kill(number)
        for page in table.phones:
            expect_cut_off(page)
        meanwhile = free(table.ana)
        tap(table.ana, meanwhile)
        dice[0].add(meanwhile)
        expect_dice(table.ana, dice[0])
        own_site.start()
        for player, page in enumerate(table.phones):
            expect_connected(page)
            expect_dice(page, dice[player])
        wait_until(table.ana, lambda: own_site.dice(table.code) == dice)
        look_at(table.ben, "Ana")
        expect_dice(table.ben, dice[0])
    # Both phones still act for their players.
    for player, page in enumerate(table.phones):
        look_at(page, ("Ana", "Ben")[player])
        at = free(page)
        tap_stored(page, at)
        assert at in own_site.dice(table.code)[player]
    page_errors.clear()  # a dead server is an error in the console


LATER = "() => { const now = Date.now; Date.now = () => now() + 8000; }"
"""Moves a page's clock on by as long as a stream may be silent."""


def test_silence_without_a_word_is_noticed_too(own_site: OwnSite, table: Table) -> None:
    """A frozen server looks like a router that drops everything: connections stay open."""
    assert own_site.process
    os.killpg(own_site.process.pid, signal.SIGSTOP)
    try:
        # A stream that lived is missed at once; one that was just being opened, when a question of
        # the page itself stays without answer: the longest way takes twenty seconds.
        table.ana.evaluate(LATER)
        expect(table.ana.locator("#connection")).to_be_visible()
    finally:
        os.killpg(own_site.process.pid, signal.SIGCONT)
    expect_connected(table.ana)
    at = free(table.ben)
    tap_stored(table.ben, at)
    expect(table.ana.locator("#connection")).to_be_hidden()
