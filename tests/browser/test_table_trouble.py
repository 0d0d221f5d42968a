"""Trouble at the table: nothing acknowledged is lost, nobody loses the seat, and all see the truth.

The server is a process of its own and every phone a browser context of its own.
"""

from __future__ import annotations

import json
import os
import re
import signal
import sqlite3
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.request import ProxyHandler, build_opener

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from tests.browser.table_phones import code_of, expect_begun, expect_revision, refresh
from tests.browser.test_score_killed import start_server
from tests.browser.waiting import wait_until
from tests.processes import free_port
from tests.site.running import started_before

ACT = re.compile(r"/act/(\?|$)")

NewContext = Callable[..., BrowserContext]


class Site:
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
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    site = Site(tmp_path_factory.mktemp("trouble"))
    yield site
    site.kill()


class Table:
    """Two phones at a table of the mirror, Ana's and Ben's, and a television."""

    def __init__(self, site: Site, new_context: NewContext) -> None:
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
def table(site: Site, new_context: NewContext) -> Table:
    return Table(site, new_context)


def free(page: Page, position: int = 0) -> str:
    """A field that takes a die now."""
    hinted = page.locator(".sheet-grid [data-hint=strong]").nth(position)
    return str(hinted.get_attribute("data-at"))


def tap(page: Page, at: str) -> None:
    page.locator(f".sheet-grid [data-at={at}]").click()


def tap_stored(page: Page, at: str) -> None:
    """Tap a field and wait for the server's word."""
    with page.expect_response(ACT) as answer:
        tap(page, at)
    assert answer.value.ok, f"{answer.value.status}: {answer.value.text()}"
    expect_revision(page, answer.value.json()["revision"])


def expect_dice(page: Page, fields: set[str]) -> None:
    """Exactly these fields show a die."""
    dice = page.locator(".sheet .top > use[href^='#art-die']")
    expect(dice).to_have_count(len(fields))
    for at in fields:
        expect(page.locator(f"[data-field={at}] .top > use")).to_have_count(1)


def expect_connected(page: Page) -> None:
    expect(page.locator("#connection")).to_be_hidden()


def expect_cut_off(page: Page) -> None:
    expect(page.locator("#connection")).to_be_visible()
    expect(page.locator("#connection")).to_contain_text("Not connected")


def look_at(page: Page, name: str) -> None:
    """Show somebody's sheet large."""
    page.locator("#_people a", has_text=name).click()


def expect_seat(page: Page, site: Site, code: str, player: int) -> None:
    """The phone still acts for its player."""
    look_at(page, ("Ana", "Ben")[player])
    at = free(page)
    tap_stored(page, at)
    assert at in site.dice(code)[player]


def test_reload_keeps_seat_and_dice(site: Site, table: Table) -> None:
    at = free(table.ana)
    tap_stored(table.ana, at)
    table.ana.reload()
    expect_dice(table.ana, {at})
    expect_seat(table.ana, site, table.code, 0)


def test_tap_on_its_way_survives_a_reload(site: Site, table: Table, page_errors: list[str]) -> None:
    table.ana.route(ACT, lambda route: route.abort())
    at = free(table.ana)
    tap(table.ana, at)
    expect_dice(table.ana, {at})
    assert site.dice(table.code) == [set(), set()]
    table.ana.unroute_all()
    table.ana.reload()
    expect_dice(table.ana, {at})
    wait_until(table.ana, lambda: site.dice(table.code) == [{at}, set()])
    page_errors.clear()  # a request that did not get through is an error in the console


def test_phone_that_was_locked_shows_the_truth(site: Site, table: Table) -> None:
    look_at(table.ben, "Ana")
    asleep = table.ben.context.new_cdp_session(table.ben)
    set_hidden(table.ben, True)
    asleep.send("Page.setWebLifecycleState", {"state": "frozen"})
    at = free(table.ana)
    tap_stored(table.ana, at)
    time.sleep(0.5)
    asleep.send("Page.setWebLifecycleState", {"state": "active"})
    set_hidden(table.ben, False)
    expect_dice(table.ben, {at})
    expect_connected(table.ben)
    expect_seat(table.ben, site, table.code, 1)


def test_request_that_is_never_answered_holds_nothing_up(site: Site, table: Table) -> None:
    look_at(table.ana, "Ben")
    held: list[Route] = []

    def hold_first(route: Route) -> None:
        if held:
            route.continue_()
        else:
            held.append(route)

    table.ana.route(re.compile("/now/"), hold_first)
    at = free(table.ben)
    tap_stored(table.ben, at)
    wait_until(table.ana, lambda: bool(held))
    set_hidden(table.ana, True)
    set_hidden(table.ana, False)
    expect_dice(table.ana, {at})
    expect_connected(table.ana)
    table.ana.unroute_all(behavior="ignoreErrors")


def set_hidden(page: Page, is_hidden: bool) -> None:
    """What a page sees of the phone being locked and woken."""
    page.evaluate(
        """(hidden) => {
          Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
          const state = hidden ? "hidden" : "visible";
          Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
          document.dispatchEvent(new Event("visibilitychange"));
        }""",
        is_hidden,
    )


