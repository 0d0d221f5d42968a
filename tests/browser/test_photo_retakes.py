"""Retakes on the page for photos: a new photo replaces one sheet in place."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, Route, expect

from sheets.vision.decoding import decode_photo
from tests.browser.axe import axe_violations_in_both_themes
from tests.browser.conftest import OpenPage
from tests.browser.layout_checks import overflow_px, small_targets
from tests.browser.polling import wait_until
from tests.browser.test_photos import (
    PAGE,
    QUESTION_DELAY_MS,
    READ_TIMEOUT_MS,
    RESULTS,
    answers,
    choose,
    doubtful_photo,
    is_waiting,
    save_photos,
    sheets,
    stored,
)
from tests.vision.shots import take, to_jpeg

pytestmark = pytest.mark.usefixtures("photos_read_once")

REPLACED = "has replaced an earlier one"
"""Part of the message on a replaced sheet."""

SECOND_TAP_MS = 500
"""Time for which a second tap does not open the file dialog again."""


@pytest.fixture
def photos(tmp_path: Path) -> list[str]:
    """Paths of two photos of the same two sheets, number 1 and 2, with different marks."""
    return save_photos(tmp_path, 4, 9)


def retake(page: Page, card: Locator, path: str) -> None:
    """Choose a new photo for the sheet of a card."""
    with page.expect_file_chooser() as chooser:
        card.locator(".retake").press("Enter")
    assert not chooser.value.is_multiple()
    chooser.value.set_files(path)


def top_of(control: Locator) -> float:
    """Return the position of a control in the window."""
    box = control.bounding_box()
    assert box
    return box["y"]


@pytest.mark.parametrize("device", ["phone", "desktop"])
def test_retake_replaces_one_sheet_where_it_is(
    open_page: OpenPage, photos: list[str], device: str
) -> None:
    """The new photo also shows sheet 2, which stays as it is."""
    page = open_page(PAGE, device)
    choose(page, photos[1], count=2)
    expected = json.loads(answers(page)[0]["marks"])
    page.locator("#draft button").evaluate("(button) => button.click()")
    expect(sheets(page)).to_have_count(0)

    choose(page, photos[0], count=2)
    page.locator("[name=name-1]").fill("Ana")
    before = answers(page)
    again = page.locator("#seen-1 .retake")
    again.scroll_into_view_if_needed()
    held: list[Route] = []
    page.route("**/read/", lambda route: held.append(route))
    retake(page, page.locator("#seen-1"), photos[1])
    line = page.locator("#seen-1 .retaking li")
    expect(line.locator("progress")).to_be_visible()
    expect(page.locator("#sending li")).to_have_count(0)
    expect(again).to_be_focused()
    expect(again).to_be_in_viewport()
    bar = page.locator("#dock").bounding_box()
    at = line.bounding_box()
    assert bar
    assert at
    assert at["y"] + at["height"] <= bar["y"] + 1 or at["x"] + at["width"] <= bar["x"]
    assert axe_violations_in_both_themes(page) == ""
    assert not small_targets(page)
    assert overflow_px(page) <= 0
    wait_until(page, lambda: held)
    top = top_of(again)
    held[0].continue_()

    message = page.locator("#seen-1 .replaced")
    expect(message).to_contain_text(REPLACED, timeout=READ_TIMEOUT_MS)
    expect(message.locator(".kept")).to_be_hidden()
    expect(page.locator("#retaken")).to_contain_text("Sheet 1 was read again.")
    expect(again).to_be_focused()
    page.wait_for_timeout(300)  # time to scroll
    assert abs(top_of(again) - top) < 2
    after = answers(page)
    assert len(after) == 2
    assert after[1] == before[1]
    assert (after[0]["index"], after[0]["name"]) == ("1", "Ana")
    assert json.loads(after[0]["marks"]) == expected
    page.reload()
    expect(sheets(page)).to_have_count(2)
    assert answers(page) == after
    page.locator("#take-over").tap() if device == "phone" else page.locator("#take-over").click()
    page.wait_for_url(RESULTS, timeout=READ_TIMEOUT_MS)
    assert stored(page) == [json.loads(one["marks"]) for one in after]


def test_message_about_a_retake_ends_when_it_is_another_sheet(
    open_page: OpenPage, photos: list[str]
) -> None:
    page = open_page(PAGE)
    choose(page, photos[0], count=2)
    retake(page, page.locator("#seen-1"), photos[1])
    message = page.locator("#retaken")
    expect(message).to_contain_text("Sheet 1 was read again.", timeout=READ_TIMEOUT_MS)
    page.locator("#seen-1").get_by_role("button", name="It is another sheet").tap()
    expect(sheets(page)).to_have_count(3)
    expect(message).to_be_empty()


def test_focus_in_the_name_stays_while_the_sheet_is_replaced(
    open_page: OpenPage, tmp_path: Path
) -> None:
    """Answers are kept, and the message says so."""
    page = open_page(PAGE, "desktop", has_clock=True)
    choose(page, doubtful_photo(tmp_path), count=1)
    page.clock.fast_forward(QUESTION_DELAY_MS)
    page.locator("#question label").first.click()
    asked = page.locator("#seen-1 .flat .is-asked").count()
    retake(page, page.locator("#seen-1"), doubtful_photo(tmp_path))
    name = page.locator("[name=name-1]")
    name.focus()
    page.keyboard.type("Ana")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#seen-1 .kept")).to_contain_text(
        "answers are kept", timeout=READ_TIMEOUT_MS
    )
    expect(page.locator("#retaken")).to_contain_text("Your answers are kept")
    expect(name).to_be_focused()
    page.keyboard.type("n")
    expect(name).to_have_value("Anna")
    assert page.locator("#seen-1 .flat .is-asked").count() == asked


def side_by_side(folder: Path, *seeds: int) -> str:
    """Save a photo of several prints of the same sheet; return its path."""
    path = folder / "several.jpg"
    single = [decode_photo(take("level-3", seed=seed, paper="a5").jpeg) for seed in seeds]
    high = min(one.shape[0] for one in single)
    path.write_bytes(to_jpeg(np.hstack([one[:high] for one in single])))
    return str(path)


def test_retake_without_exactly_this_sheet_changes_nothing(
    open_page: OpenPage, photos: list[str], tmp_path: Path
) -> None:
    """Each new photo replaces the one before that was refused; the earlier reading stays."""
    wrong = tmp_path / "notes.jpg"
    wrong.write_text("no photo")
    other = tmp_path / "other.jpg"
    other.write_bytes(take("level-4", seed=3, paper="a5").jpeg)
    page = open_page(PAGE, "phone", has_clock=True)
    choose(page, photos[0], count=2)
    before = answers(page)
    line = page.locator("#seen-1 .retaking li")
    for path, sentence in (
        (str(wrong), "not a photo that can be read"),
        (side_by_side(tmp_path, 2, 7), "shows several sheets that could be this one"),
        (str(other), "shows another sheet"),
    ):
        page.clock.fast_forward(SECOND_TAP_MS)
        retake(page, page.locator("#seen-1"), path)
        expect(line).to_contain_text(sentence, timeout=READ_TIMEOUT_MS)
        expect(line).to_have_count(1)
        assert answers(page) == before
    expect(page.locator("#unread-count")).to_be_hidden()
    page.clock.fast_forward(SECOND_TAP_MS)
    line.get_by_role("button", name="Discard this photo").press("Enter")
    expect(line).to_have_count(0)
    expect(page.locator("#seen-1 .retake")).to_be_focused()
    wait_until(page, lambda: not is_waiting(page))


def test_only_the_last_of_two_retakes_counts(open_page: OpenPage, photos: list[str]) -> None:
    """A double tap opens one file dialog, and a cancelled dialog replaces nothing later."""
    page = open_page(PAGE, "phone")
    choose(page, photos[0], count=2)
    opened: list[object] = []
    page.on("filechooser", lambda chooser: opened.append(chooser))
    page.locator("#seen-1 .retake").dblclick()
    wait_until(page, lambda: opened)
    page.wait_for_timeout(SECOND_TAP_MS)
    assert len(opened) == 1

    page.route("**/read/", lambda route: None)
    retake(page, page.locator("#seen-2"), photos[0])
    line = page.locator(".retaking li")
    expect(line).to_contain_text("IMG_4")
    page.wait_for_timeout(SECOND_TAP_MS)
    retake(page, page.locator("#seen-2"), photos[1])
    expect(line).to_have_count(1)
    expect(line).to_contain_text("IMG_9")
    wait_until(page, lambda: is_waiting(page))

    page.unroute_all()
    page.reload()
    expect(page.locator("#seen-2 .retaking li")).to_contain_text("IMG_9")
    expect(page.locator("#seen-2 .replaced")).to_be_visible(timeout=READ_TIMEOUT_MS)
    expect(sheets(page)).to_have_count(2)
    wait_until(page, lambda: not is_waiting(page))
    with page.expect_file_chooser():
        page.locator("#seen-1 .retake").tap()
    choose(page, photos[1], count=3)  # its sheet 2 is already there
