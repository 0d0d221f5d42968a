"""Page of a Dice² table: visibility, touch targets, and positions that stay."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from sheets.http import phone_address
from sheets.models import Entry, Table
from sheets.tables import acts, countdowns, seating
from tests.browser.axe import axe_violations
from tests.browser.conftest import NewContext
from tests.browser.polling import end_countdown, wait_until
from tests.browser.table_phones import expect_scripts, expect_up_to_date, field, phone
from tests.browser.test_dice2_table import expect_marked, lay, throw
from tests.browser.touch import touch, touch_at
from tests.dice2_tables import DiceParty, sit_down_for

NO_FIVE = "3e5 4f5 2e4 2d4 2c4 1e3 4f6 2f3 1c3 4e6 1d3"
"""Square Dice in which a 5 fits nowhere."""

LAST_SIXES = "6e5 6d5 6e4 6d4 6e3 6d3 6e2 6d2"
"""Last Man Dice in which only a 1 or a 6 fits anywhere."""


PRESS_TIMEOUT_MS = 3000
"""Maximum time for a press; a refusal that covers the button disappears only later."""


def placed(party: DiceParty, moves: str) -> DiceParty:
    """Make moves such as ``3e5``, each by the player to move; return the table."""
    for move in moves.split():
        party.act("place", party.game.player or 0, move[1:], die=int(move[0]))
    return party


def shared_device(game: str, *names: str, dice: str = "typed") -> DiceParty:
    """Create a table whose seats are all held by one device."""
    party = sit_down_for(game, (names[0], *[""] * (len(names) - 1)), dice=dice, start=False)
    for number, name in enumerate(names[1:], start=1):
        seating.take_seat(party.access(), number, name, party.tokens[0])
    acts.start(party.access())
    return party


def page_overflow_px(page: Page) -> int:
    """Return by how many pixels the page is wider than its window."""
    width: int = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    return width


def press_skip(page: Page, how: str, name: str) -> None:
    """Press the skip button at its position: nothing may cover it."""
    button = page.get_by_role("button", name=name)
    expect(button).to_be_in_viewport(ratio=1)
    if how == "phone":
        touch(button, PRESS_TIMEOUT_MS)
    else:
        button.click(timeout=PRESS_TIMEOUT_MS)


def test_skip_that_ends_square_dice_says_so(live_app: str, new_context: NewContext) -> None:
    party = placed(sit_down_for("square"), NO_FIVE)
    page = phone(live_app, new_context, party, 0)
    expect(page.get_by_role("button", name="fits nowhere")).to_have_count(0)
    throw(page, 5)
    assert page_overflow_px(page) <= 0
    assert box(page, ".skip-die:visible")["y"] >= box(page, ".said")["y"]
    press_skip(page, "phone", "The 5 fits nowhere: end the game")
    said = page.locator("#_verdict")
    expect(said).to_contain_text("2 points. The last die fits nowhere: that ends the game.")
    assert party.game.phase == "finished"


def test_skip_passes_the_turn_to_the_next_player(live_app: str, new_context: NewContext) -> None:
    party = placed(sit_down_for("last-man"), LAST_SIXES)
    dead = next(die for die, fields in party.game.game.legal().items() if not fields)  # type: ignore[union-attr]
    page = phone(live_app, new_context, party, 0, "desktop")
    throw(page, dead)
    # A refusal does not cover the skip button.
    field(page, "e6").click()
    expect(page.locator("#refusal")).to_be_visible()
    press_skip(page, "desktop", f"The {dead} fits nowhere: skip")
    expect(page.locator("#_task")).to_contain_text("Ben’s turn")


@pytest.mark.parametrize("dice", ["typed", "rolled"])
def test_switched_off_hints_stay_off(live_app: str, new_context: NewContext, dice: str) -> None:
    party = sit_down_for("four-wins", dice=dice)
    page = phone(live_app, new_context, party, 0)
    if dice == "typed":
        throw(page, 3)
    expect_marked(page, "e5")
    # The dark field stays dark.
    ground = field(page, "e5").evaluate("(button) => getComputedStyle(button).backgroundColor")
    assert ground == "rgba(0, 0, 0, 0)"
    page.get_by_label("Show where dice can go").uncheck()
    expect_marked(page, "e5", False)
    page.reload()
    if dice == "typed":
        throw(page, 3)
    expect(page.get_by_label("Show where dice can go")).not_to_be_checked()
    expect_marked(page, "e5", False)
    page.get_by_label("Show where dice can go").check()
    expect_marked(page, "e5")


def test_relay_shows_game_details_only_during_a_game(
    live_app: str, new_context: NewContext
) -> None:
    party = sit_down_for("relay", ("Ana", "Ben", "Cem"), target=5)
    page = phone(live_app, new_context, party, 0)
    people = page.locator("#_players")
    expect(people.locator(".fact").first).to_contain_text("0 points")
    expect(people.locator(".fact-sign").first).to_be_visible()
    for word in ("marker", "dice left"):
        expect(people).not_to_contain_text(word)
    expect(page.locator("#_lines")).to_be_empty()
    party.act("begin", 0, shape="major")
    page.reload()
    for word in ("marker", "dice left"):
        expect(people).to_contain_text(word)
    expect(page.locator("#_lines section")).to_have_count(1)


SIZES = {"phone": (390, 844), "small phone": (320, 568), "desktop": (1280, 800)}
"""Width and height of the screens."""


def test_board_keys_and_players_are_visible_together(
    live_app: str, new_context: NewContext
) -> None:
    long = "Annemarie-Charlotte von Hohenzollern"
    three = (long, "Ben", "Cem")
    tables = [sit_down_for("major", three), sit_down_for("major", three[:2])]
    tables += [sit_down_for("four-wins", three[:2]), sit_down_for("relay", three, target=5)]
    tables[-1].act("begin", 0, shape="major")
    for party in tables:
        placed(party, "3e5 3f5")
    faults: dict[tuple[object, ...], list[str]] = {}
    for device, sizes in (("phone", ("phone", "small phone")), ("desktop", ("desktop",))):
        context = new_context(device, "de")
        page = context.new_page()
        for number, party in enumerate(tables):
            token = party.tokens[party.game.player or 0]
            context.add_cookies([{"name": "dizzle_seat", "value": token, "url": live_app}])
            page.goto(f"{live_app}/table/{party.code}/")
            is_relay = number == 3
            for size in sizes[:1] if is_relay else sizes:
                faults[number, size] = board_faults(page, *SIZES[size], is_relay=is_relay)
        page.goto(f"{live_app}/dice2/score/?game=major&players=3")
        faults["score", device] = board_faults(page, *SIZES[sizes[0]])
        if device == "phone":  # a field of the whole board is nearly as large as a thumb
            page.set_viewport_size({"width": 390, "height": 844})
            page.goto(f"{live_app}/table/{tables[2].code}/")
            field_box = box(page, "[data-at=a1]")
            if min(field_box["width"], field_box["height"]) <= 40:
                faults["field"] = [f"a field is small: {field_box}"]
    assert {name: found for name, found in faults.items() if found} == {}


BOARD_POSITIONS = """() => {
  const boxOf = (name) => {
    const { x, y, width, height, bottom } = document.querySelector(name).getBoundingClientRect();
    return { x, y, width, height, bottom };
  };
  return {
    wide: document.documentElement.scrollWidth - innerWidth,
    head: document.querySelector(".table-head") && boxOf(".table-head"),
    players: document.querySelector("#_players") && boxOf("#_players"),
    board: boxOf(".board-frame"),
    keys: boxOf(".die-keys"),
  };
}"""
"""Positions of the parts of a board's page in the window."""


