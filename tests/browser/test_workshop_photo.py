"""Photo of an unknown empty sheet on a phone, which becomes a level."""

from __future__ import annotations

import io
import re
from collections import Counter
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Locator, Page, expect

from sheets.text.languages import languages
from sheets.workshop import empty_sheets
from sheets.workshop.photo_result import EmptySheetContent
from tests.browser.axe import axe_violations
from tests.browser.conftest import OpenPage
from tests.browser.layout_checks import small_targets
from tests.browser.polling import end_animations, wait_until
from tests.browser.test_photos import READ_TIMEOUT_MS
from tests.browser.workshop_keys import press, tab_to
from tests.browser.workshop_page import place, rows, wait_until_saved
from tests.vision.empty_sheet_shots import take_empty_sheet
from tests.workshop.test_empty_sheets import PARTS

pytestmark = pytest.mark.usefixtures("photos_read_once")

SEED = 3
"""Seed of the photographed sheet."""

KINDS = ("Gy", "B", "Kr", "Lr", "Jg", "Gb", "R", "Fg", "Gr", "Lb")
"""Names given to the symbols of the sheet, by their numbers."""

MAX_TAPS, MAX_GATHERING_TAPS = 90, 40
"""Maximum number of taps for the whole sheet, and of those for its symbols."""

MAX_LEFT = 2
"""Maximum number of wrong fields before the comparison."""

QUESTION_DELAY_MS = 500
"""Time for which a question ignores answers, so that it takes no double tap."""

ARE_VISIBLE = """
    (names) => names.every((name) => {
      const field = document.querySelector(`#grid [data-at=${name}]`).getBoundingClientRect();
      const panels = document.getElementById("panels").getBoundingClientRect();
      return field.top >= 0 && field.bottom <= panels.top;
    })"""
"""Script that returns whether fields are on the screen and above the panel."""


def true_grid() -> dict[str, str]:
    """Return the true content of each field, as in a level's grid."""
    true = take_empty_sheet(SEED).page.fields
    left, top = (min(place[i] for place in true) for i in (0, 1))
    return {
        f"{chr(ord('a') + x - left)}{y - top + 1}": (
            f"{one.digit or '-'}{'' if one.symbol is None else KINDS[one.symbol]}"
        )
        for (x, y), one in true.items()
    }


class TapCounter:
    """Taps elements and counts the taps."""

    def __init__(self, page: Page) -> None:
        self.page, self.taps = page, 0

    def tap(self, what: str | Locator) -> None:
        place = self.page.locator(what) if isinstance(what, str) else what
        place.tap()
        self.taps += 1

    def next_step(self) -> None:
        """Go to the next step when everything is saved."""
        wait_until_saved(self.page)
        step = self.page.url
        end_animations(self.page.locator("#next-step"))
        self.tap("#next-step")
        self.page.wait_for_url(lambda url: url != step)
        expect(self.page.locator("#draft")).to_have_attribute("data-drawn", "")


def photograph(page: Page, folder: Path) -> None:
    path = folder / "IMG_1.jpg"
    path.write_bytes(take_empty_sheet(SEED).shot.jpeg)
    page.set_input_files("#photo", str(path))
    page.wait_for_url(re.compile("/guide/size/$"), timeout=READ_TIMEOUT_MS)


def enter_numbers(thumb: TapCounter, true: dict[str, str]) -> None:
    """Answer the questions about numbers."""
    at = thumb.page.locator("#cursor-name")
    while thumb.page.locator(".art-field.open").count():
        name = at.inner_text().partition(":")[0]
        thumb.tap(f"[data-number='{true.get(name, '.')[0]}']")
        expect(thumb.page.locator(f".art-field.open[data-field={name}]")).to_have_count(0)


