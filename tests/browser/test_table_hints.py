"""Two phones at a table with hints: one asks for the hard bot's move, and the other sees that."""

from __future__ import annotations

from itertools import cycle
from typing import Any

import pytest
from playwright.sync_api import expect

from sheets.tables import acts, seating
from sheets.tables.hints import count_hints
from tests.app_dice import let_app_throw
from tests.browser.axe import axe_violations
from tests.browser.conftest import NewContext
from tests.browser.polling import wait_until
from tests.browser.table_phones import expect_begun, expect_up_to_date, field, mark, phone, press
from tests.table_games import RAILS, TINY, Party, sit_down

HINT_BUTTON = "What would the hard bot do?"
"""Label of the button."""


@pytest.fixture(autouse=True)
def pool_with_all_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put every number into the pool, so that each player can place."""
    numbers = cycle(range(1, 7))
    let_app_throw(monkeypatch, lambda: next(numbers))


def party_with_hints(
    level: dict[str, Any] = TINY, players: tuple[str, ...] = ("Ana", "Ben")
) -> Party:
    party = sit_down(players, level, "rolled", start=False)
    seating.allow_hints(party.access(), True)
    return party


def test_one_player_asks_for_a_hint_and_the_other_sees_that(
    live_app: str, new_context: NewContext
) -> None:
    party = party_with_hints()
    ana, ben = (phone(live_app, new_context, party, player, "phone") for player in (0, 1))
    expect(ben.locator("#_lobby")).to_contain_text("Hints are allowed")
    acts.start(party.access())
    expect_begun(ana, ben)
    party.act("roll", by=0)
    for page in (ana, ben):
        expect(page.locator("#_head")).to_contain_text("Hints on")
    expect(ben.get_by_role("button", name=HINT_BUTTON)).to_be_disabled()

    ana.get_by_role("button", name=HINT_BUTTON).dblclick()
    hint = ana.locator(".advice p")
    expect(hint).to_contain_text("The hard bot would put the")
    (answer,) = party.loaded.state.hint_requests[-1].answer
    assert count_hints(party.loaded.state, 0) == 1
    label = field(ana, answer.at).get_attribute("data-label")
    expect(field(ana, answer.at)).to_have_accessible_name(
        f"{label}, a die fits here, hint of the hard bot"
    )
    expect(mark(ana, answer.at)).to_have_count(0)  # it is not played
    heard = ana.get_by_role("log")
    expect(heard).to_contain_text("The hard bot would put the")
    expect(ben.locator("#_people")).to_contain_text("1 hint")
    expect_up_to_date(ben, party)
    expect(ben.locator("[data-hint$=advised]")).to_have_count(0)
    expect(ben.locator("#_bar")).not_to_contain_text("The hard bot would")
    assert not axe_violations(ana)

    shown = hint.inner_text()
    ana.reload()
    expect(hint).to_have_text(shown)
    field(ana, answer.at).click()
    expect(mark(ana, answer.at)).to_have_count(1)
    expect(hint).to_have_count(0)
    expect(ben.get_by_role("button", name=HINT_BUTTON)).to_be_enabled()
    press(ana, "Undo")
    expect(hint).to_have_text(shown)
    assert count_hints(party.loaded.state, 0) == 1


def test_track_can_be_drawn_below_the_hint(live_app: str, new_context: NewContext) -> None:
    """One answer covers all pieces; the undo of a pass end is next to it."""
    party = party_with_hints(RAILS)
    acts.start(party.access())
    party.act("roll", by=0)
    while party.game.phase == "turn":
        fitting = [(die, fields[0]) for die, fields in party.game.legal().items() if fields]
        die, at = next(iter(fitting), (0, ""))
        party.act("place" if die else "drop", party.game.player, at, die=die)
    last = party.loaded.entries[-1]["player"]
    owed = party.game.owed[last].bit_count()
    assert owed > 1
    page = phone(live_app, new_context, party, last, "phone")
    expect_begun(page)
    expect(page.locator("[data-key=undo]")).to_be_visible()
    page.get_by_role("button", name=HINT_BUTTON).click()
    for left in (owed - 1, owed - 2):
        expect(page.locator(".advice p")).to_contain_text("The hard bot would draw on")
        if left == owed - 1:
            assert not axe_violations(page)
        said, drawn = (page.locator(part).bounding_box() for part in (".advice", ".shapes"))
        assert said
        assert drawn
        assert said["y"] >= drawn["y"] + drawn["height"]
        page.locator(".piece.advised").click()
        wait_until(page, lambda left=left: party.game.owed[last].bit_count() == left)
    assert count_hints(party.loaded.state, last) == 1


def test_give_up_button_fits_next_to_the_hint_button(
    live_app: str, new_context: NewContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where nothing fits, four buttons share the width of a phone: ask, undo, give up, roll."""
    let_app_throw(monkeypatch, lambda: 5)
    party = party_with_hints(players=("Ana",))
    acts.start(party.access())
    party.act("roll", by=0)
    while party.game.may() != ["reroll", "drop"]:
        party.act("place", 0, party.game.legal()[5][0], die=5)
    page = phone(live_app, new_context, party, 0, "phone", "de")
    expect_begun(page)
    gives_up, rolls = (
        page.locator(f"#_bar [value={act}]").bounding_box() for act in ("drop", "reroll")
    )
    assert gives_up
    assert rolls
    assert gives_up["height"] <= rolls["height"], (gives_up, rolls)


def test_without_a_network_the_hint_request_is_queued(
    live_app: str, new_context: NewContext
) -> None:
    party = party_with_hints()
    acts.start(party.access())
    party.act("roll", by=0)
    ana = phone(live_app, new_context, party, 0, "phone")
    expect_begun(ana)
    ana.context.set_offline(True)
    ana.get_by_role("button", name=HINT_BUTTON).click()
    expect(ana.locator("#connection")).to_contain_text(f"Waiting to be sent: {HINT_BUTTON}")
    assert not party.loaded.state.hint_requests
    ana.context.set_offline(False)
    expect(ana.locator(".advice p")).to_contain_text("The hard bot would put the")
    wait_until(ana, lambda: count_hints(party.loaded.state, 0) == 1)