def board_faults(page: Page, width: int, height: int, *, is_relay: bool = False) -> list[str]:
    """Return what is not fully visible, too small or too wide in a window of this size.

    Only the players of a relay must be visible: the rest is larger than a window.
    """
    page.set_viewport_size({"width": width, "height": height})
    at = page.evaluate(BOARD_POSITIONS)
    board, keys = at["board"], at["keys"]
    is_apart = keys["y"] >= board["bottom"] or keys["x"] >= board["width"]
    is_tall_phone = width < 500 and at["players"]
    faults = {
        f"the page is too wide: {at['wide']}": at["wide"] > 0,
        f"the players take more than two lines: {at['players']}": is_tall_phone
        and at["players"]["height"] > 62,
        f"the board is not whole: {board}": not is_relay
        and (board["y"] < 0 or board["bottom"] > height),
        f"the keys are not whole: {keys}": not is_relay and keys["bottom"] > height,
        f"the keys lie over the board: {keys}": not is_relay and not is_apart,
        f"the board is small: {board}": not is_relay
        and board["width"] < min(width, 0.8 * height) - 1,
    }
    found = [name for name, is_fault in faults.items() if is_fault]
    if (width, height) == SIZES["phone"] and at["head"]:  # in landscape everything is visible, too
        page.set_viewport_size({"width": height, "height": width})
        at = page.evaluate(BOARD_POSITIONS)
        if at["head"]["y"] + at["head"]["height"] > at["players"]["y"]:
            found.append(f"the head covers the players: {at}")
        if not is_relay and max(at["board"]["bottom"], at["keys"]["bottom"]) > width:
            found.append(f"held across something is not in sight: {at}")
    return found