def name_kinds(thumb: TapCounter, true: dict[str, str]) -> None:
    """Name each kind by its most frequent symbol; take out the fields with other symbols."""
    page = thumb.page
    crops = page.locator("#crops .crop")
    while crops.count():
        names = [str(crop.get_attribute("data-at")) for crop in crops.all()]
        kinds = {name: true[name][1:] if name in true else "." for name in names}
        ((kind, _count),) = Counter(kinds.values()).most_common(1)
        for name in names:
            if kinds[name] != kind:
                thumb.tap(f"#crops [data-at={name}]")
        page.clock.fast_forward(QUESTION_DELAY_MS)
        known = page.locator(f"#gather-known [data-look='{kind}']")
        if kind in ("", "."):
            thumb.tap(f"[data-gather={'hole' if kind else 'nothing'}]")
        elif known.is_visible():
            thumb.tap(known)
        else:
            thumb.tap(f"[data-letter={kind[0]}]")
            if kind[1:]:
                page.clock.fast_forward(QUESTION_DELAY_MS)
                thumb.tap(f"#gather-colours [data-look={kind}]")
        wait_until_saved(page)


@pytest.mark.slow
def test_sheet_is_entered_from_its_photo(open_page: OpenPage, tmp_path: Path) -> None:
    page = open_page("/workshop/", "phone", "de", has_clock=True)
    thumb, true = TapCounter(page), true_grid()
    thumb.tap("a[href='/workshop/own/']")
    photograph(page, tmp_path)
    thumb.taps += 3  # the camera, its shutter, and its confirmation
    thumb.next_step()
    assert not small_targets(page)
    enter_numbers(thumb, true)
    thumb.next_step()
    assert not small_targets(page)
    before = thumb.taps
    name_kinds(thumb, true)
    assert thumb.taps - before <= MAX_GATHERING_TAPS
    thumb.next_step()  # arrows
    while "/points/" not in page.url:
        thumb.next_step()  # areas, if any or arrows were found
    thumb.tap("#points-usual")
    thumb.next_step()  # dice and rounds
    thumb.next_step()  # the comparison with the paper
    assert thumb.taps <= MAX_TAPS, thumb.taps
    entered = [row.split() for row in rows(page)]
    names = {
        f"{chr(ord('a') + x)}{y + 1}": written
        for y, row in enumerate(entered)
        for x, written in enumerate(row)
        if written != "."
    }
    wrong = {name for name in {*names, *true} if names.get(name) != true.get(name)}
    assert len(wrong) <= MAX_LEFT, wrong


def test_two_quick_taps_on_send_it_again_leave_no_photo(
    open_page: OpenPage, page_errors: list[str], tmp_path: Path
) -> None:
    page = open_page("/workshop/own/", "phone")
    page.route("**/photos/read/", lambda route: route.abort())
    path = tmp_path / "IMG_1.jpg"
    Image.effect_noise((640, 640), 120).save(path)  # neither dark nor blurred
    page.set_input_files("#photo", str(path))
    again, lines = page.locator("#sending .again"), page.locator("#sending li")
    expect(again).to_be_visible()
    again.dblclick()
    expect(lines).to_have_count(1)
    expect(again).to_be_visible()
    page.wait_for_timeout(QUESTION_DELAY_MS)
    page.locator("#sending .drop").tap()
    expect(lines).to_have_count(0)
    page_errors.clear()  # Chromium logs the requests that never arrived


def test_entered_sheet_can_be_continued_or_entered_again(
    open_page: OpenPage, live_app: str, tmp_path: Path
) -> None:
    page = open_page("/workshop/own/", "phone")
    photograph(page, tmp_path)
    first = page.url
    ways = page.locator("#sending .ways-on .button")
    said = ["Go on with “My sheet”", "Enter it as another one"]
    for number, is_same in enumerate((True, False)):
        page.goto(f"{live_app}/workshop/own/")
        page.set_input_files("#photo", str(tmp_path / "IMG_1.jpg"))
        expect(ways).to_have_text(said, timeout=READ_TIMEOUT_MS)
        if is_same:
            expect(page.locator("#sending progress")).to_be_hidden()
            assert axe_violations(page) == ""
            assert not small_targets(page)
        ways.nth(number).tap()
        page.wait_for_url("**/guide/size/")
        assert (page.url == first) is is_same


