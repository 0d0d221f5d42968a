"""What is read on photos of empty sheets that nobody has entered yet?"""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import combinations

import cv2
import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from sheets.scanning.photos import open_photo
from sheets.scanning.reading import SURE
from sheets.scanning.unknown.drawn import draw_new
from sheets.scanning.unknown.lattice import find_lattices
from sheets.scanning.unknown.numbers import Known, go_on, read_numbers, seem_to_have_digits
from sheets.scanning.unknown.quads import find_quads
from sheets.scanning.unknown.reading import NewField, NewSheet, new_document, read_new
from tests.scanning.unknown_shots import FONTS, Unknown, take_unknown
from training.foreign import PX_PER_MM, Drawn

PHOTOS = [(1, "easy"), (2, "easy"), (4, "normal")]


def jpeg(pixels: np.ndarray) -> bytes:
    stream = io.BytesIO()
    Image.fromarray(pixels).save(stream, "JPEG", quality=90)
    return stream.getvalue()


@cache
def sheet_of(seed: int, grade: str = "easy") -> NewSheet:
    """What is read on a photo: once for all tests that look at it, none of which changes it."""
    return read_new(take_unknown(seed, grade).shot.jpeg)


@cache
def saved_again() -> tuple[np.ndarray, NewSheet]:
    """The pixels of the first photo, and what is read where they are saved once more."""
    photo = open_photo(take_unknown(1).shot.jpeg)
    return photo, read_new(jpeg(photo))


def pairs_of(taken: Unknown, sheet: NewSheet) -> list[tuple[Drawn, NewField]]:
    """Each field that was drawn, with the only one whose corners are around its middle."""
    height, width = taken.page.picture.shape[:2]
    corners = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32) / PX_PER_MM
    to_photo = cv2.getPerspectiveTransform(corners, taken.shot.corners.astype(np.float32))
    pairs = []
    for drawn in taken.page.fields.values():
        middle = np.array([[np.array(drawn.box[:2]) + np.array(drawn.box[2:]) / 2]])
        at = tuple(map(float, cv2.perspectiveTransform(middle, to_photo)[0, 0]))
        (seen,) = (
            one
            for one in sheet.fields
            if cv2.pointPolygonTest(one.corners.astype(np.float32), at, False) > 0
        )
        pairs.append((drawn, seen))
    return pairs


@pytest.mark.parametrize(("seed", "grade"), PHOTOS)
def test_every_field_is_found_once_with_its_digit(seed: int, grade: str) -> None:
    taken = take_unknown(seed, grade)
    sheet = sheet_of(seed, grade)
    pairs = pairs_of(taken, sheet)
    assert len({seen.name for _drawn, seen in pairs}) == len(taken.page.fields)
    digits = [(drawn.digit, seen) for drawn, seen in pairs if drawn.digit]
    assert sum(seen.digit == digit for digit, seen in digits) >= 0.97 * len(digits)
    assert not [seen for drawn, seen in pairs if seen.digit != drawn.digit and seen.sure >= SURE]


@pytest.mark.parametrize(("seed", "grade"), PHOTOS)
def test_hole_that_fields_close_in_has_no_digit(seed: int, grade: str) -> None:
    taken = take_unknown(seed, grade)
    sheet = sheet_of(seed, grade)
    found = {seen.name for _drawn, seen in pairs_of(taken, sheet)}
    phantoms = [one for one in sheet.fields if one.name not in found]
    assert [one.digit for one in phantoms] == [None] * len(phantoms)
    assert all(one.sure < SURE for one in phantoms)


@pytest.mark.parametrize(("seed", "grade"), PHOTOS)
def test_fields_keep_their_columns_and_rows(seed: int, grade: str) -> None:
    taken = take_unknown(seed, grade)
    sheet = sheet_of(seed, grade)
    names = {place: seen.name for place, (_drawn, seen) in zip(
        taken.page.fields, pairs_of(taken, sheet), strict=True)}  # fmt: skip
    left, top = (min(place[i] for place in names) for i in (0, 1))
    assert names == {
        (x, y): f"{chr(ord('a') + x - left)}{y - top + 1}" for x, y in taken.page.fields
    }


def test_symbols_are_gathered() -> None:
    pairs = [(drawn, seen) for drawn, seen in pairs_of(take_unknown(1), sheet_of(1)) if drawn.digit]
    both = list(combinations(pairs, 2))
    like = [one[1].group == two[1].group for one, two in both if one[0].symbol == two[0].symbol]
    unlike = [one[1].group == two[1].group for one, two in both if one[0].symbol != two[0].symbol]
    assert sum(like) >= 0.9 * len(like)
    assert sum(unlike) <= 0.01 * len(unlike)


