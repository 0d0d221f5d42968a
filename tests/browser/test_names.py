"""Names in narrow places: shown in full, or at least with their distinguishing number."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

import pytest
from playwright.sync_api import Locator, Page, expect

from sheets.documents import structure
from sheets.levels import find_level
from sheets.scoring import store
from tests.browser.conftest import NewContext, OpenPage
from tests.browser.layout_checks import overflow_px
from tests.browser.table_phones import field, phone
from tests.browser.touch import advance_clock, tap_fields
from tests.dice2_tables import sit_down_for
from tests.score_levels import GARDEN, sheets_document
from tests.table_games import TINY, sit_down

FAMILY = ("Großmutter", "Großmutter 2", "Jürgen", "Mama")
"""Names with a number that distinguishes equal ones."""

PEOPLE = (
    FAMILY,
    ("Player 1", "Player 2", "Player 3", "Player 4"),
    ("نیلوفر مهربان", "نیلوفر مهربان 2", "Oma", "Opa"),
)
"""Groups of names, also of one written from right to left."""

WIDTHS = (390, 360, 320)
"""Widths of phones' screens, in CSS pixels."""

WITH_LONG_NAMES = ("Großmutter Wilhelmine Maximiliane", "Großmutter Wilhelmine Maximiliane 2")
"""Equal names that are longer than any place for them."""

HIDDEN_NUMBERS = """all => all.filter(element => {
  const walk = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  let last;
  while (walk.nextNode()) if (walk.currentNode.data.trim()) last = walk.currentNode;
  const end = last.data.trimEnd().length;
  if (!/\\d/.test(last.data[end - 1])) return false;
  const range = document.createRange();
  range.setStart(last, end - 1);
  range.setEnd(last, end);
  const number = range.getBoundingClientRect();
  for (let box = last.parentElement; box !== element.parentElement; box = box.parentElement) {
    if (getComputedStyle(box).overflowX === "visible") continue;
    const { left, right } = box.getBoundingClientRect();
    if (number.left < left - 1 || number.right > right + 1) return true;
  }
  return !number.width;
}).map(element => element.textContent.trim())"""
"""Script that returns the names whose number is not fully visible."""


@pytest.fixture
def make_scoring(transactional_db: None) -> Callable[[Sequence[str]], str]:
    """Store a scoring for these players and return its path."""

    def make(names: Sequence[str]) -> str:
        text = json.dumps(sheets_document(GARDEN, *({"player": name} for name in names)))
        paper = structure.read_sheets(text.encode(), find_level)
        return f"/score/{store.create_from_paper(paper)}/"

    return make


def expect_numbers(names: Locator, people: Sequence[str]) -> None:
    """Wait until each element shows a name with its number, and nothing else is read aloud."""
    expect(names).to_have_text(people)
    assert names.evaluate_all(HIDDEN_NUMBERS) == []


def narrow(page: Page, width: int) -> Page:
    page.set_viewport_size({"width": width, "height": 700})
    return page


HIDDEN_NAMES = """all => all.filter(name => {
  const range = document.createRange();
  range.selectNodeContents(name);
  const { left, right, top, bottom } = range.getBoundingClientRect();
  for (let box = name.parentElement; box.tagName !== "MAIN"; box = box.parentElement) {
    const { overflowX } = getComputedStyle(box);
    const edge = box.getBoundingClientRect();
    // What can be scrolled to is not cut.
    if (overflowX === "auto" && box.scrollWidth > box.clientWidth) return false;
    if (box.tagName !== "TH" && overflowX === "visible") continue;
    if (left < edge.left - 1 || right > edge.right + 1) return true;
    if (top < edge.top - 1 || bottom > edge.bottom + 1) return true;
  }
  return getComputedStyle(name).textOverflow !== "clip" || left === right;
}).map(name => [name.textContent, innerWidth])"""
"""Script that returns the names that are partly hidden, with the width of the screen."""

ROTATED = "all => all.map(name => getComputedStyle(name).writingMode === 'vertical-rl')"
"""Script that returns for each name whether it is rotated."""

BROKEN_WORD_COUNTS = """all => all.map(name => {
  const text = name.firstChild;
  const words = [...text.data.matchAll(/[^\\s-]+/g)];
  return words.filter(word => {
    const range = document.createRange();
    range.setStart(text, word.index);
    range.setEnd(text, word.index + word[0].length);
    return range.getClientRects().length > 1;
  }).length;
})"""
"""Script that returns the number of broken words of each name."""