def box(page: Page, selector: str) -> Any:
    """Return the position of an element in the window."""
    return page.locator(selector).first.bounding_box()


def test_no_key_moves_when_a_message_appears(live_app: str, new_context: NewContext) -> None:
    party = placed(sit_down_for("four-wins"), "3e5 3f5")
    page = phone(live_app, new_context, party, 0)
    page.set_viewport_size({"width": 390, "height": 640})
    before = box(page, ".die-keys")
    throw(page, 2)
    field(page, "g5").click()
    expect(page.locator("#refusal")).to_contain_text("the 3 on f5")
    assert box(page, ".die-keys") == before
    page.locator("label:has(#die-why)").click()
    expect(page.locator(".why-hint")).to_be_visible()
    assert box(page, ".die-keys") == before
    field(page, "g5").click()
    expect(page.locator(".field-answer")).to_be_visible()
    assert box(page, ".die-keys") == before


CONTROL_POSITIONS = """() => Object.fromEntries([".board-frame", ".undo", "label:has(#die-1)",
  "label:has(#die-why)", ".table-side"].map((selector) => {
    const { x, y, width } = document.querySelector(selector)?.getBoundingClientRect() ?? {};
    return [selector, x === undefined ? null : [x, y + scrollY, width].map(Math.round)];
}).filter(([, place]) => place))"""
"""Script that returns the positions of the controls on the page."""


def place_a_three(party: DiceParty) -> None:
    """Place a 3 on the first field that takes one."""
    assert party.game.game
    placed(party, f"3{party.game.game.legal()[3][0]}")


FOUR_IN_A_LINE = "3e5 5e6 3f5 5f6 3d5 5d6 3g5"
"""Moves after which the next one can complete four in a line."""


def test_controls_stay_in_place_during_a_game(live_app: str, new_context: NewContext) -> None:
    context = new_context("phone", "de")
    page = context.new_page()
    last_man = sit_down_for("last-man")
    for _move in range(14):
        place_a_three(last_man)
    moved: dict[tuple[int, str], object] = {}
    # The next die decides who wins, and the one after that ends the game.
    for party, moves in ((sit_down_for("four-wins"), FOUR_IN_A_LINE.split()), (last_man, [])):
        context.add_cookies([{"name": "dizzle_seat", "value": party.tokens[0], "url": live_app}])
        page.goto(f"{live_app}/table/{party.code}/")
        seen: dict[tuple[int, str], Any] = {}
        while True:
            expect_up_to_date(page, party)
            for width, height in SIZES.values():
                page.set_viewport_size({"width": width, "height": height})
                now = page.evaluate(CONTROL_POSITIONS)
                if party.game.phase == "finished":
                    now.pop(".table-side")  # the game is over; another game is offered above it
                for name, place in now.items():
                    if seen.setdefault((width, name), place) != place:
                        moved[width, name] = (seen[width, name], place, party.loaded.state.length)
            if party.game.phase == "finished":
                break
            if moves:
                placed(party, moves.pop(0))
            else:
                place_a_three(party)
    assert moved == {}


@pytest.mark.parametrize(("height", "language"), [(844, "de"), (664, "en")])
def test_messages_do_not_cover_the_board(
    live_app: str, new_context: NewContext, height: int, language: str
) -> None:
    party = placed(sit_down_for("square"), "3e5 3f5 3d5 3g5")
    page = phone(live_app, new_context, party, 0, "phone", language)
    page.set_viewport_size({"width": 390, "height": height})
    throw(page, 2)
    keys, board = (box(page, selector) for selector in (".die-keys", ".board-frame"))
    assert keys["y"] + keys["height"] <= height
    for said in ("#refusal", ".field-answer"):
        if said == ".field-answer":
            page.locator("label:has(#die-why)").click()
        for at in ("b5", "e6"):
            field(page, at).click()
            expect(page.locator(said)).to_contain_text(at)
            assert box(page, said)["y"] >= board["y"] + board["height"] - 1
            assert box(page, ".die-keys") == keys
            assert box(page, ".board-frame") == board