@pytest.mark.parametrize("turn", [1, 2, 3])
def test_photo_may_lie_on_any_side(turn: int) -> None:
    photo, upright = saved_again()
    grid = new_document("", upright, 0)["grid"]
    turned = new_document("", read_new(jpeg(np.rot90(photo, turn))), 0)["grid"]
    assert turned == grid


def test_corners_are_pixels_of_the_photo_as_it_was_sent() -> None:
    """Photos of more than 17 megapixels are made smaller before they are looked at."""
    photo, sheet = saved_again()
    large = read_new(jpeg(cv2.resize(photo, None, fx=2, fy=2)))
    small, twice = ({one.name: one.corners for one in seen.fields} for seen in (sheet, large))
    off = [np.abs(twice[name] / 2 - small[name]).max() for name in small]
    assert np.median(off) < 1.5


def test_picture_shows_the_sheet_upright() -> None:
    picture = draw_new(sheet_of(1))
    assert picture.shape[0] > 500
    with pytest.raises(ValueError, match="nothing was seen"):
        draw_new(NewSheet("no-sheet"))


def tiles() -> np.ndarray:
    """A table with more fields side by side than any sheet, and no digit."""
    board = (np.indices((20, 26)).sum(0) % 2 * 90 + 90).astype(np.uint8)
    return np.dstack([np.kron(board, np.ones((50, 50), np.uint8))] * 3)


def noise(mean: int) -> np.ndarray:
    return np.random.default_rng(1).normal(mean, 12, (900, 1200, 3)).clip(0, 255).astype(np.uint8)


def test_sheet_is_read_on_a_table_whose_tiles_are_as_large_as_its_fields() -> None:
    """Piece by piece they go on where its fields would, and are far more of them."""
    board = np.indices((30, 30)).sum(0) % 2 * 60 + 60
    board[::5], board[:, ::5] = 90, 90
    page = Image.fromarray(np.dstack([np.kron(board, np.ones((50, 50))).astype(np.uint8)] * 3))
    draw = ImageDraw.Draw(page)
    draw.rectangle((500, 500, 1000, 900), fill=(240, 240, 240))
    font = ImageFont.truetype(str(FONTS["Nunito"][0]), 32)
    drawn = []
    for y, x in np.ndindex(6, 8):
        left, top = 550 + 50 * x, 550 + 50 * y
        draw.rectangle((left, top, left + 50, top + 50), outline=(40, 40, 40), width=2)
        drawn.append(1 + (x * 3 + y) % 6)
        draw.text((left + 25, top + 25), str(drawn[-1]), font=font, fill=(30,) * 3, anchor="mm")
    sheet = read_new(jpeg(np.asarray(page)))
    # The tiles next to it may be taken for fields, but for none with a digit.
    assert [one.digit for one in sheet.fields if one.digit] == drawn


@pytest.mark.parametrize(
    ("photo", "reason"),
    [
        (lambda: jpeg(tiles()), "no-sheet"),
        (lambda: jpeg(noise(160)), "no-sheet"),
        (lambda: jpeg(noise(20)), "too-dark"),
        (lambda: jpeg(cv2.GaussianBlur(noise(160), (0, 0), 25)), "blurred"),
        (lambda: jpeg(noise(160)[:300, :300]), "too-small"),
        (lambda: b"no photo", "not-a-picture"),
    ],
    ids=["tiles", "a table", "dark", "blurred", "small", "a text"],
)  # fmt: skip
def test_photo_without_a_sheet_says_why(photo: Callable[[], bytes], reason: str) -> None:
    sheet = read_new(photo())
    document = new_document("a.jpg", sheet, 0.5)
    assert document == {
        "format": "dizzle-new/1", "photo": "a.jpg", "refused": reason, "seconds": 0.5,
        "grid": [], "sure": {}, "groups": [], "corners": {},
    }  # fmt: skip


def test_a_place_asked_about_later_is_read_as_if_at_once() -> None:
    flat = sheet_of(1).flat
    assert flat is not None
    known: Known = {}
    part = replace(flat, places=flat.places[::2])
    read_numbers(part, known)
    later = [(one.digit, one.sure) for one in read_numbers(flat, known)]
    at_once = [(one.digit, one.sure) for one in read_numbers(flat)]
    assert [digit for digit, _sure in later] == [digit for digit, _sure in at_once]
    assert np.allclose([sure for _digit, sure in later], [sure for _digit, sure in at_once])
    assert {place for place, _ink, _is_thicker in known} == set(flat.places)


def test_a_glance_tells_fields_with_digits_from_tiles() -> None:
    photo = saved_again()[0]
    sheet = find_lattices(find_quads(photo))[0]
    assert seem_to_have_digits(photo, sheet)
    table = np.ascontiguousarray(tiles()[:400, :400])
    assert not seem_to_have_digits(table, find_lattices(find_quads(table))[0])


