"""Valid and refused level documents."""

from __future__ import annotations

from typing import Any

import pytest

from sheets.documents.structure import read_level
from sheets.rules import DocumentError, format_level
from tests.documents.examples import HARBOUR, RAILS, encode
from tests.documents.refusals import not_refused_there


def grid_with(token: str) -> dict[str, Any]:
    """Return the change of `HARBOUR` that replaces its field a3."""
    rows = HARBOUR["grid"]
    return {"grid": [*rows[:2], f"{token} 1Jg 2Fr -V 4Jg 3H 6Fr"]}


def line(**entry: Any) -> dict[str, Any]:
    return {"lines": [{"row": 1, "points": 1}, entry]}


def area(**entry: Any) -> dict[str, Any]:
    return {"areas": [{"fields": ["a1"], "points": 1}, entry]}


def points(**entries: Any) -> dict[str, Any]:
    return {"points": HARBOUR["points"] | entries}


def points_without(symbol: str) -> dict[str, Any]:
    return {"points": {k: v for k, v in HARBOUR["points"].items() if k != symbol}}


GRID_3 = "grid row 3"
LINE_2, AREA_2 = "lines entry 2", "areas entry 2"

REFUSED: list[tuple[dict[str, Any], str]] = [
    # the document
    ({"format": "dizzle-level/2"}, "format"),
    ({"format": None}, "format"),
    ({"colour": "red"}, ""),
    ({"id": ""}, "id"),
    ({"id": "Harbour"}, "id"),
    ({"id": "-harbour"}, "id"),
    ({"id": "harbour\n"}, "id"),
    ({"id": "a" * 41}, "id"),
    ({"id": 7}, "id"),
    # the grid
    ({"grid": []}, "grid"),
    ({"grid": "1 2"}, "grid"),
    ({"grid": ["1"] * 27}, "grid"),
    ({"grid": [" ".join("1" * 27)]}, "grid row 1"),
    ({"grid": [""]}, "grid row 1"),
    ({"grid": ["1 2", "3 4", "5"]}, GRID_3),
    ({"grid": ["1 2", "3 4", "5 6 1"]}, GRID_3),
    ({"grid": ["1 2", "3 4", ""]}, GRID_3),
    ({"grid": ["1 2", "3 4", 5]}, GRID_3),
    ({"grid": ["1", "1", "1" * 501]}, GRID_3),
    ({"grid": [". .", ". ."]}, "grid"),
    *(
        (grid_with(token), GRID_3)
        for token in (
            *("0", "7", "12", "--", "x", "x1", "1xx", "1X", "1.", "..", "٣", "1\x00", "1\u00a0"),
            *("1g", "1G", "1Gz", "1Gyy", "1yG", "1GyB", "1BG", "1Br", "1Q", "K", "Gy", "1Gy x"),
            *("1V", "V", "-xV", "-Vr", "-Vx", "1KK", "1Kg1"),
        )
    ),
    # lines
    (line(points=5), LINE_2),
    (line(row=1), LINE_2),
    (line(row=1, column="a", points=5), LINE_2),
    (line(row=1, fields=["a1"], points=5), LINE_2),
    (line(row=4, points=5), LINE_2),
    (line(column="h", points=5), LINE_2),
    (line(fields=["a1", "h1"], points=5), LINE_2),
    (line(fields=["a1", "f1"], points=5), LINE_2),
    (line(fields=["a1", "a1"], points=5), LINE_2),
    (line(fields=[], points=5), LINE_2),
    (line(fields=["d3"], points=5), LINE_2),
    ({"grid": ["1", "."], **line(row=2, points=5)}, LINE_2),
    (line(row=0, points=5), f"{LINE_2} row"),
    (line(row="1", points=5), f"{LINE_2} row"),
    (line(row=1.0, points=5), f"{LINE_2} row"),
    (line(column="aa", points=5), f"{LINE_2} column"),
    (line(column="A", points=5), f"{LINE_2} column"),
    (line(column=1, points=5), f"{LINE_2} column"),
    (line(fields=["a1", "A1"], points=5), f"{LINE_2} fields entry 2"),
    (line(fields="a1", points=5), f"{LINE_2} fields"),
    (line(row=1, points=100), f"{LINE_2} points"),
    (line(row=1, points=-100), f"{LINE_2} points"),
    (line(row=1, points=True), f"{LINE_2} points"),
    (line(row=1, points="5"), f"{LINE_2} points"),
    (line(row=1, points=5, name="x"), LINE_2),
    ({"lines": [{"row": 1, "points": 1}] * 41}, "lines"),
    # areas
    (area(fields=["a1"]), AREA_2),
    (area(fields=["a1"], points=3, race=[5]), AREA_2),
    (area(fields=[], points=3), AREA_2),
    (area(fields=["d3"], points=3), AREA_2),
    (area(fields=["z9"], points=3), AREA_2),
    (area(points=3), AREA_2),
    (area(fields=["a1"], points=100), f"{AREA_2} points"),
    (area(fields=["a1"], race=[]), f"{AREA_2} race"),
    (area(fields=["a1"], race=[4, 8]), f"{AREA_2} race"),
    (area(fields=["a1"], race=[8, 4, 5]), f"{AREA_2} race"),
    (area(fields=["a1"], race=[8, 100]), f"{AREA_2} race entry 2"),
    ({"areas": [{"fields": ["a1"], "points": 1}] * 41}, "areas"),
    # points
    *((points_without(symbol), "points") for symbol in ("gem", "puzzle", "flag", "bomb", "heap")),
    (points(gem={"purple": 2}), "points"),
    (points(puzzle={"red": 2}), "points"),
    (points(flag={"green": [2]}), "points"),
    (points(gem={"pink": 2, "yellow": 1}), "points gem"),
    (points(gem={"y": 2}), "points gem"),
    (points(gem=[1]), "points gem"),
    (points(gem={"yellow": 100}), "points gem yellow"),
    (points(flag={"red": []}), "points flag red"),
    (points(flag={"red": [1, 3]}), "points flag red"),
    (points(flag={"red": 10}), "points flag red"),
    (points(flag={"red": [100]}), "points flag red entry 1"),
    (points(bomb=1), "points bomb"),
    (points(bomb=-100), "points bomb"),
    (points(heap=1), "points heap"),
    (points(stop=100), "points stop"),
    (points(rocket=1), "points"),
    # what touches
    ({"links": [["a1", "z9"]]}, "links entry 1"),
    ({"links": [["a1", "b1"], ["a1", "a1"]]}, "links entry 2"),
    ({"links": [["a1"]]}, "links entry 1"),
    ({"links": [["a1", "b1", "c1"]]}, "links entry 1"),
    ({"links": [["a1", "f1"]]}, "links entry 1"),
    ({"walls": [["a1", "z9"]]}, "walls entry 1"),
    ({"walls": [["a1", "a1"]]}, "walls entry 1"),
    ({"walls": [["A1", "b1"]]}, "walls entry 1 entry 1"),
    ({"links": [["a1", "b1"]], "walls": [["b1", "a1"]]}, "walls"),
    ({"shifts": [0, 0]}, "shifts"),
    ({"shifts": []}, "shifts"),
    ({"shifts": [0, 0, 0, 0]}, "shifts"),
    ({"shifts": [0, 0.1, 0]}, "shifts"),
    ({"shifts": [0, 1, 0]}, "shifts"),
    ({"shifts": [0, -1, 0]}, "shifts"),
    ({"shifts": [0, 1e308, 0]}, "shifts"),
    ({"shifts": [0, "1", 0]}, "shifts entry 2"),
    # rails
    ({"tracks": {"a1": "NS"}}, "tracks"),
    ({"marks": "rails"}, "marks"),
    # counts
    ({"dice": {"7": 8}}, "dice"),
    ({"dice": {"0": 8}}, "dice"),
    ({"dice": {"1": 0}}, "dice 1"),
    ({"dice": {"1": 31}}, "dice 1"),
    ({"dice": [8]}, "dice"),
    ({"rounds": {"01": 8}}, "rounds"),
    ({"rounds": {"1": 0}}, "rounds 1"),
    ({"rounds": {"1": 51}}, "rounds 1"),
    ({"ratings": [1, 2, 3, 4, 5]}, "ratings"),
    ({"ratings": [1, 2, 3, 4, 5, 6, 7]}, "ratings"),
    ({"ratings": [1, 2, 3, 3, 5, 6]}, "ratings"),
    ({"ratings": [6, 5, 4, 3, 2, 1]}, "ratings"),
    ({"ratings": [1, 2, 3, 4, 5, 6.5]}, "ratings entry 6"),
    ({"repeat_last": 1}, "repeat_last"),
    ({"repeat_last": None}, "repeat_last"),
    ({"difficulty": 0}, "difficulty"),
    ({"difficulty": 6}, "difficulty"),
    # texts
    ({"name": ""}, "name"),
    ({"name": {}}, "name"),
    ({"name": {"de": ""}}, "name de"),
    ({"name": {"xx": "Port"}}, "name"),
    ({"name": ["Port"]}, "name"),
    ({"name": "a" * 501}, "name"),
    ({"name": {"de": "a" * 501}}, "name de"),
    ({"about": "a" * 501}, "about"),
    ({"author": {"de": "Ana"}}, "author"),
    ({"author": "a" * 501}, "author"),
    ({"author": "A\0na"}, "author"),
    ({"labels": {"gem": "lantern"}}, "labels"),
    ({"labels": {"gem pink": "lantern"}}, "labels"),
    ({"labels": {"planet red": "buoy"}}, "labels"),
    ({"labels": {"planet ": "buoy"}}, "labels"),
    ({"labels": {"moon": "buoy"}}, "labels"),
    ({"labels": {"": "buoy"}}, "labels"),
    ({"labels": {"planet": 5}}, "labels planet"),
]

