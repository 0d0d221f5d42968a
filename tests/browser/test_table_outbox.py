"""Acts at a table without a network: queued on the device until the server has stored them once."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, Route, expect

from sheets.tables import seating
from sheets.tables.event_loader import actions_of
from tests.browser.conftest import NewContext
from tests.browser.polling import close_offline, follow_link, wait_until
from tests.browser.table_phones import field, mark, phone, press, tap
from tests.dice2_tables import sit_down_for
from tests.table_games import TINY, Party, sit_down

QUEUED_KEYS = (
    """() => Object.keys(localStorage).filter((name) => name.startsWith("dizzle.table."))"""
)
"""Script that returns the storage keys of queued acts."""

ACT = re.compile(r"/table/[^/]+/(act|done|undo)/")
"""Path of the requests that send acts."""


def queued_keys(page: Page) -> list[str]:
    return list(page.evaluate(QUEUED_KEYS))


def acts_of(party: Party) -> list[str]:
    """Return the acts of the table in their order."""
    entries = party.loaded.entries
    return [f"{entry['do']} {entry.get('at', '')}".strip() for entry in entries]


def hold_acts(page: Page) -> None:
    page.context.set_offline(True)
    expect(page.locator("#connection")).to_be_visible()


def reopen(page: Page) -> Page:
    """Close the page while it has no network, as phones do, and open it with one."""
    url = page.url
    context = close_offline(page)
    page = context.new_page()
    page.goto(url)
    return page


def test_taps_outlive_the_page_they_were_made_on(live_app: str, new_context: NewContext) -> None:
    party = sit_down(level=TINY)
    page = phone(live_app, new_context, party, 0)
    hold_acts(page)
    tap(page, "b1", "c1", "d1")
    press(page, "Done")
    expect(page.locator("#connection")).to_contain_text("b1, c1, d1, Done")
    assert len(queued_keys(page)) == 4
    held: list[Route] = []
    page.context.route(ACT, lambda route: held.append(route))
    page = reopen(page)
    # They are shown as before while the first one is being sent.
    expect(page.locator("[data-field=b1][data-unsent]")).to_be_attached()
    expect(mark(page, "c1")).to_have_count(1)
    wait_until(page, lambda: held)
    page.context.unroute(ACT)  # which continues the held requests
    wait_until(page, lambda: not queued_keys(page))
    assert acts_of(party)[:4] == ["place b1", "place c1", "place d1", "done"]
    assert len(acts_of(party)) == len({*acts_of(party)})
    expect(page.locator("[data-unsent]")).to_have_count(0)


def test_die_of_dice2_outlives_the_page_it_was_laid_on(
    live_app: str, new_context: NewContext
) -> None:
    party = sit_down_for("square")
    page = phone(live_app, new_context, party, 0)
    hold_acts(page)
    page.locator("label:has(#die-3)").click()
    field(page, "e5").click()
    expect(page.locator("#connection")).to_contain_text("e5")
    assert len(queued_keys(page)) == 1
    page = reopen(page)
    expect(page.locator("[data-die=e5]")).to_have_count(1)
    wait_until(page, lambda: not queued_keys(page))
    assert [(act.do, act.at) for act in actions_of(party.access())] == [("place", "e5")]
    expect(page.locator("[data-unsent]")).to_have_count(0)


LOCKS = """async () => {
  const { held, pending } = await navigator.locks.query();
  return [held.length, pending.length];
}"""
"""Script that returns the number of held and of pending locks."""


def test_two_pages_of_one_table_neither_lose_nor_double(
    live_app: str, new_context: NewContext
) -> None:
    party = sit_down(level=TINY)
    one = phone(live_app, new_context, party, 0)
    other = one.context.new_page()
    other.goto(one.url)
    hold_acts(one)
    hold_acts(other)
    tap(one, "b1")
    # The other page shows it, and a tap there continues from it.
    expect(other.locator("[data-field=b1][data-unsent]")).to_be_attached()
    tap(other, "c1")
    expect(one.locator("[data-field=c1][data-unsent]")).to_be_attached()
    tap(one, "d1")
    assert len(queued_keys(one)) == 3
    held: list[Route] = []
    one.context.route(ACT, lambda route: held.append(route))
    one.context.set_offline(False)
    # Both try to send the first act: one does, and the other waits.
    wait_until(one, lambda: held and one.evaluate(LOCKS) == [1, 1])
    one.context.unroute(ACT)
    wait_until(one, lambda: not queued_keys(one))
    assert acts_of(party) == ["place b1", "place c1", "place d1"]
    for page in (one, other):
        expect(page.locator("[data-unsent]")).to_have_count(0)
        expect(page.locator("#refusal")).to_be_hidden()


def test_queued_act_that_became_illegal_is_refused_with_its_message(
    live_app: str, new_context: NewContext
) -> None:
    party = sit_down(("Ana", "Ben"), TINY)
    page = phone(live_app, new_context, party, 0)
    hold_acts(page)
    tap(page, "b1")
    party.end_pass()
    page = reopen(page)
    expect(page.locator("#refusal")).to_contain_text("b1: The game has moved on")
    assert "place b1" not in acts_of(party)
    assert queued_keys(page) == []


def test_queued_acts_of_a_removed_seat_are_dropped(
    live_app: str, new_context: NewContext, page_errors: list[str]
) -> None:
    party = sit_down(("Ana", "Ben"), TINY)
    page = phone(live_app, new_context, party, 1)
    hold_acts(page)
    tap(page, "b1")
    seating.free_seat(party.access(1), 1)
    page = reopen(page)
    expect(page.locator("#refusal")).to_contain_text("This phone no longer has that seat.")
    page_errors.clear()  # Chromium logs the 403 as an error
    assert "place b1" not in acts_of(party)
    assert queued_keys(page) == []


@pytest.mark.parametrize("status", [200, 429])
def test_act_survives_an_answer_that_is_not_from_the_table(
    status: int, live_app: str, new_context: NewContext, page_errors: list[str]
) -> None:
    party = sit_down(level=TINY)
    page = phone(live_app, new_context, party, 0)
    portal = {"status": status, "content_type": "text/html", "body": "<h1>Welcome</h1>"}
    page.route(ACT, lambda route: route.fulfill(**portal), times=1)
    tap(page, "b1")
    wait_until(page, lambda: acts_of(party) == ["place b1"])
    expect(page.locator("[data-unsent]")).to_have_count(0)
    page_errors.clear()  # Chromium logs the 429 as an error


def test_queued_acts_of_one_table_are_not_sent_to_another(
    live_app: str, new_context: NewContext
) -> None:
    party, other = sit_down(level=TINY), sit_down(level=TINY)
    page = phone(live_app, new_context, party, 0)
    hold_acts(page)
    tap(page, "b1")
    context = close_offline(page)
    context.add_cookies([{"name": "dizzle_seat", "value": other.tokens[0], "url": live_app}])
    page = context.new_page()
    page.goto(f"{live_app}/table/{other.code}/")
    expect(mark(page, "b1")).to_have_count(0)
    tap(page, "b1")
    wait_until(page, lambda: len(queued_keys(page)) == 1)
    assert acts_of(other) == ["place b1"]
    page.goto(f"{live_app}/my/forget/")
    follow_link(page, page.get_by_role("button", name="Forget all"))
    wait_until(page, lambda: not queued_keys(page))
    assert acts_of(party) == []