def test_fields_under_a_message_can_be_tapped(live_app: str, new_context: NewContext) -> None:
    party = placed(sit_down_for("square"), "3e5 3f5 3d5 3g5 3e6 3e7 3e8")
    context = new_context("phone", "de", viewport={"width": 320, "height": 540})
    context.add_cookies([{"name": "dizzle_seat", "value": party.tokens[0], "url": live_app}])
    page = context.new_page()
    page.goto(f"{live_app}/table/{party.code}/")
    throw(page, 3)
    touch(field(page, "b3"))
    expect(page.locator("#refusal")).to_be_visible()
    link = page.locator("#refusal a")
    link.click(trial=True)
    last = box(page, ".sheet-grid [data-at=f8]")
    said = box(page, "#refusal")
    assert said["y"] < last["y"] + last["height"] - 3
    touch_at(page, last["x"] + last["width"] / 2, last["y"] + last["height"] - 2)
    expect(page.locator("[data-die=f8]")).to_have_count(1)


def test_explained_field_is_marked_with_the_dice_that_block_it(
    live_app: str, new_context: NewContext
) -> None:
    party = placed(sit_down_for("four-wins"), "3e5 4f5 3e6")
    page = phone(live_app, new_context, party, 1)
    page.locator("label:has(#die-why)").click()
    field(page, "f6").click()
    expect(page.locator("[data-field=f6]")).to_contain_class("asked")
    paper = page.locator("[data-field=f6] > .paper")
    expect(paper).to_have_css("stroke-width", "12px")
    expect(paper).not_to_have_css("stroke-dasharray", "none")
    for at in ("f5", "e6"):
        expect(page.locator(f"[data-die={at}]")).to_contain_class("in-the-way")
    field(page, "d5").click()
    expect(page.locator("[data-field=d5]")).to_contain_class("asked")
    expect(page.locator(".art-field.asked")).to_have_count(1)
    expect(page.locator(".in-the-way")).to_have_count(1)
    page.locator("label:has(#die-why)").click()
    expect(page.locator(".art-field.asked, .in-the-way")).to_have_count(0)


def test_shared_device_shows_whose_turn_it_is(live_app: str, new_context: NewContext) -> None:
    party = shared_device("four-wins", "Ana", "Ben")
    page = phone(live_app, new_context, party, 0)
    expect(page.locator("#_task")).to_contain_text("Ana: roll a die")
    expect(page).to_have_title(re.compile("It is Ana’s turn"))
    lay(page, 3, "e5")
    expect(page.locator("#_task")).to_contain_text("Ben: roll a die")
    for die, at in ((4, "f5"), (3, "d5"), (5, "g5")):
        lay(page, die, at)
    owners = party.game.game.board.owners  # type: ignore[union-attr]
    assert [owners.count(player) for player in (0, 1)] == [2, 2]
    rolled = shared_device("four-wins", "Ana", "Ben", dice="rolled")
    page = phone(live_app, new_context, rolled, 0)
    expect(page.locator("#_task")).to_contain_text(f"Ana: place the {rolled.game.thrown}")


def test_tap_out_of_turn_is_refused_with_a_message(live_app: str, new_context: NewContext) -> None:
    page = phone(live_app, new_context, placed(sit_down_for("four-wins"), "3e5"), 0)
    field(page, "f5").click()
    expect(page.locator("#refusal")).to_have_text("It is Ben’s turn")


def test_die_that_is_being_sent_is_visible(
    live_app: str, new_context: NewContext, page_errors: list[str]
) -> None:
    party = sit_down_for("four-wins")
    page = phone(live_app, new_context, party, 0)
    page.route("**/act/", lambda route: route.abort())
    throw(page, 3)
    before = box(page, ".board-frame")
    field(page, "e5").click()
    expect(page.locator("[data-field=e5] .on-its-way")).to_have_count(1)
    expect(page.locator("#connection")).to_be_visible()
    assert box(page, ".board-frame") == before
    expect(page.locator("[data-die]")).to_have_count(0)
    page.unroute("**/act/")
    expect(page.locator("[data-die=e5]")).to_have_count(1)
    expect(page.locator(".on-its-way")).to_have_count(0)
    page_errors.clear()  # Chromium logs the lost requests as errors