def test_answer_for_one_symbol_applies_to_all_similar_ones(open_page: OpenPage) -> None:
    names = [f"{letter}{row}" for row in (1, 2, 3) for letter in "abcd"]
    lone = ["b1", "d1", "a2", "c3"]
    seen = EmptySheetContent(
        columns=4,
        rows=3,
        digits={name: 0 if name in lone else 3 for name in names},
        asked=[*lone, "d3"],
        shifts=[0.0] * 3,
        groups=[[name for name in names if name not in lone], lone],
    )
    pad = empty_sheets.begin({"en": "Pad"}, PARTS._replace(seen=seen))
    page = open_page(f"/workshop/{pad}/guide/numbers/", "phone")
    open_fields, offer = page.locator(".art-field.open"), page.locator("#asked-alike")
    expect(open_fields).to_have_count(5)
    expect(offer).to_be_hidden()
    page.locator("[data-number='-']").tap()
    expect(offer).to_have_text("no number: the 3 others that look like b1, too")
    expect(page.locator("#cursor-name")).to_have_text("d1: not entered yet")
    # The next question is shown; its answer keeps the offer.
    page.locator("[data-number='3']").tap()
    expect(offer).to_have_text("no number: the 2 others that look like b1, too")
    wait_until_saved(page)
    page.locator("#undo").tap()
    assert axe_violations(page) == ""
    assert not small_targets(page)
    offer.tap()
    # The last one has an uncertain digit: it has its own question.
    expect(open_fields).to_have_count(1)
    expect(page.locator("#cursor-name")).to_have_text("d3: not entered yet")
    expect(offer).to_be_hidden()
    assert rows(page) == ["3 - 3 -", "- 3 3 3", "3 3 - ?"]
    wait_until_saved(page)
    page.locator("#undo").tap()
    expect(open_fields).to_have_count(4)
    expect(offer).to_have_text("no number: the 3 others that look like b1, too")
    page.locator("#undo").tap()
    expect(open_fields).to_have_count(5)
    expect(offer).to_be_hidden()


def test_next_button_says_how_many_numbers_are_missing(open_page: OpenPage) -> None:
    page = open_page(
        f"/workshop/{empty_sheets.begin({'en': 'Pad'}, PARTS)}/guide/numbers/", "phone"
    )
    on = page.locator("#next-step")
    expect(on).to_have_text("Next › 2 still open")
    height = on.evaluate("one => one.offsetHeight")
    page.locator("[data-number='3']").tap()
    expect(on).to_have_text("Next › 1 still open")
    assert axe_violations(page) == ""
    page.locator("[data-number='4']").tap()
    expect(on).to_have_text("Next ›")
    assert on.evaluate("one => one.offsetHeight") == height
    page.locator("#undo").tap()
    expect(on).to_have_text("Next › 1 still open")


def test_double_tap_does_not_skip_the_next_step(open_page: OpenPage) -> None:
    page = open_page(f"/workshop/{empty_sheets.begin({'en': 'Pad'}, PARTS)}/guide/arrows/", "phone")
    # The page this long after loading by its own clock, however slow the test is.
    hit = """ms => {
        const next = document.querySelector("#next-step");
        next.style.animation = "none";
        next.scrollIntoView({ block: "center" });
        next.getBoundingClientRect();
        next.style.animation = "";
        const [shown] = next.getAnimations();
        shown.pause();
        shown.currentTime = ms;
        const { x, y, width, height } = next.getBoundingClientRect();
        return next.contains(document.elementFromPoint(x + width / 2, y + height / 2));
    }"""
    assert [page.evaluate(hit, ms) for ms in (0, 350, 600, 700)] == [False, False, False, True]


def test_name_is_asked_in_the_users_language_and_used_for_all(open_page: OpenPage) -> None:
    for language in ("en", "de"):
        key = empty_sheets.begin(dict.fromkeys(languages(), "Pad"), PARTS)
        page = open_page(f"/workshop/{key}/guide/size/", "phone", language=language)
        names = page.locator("[data-text=name]")
        expect(names.first).to_have_attribute("data-language", language)
        names.first.fill("Isola")
        expect(names.last).to_have_value("Isola")
        last = str(names.last.get_attribute("data-language"))
        names.last.fill("Island")
        names.first.fill("Insel")
        said = dict.fromkeys(languages(), "Insel") | {last: "Island"}
        assert wait_until_saved(page)["name"] == said