RAILS_REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"grid": ["1 2 3S", "4x 5 6Gy", "1 2Fr 3"]}, "grid row 2"),
    ({"grid": ["1 2 3S", "4R 5 6Gy", "1 2Fr 3"]}, "grid row 2"),
    ({"grid": ["1 2 3S", "-P 5 6Gy", "1 2Fr 3"]}, "grid row 2"),
    ({"grid": ["1 2 3S", "4 5O 6Gy", "1 2Fr 3"]}, "grid row 2"),
    ({"points": {"gem": {"yellow": 2}, "flag": {"red": [5, 3]}}}, "points"),
    ({"shifts": [0, 0, 0]}, "shifts"),
    ({"tracks": {"z9": "NS"}}, "tracks"),
    ({"tracks": {"B1": "NS"}}, "tracks"),
    ({"tracks": {"b1": "SN"}}, "tracks b1"),
    ({"tracks": {"b1": ["NS"]}}, "tracks b1"),
    ({"tracks": [["b1", "NS"]]}, "tracks"),
    ({"grid": ["1 2 3S", "-V 5 6Gy", "1 2Fr 3"], "tracks": {"a2": "NS"}}, "tracks"),
]

ACCEPTED: list[dict[str, Any]] = [
    {},
    {"name": "Harbour"},
    {"name": {"de": "Hafen"}},
    {"name": "a" * 500},
    {"about": ""},
    {"about": {"de": "Schiffe.", "en": "Ships."}},
    {"id": "a" * 40},
    {"id": "0"},
    {"lines": [], "areas": [], "links": [], "walls": [], "tracks": {}, "labels": {}},
    {"lines": [{"row": 1, "points": 1}] * 40},
    line(row=3, points=-99),
    line(column="g", points=99),
    line(fields=["c3", "d3"], points=0),
    area(fields=["a1"], race=[5, 5, 0]),
    area(fields=["a1"], race=[-1]),
    points(bomb=-99, heap=0, stop=99),
    points(gem={"yellow": -99, "black": 99}),
    {"shifts": [0.75, -0.75, 0.5]},
    {"dice": {"6": 30}, "rounds": {"6": 50}},
    {"dice": {}, "rounds": {}},
    {"ratings": [-6, -5, -4, -3, -2, 200]},
    {"grid": ["1"], "lines": [], "areas": [], "links": [], "walls": [], "shifts": [0]},
    {
        "grid": [" ".join("123456"[row % 6] * 26) for row in range(26)],
        "lines": [{"row": 26, "points": 1}, {"column": "z", "points": 1}],
        "areas": [{"fields": ["z26"], "points": 1}],
        "shifts": [0.25] * 26,
    },
    *(grid_with(token) for token in ("-", "-x", "6x", ".", "1xFr", "-Gy", "-xB", "1O", "-P", "1S")),
]


