"""Design warnings about levels."""

from typing import Any

import pytest

from sheets.rules import parse_level
from sheets.rules.design_warnings import (
    DESIGN_WARNINGS,
    DesignWarning,
    find_design_warnings,
    reachable,
)

CASES: list[tuple[str, dict[str, Any], DesignWarning]] = [
    ("1 2 3", {}, DesignWarning("no-start")),
    ("1x 2 . 3", {}, DesignWarning("unreachable", ("d1",))),
    ("1x 2 . 3H", {"points": {"heap": -1}}, DesignWarning("unreachable-symbol", ("d1",))),
    ("1x 2Lr 3", {}, DesignWarning("lock-without-key", ("b1",), "red")),
    ("1x 2Kr 3", {}, DesignWarning("key-without-lock", ("b1",), "red")),
    ("1x 2R 3", {}, DesignWarning("rocket-without-planet", ("b1",))),
    ("1x 2 -P", {}, DesignWarning("planet-without-rocket", ("c1",))),
    (
        "1x 2\n3 4",
        {"lines": [{"column": "b", "points": 5}, {"column": "b", "points": 3}]},
        DesignWarning("line-twice", ("b1", "b2"), "column b"),
    ),
    (
        "1x . 3",
        {"lines": [{"row": 1, "points": 5}]},
        DesignWarning("line-never-complete", ("c1",), "row 1"),
    ),
    (
        "1x 2 . 3",
        {"areas": [{"fields": ["b1", "d1"], "points": 5}]},
        DesignWarning("area-never-complete", ("d1",), "1"),
    ),
    (
        "1x 2Jg . 3Jg",
        {"points": {"puzzle": {"green": 5}}},
        DesignWarning("puzzle-never-complete", ("d1",), "green"),
    ),
    (
        "1x 2R 3 -P\n4 . . -P",
        {"lines": [{"column": "d", "points": 5}]},
        DesignWarning("line-lacks-rockets", ("d1", "d2"), "column d"),
    ),
    (
        "1x 2R -P -P",
        {"areas": [{"fields": ["b1", "c1", "d1"], "points": 5}]},
        DesignWarning("area-lacks-rockets", ("c1", "d1"), "1"),
    ),
    (
        "1x 2x 3\n4 5 6",
        {"lines": [{"fields": ["a1", "b1"], "points": 5}]},
        DesignWarning("line-complete-at-once", ("a1", "b1"), "fields 1"),
    ),
    (
        "1x 2x 3",
        {"areas": [{"fields": ["a1"], "points": 5}]},
        DesignWarning("area-complete-at-once", ("a1",), "1"),
    ),
    ("1x 2 3 4 5 6 1 2 .", {"dice": {"1": 30}}, DesignWarning("dice-without-fields", (), "1")),
    ("1x 2 3", {"walls": [["c1", "a1"]]}, DesignWarning("wall-between-strangers", ("c1", "a1"))),
    ("1x 2 3", {"links": [["b1", "c1"]]}, DesignWarning("link-between-neighbours", ("b1", "c1"))),
    ("1x 2 3\n4 2 2", {}, DesignWarning("equal-neighbours", ("b1", "b2", "c2"), "2")),
    ("1x -", {}, DesignWarning("no-number")),
    ("1x 2 3 4 5", {}, DesignWarning("number-missing", (), "6")),
    ("1x 2", {"points": {"gem": {"red": 1}}}, DesignWarning("points-unused", (), "gem red")),
    (
        "1x 2Gr 3Gr",
        {"points": {"gem": {"red": 0}}},
        DesignWarning("symbol-worth-nothing", ("b1", "c1"), "gem red"),
    ),
    (
        "1x 2 3",
        {"lines": [{"row": 1, "points": 0}]},
        DesignWarning("line-worth-nothing", ("a1", "b1", "c1"), "row 1"),
    ),
    (
        "1x 2 3",
        {"areas": [{"fields": ["b1"], "race": [0, 0]}]},
        DesignWarning("area-worth-nothing", ("b1",), "1"),
    ),
]
"""Drawing, further keys of the level's document, and the expected warning."""


@pytest.mark.parametrize(("drawing", "keys", "warning"), CASES, ids=[c[2].name for c in CASES])
def test_each_warning_names_its_fields(
    drawing: str, keys: dict[str, Any], warning: DesignWarning
) -> None:
    level = parse_level({"id": "odd", "name": "Odd", "grid": drawing.split("\n"), **keys})
    assert warning in find_design_warnings(level)


def test_every_name_has_a_case() -> None:
    assert [case[2].name for case in CASES] == list(DESIGN_WARNINGS)


@pytest.mark.parametrize(
    ("drawing", "names"),
    [
        # The key is reachable, and the lock opens the way to the rest.
        ("1x 2Kr 3Lr 4", ["a1", "b1", "c1", "d1"]),
        # The key is behind its own lock.
        ("1x 3Lr 2Kr", ["a1"]),
        # A rocket reaches the island, which holds the key for the lock here.
        ("1x 2R 3Lr .\n.  .  .  -P\n. . . 4Kr", ["a1", "b1", "c1", "d2", "d3"]),
        # A planet is no way through for dice unless it is crossed.
        ("1x 2 -P 3", ["a1", "b1"]),
    ],
)
def test_reach_goes_through_keys_and_rockets(drawing: str, names: list[str]) -> None:
    level = parse_level({"id": "odd", "name": "Odd", "grid": drawing.split("\n")})
    assert level.names(reachable(level)) == names


