"""Two phones at a table with hints: one asks what the expert would do, and the other sees that."""

from __future__ import annotations

from itertools import cycle

import pytest
from playwright.sync_api import Page, expect

from sheets.tables import play, playing, seating
from sheets.tables.advice import count_asked
from tests.browser.axe import barriers
from tests.browser.table_phones import (
    NewContext,
    expect_begun,
    expect_fresh,
    field,
    mark,
    phone,
    press,
)
from tests.browser.waiting import wait_until
from tests.table_games import TINY, Party, sit_down

BUTTON = "What would the expert do?"


@pytest.fixture(autouse=True)
def every_number(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let each number lie in the pool: whoever is asked can place."""
    numbers = cycle(range(1, 7))
    monkeypatch.setattr(playing, "_throw", lambda: next(numbers))


def party_with_hints() -> Party:
    party = sit_down(("Ana", "Ben"), TINY, "rolled", start=False)
    seating.allow_advice(party.access(), True)
    return party


def expect_no_barriers(*pages: Page) -> None:
    for page in pages:
        assert not barriers(page)


def test_one_asks_and_the_other_sees_that(live_app: str, new_context: NewContext) -> None:
    party = party_with_hints()
    ana, ben = (phone(live_app, new_context, party, player, "phone") for player in (0, 1))
    expect(ben.locator("#_lobby")).to_contain_text("Hints are allowed")
    expect_no_barriers(ana, ben)
    play.start(party.access())
    expect_begun(ana, ben)
    party.act("roll", by=0)
    for page in (ana, ben):
        expect(page.locator("#_head")).to_contain_text("Hints on")
    expect(ben.get_by_role("button", name=BUTTON)).to_be_disabled()

    ana.get_by_role("button", name=BUTTON).dblclick()
    advice = ana.locator(".advice p")
    expect(advice).to_contain_text("The expert would put the")
    (answer,) = party.loaded.state.asked[-1].answer
    assert count_asked(party.loaded.state, 0) == 1
    expect(field(ana, answer.at)).to_have_accessible_name(
        f"{field(ana, answer.at).get_attribute('data-label')}, takes your tap, the expert’s choice"
    )
    expect(mark(ana, answer.at)).to_have_count(0)  # it is not played
    heard = ana.get_by_role("log")
    expect(heard).to_contain_text("The expert would put the")
    expect(ben.locator("#_people")).to_contain_text("1 hint")
    expect_fresh(ben, party)
    expect(ben.locator("[data-hint$=advised]")).to_have_count(0)
    expect(ben.locator("#_bar")).not_to_contain_text("The expert would")
    expect_no_barriers(ana, ben)

    shown = advice.inner_text()
    ana.reload()
    expect(advice).to_have_text(shown)
    field(ana, answer.at).click()
    expect(mark(ana, answer.at)).to_have_count(1)
    expect(advice).to_have_count(0)
    expect(ben.get_by_role("button", name=BUTTON)).to_be_enabled()
    press(ana, "Undo")
    expect(advice).to_have_text(shown)
    assert count_asked(party.loaded.state, 0) == 1


def test_without_a_network_the_question_waits_as_acts_do(
    live_app: str, new_context: NewContext
) -> None:
    party = party_with_hints()
    play.start(party.access())
    party.act("roll", by=0)
    ana = phone(live_app, new_context, party, 0, "phone")
    expect_begun(ana)
    ana.context.set_offline(True)
    ana.get_by_role("button", name=BUTTON).click()
    expect(ana.locator("#connection")).to_contain_text(f"Waits to be sent: {BUTTON}")
    assert not party.loaded.state.asked
    ana.context.set_offline(False)
    expect(ana.locator(".advice p")).to_contain_text("The expert would put the")
    wait_until(ana, lambda: count_asked(party.loaded.state, 0) == 1)
