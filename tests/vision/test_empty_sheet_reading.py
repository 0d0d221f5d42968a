"""Tests of reading photos of empty sheets without a level."""

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

from sheets.vision.decoding import decode_photo
from sheets.vision.overlay import draw_grid_overlay
from sheets.vision.pads.digit_reading import (
    MIN_CLEAR,
    BlobCache,
    continues,
    has_digits,
    read_digits,
)
from sheets.vision.pads.empty_sheet_reading import (
    EmptySheetReading,
    FieldReading,
    empty_sheet_document,
    read_empty_sheet,
)
from sheets.vision.pads.lattice import find_lattices
from sheets.vision.pads.quadrilaterals import find_quads
from sheets.vision.pads.rectification import FIELD_PX, RectifiedGrid
from sheets.vision.reading import MIN_CONFIDENCE
from sheets.vision.rectification import WarpModel
from tests.vision.drawn_boxes import DARK, Box, digit_at, draw_boxes, jpeg
from tests.vision.empty_sheet_shots import FONTS, EmptySheetShot, take_empty_sheet
from tests.vision.shots import noise, noise_on_cloth
from training import pad_pages
from training.pad_pages import PX_PER_MM, DrawnField

PHOTOS = [(1, "easy"), (2, "easy"), (4, "normal")]


@cache
def sheet_of(seed: int, grade: str = "easy") -> EmptySheetReading:
    """Return the cached reading of a photo; no test changes it."""
    return read_empty_sheet(take_empty_sheet(seed, grade).shot.jpeg)


@cache
def saved_again() -> tuple[np.ndarray, EmptySheetReading]:
    """Return the pixels of the first photo, and its reading after another JPEG compression."""
    photo = decode_photo(take_empty_sheet(1).shot.jpeg)
    return photo, read_empty_sheet(jpeg(photo))


def by_position(sheet: EmptySheetReading) -> dict[tuple[int, int], FieldReading]:
    """Return the fields of a sheet without shifted rows that begins at a1, by column and row."""
    return {(ord(one.name[0]) - ord("a"), int(one.name[1:]) - 1): one for one in sheet.fields}


def digits_of(columns: int, rows: int) -> dict[tuple[int, int], int]:
    """Return the usual digits of drawn boxes, by column and row."""
    return {(x, y): digit_at(x, y) for x in range(columns) for y in range(rows)}


def pairs_of(
    taken: EmptySheetShot, sheet: EmptySheetReading
) -> list[tuple[DrawnField, FieldReading]]:
    """Return each drawn field with the only detected field whose corners enclose its centre."""
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
    taken = take_empty_sheet(seed, grade)
    sheet = sheet_of(seed, grade)
    pairs = pairs_of(taken, sheet)
    assert len({seen.name for _drawn, seen in pairs}) == len(taken.page.fields)
    digits = [(drawn.digit, seen) for drawn, seen in pairs if drawn.digit]
    assert sum(seen.digit == digit for digit, seen in digits) >= 0.97 * len(digits)
    assert not [
        seen
        for drawn, seen in pairs
        if seen.digit != drawn.digit and seen.confidence >= MIN_CONFIDENCE
    ]


@pytest.mark.parametrize(("seed", "grade"), PHOTOS)
def test_a_hole_between_fields_has_no_digit(seed: int, grade: str) -> None:
    taken = take_empty_sheet(seed, grade)
    sheet = sheet_of(seed, grade)
    found = {seen.name for _drawn, seen in pairs_of(taken, sheet)}
    phantoms = [one for one in sheet.fields if one.name not in found]
    assert [one.digit for one in phantoms] == [None] * len(phantoms)
    assert all(one.confidence < MIN_CONFIDENCE for one in phantoms)


@pytest.mark.parametrize(("seed", "grade"), PHOTOS)
def test_fields_keep_their_columns_and_rows(seed: int, grade: str) -> None:
    taken = take_empty_sheet(seed, grade)
    sheet = sheet_of(seed, grade)
    names = {place: seen.name for place, (_drawn, seen) in zip(
        taken.page.fields, pairs_of(taken, sheet), strict=True)}  # fmt: skip
    left, top = (min(place[i] for place in names) for i in (0, 1))
    assert names == {
        (x, y): f"{chr(ord('a') + x - left)}{y - top + 1}" for x, y in taken.page.fields
    }


