"""Placement of a die: every refusal by its rule, on drawn sheets."""

import pytest

from sheets.rules import check_placement, targets
from sheets.rules.placement import is_boxed_in
from tests.rules.drawing import sheet_of

REFUSALS = [
    ("a field off the sheet", "4x 2", "c1", 2, "no-field"),
    ("a hole", "4x . 2", "b1", 2, "no-field"),
    ("a crossed field", "4x 2X 3", "b1", 2, "field-taken"),
    ("a printed cross", "4x 2", "a1", 4, "field-taken"),
    ("an own die", "4x 2* 3", "b1", 2, "field-taken"),
    ("a planet without number", "4x -P", "b1", 3, "no-number"),
    ("a volcano", "4x -V", "b1", 3, "no-number"),
    ("an exploded bomb", "4x 2B!", "b1", 2, "exploded"),
    ("a lava field", "4x 2~", "b1", 2, "lava"),
    ("a lock without its key", "4x 2Lr 3Kr", "b1", 2, "locked"),
    ("a lock with a die on its key", "4x 2Lr\n3Kr* 1", "b1", 2, "locked"),
    ("a lock with a key of another colour", "4x 2Lr\n3KbX 1", "b1", 2, "locked"),
    ("a first die away from crosses", "4x 2 3", "c1", 3, "not-next-to-cross"),
    ("a first die at a corner of a cross", "4x 2\n1 3", "b2", 3, "not-next-to-cross"),
    ("a later die away from dice", "4x 2* 3 5\n6 1 1 1", "a2", 6, "not-next-to-die"),
    ("a jump away from crosses", "4x 2* .  5 6", "d1", 5, "not-next-to-cross"),
    ("another number", "4x 2", "b1", 3, "wrong-number"),
    ("nothing at all", "4x 2 3", "b1", 2, None),
]
"""Name of the case, drawing, field, die and expected rule."""


@pytest.mark.parametrize(
    ("drawing", "at", "die", "rule"), [row[1:] for row in REFUSALS], ids=[r[0] for r in REFUSALS]
)
def test_refused_placements(drawing: str, at: str, die: int, rule: str | None) -> None:
    violation = check_placement(sheet_of(drawing), at, die)
    assert (violation.rule if violation else None) == rule


@pytest.mark.parametrize("key", ["3KrX", "3xKr"], ids=["crossed by pen", "printed"])
def test_crossed_key_opens_every_lock_of_its_colour(key: str) -> None:
    sheet = sheet_of(f"2Lr 4x 5Lr\n1 {key} 1")
    assert check_placement(sheet, "a1", 2) is None
    assert check_placement(sheet, "c1", 5) is None


def test_first_die_touches_any_cross() -> None:
    sheet = sheet_of("""
        1  2  3
        4x 5  6X
        1  2  3
    """)
    assert sheet.level.names(targets(sheet)) == ["a1", "c1", "b2", "a3", "c3"]


def test_later_die_touches_a_die_of_this_pass_for_any_number() -> None:
    sheet = sheet_of("""
        1  2  3
        4x 5* 6
        1  2  3
    """)
    assert sheet.level.names(targets(sheet)) == ["b1", "c2", "b3"]


def test_boxed_in_by_cross_edge_lock_lava_bomb_and_hole_jumps_to_any_cross() -> None:
    sheet = sheet_of("""
        .   3~  .  1X
        4B! 5*  6Lr 2
        1   2X  3   4
    """)
    assert is_boxed_in(sheet)
    assert sheet.level.names(targets(sheet)) == ["d2", "a3", "c3"]


def test_numbers_that_do_not_fit_are_no_reason_to_jump() -> None:
    sheet = sheet_of("4x 5* 6\n1 1x 1")
    assert not is_boxed_in(sheet)
    violation = check_placement(sheet, "a2", 1)
    assert violation
    assert violation.rule == "not-next-to-die"


def test_wall_separates_and_link_joins() -> None:
    sheet = sheet_of("4x 2 3 5", walls=[["a1", "b1"]], links=[["a1", "d1"]])
    assert sheet.level.names(targets(sheet)) == ["d1"]


@pytest.mark.parametrize(
    ("shift", "touched"),
    [
        (0, ["b1", "b3"]),
        (0.5, ["b1", "a3", "b3"]),
        (-0.5, ["b1", "b3", "c3"]),
        (0.75, ["b1", "a3"]),
    ],
)
def test_rows_shifted_by_half_a_field_touch_two_fields(shift: float, touched: list[str]) -> None:
    sheet = sheet_of("1 2 3\n4X 5x 6X\n1 2 3", shifts=[0, 0, shift])
    near = sheet.level.neighbours[sheet.level.index["b2"]] & ~sheet.crosses
    assert sheet.level.names(near) == touched
