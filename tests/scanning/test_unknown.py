"""What is read on photos of empty sheets that nobody has entered yet?"""

from __future__ import annotations

from collections import Counter
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
from sheets.scanning.straighten import Bend
from sheets.scanning.unknown.drawn import draw_new
from sheets.scanning.unknown.flat import FIELD_PX, Flat
from sheets.scanning.unknown.lattice import find_lattices
from sheets.scanning.unknown.numbers import (
    CLEAR,
    Known,
    go_on,
    read_numbers,
    seem_to_have_digits,
)
from sheets.scanning.unknown.quads import find_quads
from sheets.scanning.unknown.reading import NewField, NewSheet, new_document, read_new
from tests.scanning.drawn_boxes import DARK, Box, digit_at, draw_boxes, jpeg
from tests.scanning.shots import noise, noise_on_cloth
from tests.scanning.unknown_shots import FONTS, Unknown, take_unknown
from training import foreign
from training.foreign import PX_PER_MM, Drawn

PHOTOS = [(1, "easy"), (2, "easy"), (4, "normal")]


@cache
def sheet_of(seed: int, grade: str = "easy") -> NewSheet:
    """What is read on a photo: once for all tests that look at it, none of which changes it."""
    return read_new(take_unknown(seed, grade).shot.jpeg)


@cache
def saved_again() -> tuple[np.ndarray, NewSheet]:
    """The pixels of the first photo, and what is read where they are saved once more."""
    photo = open_photo(take_unknown(1).shot.jpeg)
    return photo, read_new(jpeg(photo))


def by_place(sheet: NewSheet) -> dict[tuple[int, int], NewField]:
    """The fields of a sheet that has no shifted rows and begins at a1, by column and row."""
    return {(ord(one.name[0]) - ord("a"), int(one.name[1:]) - 1): one for one in sheet.fields}


def digits_of(columns: int, rows: int) -> dict[tuple[int, int], int]:
    """What boxes are usually numbered with, by column and row."""
    return {(x, y): digit_at(x, y) for x in range(columns) for y in range(rows)}


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


@pytest.mark.slow
@pytest.mark.parametrize("turn", [1, 2, 3])
def test_photo_may_lie_on_any_side(turn: int) -> None:
    photo, upright = saved_again()
    grid = new_document("", upright, 0)["grid"]
    turned = new_document("", read_new(jpeg(np.rot90(photo, turn))), 0)["grid"]
    assert turned == grid


@pytest.mark.slow
def test_small_condensed_digits_are_read_on_any_side(monkeypatch: pytest.MonkeyPatch) -> None:
    """A condensed 1 that lies on its side is less high than any digit that stands."""
    monkeypatch.setattr(foreign, "choose_digit_size", lambda _rng: (0.7, 0.6))
    page = foreign.draw_page(np.random.default_rng(3), FONTS)
    sheets = [read_new(jpeg(np.rot90(page.picture, turn))) for turn in range(4)]
    assert [one.refused for one in sheets] == [None] * 4
    digits = Counter(one.digit for one in page.fields.values() if one.digit)
    read = [Counter(one.digit for one in sheet.fields if one.digit) for sheet in sheets]
    assert all((digits - some).total() <= 0.03 * digits.total() for some in read)


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


@pytest.mark.slow
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


