"""Invented levels: made from an empty sheet, played to the end, printed."""

from __future__ import annotations

import io
import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pypdf
import pytest
from django.core.management import call_command
from playwright.sync_api import Locator, Page, expect

from sheets.documents.structure import read_level
from sheets.rules import Game, Level, new_game
from sheets.text.languages import languages
from tests.browser import workshop_keys as keys
from tests.browser.axe import axe_violations
from tests.browser.conftest import OpenPage
from tests.browser.polling import wait_until
from tests.browser.table_phones import (
    expect_scripts,
    expect_up_to_date,
    field,
    replayed_totals,
    shown_totals,
)
from tests.browser.touch import touch
from tests.browser.workshop_page import begin, check_messages, wait_until_saved
from tests.device_secrets import secret_of_page
from tests.fan_games import count_events
from tests.fan_levels import ISLES, PARCEL, TREE
from tests.table_games import Party


@pytest.mark.slow
def test_tree_with_baubles_by_keyboard_alone(
    open_page: OpenPage, live_app: str, tmp_path: Path
) -> None:
    page = open_page("/workshop/invent/", "desktop")
    keys.begin(page, 7, 9, TREE["name"]["en"])
    make_tree(page)
    assert check_messages(page) == []
    level = exported(page, TREE)
    keys.tab_to(page, ".uses button", by="Shift+Tab")
    keys.press(page, "Enter")
    page.wait_for_url(re.compile(f"^{live_app}/table/"))
    place_a_die_by_keyboard(page)
    check_simulation(level, tmp_path)
    for players in level.player_counts:
        check_tree_games(level, count_events(level, players, 25 if players == 1 else 4), players)
    page.go_back()
    play_with_bots(page, 2)


def make_tree(page: Page) -> None:
    """Make the whole tree by keyboard; the focus is on a1."""
    for row in TREE["grid"]:
        page.keyboard.type("".join(token[0] for token in row.split()))
        keys.press(page, "Enter")
    keys.next_tool(page, "symbols")
    keys.at_each(page, "d2 c6 f9", "1", "g")
    keys.at_each(page, "b5 f6 d7", "7", "g")
    keys.at_each(page, "c3 c4 e5 e7 b9", "o")
    keys.next_tool(page, "crosses")
    keys.at_each(page, "d8 g9", "Space")
    keys.next_tool(page, "lines")
    keys.press(page, "n")
    keys.at_each(page, "d1 a7 g7", "Space")
    keys.press(page, "Enter")
    page.keyboard.type("20")
    keys.press(page, "Enter")
    keys.next_tool(page, "grid")
    for row in (2, 4, 6, 8):
        keys.at_each(page, f"a{row}", "Shift+ArrowRight", "Shift+ArrowRight")
    keys.next_tool(page, "points")
    keys.press(page, "Escape")
    keys.write(page, "#points-Gr", "2")
    keys.write(page, "#points-Gw", "4")
    keys.tab_to(page, "[data-panel=points] summary")
    keys.press(page, "Enter")
    for symbol, label in (("Gr", "gem red"), ("Gw", "gem white"), ("O", "rocket-planet")):
        for language in ("en", "de"):
            keys.write(page, f"#label-{symbol}-{language}", TREE["labels"][label][language])
    keys.next_tool(page, "counts")
    for players in "1234":
        for what in ("dice", "rounds"):
            count = str(TREE[what][players])
            keys.write(page, f"[data-count={what}][data-players='{players}']", count)
    keys.next_tool(page, "names")
    keys.write(page, "[data-text=name][data-language=de]", TREE["name"]["de"])
    keys.write(page, "#level-id", TREE["id"])
    keys.press(page, "Escape")
    expect(page.locator("#grid :focus")).to_have_count(1)


def place_a_die_by_keyboard(page: Page) -> None:
    """Place the first die of a solo game that has begun."""
    party = party_of(page)
    at = ""
    # Few fields can be first: sometimes no die fits, and the bar continues without one.
    while not at:
        before = len(party.loaded.entries)
        keys.tab_to(page, "#_bar button")
        keys.press(page, "Enter")
        wait_until(page, lambda before=before: len(party.loaded.entries) > before)  # type: ignore[misc]
        expect_up_to_date(page, party)
        at = next((fields[0] for fields in party.game.legal().values() if fields), "")
    keys.tab_to(page, ".sheet-grid [data-at]")
    for name in ("d7", "d8", "c9", "b9", "g9", "d1", at):
        keys.go_to(page, name)
    keys.press(page, "Enter")
    # If no other die can be placed, the pass ends and the die becomes a cross.
    placed = {"do": "place", "at": at}
    wait_until(page, lambda: any(placed.items() <= entry.items() for entry in party.loaded.entries))


