"""What is done at a table without a network waits on the device until the server has it, once."""

from __future__ import annotations

import re

from playwright.sync_api import Page, Route, expect

from sheets.tables import seating
from sheets.tables.reading import actions_of
from tests.browser.table_phones import NewContext, field, mark, phone, press, tap
from tests.browser.waiting import close_cut_off, follow, wait_until
from tests.dice2_tables import sit_down_for
from tests.table_games import TINY, Party, sit_down

WAITING = """() => Object.keys(localStorage).filter((name) => name.startsWith("dizzle.table."))"""
ACT = re.compile(r"/table/[^/]+/(act|done|undo)/")


def waiting(page: Page) -> list[str]:
    return list(page.evaluate(WAITING))


def done(party: Party) -> list[str]:
    """What was done at the table, in its order."""
    entries = party.loaded.entries
    return [f"{entry['do']} {entry.get('at', '')}".strip() for entry in entries]


def cut(page: Page) -> None:
    page.context.set_offline(True)
    expect(page.locator("#connection")).to_be_visible()


def open_again(page: Page) -> Page:
    """Close the page while it has no network, as phones do, and open it with one."""
    url = page.url
    context = close_cut_off(page)
    page = context.new_page()
    page.goto(url)
    return page


def test_taps_outlive_the_page_they_were_made_on(live_app: str, new_context: NewContext) -> None:
    party = sit_down(level=TINY)
    page = phone(live_app, new_context, party, 0)
    cut(page)
    tap(page, "b1", "c1", "d1")
    press(page, "Done")
    expect(page.locator("#connection")).to_contain_text("b1, c1, d1, Done")
    assert len(waiting(page)) == 4
    held: list[Route] = []
    page.context.route(ACT, lambda route: held.append(route))
    page = open_again(page)
    # They are shown as before, while the first is on its way.
    expect(page.locator("[data-field=b1][data-unsent]")).to_be_attached()
    expect(mark(page, "c1")).to_have_count(1)
    wait_until(page, lambda: held)
    page.context.unroute(ACT)  # which lets go on what was held
    wait_until(page, lambda: not waiting(page))
    assert done(party)[:4] == ["place b1", "place c1", "place d1", "done"]
    assert len(done(party)) == len({*done(party)})
    expect(page.locator("[data-unsent]")).to_have_count(0)


def test_die_of_dice2_outlives_the_page_it_was_laid_on(
    live_app: str, new_context: NewContext
) -> None:
    party = sit_down_for("square")
    page = phone(live_app, new_context, party, 0)
    cut(page)
    page.locator("label:has(#die-3)").click()
    field(page, "e5").click()
    expect(page.locator("#connection")).to_contain_text("e5")
    assert len(waiting(page)) == 1
    page = open_again(page)
    expect(page.locator("[data-die=e5]")).to_have_count(1)
    wait_until(page, lambda: not waiting(page))
    assert [(act.do, act.at) for act in actions_of(party.access())] == [("place", "e5")]
    expect(page.locator("[data-unsent]")).to_have_count(0)


LOCKS = """async () => {
  const { held, pending } = await navigator.locks.query();
  return [held.length, pending.length];
}"""


def test_two_pages_of_one_table_neither_lose_nor_double(
    live_app: str, new_context: NewContext
) -> None:
    party = sit_down(level=TINY)
    one = phone(live_app, new_context, party, 0)
    other = one.context.new_page()
    other.goto(one.url)
    cut(one)
    cut(other)
    tap(one, "b1")
    # The other page knows of it, and a tap there goes on from it.
    expect(other.locator("[data-field=b1][data-unsent]")).to_be_attached()
    tap(other, "c1")
    expect(one.locator("[data-field=c1][data-unsent]")).to_be_attached()
    tap(one, "d1")
    assert len(waiting(one)) == 3
    held: list[Route] = []
    one.context.route(ACT, lambda route: held.append(route))
    one.context.set_offline(False)
    # Both would send the first: one does, and the other waits for it.
    wait_until(one, lambda: held and one.evaluate(LOCKS) == [1, 1])
    one.context.unroute(ACT)
    wait_until(one, lambda: not waiting(one))
    assert done(party) == ["place b1", "place c1", "place d1"]
    for page in (one, other):
        expect(page.locator("[data-unsent]")).to_have_count(0)
        expect(page.locator("#refusal")).to_be_hidden()


def test_what_does_not_fit_any_more_is_refused_with_its_sentence(
    live_app: str, new_context: NewContext
) -> None:
    party = sit_down(("Ana", "Ben"), TINY)
    page = phone(live_app, new_context, party, 0)
    cut(page)
    tap(page, "b1")
    party.end_pass()
    page = open_again(page)
    expect(page.locator("#refusal")).to_contain_text("b1: The game has moved on")
    assert "place b1" not in done(party)
    assert waiting(page) == []


def test_nothing_is_done_for_a_seat_that_is_gone(
    live_app: str, new_context: NewContext, page_errors: list[str]
) -> None:
    party = sit_down(("Ana", "Ben"), TINY)
    page = phone(live_app, new_context, party, 1)
    cut(page)
    tap(page, "b1")
    seating.free_seat(party.access(1), 1)
    page = open_again(page)
    expect(page.locator("#refusal")).to_contain_text("This phone no longer has that seat.")
    page_errors.clear()  # Chromium calls the 403 an error
    assert "place b1" not in done(party)
    assert waiting(page) == []


def test_what_waits_at_one_table_is_not_sent_at_another(
    live_app: str, new_context: NewContext
) -> None:
    party, other = sit_down(level=TINY), sit_down(level=TINY)
    page = phone(live_app, new_context, party, 0)
    cut(page)
    tap(page, "b1")
    context = close_cut_off(page)
    context.add_cookies([{"name": "dizzle_seat", "value": other.tokens[0], "url": live_app}])
    page = context.new_page()
    page.goto(f"{live_app}/table/{other.code}/")
    expect(mark(page, "b1")).to_have_count(0)
    tap(page, "b1")
    wait_until(page, lambda: len(waiting(page)) == 1)
    assert done(other) == ["place b1"]
    page.goto(f"{live_app}/my/forget/")
    follow(page, page.get_by_role("button", name="Forget all"))
    wait_until(page, lambda: not waiting(page))
    assert done(party) == []
