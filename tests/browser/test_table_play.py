"""Whole games on several phones, whose final totals must match the replayed document."""

from __future__ import annotations

from random import Random

import pytest
from playwright.sync_api import Page, expect

from sheets.rules.volcano import lava_candidates
from tests.browser.conftest import NewContext
from tests.browser.polling import wait_until
from tests.browser.table_phones import (
    code_of,
    expect_begun,
    expect_replayed_totals,
    expect_up_to_date,
    field,
    mark,
    phone,
    press,
    skip_story,
    tap,
)
from tests.browser.touch import advance_clock
from tests.device_secrets import secret_of_page
from tests.table_games import Party, play_on, random_choice, random_move, shortest_way, sit_down


def test_three_phones_mirror_bomb_key_and_a_shared_flag(
    live_app: str, new_context: NewContext
) -> None:
    ana, ben, cem = (new_context("phone").new_page() for _ in range(3))
    ana.goto(f"{live_app}/table/new/?level=level-2")
    ana.get_by_label("3", exact=True).check(force=True)
    ana.get_by_label("Your name").fill("Ana")
    ana.get_by_role("button", name="Start a table").click()
    code = ana.locator(".code").inner_text()
    for page, name in ((ben, "Ben"), (cem, "Cem")):
        page.goto(f"{live_app}/table/")
        page.get_by_label("Code of the table").fill(code.lower())
        page.get_by_role("button", name="Join").click()
        page.get_by_label("Free seat: your name").first.fill(name)
        page.get_by_role("button", name="Sit here").first.click()
        expect(ana.locator("#_lobby")).to_contain_text(name)
    ana.get_by_role("button", name="Begin the game").click()
    tokens = tuple(secret_of_page(page) for page in (ana, ben, cem))
    party = Party(code_of(ana), tokens)
    pages = (ana, ben, cem)
    expect_begun(*pages)

    # The bomb of Ana explodes on the other sheets.
    level = party.game.level
    way = shortest_way(party.game, 0, level.by_symbol["bomb"])
    tap(ana, *way)
    bomb = way[-1]
    end_pass(party, *pages)
    for page in (ben, cem):
        expect(page.locator("#_story")).to_contain_text(bomb)
        expect(page.locator(f"[data-field={bomb}] .top > use")).to_have_count(1)
        expect(field(page, bomb)).to_have_accessible_name(f"{label_of(page, bomb)}, exploded")

    # Collect keys until both Ana and Ben can reach a flag, then both reach it in one pass.
    flags = level.by_symbol["flag"]
    for _ in range(4):
        if shortest_way(party.game, 0, flags) and shortest_way(party.game, 1, flags):
            break
        for player, page in ((0, ana), (1, ben)):
            tap(
                page,
                *shortest_way(
                    party.game, player, level.by_symbol["key"] & ~cross_count(party, player)
                ),
            )
        end_pass(party, *pages)
    for player, page in ((0, ana), (1, ben)):
        tap(page, *shortest_way(party.game, player, flags))
    end_pass(party, *pages)
    got = [list(sheet.flags.values()) for sheet in party.game.sheets]
    assert got[0] == got[1] != []
    assert got[2] == []
    expect_replayed_totals(party, *pages)

    play_on(party, Random(2), 99)
    expect_replayed_totals(party, *pages)
    for page in pages:
        expect(page.get_by_role("link", name="To the results")).to_be_visible()


def label_of(page: Page, at: str) -> str:
    return field(page, at).get_attribute("data-label") or ""


def cross_count(party: Party, player: int) -> int:
    return party.game.sheets[player].crosses


def end_pass(party: Party, *pages: Page) -> None:
    """End the pass on each phone and wait for its end on all of them."""
    number = party.game.passes_done
    wait_until(pages[0], lambda: not any(has_unsent_tap(page) for page in pages))
    for page in pages:
        press(page, "Done")
    wait_until(pages[0], lambda: party.game.passes_done > number or party.game.phase == "marking")
    skip_story(*pages)


def has_unsent_tap(page: Page) -> bool:
    """Return whether a tap is still being sent."""
    code = page.locator("#table").get_attribute("data-code")
    names = "Object.keys(localStorage).some((name) => name.startsWith(prefix))"
    return bool(page.evaluate(f"(prefix) => {names}", f"dizzle.table.{code}."))


