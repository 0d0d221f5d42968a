"""Dice² on phones: a game on two of them, a solo square, a major with three, a relay."""

from __future__ import annotations

import json
import re
from io import StringIO
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from django.core.management import call_command
from playwright.sync_api import Page, expect

from sheets.bots.dice2.random_bot import RandomDice2Bot
from sheets.tables import acts, event_loader, seating
from sheets.tables.bots import STRENGTHS
from sheets.tables.dice2.board_view import view_board
from sheets.tables.dice2.files import format_played
from sheets.tables.dice2.moves import moves_of
from tests.app_dice import let_app_throw
from tests.browser.axe import axe_violations_in_both_themes
from tests.browser.conftest import NewContext
from tests.browser.layout_checks import overflow_px, set_font_size, small_targets
from tests.browser.polling import wait_until
from tests.browser.table_phones import (
    code_of,
    expect_begun,
    expect_scripts,
    expect_up_to_date,
    field,
    phone,
)
from tests.device_secrets import secret_of_page
from tests.dice2_tables import DiceParty, sit_down_for
from tests.table_games import Party


def throw(page: Page, die: int) -> None:
    """Tap the rolled number."""
    page.locator(f"label:has(#die-{die})").click()


def expect_marked(page: Page, at: str, is_marked: bool = True) -> None:
    """Wait until a field is, or is not, marked as one that takes the rolled number."""
    shadow = re.compile("inset" if is_marked else "^(?!.*inset)")
    expect(field(page, at)).to_have_css("box-shadow", shadow)


def lay(page: Page, die: int, at: str) -> None:
    """Tap the number, then the field, and wait for the die there."""
    throw(page, die)
    field(page, at).click()
    expect(page.locator(f"[data-die={at}]")).to_have_count(1)


def replayed(party: DiceParty) -> dict[str, Any]:
    """Return the result of the command `replay` for the table's document."""
    document = format_played(party.access())
    command = "relay" if document["format"] == "dice2-relay/1" else "dice2"
    with TemporaryDirectory() as folder:
        file = Path(folder) / "played.json"
        file.write_text(json.dumps(document), "utf-8")
        out = StringIO()
        call_command(command, str(file), stdout=out)
    result: dict[str, Any] = json.loads(out.getvalue())
    assert result["ok"]
    return result