def test_sheet_stays_in_sight_and_a_colour_leads_back_to_symbols(open_page: OpenPage) -> None:
    url = f"/workshop/{empty_sheets.begin({'en': 'Pad'}, PARTS)}/guide/gather/"
    page = open_page(url, "phone", has_clock=True)
    page.set_viewport_size({"width": 320, "height": 640})
    page.goto(page.url)
    expect(page.locator("#crops .crop")).to_have_count(3)
    page.wait_for_function(ARE_VISIBLE, arg=["a1", "b1", "c1"])
    page.clock.fast_forward(QUESTION_DELAY_MS)
    page.locator("[data-letter=G]").tap()
    expect(page.locator("#gather-colours")).to_be_visible()
    expect(page.locator("#gather-symbols")).to_be_hidden()
    page.locator("#gather-other").tap()
    expect(page.locator("#gather-colours")).to_be_hidden()
    page.clock.fast_forward(QUESTION_DELAY_MS)
    page.locator("[data-letter=B]").tap()
    expect(page.locator("#gather-other")).to_be_hidden()
    assert rows(page)[0] == "1B 5B 2B 3"
    # Earlier answers come first for the next kinds, each shown by one of its fields.
    same = page.locator("#gather-known [data-look=B]")
    expect(same).to_have_attribute("data-at", "c1")
    printed, ours = (same.locator(part).bounding_box() for part in ("canvas", "svg"))
    assert printed
    assert ours
    assert printed["x"] + printed["width"] <= ours["x"]
    assert min(printed["width"], ours["width"]) >= 36
    assert axe_violations(page) == ""
    assert not small_targets(page)
    page.clock.fast_forward(QUESTION_DELAY_MS)
    same.tap()
    wait_until_saved(page)
    assert rows(page)[:2] == ["1B 5B 2B 3B", "4B ? . 2"]


def test_photo_is_shown_above_the_questions_about_size(open_page: OpenPage) -> None:
    page = open_page(f"/workshop/{empty_sheets.begin({'en': 'Pad'}, PARTS)}/guide/size/", "phone")
    expect(page.locator("#draft")).to_have_attribute("data-drawn", "")
    order = ["h1", ".turn button", "#draft", "#columns", "#next-step"]
    boxes = [page.locator(one).bounding_box() for one in order]
    tops = [box["y"] for box in boxes if box]
    assert tops == sorted(tops)
    assert len(tops) == len(order)
    assert tops[2] < 844 * 2 / 3
    assert axe_violations(page) == ""
    assert not small_targets(page)


def test_kinds_are_named_by_keyboard_without_a_way_back(open_page: OpenPage) -> None:
    page = open_page(
        f"/workshop/{empty_sheets.begin({'en': 'Pad'}, PARTS)}/guide/gather/", has_clock=True
    )
    expect(page.locator("#crops .crop")).to_have_count(3)
    page.clock.fast_forward(QUESTION_DELAY_MS)
    page.locator("[data-letter=G]").press("Enter")
    colour = page.locator("#gather-colours button").first
    expect(colour).to_be_focused()
    page.clock.fast_forward(QUESTION_DELAY_MS)
    page.keyboard.press("Enter")
    expect(page.locator("#crops .crop")).to_have_count(2)
    expect(page.locator("#gather-known button").first).to_be_focused()
    page.locator("#kinds button").nth(2).press("Enter")
    expect(page.locator("#kinds [aria-pressed=true]")).to_be_focused()


def test_answer_nothing_for_a_kind_can_be_undone_and_repeated(open_page: OpenPage) -> None:
    page = open_page(
        f"/workshop/{empty_sheets.begin({'en': 'Pad'}, PARTS)}/guide/gather/",
        "phone",
        has_clock=True,
    )
    crops, kinds = page.locator("#crops .crop"), page.locator("#kinds .is-said")
    expect(crops).to_have_count(3)

    def say(what: str) -> None:
        page.clock.fast_forward(QUESTION_DELAY_MS)
        page.locator(what).tap()
        wait_until_saved(page)

    crops.nth(1).tap()
    say("[data-gather=nothing]")
    expect(crops).to_have_count(1)  # the fields taken out
    say("[data-gather=nothing]")
    expect(kinds).to_have_count(1)
    page.locator("#undo").tap()
    expect(page.locator("#told")).to_have_text("Undone: nothing on a1, b1, c1.")
    expect(kinds).to_have_count(0)
    expect(crops).to_have_count(1)
    page.locator("#undo").tap()
    expect(page.locator("#told")).to_have_text("Undone: nothing on a1, c1.")
    expect(crops).to_have_count(3)
    expect(page.locator("#undo")).to_have_attribute("aria-disabled", "true")
    for _ in range(2):
        page.locator("#redo").tap()
        wait_until_saved(page)
    expect(kinds).to_have_count(1)
    # A symbol removed by the answer "nothing" returns with one press.
    page.locator("#kinds button").nth(1).tap()
    say("[data-letter=B]")
    page.locator("#kinds button").nth(1).tap()
    say("[data-gather=nothing]")
    assert rows(page)[:2] == ["1 5 2 3", "4 ? . 2"]
    expect(kinds).to_have_count(2)
    page.locator("#undo").tap()
    wait_until_saved(page)
    assert rows(page)[:2] == ["1 5 2 3B", "4B ? . 2"]