def expect_in_full(names: Locator, people: Sequence[str]) -> None:
    """Wait until each element shows a whole name without breaking a word."""
    expect(names).to_have_text(people)
    assert names.evaluate_all(HIDDEN_NAMES) == []
    assert not any(names.evaluate_all(BROKEN_WORD_COUNTS))


SIMILAR_NAMES = (
    "Maximiliane Schulze",
    "Maximiliane Schmidt",
    "Ben",
    "Cem",
    "Maximiliane Schön",
    "Dora",
)
"""Names of which some begin alike."""

VISIBLE_PERCENT = """all => all.map(name => [...name.children].map(part =>
  Math.round(Math.min(part.clientWidth, part.scrollWidth) / part.scrollWidth * 100)))"""
"""Script that returns the visible share of both parts of each name, in percent."""


def test_tabs_show_names_that_begin_alike_in_two_lines(
    open_page: OpenPage, make_scoring: Callable[[Sequence[str]], str]
) -> None:
    path = make_scoring(SIMILAR_NAMES)
    page = open_page(f"{path}1/", "phone")
    shown = page.locator(".tab-name").evaluate_all(VISIBLE_PERCENT)
    assert {part for parts in shown for part in parts} == {100}


LONG_NAMES = ("Maximiliane Charlotte", "Maximilian Christoph", "李小龙", "Ñandú", "ميّادة", "Ben")
"""Long names and names in several scripts."""


def test_results_show_full_names_rotated_in_narrow_columns(
    open_page: OpenPage, make_scoring: Callable[[Sequence[str]], str]
) -> None:
    for count in (2, 4, 6):
        page = open_page(make_scoring(LONG_NAMES[:count]), "phone", "de")
        heads = page.locator(".comparison .column-name")
        for width in (*WIDTHS, 768, 1280):
            narrow(page, width)
            expect_in_full(heads, LONG_NAMES[:count])
            if width in (390, 768, 1280):
                # At 1280 px, the table is next to the podium.
                room = {390: 2, 768: 6, 1280: 4}[width]
                assert set(heads.evaluate_all(ROTATED)) == {count > room}
            assert overflow_px(page) == 0
            assert page.locator(".rank-name bdi").evaluate_all(HIDDEN_NAMES) == []
        # A phone shows all 6 columns at once.
        narrow(page, 390)
        frame = page.locator(".comparison-frame")
        assert frame.evaluate("frame => frame.scrollWidth <= frame.clientWidth")


@pytest.mark.slow
def test_link_to_the_next_sheet_shows_the_full_name_and_stays_in_place(
    open_page: OpenPage, make_scoring: Callable[[Sequence[str]], str]
) -> None:
    path = make_scoring(("Ana", LONG_NAMES[1], LONG_NAMES[0]))
    page = open_page(f"{path}1/", "phone", "de")
    button = page.locator("#_next a")
    for width in (*WIDTHS, 1280):
        narrow(page, width)
        for number, name in ((1, LONG_NAMES[1]), (2, LONG_NAMES[0])):
            page.goto(page.url[: page.url.rindex("/", 0, -1)] + f"/{number}/")
            expect_in_full(button.locator("bdi"), [name])
            before = button.bounding_box()
            # The longest texts of the bar.
            page.locator("#total").evaluate("total => (total.lastChild.data = '188')")
            page.locator("#saving").evaluate(
                "(said, text) => said.textContent = text", LONG_NAMES[0]
            )
            assert button.bounding_box() == before
            tools = page.locator(".score-bar form").bounding_box()
            saving = page.locator("#saving").bounding_box()
            assert before
            assert tools
            assert saving
            assert saving["y"] >= tools["y"] + tools["height"]
            in_one_row = before["y"] < tools["y"] + tools["height"]
            assert in_one_row == (width != 320)


NAME_HEIGHTS = """all => all.map(name => {
  const range = document.createRange();
  range.selectNodeContents(name);
  const box = name.getBoundingClientRect();
  return [box.height, range.getBoundingClientRect().height, Math.round(box.bottom)];
})"""
"""Script that returns the height of each element, the height of its name, and its end."""


