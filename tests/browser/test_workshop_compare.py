"""Comparison of an entered sheet with the paper: row by row, next to a photo, and item by item."""

from __future__ import annotations

import io
import re

import pytest
from PIL import Image
from playwright.sync_api import Locator, Page, expect

from sheets.workshop import store
from tests.browser.axe import axe_violations
from tests.browser.conftest import MakePath, OpenPage
from tests.browser.layout_checks import overflow_px, small_targets
from tests.browser.polling import follow_link, wait_until
from tests.browser.workshop_page import place, rows, stored, wait_for_frame, wait_until_saved

COLOURS = [(200, 30, 30), (30, 160, 30), (30, 30, 200)]
"""Colours of the rows of the photographed paper."""


@pytest.fixture
def path(transactional_db: None) -> str:
    """Path of a sheet that is entered but not compared yet."""
    document = {
        "format": "dizzle-level/1",
        "id": "own-1",
        "name": {"en": "Garden"},
        "grid": ["3x 5 1Gy", "2 4 6Fr", ". 1 2B"],
        "lines": [{"row": 1, "points": 5}],
        "areas": [{"fields": ["a2", "b2"], "points": 4}],
        "points": {"gem": {"yellow": 2}, "flag": {"red": [6, 3]}, "bomb": -2},
    }
    return f"/workshop/{store.create(document, is_bought=True)}/guide/"


def photo() -> bytes:
    """Return a photo of three coloured rows on a grey table, at the expected corners."""
    picture = Image.new("RGB", (1000, 1000), (120, 120, 120))
    for i, colour in enumerate(COLOURS):
        picture.paste(colour, (100, 100 + i * 267, 900, 100 + (i + 1) * 267))
    file = io.BytesIO()
    picture.save(file, "png")
    return file.getvalue()


VISIBLE_FIELDS = """
    (row) => {
      const frame = document.getElementById("draft-frame").getBoundingClientRect();
      const fields = [...document.querySelectorAll("#grid [data-at]")];
      const isSeen = ({ left, right }) => left >= frame.left && right <= frame.right;
      return fields.map((field) => [field.dataset.at, isSeen(field.getBoundingClientRect())])
        .filter(([name, isIn]) => isIn && name.slice(1) === String(row)).map(([name]) => name);
    }"""
"""Script that returns the fields of a row inside the frame."""


def items(page: Page) -> Locator:
    return page.locator("#thing-list li")


def tick_all(page: Page, count: int) -> None:
    """Tick the highlighted items one by one."""
    for _ in range(count):
        page.locator("#thing-list li.now input").press("Space")


def highlighted(page: Page) -> list[str]:
    return page.locator("#drawing .lit").evaluate_all("all => all.map((one) => one.dataset.field)")


@pytest.mark.parametrize("device", ["phone", "desktop"])
def test_every_item_is_ticked_off_and_highlighted(
    open_page: OpenPage, path: str, device: str
) -> None:
    page = open_page(f"{path}check/", device)
    for row in (1, 2, 3):
        page.get_by_role("button", name=f"Row {row} is right").press("Enter")
    expect(page.locator("#rows-done")).to_have_text("3 of 3")
    expect(items(page).first).to_contain_text("Row 1: 5 points")
    wait_for_frame(page)
    assert highlighted(page) == ["a1", "b1", "c1"]
    tick_all(page, 2)
    expect(page.locator("#thing-list li.now")).to_contain_text("Area a2, b2: 4 points")
    wait_for_frame(page)
    assert highlighted(page) == ["a2", "b2"]
    sheet = page.locator("#draft-frame").bounding_box()
    item = page.locator("#thing-list li.now").bounding_box()
    assert sheet
    assert item
    apart = sheet["y"] + sheet["height"] <= item["y"] or sheet["x"] + sheet["width"] <= item["x"]
    assert apart, "what lights up is hidden by its list, or hides it"
    tick_all(page, items(page).count() - 2)
    expect(page.locator("#check-progress")).to_have_text("Everything is compared with the paper.")
    wait_until_saved(page)
    page.reload()
    expect(page.locator("#check-progress")).to_have_text("Everything is compared with the paper.")