@pytest.mark.slow
def test_a_rocket_flies_to_the_planet_that_is_tapped(
    live_app: str, new_context: NewContext
) -> None:
    party = sit_down(("Ana", "Ben"), "level-4")
    ana, ben = (phone(live_app, new_context, party, player) for player in (0, 1))
    level = party.game.level
    # The way never leads through a lock, and may take several passes.
    for _ in range(3):
        way = shortest_way(party.game, 0, level.rockets)
        if way:
            break
        play_on(party, Random(4), party.game.passes_done + 1)
    tap(ana, *way)
    end_pass(party, ana, ben)
    assert party.game.phase == "marking"
    expect(ana.locator(".task")).to_contain_text("choose a planet")
    expect(ben.locator(".task")).to_contain_text("Choosing a planet: Ana")
    planet = party.game.pending()[0].at[0]
    field(ana, way[0]).click()
    expect(ana.locator("#refusal")).to_contain_text("not an open planet")
    field(ana, planet).click()
    expect(mark(ana, planet)).to_have_attribute("href", "#art-cross-rocket")
    skip_story(ana, ben)
    expect_replayed_totals(party, ana, ben)
    play_on(party, Random(4), 99)
    expect_replayed_totals(party, ana, ben)


def test_solo_player_sees_the_full_name(live_app: str, new_context: NewContext) -> None:
    page = phone(live_app, new_context, sit_down(("Annemarie Lena",), "level-1"), 0, "phone")
    name = page.locator("#_people .tab-name > span")
    expect(name).to_have_text("Annemarie Lena")
    assert name.evaluate("name => name.scrollWidth <= name.clientWidth")
    # The page header takes no space from the sheet, and its menu still opens.
    assert page.locator(".site-head").bounding_box()["height"] == 0
    menu = page.get_by_role("navigation", name="Main")
    expect(menu).to_be_hidden()
    page.get_by_role("button", name="Menu").click()
    expect(menu.get_by_role("link", name="Home")).to_be_in_viewport()
    expect(menu.get_by_role("link", name="Join a table")).to_be_in_viewport()
    expect(page.locator("h1 a")).to_have_count(0)


def test_tracked_solo_on_level_1(live_app: str, new_context: NewContext) -> None:
    party = sit_down(("Ana",), "level-1", "typed")
    page = phone(live_app, new_context, party, 0)
    random = Random(7)
    expect(page.locator(".throw .counter")).to_have_text("0 of 8")
    expect_nothing_covered(page)
    play_random_act(page, party, random)
    play_random_act(page, party, random)
    assert party.game.phase == "extra"  # one tap for the die and one for both extra dice
    expect(page.locator(".task")).to_have_text("Roll two extra dice and tap them.")
    expect_nothing_covered(page)
    box = page.locator(".pairs .key").first.bounding_box()
    assert box
    assert min(box["width"], box["height"]) >= 44
    while party.game.passes_done < 1:
        play_random_act(page, party, random)
    expect_replayed_totals(party, page)
    play_on(party, random, 99)
    expect_replayed_totals(party, page)
    assert party.game.outcome() is not None


SIZES = ((320, 640), (360, 640), (390, 844), (844, 390), (820, 1180), (1280, 800))
"""Width and height of the screens."""


def test_sheet_and_task_stay_visible_above_the_dice_keys(
    live_app: str, new_context: NewContext
) -> None:
    faults: dict[tuple[int, int, int], object] = {}
    for count in (2, 4, 6):
        names = ("Ana", "Ben", "Cem", "Dora", "Emil", "Fee")[:count]
        party = sit_down(names, "level-6", "typed")
        page = phone(live_app, new_context, party, 0, "phone", "de")
        expect(page.locator(".throw .counter")).to_have_text(f"0 von {party.game.dice_to_roll}")
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            if covered := page.evaluate(COVERED_CONTROLS):
                faults[count, width, height] = covered
    assert faults == {}


