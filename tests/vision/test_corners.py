"""Reading of sheets whose corners the user placed in the photo."""

from __future__ import annotations

import numpy as np
import pytest

from sheets.levels import shipped_levels
from sheets.vision.corners import Corner, locate_corners
from sheets.vision.pads.empty_sheet_reading import (
    EmptySheetReading,
    read_empty_sheet,
    read_empty_sheet_at_corners,
)
from sheets.vision.pads.filled_sheet_reading import read_filled_sheet_at_corners
from sheets.vision.pads.template import make_template
from sheets.vision.reading import Reading, read_photo, read_photo_at_corners
from sheets.vision.refusals import Refused
from tests.vision.drawn_boxes import (
    digit_at,
    draw_boxes,
    draw_framed_above,
    draw_unframed,
    drawn_corners,
)
from tests.vision.empty_sheet_shots import grid_corners, take_empty_sheet
from tests.vision.filled_sheet_shots import take_filled_sheet
from tests.vision.shots import FIRM, hide_sheet, take
from training.camera import photograph
from training.filled_pages import Truth
from training.pad_pages import PX_PER_MM
from training.pads import fill_pad

LEVELS = list(shipped_levels().values())

UPRIGHT = [(0.1, 0.2), (0.8, 0.1), (0.9, 0.9), (0.2, 0.8)]
"""Corners of a sheet that lies a little askew."""

ELSEWHERE = [(0.02, 0.02), (0.35, 0.02), (0.35, 0.2), (0.02, 0.2)]
"""Corners of a part of the photo without a sheet."""

OFF = np.array([(0.004, -0.003), (-0.004, 0.002), (0.003, 0.004), (-0.002, -0.004)])
"""Errors of a thumb, as shares of the photo."""


def by_hand(corners: list[Corner], first: int = 0) -> list[Corner]:
    """Return corners as a thumb places them, beginning with another one."""
    placed = np.roll(np.array(corners) + OFF, -first, 0)
    return [(float(x), float(y)) for x, y in placed]


def wrong_fields(reading: Reading, truth: Truth) -> list[str]:
    """Return the fields of the only sheet that were read wrongly."""
    (sheet,) = reading.sheets
    empty = {"printed": "empty", "taken-back": "empty"}
    true = {name: empty.get(kind, kind) for name, kind in truth.fields.items()}
    return [name for name, (kind, _sure) in sheet.best().items() if kind != true[name]]


@pytest.mark.parametrize("order", [(0, 1, 2, 3), (2, 3, 0, 1), (0, 3, 2, 1), (1, 3, 0, 2)])
def test_corners_come_clockwise_from_the_first_one(order: tuple[int, ...]) -> None:
    placed = [UPRIGHT[i] for i in order]
    found = locate_corners(np.zeros((1000, 2000, 3), np.uint8), placed) / (2000, 1000)
    assert found[0] == pytest.approx(placed[0])
    start = UPRIGHT.index(placed[0])
    assert found == pytest.approx(np.roll(np.array(UPRIGHT), -start, 0))


@pytest.mark.parametrize(
    "corners",
    [
        [],
        UPRIGHT[:3],
        [*UPRIGHT, (0.5, 0.5)],
        [*UPRIGHT[:3], (float("nan"), 0.5)],
        [*UPRIGHT[:3], (-0.2, 0.8)],
        [*UPRIGHT[:3], UPRIGHT[2]],
        [(0.1, 0.1), (0.9, 0.1), (0.4, 0.3), (0.1, 0.9)],
        [(0.1, 0.1), (0.5, 0.1), (0.9, 0.11), (0.1, 0.9)],
        [(0.5, 0.5), (0.53, 0.5), (0.53, 0.53), (0.5, 0.53)],
    ],
    ids=[
        *("none", "three", "five", "not-a-number", "outside", "twice", "dented", "on-a-line"),
        "tiny",
    ],
)
def test_points_that_are_no_corners_are_refused(corners: list[Corner]) -> None:
    with pytest.raises(Refused) as refused:
        locate_corners(np.zeros((1000, 2000, 3), np.uint8), corners)
    assert refused.value.name == "corners"


def test_printed_sheet_is_read_without_its_markers_in_any_order_of_corners() -> None:
    taken = take("level-1", seed=1)
    hidden, corners = hide_sheet(taken.jpeg)
    assert read_photo(hidden, LEVELS, known=LEVELS).refused == "no-sheet"
    for first in range(4):
        reading = read_photo_at_corners(hidden, by_hand(corners, first), LEVELS)
        assert (reading.refused, reading.sheets[0].number) == (None, 1)
        assert wrong_fields(reading, taken.truths[0]) == []


@pytest.mark.slow
def test_printed_sheet_without_a_readable_code_is_read_as_a_known_level() -> None:
    taken = take("level-1", seed=1)
    hidden, corners = hide_sheet(taken.jpeg, is_code_hidden=True)
    placed = by_hand(corners, 2)
    assert read_photo_at_corners(hidden, placed, LEVELS).refused == "which-level"
    other = shipped_levels()["level-2"]
    assert read_photo_at_corners(hidden, placed, LEVELS, known=[other]).refused == "not-at-corners"
    for known in ([shipped_levels()["level-1"]], LEVELS):
        reading = read_photo_at_corners(hidden, placed, LEVELS, known=known)
        assert [one.layout and one.layout.level.id for one in reading.sheets] == ["level-1"]
        assert wrong_fields(reading, taken.truths[0]) == []


