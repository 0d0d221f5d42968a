"""Lost connections at the table: no acknowledged move or seat is lost, and all phones catch up.

Each phone is a separate browser context. Servers that end are in `test_table_killed.py`.
"""

from __future__ import annotations

import re
import time

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import NewContext
from tests.browser.polling import wait_until
from tests.browser.table_phones import FETCH, expect_begun, expect_revision, phone, refresh
from tests.table_fragments import state_in
from tests.table_games import Party, sit_down

ACT = re.compile(r"/act/(\?|$)")
"""Path of the requests that send acts."""


class Table:
    """Two phones of Ana and Ben at a mirrored table."""

    def __init__(self, live_app: str, new_context: NewContext) -> None:
        self.party = sit_down(level="level-2")
        self.ana, self.ben = (phone(live_app, new_context, self.party, who) for who in (0, 1))
        expect_begun(*self.phones)  # before the connection is lost

    @property
    def phones(self) -> tuple[Page, Page]:
        return self.ana, self.ben

    def dice(self) -> list[set[str]]:
        """Return the fields with dice by player, as acknowledged by the server."""
        return dice_of(self.party)


def dice_of(party: Party) -> list[set[str]]:
    """Return the fields with dice of the first pass by player, read from the log."""
    lying: list[set[str]] = [set() for _ in party.tokens]
    for entry in party.loaded.entries:
        if entry["do"] == "place":
            assert entry["at"] not in lying[entry["player"]], "placed twice"
            lying[entry["player"]].add(entry["at"])
    return lying


@pytest.fixture
def table(live_app: str, new_context: NewContext) -> Table:
    """A table whose game has begun."""
    return Table(live_app, new_context)


def legal_field(page: Page, position: int = 0) -> str:
    """Return a field that takes a die now."""
    hinted = page.locator(".sheet-grid [data-hint=strong]").nth(position)
    return str(hinted.get_attribute("data-at"))


def tap(page: Page, at: str) -> None:
    page.locator(f".sheet-grid [data-at={at}]").click()


def tap_stored(page: Page, at: str) -> None:
    """Tap a field and wait until the server has acknowledged the die."""
    with page.expect_response(ACT) as answer:
        tap(page, at)
    assert answer.value.ok, f"{answer.value.status}: {answer.value.text()}"
    expect_revision(page, state_in(answer.value.text())["revision"])


def expect_dice(page: Page, fields: set[str]) -> None:
    """Wait until exactly these fields show a die."""
    dice = page.locator(".sheet .top > use[href^='#art-die']")
    expect(dice).to_have_count(len(fields))
    for at in fields:
        expect(page.locator(f"[data-field={at}] .top > use")).to_have_count(1)


def expect_connected(page: Page) -> None:
    expect(page.locator("#connection")).to_be_hidden()


def expect_disconnected(page: Page) -> None:
    expect(page.locator("#connection")).to_be_visible()
    expect(page.locator("#connection")).to_contain_text("Not connected")


def show_sheet_of(page: Page, name: str) -> None:
    """Show the sheet of a player large."""
    page.locator("#_people a", has_text=name).click()


def expect_seat(page: Page, table: Table, player: int) -> None:
    """Expect that the phone still acts for its player."""
    show_sheet_of(page, ("Ana", "Ben")[player])
    at = legal_field(page)
    tap_stored(page, at)
    assert at in table.dice()[player]


def test_reload_keeps_seat_and_dice_and_a_tap_on_its_way(
    table: Table, page_errors: list[str]
) -> None:
    first = legal_field(table.ana)
    tap_stored(table.ana, first)
    table.ana.reload()
    expect_dice(table.ana, {first})
    table.ana.route(ACT, lambda route: route.abort())
    second = legal_field(table.ana)
    tap(table.ana, second)
    expect_dice(table.ana, {first, second})
    assert table.dice() == [{first}, set()]
    table.ana.unroute_all()
    table.ana.reload()
    expect_dice(table.ana, {first, second})
    wait_until(table.ana, lambda: table.dice() == [{first, second}, set()])
    expect_seat(table.ana, table, 0)
    page_errors.clear()  # Chromium logs the lost request as an error


def test_unlocked_phone_shows_the_current_state(table: Table) -> None:
    show_sheet_of(table.ben, "Ana")
    asleep = table.ben.context.new_cdp_session(table.ben)
    set_hidden(table.ben, True)
    asleep.send("Page.setWebLifecycleState", {"state": "frozen"})
    at = legal_field(table.ana)
    tap_stored(table.ana, at)
    time.sleep(0.5)
    asleep.send("Page.setWebLifecycleState", {"state": "active"})
    set_hidden(table.ben, False)
    expect_dice(table.ben, {at})
    expect_connected(table.ben)
    expect_seat(table.ben, table, 1)


def test_unanswered_request_blocks_nothing(table: Table) -> None:
    show_sheet_of(table.ana, "Ben")
    held: list[Route] = []

    def hold_first(route: Route) -> None:
        if held:
            route.continue_()
        else:
            held.append(route)

    table.ana.route(FETCH, hold_first)
    at = legal_field(table.ben)
    tap_stored(table.ben, at)
    wait_until(table.ana, lambda: bool(held))
    set_hidden(table.ana, True)
    set_hidden(table.ana, False)
    expect_dice(table.ana, {at})
    expect_connected(table.ana)
    table.ana.unroute_all(behavior="ignoreErrors")