def test_undo_is_within_reach(live_app: str, new_context: NewContext) -> None:
    page = phone(live_app, new_context, sit_down_for("square"), 0)
    expect(page.get_by_role("button", name="Undo")).to_have_count(0)
    lay(page, 3, "e5")
    undo = page.get_by_role("button", name="Undo")
    expect(undo).to_be_in_viewport(ratio=1)
    touch(undo)
    expect(page.locator("[data-die]")).to_have_count(0)


def test_next_game_of_a_relay_begins_at_its_board(live_app: str, new_context: NewContext) -> None:
    party = sit_down_for("relay", target=5)
    party.act("begin", 0, shape="four-wins")
    party.play_on(games=1)
    host = party.tokens[0]
    small = {"width": 390, "height": 600}
    context = new_context("phone", reduced_motion="reduce", viewport=small)
    context.add_cookies([{"name": "dizzle_seat", "value": host, "url": live_app}])
    page = context.new_page()
    page.goto(f"{live_app}/table/{party.code}/")
    for game, lanes in (("4 Dice Wins", 9), ("Last Man Dice", 7)):  # the same board, and another
        page.get_by_role("button", name=game).press("Enter")
        expect(page.get_by_role("button", name=game)).to_have_count(0)
        expect(page.locator(".sheet-grid .sheet-row")).to_have_count(lanes)
        expect(page.locator(".board-frame").first).to_be_in_viewport(ratio=1)
        expect(page.locator("#sheet")).to_be_focused()
        party.play_on(games=1)
        page.reload()
    assert party.game.passes_done >= 2


def smallest_die_px(page: Page, selector: str) -> float:
    """Return the smallest width of the drawings that match a selector."""
    return min(drawing.bounding_box()["width"] for drawing in page.locator(selector).all())  # type: ignore[index]


WIDE_SCREENS = ((1024, 768), (1280, 800), (1440, 900), (1920, 1080))
"""Width and height of screens of desktops and tablets."""


def test_wide_screens_have_a_high_board_and_only_the_points_scroll(
    live_app: str, new_context: NewContext
) -> None:
    party = placed(sit_down_for("square"), "3e5 3f5 3d5 3g5 4e6")
    page = phone(live_app, new_context, party, 0, "desktop")
    faults: dict[tuple[str, int], object] = {}
    for path in (f"/table/{party.code}/", "/dice2/score/?game=major&players=3"):
        page.goto(live_app + path)
        for width, height in WIDE_SCREENS:
            page.set_viewport_size({"width": width, "height": height})
            board, side = box(page, ".board-frame"), box(page, ".table-side")
            scrolled = page.evaluate("document.documentElement.scrollHeight - innerHeight")
            if (
                scrolled > 0
                or board["y"] + board["height"] > height
                or side["x"] < board["x"] + board["width"]
                or board["width"] < min(0.52 * width, 0.8 * height)
                or smallest_die_px(page, ".die-keys .pic:visible") < 48
            ):
                faults[path, width] = (scrolled, board, side)
    assert not faults


def test_dice_and_turn_are_large_on_a_television(live_app: str, new_context: NewContext) -> None:
    page = new_context("desktop", viewport={"width": 1920, "height": 1080}).new_page()
    placed_dice = placed(sit_down_for("major", ("Ana", "Ben", "Cem")), "3e5 3f5 3d5")
    for party, dice in (
        (placed_dice, ".board .die"),
        (sit_down_for("four-wins", dice="rolled"), ".screen-turn .pic"),
    ):
        page.goto(f"{live_app}/table/{party.code}/screen/")
        assert smallest_die_px(page, dice) >= 96
        turn = page.locator(".screen-turn")
        assert turn.evaluate("(p) => parseFloat(getComputedStyle(p).fontSize)") > 50
        name = page.locator(".awaited .person-name")
        assert name.evaluate("(p) => parseFloat(getComputedStyle(p).fontSize)") > 40


