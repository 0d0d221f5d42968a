"""Whole games on several phones: what they show at the end is what the document replays to."""

from __future__ import annotations

from random import Random

import pytest
from playwright.sync_api import Page, expect

from sheets.rules.volcano import lava_candidates
from tests.browser.finger import let_pass
from tests.browser.table_phones import (
    NewContext,
    code_of,
    expect_begun,
    expect_fresh,
    expect_truth,
    field,
    mark,
    phone,
    press,
    skip_story,
    tap,
)
from tests.browser.waiting import wait_until
from tests.device_secrets import secret_of_page
from tests.table_games import Party, by_chance, next_move, play_on, sit_down, way_to


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

    # The bomb on Ana's sheet goes off on the others'.
    level = party.game.level
    way = way_to(party.game, 0, level.by_symbol["bomb"])
    tap(ana, *way)
    bomb = way[-1]
    end_pass(party, *pages)
    for page in (ben, cem):
        expect(page.locator("#_story")).to_contain_text(bomb)
        expect(page.locator(f"[data-field={bomb}] .top > use")).to_have_count(1)
        expect(field(page, bomb)).to_have_accessible_name(f"{label_of(page, bomb)}, exploded")

    # Keys first, until both Ana and Ben can reach a flag; then both in one pass.
    flags = level.by_symbol["flag"]
    for _ in range(4):
        if way_to(party.game, 0, flags) and way_to(party.game, 1, flags):
            break
        for player, page in ((0, ana), (1, ben)):
            tap(page, *way_to(party.game, player, level.by_symbol["key"] & ~crossed(party, player)))
        end_pass(party, *pages)
    for player, page in ((0, ana), (1, ben)):
        tap(page, *way_to(party.game, player, flags))
    end_pass(party, *pages)
    got = [list(sheet.flags.values()) for sheet in party.game.sheets]
    assert got[0] == got[1] != []
    assert got[2] == []
    expect_truth(party, *pages)

    play_on(party, Random(2), 99)
    expect_truth(party, *pages)
    for page in pages:
        expect(page.get_by_role("link", name="To the results")).to_be_visible()


def label_of(page: Page, at: str) -> str:
    return field(page, at).get_attribute("data-label") or ""


def crossed(party: Party, player: int) -> int:
    return party.game.sheets[player].crosses


def end_pass(party: Party, *pages: Page) -> None:
    """Everybody says that they are done; the pass ends on every phone."""
    number = party.game.passes_done
    wait_until(pages[0], lambda: not any(unsent(page) for page in pages))
    for page in pages:
        press(page, "Done")
    wait_until(pages[0], lambda: party.game.passes_done > number or party.game.phase == "marking")
    skip_story(*pages)


def unsent(page: Page) -> bool:
    """Whether a tap is still on its way."""
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
    # Never through a lock, and perhaps not in the first pass.
    for _ in range(3):
        way = way_to(party.game, 0, level.rockets)
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
    expect_truth(party, ana, ben)
    play_on(party, Random(4), 99)
    expect_truth(party, ana, ben)


def test_whoever_plays_alone_has_a_name_in_full(live_app: str, new_context: NewContext) -> None:
    page = phone(live_app, new_context, sit_down(("Annemarie Lena",), "level-1"), 0, "phone")
    name = page.locator("#_people .tab-name > span")
    expect(name).to_have_text("Annemarie Lena")
    assert name.evaluate("name => name.scrollWidth <= name.clientWidth")
    # The frame's head takes no room from the sheet, and its menu opens all the same.
    assert page.locator(".site-head").bounding_box()["height"] == 0
    menu = page.get_by_role("navigation", name="Main")
    expect(menu).to_be_hidden()
    page.get_by_role("button", name="Menu").click()
    expect(menu.get_by_role("link", name="Home")).to_be_in_viewport()
    expect(menu.get_by_role("link", name="Play", exact=True)).to_be_in_viewport()
    expect(page.locator("h1 a")).to_have_count(0)


def test_tracked_solo_on_level_1(live_app: str, new_context: NewContext) -> None:
    party = sit_down(("Ana",), "level-1", "typed")
    page = phone(live_app, new_context, party, 0)
    random = Random(7)
    expect(page.locator(".throw .counter")).to_have_text("0 of 8")
    expect_nothing_covered(page)
    play_one(page, party, random)
    play_one(page, party, random)
    assert party.game.phase == "extra"  # one tap for the die, and now one for both extra dice
    expect(page.locator(".task")).to_have_text("Roll two extra dice and tap them.")
    expect_nothing_covered(page)
    box = page.locator(".pairs .key").first.bounding_box()
    assert box
    assert min(box["width"], box["height"]) >= 44
    while party.game.passes_done < 1:
        play_one(page, party, random)
    expect_truth(party, page)
    play_on(party, random, 99)
    expect_truth(party, page)
    assert party.game.outcome() is not None


SIZES = ((320, 640), (360, 640), (390, 844), (844, 390), (820, 1180), (1280, 800))


def test_the_keys_for_dice_leave_the_whole_sheet_and_the_task_in_sight(
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
            if covered := page.evaluate(COVERED):
                faults[count, width, height] = covered
    assert faults == {}


COVERED = """() => {
  const dock = ".throw :is(.key, .counter, .button)";
  const all = document.querySelectorAll(`.sheet-grid button, .task, .people a, ${dock}`);
  return [...all].filter((one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    if (bottom > innerHeight + 1 || top < -1 || left < -1 || right > innerWidth + 1) return true;
    const hit = document.elementFromPoint((left + right) / 2, bottom - 3);
    return hit !== one && !one.contains(hit) && !hit?.contains(one);
  }).map((one) => one.dataset.at ?? one.textContent.trim());
}"""
"""What is not in sight, or has something else over its lower edge."""


def expect_nothing_covered(page: Page) -> None:
    """What is pressed lies below the sheet, and all of both is on the screen."""
    sheet = page.locator("#sheet").bounding_box()
    dock = page.locator(".dock").bounding_box()
    assert sheet
    assert dock
    assert sheet["y"] + sheet["height"] <= dock["y"] + 1
    assert dock["y"] + dock["height"] <= 844


def play_one(page: Page, party: Party, random: Random) -> None:
    """One act of a tracked game, through the page.

    Most by key: a tap that follows another one on the same spot at once is a nervous thumb's.
    """
    before = len(party.loaded.entries)
    action = next_move(party.game, random, by_chance(random))
    if action.do == "drop" and party.game.dice_to_roll:
        # Rather roll again, where the rules leave the choice.
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
        let_pass(page)  # a few acts before this one may have been on the same field
        field(page, action.at).press("Enter")
    wait_until(page, lambda: len(party.loaded.entries) > before)
    expect_fresh(page, party)


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
        play_one(pages[player], party, random)
    expect_truth(party, *pages)
    play_on(party, random, 99)
    expect_truth(party, *pages)


@pytest.mark.slow
def test_tracks_on_level_8(live_app: str, new_context: NewContext) -> None:
    party = sit_down(("Ana",), "level-8", "typed")
    page = phone(live_app, new_context, party, 0)
    random = Random(8)
    while party.game.passes_done < 1:
        play_one(page, party, random)
    drawn = {
        party.game.level.fields[index].name: shape
        for index, shape in party.game.sheets[0].tracks.items()
        if not party.game.level.printed >> index & 1
    }
    assert drawn
    for at, shape in drawn.items():
        expect(mark(page, at)).to_have_attribute("href", f"#art-track-{shape}")
    play_on(party, random, 99)
    expect_truth(party, page)