def test_error_while_drawing_is_no_lost_connection(table: Table, page_errors: list[str]) -> None:
    show_sheet_of(table.ben, "Ana")
    table.ana.evaluate(
        """async () => {
          const script = document.querySelector("[rel=modulepreload][href*='table/live.']");
          const { onState, refresh } = await import(script.href);
          onState(() => { throw new Error("drawing"); });
          await refresh(true);
        }"""
    )
    expect_connected(table.ana)
    assert "exception: drawing" in page_errors
    page_errors.clear()


def test_modules_that_are_loaded_later_may_be_missing(table: Table, page_errors: list[str]) -> None:
    page, missing = table.ana, list[str]()

    def abort(route: Route) -> None:
        missing.append(route.request.url)
        route.abort()

    page.route(re.compile("/(keep_awake|sound)[^/]*[.]js$"), abort)
    page.reload()
    wait_until(page, lambda: len(missing) == 2)
    tap_stored(page, legal_field(page))
    expect(page.locator(".no-answer")).to_have_count(0)
    assert not [error for error in page_errors if error.startswith("exception")]
    page_errors.clear()  # the failed requests


def test_page_of_another_release_reloads(table: Table) -> None:
    """A server of another release may return the whole page instead of its fragments."""
    table.ana.evaluate("() => { window.isOld = true; }")
    whole = table.ana.content()
    table.ana.route(FETCH, lambda route: route.fulfill(body=whole), times=1)
    set_hidden(table.ana, True)
    with table.ana.expect_event("load"):
        set_hidden(table.ana, False)
    assert not table.ana.evaluate("() => window.isOld")
    expect_connected(table.ana)


def set_hidden(page: Page, is_hidden: bool) -> None:
    """Set the visibility that a page sees when its phone is locked or woken."""
    page.evaluate(
        """(hidden) => {
          Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
          const state = hidden ? "hidden" : "visible";
          Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
          document.dispatchEvent(new Event("visibilitychange"));
        }""",
        is_hidden,
    )


def test_taps_during_a_network_outage_are_sent_later(table: Table, page_errors: list[str]) -> None:
    table.ana.context.set_offline(True)
    expect_disconnected(table.ana)
    mine = legal_field(table.ana)
    tap(table.ana, mine)
    expect_dice(table.ana, {mine})  # shown at once, with a note on the lost connection
    expect_disconnected(table.ana)
    theirs = legal_field(table.ben, 1)
    tap_stored(table.ben, theirs)
    assert table.dice() == [set(), {theirs}]
    time.sleep(1)
    expect_disconnected(table.ana)
    table.ana.context.set_offline(False)
    expect_connected(table.ana)
    expect_dice(table.ana, {mine})
    wait_until(table.ana, lambda: table.dice() == [{mine}, {theirs}])
    show_sheet_of(table.ana, "Ben")
    expect_dice(table.ana, {theirs})
    show_sheet_of(table.ben, "Ana")
    expect_dice(table.ben, {mine})
    expect_seat(table.ana, table, 0)
    page_errors.clear()  # Chromium logs requests without a network as errors


def test_tap_sent_twice_or_with_a_lost_answer_counts_once(
    table: Table, page_errors: list[str]
) -> None:
    sent: list[str] = []

    def send_twice(route: Route) -> None:
        sent.append(str(route.request.post_data))
        route.fetch()
        route.fulfill(response=route.fetch())

    table.ana.route(ACT, send_twice)
    first = legal_field(table.ana)
    tap_stored(table.ana, first)
    second = legal_field(table.ana)
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
    third = legal_field(table.ana)
    tap(table.ana, third)
    wait_until(table.ana, lambda: len(tries) == 2)
    expect_connected(table.ana)
    expect_dice(table.ana, {first, second, third})
    assert len(set(tries)) == 1
    assert table.dice()[0] == {first, second, third}
    page_errors.clear()  # Chromium logs the lost answer as an error


def test_two_phones_tapping_at_the_same_moment(
    live_app: str, table: Table, new_context: NewContext
) -> None:
    tv = new_context("desktop").new_page()
    tv.goto(f"{live_app}/table/{table.party.code}/screen/")
    tapped: dict[Page, set[str]] = {page: set() for page in table.phones}
    for count in range(1, 4):
        moment = time.time() * 1000 + 300
        for page in table.phones:
            at = legal_field(page)
            tapped[page].add(at)
            page.evaluate(
                """([at, moment]) => {
                  const button = document.querySelector(`.sheet-grid [data-at="${at}"]`);
                  setTimeout(() => button.click(), moment - Date.now());
                }""",
                [at, moment],
            )
        # Wait until the server has both, and both phones show them.
        wait_until(tv, lambda count=count: [*map(len, table.dice())] == [count, count])
        stored = table.party.access().table.revision
        for page in table.phones:  # with their hints
            refresh(page)
            expect_revision(page, stored)
    for player, page in enumerate(table.phones):
        expected = tapped[page]
        expect_dice(page, expected)
        wait_until(tv, lambda player=player, expected=expected: table.dice()[player] == expected)
        shown = tv.locator(f"[data-player='{player}'] .top > use[href^='#art-die']")
        expect(shown).to_have_count(3)
        expect(page.locator("#refusal")).to_be_hidden()
