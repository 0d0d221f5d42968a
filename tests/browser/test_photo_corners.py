"""Corners that the user marks on a phone in a photo in which no sheet was found."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from sheets.vision.corners import Corner
from sheets.workshop import empty_sheets, store
from tests.browser.axe import axe_violations_in_both_themes
from tests.browser.conftest import OpenPage
from tests.browser.layout_checks import overflow_px, small_targets
from tests.browser.polling import wait_until
from tests.browser.test_photos import PAGE, READ_TIMEOUT_MS, RESULTS, answer_all, stored
from tests.photos.photo_forms import true_marks
from tests.vision.drawn_boxes import digit_at, draw_boxes, draw_framed_above, drawn_corners
from tests.vision.shots import Taken, cover_markers, hide_sheet, marker_corners, take, to_jpeg

pytestmark = pytest.mark.usefixtures("photos_read_once")


STARTS = ((0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9))
"""Where the marks are at first, as shares of the photo."""

IS_DRAWN = """() => {
  const picture = document.querySelector("#sending .outline");
  const { width, height } = picture;
  const pen = picture.getContext("2d", { willReadFrequently: true });
  const { data } = pen.getImageData(0, 0, width, height);
  for (let i = 0; i < data.length; i += 4) {
    if (data[i] === 225 && data[i + 1] === 90 && data[i + 2] === 0) return true;
  }
  return false;
}"""
"""Script that returns whether the outline of the fields is drawn, in its colour."""


def drag_marks(page: Page, corners: Sequence[Corner]) -> None:
    """Drag the marks onto these corners, with one finger."""
    session = page.context.new_cdp_session(page)

    def send(kind: str, *points: tuple[float, float]) -> None:
        at = [{"x": x, "y": y} for x, y in points]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": at})

    photo = page.locator("#corner-step .corners-photo > canvas").first
    expect(photo).to_be_visible()
    for i, (x, y) in enumerate(corners):
        whole = photo.bounding_box()
        mark = page.locator(f"#corner-step [data-corner='{i}']").bounding_box()
        assert whole
        assert mark
        start = (mark["x"] + mark["width"] / 2, mark["y"] + mark["height"] / 2)
        end = (whole["x"] + x * whole["width"], whole["y"] + y * whole["height"])
        send("touchStart", start)
        send("touchMove", ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2))
        send("touchMove", end)
        expect(page.locator(".corner-lens")).to_be_visible()
        send("touchEnd")
        expect(page.locator(".corner-lens")).to_be_hidden()


def turned(corners: Sequence[Corner]) -> list[Corner]:
    """Return corners where an upright phone shows them in a photo in landscape, clockwise."""
    first, second, third, last = [(1 - y, x) for x, y in corners]
    return [last, first, second, third]


def read_from_corners(page: Page) -> None:
    """Press the button of the dialog, with a mouse: Chromium drops some taps after a drag."""
    page.locator("#corner-step button.primary").click()


def expect_read_from_corners(page: Page, taken: Taken) -> None:
    """Read the photo from the marked corners, and assert that its one sheet is stored as it is."""
    read_from_corners(page)
    expect(page.locator(".seen-sheet")).to_have_count(1, timeout=READ_TIMEOUT_MS)
    true = true_marks(taken.truths[0])
    answer_all(page, [true])
    page.locator("#take-over").click()
    page.wait_for_url(RESULTS, timeout=READ_TIMEOUT_MS)
    assert stored(page) == [true]


@pytest.mark.parametrize(("language", "theme"), [("en", "light"), ("de", "dark")])
def test_marks_are_read_from_corners_that_a_thumb_drags(
    open_page: OpenPage, tmp_path: Path, language: str, theme: str
) -> None:
    taken = take("level-1", seed=1)
    hidden, corners = hide_sheet(taken.jpeg)
    photo = tmp_path / "IMG_1.jpg"
    photo.write_bytes(hidden)
    page = open_page(PAGE, "phone", language, theme, has_clock=True)
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url))
    page.set_input_files("#photo", str(photo))
    line = page.locator("#sending li")
    line.locator(".mark-corners").dblclick(timeout=READ_TIMEOUT_MS)
    step = page.locator("#corner-step")
    expect(step).to_be_visible()
    assert axe_violations_in_both_themes(page) == ""
    assert not small_targets(page)
    assert overflow_px(page) == 0
    read = step.locator("button.primary")
    bottom = read.bounding_box()
    assert bottom
    assert bottom["y"] + bottom["height"] <= 844
    # Corners that are no sheet's are refused with a sentence, and can be marked again.
    drag_marks(page, [(0.1, 0.1), (0.9, 0.1), (0.5, 0.15), (0.1, 0.9)])
    read_from_corners(page)
    expect(line.locator("[role=status]")).to_contain_text(
        "four points" if language == "en" else "vier Punkte", timeout=READ_TIMEOUT_MS
    )
    line.locator(".mark-corners").click()
    drag_marks(page, corners)
    expect_read_from_corners(page, taken)
    reads = [url for url in sent if url.endswith("/read/")]
    assert len(reads) == 3  # without corners, with wrong ones, with the right ones


def test_photo_in_landscape_is_turned_on_an_upright_phone(
    open_page: OpenPage, tmp_path: Path
) -> None:
    taken = take("level-1", seed=1)
    hidden, corners = hide_sheet(taken.jpeg)
    photo = tmp_path / "IMG_1.jpg"
    with Image.open(io.BytesIO(hidden)) as upright:
        upright.rotate(90, expand=True).save(photo, quality=95)
    page = open_page(PAGE, "phone", "de", has_clock=True)
    page.set_input_files("#photo", str(photo))
    page.locator("#sending li .mark-corners").tap(timeout=READ_TIMEOUT_MS)
    canvas = page.locator("#corner-step .corners-photo > canvas").first
    expect(canvas).to_be_visible()
    shown = canvas.bounding_box()
    assert shown
    assert shown["height"] > 844 / 2
    # The turned photo is upright again.
    drag_marks(page, corners)
    expect_read_from_corners(page, taken)


def test_unread_sheet_among_others_is_replaced_after_its_corners_are_marked(
    open_page: OpenPage, tmp_path: Path
) -> None:
    taken = take("level-3", "level-3", seed=4)
    photo = tmp_path / "IMG_4.jpg"
    photo.write_bytes(to_jpeg(cover_markers(taken.jpeg, 1)))
    page = open_page(PAGE, "phone")
    page.set_input_files("#photo", str(photo))
    unread, read = page.locator(".unread-sheet"), page.locator(".seen-sheet")
    expect(unread).to_have_count(1, timeout=READ_TIMEOUT_MS)
    expect(read).to_have_count(1)
    assert not small_targets(page)
    index = unread.get_attribute("data-index")
    unread.locator(".mark-corners").tap()
    drag_marks(page, turned(marker_corners(taken.jpeg, 0)))
    read_from_corners(page)
    expect(page.get_by_text("This sheet is already in the list.")).to_be_visible(
        timeout=READ_TIMEOUT_MS
    )
    expect(unread).to_have_count(1)
    expect(read).to_have_count(1)
    unread.locator(".mark-corners").last.click()
    drag_marks(page, turned(marker_corners(taken.jpeg, 1)))
    read_from_corners(page)
    expect(unread).to_have_count(0, timeout=READ_TIMEOUT_MS)
    expect(read).to_have_count(2)
    expect(page.locator("#sending li")).to_have_count(0)
    marks = json.loads(page.locator(f"[name=marks-{index}]").input_value())
    true = true_marks(taken.truths[1])
    assert len(marks.items() & true.items()) > 0.9 * len(true)


def test_marks_are_placed_by_keyboard(open_page: OpenPage, tmp_path: Path) -> None:
    taken = take("level-1", seed=1)
    hidden, corners = hide_sheet(taken.jpeg)
    photo = tmp_path / "IMG_1.jpg"
    photo.write_bytes(hidden)
    page = open_page(PAGE, "desktop")
    page.set_input_files("#photo", str(photo))
    offer = page.locator("#sending .mark-corners")
    expect(offer).to_be_visible(timeout=READ_TIMEOUT_MS)
    offer.press("Enter")
    expect(page.locator("#corner-step")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#corner-step")).to_be_hidden()
    expect(offer).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#corner-step")).to_be_visible()
    for i, (corner, start) in enumerate(zip(corners, STARTS, strict=True)):
        expect(page.locator(f"[data-corner='{i}']")).to_be_focused()
        for steps, (back, on) in zip(
            (round(500 * (wanted - at)) for wanted, at in zip(corner, start, strict=True)),
            (("ArrowLeft", "ArrowRight"), ("ArrowUp", "ArrowDown")),
            strict=True,
        ):
            large, small = divmod(abs(steps), 5)
            key = on if steps > 0 else back
            for press in [key] * large + [f"Shift+{key}"] * small:
                page.keyboard.press(press)
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator(".seen-sheet")).to_have_count(1, timeout=READ_TIMEOUT_MS)
    read = json.loads(page.locator("[name=marks-1]").input_value())
    true = true_marks(taken.truths[0])
    assert len(read.items() & true.items()) > 0.9 * len(true)


def test_partly_found_pad_is_asked_about_and_read_from_its_corners(
    open_page: OpenPage, tmp_path: Path
) -> None:
    photo = tmp_path / "IMG_1.jpg"
    photo.write_bytes(draw_boxes(8, 7, draw_framed_above))
    page = open_page("/workshop/own/", "phone")
    page.set_input_files("#photo", str(photo))
    line = page.locator("#sending li")
    expect(line).to_contain_text(
        "Is this all of it? Found: 8 columns and 4 rows.", timeout=READ_TIMEOUT_MS
    )
    whole = line.get_by_role("link", name="Yes, this is all of it")
    assert "/guide/size/" in (whole.get_attribute("href") or "")
    wait_until(page, lambda: page.evaluate(IS_DRAWN))
    assert axe_violations_in_both_themes(page) == ""
    assert not small_targets(page)
    assert overflow_px(page) == 0
    line.get_by_role("button", name="No, mark the corners").tap()
    drag_marks(page, drawn_corners(8, 7))
    step = page.locator("#corner-step")
    read = step.get_by_role("button", name="Read it from these corners")
    bottom = read.bounding_box()
    assert bottom
    assert bottom["y"] + bottom["height"] <= 844
    assert not small_targets(page)
    read_from_corners(page)
    expect(step).to_be_visible()  # both numbers are required
    step.get_by_label("columns").fill("8")
    step.get_by_label("rows").fill("7")
    read_from_corners(page)
    page.wait_for_url(re.compile("/guide/size/$"), timeout=READ_TIMEOUT_MS)
    key = page.url.split("/")[4]
    seen = empty_sheets.find(store.find(key).resource)
    assert seen
    assert seen.seen["digits"] == {
        f"{'abcdefgh'[x]}{y + 1}": digit_at(x, y) for x in range(8) for y in range(7)
    }