def test_fields_are_grouped_by_symbol() -> None:
    pairs = [
        (drawn, seen) for drawn, seen in pairs_of(take_empty_sheet(1), sheet_of(1)) if drawn.digit
    ]
    both = list(combinations(pairs, 2))
    like = [one[1].group == two[1].group for one, two in both if one[0].symbol == two[0].symbol]
    unlike = [one[1].group == two[1].group for one, two in both if one[0].symbol != two[0].symbol]
    assert sum(like) >= 0.9 * len(like)
    assert sum(unlike) <= 0.01 * len(unlike)


@pytest.mark.slow
@pytest.mark.parametrize("turn", [1, 2, 3])
def test_a_photo_is_read_in_any_orientation(turn: int) -> None:
    photo, upright = saved_again()
    grid = empty_sheet_document("", upright, 0)["grid"]
    turned = empty_sheet_document("", read_empty_sheet(jpeg(np.rot90(photo, turn))), 0)["grid"]
    assert turned == grid


@pytest.mark.slow
def test_small_condensed_digits_are_read_in_any_orientation(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A condensed 1 that lies on its side is lower than any upright digit."""
    monkeypatch.setattr(pad_pages, "choose_digit_size", lambda _rng: (0.7, 0.6))
    page = pad_pages.draw_page(np.random.default_rng(3), FONTS)
    sheets = [read_empty_sheet(jpeg(np.rot90(page.picture, turn))) for turn in range(4)]
    assert [one.refused for one in sheets] == [None] * 4
    digits = Counter(one.digit for one in page.fields.values() if one.digit)
    read = [Counter(one.digit for one in sheet.fields if one.digit) for sheet in sheets]
    assert all((digits - some).total() <= 0.03 * digits.total() for some in read)


def test_corners_are_pixels_of_the_sent_photo() -> None:
    """Photos of more than 17 megapixels are downscaled before detection."""
    photo, sheet = saved_again()
    large = read_empty_sheet(jpeg(cv2.resize(photo, None, fx=2, fy=2)))
    small, twice = ({one.name: one.corners for one in seen.fields} for seen in (sheet, large))
    off = [np.abs(twice[name] / 2 - small[name]).max() for name in small]
    assert np.median(off) < 1.5


def test_overlay_shows_the_sheet_upright() -> None:
    picture = draw_grid_overlay(sheet_of(1))
    assert picture.shape[0] > 500
    with pytest.raises(ValueError, match="nothing was seen"):
        draw_grid_overlay(EmptySheetReading("no-sheet"))


def tiles() -> np.ndarray:
    """Return a picture of a tabletop with more tiles than any sheet has fields, and no digits."""
    board = (np.indices((20, 26)).sum(0) % 2 * 90 + 90).astype(np.uint8)
    return np.dstack([np.kron(board, np.ones((50, 50), np.uint8))] * 3)


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
def test_a_photo_without_a_sheet_is_refused_with_the_reason(
    photo: Callable[[], bytes], reason: str
) -> None:
    sheet = read_empty_sheet(photo())
    document = empty_sheet_document("a.jpg", sheet, 0.5)
    assert document == {
        "format": "dizzle-new/1", "photo": "a.jpg", "refused": reason, "seconds": 0.5,
        "page": None, "grid": [], "sure": {}, "groups": [], "corners": {},
    }  # fmt: skip


def test_positions_added_later_are_read_the_same() -> None:
    rectified = sheet_of(1).rectified
    assert rectified is not None
    cache: BlobCache = {}
    part = replace(rectified, positions=rectified.positions[::2])
    read_digits(part, cache)
    later = [(one.digit, one.confidence) for one in read_digits(rectified, cache)]
    at_once = [(one.digit, one.confidence) for one in read_digits(rectified)]
    assert [digit for digit, _sure in later] == [digit for digit, _sure in at_once]
    assert np.allclose(
        [confidence for _digit, confidence in later], [confidence for _digit, confidence in at_once]
    )
    assert {place for place, _ink, _lines in cache} == set(rectified.positions)


@pytest.mark.slow
def test_the_preview_distinguishes_digits_from_tiles() -> None:
    photo = saved_again()[0]
    sheet = find_lattices(find_quads(photo))[0]
    assert has_digits(photo, sheet)
    table = np.ascontiguousarray(tiles()[:400, :400])
    assert not has_digits(table, find_lattices(find_quads(table))[0])


@pytest.mark.slow
def test_a_digit_that_touches_a_symbol_is_read() -> None:
    odd = (4, 4)

    def draw(box: Box) -> None:
        box.frame()
        if (box.x + box.y) % 4 == 0:
            for beam in (18, 30, 42):
                box.bar(35, beam, 65, beam + 5)
            for pole in (38, 58):
                box.bar(pole, 14, pole + 5, 60)
        if (box.x, box.y) == odd:  # no digit, but similar to one at its position
            box.line(40, 60, 53, 52, width=7)
            box.line(52, 30, 52, 89, width=8)
        else:
            box.write((50, 70))
            drawn[box.x, box.y] = box.digit

    drawn: dict[tuple[int, int], int] = {}
    sheet = read_empty_sheet(draw_boxes(9, 9, draw))
    found = by_position(sheet)
    assert {at: found[at].digit for at in drawn} == drawn
    unsure = {at for at, one in found.items() if one.confidence < MIN_CONFIDENCE}
    assert odd in unsure
    assert all(sum(at) % 4 == 0 for at in unsure)  # only where a symbol touches the digit
    assert sheet.rectified is not None
    numbers = read_digits(replace(sheet.rectified, positions=list(sheet.positions)))
    heights = [one.blob.box[3] for one in numbers if one.digit and one.blob]
    assert max(heights) < 1.2 * min(heights)  # no symbol is part of its digit


@pytest.mark.slow
def test_digits_on_a_symbol_that_is_hardly_brighter_are_asked_about() -> None:
    def draw(box: Box) -> None:
        box.frame()
        if box.x % 2:
            box.line(20, 85, 85, 15, width=22, ink=(78, 75, 73))
        box.write(ink=(15, 15, 15))

    found = by_position(read_empty_sheet(draw_boxes(6, 5, draw)))
    read = {at: one.digit for at, one in found.items() if one.digit}
    assert read.items() <= digits_of(6, 5).items()
    assert {at for at in found if at[0] % 2 == 0} <= read.keys()
    assert {at for at, one in found.items() if one.confidence < MIN_CONFIDENCE} == {
        at for at in found if at[0] % 2
    }


@pytest.mark.slow
def test_faint_print_is_a_group() -> None:
    marked = [(1, 1), (4, 1), (2, 3)]

    def draw(box: Box) -> None:
        box.frame()
        box.write((40, 36), high=44)
        if (box.x, box.y) in marked:
            box.write((76, 72), digit=4, high=34, ink=(226, 229, 231))

    found = by_position(read_empty_sheet(draw_boxes(6, 5, draw)))
    groups = {at: one.group for at, one in found.items()}
    plain = [group for at, group in groups.items() if at not in marked]
    assert set(plain) == {0}
    assert {groups[at] for at in marked} == {1}
    assert all(one.confidence >= MIN_CONFIDENCE for one in found.values())


@pytest.mark.slow
def test_faint_print_joins_the_group_of_the_same_symbol() -> None:
    """One of three equal symbols is below the threshold of print."""
    inks = {(1, 1): (212, 212, 212), (4, 2): (212, 212, 212), (2, 3): (220, 220, 220)}

    def draw(box: Box) -> None:
        box.frame()
        box.write((40, 36), high=44)
        if ink := inks.get((box.x, box.y)):
            box.write((76, 72), digit=4, high=34, ink=ink)

    groups = {
        at: one.group for at, one in by_position(read_empty_sheet(draw_boxes(6, 5, draw))).items()
    }
    assert {at for at, group in groups.items() if group == 1} == set(inks)
    assert set(groups.values()) == {0, 1}


@pytest.mark.slow
def test_descending_digits_are_not_clipped() -> None:
    """As 3, 4 and 5 of old-style figures."""
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
    sheet = read_empty_sheet(jpeg(np.asarray(page)))
    assert [one.digit for one in sheet.fields] == drawn
    assert sheet.rectified is not None
    numbers = read_digits(replace(sheet.rectified, positions=list(sheet.positions)))
    for digit, one in zip(drawn, numbers, strict=True):
        assert one.blob is not None
        assert one.blob.box[3] == pytest.approx(heights[digit] / 100, abs=0.05)


@pytest.mark.slow
def test_fields_whose_border_the_photo_cuts_off_are_found() -> None:
    photo = decode_photo(draw_boxes(6, 5, _framed_digit))
    assert len(read_empty_sheet(jpeg(photo[:, 209:])).fields) == 30


@pytest.mark.slow
def test_lines_that_hardly_stand_out_from_the_noise_are_found() -> None:
    photo = decode_photo(draw_boxes(7, 6, _framed_digit))
    page = cv2.GaussianBlur(photo, (0, 0), 1.2).astype(np.float32)
    shade = np.linspace(0.2, 1, photo.shape[0])[:, None, None]  # lines fade towards the top
    faint = 190 - (245 - page).clip(0) * 0.2 * shade
    rng = np.random.default_rng(1)
    grain = cv2.GaussianBlur(rng.normal(0, 5, photo.shape[:2]), (0, 0), 0.8)[..., None]
    found = read_empty_sheet(jpeg(np.clip(faint + grain, 0, 255).astype(np.uint8)))
    assert len(found.fields) == 42


def _framed_digit(box: Box) -> None:
    box.frame()
    box.write()


@pytest.mark.slow
def test_a_partly_found_sheet_continues() -> None:
    rectified = sheet_of(1).rectified
    assert rectified is not None
    cache: BlobCache = {}
    assert not continues(rectified, read_digits(rectified, cache), cache)
    rows = sorted({y for _x, y in rectified.positions})
    part = replace(rectified, positions=[one for one in rectified.positions if one[1] in rows[:-2]])
    cache = {}
    assert continues(part, read_digits(part, cache), cache)


@pytest.mark.slow
def test_digits_of_broken_hairlines_are_asked_about() -> None:
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
    found = read_empty_sheet(jpeg(cv2.GaussianBlur(page, (0, 0), 0.6))).fields
    read = [(one.digit, digits[at]) for one, at in zip(found, boxes, strict=True) if one.digit]
    assert all(digit == drawn for digit, drawn in read)
    assert [one.confidence < MIN_CONFIDENCE for one in found] == [y < 2 for _x, y in boxes]


@pytest.mark.slow
def test_hairline_digits_in_image_noise_are_clear() -> None:
    rows, columns, around = 5, 6, 2
    size = [(count + 2 * around) * FIELD_PX for count in (rows, columns)]
    page = np.full(size, 130, np.uint8)
    positions = [(float(x), float(y)) for y in range(rows) for x in range(columns)]
    digits = [digit_at(int(x), int(y)) for x, y in positions]
    for (x, y), digit in zip(positions, digits, strict=True):
        left, top = round((x + around) * FIELD_PX), round((y + around) * FIELD_PX)
        cv2.rectangle(page, (left, top), (left + FIELD_PX, top + FIELD_PX), 40, 2)
        (wide, high), _ = cv2.getTextSize(str(digit), 0, 1.3, 1)
        corner = (left + (FIELD_PX - wide) // 2, top + (FIELD_PX + high) // 2)
        cv2.putText(page, str(digit), corner, 0, 1.3, 105, 1, cv2.LINE_AA)
    grain = np.random.default_rng(1).normal(0, 13, page.shape)
    grainy = np.clip(cv2.GaussianBlur(page, (0, 0), 0.5) + grain, 0, 255).astype(np.uint8)
    first = (-around - 0.5,) * 2
    bend = WarpModel((0.0, 0.0, 1.0, 1.0))
    rectified = RectifiedGrid(
        np.dstack([grainy] * 3), positions, first, (1.0, 1.0), np.eye(3), bend
    )
    numbers = read_digits(rectified)
    assert [one.digit for one in numbers] == digits
    assert all(one.confidence >= MIN_CLEAR for one in numbers)


@pytest.mark.slow
def test_a_symbol_of_another_ink_that_looks_like_a_digit_is_unsure() -> None:
    odd = (3, 2)

    def draw(box: Box) -> None:
        box.frame()
        if (box.x, box.y) == odd:
            box.write(digit=3, ink=(190, 40, 120))
        else:
            box.write()

    found = by_position(read_empty_sheet(draw_boxes(6, 5, draw)))
    assert [at for at, one in found.items() if one.confidence < MIN_CONFIDENCE] == [odd]


@pytest.mark.slow
def test_two_symbols_that_look_like_digits_do_not_make_a_usual_position() -> None:
    odd = {(3, 2), (4, 4)}

    def draw(box: Box) -> None:
        box.frame()
        if (box.x, box.y) in odd:
            box.write((74, 74), digit=3, high=36)
        else:
            box.write()

    found = by_position(read_empty_sheet(draw_boxes(6, 5, draw)))
    assert {at for at, one in found.items() if one.confidence < MIN_CONFIDENCE} == odd


@pytest.mark.slow
@pytest.mark.parametrize("lone", [[(3, 2)], [(2, 3), (3, 3)], [(0, 2)]])
def test_a_digit_without_a_frame_is_a_field(lone: list[tuple[int, int]]) -> None:
    def draw(box: Box) -> None:
        if (box.x, box.y) not in lone:
            box.frame(80, DARK)
        box.write((40, 40))

    found = {one.name: one for one in read_empty_sheet(draw_boxes(6, 5, draw)).fields}
    names = {f"{'abcdef'[x]}{y + 1}": digit_at(x, y) for x, y in lone}
    assert len(found) == 30
    for name, digit in names.items():
        assert found[name].digit == digit
