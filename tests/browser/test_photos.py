"""Photos of filled sheets on a phone: sent, checked, scored."""

from __future__ import annotations

import base64
import io
import json
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import pytest
from PIL import Image, ImageFilter
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import Locator, Page, Route, expect

from sheets.levels import shipped_levels
from sheets.models import Scoring, SheetPicture
from sheets.scoring import store
from tests.browser.axe import axe_violations_in_both_themes
from tests.browser.conftest import OpenPage
from tests.browser.layout_checks import overflow_px, small_targets
from tests.browser.polling import wait_until
from tests.photos.photo_forms import true_marks
from tests.vision.shots import cover_markers, take, to_jpeg
from tests.vision.test_decoding import large_gif, large_jpeg, large_webp, png_header

pytestmark = pytest.mark.usefixtures("photos_read_once")

PAGE = "/score/photos/"
"""Address of the page for photos."""

RESULTS = re.compile(r"/score/[\w-]{20,}/$")
"""Address of the page with the results."""

MAX_TAPS = 12
"""Maximum number of taps for four sheets."""

TEXT_COLOUR = "getComputedStyle(document.querySelector('h1')).color"
"""Script that returns the colour of the text."""

QUESTION_DELAY_MS = 400
"""Time for which a question ignores answers after it appears."""

ATTEMPTS, ATTEMPT_MS = 5, 5_000
"""Number of taps on an answer, and the time after which a tap counts as dropped."""

READ_TIMEOUT_MS = 300_000
"""Maximum time until a photo is read, on a busy machine."""


@pytest.fixture
def photos(tmp_path: Path) -> list[str]:
    """Paths of two photos of two sheets each."""
    return save_photos(tmp_path, 4, 9)


def save_photos(tmp_path: Path, *seeds: int) -> list[str]:
    """Save a photo of two sheets for each seed; return the paths."""
    paths = []
    for seed in seeds:
        path = tmp_path / f"IMG_{seed}.jpg"
        path.write_bytes(take("level-3", "level-3", seed=seed).jpeg)
        paths.append(str(path))
    return paths


def with_large_metadata(jpeg: bytes) -> bytes:
    """Insert 120 kB of metadata into a JPEG before its size."""
    part = b"\xff\xe1" + (60_002).to_bytes(2, "big") + bytes(60_000)
    return jpeg[:2] + 2 * part + jpeg[2:]


def sheets(page: Page) -> object:
    return page.locator(".seen-sheet")


def choose(page: Page, *paths: str, count: int) -> None:
    """Choose photos and wait until this number of sheets is read."""
    page.set_input_files("#photo", list(paths))
    expect(sheets(page)).to_have_count(count, timeout=READ_TIMEOUT_MS)


def answer_all(page: Page, true: Sequence[Mapping[str, str]]) -> int:
    """Answer each question with the true marks; return their number. The page has a clock."""
    asked = 0
    while page.locator("#question .question").count():
        question = page.locator("#question .question")
        at = question.get_attribute("data-at") or ""
        index = question.get_attribute("data-index") or ""
        value = true[int(index) - 1].get(at, "")
        page.clock.fast_forward(QUESTION_DELAY_MS)
        answer(page.locator(f"#question [data-at='{at}'][data-index='{index}']"), value)
        asked += 1
    return asked


def answer(question: Locator, value: str) -> None:
    """Tap an answer until its question is gone: Chromium drops some taps after a drag."""
    for _ in range(ATTEMPTS):
        question.locator(f"label:has([value='{value}'])").tap()
        try:
            expect(question).to_have_count(0, timeout=ATTEMPT_MS)
        except AssertionError:
            continue
        return
    expect(question).to_have_count(0)


def marks(seed: int) -> list[dict[str, str]]:
    """Return the true marks of both sheets of a photo."""
    truths = take("level-3", "level-3", seed=seed).truths
    return [true_marks(truths[0]), true_marks(truths[1])]


def stored(page: Page) -> list[dict[str, str]]:
    """Return the stored marks from the database."""
    scoring = store.find(page.url.split("/")[4]).resource
    return [sheet.marks for sheet in store.read_sheets(scoring).values()]


def test_four_sheets_take_a_dozen_taps(open_page: OpenPage, tmp_path: Path) -> None:
    page = open_page(PAGE, "phone", "de", has_clock=True)
    choose(page, *save_photos(tmp_path, 6, 9), count=4)
    assert not Scoring.objects.exists()
    # Four more: opening the camera roll, choosing two photos, and taking over.
    true = [*marks(6), *marks(9)]
    taps = 4 + answer_all(page, true)
    totals = page.locator(".seen-total b")
    expect(totals.first).not_to_have_text("–")
    assert axe_violations_in_both_themes(page) == ""
    assert not small_targets(page)
    page.locator("#take-over").tap()
    page.wait_for_url(RESULTS, timeout=READ_TIMEOUT_MS)
    assert stored(page) == true
    assert taps <= MAX_TAPS, taps


def test_a_field_that_was_read_wrongly_is_tapped_until_it_is_right(
    open_page: OpenPage, photos: list[str]
) -> None:
    page = open_page(PAGE, has_clock=True)
    choose(page, photos[0], count=2)
    answer_all(page, marks(4))
    spot = page.locator("#seen-1 .flat [data-at='d1'] ")
    before = "cross" in (spot.locator("use").get_attribute("href") or "")
    total = page.locator("#total-1")
    expect(total).not_to_have_text("–")
    points = total.inner_text()
    assert not small_targets(page)
    spot.locator("rect").tap()
    expect(total).not_to_have_text(points)
    page.locator("#take-over").tap()
    page.wait_for_url(RESULTS, timeout=READ_TIMEOUT_MS)
    assert ("d1" in stored(page)[0]) is not before