@pytest.mark.slow
@pytest.mark.parametrize(
    ("photo", "reason"),
    [
        (lambda: jpeg(tiles()), "no-sheet"),
        (lambda: jpeg(noise(160)), "no-sheet"),
        (lambda: jpeg(noise(20)), "too-dark"),
        (lambda: jpeg(noise_on_cloth(200)), "no-sheet"),
        (lambda: jpeg(noise_on_cloth(45)), "too-dark"),
        (lambda: jpeg(cv2.GaussianBlur(noise(160), (0, 0), 25)), "blank"),
        (lambda: jpeg(cv2.GaussianBlur(noise_on_cloth(200), (0, 0), 25)), "blurred"),
        (lambda: jpeg(noise(160)[:300, :300]), "too-small"),
        (lambda: b"no photo", "not-a-picture"),
    ],
    ids=[
        "tiles", "a table", "dark", "paper on a black cloth", "the same in the dark", "blank",
        "blurred", "small", "a text",
    ],
)  # fmt: skip
def test_photo_without_a_sheet_says_why(photo: Callable[[], bytes], reason: str) -> None:
    sheet = read_new(photo())
    document = new_document("a.jpg", sheet, 0.5)
    assert document == {
        "format": "dizzle-new/1", "photo": "a.jpg", "refused": reason, "seconds": 0.5,
        "page": None, "grid": [], "sure": {}, "groups": [], "corners": {},
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
    assert {place for place, _ink, _lines in known} == set(flat.places)


@pytest.mark.slow
def test_a_glance_tells_fields_with_digits_from_tiles() -> None:
    photo = saved_again()[0]
    sheet = find_lattices(find_quads(photo))[0]
    assert seem_to_have_digits(photo, sheet)
    table = np.ascontiguousarray(tiles()[:400, :400])
    assert not seem_to_have_digits(table, find_lattices(find_quads(table))[0])


@pytest.mark.slow
def test_digit_that_its_symbol_touches_is_read() -> None:
    odd = (4, 4)

    def draw(box: Box) -> None:
        box.frame()
        if (box.x + box.y) % 4 == 0:
            for beam in (18, 30, 42):
                box.bar(35, beam, 65, beam + 5)
            for pole in (38, 58):
                box.bar(pole, 14, pole + 5, 60)
        if (box.x, box.y) == odd:  # no digit, but where digits are it looks like one
            box.line(40, 60, 53, 52, width=7)
            box.line(52, 30, 52, 89, width=8)
        else:
            box.write((50, 70))
            drawn[box.x, box.y] = box.digit

    drawn: dict[tuple[int, int], int] = {}
    sheet = read_new(draw_boxes(9, 9, draw))
    found = by_place(sheet)
    assert {at: found[at].digit for at in drawn} == drawn
    assert all(found[at].sure >= SURE for at in drawn)
    assert found[odd].sure < SURE
    assert sheet.flat is not None
    numbers = read_numbers(replace(sheet.flat, places=list(sheet.places)))
    heights = [one.blob.box[3] for one in numbers if one.digit and one.blob]
    assert max(heights) < 1.2 * min(heights)  # no symbol is taken for a part of its digit


@pytest.mark.slow
def test_hairline_digit_is_read_beside_a_far_darker_symbol_that_touches_it() -> None:
    def draw(box: Box) -> None:
        box.frame()
        box.write((50, 66), high=60, ink=(185, 185, 185))
        if box.x % 2:
            box.disc(26, 4, 74, 46, ink=(20, 20, 20))

    found = by_place(read_new(draw_boxes(6, 5, draw)))
    assert {at: one.digit for at, one in found.items()} == digits_of(6, 5)
    assert {at for at, one in found.items() if one.sure < SURE} >= {at for at in found if at[0] % 2}


@pytest.mark.slow
def test_digits_on_a_symbol_that_is_hardly_brighter_are_mostly_read() -> None:
    def draw(box: Box) -> None:
        box.frame()
        if box.x % 2:
            box.line(20, 85, 85, 15, width=22, ink=(78, 75, 73))
        box.write(ink=(15, 15, 15))

    found = by_place(read_new(draw_boxes(6, 5, draw)))
    read = {at: one.digit for at, one in found.items() if one.digit}
    assert read.items() <= digits_of(6, 5).items()
    assert len(read) >= 24
    assert {at for at, one in found.items() if one.sure < SURE} == {at for at in found if at[0] % 2}


@pytest.mark.slow
@pytest.mark.parametrize("marked", [[(1, 1), (4, 1), (2, 3)], [(4, 1)]])
def test_faint_print_is_a_group_where_several_fields_have_it(
    marked: list[tuple[int, int]],
) -> None:
    """One alone may be a stain: it stays with those that have nothing but a digit."""

    def draw(box: Box) -> None:
        box.frame()
        box.write((40, 36), high=44)
        if (box.x, box.y) in marked:
            box.write((76, 72), digit=4, high=34, ink=(226, 229, 231))

    found = by_place(read_new(draw_boxes(6, 5, draw)))
    groups = {at: one.group for at, one in found.items()}
    plain = [group for at, group in groups.items() if at not in marked]
    assert set(plain) == {0}
    assert {groups[at] for at in marked} == {1 if len(marked) > 1 else 0}
    assert all(one.sure >= SURE for one in found.values())


@pytest.mark.slow
def test_faint_print_goes_with_a_symbol_that_is_the_same() -> None:
    """Of three that are printed alike one may be just too pale: it is no stain then."""
    inks = {(1, 1): (212, 212, 212), (4, 2): (212, 212, 212), (2, 3): (220, 220, 220)}

    def draw(box: Box) -> None:
        box.frame()
        box.write((40, 36), high=44)
        if ink := inks.get((box.x, box.y)):
            box.write((76, 72), digit=4, high=34, ink=ink)

    groups = {at: one.group for at, one in by_place(read_new(draw_boxes(6, 5, draw))).items()}
    assert {at for at, group in groups.items() if group == 1} == set(inks)
    assert set(groups.values()) == {0, 1}


@pytest.mark.slow
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


@pytest.mark.slow
def test_a_sheet_of_which_a_part_was_found_goes_on() -> None:
    flat = sheet_of(1).flat
    assert flat is not None
    known: Known = {}
    assert not go_on(flat, read_numbers(flat, known), known)
    rows = sorted({y for _x, y in flat.places})
    part = replace(flat, places=[one for one in flat.places if one[1] in rows[:-2]])
    known = {}
    assert go_on(part, read_numbers(part, known), known)


@pytest.mark.slow
def test_digits_of_broken_hairlines_are_read_and_asked_about() -> None:
    page = np.full((990, 1100, 3), 245, np.uint8)
    boxes = {(x, y): (220 + 110 * x, 220 + 110 * y) for y in range(5) for x in range(6)}
    digits = {(x, y): 1 + (x * 3 + y) % 6 for x, y in boxes}
    for at, (left, top) in boxes.items():
        (wide, high), _ = cv2.getTextSize(str(digits[at]), 0, 2.2, 1)
        corner = (left + (110 - wide) // 2, top + (110 + high) // 2)
        cv2.putText(page, str(digits[at]), corner, 0, 2.2, (60,) * 3, 1, cv2.LINE_AA)
    for row in range(4):
        page[row:440:8] = 245
    for left, top in boxes.values():
        cv2.rectangle(page, (left, top), (left + 110, top + 110), (90,) * 3, 3)
    found = read_new(jpeg(cv2.GaussianBlur(page, (0, 0), 0.6))).fields
    assert [one.digit for one in found] == [digits[at] for at in boxes]
    assert [one.sure < SURE for one in found] == [y < 2 for _x, y in boxes]


@pytest.mark.slow
def test_digits_of_hairlines_in_the_grain_of_a_photo_are_clear() -> None:
    rows, columns, around = 5, 6, 2
    size = [(count + 2 * around) * FIELD_PX for count in (rows, columns)]
    page = np.full(size, 130, np.uint8)
    places = [(float(x), float(y)) for y in range(rows) for x in range(columns)]
    digits = [digit_at(int(x), int(y)) for x, y in places]
    for (x, y), digit in zip(places, digits, strict=True):
        left, top = round((x + around) * FIELD_PX), round((y + around) * FIELD_PX)
        cv2.rectangle(page, (left, top), (left + FIELD_PX, top + FIELD_PX), 40, 2)
        (wide, high), _ = cv2.getTextSize(str(digit), 0, 1.3, 1)
        corner = (left + (FIELD_PX - wide) // 2, top + (FIELD_PX + high) // 2)
        cv2.putText(page, str(digit), corner, 0, 1.3, 105, 1, cv2.LINE_AA)
    grain = np.random.default_rng(1).normal(0, 13, page.shape)
    grainy = np.clip(cv2.GaussianBlur(page, (0, 0), 0.5) + grain, 0, 255).astype(np.uint8)
    first = (-around - 0.5,) * 2
    bend = Bend((0.0, 0.0, 1.0, 1.0))
    flat = Flat(np.dstack([grainy] * 3), places, first, (1.0, 1.0), np.eye(3), bend)
    numbers = read_numbers(flat)
    assert [one.digit for one in numbers] == digits
    assert all(one.sure >= CLEAR for one in numbers)


@pytest.mark.slow
def test_symbol_of_another_ink_that_looks_like_a_digit_is_asked_about() -> None:
    odd = (3, 2)

    def draw(box: Box) -> None:
        box.frame()
        if (box.x, box.y) == odd:
            box.write(digit=3, ink=(190, 40, 120))
        else:
            box.write()

    found = by_place(read_new(draw_boxes(6, 5, draw)))
    assert [at for at, one in found.items() if one.sure < SURE] == [odd]


@pytest.mark.slow
def test_two_symbols_that_look_like_digits_elsewhere_do_not_vouch_for_each_other() -> None:
    odd = {(3, 2), (4, 4)}

    def draw(box: Box) -> None:
        box.frame()
        if (box.x, box.y) in odd:
            box.write((74, 74), digit=3, high=36)
        else:
            box.write()

    found = by_place(read_new(draw_boxes(6, 5, draw)))
    assert {at for at, one in found.items() if one.sure < SURE} == odd


@pytest.mark.slow
@pytest.mark.parametrize(
    ("lone", "is_found"), [([(3, 2)], True), ([(2, 3), (3, 3)], True), ([(0, 2)], False)]
)
def test_digits_without_a_frame_are_fields_among_others_on_all_sides(
    lone: list[tuple[int, int]], is_found: bool
) -> None:
    def draw(box: Box) -> None:
        if (box.x, box.y) not in lone:
            box.frame(80, DARK)
        box.write((40, 40))

    found = {one.name: one for one in read_new(draw_boxes(6, 5, draw)).fields}
    names = {f"{'abcdef'[x]}{y + 1}": digit_at(x, y) for x, y in lone}
    assert len(found) == 30 - (0 if is_found else len(lone))
    for name, digit in names.items():
        assert (found[name].digit == digit) if is_found else (name not in found)


@pytest.mark.slow
def test_symbol_without_a_frame_is_a_field_among_others_on_all_sides() -> None:
    def draw(box: Box) -> None:
        if (box.x, box.y) == (3, 2):
            box.disc(20, 20, 60, 60, ink=(190, 40, 60))
        elif (box.x, box.y) != (1, 2):  # a hole
            box.frame(80, DARK)
            box.write((40, 40))

    found = {one.name: one.digit for one in read_new(draw_boxes(6, 5, draw)).fields}
    assert len(found) == 29
    assert "b3" not in found
    assert found["d3"] is None