def test_two_phones_play_to_four_in_a_line(live_app: str, new_context: NewContext) -> None:
    ana, ben = (new_context("phone").new_page() for _ in range(2))
    ana.goto(f"{live_app}/dice2/")
    ana.get_by_role("radio", name="4 Dice Wins").check(force=True)
    ana.get_by_label("Your name").fill("Ana")
    ana.get_by_role("button", name="Start a table").click()
    code = ana.locator(".code").inner_text()
    ben.goto(f"{live_app}/table/{code}/")
    ben.get_by_label("Free seat: your name").fill("Ben")
    ben.get_by_role("button", name="Sit here").click()
    expect(ana.locator("#_lobby")).to_contain_text("Ben")
    ana.get_by_role("button", name="Begin the game").click()
    expect(ben.locator("#_task")).to_contain_text("It is Ana’s turn")
    expect_begun(ana, ben)
    tokens = tuple(secret_of_page(page) for page in (ana, ben))
    party = DiceParty(code_of(ana), tokens)

    lay(ana, 3, "e5")
    expect(ben.locator("[data-die=e5]")).to_have_count(1)
    expect(ben.locator("#_task")).to_contain_text("Your turn")

    # A refusal names the rule and marks the die in the way; nothing has changed.
    throw(ben, 2)
    field(ben, "f5").click()
    expect(ben.locator("#refusal")).to_contain_text("the 3 on e5")
    expect(ben.locator("[data-die=e5]")).to_have_class("die in-the-way")
    link = ben.locator("#refusal").get_by_role("link", name="Why?")
    assert (link.get_attribute("href") or "").endswith("#row-order")

    # Fields that take the number are marked once it is chosen.
    expect_marked(ben, "e4")
    expect_marked(ben, "f5", False)

    # Ask why a field is closed before trying it.
    ben.locator("label:has(#die-why)").click()
    field(ben, "f5").click()
    expect(ben.locator("#_task")).to_contain_text("f5 takes 3 to 6")

    lay(ben, 4, "e6")
    ana.locator("#_acts").wait_for()
    # Ben undoes it and places another die.
    ben.get_by_role("button", name="Undo").click()
    expect(ana.locator("[data-die=e6]")).to_have_count(0)
    lay(ben, 5, "e6")
    for at, other in (("f5", "f6"), ("d5", "d6")):
        expect(ana.locator("#_task")).to_contain_text("Your turn")
        lay(ana, 3, at)
        expect(ben.locator("#_task")).to_contain_text("Your turn")
        lay(ben, 5, other)
    expect(ana.locator("#_task")).to_contain_text("Your turn")
    lay(ana, 3, "g5")
    for page in (ana, ben):
        expect(page.locator("#_verdict")).to_contain_text("Ana wins with four in a line.")
    assert replayed(party)["winners"] == [0]
    # Another game: Ana starts it at once, and the big screen follows.
    television = new_context("desktop").new_page()
    television.goto(f"{live_app}/table/{party.code}/screen/")
    expect_scripts(television)
    ana.locator(".who-starts").get_by_label("Ana").check(force=True)
    ana.get_by_role("button", name="Play again").click()
    ana.wait_for_url(lambda url: party.code not in url)
    expect(ana.locator("#_task")).to_contain_text("Your turn")
    television.wait_for_url(f"{live_app}/table/{code_of(ana)}/screen/")
    expect(television.locator(".screen-turn")).to_contain_text("It is Ana’s turn")
    ben.get_by_role("link", name="To the next game").click()
    lay(ana, 3, "e5")
    expect(ben.locator("[data-die=e5]")).to_have_count(1)


STEP_MS = 900
"""Time between two moves that happened at the same time (`dice2/move_playback.js`)."""

RECORD_MESSAGES = """() => {
  window.told = [];
  const task = document.querySelector("#_task .task");
  new MutationObserver(() => told.push("asked")).observe(task, { childList: true });
  new MutationObserver((changes) => {
    for (const { target } of changes) {
      const { dataset: { die }, classList } = target;
      if (die && classList.contains("to-come")) told.push(`hidden ${die}`);
      else if (die && told.includes(`hidden ${die}`)) told.push(`shown ${die}`);
    }
  }).observe(document.body, { attributes: true, attributeFilter: ["class"], subtree: true });
}"""
"""Script that records each change of the task and of the messages in `window.told`."""


def open_fast_phone(live_app: str, new_context: NewContext, party: Party, *device: str) -> Page:
    """Open the page of the first player with a shorter time between moves."""
    page = phone(live_app, new_context, party, 0, *device)
    page.add_init_script(
        f"""(() => {{
          const soon = setTimeout;
          window.setTimeout = (go, ms, ...more) =>
            soon(go, ms >= {STEP_MS} ? ms / {STEP_MS} * 400 : ms, ...more);
        }})();"""
    )
    page.reload()
    expect_scripts(page)
    return page