def test_step_begins_at_its_title_and_a_list_is_one_tab_stop(open_page: OpenPage) -> None:
    page = open_page(f"/workshop/{empty_sheets.begin({'en': 'Pad'}, PARTS)}/guide/numbers/")
    page.locator("#next-step").press("Enter")
    expect(page.locator("h1")).to_be_focused()
    crops = page.locator("#crops .crop")
    expect(crops).to_have_count(3)
    tab_to(page, "#crops .crop")
    expect(crops.nth(0)).to_be_focused()
    press(page, "ArrowRight", "Enter")
    expect(crops.nth(1)).to_be_focused()
    expect(crops.nth(1)).to_have_attribute("aria-pressed", "false")
    press(page, "Tab", "Shift+Tab")
    expect(crops.nth(1)).to_be_focused()
    press(page, "End", "ArrowRight")
    expect(crops.nth(2)).to_be_focused()
    press(page, "Shift+Tab", "Shift+Tab")
    expect(page.locator("#kinds [aria-pressed=true]")).to_be_focused()
    tab_to(page, "#next-step", most=30)


MIDDLE = """
    (canvas) => {
      const pen = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
      pen.drawImage(canvas, -canvas.width / 2, -canvas.height / 2);
      return [...pen.getImageData(0, 0, 1, 1).data];
    }"""
"""Script that returns the colour in the middle of a canvas."""


def coloured_picture() -> bytes:
    """Return the picture of the empty sheet of `PARTS`, each place in its own colour."""
    picture = Image.new("RGB", (448, 320))
    for x in range(-1, 6):
        for y in range(-1, 4):
            left, top = 64 + x * 64, 64 + y * 64
            picture.paste((x * 40 + 40, y * 60 + 60, 0), (left, top, left + 64, top + 64))
    file = io.BytesIO()
    picture.save(file, "WEBP", lossless=True)
    return file.getvalue()


def test_picture_detail_is_shown_next_to_questions_about_points(open_page: OpenPage) -> None:
    pad = empty_sheets.begin({"en": "Pad"}, PARTS._replace(picture=coloured_picture()))
    page = open_page(f"/workshop/{pad}/guide/arrows/", "phone", has_clock=True)

    def shown(canvas: str, place: tuple[int, int]) -> None:
        colour = [place[0] * 40 + 40, place[1] * 60 + 60, 0, 255]
        wait_until(page, lambda: page.locator(canvas).evaluate(MIDDLE) == colour)

    page.locator("[data-edge='row 1']").tap()
    shown("#line-crop-last", (4, 0))
    shown("#line-crop-first", (-1, 0))
    page.locator("[data-edge='column b']").tap()
    shown("#line-crop-last", (1, 3))
    shown("#line-crop-first", (1, -1))
    assert axe_violations(page) == ""
    assert not small_targets(page)
    wait_until_saved(page)
    page.goto(page.url.replace("arrows", "gather"))
    expect(page.locator("#crops .crop")).to_have_count(3)
    page.locator("#kinds button").nth(1).tap()
    page.clock.fast_forward(QUESTION_DELAY_MS)
    page.locator("[data-letter=B]").tap()
    wait_until_saved(page)
    page.goto(page.url.replace("gather", "points"))
    shown(".point-row:has([data-symbol=B]) canvas", (3, 0))
    assert axe_violations(page) == ""
    assert not small_targets(page)


