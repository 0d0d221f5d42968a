"""Tests of outlined areas and of the numbers at the ends of rows and columns."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from sheets.vision.pads.areas_and_arrows import find_areas, find_end_numbers
from sheets.vision.pads.rectification import FIELD_PX, GridPosition, RectifiedGrid
from sheets.vision.rectification import WarpModel
from tests.vision.empty_sheet_shots import FONTS

COLUMNS, ROWS, MARGIN = 6, 5, 2
PLACES = [(float(x), float(y)) for y in range(ROWS) for x in range(COLUMNS)]
FONT = ImageFont.truetype(str(FONTS["Nunito"][0]), 34)


def draw(
    frames: list[tuple[int, int, int, int]],
    numbers: dict[GridPosition, str],
    line: int = 2,
    wide: int = 6,
    colour: tuple[int, int, int] = (90, 20, 20),
) -> RectifiedGrid:
    """Draw a rectified sheet with frames (left, top, right, bottom) and numbers around it."""
    size = ((COLUMNS + 2 * MARGIN) * FIELD_PX, (ROWS + 2 * MARGIN) * FIELD_PX)
    picture = Image.new("RGB", size, (240, 238, 230))
    pen = ImageDraw.Draw(picture)

    def px(at: float) -> float:
        return (at + MARGIN) * FIELD_PX

    for x, y in PLACES:
        pen.rectangle([px(x), px(y), px(x + 1), px(y + 1)], outline=(40, 40, 40), width=line)
    for left, top, right, low in frames:
        corners = [(left, top), (right, top), (right, low), (left, low), (left, top)]
        pen.line([(px(x), px(y)) for x, y in corners], fill=colour, width=wide)
    for (x, y), text in numbers.items():
        pen.text((px(x + 0.5), px(y + 0.5)), text, font=FONT, fill=(20, 20, 20), anchor="mm")
    soft = cv2.GaussianBlur(np.asarray(picture), (3, 3), 0)
    origin = (-MARGIN - 0.5, -MARGIN - 0.5)
    return RectifiedGrid(
        soft, PLACES, origin, (1.0, 1.0), np.eye(3), WarpModel((0.0, 0.0, 1.0, 1.0))
    )


def fields(left: int, top: int, right: int, low: int) -> list[int]:
    return sorted(y * COLUMNS + x for x in range(left, right) for y in range(top, low))


@pytest.mark.parametrize("line", [1, 2])
def test_fields_in_a_thick_frame_are_an_area(line: int) -> None:
    frames = [(1, 1, 3, 4), (4, 0, 6, 2)]
    assert find_areas(draw(frames, {}, line), PLACES) == sorted(fields(*one) for one in frames)


@pytest.mark.parametrize("colour", [(190, 30, 40), (30, 70, 190), (20, 130, 60)])
def test_fields_in_a_thin_frame_of_another_colour_are_an_area(
    colour: tuple[int, int, int],
) -> None:
    frames = [(1, 1, 3, 4), (4, 0, 6, 2)]
    found = find_areas(draw(frames, {}, wide=4, colour=colour), PLACES)
    assert found == sorted(fields(*one) for one in frames)
    assert find_areas(draw(frames, {}, wide=3, colour=(60, 60, 60)), PLACES) == []


@pytest.mark.parametrize(("wide", "grey"), [(4, 40), (3, 150)], ids=["a third wider", "paler"])
def test_fields_in_a_frame_that_differs_a_little_are_an_area(wide: int, grey: int) -> None:
    frames = [(1, 1, 3, 4), (4, 0, 6, 2)]
    found = find_areas(draw(frames, {}, wide=wide, colour=(grey,) * 3), PLACES)
    assert found == sorted(fields(*one) for one in frames)


@pytest.mark.parametrize("colour", [(190, 30, 40), (30, 70, 190), (20, 130, 60)])
def test_a_thin_coloured_line_on_top_of_wider_lines_is_a_frame(
    colour: tuple[int, int, int],
) -> None:
    frames = [(1, 1, 3, 4), (4, 0, 6, 2)]
    found = find_areas(draw(frames, {}, line=4, wide=2, colour=colour), PLACES)
    assert found == sorted(fields(*one) for one in frames)
    assert find_areas(draw(frames, {}, line=4, wide=2, colour=(110, 110, 110)), PLACES) == []


def test_a_frame_around_all_fields_or_an_open_line_is_no_area() -> None:
    assert find_areas(draw([(0, 0, COLUMNS, ROWS)], {}), PLACES) == []
    assert find_areas(draw([], {}), PLACES) == []
    assert find_areas(draw([(3, 0, 3, 4)], {}), PLACES) == []


def test_a_digit_beyond_the_end_of_a_row_or_column_is_its_arrow() -> None:
    flat = draw([], {(COLUMNS, 1): "5", (2, ROWS): "3", (COLUMNS + 1, 3): "4", (COLUMNS, 4): "12"})
    rows, columns = find_end_numbers(flat, PLACES)
    assert rows == {1 * COLUMNS + COLUMNS - 1: 5}
    assert columns == {(ROWS - 1) * COLUMNS + 2: 3}


def test_numbers_left_of_rows_and_above_columns_are_found() -> None:
    flat = draw([], {(-1, 2): "4", (3, -1): "6", (-1, 4): "12"})
    rows, columns = find_end_numbers(flat, PLACES)
    assert rows == {2 * COLUMNS + COLUMNS - 1: 4}
    assert columns == {(ROWS - 1) * COLUMNS + 3: 6}


def test_a_number_in_a_corner_is_ambiguous() -> None:
    places = [place for place in PLACES if place != (0, 0)]
    last_of_column = (ROWS - 1) * COLUMNS - 1
    assert find_end_numbers(draw([], {(0, 0): "5"}), places) == ({}, {})
    # Where the row has its number at the other end it is the column's.
    both = draw([], {(0, 0): "5", (COLUMNS, 0): "3"})
    assert find_end_numbers(both, places) == ({COLUMNS - 2: 3}, {last_of_column: 5})


def test_noise_next_to_a_number_is_no_further_figure() -> None:
    flat = draw([], {(COLUMNS, 1): "4"})
    left, top = (COLUMNS + MARGIN) * FIELD_PX, (1 + MARGIN) * FIELD_PX
    cv2.circle(flat.picture, (left + 12, top + 12), 9, (60, 60, 60), -1)
    rows, _columns = find_end_numbers(flat, PLACES)
    assert rows == {1 * COLUMNS + COLUMNS - 1: 4}


def test_a_position_that_a_shifted_row_overlaps_is_no_end_of_a_column() -> None:
    flat = draw([], {(2, ROWS): "3", (4, ROWS): "5"})
    _rows, columns = find_end_numbers(flat, [*PLACES, (1.5, float(ROWS))])
    assert columns == {(ROWS - 1) * COLUMNS + 4: 5}