def test_refused_naming_the_place() -> None:
    assert not_refused_there(lambda change: read_level(encode(HARBOUR | change)), REFUSED) == []


def test_rail_level_refused_naming_the_place() -> None:
    assert not_refused_there(lambda change: read_level(encode(RAILS | change)), RAILS_REFUSED) == []


def test_accepted() -> None:
    wrong: list[tuple[dict[str, Any], object]] = []
    for change in ACCEPTED:
        document = HARBOUR | change
        if document["grid"] is not HARBOUR["grid"] and len(document["grid"]) != 3:
            document = {k: v for k, v in document.items() if k not in ("links", "walls")}
        try:
            if format_level(read_level(encode(document))) != document:
                wrong.append((change, "written as another document"))
        except DocumentError as refusal:
            wrong.append((change, refusal))
    assert wrong == []


@pytest.mark.parametrize("key", ["format", "id", "name", "grid"])
def test_missing_required_key_is_refused(key: str) -> None:
    with pytest.raises(DocumentError) as refusal:
        read_level(encode({k: v for k, v in HARBOUR.items() if k != key}))
    assert (refusal.value.fault, refusal.value.facts) == ("missing-key", {"key": key})


def test_everything_else_is_optional() -> None:
    level = read_level(encode({"format": "dizzle-level/1", "id": "a", "name": "A", "grid": ["1"]}))
    assert level.dice == {1: 8, 2: 7, 3: 10, 4: 13}
    assert level.rounds == {1: 10, 2: 6, 3: 4, 4: 3}
    assert level.ratings == (41, 51, 61, 71, 81, 91)
    assert level.player_counts == (1, 2, 3, 4)