def test_new_game_begins_with_pictures_and_has_its_button_on_the_first_screen(
    live_app: str, new_context: NewContext
) -> None:
    page = new_context("phone").new_page()
    page.goto(f"{live_app}/dice2/")
    for width, height in (*SIZES.values(), (1920, 1080)):
        page.set_viewport_size({"width": width, "height": height})
        button = page.get_by_role("button", name="Start a table")
        expect(button).to_be_in_viewport(ratio=1)
        assert box(page, ".game-card .board")["y"] < box(page, ".begin button")["y"]
        expect(page.locator(".game-card .board").first).to_be_in_viewport(ratio=1)


def test_big_screen_keeps_its_board_large_when_a_game_is_over(
    live_app: str, new_context: NewContext
) -> None:
    party = sit_down_for("four-wins")
    party.play_on()
    page = new_context("desktop").new_page()
    page.goto(f"{live_app}/table/{party.code}/screen/")
    expect(page.locator(".screen-turn.verdict")).to_be_visible()
    box = page.locator(".board-frame").bounding_box()
    assert box
    assert box["height"] > 0.7 * 800


def test_big_screen_shows_the_relays_total_and_its_newest_games(
    live_app: str, new_context: NewContext
) -> None:
    party = sit_down_for("relay", ("Ana", "Ben", "Cem"), target=9)
    for number in range(9):
        relay = party.game.relay
        assert relay
        if relay.winners:
            break
        party.act("begin", relay.next_starter or 0, by=0, shape="major")
        party.play_on(games=1, seed=number)
    played = party.game.passes_done
    assert played > 6
    page = new_context("desktop").new_page()
    page.goto(f"{live_app}/table/{party.code}/screen/")
    expect(page.locator("#_players .fact-sign").first).to_be_hidden()
    facts = page.locator("#_players .person-facts").first
    assert facts.evaluate("(p) => p.offsetHeight / parseFloat(getComputedStyle(p).fontSize)") < 2
    rows = page.locator(".screen-relay tbody tr")
    expect(rows.first).to_contain_text(f"{played}. Major Dice")
    for shown in (
        page.locator(".screen-total"),
        rows.first,
        rows.nth(2),
        page.locator(".board-frame"),
    ):
        expect(shown).to_be_in_viewport(ratio=1)
    assert page.evaluate("document.documentElement.scrollHeight - innerHeight") <= 0


def test_question_mode_ends_with_escape_and_with_its_own_key(
    live_app: str, new_context: NewContext
) -> None:
    party = sit_down_for("four-wins", dice="rolled")
    page = phone(live_app, new_context, party, 0, "desktop")
    why = page.locator("#die-why")
    assert why.get_attribute("aria-keyshortcuts") == "?"
    expect(page.locator(".keys-help")).to_contain_text("? asks about a field")
    field(page, "a1").focus()
    for end in ("Escape", "?"):
        page.keyboard.press("?")
        expect(why).to_be_checked()
        page.keyboard.press("Enter")
        expect(page.locator(".field-answer")).to_be_visible()
        page.keyboard.press(end)
        expect(why).not_to_be_checked()
        expect(page.locator(".field-answer")).to_have_count(0)
        expect(field(page, "a1")).to_be_focused()
    why.focus()
    page.keyboard.press("Space")
    expect(why).to_be_checked()
    page.keyboard.press("Space")
    expect(why).not_to_be_checked()
    expect(why).to_be_focused()
    assert party.game.game.board.is_empty  # type: ignore[union-attr]


def test_enter_on_a_number_places_nothing(live_app: str, new_context: NewContext) -> None:
    party = sit_down_for("four-wins")
    page = phone(live_app, new_context, party, 0, "desktop")
    page.locator("#die-3").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#die-3")).to_be_checked()
    # A question in between keeps the number.
    page.keyboard.press("?")
    page.keyboard.press("Escape")
    expect(page.locator("#die-3")).to_be_checked()
    expect(page.locator("#refusal")).to_be_hidden()
    assert party.game.game.board.is_empty  # type: ignore[union-attr]


def test_nearest_lines_are_those_that_can_still_score(
    live_app: str, new_context: NewContext
) -> None:
    party = placed(sit_down_for("square"), "3e5")
    page = phone(live_app, new_context, party, 0)
    expect(page.locator("#_lines")).to_contain_text("none of which has two dice yet")
    expect(page.locator("#_lines .plain-list:visible")).to_have_count(0)
    page.get_by_text("Show them all").click()
    lit = page.locator("#_lines .other-lines .item-light").first
    lit.click()
    expect(
        page.locator(f"[data-field={(lit.get_attribute('data-lit') or '').split()[0]}]")
    ).to_contain_class("lit")
    lay(page, 3, "f5")
    expect(page.locator("#_lines")).to_contain_text("The nearest of ")
    line = page.locator("#_lines .plain-list .item-light").first
    assert line.evaluate("(button) => getComputedStyle(button).borderStyle") == "solid"


