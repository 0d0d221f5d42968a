"""Two phones at a table with hints: one asks what the hard bot would do, the other sees that."""

from __future__ import annotations

from itertools import cycle
from typing import Any

import pytest
from playwright.sync_api import expect

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
from tests.table_games import RAILS, TINY, Party, sit_down

BUTTON = "What would the hard bot do?"


@pytest.fixture(autouse=True)
def every_number(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let each number lie in the pool: whoever is asked can place."""
    numbers = cycle(range(1, 7))
    monkeypatch.setattr(playing, "_throw", lambda: next(numbers))


def party_with_hints(
    level: dict[str, Any] = TINY, players: tuple[str, ...] = ("Ana", "Ben")
) -> Party:
    party = sit_down(players, level, "rolled", start=False)
    seating.allow_advice(party.access(), True)
    return party


def test_one_asks_and_the_other_sees_that(live_app: str, new_context: NewContext) -> None:
    party = party_with_hints()
    ana, ben = (phone(live_app, new_context, party, player, "phone") for player in (0, 1))
    expect(ben.locator("#_lobby")).to_contain_text("Hints are allowed")
    play.start(party.access())
    expect_begun(ana, ben)
    party.act("roll", by=0)
    for page in (ana, ben):
        expect(page.locator("#_head")).to_contain_text("Hints on")
    expect(ben.get_by_role("button", name=BUTTON)).to_be_disabled()

    ana.get_by_role("button", name=BUTTON).dblclick()
    advice = ana.locator(".advice p")
    expect(advice).to_contain_text("The hard bot would put the")
    (answer,) = party.loaded.state.asked[-1].answer
    assert count_asked(party.loaded.state, 0) == 1
    label = field(ana, answer.at).get_attribute("data-label")
    expect(field(ana, answer.at)).to_have_accessible_name(
        f"{label}, a die fits here, hint of the hard bot"
    )
    expect(mark(ana, answer.at)).to_have_count(0)  # it is not played
    heard = ana.get_by_role("log")
    expect(heard).to_contain_text("The hard bot would put the")
    expect(ben.locator("#_people")).to_contain_text("1 hint")
    expect_fresh(ben, party)
    expect(ben.locator("[data-hint$=advised]")).to_have_count(0)
    expect(ben.locator("#_bar")).not_to_contain_text("The hard bot would")
    assert not barriers(ana)

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


def test_track_can_be_drawn_below_what_the_expert_says(
    live_app: str, new_context: NewContext
) -> None:
    """One question is answered for all pieces, the undo of a pass's end beside it."""
    party = party_with_hints(RAILS)
    play.start(party.access())
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
    page.get_by_role("button", name=BUTTON).click()
    for left in (owed - 1, owed - 2):
        expect(page.locator(".advice p")).to_contain_text("The hard bot would draw on")
        if left == owed - 1:
            assert not barriers(page)
        said, drawn = (page.locator(part).bounding_box() for part in (".advice", ".shapes"))
        assert said
        assert drawn
        assert said["y"] >= drawn["y"] + drawn["height"]
        page.locator(".piece.advised").click()
        wait_until(page, lambda left=left: party.game.owed[last].bit_count() == left)
    assert count_asked(party.loaded.state, last) == 1


def test_giving_up_has_room_for_its_words_where_one_can_ask(
    live_app: str, new_context: NewContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where nothing fits, asking, taking back, giving up and rolling share a phone's width."""
    monkeypatch.setattr(playing, "_throw", lambda: 5)
    party = party_with_hints(players=("Ana",))
    play.start(party.access())
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
    expect(ana.locator(".advice p")).to_contain_text("The hard bot would put the")
    wait_until(ana, lambda: count_asked(party.loaded.state, 0) == 1)