def test_picture_of_a_sheet_is_stored_on_request_and_can_be_deleted(
    open_page: OpenPage, photos: list[str]
) -> None:
    page = open_page(PAGE, "desktop")
    choose(page, photos[0], count=2)
    page.locator("#seen-2 .keep input").check()
    page.locator("#take-over").click()
    page.wait_for_url(RESULTS, timeout=READ_TIMEOUT_MS)
    (kept,) = SheetPicture.objects.all()
    assert kept.sheet.number == 2
    page.goto(f"{page.url}2/")
    page.get_by_text("The photo of this sheet").click()
    image = page.locator(".kept-photo img")
    expect(image).to_be_visible()
    expect(image).to_have_js_property("naturalWidth", kept.width)
    page.locator("#turn-back [value=undo]").click()
    expect(page.locator(".kept-photo")).to_have_count(0)
    assert not SheetPicture.objects.exists()


def test_a_photo_that_did_not_arrive_can_be_sent_again(
    open_page: OpenPage, photos: list[str]
) -> None:
    page = open_page(PAGE)
    page.context.set_offline(True)
    page.set_input_files("#photo", photos[0])
    again = page.locator("#sending .again")
    expect(again).to_be_visible(timeout=READ_TIMEOUT_MS)
    page.context.set_offline(False)
    again.tap()
    expect(sheets(page)).to_have_count(2, timeout=READ_TIMEOUT_MS)
    expect(page.locator("#sending li")).to_have_count(0)


def test_scoring_waits_for_a_photo_that_is_being_read(
    open_page: OpenPage, photos: list[str]
) -> None:
    page = open_page(PAGE)
    choose(page, photos[0], count=2)
    waiting: list[Route] = []
    page.route("**/read/", lambda route: waiting.append(route))
    page.set_input_files("#photo", photos[1])
    line = page.locator("#sending li")
    expect(line).to_contain_text("On its way", timeout=READ_TIMEOUT_MS)
    page.get_by_role("button", name="Score them").tap()
    expect(page.locator("#problem")).to_contain_text("still being read")
    waiting[0].continue_()
    expect(line).to_have_count(0, timeout=READ_TIMEOUT_MS)
    page.get_by_role("button", name="Score them").tap()
    page.wait_for_url(RESULTS)


def test_page_whose_requests_are_forbidden_says_so(
    open_page: OpenPage, photos: list[str], page_errors: list[str]
) -> None:
    page = open_page(PAGE)
    choose(page, photos[0], count=2)
    page.context.clear_cookies()
    page.set_input_files("#photo", photos[1])
    line = page.locator("#sending li")
    expect(line).to_contain_text("This page is too old for that.", timeout=READ_TIMEOUT_MS)
    expect(line.locator(".again")).to_be_hidden()
    page.locator("#take-over").tap()
    page.get_by_role("button", name="Score anyway").tap()
    expect(page.locator("#problem")).to_contain_text("This page is too old for that.")
    page_errors.clear()  # Chromium logs the 403 as an error, as intended


def test_sheet_photographed_twice_is_listed_once(open_page: OpenPage, photos: list[str]) -> None:
    page = open_page(PAGE)
    choose(page, photos[0], count=2)
    page.locator("[name=name-1]").fill("Ana")
    page.set_input_files("#photo", photos[0])
    expect(page.get_by_text("has replaced an earlier one")).to_have_count(
        2, timeout=READ_TIMEOUT_MS
    )
    expect(sheets(page)).to_have_count(2)
    page.locator("#seen-1").get_by_role("button", name="It is another sheet").tap()
    expect(sheets(page)).to_have_count(3)
    names = page.locator(".whose input")
    assert [names.nth(i).input_value() for i in range(3)] == ["Ana", "", ""]
    assert [names.nth(i).get_attribute("name") for i in range(3)] == ["name-1", "name-2", "name-3"]
    page.locator("#take-over").tap()
    page.wait_for_url(RESULTS, timeout=READ_TIMEOUT_MS)
    assert len(stored(page)) == 3


STORED_CARDS = """new Promise((done) => {
    indexedDB.open("dizzle.photos").onsuccess = ({ target: { result } }) => {
        const asked = result.transaction("cards").objectStore("cards").getAll();
        asked.onsuccess = () => done(JSON.stringify(asked.result));
    };
})"""
"""Script that returns the sheets stored on the device, as JSON."""


STORED_CARD_KEYS = STORED_CARDS.replace("getAll", "getAllKeys")
"""Script that returns their keys, as JSON: page, number of the sheet and kind of value."""


def answers(page: Page) -> list[dict[str, str]]:
    """Return the values of each sheet's inputs, for its fields and its player."""
    script = """(all) => all.map((sheet) => ({
        marks: sheet.querySelector("[name^=marks-]").value,
        name: sheet.querySelector(".whose input").value,
        isOut: String(sheet.matches(".is-out")),
        index: sheet.dataset.index,
        asked: sheet.querySelectorAll(".flat .is-asked").length.toString(),
    }))"""
    return page.locator(".seen-sheet").evaluate_all(script)


