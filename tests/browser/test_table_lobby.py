"""The lobby on several phones: announcements, and names that are being typed."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from sheets.access.devices import new_token
from sheets.tables import seating
from sheets.tables.access import find_access
from tests.browser.conftest import NewContext
from tests.browser.table_phones import expect_begun, expect_scripts, phone
from tests.table_games import TINY, Party, sit_down


def party_with_free_seats(*seats: int) -> Party:
    """Create a table of four with these free seats."""
    party = sit_down(("Ana", "Ben", "Cem", "Dora"), start=False)
    for seat in seats:
        seating.free_seat(party.access(seat), seat)
    return party


def open_as_guest(live_app: str, new_context: NewContext, party: Party) -> Page:
    """Open a table's page on a device without a seat."""
    page = new_context("desktop").new_page()
    page.goto(f"{live_app}/table/{party.code}/")
    return page


def take_seat(party: Party, open_seat: int, name: str) -> None:
    seating.take_seat(find_access(party.code), open_seat, name, new_token())


def test_who_sits_down_and_which_seat_becomes_free_is_announced(
    live_app: str, new_context: NewContext
) -> None:
    party = party_with_free_seats(1, 2)
    page = phone(live_app, new_context, party, 0)
    # Record every announcement, even if it disappears.
    page.evaluate(
        """() => {
          window.said = [];
          new MutationObserver((all) => {
            for (const one of all) for (const line of one.addedNodes) said.push(line.textContent);
          }).observe(document.querySelector("[role=log]"), { childList: true });
        }"""
    )

    def announced() -> str:
        return " ".join(page.evaluate("said"))

    take_seat(party, 1, "Bea")
    expect(page.locator("#seat-1")).to_contain_text("Bea")
    assert announced() == "Bea has seat 2 now."
    seating.free_seat(party.access(3), 3)
    expect(page.locator("#seat-3 [data-sit]")).to_have_count(1)
    assert announced() == "Bea has seat 2 now. Seat 4 is free now."


def test_a_typed_name_moves_to_the_next_free_seat_when_another_phone_is_faster(
    live_app: str, new_context: NewContext
) -> None:
    party = party_with_free_seats(1, 3)
    page = open_as_guest(live_app, new_context, party)
    page.locator("#seat-1 [name=name]").fill("Beppo")
    take_seat(party, 1, "Bea")
    expect(page.locator("#seat-1")).to_contain_text("Bea")
    field = page.locator("#seat-3 [name=name]")
    expect(field).to_have_value("Beppo")
    expect(field).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#seat-3")).to_contain_text("Your seat")
    expect(field).to_have_value("Beppo")


def test_a_typed_name_moves_on_without_the_focus_if_that_is_elsewhere(
    live_app: str, new_context: NewContext
) -> None:
    party = party_with_free_seats(1, 3)
    page = open_as_guest(live_app, new_context, party)
    page.locator("#seat-1 [name=name]").fill("Beppo")
    page.get_by_role("link", name="Big screen").focus()
    take_seat(party, 1, "Bea")
    expect(page.locator("#seat-3 [name=name]")).to_have_value("Beppo")
    expect(page.get_by_role("link", name="Big screen")).to_be_focused()


def test_seats_that_the_host_moves_follow_on_all_phones(
    live_app: str, new_context: NewContext
) -> None:
    party = sit_down(("Ana", "Ben", "Cem"), TINY, "rolled", start=False)
    ana, ben = (phone(live_app, new_context, party, player) for player in range(2))
    expect_scripts(ben)
    ana.get_by_role("button", name="Move seat 2 up").click()
    for page, name in ((ana, "Ana"), (ben, "Ben")):
        expect(page.locator("#seat-0")).to_contain_text("Seat 1")
        expect(page.get_by_label("Your seat")).to_have_value(name)
    expect(ben.locator("#seat-0").get_by_label("Your seat")).to_be_visible()
    # The chosen player starts, and both phones show their own sheets.
    ana.get_by_role("radio", name="Cem").check()
    ana.get_by_role("button", name="Begin the game").click()
    expect_begun(ana, ben)
    assert [seat.name for seat in party.access().all_seats] == ["Cem", "Ben", "Ana"]
    for page, name in ((ana, "Ana"), (ben, "Ben")):
        expect(page.locator("#_people [aria-current]")).to_contain_text(name)
    expect(ana.get_by_text("Cem starts this pass").first).to_be_visible()