def check_tree_games(level: Level, noted: Counter[tuple[Any, ...]], players: int) -> None:
    parcel = level.mask(PARCEL)
    assert not level.touching(parcel) & ~parcel
    assert noted["lines", "fields 1", 20]
    # Two and four for each of three candy canes.
    assert noted["gems", "red", 6]
    assert noted["gems", "white", 12]
    assert {points for kind, _key, points, *_ in noted_scores(noted, "gems", "red")} <= {0, 2, 4, 6}
    # Each bauble is a rocket and a planet, with or without a number.
    assert {"c4", "e7"} & {key for kind, key, *_ in noted if kind == "rocket"}
    assert {"c3", "e5", "b9"} & {key for kind, key, *_ in noted if kind == "rocket"}
    if players == 1:
        assert noted["jump", "f9"]
        assert noted["lines", "fields 1", 0]
        assert {passes for kind, passes, *_ in noted if kind == "passes"} == {12}


def noted_scores(noted: Counter[tuple[Any, ...]], category: str, key: str) -> list[tuple[Any, ...]]:
    return [found for found in noted if found[:2] == (category, key)]


@pytest.mark.slow
def test_isles_for_six_on_a_phone(open_page: OpenPage, tmp_path: Path) -> None:
    page = open_page("/workshop/invent/", "phone")
    begin(page, 8, 7, ISLES["name"]["en"])
    make_isles(page)
    assert check_messages(page) == []
    touch_tool(page, "areas")
    expect(page.locator("#area-list button")).to_have_count(5)
    touch_fields(page, "a1")
    expect(page.locator("#area-title")).to_have_text("Points for: Race 1")
    tops = "all => all.map(one => one.getBoundingClientRect().top)"
    assert len(set(page.locator(".uses > :visible").evaluate_all(tops))) == 1
    assert axe_violations(page) == ""
    level = exported(page, ISLES)
    check_simulation(level, tmp_path)
    for players in level.player_counts:
        check_isles_games(level, count_events(level, players, 6), players)
    play_with_bots(page, 6)


def make_isles(page: Page) -> None:
    """Make all of the isles by touch, except for the numbers."""
    for row in ISLES["grid"]:
        for token in row.split():
            page.keyboard.type(token[0])
    touch_tool(page, "crosses")
    touch_fields(page, "e2", "b4", "f5")
    touch_tool(page, "symbols")
    touch(page.locator("#symbol-palette").get_by_role("button", name="flag"))
    touch(page.locator("#colour-palette").get_by_role("button", name="blue flag"))
    touch_fields(page, "h1", "b2", "h4", "b6", "h7")
    touch(page.locator("#symbol-palette").get_by_role("button", name="bomb"))
    touch_fields(page, "d4")
    touch_tool(page, "areas")
    for area in ISLES["areas"]:
        touch(page.get_by_role("button", name="New area"))
        touch_fields(page, *area["fields"])
        pays = area.get("race") or [area["points"]]
        page.locator("#area-points").fill(" ".join(map(str, pays)))
    touch_tool(page, "points")
    page.locator("#points-Fb").fill("10 7 5 3 2")
    page.locator("#points-B").fill("-3")
    touch(page.get_by_label("is never used up"))
    touch_tool(page, "counts")
    for what in ("dice", "rounds"):
        for players, count in ISLES[what].items():
            page.get_by_label(f"{what.title()} for {players}").fill(str(count))
    touch_tool(page, "names")
    page.get_by_label("Name in German").fill(ISLES["name"]["de"])
    page.get_by_label("Short name in files").fill(ISLES["id"])


def touch_fields(page: Page, *names: str) -> None:
    for name in names:
        touch(page.locator(f"#grid [data-at={name}]"))


def touch_tool(page: Page, name: str) -> None:
    touch(page.locator(f"[data-tool={name}]"))


def check_isles_games(level: Level, noted: Counter[tuple[Any, ...]], players: int) -> None:
    dice = new_game(level, ["Bot"] * players, tracked=True).dice_to_roll
    assert dice == {1: 8, 2: 7, 3: 10, 4: 13, 5: 16, 6: 19}[players]
    for number in ("1", "2", "3"):
        race = level.areas[int(number) - 1].race
        ranks = {found[2] for found in noted_scores(noted, "areas", number)} - {0}
        assert ranks <= set(race)
        assert race[0] in ranks
        assert len(ranks) >= min(players, len(race) - 1)
    flags = {found[2] for found in noted_scores(noted, "flags", "blue")}
    assert {10} <= flags <= {0, 10, 7, 5, 3, 2}
    if players == 1:
        assert {passes for kind, passes, *_ in noted if kind == "passes"} == {12}
        assert noted["bombs", "", 2]
    if players == 6:
        # More players complete the shores than there are numbers: the last one is repeated.
        assert noted["areas", "2", 3] > noted["areas", "2", 9]
        assert 0 not in flags
        assert noted["flags", "blue", 2]
        assert noted["bombs", "", -3]