def test_one_tap_ticks_off_all_items_of_a_kind(open_page: OpenPage, path: str) -> None:
    page = open_page(f"{path}check/", "phone")
    page.get_by_role("button", name="Points and dice").click()
    at_once = page.locator(".thing-head button")
    assert at_once.count() < page.locator(".thing-head").count(), "two things need none"
    first = at_once.first
    kind = page.locator(".thing-head:has(button) h2").first.inner_text()
    those = page.locator(".thing-head:has(button) + ul").first.locator("li")
    count = those.count()
    expect(first).to_have_text(f"All {count} are right")
    expect(first).to_have_accessible_name(f"{kind}: All {count} are right")
    assert axe_violations(page) == ""
    assert not small_targets(page)
    those.first.get_by_role("checkbox").check()
    expect(first).to_have_text(f"All {count - 1} are right")
    top = those.first.evaluate("one => one.offsetTop")
    first.tap()
    expect(first).to_be_hidden()
    assert those.first.evaluate("one => one.offsetTop") == top
    assert those.get_by_role("checkbox", checked=True).count() == count
    expect(page.locator("#thing-list li.now input")).to_be_focused()
    wait_until_saved(page)
    page.reload()
    page.get_by_role("button", name="Points and dice").click()
    assert those.get_by_role("checkbox", checked=True).count() == count


def test_items_can_be_ticked_off_quickly(open_page: OpenPage, path: str) -> None:
    page = open_page(f"{path}check/", "phone")
    page.get_by_role("button", name="Points and dice").click()
    for number in range(items(page).count()):
        label = items(page).nth(number).locator("label")
        box = label.bounding_box()
        assert box
        at = (box["x"] + 60, box["y"] + box["height"] / 2)
        assert label.evaluate("(one, [x, y]) => one.contains(document.elementFromPoint(x, y))", at)
        page.mouse.click(*at)
        expect(items(page).nth(number).get_by_role("checkbox")).to_be_checked(timeout=3000)
    expect(page.locator("#things-done")).to_have_text(re.compile(r"^(\d+) of \1$"))


@pytest.mark.parametrize(("columns", "steps"), [(12, 1), (26, 2)])
def test_no_row_is_right_on_a_phone_before_all_of_it_was_seen(
    open_page: OpenPage, make_level: MakePath, columns: int, steps: int
) -> None:
    line = " ".join("123456"[x % 6] for x in range(columns))
    page = open_page(f"{make_level(line, line)}guide/check/", "phone")
    right = page.locator("#row-right")
    expect(right).to_be_visible()
    wait_for_frame(page)
    assert not small_targets(page)
    seen: set[str] = set()
    for row in 1, 2:
        for step in range(steps):
            said = "The rest of row" if step + 1 < steps else "Row"
            expect(right).to_have_text(re.compile(f"^{said} {row}"))
            wait_for_frame(page)
            seen |= set(page.evaluate(VISIBLE_FIELDS, row))
            right.press("Enter")  # quick taps on one button count once
    assert len(seen) == 2 * columns
    expect(page.locator("#rows-done")).to_have_text("2 of 2")


def test_ticks_are_visible_in_another_window_and_by_link(open_page: OpenPage, path: str) -> None:
    one = open_page(f"{path}check/", "phone")
    one.get_by_role("button", name="Row 1 is right").click()
    one.get_by_role("button", name="Points and dice").click()
    tick_all(one, 1)
    wait_until_saved(one)
    two = open_page(f"{path}check/", "desktop")
    expect(two.locator("#rows-done")).to_have_text("1 of 3")
    expect(two.locator("#row-right")).to_have_text("Row 2 is right")
    two.get_by_role("button", name="Points and dice").click()
    expect(items(two).first.get_by_role("checkbox")).to_be_checked()
    items(two).first.get_by_role("checkbox").uncheck()
    wait_until_saved(two)
    one.evaluate("() => dispatchEvent(new Event('pageshow'))")
    expect(items(one).first.get_by_role("checkbox")).not_to_be_checked()


def test_item_is_corrected_and_then_compared_again(open_page: OpenPage, path: str) -> None:
    page = open_page(f"{path}check/", "phone")
    page.get_by_role("button", name="Points and dice").click()
    tick_all(page, items(page).count())
    wait_until_saved(page)
    follow_link(page, page.get_by_role("link", name="Fix: Row 1"))
    expect(page.get_by_role("heading", level=1)).to_have_text("Arrows")
    expect(page.locator("#line-points")).to_be_focused()
    page.keyboard.type("9")
    wait_until_saved(page)
    follow_link(page, page.get_by_role("link", name="Back to comparing"))
    page.get_by_role("button", name="Points and dice").click()
    expect(page.locator("#thing-list li.now")).to_contain_text("Row 1: 9 points")
    expect(page.get_by_role("checkbox", checked=False)).to_have_count(1)
    for name, at in (("Area", "#area-points"), ("Red flag", "#points-Fr")):
        follow_link(page, page.get_by_role("link", name=f"Fix: {name}"))
        expect(page.locator(at)).to_be_visible()
        follow_link(page, page.get_by_role("link", name="Back to comparing"))
        page.get_by_role("button", name="Points and dice").click()