def test_scored_line_is_highlighted_with_its_dice(live_app: str, new_context: NewContext) -> None:
    party = placed(sit_down_for("square"), "3e5 3f5 3d5 3g5 4e6")
    page = phone(live_app, new_context, party, 0)
    page.locator("#_lines .score .item-light").click()
    expect(page.locator("#_lines .score [aria-pressed=true]")).to_have_count(1)
    for at, opacity in (("d5", "1"), ("g5", "1"), ("e6", "0.3")):
        expect(page.locator(f"[data-die={at}]")).to_have_css("opacity", opacity)


@pytest.mark.parametrize("family", ["dizzle", "dice2"])
def test_lobby_keeps_the_focus(live_app: str, new_context: NewContext, family: str) -> None:
    page = new_context("desktop").new_page()
    if family == "dice2":
        page.goto(f"{live_app}/dice2/")
        page.get_by_role("radio", name="4 Dice Wins").check(force=True)
        page.get_by_role("radio", name="Rolled by the app").check(force=True)
    else:
        page.goto(f"{live_app}/table/new/")
        page.locator("input[name=dice][value=rolled]").check(force=True)
    page.get_by_role("button", name="Start a table").press("Enter")
    expect_scripts(page)  # a page without its script keeps no focus
    bots = page.get_by_role("group", name="Or let a bot play:")
    bots.get_by_role("button", name="Medium").press("Enter")
    expect(page.locator("#seat-1")).to_contain_text("Bot 2 (medium)")
    if family == "dice2":
        assert not axe_violations(page)
    expect(page.locator("#seat-1")).to_be_focused()
    page.get_by_role("button", name="Rename").press("Enter")
    expect(page.locator("#seat-0")).to_be_focused()
    page.get_by_role("button", name="Begin the game").press("Enter")
    expect(page.locator("#sheet")).to_be_focused()


def test_focus_stays_near_when_others_change_the_lobby(
    live_app: str, new_context: NewContext
) -> None:
    party = sit_down_for("four-wins", ("Ana", ""), start=False)
    page = phone(live_app, new_context, party, 0, "desktop")
    page.locator("#seat-1 input[name=name]").focus()
    seating.take_seat(party.access(), 1, "Ben", party.tokens[1])
    expect(page.locator("#seat-1")).to_contain_text("Ben")
    wait_until(page, lambda: page.evaluate("document.activeElement.id") == "seat-1")


def test_skip_on_a_small_phone_replaces_the_task_and_no_refusal_covers_it(
    live_app: str, new_context: NewContext
) -> None:
    party = placed(sit_down_for("last-man"), LAST_SIXES)
    page = phone(live_app, new_context, party, 0, "phone", "de")
    page.set_viewport_size({"width": 320, "height": 568})
    # The task is hidden completely.
    for die, opacity in ((6, "1"), (3, "0")):
        throw(page, die)
        expect(page.locator(".skip-die:visible")).to_have_count(1 - int(opacity))
        expect(page.locator("#_task .task")).to_have_css("opacity", opacity)
    for dice in ("typed", "rolled"):
        field(page, "e8").click()
        expect(page.locator("#refusal")).to_be_visible()
        if dice == "rolled":  # the app's roll is random: show the button by hand
            page.evaluate("document.querySelector('.skips-3').classList.remove('skips-3')")
        said, asked = box(page, "#refusal"), box(page, "[data-at=e8]")
        assert said["height"] < 140
        assert said["y"] + said["height"] <= asked["y"]
        expect(page.locator(".skip-die:visible")).to_be_in_viewport(ratio=1)
    touch(page.locator(".skip-die:visible"), PRESS_TIMEOUT_MS)
    expect(page.locator("#_task")).to_contain_text("Ben")


