"""Trouble at the table: nothing acknowledged is lost, nobody loses the seat, and all see the truth.

Each phone is a browser context of its own. Servers that end are in `test_table_killed.py`.
"""

from __future__ import annotations

import re
import time

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.table_phones import (
    NewContext,
    expect_begun,
    expect_revision,
    phone,
    refresh,
)
from tests.browser.waiting import wait_until
from tests.table_games import Party, sit_down

ACT = re.compile(r"/act/(\?|$)")


class Table:
    """Two phones at a table of the mirror, Ana's and Ben's."""

    def __init__(self, live_app: str, new_context: NewContext) -> None:
        self.party = sit_down(level="level-2")
        self.ana, self.ben = (phone(live_app, new_context, self.party, who) for who in (0, 1))
        expect_begun(*self.phones)  # before anything is cut off

    @property
    def phones(self) -> tuple[Page, Page]:
        """Both phones."""
        return self.ana, self.ben

    def dice(self) -> list[set[str]]:
        """The fields with dice, by player: what the server has acknowledged."""
        return dice_of(self.party)


def dice_of(party: Party) -> list[set[str]]:
    """The fields with dice of the first pass by the log, by player."""
    lying: list[set[str]] = [set() for _ in party.tokens]
    for entry in party.loaded.entries:
        if entry["do"] == "place":
            assert entry["at"] not in lying[entry["player"]], "placed twice"
            lying[entry["player"]].add(entry["at"])
    return lying


@pytest.fixture
def table(live_app: str, new_context: NewContext) -> Table:
    """A table where the game has begun."""
    return Table(live_app, new_context)


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


def expect_seat(page: Page, table: Table, player: int) -> None:
    """The phone still acts for its player."""
    look_at(page, ("Ana", "Ben")[player])
    at = free(page)
    tap_stored(page, at)
    assert at in table.dice()[player]


def test_reload_keeps_seat_and_dice_and_a_tap_on_its_way(
    table: Table, page_errors: list[str]
) -> None:
    first = free(table.ana)
    tap_stored(table.ana, first)
    table.ana.reload()
    expect_dice(table.ana, {first})
    table.ana.route(ACT, lambda route: route.abort())
    second = free(table.ana)
    tap(table.ana, second)
    expect_dice(table.ana, {first, second})
    assert table.dice() == [{first}, set()]
    table.ana.unroute_all()
    table.ana.reload()
    expect_dice(table.ana, {first, second})
    wait_until(table.ana, lambda: table.dice() == [{first, second}, set()])
    expect_seat(table.ana, table, 0)
    page_errors.clear()  # a request that did not get through is an error in the console


def test_phone_that_was_locked_shows_the_truth(table: Table) -> None:
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
    expect_seat(table.ben, table, 1)


def test_request_that_is_never_answered_holds_nothing_up(table: Table) -> None:
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


def test_wireless_gone_for_a_while(table: Table, page_errors: list[str]) -> None:
    table.ana.context.set_offline(True)
    expect_cut_off(table.ana)
    mine = free(table.ana)
    tap(table.ana, mine)
    expect_dice(table.ana, {mine})  # it shows at once, and says that it is not connected
    expect_cut_off(table.ana)
    theirs = free(table.ben, 1)
    tap_stored(table.ben, theirs)
    assert table.dice() == [set(), {theirs}]
    time.sleep(1)
    expect_cut_off(table.ana)
    table.ana.context.set_offline(False)
    expect_connected(table.ana)
    expect_dice(table.ana, {mine})
    wait_until(table.ana, lambda: table.dice() == [{mine}, {theirs}])
    look_at(table.ana, "Ben")
    expect_dice(table.ana, {theirs})
    look_at(table.ben, "Ana")
    expect_dice(table.ben, {mine})
    expect_seat(table.ana, table, 0)
    page_errors.clear()  # requests without a network are errors in the console


def test_tap_sent_twice_or_answered_in_vain_counts_once(
    table: Table, page_errors: list[str]
) -> None:
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
    assert table.dice()[0] == {first, second}
    table.ana.unroute_all()
    tries: list[str] = []

    def lose_answer(route: Route) -> None:
        answer = route.fetch()
        tries.append(str(route.request.post_data))
        if len(tries) == 1:
            route.abort()
        else:
            route.fulfill(response=answer)

    table.ana.route(ACT, lose_answer)
    third = free(table.ana)
    tap(table.ana, third)
    wait_until(table.ana, lambda: len(tries) == 2)
    expect_connected(table.ana)
    expect_dice(table.ana, {first, second, third})
    assert len(set(tries)) == 1
    assert table.dice()[0] == {first, second, third}
    page_errors.clear()  # the answer that was lost is an error in the console


def test_two_phones_tapping_at_the_same_moment(
    live_app: str, table: Table, new_context: NewContext
) -> None:
    tv = new_context("desktop").new_page()
    tv.goto(f"{live_app}/table/{table.party.code}/screen/")
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
        wait_until(tv, lambda count=count: [*map(len, table.dice())] == [count, count])
        stored = table.party.access().table.revision
        for page in table.phones:  # with the hints that go with it
            refresh(page)
            expect_revision(page, stored)
    for player, page in enumerate(table.phones):
        expected = tapped[page]
        expect_dice(page, expected)
        wait_until(tv, lambda player=player, expected=expected: table.dice()[player] == expected)
        shown = tv.locator(f"[data-player='{player}'] .top > use[href^='#art-die']")
        expect(shown).to_have_count(3)
        expect(page.locator("#refusal")).to_be_hidden()