def test_grid_is_read_as_written() -> None:
    level = read_level(encode(HARBOUR))
    assert len(level.fields) == 20
    assert {f.name: f[3:] for f in level.fields if f.symbol or f.printed} == {
        "c1": (1, "gem", "yellow", False),
        "d1": (0, "", "", True),
        "g1": (1, "bomb", "", False),
        "b2": (4, "key", "red", False),
        "d2": (3, "", "", True),
        "e2": (5, "lock", "red", False),
        "f2": (0, "planet", "", False),
        "g2": (6, "rocket", "", False),
        "b3": (1, "puzzle", "green", False),
        "c3": (2, "flag", "red", False),
        "d3": (0, "volcano", "", False),
        "e3": (4, "puzzle", "green", False),
        "f3": (3, "heap", "", False),
        "g3": (6, "flag", "red", False),
    }


def test_lines_and_areas_leave_out_holes_and_volcanoes() -> None:
    level = read_level(
        encode(HARBOUR | line(row=3, points=5) | area(fields=["c3", "d3"], points=1))
    )
    assert level.names(level.lines[0].fields) == ["a1", "b1", "c1", "d1", "e1", "g1"]
    assert level.names(level.lines[1].fields) == ["a3", "b3", "c3", "e3", "f3", "g3"]
    assert level.names(level.areas[1].fields) == ["c3"]


def test_entry_for_one_count_leaves_the_others() -> None:
    level = read_level(encode(RAILS | {"dice": {"2": 9, "6": 12}, "rounds": {"5": 2, "6": 1}}))
    assert level.dice == {1: 8, 2: 9, 3: 10, 4: 13, 6: 12}
    assert level.player_counts == (1, 2, 3, 4, 6)


def test_links_add_and_walls_remove_a_neighbour() -> None:
    level = read_level(encode(HARBOUR | {"shifts": [0, 0, 0]}))
    near_a1 = level.names(level.neighbours[level.index["a1"]])
    assert near_a1 == ["a2", "c2"]


@pytest.mark.parametrize(
    ("shifts", "near"),
    [
        ([0, 0, 0], ["b1", "a2", "c2", "b3"]),
        ([0, 0.5, 0], ["b1", "c1", "a2", "c2", "b3", "c3"]),
        ([0, 0.75, 0], ["c1", "a2", "c2", "c3"]),
        ([0, -0.5, 0.25], ["a1", "b1", "a2", "c2", "a3"]),
    ],
    ids=str,
)
def test_shifted_rows_touch_where_they_share_half_a_side(
    shifts: list[float], near: list[str]
) -> None:
    grid = ["1 2 3", "4 5 6", "1 2 3"]
    document = {"format": "dizzle-level/1", "id": "a", "name": "A", "grid": grid, "shifts": shifts}
    level = read_level(encode(document))
    assert level.names(level.neighbours[level.index["b2"]]) == near