def test_a_reload_loses_nothing_that_was_read(
    open_page: OpenPage, photos: list[str], half_readable_photo: str, tmp_path: Path
) -> None:
    page = open_page(PAGE, has_clock=True)
    choose(page, doubtful_photo(tmp_path), half_readable_photo, photos[1], count=4)
    page.clock.fast_forward(QUESTION_DELAY_MS)
    page.locator("#question label").last.tap()
    page.locator("#seen-2 .flat [data-at='d1'] rect").tap()
    page.locator("[name=name-2]").fill("Ana")
    page.locator("[name=out-4]").check()
    left, said = page.locator("#left").inner_text(), answers(page)
    wait_until(page, lambda: '"isOut":true' in page.evaluate(STORED_CARDS))
    page.reload()
    expect(page.get_by_text("These sheets were read before")).to_be_visible()
    assert answers(page) == said
    expect(page.locator("#left")).to_have_text(left)
    expect(page.locator("#unread-count")).to_have_text("Not read: 1")
    assert axe_violations_in_both_themes(page) == ""
    other = page.context.new_page()
    other.goto(page.url)
    expect(sheets(other)).to_have_count(4)
    other.close()

    page.locator("#take-over").tap()
    page.get_by_role("button", name="Score anyway").tap()
    page.wait_for_url(RESULTS, timeout=READ_TIMEOUT_MS)
    assert len(stored(page)) == 3
    assert "Ana" in page.inner_text("main")
    page.goto(page.url.split("/score/")[0] + PAGE)
    expect(page.locator("#draft")).to_be_hidden()
    expect(sheets(page)).to_have_count(0)


def is_waiting(page: Page) -> bool:
    """Return whether the device stores a photo that is queued for reading."""
    return '"photo"' in page.evaluate(STORED_CARD_KEYS)


def test_queued_photos_are_read_once_after_a_reload(
    open_page: OpenPage, photos: list[str], tmp_path: Path
) -> None:
    page = open_page(PAGE)
    choose(page, photos[0], count=2)
    held: list[Route] = []
    page.route("**/read/", lambda route: held.append(route))
    page.set_input_files("#photo", [photos[1], *save_photos(tmp_path, 6)])
    wait_until(page, lambda: held and page.evaluate(STORED_CARD_KEYS).count('"photo"') == 2)
    other = page.context.new_page()
    other.goto(page.url)
    expect(sheets(other)).to_have_count(2)
    expect(other.locator("#sending li")).to_have_count(0)  # the other tab reads them
    other.close()

    page.unroute_all()
    sent: list[str] = []
    page.on("request", lambda one: sent.append(one.url) if "/read/" in one.url else None)
    page.reload()
    lines = page.locator("#sending li")
    expect(lines.locator("b")).to_have_text(["IMG_9.jpg", "IMG_6.jpg"])
    expect(sheets(page)).to_have_count(6, timeout=READ_TIMEOUT_MS)
    expect(lines).to_have_count(0)
    wait_until(page, lambda: not is_waiting(page))
    page.reload()
    expect(sheets(page)).to_have_count(6)
    expect(lines).to_have_count(0)
    assert len(sent) == 2


def test_another_tab_reads_the_queued_photos_of_a_closed_tab(
    open_page: OpenPage, photos: list[str]
) -> None:
    page = open_page(PAGE)
    held: list[Route] = []
    page.route("**/read/", lambda route: held.append(route))
    page.set_input_files("#photo", photos[0])
    wait_until(page, lambda: held and is_waiting(page))
    other = page.context.new_page()
    other.goto(page.url)
    page.close()
    expect(sheets(other)).to_have_count(2, timeout=READ_TIMEOUT_MS)


def test_refused_and_removed_photos_leave_the_queue(
    open_page: OpenPage, photos: list[str], tmp_path: Path
) -> None:
    wrong = tmp_path / "notes.jpg"
    wrong.write_text("no photo")
    page = open_page(PAGE)
    page.context.set_offline(True)
    page.set_input_files("#photo", [str(wrong), photos[0]])
    lines = page.locator("#sending .is-wrong")
    expect(lines).to_have_count(2, timeout=READ_TIMEOUT_MS)
    wait_until(page, lambda: is_waiting(page))
    page.context.set_offline(False)
    lines.nth(1).get_by_role("button", name="Leave out").tap()
    lines.locator(".again").tap()
    expect(lines).to_contain_text("not a photo that can be read", timeout=READ_TIMEOUT_MS)
    wait_until(page, lambda: not is_waiting(page))
    page.reload()
    expect(page.locator("#sending li")).to_have_count(0)


STORAGE_FAULTS = {
    "forbidden": "indexedDB.open = () => { throw new DOMException('', 'SecurityError'); }",
    "full": "IDBObjectStore.prototype.put = () => { throw new DOMException('', 'QuotaExceeded'); }",
}
"""Scripts that make a browser store nothing."""


@pytest.mark.parametrize("fault", STORAGE_FAULTS.values(), ids=STORAGE_FAULTS)
def test_photos_are_read_where_nothing_can_be_stored(
    open_page: OpenPage, photos: list[str], fault: str
) -> None:
    page = open_page("/score/")
    page.add_init_script(fault)
    page.goto(page.url.replace("/score/", PAGE))
    choose(page, *photos, count=4)
    expect(page.locator("#sending li")).to_have_count(0)
    with page.expect_event("dialog") as warned:
        page.close(run_before_unload=True)
    assert warned.value.type == "beforeunload"
    warned.value.accept()


def test_read_sheets_are_deleted_when_the_device_is_forgotten(
    open_page: OpenPage, photos: list[str]
) -> None:
    page = open_page(PAGE)
    choose(page, photos[0], count=2)
    wait_until(page, lambda: "seen-sheet" in page.evaluate(STORED_CARDS))
    page.goto(page.url.split("/score/")[0] + "/my/forget/")
    page.get_by_role("button", name="Forget all").tap()
    page.wait_for_url(lambda url: "/forget/" not in url)
    assert page.evaluate("indexedDB.databases()") == []


@pytest.mark.parametrize("way", ["a day later", "by hand"])
def test_read_sheets_expire_or_are_removed(
    open_page: OpenPage, photos: list[str], way: str
) -> None:
    page = open_page(PAGE, has_clock=True)
    choose(page, photos[0], count=2)
    page.reload()
    expect(sheets(page)).to_have_count(2)
    if way == "a day later":
        page.clock.fast_forward("24:01:00")
        page.reload()
    else:
        with page.expect_navigation():
            page.get_by_role("button", name="Remove and start again").tap()
    wait_until(page, lambda: page.evaluate(STORED_CARDS) == "[]")
    expect(sheets(page)).to_have_count(0)