def exported(page: Page, expected: dict[str, Any]) -> Level:
    """Return the level in the editor's file, which must be printable."""
    wait_until_saved(page)
    base = page.url.partition("?")[0]
    content = page.request.get(f"{base}level.json").body()
    document = json.loads(content)
    level = read_level(content)
    # A name is the same in all languages in which nobody has typed another one.
    names = dict.fromkeys(languages(), expected["name"]["en"]) | expected["name"]
    wanted = expected | {"grid": grid_rows(expected), "name": names}
    assert document | {"grid": grid_rows(document)} == wanted
    for more in ("", "?bw=on", "?paper=a5", "?large=on&lang=de"):
        pdf = pypdf.PdfReader(io.BytesIO(page.request.get(f"{base}sheet.pdf{more}").body()))
        language = "de" if "lang=de" in more else "en"
        assert expected["name"][language] in pdf.pages[0].extract_text()
        assert len(pdf.pages) == 1
    assert page.request.get(f"{base}sheet.png").body().startswith(b"\x89PNG")
    return level


def grid_rows(document: dict[str, Any]) -> list[str]:
    return [" ".join(row.split()) for row in document["grid"]]


def check_simulation(level: Level, folder: Path) -> None:
    """Run the command `simulate` on the file with every number of players."""
    file, out = folder / "level.json", io.StringIO()
    file.write_text(json.dumps(level.document), "utf-8")
    options = ("--players", "all", "--games", "2", "--json")
    call_command("simulate", str(file), *options, stdout=out)
    settings = json.loads(out.getvalue())["settings"]
    assert [setting["players"] for setting in settings] == list(level.player_counts)
    assert all(setting["scores"]["best"] > 0 for setting in settings)
    call_command("levels", "--check", str(file), stdout=(checked := io.StringIO()))
    assert json.loads(checked.getvalue())["advice"] == []


def play_with_bots(page: Page, players: int) -> None:
    """Play a whole game against bots at a table and check the results.

    The first acts, and one of each kind, are made on the page, by keyboard. After that the page
    has to follow.
    """
    play = page.get_by_role("main").get_by_role("link", name="Play", exact=True)
    if not play.count():  # a phone has it in the menu
        page.get_by_text("More", exact=True).click()
    play.click()
    page.get_by_role("radio", name=str(players), exact=True).check(force=True)
    page.get_by_role("radio", name="Rolled by the app").check(force=True)
    page.get_by_role("button", name="Start a table").click()
    for left in range(players - 1, 0, -1):
        free = page.get_by_role("group", name="Or let a bot play:")
        expect(free).to_have_count(left)
        free.first.get_by_role("button", name="Medium").click()
    page.get_by_role("button", name="Begin the game").click()
    expect_scripts(page)
    party = party_of(page)
    last, tapped = "", list[str]()
    while party.game.phase != "finished":
        do, at = next_act(party.game)
        if len(tapped) >= MAX_TAPPED_ACTS and do in tapped:
            party.act(do, -1 if do in ("roll", "extra") else 0, at)
            continue
        tapped.append(do)
        revision = party.access().table.revision
        expect_up_to_date(page, party)
        press(page, do, at, nervous=at == last)
        wait_until(page, lambda revision=revision: party.access().table.revision > revision)  # type: ignore[misc]
        last = at
    totals = replayed_totals(party)
    wait_until(page, lambda: shown_totals(page) == totals)
    page.get_by_role("link", name="To the results").click()
    for total in totals:
        expect(page.get_by_role("main")).to_contain_text(str(total).replace("-", "−"))


MAX_TAPPED_ACTS = 12
"""Number of acts made on the page, apart from the first one of each kind."""

BUTTONS = {"roll": "Roll the dice", "extra": "Roll the dice", "drop": "Drop out"}
"""Labels of the buttons by act."""


def next_act(game: Game) -> tuple[str, str]:
    """Return the next act and its field: drop out as soon as allowed, else place a die."""
    if game.phase in ("roll", "extra"):
        return game.phase, ""
    if game.phase == "marking":
        return game.pending()[0].do, game.pending()[0].at[0]
    if game.phase == "return":
        return "return", game.level.names(game.sheets[0].dice)[0]
    if "drop" in game.may():
        return "drop", ""
    return "place", next(fields for fields in game.legal().values() if fields)[0]


def press(page: Page, do: str, at: str, *, nervous: bool) -> None:
    """Do an act by keyboard: the page ignores quick taps on a control that has just changed.

    ``nervous``: wait first, because the page also ignores a second tap on the same field.
    """
    if page.locator("#telling").is_visible():
        page.locator("#telling").click()
    if do in BUTTONS:
        button(page, BUTTONS[do]).press("Enter")
        return
    if nervous:
        page.wait_for_timeout(400)
    field(page, at).press("Enter")


def button(page: Page, name: str) -> Locator:
    """Return one of the buttons below the sheet."""
    begins = re.compile(rf"^\s*{re.escape(name)}\b")
    return page.locator("#_bar").get_by_role("button", name=begins)


def party_of(page: Page) -> Party:
    """Return the table of a page, with the seat of its device."""
    return Party(page.url.split("/table/")[1].split("/")[0], (secret_of_page(page),))