def test_offered_areas_are_shown_on_the_sheet_and_taken_without_points(open_page: OpenPage) -> None:
    wide = 26
    names = [f"{chr(ord('a') + x)}{y}" for y in (1, 2) for x in range(wide)]
    area = ["y1", "z1", "y2", "z2"]
    seen = EmptySheetContent(
        columns=wide,
        rows=2,
        digits=dict.fromkeys(names, 3),
        asked=[],
        shifts=[0.0, 0.0],
        groups=[names],
        areas=[["a1", "b1"], area],
    )
    pad = empty_sheets.begin({"en": "Pad"}, PARTS._replace(seen=seen))
    page = open_page(f"/workshop/{pad}/guide/areas/", "phone")
    expect(page.locator(".offered-line")).to_have_count(2)
    expect(page.locator(".offered-letter").first).to_be_in_viewport()
    for name in area:
        expect(place(page, name)).not_to_be_in_viewport()
    page.get_by_role("button", name="Add area B (4 fields)").tap()
    points = page.locator("#area-points")
    expect(points).to_be_focused()
    expect(points).to_have_value("")
    for name in area:
        expect(place(page, name)).to_be_in_viewport()
    assert wait_until_saved(page)["areas"] == [{"fields": area}]
    expect(page.locator("#check-list")).to_contain_text("Area 1 has no points yet.")
    # A tap here would be ignored: the button for the area was at this place.
    page.locator(".pad:visible [data-pad='7']").press("Space")
    assert wait_until_saved(page)["areas"] == [{"fields": area, "points": 7}]
    # A tap on the sheet accepts the area that is shown there.
    page.reload()
    place(page, "b1").tap()
    expect(page.locator(".offered-line")).to_have_count(0)
    assert wait_until_saved(page)["areas"][1] == {"fields": ["a1", "b1"]}


def test_no_points_are_entered_at_an_arrow_before_the_user_types(open_page: OpenPage) -> None:
    pad = empty_sheets.begin({"en": "Pad"}, PARTS)
    page = open_page(f"/workshop/{pad}/guide/arrows/", "phone")
    page.locator("[data-edge='row 1']").tap()
    points = page.locator("#line-points")
    expect(points).to_be_focused()
    expect(points).to_have_value("")
    expect(page.locator("#line-remove")).to_be_disabled()
    page.locator("[data-edge='column b']").tap()
    page.locator(".pad:visible [data-pad='8']").tap()
    assert wait_until_saved(page)["lines"] == [{"column": "b", "points": 8}]
    page.get_by_role("button", name="Other fields that pay together").tap()
    for name in ("a1", "c1"):
        place(page, name).tap()
    expect(page.locator(".art-field.chosen")).to_have_count(2)
    assert "fields" not in str(wait_until_saved(page)["lines"])
    page.locator(".pad:visible [data-pad='4']").tap()
    assert wait_until_saved(page)["lines"][1:] == [{"fields": ["a1", "c1"], "points": 4}]


def test_empty_points_are_marked_only_in_visited_inputs(open_page: OpenPage) -> None:
    pad = empty_sheets.begin({"en": "Pad"}, PARTS)
    page = open_page(f"/workshop/{pad}/guide/gather/", "phone", has_clock=True)
    page.locator("#kinds button").nth(1).tap()
    page.clock.fast_forward(QUESTION_DELAY_MS)
    page.locator("[data-letter=B]").tap()
    wait_until_saved(page)
    page.goto(page.url.replace("gather", "points"))
    points = page.locator("[data-symbol=B]")
    before = points.evaluate("(input) => getComputedStyle(input).backgroundColor")
    for key in ("3", "Backspace", "Tab"):
        points.press(key)
    expect(points).not_to_have_css("background-color", before)
    page.reload()
    expect(points).to_have_css("background-color", before)


LINES_OF_FIRST_WORD = """
    (label) => {
      const range = document.createRange();
      const end = label.firstChild.data.trim().indexOf(" ");
      range.setStart(label.firstChild, 0);
      range.setEnd(label.firstChild, end);
      return new Set([...range.getClientRects()].map(({ top }) => top)).size;
    }"""
"""Script that returns the number of lines of a label's first word."""


