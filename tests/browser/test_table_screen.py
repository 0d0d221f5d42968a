"""The big screen: it needs only the code, follows by itself, and shows pass ends large."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from sheets.http import phone_address
from sheets.models import Table
from sheets.tables import acts
from tests.browser.axe import axe_violations_in_both_themes
from tests.browser.conftest import NewContext
from tests.browser.layout_checks import overflow_px, set_font_size
from tests.browser.polling import wait_until
from tests.browser.table_phones import replayed_totals, stretch_story
from tests.table_games import Party, sit_down
from tests.tables.table_clients import SHORT

TV = {"viewport": {"width": 1920, "height": 1080}}
"""Size of a television."""


def open_screen(live_app: str, new_context: NewContext, party: Party, *look: str) -> Page:
    page = new_context("desktop", *look, **TV).new_page()
    page.goto(f"{live_app}/table/{party.code}/screen/")
    return page


def totals(page: Page) -> list[int]:
    texts = page.locator(".screen-sheet h2 b").all_inner_texts()
    return [int(text.replace("−", "-")) for text in texts]


@pytest.mark.slow
def test_every_code_fits_the_big_screen(live_app: str, new_context: NewContext) -> None:
    tv = new_context("desktop", **TV).new_page()
    faults: dict[tuple[object, ...], tuple[int, int]] = {}
    for is_begun in (False, True):
        party = sit_down(start=is_begun)
        for code in ("WMWQW", None):
            Table.objects.filter(code=party.code).update(typed_code=code)
            tv.goto(f"{live_app}/table/{party.code}/screen/")
            for size, letters in (((1920, 1080), ""), ((844, 390), ""), ((320, 568), "200%")):
                tv.set_viewport_size({"width": size[0], "height": size[1]})
                set_font_size(tv, letters)
                cut = tv.locator(".code").evaluate("code => code.scrollWidth - code.clientWidth")
                if overflow_px(tv) > 0 or cut > 0:
                    faults[is_begun, code, size] = (overflow_px(tv), cut)
    assert faults == {}


def test_big_screen_goes_from_the_lobby_to_the_results_by_itself(
    live_app: str, new_context: NewContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(phone_address, "own_address", lambda: "127.0.0.1")
    party = sit_down(("Ana", "Ben"), SHORT, start=False)
    tv = open_screen(live_app, new_context, party)
    tv.clock.install()
    stretch_story(tv)
    expect(tv.locator(".code")).to_have_text(party.typed_code)
    expect(tv.locator("svg.qr")).to_be_visible()
    expect(tv.locator(".screen-seats")).to_contain_text("Ben")
    acts.start(party.access())
    expect(tv.locator(".screen-turn")).to_have_text("Still placing: Ana and Ben")

    at = party.game.legal()[0][0]
    party.act("place", 0, at)
    expect(tv.locator(f"[data-player='0'] [data-field={at}] .top > use")).to_have_count(1)
    party.done(0)
    expect(tv.locator(".screen-turn")).to_have_text("Still placing: Ben")
    party.done(1)
    expect(tv.locator("#telling")).to_contain_text(f"Ana crosses {at}")
    lit = tv.locator("[data-player='0'] .art-field.lit")
    assert lit.evaluate_all("all => all.map(field => field.dataset.field)") == [at]
    tv.clock.run_for(30_000)
    expect(tv.locator("#telling")).to_be_hidden()
    expect(tv.locator(".art-field.lit")).to_have_count(0)
    expect(tv.locator("#story")).to_contain_text(f"Ana crosses {at}")
    wait_until(tv, lambda: totals(tv) == replayed_totals(party))

    while party.game.phase != "finished":
        party.act("end_pass", by=0)
    expect(tv.locator(".screen-turn")).to_contain_text("win")
    wait_until(tv, lambda: totals(tv) == replayed_totals(party))


def test_big_screen_shows_pool_and_turn(live_app: str, new_context: NewContext) -> None:
    party = sit_down(("Ana", "Ben"), "level-1", "rolled")
    tv = open_screen(live_app, new_context, party)
    expect(tv.locator(".screen-turn")).to_have_text("Ana starts this pass and rolls 7 dice")
    party.act("roll", by=0)
    expect(tv.locator(".screen-pool .pic")).to_have_count(len(party.game.pool))
    expect(tv.locator(".screen-sheet.awaited h2")).to_contain_text(
        party.game.players[party.game.player or 0]
    )


def test_dice_are_large_and_move_no_sheet(live_app: str, new_context: NewContext) -> None:
    party = sit_down(("Ana", "Ben", "Cem"), "level-2", "rolled")
    tv = open_screen(live_app, new_context, party)
    before = tv.locator(".screen-sheet").evaluate_all(BOXES)
    party.act("roll", by=0)
    dice = tv.locator(".screen-pool .pic")
    expect(dice).to_have_count(len(party.game.pool))
    assert min(box["width"] for box in dice.evaluate_all(BOXES)) >= 96
    assert moved_px(tv.locator(".screen-sheet"), before) < 1
    expect_all_in_sight(tv)


def test_big_screen_has_no_controls(live_app: str, new_context: NewContext) -> None:
    party = sit_down(("Ana", "Ben"), SHORT)
    context = new_context("desktop", **TV)
    context.add_cookies([{"name": "dizzle_seat", "value": party.tokens[0], "url": live_app}])
    tv = context.new_page()
    tv.goto(f"{live_app}/table/{party.code}/screen/")
    assert tv.locator("main :is(form, button, input)").count() == 0


@pytest.mark.parametrize("count", [1, 3, 4])
def test_everything_fits_a_television(live_app: str, new_context: NewContext, count: int) -> None:
    names = ("Maximiliane", "Papa (Bernd)", "Oma Gertrud", "Konstantin")
    party = sit_down(names[:count], "level-2")
    for player in range(count):
        party.act("place", player, party.game.legal()[player][0])
    party.act("end_pass", by=0)
    tv = open_screen(live_app, new_context, party, "de")
    if count == 3:
        assert axe_violations_in_both_themes(tv) == ""
    expect_all_in_sight(tv)
    for width, height in ((1920, 1080), (1280, 720)):
        tv.set_viewport_size({"width": width, "height": height})
        boxes = tv.locator(".screen-sheet").evaluate_all(BOXES)
        # Four sheets share the width, which determines their height.
        share = {1: 0.68, 3: 0.7, 4: 0.55}[count]
        assert min(box["height"] for box in boxes) >= share * height
        right = max(tv.locator(".screen-sheet, .screen-below").evaluate_all(RIGHT_EDGES))
        assert right - boxes[0]["left"] >= 0.95 * width
        assert tv.evaluate("document.documentElement.scrollHeight") <= height
    tv.set_viewport_size({"width": 1920, "height": 1080})
    while party.game.phase != "finished":
        party.act("end_pass", by=0)
    tv.reload()
    expect(tv.locator("table.comparison")).to_be_visible()
    expect_all_in_sight(tv)


BOXES = "all => all.map(one => one.getBoundingClientRect().toJSON())"
"""Script that returns the boxes of elements."""

RIGHT_EDGES = "all => all.map(one => one.getBoundingClientRect().right)"
"""Script that returns the right edges of elements."""

CUT_TEXTS = (
    "all => all.filter(one => one.scrollWidth > one.clientWidth).map(one => one.textContent)"
)
"""Script that returns the texts of elements that are cut off."""


def expect_all_in_sight(tv: Page) -> None:
    """Expect that nothing is off the screen, covers other parts or is cut off."""
    size = tv.evaluate(
        "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
    )
    assert size[0] <= 1920
    assert size[1] <= 1080
    assert tv.locator(".short-name > span").evaluate_all(CUT_TEXTS) == []
    way_in = tv.locator(".screen-side").evaluate_all(BOXES)[0]
    for box in tv.locator(".screen-turn, .round-box, .screen-pool > *").evaluate_all(BOXES):
        assert box["right"] <= way_in["left"] or box["top"] >= way_in["bottom"]
    sheets = tv.locator(".screen-sheet").evaluate_all(BOXES)
    assert way_in["bottom"] <= min(box["top"] for box in sheets)


def moved_px(found: Locator, before: list[dict[str, float]]) -> float:
    """Return the largest distance in pixels that an edge of these boxes has moved."""
    now = found.evaluate_all(BOXES)
    pairs = zip(now, before, strict=True)
    return max(abs(one[edge] - was[edge]) for one, was in pairs for edge in one)


@pytest.mark.parametrize("count", [2, 3, 4, 6])
def test_no_sheet_moves_or_is_covered_while_people_place_and_a_pass_ends(
    live_app: str, new_context: NewContext, count: int
) -> None:
    names = ("Maximiliane", "Papa (Bernd)", "Oma Gertrud", "Konstantin", "Emil", "Fee")
    party = sit_down(names[:count], "level-5" if count == 6 else "level-2")
    tv = open_screen(live_app, new_context, party)
    stretch_story(tv)
    tv.set_viewport_size({"width": 1280, "height": 720})
    sheets = tv.locator(".screen-sheet")
    before = sheets.evaluate_all(BOXES)
    for player in range(count):
        at = party.game.legal()[player][0]
        party.act("place", player, at)
        expect(tv.locator(f"[data-player='{player}'] [data-field={at}] .top > use")).to_have_count(
            1
        )
        assert moved_px(sheets, before) < 1
    for player in range(count - 1):
        party.done(player)
        expect(sheets.nth(player)).to_contain_text("done")
        assert moved_px(sheets, before) < 1
    party.done(count - 1)
    expect(tv.locator("#telling")).to_be_visible()
    assert moved_px(sheets, before) < 1
    tv.set_viewport_size(TV["viewport"])  # type: ignore[arg-type]
    (told,) = tv.locator("#telling").evaluate_all(BOXES)
    for box in sheets.evaluate_all(BOXES):
        assert (
            box["bottom"] <= told["top"]
            or box["right"] <= told["left"]
            or box["top"] >= told["bottom"]
        )
    assert told["bottom"] <= 1080
    assert told["right"] <= 1920
    assert tv.evaluate("document.documentElement.scrollHeight") <= 1080


def test_the_verdict_waits_for_the_story_of_the_last_pass(
    live_app: str, new_context: NewContext
) -> None:
    party = sit_down(("Ana", "Ben"), {**SHORT, "rounds": {"1": 1, "2": 1, "3": 1}})
    party.act("end_pass", by=0)
    tv = open_screen(live_app, new_context, party)
    tv.clock.install()
    stretch_story(tv)
    at = party.game.legal()[0][0]
    party.act("place", 0, at)
    party.act("end_pass", by=0)
    expect(tv.locator("#telling")).to_contain_text(f"Ana crosses {at}")
    expect(tv.locator(".verdict")).to_be_hidden()
    tv.clock.run_for(30_000)
    expect(tv.locator(".verdict")).to_be_visible()
    expect(tv.locator("#telling")).to_be_hidden()


def test_big_screen_says_that_it_is_disconnected(
    live_app: str, new_context: NewContext, page_errors: list[str]
) -> None:
    party = sit_down(("Ana", "Ben"), SHORT)
    tv = open_screen(live_app, new_context, party)
    tv.context.set_offline(True)
    expect(tv.locator("#connection")).to_be_visible()
    at = party.game.legal()[0][0]
    party.act("place", 0, at)
    tv.context.set_offline(False)
    expect(tv.locator("#connection")).to_be_hidden()
    shown = tv.locator(f"[data-player='0'] [data-field={at}] .top > use")
    expect(shown).to_have_count(1)
    page_errors.clear()  # Chromium logs requests without a network as errors