def test_digit_that_its_symbol_touches_is_read() -> None:
    page = Image.new("RGB", (1100, 1100), (250, 250, 250))
    draw = ImageDraw.Draw(page)
    font = ImageFont.truetype(str(FONTS["Nunito"][0]), 56)
    drawn = {}
    for x, y in np.ndindex(9, 9):
        left, top = 100 + 100 * x, 100 + 100 * y
        draw.rectangle((left, top, left + 100, top + 100), outline=(90, 90, 90), width=4)
        if (x + y) % 4 == 0:
            for beam in (18, 30, 42):
                draw.rectangle((left + 35, top + beam, left + 65, top + beam + 5), fill=(30,) * 3)
            for pole in (38, 58):
                draw.rectangle((left + pole, top + 14, left + pole + 5, top + 60), fill=(30,) * 3)
        if (x, y) == (4, 4):  # no digit, but where digits are it looks like one
            draw.line((left + 40, top + 60, left + 53, top + 52), fill=(30,) * 3, width=7)
            draw.line((left + 52, top + 30, left + 52, top + 89), fill=(30,) * 3, width=8)
        else:
            drawn[x, y] = 1 + (x * 3 + y) % 6
            at = (left + 50, top + 70)
            draw.text(at, str(drawn[x, y]), font=font, fill=(30,) * 3, anchor="mm")
    sheet = read_new(jpeg(np.asarray(page)))
    found = dict(zip(np.ndindex(9, 9), sheet.fields, strict=True))
    assert {(x, y): found[y, x].digit for x, y in drawn} == drawn
    assert all(found[y, x].sure >= SURE for x, y in drawn)
    assert found[4, 4].sure < SURE
    assert sheet.flat is not None
    numbers = read_numbers(replace(sheet.flat, places=list(sheet.places)))
    heights = [one.blob.box[3] for one in numbers if one.digit and one.blob]
    assert max(heights) < 1.2 * min(heights)  # no symbol is taken for a part of its digit


def test_nothing_is_cut_off_digits_that_go_lower_than_others() -> None:
    """As a 3, 4 or 5 of old style does."""
    page = Image.new("RGB", (1100, 1000), (250, 250, 250))
    draw = ImageDraw.Draw(page)
    font = ImageFont.truetype(str(FONTS["Nunito"][0]), 50)
    heights = {digit: 54 if digit in (3, 4, 5) else 38 for digit in range(1, 7)}
    drawn = []
    for y, x in np.ndindex(7, 8):
        left, top = 150 + 100 * x, 150 + 100 * y
        draw.rectangle((left, top, left + 100, top + 100), outline=(90, 90, 90), width=4)
        drawn.append(1 + (x * 3 + y) % 6)
        one = Image.new("L", (60, 60))
        ImageDraw.Draw(one).text((30, 30), str(drawn[-1]), font=font, fill=255, anchor="mm")
        one = one.crop(one.getbbox()).resize((28, heights[drawn[-1]]))
        page.paste((30, 30, 30), (left + 36, top + 22), one)
    sheet = read_new(jpeg(np.asarray(page)))
    assert [one.digit for one in sheet.fields] == drawn
    assert sheet.flat is not None
    numbers = read_numbers(replace(sheet.flat, places=list(sheet.places)))
    for digit, one in zip(drawn, numbers, strict=True):
        assert one.blob is not None
        assert one.blob.box[3] == pytest.approx(heights[digit] / 100, abs=0.05)


def test_a_sheet_of_which_a_part_was_found_goes_on() -> None:
    flat = sheet_of(1).flat
    assert flat is not None
    known: Known = {}
    assert not go_on(flat, read_numbers(flat, known), known)
    rows = sorted({y for _x, y in flat.places})
    part = replace(flat, places=[one for one in flat.places if one[1] in rows[:-2]])
    known = {}
    assert go_on(part, read_numbers(part, known), known)