def test_a_second_photo_keeps_answers_name_and_place(
    open_page: OpenPage, photos: list[str], tmp_path: Path
) -> None:
    """The player has crossed two more fields; answers about others still hold."""
    page = open_page(PAGE, has_clock=True)
    choose(page, doubtful_photo(tmp_path), photos[1], count=3)
    page.locator("[name=name-1]").fill("Ana")
    page.locator("#seen-1 .flat [data-at='c4'] rect").tap()
    asked = page.locator("#seen-1 .flat .is-asked").count()
    page.clock.fast_forward(QUESTION_DELAY_MS)
    at = page.locator("#question .question").get_attribute("data-at")
    page.locator("#question label").last.tap()
    value = json.loads(answers(page)[0]["marks"]).get(at, "")
    later = tmp_path / "later.jpg"
    crosses = ("c4", "c5", "f2", "f3", "g3")
    taken_back = ("d4", "d5", "e4", "e5")
    later.write_bytes(take("level-3", seed=5, crosses=crosses, taken_back=taken_back).jpeg)
    with page.expect_file_chooser() as chooser:
        page.locator("#seen-1 .retake").tap()
    chooser.value.set_files(str(later))
    expect(page.get_by_text("has replaced an earlier one")).to_be_visible(timeout=READ_TIMEOUT_MS)
    expect(sheets(page)).to_have_count(3)
    first = answers(page)[0]
    assert (first["index"], first["name"]) == ("1", "Ana")
    now = json.loads(first["marks"])
    assert "c4" not in now
    assert {"c5", "f2", "f3", "g3"} <= now.keys()
    assert now.get(at, "") == value
    assert page.locator("#seen-1 .flat .is-asked").count() < asked
    page.locator("#take-over").tap()
    page.wait_for_url(RESULTS, timeout=READ_TIMEOUT_MS)
    assert stored(page)[0] == now


MARKED = ("c4", "c5", "d4", "d5", "e4", "e5", "f2", "f3")
"""Marked fields of both similar sheets."""


@pytest.fixture
def similar_sheets(tmp_path: Path) -> list[str]:
    """Paths of two photos of one level whose sheets differ in one cross."""
    paths = [tmp_path / "first.jpg", tmp_path / "second.jpg"]
    for path, more in zip(paths, [(), ("g3",)], strict=True):
        path.write_bytes(take("level-3", seed=5, crosses=MARKED + more).jpeg)
    return [str(path) for path in paths]


def test_similar_sheet_must_be_checked_and_both_can_stay(
    open_page: OpenPage, similar_sheets: list[str]
) -> None:
    page = open_page(PAGE, has_clock=True)
    choose(page, similar_sheets[0], count=1)
    answer_all(page, [dict.fromkeys(MARKED, "cross")])
    left = page.locator("#left")
    expect(left).to_have_text("Nothing left to check")
    page.locator("[name=name-1]").fill("Ana")
    page.set_input_files("#photo", similar_sheets[1])
    asks = page.locator("#question .asks-same")
    expect(asks).to_be_visible(timeout=READ_TIMEOUT_MS)
    expect(sheets(page)).to_have_count(1)
    expect(left).to_contain_text("left; otherwise the reading")
    assert axe_violations_in_both_themes(page) == ""
    assert not small_targets(page)

    said = answers(page)
    wait_until(page, lambda: '"earlier"' in page.evaluate(STORED_CARD_KEYS))
    page.reload()
    expect(asks).to_be_visible()
    assert answers(page) == said
    page.clock.fast_forward(QUESTION_DELAY_MS)
    asks.get_by_role("button", name="Another sheet").tap()
    expect(asks).to_have_count(0)
    expect(sheets(page)).to_have_count(2)
    first, last = answers(page)
    assert (first["name"], last["name"]) == ("Ana", "")
    assert {"g3"} == json.loads(last["marks"]).keys() - json.loads(first["marks"]).keys()


def test_similar_sheet_confirmed_as_the_same_is_asked_about_once(
    open_page: OpenPage, similar_sheets: list[str]
) -> None:
    page = open_page(PAGE, "desktop", has_clock=True)
    choose(page, similar_sheets[0], count=1)
    page.set_input_files("#photo", similar_sheets[1])
    asks = page.locator("#question .asks-same")
    expect(asks).to_be_visible(timeout=READ_TIMEOUT_MS)
    page.clock.fast_forward(QUESTION_DELAY_MS)
    page.keyboard.press("1")
    expect(asks).to_have_count(0)
    expect(sheets(page)).to_have_count(1)
    assert "g3" in json.loads(answers(page)[0]["marks"])
    wait_until(
        page, lambda: '"value":null' in page.evaluate(STORED_CARDS)
    )  # the earlier card is gone
    page.reload()
    expect(sheets(page)).to_have_count(1)
    expect(asks).to_have_count(0)


def test_retaken_photo_is_not_questioned_as_a_similar_sheet(
    open_page: OpenPage, similar_sheets: list[str]
) -> None:
    page = open_page(PAGE)
    choose(page, similar_sheets[0], count=1)
    with page.expect_file_chooser() as chooser:
        page.locator("#seen-1 .retake").tap()
    chooser.value.set_files(similar_sheets[1])
    expect(page.get_by_text("has replaced an earlier one")).to_be_visible(timeout=READ_TIMEOUT_MS)
    expect(page.locator(".asks-same")).to_have_count(0)


def doubtful_photo(folder: Path) -> str:
    """Save a photo of a sheet with several uncertain fields; return its path."""
    photo = folder / "doubtful.jpg"
    taken = take("level-3", seed=5, crosses=("c4", "c5"), taken_back=("d4", "d5", "e4", "e5"))
    photo.write_bytes(taken.jpeg)
    return str(photo)