def test_rotated_names_take_only_the_height_of_the_longest(
    open_page: OpenPage, make_scoring: Callable[[Sequence[str]], str]
) -> None:
    for longest in ("Alexandra", LONG_NAMES[0]):
        people = ("Jo", "Ben", longest, "Cem")
        page = open_page(make_scoring(people), "phone", "de")
        heads = page.locator(".comparison .column-name")
        expect_in_full(heads, people)
        assert all(heads.evaluate_all(ROTATED))
        for width in WIDTHS:
            narrow(page, width)
            boxes, names, ends = zip(*heads.evaluate_all(NAME_HEIGHTS), strict=True)
            assert max(boxes) <= 8.5 * 16
            # A wrapped name has the maximum height, even if its lines have equal lengths.
            assert max(boxes) - max(names) < 2 or longest == LONG_NAMES[0]
            assert len(set(ends)) == 1
            row = page.locator(".comparison thead tr").bounding_box()
            assert row
            assert row["height"] < max(boxes) + 24
            links = page.locator(".comparison thead a").all()
            assert min(link.bounding_box()["height"] for link in links) >= 44  # type: ignore[index]


TABS = """() => [...document.querySelectorAll(".tabs a")].map(tab => {
  const { left, right, top, width, height } = tab.getBoundingClientRect();
  return { left, right, top, width, height };
})"""
"""Script that returns the position of each tab."""


@pytest.mark.parametrize("place", ["table", "paper"])
def test_all_players_stand_side_by_side_with_their_names(
    live_app: str, new_context: NewContext, make_scoring: Callable[[Sequence[str]], str], place: str
) -> None:
    people = ("Maximilian", "Annemarie", "Ben", "Oma", "Benjamin", "Katharina")
    page = new_context("phone").new_page()
    for count in (2, 3, 4, 5, 6):
        names = people[:count]
        if place == "table":
            party = sit_down(names, "level-6")
            seat = {"name": "dizzle_seat", "value": party.tokens[0], "url": live_app}
            page.context.add_cookies([seat])  # type: ignore[list-item]
            page.goto(f"{live_app}/table/{party.code}/")
        else:
            page.goto(f"{live_app}{make_scoring(names)}1/")
        expect_side_by_side(page, names, has_column=place == "table")


def expect_side_by_side(page: Page, names: Sequence[str], has_column: bool) -> None:
    """Wait until the tabs show the full names in one row, or in two rows for many players.

    With ``has_column``, the tabs of a wide screen are in a column next to the sheet.
    """
    for width in (390, 1280):
        narrow(page, width)
        expect(page.locator(".tabs .tab-name")).to_have_text(names)
        shown = page.locator(".tabs .tab-name").evaluate_all(VISIBLE_PERCENT)
        assert {part for parts in shown for part in parts} == {100}
    for width in (1280, 844, *WIDTHS):
        narrow(page, width)
        assert overflow_px(page) == 0
        tabs = page.evaluate(TABS)
        assert min(tab["height"] for tab in tabs) >= 44
        assert min(tab["left"] for tab in tabs) >= 0
        assert max(tab["right"] for tab in tabs) <= width
        # Each in a fixed place: points never move a neighbour.
        assert max(tab["width"] for tab in tabs) - min(tab["width"] for tab in tabs) < 1
        tops = {round(tab["top"]) for tab in tabs}
        is_wide = width >= 960
        most = 3 if has_column and is_wide else 6 if is_wide else 4
        assert len(tops) == (2 if len(names) > most else 1)


def test_a_phone_held_across_has_room_for_all_names(live_app: str, new_context: NewContext) -> None:
    for count in (3, 4):
        names = ("Maximiliane", "Oma Gertrud", "Annemarie", "Konstantin")[:count]
        page = phone(live_app, new_context, sit_down(names, "level-5"), 0)
        for width, height in ((844, 390), (667, 375)):
            page.set_viewport_size({"width": width, "height": height})
            shown = page.locator(".tabs .tab-name").evaluate_all(VISIBLE_PERCENT)
            assert {part for parts in shown for part in parts} == {100}
            assert len({round(tab["top"]) for tab in page.evaluate(TABS)}) == (
                2 if count == 4 else 1
            )


def test_players_of_dice2_have_room_for_their_names(live_app: str, new_context: NewContext) -> None:
    for count in (2, 3):
        names = ("Maximiliane", "Papa (Bernd)", "Oma Gertrud")[:count]
        page = phone(live_app, new_context, sit_down_for("major", names), 0)
        for width in (390, 320):
            shown = narrow(page, width).locator(".person-name bdi").evaluate_all(VISIBLE_PERCENT)
            assert {part for parts in shown for part in parts} == {100}