def test_message_about_a_field_does_not_cover_it(live_app: str, new_context: NewContext) -> None:
    party = placed(sit_down_for("four-wins"), "3e5 3e6")
    page = phone(live_app, new_context, party, 0, "phone", "de")
    page.set_viewport_size({"width": 320, "height": 568})

    def expect_apart(selector: str, at: str) -> None:
        expect(page.locator(selector)).to_contain_text(at)
        said, asked, board = (box(page, s) for s in (selector, f"[data-at={at}]", "#sheet"))
        assert said["y"] >= board["y"]
        is_above = said["y"] + said["height"] <= asked["y"]
        assert is_above or said["y"] >= asked["y"] + asked["height"]

    throw(page, 3)
    fields = ("a9", "a8", "a7")
    for at in fields:
        field(page, at).click()
        expect_apart("#refusal", at)
    page.locator("label:has(#die-why)").click()
    for at in fields:
        field(page, at).click()
        expect_apart(".field-answer", at)


def test_names_of_three_players_fit(live_app: str, new_context: NewContext) -> None:
    cut = {}
    for long, sizes in (("Bernhard", ["small phone"]), ("Annemarie", ["phone", "desktop"])):
        party = placed(sit_down_for("major", (long, "Ben", "Cem")), "3e5 3f5")
        for size in sizes:
            device = "desktop" if size == "desktop" else "phone"
            page = phone(live_app, new_context, party, 0, device)
            width, height = SIZES[size]
            page.set_viewport_size({"width": width, "height": height})
            name = page.locator(".person-name bdi > span").first
            cut[size] = name.evaluate("(name) => name.scrollWidth > name.clientWidth")
    assert not any(cut.values()), cut


def test_big_screen_breaks_its_address_before_the_code(
    live_app: str, new_context: NewContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(phone_address, "own_address", lambda: "127.0.0.1")
    code = "6PRNC"  # browsers do not break a line between a slash and a digit
    party = sit_down_for("four-wins")
    Table.objects.filter(code=party.code).update(typed_code=code)
    page = new_context("desktop").new_page()
    page.goto(f"{live_app}/table/{party.code}/screen/")
    lines = page.locator(".screen-url").evaluate(
        """(shown, code) => {
          const texts = document.createTreeWalker(shown, NodeFilter.SHOW_TEXT);
          const range = document.createRange();
          while (texts.nextNode() && !texts.currentNode.data.includes(code));
          const start = texts.currentNode.data.indexOf(code);
          range.setStart(texts.currentNode, start);
          range.setEnd(texts.currentNode, start + code.length);
          return range.getClientRects().length;
        }""",
        code,
    )
    assert lines == 1


def on_small_screens(*pages: Page) -> Iterator[int]:
    """Scroll pages to their end on each small screen and yield its height."""
    for width, height in ((844, 390), (320, 640)):
        for page in pages:
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
        yield height


def test_proposal_countdown_and_result_are_visible_on_a_scrolled_page(
    live_app: str, new_context: NewContext
) -> None:
    names = ("Maximiliane Anna Lang", "Friederike Sophie Lang", "Bartholomäus Jo Lang")
    party = placed(sit_down_for("major", names), "3e5 3f5 3d5 3e4 3e6 3f6")
    acts.propose(party.access(0), 0, 1, request="")
    host, other = (phone(live_app, new_context, party, player, "phone", "de") for player in (0, 2))
    asked = host.locator(".proposal")
    asked.locator("summary").click()
    count_down = asked.locator(".go-on .button").last
    for _height in on_small_screens(host, other):
        expect(count_down).to_be_in_viewport(ratio=1)
    count_down.click()
    for _height in on_small_screens(host, other):
        for page in (host, other):
            expect(page.locator(".hurry")).to_be_in_viewport(ratio=1)
            expect(page.locator(".proposal [value=no]")).to_be_in_viewport(ratio=1)
    Entry.objects.update(made=timezone.now() - countdowns.COUNTDOWN)
    end_countdown(host)
    asked.locator("summary").click()
    for _height in on_small_screens(host, other):
        expect(asked.locator("[value=alone]")).to_be_in_viewport(ratio=1)
    asked.locator("[value=alone]").click()
    for height in on_small_screens(host, other):
        for page in (host, other):
            expect(page.locator(".answered")).to_be_in_viewport(ratio=1)
            answered = page.locator(".answered").bounding_box()
            assert answered
            assert answered["y"] + answered["height"] > height - 20, "where the proposal was"
    for page in (host, other):
        page.locator(".answered").click()
        expect(page.locator(".answered")).to_be_hidden()