@pytest.mark.slow
def test_a_double_tap_answers_one_question(open_page: OpenPage, tmp_path: Path) -> None:
    page = open_page(PAGE, has_clock=True)
    choose(page, doubtful_photo(tmp_path), count=1)
    left = page.locator(".question").count()
    assert left > 1
    page.clock.fast_forward(QUESTION_DELAY_MS)
    page.locator("#question .answers label").first.dblclick()
    expect(page.locator(".question:not([data-done])")).to_have_count(left - 1)


def test_the_answer_that_is_chosen_is_confirmed_by_key(open_page: OpenPage, tmp_path: Path) -> None:
    page = open_page(PAGE, "desktop", has_clock=True)
    choose(page, doubtful_photo(tmp_path), count=1)
    left = page.locator(".question").count()
    assert left > 2
    expect(page.locator("#dock .keys")).to_contain_text("1, 2, 3")
    total = page.locator("#total-1")
    expect(total).not_to_have_text("–")
    expect(page.locator("#dock-total")).to_have_text(total.inner_text())
    chosen = page.locator("#question :checked")
    chosen.focus()
    for done, key in enumerate(("Enter", "Space"), start=1):
        name = chosen.get_attribute("name") or ""
        page.clock.fast_forward(QUESTION_DELAY_MS)
        page.keyboard.press(key)
        expect(page.locator(f".question[data-done] [name='{name}']").first).to_be_attached()
        expect(page.locator(".question:not([data-done])")).to_have_count(left - done)
        expect(chosen).to_be_focused()


def test_removing_a_photo_leads_to_the_next_question(open_page: OpenPage, tmp_path: Path) -> None:
    page = open_page(PAGE, "desktop")
    wrong = tmp_path / "notes.jpg"
    wrong.write_text("no photo")
    leave = page.get_by_role("button", name="Leave out")

    page.set_input_files("#photo", str(wrong))
    expect(page.locator("#sending .is-wrong")).to_be_visible(timeout=READ_TIMEOUT_MS)
    leave.press("Enter")
    expect(page.locator("#photo")).to_be_focused()

    choose(page, str(wrong), doubtful_photo(tmp_path), count=1)
    leave.press("Enter")
    expect(page.locator("#question :checked")).to_be_focused()

    page.locator("[name='out-1']").check()
    page.set_input_files("#photo", str(wrong))
    expect(page.locator("#sending .is-wrong")).to_be_visible(timeout=READ_TIMEOUT_MS)
    leave.press("Enter")
    expect(page.locator(".seen-sheet h2")).to_be_focused()


def test_queued_photo_says_that_it_waits(open_page: OpenPage, photos: list[str]) -> None:
    page = open_page(PAGE)
    waiting: list[Route] = []
    page.route("**/read/", lambda route: waiting.append(route))
    page.set_input_files("#photo", photos)
    first, second = page.locator("#sending li").nth(0), page.locator("#sending li").nth(1)
    expect(first).to_contain_text("On its way", timeout=READ_TIMEOUT_MS)
    expect(second).to_contain_text("Waiting for the one before it")
    expect(second.locator("progress")).to_be_hidden()
    waiting[0].continue_()
    expect(second).to_have_count(0, timeout=READ_TIMEOUT_MS)
    only = page.locator("#sending li")
    expect(only).to_contain_text("On its way", timeout=READ_TIMEOUT_MS)
    expect(only.locator("progress")).to_be_visible()
    waiting[1].continue_()
    expect(sheets(page)).to_have_count(4, timeout=READ_TIMEOUT_MS)


@pytest.fixture
def half_readable_photo(tmp_path: Path) -> str:
    """Path of a photo of two sheets, of which the second one lacks two markers."""
    path = tmp_path / "half.jpg"
    photo = cover_markers(take("level-3", "level-3", seed=4).jpeg, place=1)
    path.write_bytes(to_jpeg(photo))
    return str(path)


@pytest.mark.slow
def test_a_sheet_that_was_not_read_is_photographed_again(
    open_page: OpenPage, photos: list[str], half_readable_photo: str
) -> None:
    page = open_page(PAGE, "phone", "de")
    choose(page, half_readable_photo, photos[1], count=3)
    card = page.locator(".unread-sheet")
    expect(card.locator("img")).to_be_visible()
    count = page.locator("#unread-count")
    expect(count).to_have_text("Nicht gelesen: 1")
    page.locator("#take-over").tap()
    asks = page.locator("#ask-unread")
    expect(asks).to_be_focused()
    expect(asks.locator("img")).to_have_count(1)
    assert axe_violations_in_both_themes(page) == ""
    assert not small_targets(page)
    page.locator("#back-to-unread").tap()
    expect(card.locator(".retake")).to_be_in_viewport()
    with page.expect_file_chooser() as chooser:
        card.locator(".retake").tap()
    chooser.value.set_files(photos[0])
    expect(sheets(page)).to_have_count(4, timeout=READ_TIMEOUT_MS)
    expect(card).to_have_count(0)
    expect(page.locator("#seen > :nth-child(2)")).to_have_attribute("data-index", "2")
    expect(count).to_be_hidden()
    assert not Scoring.objects.exists()