def test_printed_sheet_is_refused_at_other_corners() -> None:
    hidden, _corners = hide_sheet(take("level-1", seed=1).jpeg)
    for known in ([shipped_levels()["level-1"]], LEVELS):
        reading = read_photo_at_corners(hidden, ELSEWHERE, LEVELS, known=known)
        assert (reading.refused, reading.sheets) == ("not-at-corners", [])
    assert read_photo_at_corners(hidden, [], LEVELS).refused == "corners"
    assert read_photo_at_corners(b"no", [], LEVELS).refused == "not-a-picture"


def digits_of(sheet: EmptySheetReading) -> dict[str, int | None]:
    return {one.name: one.digit for one in sheet.fields}


@pytest.mark.parametrize("first", range(4))
def test_fields_without_borders_are_read_from_corners(first: int) -> None:
    photo = draw_boxes(7, 5, draw_unframed)
    assert read_empty_sheet(photo).refused == "no-sheet"
    size = (7, 5) if first % 2 == 0 else (5, 7)
    sheet = read_empty_sheet_at_corners(photo, by_hand(drawn_corners(7, 5), first), *size)
    assert digits_of(sheet) == {
        f"{'abcdefg'[x]}{y + 1}": digit_at(x, y) for x in range(7) for y in range(5)
    }


def test_columns_of_a_sheet_that_lies_sideways_may_be_counted_as_rows() -> None:
    photo = draw_boxes(7, 5, draw_unframed)
    sheet = read_empty_sheet_at_corners(photo, drawn_corners(7, 5), 5, 7)
    assert len(digits_of(sheet)) == 35
    assert digits_of(sheet)["g5"] == digit_at(6, 4)


@pytest.mark.slow
def test_photographed_sheet_with_holes_is_read_from_corners() -> None:
    taken = take_empty_sheet(1)
    corners = grid_corners(taken.page, taken.shot)
    sheet = read_empty_sheet_at_corners(taken.shot.jpeg, by_hand(corners, 1), 7, 8)
    left, top = (min(place[i] for place in taken.page.fields) for i in (0, 1))
    assert digits_of(sheet) == {
        f"{chr(ord('a') + x - left)}{y - top + 1}": one.digit
        for (x, y), one in taken.page.fields.items()
    }


@pytest.mark.slow
def test_sheet_that_was_found_only_in_part_has_an_outline_and_is_read_from_corners() -> None:
    photo = draw_boxes(8, 7, draw_framed_above)
    part = read_empty_sheet(photo)
    assert len(part.fields) == 32
    assert len(part.outline) >= 4
    assert all(0 <= share <= 1 for corner in part.outline for share in corner)
    whole = read_empty_sheet_at_corners(photo, by_hand(drawn_corners(8, 7)), 8, 7)
    assert (len(whole.fields), whole.outline) == (56, ())


@pytest.mark.slow
def test_small_photo_of_curled_paper_is_read_from_corners() -> None:
    taken = take_empty_sheet(102, "hard")  # 12 columns and 15 rows
    corners = grid_corners(taken.page, taken.shot)
    sheet = read_empty_sheet_at_corners(taken.shot.jpeg, by_hand(corners), 12, 15)
    read = digits_of(sheet)
    left, top = (min(place[i] for place in taken.page.fields) for i in (0, 1))
    wrong = [
        place
        for place, one in taken.page.fields.items()
        if one.digit and read[f"{chr(ord('a') + place[0] - left)}{place[1] - top + 1}"] != one.digit
    ]
    assert wrong == []


def test_sheet_that_was_found_as_a_whole_has_no_outline() -> None:
    assert read_empty_sheet(take_empty_sheet(1).shot.jpeg).outline == ()


@pytest.mark.parametrize(
    ("columns", "rows", "refused"),
    [(8, 8, "not-at-corners"), (7, 7, "not-at-corners"), (1, 8, "corners"), (27, 8, "corners")],
)
def test_wrong_number_of_columns_or_rows_is_refused(columns: int, rows: int, refused: str) -> None:
    taken = take_empty_sheet(1)
    corners = grid_corners(taken.page, taken.shot)
    sheet = read_empty_sheet_at_corners(taken.shot.jpeg, corners, columns, rows)
    assert sheet.refused == refused


def test_empty_sheet_is_refused_at_other_corners() -> None:
    photo = take_empty_sheet(1).shot.jpeg
    assert read_empty_sheet_at_corners(photo, ELSEWHERE, 7, 8).refused == "not-at-corners"
    assert read_empty_sheet_at_corners(photo, [], 7, 8).refused == "corners"


@pytest.mark.slow
def test_filled_sheet_of_a_pad_is_read_from_corners_in_any_order() -> None:
    shot = take_filled_sheet(5)
    template = make_template(read_empty_sheet(shot.empty))
    rng = np.random.default_rng(4)
    picture, truth = fill_pad(rng, shot.pad, FIRM)
    filled = photograph(rng, picture, PX_PER_MM, "easy", megapixels=4)
    corners = grid_corners(shot.pad.page, filled, megapixels=4)
    for first in range(4):
        placed = by_hand(corners, first)
        reading = read_filled_sheet_at_corners(filled.jpeg, placed, template, shot.pad.level)
        assert wrong_fields(reading, truth) == []
    for wrong, why in ((ELSEWHERE, "not-at-corners"), ([], "corners")):
        reading = read_filled_sheet_at_corners(filled.jpeg, wrong, template, shot.pad.level)
        assert (reading.refused, reading.sheets) == (why, [])