def test_long_names_of_symbols_are_not_broken_in_the_middle(open_page: OpenPage) -> None:
    pad = empty_sheets.begin({"en": "Pad"}, PARTS)
    page = open_page(f"/workshop/{pad}/guide/gather/", "phone", "de", has_clock=True)
    page.locator("#kinds button").nth(1).tap()
    for key in ("[data-letter=G]", "#gather-colours [data-look=Go]"):
        page.clock.fast_forward(QUESTION_DELAY_MS)
        page.locator(key).tap()
    wait_until_saved(page)
    page.goto(page.url.replace("gather", "points"))
    label = page.locator("label[for=points-Go]")
    expect(label).to_contain_text(re.compile("orangefarbener", re.IGNORECASE))
    assert label.evaluate(LINES_OF_FIRST_WORD) == 1


def test_progress_of_the_photo_is_in_sight_on_a_phone(open_page: OpenPage, tmp_path: Path) -> None:
    page = open_page("/workshop/own/", "phone", "de")
    page.route("**/photos/read/", lambda _route: None)  # is on its way
    path = tmp_path / "IMG_1.jpg"
    path.write_bytes(take_empty_sheet(SEED).shot.jpeg)
    page.set_input_files("#photo", str(path))
    line = page.locator("#sending li")
    expect(line.locator("img")).to_be_in_viewport(ratio=1)
    expect(line.locator("progress")).to_be_in_viewport(ratio=1)


def test_excluded_field_looks_different_from_selected_ones(open_page: OpenPage) -> None:
    pad = empty_sheets.begin({"en": "Pad"}, PARTS)
    page = open_page(f"/workshop/{pad}/guide/gather/", "phone")
    place(page, "a1").tap()
    colour = "(field) => getComputedStyle(field.querySelector('.paper')).stroke"
    out, chosen = page.locator(".art-field.cursor"), page.locator(".art-field.chosen").first
    expect(out).to_have_attribute("data-field", "a1")
    assert out.evaluate(colour) != chosen.evaluate(colour)


def test_a_sheet_without_a_name_is_asked_for_it_at_the_end(open_page: OpenPage) -> None:
    pad = empty_sheets.begin({"en": "My sheet 2", "de": "Mein Blatt 2"}, PARTS)
    page = open_page(f"/workshop/{pad}/guide/done/", "phone")
    page.get_by_role("link", name="Name it").tap()
    expect(page.locator("#columns")).to_have_value("4")
    page.get_by_label("Name in English").fill("Old Mill")
    wait_until_saved(page)
    page.goto(page.url.replace("size", "done"))
    expect(page.get_by_role("heading", name="Almost done")).to_be_visible()
    expect(page.get_by_text("It is still called")).to_have_count(0)


def test_answer_for_a_kind_can_be_undone_and_is_shown_elsewhere(open_page: OpenPage) -> None:
    gathering = f"/workshop/{empty_sheets.begin({'en': 'Pad'}, PARTS)}/guide/gather/"
    page = open_page(gathering, has_clock=True)
    crops = page.locator("#crops .crop")
    expect(crops).to_have_count(3)
    crops.nth(1).click()
    page.clock.fast_forward(QUESTION_DELAY_MS)
    page.locator("[data-gather=printed]").click()
    # The fields taken out are the next question, then other similar fields.
    expect(crops).to_have_count(1)
    expect(crops).to_have_attribute("data-at", "b1")
    page.clock.fast_forward(QUESTION_DELAY_MS)
    page.locator("[data-gather=nothing]").click()
    expect(crops).to_have_count(2)
    page.locator("#gather-flip").click()
    expect(page.locator("#crops [aria-pressed=true]")).to_have_count(0)
    page.clock.fast_forward(QUESTION_DELAY_MS)
    page.locator("#gather-flip").click()
    expect(page.locator("#crops [aria-pressed=true]")).to_have_count(2)
    # Another field is added by a tap.
    place(page, "b3").click()
    page.clock.fast_forward(QUESTION_DELAY_MS)
    page.locator("[data-letter=B]").click()
    expect(crops).to_have_count(2)
    assert rows(page) == ["1x 5 2x 3B", "4B ? . 2", ". 3B ? ."]
    other = open_page(gathering, "desktop", has_clock=True)
    expect(other.locator("#kinds .is-said")).to_have_count(2)
    page.locator("#undo").click()
    expect(page.locator("#kinds .is-said")).to_have_count(1)
    assert rows(page) == ["1x 5 2x 3", "4 ? . 2", ". 3 ? ."]