def test_wireless_gone_for_a_while(site: Site, table: Table, page_errors: list[str]) -> None:
    table.ana.context.set_offline(True)
    expect_cut_off(table.ana)
    mine = free(table.ana)
    tap(table.ana, mine)
    expect_dice(table.ana, {mine})  # it shows at once, and says that it is not connected
    expect_cut_off(table.ana)
    theirs = free(table.ben, 1)
    tap_stored(table.ben, theirs)
    assert site.dice(table.code) == [set(), {theirs}]
    time.sleep(3)
    expect_cut_off(table.ana)
    table.ana.context.set_offline(False)
    expect_connected(table.ana)
    expect_dice(table.ana, {mine})
    wait_until(table.ana, lambda: site.dice(table.code) == [{mine}, {theirs}])
    look_at(table.ana, "Ben")
    expect_dice(table.ana, {theirs})
    look_at(table.ben, "Ana")
    expect_dice(table.ben, {mine})
    expect_seat(table.ana, site, table.code, 0)
    page_errors.clear()  # requests without a network are errors in the console


def test_same_tap_sent_twice_counts_once(site: Site, table: Table) -> None:
    sent: list[str] = []

    def send_twice(route: Route) -> None:
        sent.append(str(route.request.post_data))
        route.fetch()
        route.fulfill(response=route.fetch())

    table.ana.route(ACT, send_twice)
    first = free(table.ana)
    tap_stored(table.ana, first)
    second = free(table.ana)
    tap_stored(table.ana, second)
    assert len(sent) == 2
    expect_dice(table.ana, {first, second})
    assert site.dice(table.code)[0] == {first, second}


def test_tap_whose_answer_is_lost_counts_once(
    site: Site, table: Table, page_errors: list[str]
) -> None:
    tries: list[str] = []

    def lose_answer(route: Route) -> None:
        answer = route.fetch()
        tries.append(str(route.request.post_data))
        if len(tries) == 1:
            route.abort()
        else:
            route.fulfill(response=answer)

    table.ana.route(ACT, lose_answer)
    at = free(table.ana)
    tap(table.ana, at)
    wait_until(table.ana, lambda: len(tries) == 2)
    expect_connected(table.ana)
    expect_dice(table.ana, {at})
    assert len(set(tries)) == 1
    assert site.dice(table.code)[0] == {at}
    page_errors.clear()  # the answer that was lost is an error in the console


def test_two_phones_tapping_at_the_same_moment(
    site: Site, table: Table, new_context: NewContext
) -> None:
    tv = new_context("desktop").new_page()
    tv.goto(f"{site.url}/table/{table.code}/screen/")
    tapped: dict[Page, set[str]] = {page: set() for page in table.phones}
    for count in range(1, 4):
        moment = time.time() * 1000 + 300
        for page in table.phones:
            at = free(page)
            tapped[page].add(at)
            page.evaluate(
                """([at, moment]) => {
                  const button = document.querySelector(`.sheet-grid [data-at="${at}"]`);
                  setTimeout(() => button.click(), moment - Date.now());
                }""",
                [at, moment],
            )
        # Until the server knows of both, and both phones of it.
        wait_until(tv, lambda count=count: [*map(len, site.dice(table.code))] == [count, count])
        stored = site.revision(table.code)
        for page in table.phones:  # with the hints that go with it
            refresh(page)
            expect_revision(page, stored)
    for player, page in enumerate(table.phones):
        expected = tapped[page]
        expect_dice(page, expected)
        wait_until(
            tv, lambda player=player, expected=expected: site.dice(table.code)[player] == expected
        )
        shown = tv.locator(f"[data-player='{player}'] .top > use[href^='#art-die']")
        expect(shown).to_have_count(3)
        expect(page.locator("#refusal")).to_be_hidden()


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM], ids=["killed", "stopped"])
def test_server_that_ends_in_the_middle_of_a_pass(
    site: Site, table: Table, page_errors: list[str], number: int
) -> None:
    before = free(table.ana), free(table.ben)
    tap_stored(table.ana, before[0])
    tap_stored(table.ben, before[1])
    site.kill(number)
    for page in table.phones:
        expect_cut_off(page)
    meanwhile = free(table.ana)
    tap(table.ana, meanwhile)
    expect_dice(table.ana, {before[0], meanwhile})
    site.start()
    for page in table.phones:
        expect_connected(page)
    expect_dice(table.ana, {before[0], meanwhile})
    expect_dice(table.ben, {before[1]})
    wait_until(table.ana, lambda: site.dice(table.code) == [{before[0], meanwhile}, {before[1]}])
    look_at(table.ben, "Ana")
    expect_dice(table.ben, {before[0], meanwhile})
    for player, page in enumerate(table.phones):
        expect_seat(page, site, table.code, player)
    page_errors.clear()  # a dead server is an error in the console


def test_silence_without_a_word_is_noticed_too(site: Site, table: Table) -> None:
    """A router that swallows everything looks like this: connections stay open, nothing comes."""
    assert site.process
    os.killpg(site.process.pid, signal.SIGSTOP)
    try:
        # A stream that lived is missed after eight seconds; one that was just being opened, when a
        # question of the page itself stays without answer: the longest way takes twenty.
        expect(table.ana.locator("#connection")).to_be_visible()
    finally:
        os.killpg(site.process.pid, signal.SIGCONT)
    expect_connected(table.ana)
    at = free(table.ben)
    tap_stored(table.ben, at)
    expect(table.ana.locator("#connection")).to_be_hidden()