def test_rows_are_compared_by_keyboard_and_corrected_in_place(
    open_page: OpenPage, path: str
) -> None:
    page = open_page(f"{path}check/", "desktop")
    place(page, "a1").focus()
    page.keyboard.press("Enter")
    expect(place(page, "a2")).to_be_focused()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("3")
    expect(page.locator("#check-words")).to_have_text("3")
    page.keyboard.press("Enter")
    # The last row has no field in the first column.
    expect(place(page, "b3")).to_be_focused()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("4")
    expect(page.locator("#rows-done")).to_have_text("1 of 3")
    page.locator("#row-right").focus()
    page.keyboard.press("ArrowUp")
    expect(page.locator("#row-right")).to_have_text("✓ Row 1 is right")
    page.locator("#check-printed").click()
    page.locator("#check-symbol").select_option("Kr")
    assert rows(page) == ["3Kr 5 1Gy", "2 4 6Fr", ". 1 2B"]


def test_phone_shows_one_row_large_and_the_same_row_of_the_photo(
    open_page: OpenPage, path: str
) -> None:
    page = open_page(f"{path}check/", "phone")
    requests: list[str] = []
    page.on("request", lambda request: requests.append(f"{request.method} {request.url}"))
    page.locator("#photo").set_input_files(
        {"name": "p.png", "mimeType": "image/png", "buffer": photo()}
    )
    page.get_by_role("button", name="They are right").click()
    for row, colour in enumerate(COLOURS):
        expect(page.locator("#row-right")).to_contain_text(f"Row {row + 1}")
        expect_photo(page, colour)
        strip = page.locator("#photo-strip").bounding_box()
        drawn = page.locator(f"[data-field=b{row + 1}]").bounding_box()
        assert strip
        assert drawn
        assert strip["y"] + strip["height"] <= drawn["y"]
        assert drawn["y"] + drawn["height"] < 844
        page.get_by_role("button", name="Row below").click()
    page.reload()
    expect(page.locator("#photo-strip")).to_be_visible()
    assert not [url for url in requests if url.startswith("POST")]
    assert not [url for url in requests if "blob:" in url or "data:" in url]
    page.get_by_role("button", name="Hide the photo").click()
    expect(page.locator("#photo-strip")).to_be_hidden()
    page.reload()
    expect(page.locator("#photo-strip")).to_be_hidden()
    assert stored(page).revision == 0


def test_photo_lies_behind_the_sheet_from_its_first_step_on(open_page: OpenPage, path: str) -> None:
    page = open_page(f"{path}numbers/", "phone")
    scripts: list[str] = []
    page.on("request", lambda request: scripts.append(request.url))
    page.locator("#photo").set_input_files(
        {"name": "p.png", "mimeType": "image/png", "buffer": photo()}
    )
    corner = page.get_by_role("button", name="bottom left")
    corner.hover()
    page.mouse.down()
    expect(page.locator(".corner-lens")).to_be_visible()
    page.mouse.up()
    expect(page.locator(".corner-lens")).to_be_hidden()
    assert [url for url in scripts if "photo" in url], "it comes when it is used"
    page.get_by_role("button", name="They are right").click()
    for row, colour in enumerate(COLOURS):
        down = (row + 0.5) / (len(COLOURS) + 0.7)
        wait_until(page, lambda d=down, c=colour: near(photo_at(page, d, "under"), c))
    see_through = """() => [...document.querySelectorAll(".art-field .paper")]
        .map((one) => Number(getComputedStyle(one).fillOpacity))"""
    assert max(page.evaluate(see_through)) < 0.9
    place(page, "a1").click()
    page.get_by_role("button", name="4", exact=True).click()
    assert rows(page)[0] == "4x 5 1Gy"
    follow_link(page, page.locator("#next-step"))
    expect(page.locator("#photo-under")).to_be_visible()
    page.get_by_role("button", name="Hide the photo").click()
    expect(page.locator("#photo-under")).to_be_hidden()
    page.reload()
    expect(page.get_by_text("A photo behind it")).to_be_visible()
    expect(page.locator("#photo-under")).to_be_hidden()