def test_moves_of_bots_are_shown_one_by_one_and_a_repeated_number_is_announced(
    live_app: str, new_context: NewContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    let_app_throw(monkeypatch, lambda: 3)
    party = sit_down_for("major", ("Ana", "", ""), dice="rolled", start=False)
    for seat in (1, 2):
        seating.seat_bot(party.access(), seat, "greedy")
    acts.start(party.access())
    page = open_fast_phone(live_app, new_context, party)
    asked = page.locator("#_task .task").inner_text()
    page.evaluate(RECORD_MESSAGES)
    field(page, "e5").click()
    expect(page.locator("[data-die]")).to_have_count(3)
    expect(page.locator(".to-come")).to_have_count(0)
    bots = [move.action.at for move in moves_of(party.loaded)[1:]]
    told = page.evaluate("told")
    shown = [word.split()[1] for word in told if word.startswith("shown")]
    assert list(dict.fromkeys(shown)) == bots
    # The same words for another die are inserted again, so screen readers announce them.
    assert page.locator("#_task .task").inner_text() == asked
    assert "asked" in told
    for number, at in zip((2, 3), bots, strict=True):
        expect(page.locator("#happened")).to_contain_text(f"Bot {number}: 3 on {at}")
    expect(page.locator(".last-ring")).to_have_count(3)


WATCH_MOVES = """() => {
  window.seen = { told: new Set(), unseen: [], early: new Set() };
  const look = () => {
    const box = document.querySelector("#happened").getBoundingClientRect();
    const lines = [...document.querySelectorAll("#happened [data-move]:not(.to-come)")];
    const newest = lines.at(-1)?.getBoundingClientRect();
    if (newest && (newest.top < box.top - 1 || newest.bottom > box.bottom + 1)) {
      seen.unseen.push(lines.at(-1).textContent);
    }
    if (document.body.classList.contains("is-telling")) {
      seen.told.add(lines.length);
      for (const name of ["#_verdict", ".next-game"]) {
        const part = document.querySelector(name);
        const isShown = { opacityProperty: true, visibilityProperty: true };
        if (part?.textContent.trim() && part.checkVisibility(isShown)) seen.early.add(name);
      }
      const colours = [...document.querySelectorAll(".dice2-person")].map(
        (person) => getComputedStyle(person).backgroundColor
      );
      if (new Set(colours).size > 1) seen.early.add("winner");
    }
    requestAnimationFrame(look);
  };
  look();
}"""
"""Script that records in every frame which messages are hidden or too early."""


@pytest.mark.slow
def test_newest_of_many_moves_is_visible_and_the_result_follows_them(
    live_app: str, new_context: NewContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    dice, chance = Random(29), Random(29)
    # Independent of the bots' strategy, many moves follow the last tap.
    bots = dict.fromkeys(STRENGTHS, RandomDice2Bot)
    monkeypatch.setattr("sheets.tables.bots.DICE2_STRENGTHS", bots)
    let_app_throw(monkeypatch, lambda: dice.randint(1, 6))
    monkeypatch.setattr("sheets.tables.bots._new_random", lambda: chance)
    party = sit_down_for("last-man", ("Maximiliane", ""), dice="rolled", start=False)
    seating.seat_bot(party.access(), 1, "player")
    acts.start(party.access())

    def next_field() -> str:
        sitting = party.game
        assert sitting.game
        return sitting.game.legal()[sitting.thrown][0]

    for _move in range(6):
        party.act("place", 0, next_field())
    page = open_fast_phone(live_app, new_context, party, "phone", "de")
    page.evaluate(WATCH_MOVES)
    field(page, next_field()).click()
    expect(page.locator(".next-game button")).to_be_visible()
    assert party.game.is_finished
    happened = len(view_board(party.access()).recent_moves)
    assert happened > 5
    seen = page.evaluate("({ told: [...seen.told], unseen: seen.unseen, early: [...seen.early] })")
    assert seen == {"told": list(range(happened)), "unseen": [], "early": []}
    winner = page.locator(".dice2-person.winner")
    expect(winner).not_to_have_css(
        "background-color",
        page.locator(".dice2-person:not(.winner)").evaluate(
            "e => getComputedStyle(e).backgroundColor"
        ),
    )


def test_solo_square_on_one_phone(live_app: str, new_context: NewContext) -> None:
    party = sit_down_for("square")
    page = phone(live_app, new_context, party, 0)
    for at, die in (("e5", 3), ("f5", 3), ("d5", 3)):
        lay(page, die, at)
    expect(page.locator("#_lines")).to_contain_text("missing g5")
    lay(page, 3, "g5")
    expect(page.locator("#_players")).to_contain_text("1 point")
    expect(page.locator("#_lines")).to_contain_text("d5–g5: four alike")
    line = page.locator("#_lines .item-light").first
    line.click()
    expect(page.locator("[data-field=d5]")).to_contain_class("lit")
    # Play to the end; a skip is offered where a number fits nowhere.
    for _turn in range(40):
        game = party.game.game
        assert game
        if game.is_finished:
            break
        legal = game.legal()
        die = next((die for die in (3, 4, 2, 5, 1, 6) if legal[die]), 6)
        before = party.loaded.state.length
        throw(page, die)
        if legal[die]:
            field(page, legal[die][0]).click()
        else:
            page.get_by_role("button", name=f"The {die} fits nowhere: skip").click()
        wait_until(page, lambda before=before: party.loaded.state.length > before)  # type: ignore[misc]
        expect_up_to_date(page, party)
    points = replayed(party)["points"][0]
    expect(page.locator("#_players")).to_contain_text(f"{points} point")
    # The device stores its best result, and the next game begins at once.
    best = page.locator("[data-square]")
    expect(best).to_have_text("That is the best on this device.")
    page.evaluate("localStorage.setItem('dizzle.square', '[[\"another\", 19]]')")
    page.reload()
    expect(best).to_have_text("The best on this device: 19")
    # A game without points is no best result.
    page.evaluate("localStorage.removeItem('dizzle.square')")
    page.evaluate("document.querySelector('[data-square]').dataset.square = 0")
    page.evaluate("document.dispatchEvent(new Event('scored'))")
    expect(best).to_be_hidden()
    page.get_by_role("button", name="Play again").click()
    expect(page.locator("#_task")).to_contain_text("Your turn: roll a die")
    expect(page.locator("[data-die]")).to_have_count(0)


@pytest.mark.slow
def test_three_phones_play_major_with_the_apps_dice(live_app: str, new_context: NewContext) -> None:
    party = sit_down_for("major", ("Ana", "Ben", "Cem"), dice="rolled")
    pages = [phone(live_app, new_context, party, player) for player in range(3)]
    for _turn in range(9):
        sitting = party.game
        assert sitting.game
        player, fields = sitting.player or 0, sitting.game.legal()[sitting.thrown]
        page = pages[player]
        expect(page.locator("#_task")).to_contain_text(f"{sitting.thrown}")
        expect_up_to_date(page, party)
        before = party.loaded.state.length
        if fields:
            field(page, fields[0]).click()
            expect(page.locator(f"[data-die={fields[0]}]")).to_have_count(1)
        else:
            page.get_by_role("button", name="fits nowhere: skip").click()
        wait_until(page, lambda before=before: party.loaded.state.length > before)  # type: ignore[misc]
    party.play_on()
    result = replayed(party)
    for page in pages:
        for player, points in enumerate(result["points"]):
            person = page.locator("#_players li").nth(player)
            expect(person).to_contain_text(f"{points} marker")


def test_relay_goes_from_game_to_game(live_app: str, new_context: NewContext) -> None:
    party = sit_down_for("relay", target=5, has_handicap=True)
    ana, ben = (phone(live_app, new_context, party, player) for player in range(2))
    ana.get_by_label("Ben").check(force=True)
    ana.get_by_role("button", name="Last Man Dice").click()
    expect(ben.locator("#_task")).to_contain_text("Your turn")
    party.play_on(games=1)
    for page in (ana, ben):
        expect(page.locator("#_relay tbody tr")).to_have_count(1)
    ana.reload()
    expect(ana.locator("#_relay tbody tr")).to_have_count(1)
    ana.get_by_role("button", name="4 Dice Wins").click()
    wait_until(page, lambda: party.game.phase == "turn")
    for page in (ana, ben):
        expect(page.locator(".sheet-grid .sheet-row")).to_have_count(9)
    for _game in range(9):
        party.play_on(games=1)
        relay = party.game.relay
        assert relay
        if relay.winners:
            break
        party.act("begin", relay.next_starter or 0, by=0, shape="last-man")
    result = replayed(party)
    for page in (ana, ben):
        expect(page.locator("#_verdict")).to_contain_text("wins the relay")
        totals = page.locator("#_relay tfoot td")
        expect(totals).to_have_text([str(points) for points in result["points"]])


def test_question_mode_can_be_left(live_app: str, new_context: NewContext) -> None:
    party = sit_down_for("four-wins", dice="rolled")
    page = phone(live_app, new_context, party, 0)
    key = page.locator("label:has(#die-why)")
    key.click()
    field(page, "a1").click()
    expect(page.locator("#_task")).to_contain_text("The first die goes on the dark field")
    assert party.game.game.board.is_empty  # type: ignore[union-attr]
    key.click()
    expect(page.locator("#die-why")).not_to_be_checked()
    field(page, "e5").click()
    expect(page.locator("[data-die=e5]")).to_have_count(1)


def test_without_script_everything_can_be_played(live_app: str, new_context: NewContext) -> None:
    party = sit_down_for("square")
    context = new_context("phone", java_script_enabled=False)
    context.add_cookies([{"name": "dizzle_seat", "value": party.tokens[0], "url": live_app}])
    page = context.new_page()
    page.goto(f"{live_app}/table/{party.code}/")
    for die, at in ((3, "e5"), (4, "f5")):
        throw(page, die)
        field(page, at).click()
        expect(page.locator(f"[data-die={at}]")).to_have_count(1)
    throw(page, 2)
    field(page, "g5").click()
    expect(page.get_by_role("alert")).to_contain_text("the 4 on f5")
    page.goto(f"{live_app}/dice2/score/")
    field(page, "e5").click()
    expect(page.locator("[data-die=e5]")).to_have_count(1)


def test_keyboard_enters_the_board_at_the_last_die(live_app: str, new_context: NewContext) -> None:
    party = sit_down_for("four-wins")
    page = phone(live_app, new_context, party, 0, "desktop")
    stop = page.locator(".sheet-grid button[tabindex='0']")
    expect(stop).to_have_count(1)
    expect(stop).to_have_attribute("data-at", "e5")
    page.keyboard.press("ArrowDown")
    expect(field(page, "e5")).to_be_focused()
    page.keyboard.press("3")
    page.keyboard.press("Enter")
    expect(page.locator("[data-die=e5]")).to_have_count(1)
    expect(field(page, "e5")).to_have_accessible_name("e5, 3 of Ana, the last die")
    expect(stop).to_have_count(1)
    # The die of another player does not move the focus on the board.
    page.keyboard.press("ArrowUp")
    party.act("place", 1, "f5", die=4)
    expect(page.locator("[data-die=f5]")).to_have_count(1)
    expect(field(page, "e4")).to_be_focused()
    expect(stop).to_have_attribute("data-at", "e4")
    # After leaving the board, the focus returns to the last die.
    page.keyboard.press("Escape")
    party.act("place", 0, "g5", die=5)
    expect(page.locator("[data-die=g5]")).to_have_count(1)
    expect(stop).to_have_attribute("data-at", "g5")
    page.keyboard.press("ArrowLeft")
    expect(field(page, "g5")).to_be_focused()
    # Within the numbers the arrow keys move between the numbers.
    page.locator("#die-why").focus()
    page.keyboard.press("ArrowLeft")
    expect(field(page, "g5")).not_to_be_focused()
    page.goto(f"{live_app}/dice2/score/")
    expect(stop).to_have_attribute("data-at", "e5")


def test_lost_answer_does_not_place_twice(
    live_app: str, new_context: NewContext, page_errors: list[str]
) -> None:
    party = sit_down_for("square")
    page = phone(live_app, new_context, party, 0)
    lost: list[str] = []

    def lose_the_first(route: Any) -> None:
        if lost:
            route.continue_()
            return
        lost.append(route.request.url)
        route.fetch()
        route.abort()

    page.route("**/act/", lose_the_first)
    throw(page, 3)
    field(page, "e5").click()
    expect(page.locator("[data-die=e5]")).to_have_count(1)
    assert len(event_loader.actions_of(party.access())) == 1
    wait_until(page, lambda: page_errors)
    page_errors.clear()  # Chromium logs the lost answer as an error, as intended


@pytest.mark.slow
def test_pages_are_accessible_and_fit(live_app: str, new_context: NewContext) -> None:
    party = sit_down_for("major", ("Ana", "Ben", "Cem"))
    for at, die in (("e5", 3), ("f5", 3), ("d5", 3), ("g5", 3), ("c5", 3)):
        party.act("place", party.game.player or 0, at, die=die)
    relay = sit_down_for("relay", ("Ana", "Ben", "Cem"), target=5)
    relay.act("begin", 0, shape="last-man")
    relay.play_on(games=1)
    begun = sit_down_for("relay", ("Ana", "Ben", "Cem"), target=5)
    begun.act("begin", 0, shape="major")
    addresses = ["/dice2/", "/dice2/score/?game=major&players=3&die=3&at=e5"]
    addresses += [f"/table/{party.code}/{page}" for page in ("", "screen/", "history/?at=4")]
    addresses += [f"/table/{relay.code}/"]
    context = new_context("phone", "de")
    token = party.tokens[party.game.player or 0]
    context.add_cookies([{"name": "dizzle_seat", "value": token, "url": live_app}])
    page = context.new_page()
    faults: dict[str, object] = {}
    for address in addresses:
        page.set_viewport_size({"width": 390, "height": 844})
        page.goto(live_app + address)
        found = (axe_violations_in_both_themes(page), small_targets(page))
        wide = [overflow_px(page)]
        page.set_viewport_size({"width": 1280, "height": 800})
        wide.append(overflow_px(page))
        if any(found) or max(wide) > 0:
            faults[address] = (*found, wide)
    # A double font size does not widen the page.
    page.set_viewport_size({"width": 390, "height": 844})
    token = begun.tokens[0]
    context.add_cookies([{"name": "dizzle_seat", "value": token, "url": live_app}])
    for address in (f"/table/{begun.code}/", *addresses[:2]):
        page.goto(live_app + address)
        set_font_size(page, "200%")
        if overflow_px(page) > 0:
            faults[f"{address} in large letters"] = overflow_px(page)
    assert faults == {}


def test_score_page_takes_taps_without_loading(live_app: str, new_context: NewContext) -> None:
    page = new_context("phone").new_page()
    page.goto(f"{live_app}/dice2/score/")
    for at in ("d5", "e5", "f5", "g5"):
        throw(page, 4)
        field(page, at).click()
        expect(page.locator(f"[data-die={at}]")).to_have_count(1)
    expect(page.locator("#score-points")).to_contain_text("d5–g5: four alike")
    throw(page, 2)
    field(page, "h5").click()
    expect(page.locator("#score-points")).to_contain_text("This cannot be right")
    expect(page.locator(".doubts .item-light").first).to_have_css("border-style", "solid")
    page.reload()
    expect(page.locator("[data-die]")).to_have_count(5)
    lay(page, 6, "e6")
    page.get_by_role("link", name="3 players").click()
    expect(page.locator("[data-die]")).to_have_count(6)


def test_tables_of_both_families_stand_side_by_side(live_app: str, new_context: NewContext) -> None:
    party: Party = sit_down_for("four-wins")
    page = phone(live_app, new_context, party, 0)
    page.goto(live_app)
    expect(page.get_by_role("main")).to_contain_text("4 Dice Wins")