@pytest.mark.slow
def test_scored_sheets_show_the_number(
    open_page: OpenPage, make_scoring: Callable[[Sequence[str]], str]
) -> None:
    for people in (*PEOPLE, WITH_LONG_NAMES):
        path = make_scoring(people)
        page = open_page(f"{path}1/", "phone", "de")
        for width in WIDTHS:
            narrow(page, width)
            expect_numbers(page.locator(".tab-name"), people)
        page.goto(page.url.replace("/1/", "/"))
        for width in WIDTHS:
            narrow(page, width)
            expect_in_full(page.locator(".comparison .column-name"), people)
            assert page.locator(".rank-name bdi").evaluate_all(HIDDEN_NAMES) == []
            assert overflow_px(page) == 0
        heads = page.get_by_role("columnheader", name=people[1], exact=True)
        expect(heads).to_have_count(1)


def test_tally_shows_the_number(open_page: OpenPage) -> None:
    page = open_page("/tally/", "phone")
    page.locator("label", has=page.locator("[name=players][value='4']")).click()
    heads = page.locator(".result thead bdi")
    expect(heads).to_have_count(4)
    frame = page.locator(".result .scroll-x")
    assert frame.evaluate("frame => frame.scrollWidth <= frame.clientWidth")  # all four are visible
    for width in WIDTHS:
        narrow(page, width)
        expect_in_full(heads, PEOPLE[1])
    page.locator("details.player summary").nth(1).click()
    page.locator("[name=p1-name]").fill("Großmutter 2")
    expect(heads.nth(1)).to_have_text("Großmutter 2")
    assert heads.evaluate_all(HIDDEN_NAMES) == []


@pytest.mark.slow
def test_tables_show_the_number(live_app: str, new_context: NewContext) -> None:
    for people in PEOPLE:
        party = sit_down(people, TINY)
        page = phone(live_app, new_context, party, 0)
        tv = new_context("desktop", viewport={"width": 1024, "height": 700}).new_page()
        tv.goto(f"{live_app}/table/{party.code}/screen/")
        for width in WIDTHS:
            expect_numbers(narrow(page, width).locator(".people .tab-name"), people)
        expect_numbers(tv.locator(".screen-name"), people)
        while party.game.phase != "finished":
            party.act("end_pass", by=0)
        page.goto(f"{live_app}/table/{party.code}/")
        for width in WIDTHS:
            expect_in_full(narrow(page, width).locator(".comparison .column-name"), people)
        expect_numbers(tv.locator(".screen-name"), people)


def test_dice2_shows_the_number(live_app: str, new_context: NewContext) -> None:
    for people in PEOPLE:
        party = sit_down_for("relay", people[:3], target=5)
        page = phone(live_app, new_context, party, 0)
        for width in WIDTHS:
            expect_numbers(narrow(page, width).locator(".person-name bdi"), people[:3])
            expect_in_full(page.locator(".column-name"), people[:3])


AWKWARD_NAMES = ("<b>Ana</b>", "نیلوفر")
"""A name that looks like HTML, and one that is written from right to left."""


def expect_marked(sentence: Locator, text: str, *names: str) -> None:
    """Wait until an element has this text, and the names in it are marked and whole."""
    expect(sentence).to_have_text(text)
    assert sentence.locator("bdi[translate=no]").all_text_contents() == list(names)
    assert sentence.locator("*").count() == len(names)


def test_scripts_mark_awkward_names_in_refusals(live_app: str, new_context: NewContext) -> None:
    party = sit_down_for("four-wins", AWKWARD_NAMES)
    for turn, die, at in ((0, 3, "e5"), (1, 4, "f5")):
        page = phone(live_app, new_context, party, 1 - turn)
        field(page, "d5").click()
        name = AWKWARD_NAMES[turn]
        expect_marked(page.locator("#refusal"), f"It is {name}’s turn", name)
        party.act("place", turn, at, die=die)


def test_scripts_mark_awkward_names_in_results_without_network(open_page: OpenPage) -> None:
    page = open_page("/score/here/level-1/", "phone")
    page.locator(".who [name=count][value='2']").check()
    for number, name in enumerate(AWKWARD_NAMES, start=1):
        page.get_by_label(f"Name of player {number}").fill(name)
    page.get_by_role("button", name="To the sheets").click()
    tap_fields(page, "a1")
    page.get_by_role("button", name=f"Next: {AWKWARD_NAMES[1]}").click()
    expect_marked(page.locator("#score-title"), f"Score of {AWKWARD_NAMES[1]}", AWKWARD_NAMES[1])
    advance_clock(page)
    tap_fields(page, "a1")
    both = " and ".join(AWKWARD_NAMES)
    verdict = f"Tied on points and crosses: {both} share the win."
    expect_marked(page.locator(".verdict"), verdict, *AWKWARD_NAMES)