def test_digits_of_broken_hairlines_are_read_and_asked_about() -> None:
    page = np.full((990, 1100, 3), 245, np.uint8)
    boxes = {(x, y): (220 + 110 * x, 220 + 110 * y) for y in range(5) for x in range(6)}
    digits = {(x, y): 1 + (x * 3 + y) % 6 for x, y in boxes}
    for at, (left, top) in boxes.items():
        (wide, high), _ = cv2.getTextSize(str(digits[at]), 0, 2.2, 1)
        corner = (left + (110 - wide) // 2, top + (110 + high) // 2)
        cv2.putText(page, str(digits[at]), corner, 0, 2.2, (60,) * 3, 1, cv2.LINE_AA)
    for row in range(3):
        page[row:440:8] = 245
    for left, top in boxes.values():
        cv2.rectangle(page, (left, top), (left + 110, top + 110), (90,) * 3, 3)
    found = read_new(jpeg(cv2.GaussianBlur(page, (0, 0), 0.6))).fields
    assert [one.digit for one in found] == [digits[at] for at in boxes]
    assert [one.sure < SURE for one in found] == [y < 2 for _x, y in boxes]


def test_symbol_of_another_ink_that_looks_like_a_digit_is_asked_about() -> None:
    page = Image.new("RGB", (1000, 900), (250, 250, 250))
    draw = ImageDraw.Draw(page)
    font = ImageFont.truetype(str(FONTS["Nunito"][0]), 56)
    odd = (3, 2)
    for x, y in np.ndindex(6, 5):
        left, top = 200 + 100 * x, 200 + 100 * y
        draw.rectangle((left, top, left + 100, top + 100), outline=(90, 90, 90), width=4)
        ink, digit = ((190, 40, 120), 3) if (x, y) == odd else ((30, 30, 30), 1 + (x * 3 + y) % 6)
        draw.text((left + 50, top + 50), str(digit), font=font, fill=ink, anchor="mm")
    found = dict(zip(np.ndindex(5, 6), read_new(jpeg(np.asarray(page))).fields, strict=True))
    assert [(x, y) for (y, x), one in found.items() if one.sure < SURE] == [odd]


def test_two_symbols_that_look_like_digits_elsewhere_do_not_vouch_for_each_other() -> None:
    page = Image.new("RGB", (1000, 900), (250, 250, 250))
    draw = ImageDraw.Draw(page)
    odd = [(3, 2), (4, 4)]
    for x, y in np.ndindex(6, 5):
        left, top = 200 + 100 * x, 200 + 100 * y
        draw.rectangle((left, top, left + 100, top + 100), outline=(90, 90, 90), width=4)
        digit, high, low = (3, 36, 24) if (x, y) in odd else (1 + (x * 3 + y) % 6, 56, 0)
        font = ImageFont.truetype(str(FONTS["Nunito"][0]), high)
        at = (left + 50 + low, top + 50 + low)
        draw.text(at, str(digit), font=font, fill=(30, 30, 30), anchor="mm")
    found = dict(zip(np.ndindex(5, 6), read_new(jpeg(np.asarray(page))).fields, strict=True))
    assert sorted((x, y) for (y, x), one in found.items() if one.sure < SURE) == odd


@pytest.mark.parametrize(
    ("lone", "is_found"), [([(3, 2)], True), ([(2, 3), (3, 3)], True), ([(0, 2)], False)]
)
def test_digits_without_a_frame_are_fields_among_others_on_all_sides(
    lone: list[tuple[int, int]], is_found: bool
) -> None:
    page = Image.new("RGB", (1000, 900), (250, 250, 250))
    draw = ImageDraw.Draw(page)
    font = ImageFont.truetype(str(FONTS["Nunito"][0]), 56)
    for x, y in np.ndindex(6, 5):
        left, top = 200 + 100 * x, 200 + 100 * y
        if (x, y) not in lone:
            draw.rectangle((left, top, left + 80, top + 80), outline=(60, 60, 60), width=4)
        draw.text(
            (left + 40, top + 40), str(1 + (x * 3 + y) % 6), font=font, fill=(30,) * 3, anchor="mm"
        )
    found = {one.name: one for one in read_new(jpeg(np.asarray(page))).fields}
    names = {f"{'abcdef'[x]}{y + 1}": 1 + (x * 3 + y) % 6 for x, y in lone}
    assert len(found) == 30 - (0 if is_found else len(lone))
    for name, digit in names.items():
        assert (found[name].digit == digit) if is_found else (name not in found)


def test_symbol_without_a_frame_is_a_field_among_others_on_all_sides() -> None:
    page = Image.new("RGB", (1000, 900), (250, 250, 250))
    draw = ImageDraw.Draw(page)
    font = ImageFont.truetype(str(FONTS["Nunito"][0]), 56)
    for x, y in np.ndindex(6, 5):
        left, top = 200 + 100 * x, 200 + 100 * y
        if (x, y) == (3, 2):
            draw.ellipse((left + 20, top + 20, left + 60, top + 60), fill=(190, 40, 60))
        elif (x, y) != (1, 2):  # a hole
            draw.rectangle((left, top, left + 80, top + 80), outline=(60, 60, 60), width=4)
            at = (left + 40, top + 40)
            draw.text(at, str(1 + (x * 3 + y) % 6), font=font, fill=(30,) * 3, anchor="mm")
    found = {one.name: one.digit for one in read_new(jpeg(np.asarray(page))).fields}
    assert len(found) == 29
    assert "b3" not in found
    assert found["d3"] is None