@pytest.mark.slow
def test_four_sheets_one_refused_and_one_empty(
    open_page: OpenPage, half_readable_photo: str, tmp_path: Path
) -> None:
    """The empty sheet raises no question; the refused one is neither lost nor scored."""
    singles = (take("level-3", seed=9, paper="a5"), take("level-3", crosses=(), paper="a5"))
    paths = [tmp_path / f"single-{i}.jpg" for i in range(2)]
    for path, taken in zip(paths, singles, strict=True):
        path.write_bytes(taken.jpeg)
    page = open_page(PAGE, "phone", has_clock=True)
    choose(page, half_readable_photo, *map(str, paths), count=3)
    expect(page.locator("#unread-count")).to_have_text("Not read: 1")
    true = {1: marks(4)[0]}
    for sheet, one in zip(page.locator(".seen-sheet").all()[1:], singles, strict=True):
        true[int(sheet.get_attribute("data-index") or 0)] = true_marks(one.truths[0])
    empty = max(true)
    assert true[empty] == {}
    expect(page.locator(f".question[data-index='{empty}']")).to_have_count(0)
    answer_all(page, [true.get(i, {}) for i in range(1, empty + 1)])
    page.locator("#take-over").tap()
    asks = page.locator("#ask-unread")
    expect(asks).to_be_focused()
    assert not Scoring.objects.exists()
    page.locator("#without-unread").tap()
    page.wait_for_url(RESULTS, timeout=READ_TIMEOUT_MS)
    assert stored(page) == list(true.values())


def test_sheets_are_taken_over_without_one_that_was_not_read_only_by_a_second_tap(
    open_page: OpenPage, half_readable_photo: str, tmp_path: Path
) -> None:
    wrong = tmp_path / "notes.jpg"
    wrong.write_text("no photo")
    page = open_page(PAGE)
    choose(page, half_readable_photo, str(wrong), count=1)
    count = page.locator("#unread-count")
    expect(count).to_have_text("Not read: 2", timeout=READ_TIMEOUT_MS)
    page.get_by_role("button", name="Leave out").tap()
    expect(count).to_have_text("Not read: 1")
    page.locator("#take-over").tap()
    expect(page.locator("#ask-unread")).to_be_visible()
    assert not Scoring.objects.exists()
    page.get_by_role("button", name="Score anyway").tap()
    page.wait_for_url(RESULTS, timeout=READ_TIMEOUT_MS)
    assert len(stored(page)) == 1


def test_player_of_each_sheet_is_asked_and_one_choice_swaps_two(
    open_page: OpenPage, tmp_path: Path
) -> None:
    key = store.create(shipped_levels()["level-3"], ["Ana", "Ben", "Cleo"])
    page = open_page(f"/score/{key}/photos/", has_clock=True)
    choose(page, *save_photos(tmp_path, 6), count=2)
    asks = page.locator("#question .asks-whose")

    def choose_player(index: int, name: str) -> None:
        expect(asks.locator(".seen-number")).to_have_text(str(index))
        page.clock.fast_forward(QUESTION_DELAY_MS)
        asks.get_by_role("button", name=name).tap()

    def whose() -> list[str]:
        return [page.locator(f"[name=who-{i}]").input_value() for i in (1, 2)]

    page.locator("#take-over").tap()
    expect(page.locator("#problem")).to_contain_text("Choose first whose sheet each of these is.")
    choose_player(1, "Ben")
    choose_player(2, "Ben")
    assert whose() == ["", "2"]  # no player has two sheets: the first one is asked about again
    choose_player(1, "Ana")
    expect(asks).to_have_count(0)
    assert whose() == ["1", "2"]
    answer_all(page, marks(6))
    page.locator("[name=who-1]").select_option("2")
    assert whose() == ["2", "1"]
    page.locator("#take-over").tap()
    page.wait_for_url(RESULTS, timeout=READ_TIMEOUT_MS)
    assert stored(page) == [marks(6)[1], marks(6)[0], {}]


def test_points_that_come_late_do_not_hide_a_refusal(
    open_page: OpenPage, photos: list[str]
) -> None:
    key = store.create(shipped_levels()["level-3"], ["Ana", "Ben", "Cleo"])
    page = open_page(f"/score/{key}/photos/")
    late: list[Route] = []
    page.route("**/photos/sum/", lambda route: late.append(route))
    choose(page, photos[0], count=2)
    page.locator("#take-over").tap()
    refusal = "Choose first whose sheet each of these is."
    expect(page.locator("#problem")).to_contain_text(refusal)
    wait_until(page, lambda: late)
    late[0].fulfill(json={"totals": {"1": 99}, "problem": ""})
    expect(page.locator("#total-1")).to_have_text("99")
    assert refusal in page.locator("#problem").inner_text()


def test_single_sheet_is_assigned_to_the_requested_player(
    open_page: OpenPage, photos: list[str]
) -> None:
    key = store.create(shipped_levels()["level-3"], ["Ana", "Ben"])
    page = open_page(f"/score/{key}/photos/?sheet=2")
    choose(page, photos[0], count=2)
    assert page.locator("[name=who-1]").input_value() == ""  # two sheets: unknown which of them
    page = open_page(f"/score/{key}/photos/?sheet=2")
    one = take("level-3", seed=9, paper="a5").jpeg
    page.set_input_files("#photo", {"name": "a.jpg", "mimeType": "image/jpeg", "buffer": one})
    expect(sheets(page)).to_have_count(1, timeout=READ_TIMEOUT_MS)
    assert page.locator("[name=who-1]").input_value() == "2"


def test_enter_in_a_name_does_not_submit(open_page: OpenPage, photos: list[str]) -> None:
    page = open_page(PAGE)
    choose(page, photos[0], count=2)
    name = page.locator("[name=name-1]")
    name.fill("Ana")
    name.press("Enter")
    expect(name).not_to_be_focused()
    assert not Scoring.objects.exists()


def test_a_tap_on_a_sheet_leaves_the_page_where_it_is(
    open_page: OpenPage, photos: list[str], tmp_path: Path
) -> None:
    page = open_page(PAGE)
    choose(page, *photos, doubtful_photo(tmp_path), count=5)
    assert page.locator("#question .question").count()
    spot = page.locator("#seen-4 .flat [data-at='d1'] rect")
    spot.scroll_into_view_if_needed()
    before = page.evaluate("scrollY")
    spot.dispatch_event("click")
    expect(page.locator("#total-4")).not_to_have_text("–")
    page.wait_for_timeout(QUESTION_DELAY_MS)
    assert page.evaluate("scrollY") == before