COVERED_CONTROLS = """() => {
  const dock = ".throw :is(.key, .counter, .button)";
  const all = document.querySelectorAll(`.sheet-grid button, .task, .people a, ${dock}`);
  return [...all].filter((one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    if (bottom > innerHeight + 1 || top < -1 || left < -1 || right > innerWidth + 1) return true;
    const hit = document.elementFromPoint((left + right) / 2, bottom - 3);
    return hit !== one && !one.contains(hit) && !hit?.contains(one);
  }).map((one) => one.dataset.at ?? one.textContent.trim());
}"""
"""Script that returns the controls that are off the screen or partly covered."""


def expect_nothing_covered(page: Page) -> None:
    """Expect that sheet and controls are fully visible, with the controls below the sheet."""
    sheet = page.locator("#sheet").bounding_box()
    dock = page.locator(".dock").bounding_box()
    assert sheet
    assert dock
    assert sheet["y"] + sheet["height"] <= dock["y"] + 1
    assert dock["y"] + dock["height"] <= 844


def play_random_act(page: Page, party: Party, random: Random) -> None:
    """Do one random act of a tracked game on the page, mostly by keyboard.

    A quick tap at the position of the last one counts as a double tap.
    """
    before = len(party.loaded.entries)
    action = random_move(party.game, random, random_choice(random))
    if action.do == "drop" and party.game.dice_to_roll:
        # Prefer to roll again where the rules allow both.
        dice = tuple(random.randint(1, 6) for _ in range(party.game.dice_to_roll))
        action = action._replace(do="reroll", dice=dice)
    if action.do == "extra":
        pair = "".join(map(str, sorted(action.dice)))
        page.locator(f"#_bar .pairs [value='{pair}']").press("Enter")
    elif action.dice:
        for die in action.dice:
            page.locator(f"#_bar [data-die='{die}']").click()
        press(page, "Rerolled" if action.do == "reroll" else "Rolled")
    elif action.do == "erupt":
        page.locator("#_bar").get_by_role("button", name=str(action.die), exact=True).click()
    elif action.do == "track":
        field(page, action.at).press("Enter")
        page.locator(f"#_bar [name=at][value={action.at}]").wait_for(state="attached")
        page.locator(f"#_bar [name=shape][value={action.shape}]").press("Enter")
    else:
        expect(field(page, action.at)).to_have_attribute("data-hint", "strong")
        advance_clock(page)  # one of the last acts may have been on the same field
        field(page, action.at).press("Enter")
    wait_until(page, lambda: len(party.loaded.entries) > before)
    expect_up_to_date(page, party)


@pytest.mark.slow
def test_an_eruption_on_level_7(live_app: str, new_context: NewContext) -> None:
    party = sit_down(("Ana", "Ben"), "level-7", "typed")
    ana = phone(live_app, new_context, party, 0, "phone")
    ben = phone(live_app, new_context, party, 1, "desktop", "de", "dark")
    number = next(n for n in range(1, 7) if lava_candidates(party.game.sheets[0], n))
    ana.locator("#_bar").get_by_role("button", name=str(number), exact=True).click()
    expect(ana.locator(".task")).to_contain_text("choose one of your fields")
    for player, page in ((0, ana), (1, ben)):
        at = party.game.pending()[0].at[-1]
        expect(field(page, at)).to_have_attribute("data-hint", "strong")
        field(page, at).click()
        expect(page.locator(f"[data-field={at}] .under > use")).to_have_count(1)
        assert party.game.sheets[player].lava == party.game.level.mask([at])
    random = Random(7)
    pages = (ana, ben)
    while party.game.passes_done < 1:
        game = party.game
        player = game.start_player if game.player is None else game.player
        play_random_act(pages[player], party, random)
    expect_replayed_totals(party, *pages)
    play_on(party, random, 99)
    expect_replayed_totals(party, *pages)


@pytest.mark.slow
def test_tracks_on_level_8(live_app: str, new_context: NewContext) -> None:
    party = sit_down(("Ana",), "level-8", "typed")
    page = phone(live_app, new_context, party, 0)
    random = Random(8)
    while party.game.passes_done < 1:
        play_random_act(page, party, random)
    drawn = {
        party.game.level.fields[index].name: shape
        for index, shape in party.game.sheets[0].tracks.items()
        if not party.game.level.printed >> index & 1
    }
    assert drawn
    for at, shape in drawn.items():
        expect(mark(page, at)).to_have_attribute("href", f"#art-track-{shape}")
    play_on(party, random, 99)
    expect_replayed_totals(party, page)