def test_without_a_start_lines_and_areas_have_no_warning_of_their_own() -> None:
    areas = [{"fields": ["a1", "b1"], "points": 5}, {"fields": ["d1"], "points": 5}]
    keys = {"lines": [{"row": 1, "points": 5}], "areas": areas}
    drawing = ["1 2 3 4Jg", "5 6 1 2Jg"]
    puzzle = {"points": {"puzzle": {"green": 5}}}
    level = parse_level({"id": "odd", "name": "Odd", "grid": drawing, **keys, **puzzle})
    assert find_design_warnings(level) == [DesignWarning("no-start")]


def test_ordinary_level_has_no_warning() -> None:
    level = parse_level({"id": "fine", "name": "Fine", "grid": ["1x 2 3", "4 5 6", "2 1 4"]})
    assert find_design_warnings(level) == []


@pytest.mark.parametrize(
    ("shift", "keys", "names"),
    [
        # Fields that share less than half a side do not touch, so a wall has no effect there.
        (0.75, {"walls": [["a1", "a2"]]}, ["wall-between-strangers"]),
        (0.5, {"walls": [["a1", "a2"]]}, []),
        (0.5, {"links": [["a1", "a2"]]}, ["link-between-neighbours"]),
        (0.75, {"links": [["a1", "a2"]]}, []),
    ],
)
def test_walls_and_links_on_shifted_rows_depend_on_the_shared_edge(
    shift: float, keys: dict[str, Any], names: list[str]
) -> None:
    grid = ["1x 2 3", "4 5 6", "2 1 4"]
    level = parse_level({"id": "p", "name": "P", "grid": grid, "shifts": [0, shift, 0], **keys})
    assert [warning.name for warning in find_design_warnings(level)] == names


@pytest.mark.parametrize(
    ("drawing", "fields"),
    [
        ("1x 2O 3 4 5 6 1", [("b1",)]),
        # The other rocket flies to this field, but its own still has nowhere to go.
        ("1x 2O 3R 4 5 6 1", [("b1",)]),
        ("1x 2O 3O 4 5 6 1", []),
        ("1x 2O 3P 4 5 6 1", []),
    ],
)
def test_a_rocket_does_not_fly_to_its_own_field(drawing: str, fields: list[tuple[str]]) -> None:
    level = parse_level({"id": "odd", "name": "Odd", "grid": [drawing], "dice": {"1": 6}})
    found = find_design_warnings(level)
    assert [warning.fields for warning in found] == fields
    assert {warning.name for warning in found} <= {"rocket-without-planet"}


def test_equal_field_lists_or_a_row_and_a_column_are_not_the_same_line_twice() -> None:
    lines: list[dict[str, Any]] = [
        {"row": 1, "points": 5},
        {"column": "a", "points": 5},
        {"fields": ["b1"], "points": 5},
        {"fields": ["b1"], "points": 5},
    ]
    level = parse_level(
        {"id": "t", "name": "T", "grid": ["1x 2 3", "4 5 6", "1 3 5"], "lines": lines}
    )
    assert find_design_warnings(level) == []


@pytest.mark.parametrize(
    ("drawing", "is_short"),
    [
        ("1x 2R 3R -P\n4 . . -P", False),
        # A planet with a number takes dice as well.
        ("1x 2R 3 4P\n4 . . -P", False),
        # The second rocket is unreachable, or the first is printed crossed.
        ("1x 2R 3 -P\n. . . -P\n. 1R . .", True),
        ("1x 2R 3 -P\n1xR . . -P", True),
        # A rocket-planet crossed by a rocket launches nothing.
        ("1x 2R 3 -O\n4 . . -P", True),
    ],
)
def test_each_planet_without_a_number_needs_a_rocket_that_can_launch(
    drawing: str, is_short: bool
) -> None:
    keys = {"lines": [{"column": "d", "points": 5}]}
    level = parse_level({"id": "r", "name": "R", "grid": drawing.split("\n"), **keys})
    assert ("line-lacks-rockets" in [a.name for a in find_design_warnings(level)]) == is_short


@pytest.mark.parametrize(("dice", "players"), [({"1": 6}, None), ({"1": 7}, "1"), ({"2": 13}, "2")])
def test_number_of_dice_is_compared_with_the_fields_of_all_players(
    dice: dict[str, int], players: str | None
) -> None:
    document = {"id": "d", "name": "D", "grid": ["1x 2 3 4", "5 6 1 ."], "dice": dice}
    full = document | {"dice": {"1": 1, "2": 1, "3": 1, "4": 1} | dice}
    found = [
        a.key for a in find_design_warnings(parse_level(full)) if a.name == "dice-without-fields"
    ]
    assert found == ([players] if players else [])