def test_fields_can_be_corrected_in_a_list_without_the_picture(
    open_page: OpenPage, photos: list[str]
) -> None:
    page = open_page(PAGE, "desktop")
    choose(page, photos[0], count=2)
    page.locator("#seen-1 .list summary").click()
    place = page.locator("#seen-1 .list select").first
    at = place.get_attribute("data-at") or ""
    value = "" if place.input_value() else "cross"
    place.select_option(value)
    shape = page.locator(f"#seen-1 .flat [data-at='{at}'] use")
    if value:
        expect(shape).to_have_attribute("href", "#read-cross")
    else:
        expect(shape).not_to_have_attribute("href", "#read-cross")
    page.locator("#take-over").click()
    page.wait_for_url(RESULTS, timeout=READ_TIMEOUT_MS)
    assert stored(page)[0].get(at, "") == value


def test_keys_answer_questions(open_page: OpenPage, photos: list[str]) -> None:
    page = open_page(PAGE, "desktop", has_clock=True)
    choose(page, *photos, count=4)
    for _ in range(60):
        asked = page.locator("#question .question")
        if not asked.count():
            break
        place = asked.get_attribute("data-at"), asked.get_attribute("data-index")
        page.clock.fast_forward(QUESTION_DELAY_MS)
        page.keyboard.press("1")
        gone = page.locator(f"#question [data-at='{place[0]}'][data-index='{place[1]}']")
        expect(gone).to_have_count(0)
    expect(page.locator("#left")).to_have_text("Nothing left to check")
    expect(page.locator("#dock-total")).to_be_hidden()