def photo_at(page: Page, down: float, where: str = "strip") -> list[int]:
    """Return the colour in the middle of the photo's row, at a fraction of its height."""
    colour: list[int] = page.locator(f"#photo-{where}").evaluate(
        """(strip, down) => {
            const pen = strip.getContext("2d", { willReadFrequently: true });
            return [...pen.getImageData(strip.width / 2, strip.height * down, 1, 1).data];
        }""",
        down,
    )
    return colour


def expect_photo(page: Page, colour: tuple[int, ...], down: float = 0.5) -> None:
    """Wait for the photo's row, which follows the sheet's row with the next frame."""
    wait_until(page, lambda: near(photo_at(page, down), colour))


def near(colour: list[int], wanted: tuple[int, ...]) -> bool:
    return all(abs(a - b) < 25 for a, b in zip(colour, wanted, strict=False))


def test_corners_follow_the_finger_and_the_keys(open_page: OpenPage, path: str) -> None:
    page = open_page(f"{path}check/", "desktop")
    page.locator("#photo").set_input_files(
        {"name": "p.png", "mimeType": "image/png", "buffer": photo()}
    )
    corner = page.get_by_role("button", name="top left")
    box, whole = corner.bounding_box(), page.locator("#photo-canvas").bounding_box()
    assert box
    assert whole
    corner.hover()
    page.mouse.down()
    page.mouse.move(box["x"] + 24, box["y"] + 24 + whole["height"] * 0.2667)
    page.mouse.up()
    corner.focus()
    page.get_by_role("button", name="top right").focus()
    for _ in range(27):
        page.keyboard.press("ArrowDown")
    page.get_by_role("button", name="They are right").click()
    # The first row of the paper was cropped, so the second one is the first now.
    expect_photo(page, COLOURS[1], 1 / 6)
    photo_box = page.locator("#photo-frame").bounding_box()
    sheet_box = page.locator("#draft-frame").bounding_box()
    assert photo_box
    assert sheet_box
    assert photo_box["x"] + photo_box["width"] <= sheet_box["x"]


def test_invalid_picture_is_refused_with_a_message(open_page: OpenPage, path: str) -> None:
    page = open_page(f"{path}check/", "phone")
    page.locator("#photo").set_input_files(
        {"name": "p.png", "mimeType": "image/png", "buffer": b"no"}
    )
    expect(page.locator("#refusal")).to_have_text("This picture cannot be shown.")
    expect(page.locator("#corners")).to_be_hidden()


def test_phone_without_photo_shows_a_row_between_its_neighbours(
    open_page: OpenPage, make_level: MakePath
) -> None:
    page = open_page(f"{make_level(*['1 2 3 4 5 6'] * 6)}guide/check/", "phone")
    for _ in range(2):
        page.get_by_role("button", name="Row below").click()
    expect(page.locator("#row-right")).to_contain_text("Row 3")
    expect(page.locator("#drawing .now")).to_have_count(6)
    expect(page.locator("[data-field=b3]")).to_have_class(re.compile(r"\bnow\b"))
    wait_for_frame(page)
    frame = page.locator("#draft-frame").bounding_box()
    assert frame
    for name in ("b2", "b3", "b4"):
        box = page.locator(f"[data-field={name}]").bounding_box()
        assert box
        assert frame["y"] <= box["y"]
        assert box["y"] + box["height"] <= frame["y"] + frame["height"]
    expect(page.locator("#check-printed")).to_be_in_viewport(ratio=1)


def test_row_stays_visible_while_it_is_corrected(open_page: OpenPage, path: str) -> None:
    page = open_page(f"{path}check/", viewport={"width": 390, "height": 844})
    for width, height in ((390, 844), (320, 640)):
        page.set_viewport_size({"width": width, "height": height})
        wait_for_frame(page)
        for key in ("#row-right", "[data-act='fix 4']", "#photo"):
            page.locator(key).scroll_into_view_if_needed()
            is_seen = page.locator("#grid [data-at=b1]").evaluate(
                """one => {
                    const box = one.getBoundingClientRect();
                    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
                    return document.elementFromPoint(x, y) === one;
                }"""
            )
            assert is_seen, (width, key)
        assert overflow_px(page) == 0