def test_blurred_dark_or_blank_photo_is_sent_only_after_confirmation(
    open_page: OpenPage, tmp_path: Path
) -> None:
    photo = Image.open(io.BytesIO(take("level-3", seed=9, paper="a5").jpeg))
    side = max(photo.size) / 500
    names = ("blurred.jpg", "blank.jpg", "dark.jpg", "later.jpg")
    blurred, blank, dark, later = (tmp_path / name for name in names)
    Image.new("RGB", photo.size, "white").save(blank)
    photo.save(later)
    photo.filter(ImageFilter.GaussianBlur(side)).save(blurred)
    photo.point([value // 6 for value in range(256)] * 3).save(dark)
    page = open_page(PAGE, "phone", "de")
    sent: list[str] = []
    page.on("request", lambda one: sent.append(one.url) if "/read/" in one.url else None)
    line = page.locator("#sending li")
    for path, sentence in ((blurred, "unscharf"), (blank, "leeres Papier"), (dark, "dunkel")):
        page.set_input_files("#photo", str(path))
        expect(line).to_contain_text(sentence)
        expect(line.get_by_role("button")).to_have_text(
            [re.compile("noch einmal fotografieren", re.IGNORECASE), "Trotzdem senden"]
        )
        assert not sent
        assert axe_violations_in_both_themes(page) == ""
        assert not small_targets(page)
        if path != dark:
            with page.expect_file_chooser():
                line.get_by_role("button").first.tap()
            expect(line).to_have_count(0)
    line.get_by_role("button", name="Trotzdem senden").tap()
    expect(sheets(page)).to_have_count(1, timeout=READ_TIMEOUT_MS)
    assert len(sent) == 1


def test_a_bright_sheet_on_a_dark_table_is_sent_at_once(
    open_page: OpenPage, tmp_path: Path
) -> None:
    photo = Image.open(io.BytesIO(take("level-3", seed=9, paper="a5").jpeg))
    table = Image.new("RGB", (2 * photo.width, 2 * photo.height), (12, 12, 12))
    table.paste(photo, (photo.width // 2, photo.height // 2))
    path = tmp_path / "table.jpg"
    table.save(path)
    page = open_page(PAGE)
    choose(page, str(path), count=1)


def test_photos_are_scaled_down_and_sent_without_camera_metadata(
    open_page: OpenPage, tmp_path: Path
) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6  # portrait: rotated by a quarter
    exif[0x010E] = "taken at home"
    path = tmp_path / "IMG_1.jpg"
    Image.new("RGB", (5000, 3000), "grey").save(path, exif=exif)
    page = open_page(PAGE)
    page.set_input_files("#photo", str(path))
    # The list shows the photo that is sent.
    image = page.locator("#sending img")
    expect(image).to_be_visible(timeout=READ_TIMEOUT_MS)
    sent = base64.b64decode((image.get_attribute("src") or "").partition(",")[2])
    photo = Image.open(io.BytesIO(sent))
    assert photo.size == (2400, 4000)
    assert not photo.getexif()
    assert b"taken at home" not in sent


def test_a_photo_chosen_before_the_script_came_is_read(
    open_page: OpenPage, photos: list[str]
) -> None:
    page = open_page("/score/")
    held: list[Route] = []
    is_chosen = False

    def hold(route: Route) -> None:
        # A browser parses only the page's head before supported.js is loaded.
        if is_chosen or "/supported." in route.request.url:
            route.continue_()
        else:
            held.append(route)

    page.route("**/*.js", hold)
    page.goto(page.url.replace("/score/", PAGE), wait_until="commit")
    page.set_input_files("#photo", photos[0])
    is_chosen = True
    for route in held:
        route.continue_()
    expect(sheets(page)).to_have_count(2, timeout=READ_TIMEOUT_MS)


def drop(page: Page, on: str, photo: str) -> None:
    """Drop a photo on an element with all drag events: the page may cancel one of them."""
    page.locator(on).evaluate(
        """(element, encoded) => {
          const bytes = Uint8Array.from(atob(encoded), (letter) => letter.charCodeAt(0));
          const data = new DataTransfer();
          data.items.add(new File([bytes], "IMG.jpg", { type: "image/jpeg" }));
          const more = { dataTransfer: data, bubbles: true, cancelable: true };
          for (const kind of ["dragenter", "dragover", "drop"]) {
            element.dispatchEvent(new DragEvent(kind, more));
          }
        }""",
        base64.b64encode(Path(photo).read_bytes()).decode(),  # a list of numbers takes seconds
    )


def test_photos_dropped_anywhere_are_read(open_page: OpenPage, photos: list[str]) -> None:
    page = open_page(PAGE, "desktop")
    drop(page, "html", photos[0])
    expect(sheets(page)).to_have_count(2, timeout=READ_TIMEOUT_MS)
    drop(page, "body > header", photos[1])
    expect(page.locator("body")).not_to_have_class(re.compile("file-over"))
    expect(sheets(page)).to_have_count(4, timeout=READ_TIMEOUT_MS)


def test_files_that_are_no_photos_are_refused_and_the_others_are_read(
    open_page: OpenPage, photos: list[str], tmp_path: Path
) -> None:
    wrong = tmp_path / "notes.jpg"
    wrong.write_text("no photo")
    page = open_page(PAGE)
    choose(page, str(wrong), photos[0], count=2)
    expect(page.locator("#sending .is-wrong")).to_contain_text("not a photo that can be read")


@pytest.mark.slow
def test_queue_message_of_a_photo_never_follows_its_result(
    open_page: OpenPage, tmp_path: Path
) -> None:
    nothing = tmp_path / "table.png"
    Image.effect_noise((2000, 1500), 40).save(nothing)
    page = open_page(PAGE)
    page.evaluate(
        "() => { const wait = setInterval; window.setInterval = (act) => wait(act, 20); }"
    )
    asked: list[Route] = []
    page.route("**/line/?*", lambda route: asked.append(route))
    page.set_input_files("#photo", str(nothing))
    says = page.locator("#sending .is-wrong p")
    expect(says).to_contain_text("none of our sheets", timeout=READ_TIMEOUT_MS)
    assert asked
    for route in asked:
        with suppress(PlaywrightError):  # the page may have aborted it
            route.continue_()
    page.wait_for_timeout(QUESTION_DELAY_MS)
    expect(says).to_contain_text("none of our sheets")


LARGE_PICTURES = {
    "png": png_header(20_000, 10_000),
    "jpeg": large_jpeg(20_000, 10_000),
    "jpeg with a preview": with_large_metadata(large_jpeg(20_000, 10_000)),
    "gif": large_gif(20_000, 10_000),
    "webp": large_webp("VP8 "),
    "webp without loss": large_webp("VP8L"),
    "moving webp": large_webp("VP8X"),
}
"""Pictures of 200 megapixels, of each kind whose size the page parses itself."""


def test_pictures_of_200_megapixels_are_neither_decoded_nor_sent(
    open_page: OpenPage, tmp_path: Path
) -> None:
    page = open_page(PAGE)
    sent: list[str] = []
    page.on("request", lambda one: sent.append(one.url) if one.method == "POST" else None)
    for name, photo in LARGE_PICTURES.items():
        path = tmp_path / f"{name}.jpg"
        path.write_bytes(photo)
        page.set_input_files("#photo", str(path))
        refused = page.locator("#sending .is-wrong")
        expect(refused).to_contain_text("too large", timeout=READ_TIMEOUT_MS)
        expect(page.locator("#sending .again")).to_be_hidden()
        assert not sent, name
        refused.get_by_role("button", name="Leave out").press("Enter")
        expect(refused).to_have_count(0)


def test_a_file_that_is_too_large_says_so(
    open_page: OpenPage, page_errors: list[str], tmp_path: Path
) -> None:
    large = tmp_path / "film.jpg"
    large.write_bytes(bytes(22 * 2**20))
    page = open_page(PAGE)
    page.set_input_files("#photo", str(large))
    expect(page.locator("#sending .is-wrong")).to_contain_text("too large", timeout=READ_TIMEOUT_MS)
    expect(page.locator("#sending .again")).to_be_hidden()
    page_errors.clear()  # Chromium logs each unsuccessful answer


def test_without_script_the_name_of_the_photo_can_be_read(
    open_page: OpenPage, tmp_path: Path
) -> None:
    path = tmp_path / "IMG_1.jpg"
    path.write_bytes(b"?")
    page = open_page(PAGE, "phone", java_script_enabled=False)
    page.set_input_files("#photo", str(path))
    field = page.locator("#photo").bounding_box()
    around = page.locator(".pick").bounding_box()
    assert field
    assert around
    # It has the full width and is below the text, because its button is half as wide.
    assert field["width"] > around["width"] * 0.9
    assert field["y"] > around["y"] + 20
    expect(page.locator("#photo")).to_have_css("color", page.evaluate(TEXT_COLOUR))


def test_sheets_are_photographed_from_an_open_scoring(open_page: OpenPage) -> None:
    page = open_page("/score/new/level-3/", "phone")
    page.locator("main form .button.primary").first.tap()
    link = page.get_by_role("link", name="Photo: Photograph the sheets")
    said = link.get_by_text("Photo", exact=True)
    # The sheet stays in place, right below the heading and the names.
    for width, most in ((390, 52), (320, 100)):
        page.set_viewport_size({"width": width, "height": 844})
        expect(said).to_be_in_viewport(ratio=1)
        head = page.locator(".score-head").bounding_box()
        assert head
        faults = (overflow_px(page), small_targets(page), head["height"] > most)
        assert not any(faults), (width, faults)
    link.tap()
    page.wait_for_url("**/photos/?sheet=1")
