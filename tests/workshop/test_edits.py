"""Effects of edits on drafts, with drawn drafts as input and output."""

from __future__ import annotations

import json
from contextlib import suppress
from random import Random
from typing import Any, get_args

import pytest

from sheets.levels import shipped_levels
from sheets.rules import format_level
from sheets.workshop.acts import AnyEdit, read_batch
from sheets.workshop.checks import find_checks, find_errors
from sheets.workshop.draft import ORDER, Draft, finished_level, new_draft, visible_level
from sheets.workshop.edits import _APPLY, EditRefused, apply_edit
from sheets.workshop.history import apply_difference, difference

SMALL = {
    "format": "dizzle-level/1",
    "id": "small",
    "name": {"en": "Small"},
    "grid": ["3x 5 1Gy", "2 4 6"],
}


def edit(document: dict[str, Any], *edits: dict[str, Any]) -> dict[str, Any]:
    """Return the draft after edits in the format of a page."""
    for act in read_batch(json.dumps({"acts": list(edits)}).encode()).acts:
        document = apply_edit(document, act)  # type: ignore[arg-type]
    return document


def grid(document: dict[str, Any]) -> list[str]:
    return [" ".join(row.split()) for row in document["grid"]]


def put(**squares: dict[str, Any]) -> dict[str, Any]:
    return {"do": "squares", "put": squares}


@pytest.mark.parametrize(
    ("edits", "expected"),
    [
        pytest.param([put(b1={"number": "6"})], ["3x 6 1Gy", "2 4 6"], id="number"),
        pytest.param([put(c1={"number": "4"})], ["3x 5 4Gy", "2 4 6"], id="symbol stays"),
        pytest.param([put(c1={"symbol": ""})], ["3x 5 1", "2 4 6"], id="symbol goes"),
        pytest.param([put(a1={"printed": False})], ["3 5 1Gy", "2 4 6"], id="cross goes"),
        pytest.param([put(a1={"number": "."})], [". 5 1Gy", "2 4 6"], id="hole takes all"),
        pytest.param([put(a2={"symbol": "V"})], ["3x 5 1Gy", "-V 4 6"], id="volcano has no number"),
        pytest.param(
            [put(a2={"symbol": "V"}), put(a2={"number": "3"})],
            ["3x 5 1Gy", "3 4 6"],
            id="number ends a volcano",
        ),
        pytest.param(
            [put(a2={"number": "?"}), put(a2={"symbol": "P"})],
            ["3x 5 1Gy", "-P 4 6"],
            id="planet needs no number",
        ),
        pytest.param([{"do": "size", "columns": 2, "rows": 3}], ["3x 5", "2 4", "? ?"], id="size"),
        pytest.param([{"do": "insert", "row": 2}], ["3x 5 1Gy", "? ? ?", "2 4 6"], id="row"),
        pytest.param([{"do": "insert", "column": "d"}], ["3x 5 1Gy ?", "2 4 6 ?"], id="column"),
        pytest.param([{"do": "remove", "column": "b"}], ["3x 1Gy", "2 6"], id="column goes"),
        pytest.param([{"do": "grid", "rows": ["1 2", ". 3"]}], ["1 2", ". 3"], id="pasted"),
        pytest.param(
            [{"do": "arrange", "how": "copy", "row": 1}],
            ["3x 5 1Gy", "3x 5 1Gy", "2 4 6"],
            id="row twice",
        ),
        pytest.param(
            [{"do": "arrange", "how": "copy", "column": "c"}],
            ["3x 5 1Gy 1Gy", "2 4 6 6"],
            id="column twice",
        ),
        pytest.param(
            [{"do": "arrange", "how": "mirror", "row": 1}],
            ["1Gy 5 3x", "2 4 6"],
            id="row turned round",
        ),
        pytest.param(
            [{"do": "arrange", "how": "mirror", "column": "a"}],
            ["2 5 1Gy", "3x 4 6"],
            id="column turned round",
        ),
        pytest.param(
            [{"do": "arrange", "how": "down", "row": 1}], ["2 4 6", "3x 5 1Gy"], id="row down"
        ),
        pytest.param(
            [{"do": "arrange", "how": "up", "column": "c"}],
            ["3x 1Gy 5", "2 6 4"],
            id="column to the left",
        ),
        pytest.param(
            [{"do": "marks", "marks": "tracks"}], ["3 5 1Gy", "2 4 6"], id="rails have no crosses"
        ),
    ],
)
def test_edit_changes_the_grid(edits: list[dict[str, Any]], expected: list[str]) -> None:
    before = json.dumps(SMALL)
    assert grid(edit(SMALL, *edits)) == expected
    assert json.dumps(SMALL) == before


def test_every_edit_is_applied() -> None:
    assert set(_APPLY) == set(get_args(AnyEdit))


def test_references_to_fields_follow_inserted_and_removed_lines() -> None:
    document = edit(
        SMALL,
        {"do": "row-line", "row": 2, "points": 5},
        {"do": "row-line", "column": "b", "points": 6},
        {"do": "chain", "now": {"fields": ["c2", "a1"], "points": 20}},
        {"do": "area", "now": {"fields": ["b1", "b2"], "race": [4, 2]}},
        {"do": "pair", "kind": "links", "fields": ["a1", "c2"], "on": True},
        {"do": "pair", "kind": "walls", "fields": ["b2", "b1"], "on": True},
        {"do": "shift", "row": 2, "quarters": 2},
    )
    assert document["lines"] == [
        {"row": 2, "points": 5},
        {"column": "b", "points": 6},
        {"fields": ["a1", "c2"], "points": 20},
    ]
    moved = edit(document, {"do": "insert", "row": 1}, {"do": "insert", "column": "b"})
    assert moved["lines"] == [
        {"row": 3, "points": 5},
        {"column": "c", "points": 6},
        {"fields": ["a2", "d3"], "points": 20},
    ]
    assert moved["areas"] == [{"fields": ["c2", "c3"], "race": [4, 2]}]
    assert (moved["links"], moved["walls"]) == ([["a2", "d3"]], [["c2", "c3"]])
    assert moved["shifts"] == [0, 0, 0.5]
    less = edit(moved, {"do": "remove", "column": "c"}, {"do": "remove", "row": 3})
    assert less["lines"] == [{"fields": ["a2"], "points": 20}]
    assert not {"areas", "links", "walls", "shifts"} & less.keys()


@pytest.mark.parametrize(
    ("how", "lane", "lines", "area", "shifts"),
    [
        ("down", {"row": 1}, [{"row": 1, "points": 5}, {"column": "b", "points": 6}], ["b1", "c1"],
         [0.5, 0]),
        ("down", {"column": "b"}, [{"row": 2, "points": 5}, {"column": "c", "points": 6}],
         ["b2", "c2"], [0, 0.5]),
        ("mirror", {"row": 2}, [{"row": 2, "points": 5}, {"column": "b", "points": 6}],
         ["a2", "b2"], [0, 0.5]),
        ("mirror", {"column": "b"}, [{"row": 2, "points": 5}, {"column": "b", "points": 6}],
         ["b1", "c2"], [0, 0.5]),
        ("copy", {"row": 1}, [{"row": 3, "points": 5}, {"column": "b", "points": 6}],
         ["b3", "c3"], [0, 0, 0.5]),
    ],
)  # fmt: skip
def test_references_to_fields_follow_moved_fields(
    how: str, lane: dict[str, Any], lines: list[Any], area: list[str], shifts: list[float]
) -> None:
    document = edit(
        SMALL,
        {"do": "row-line", "row": 2, "points": 5},
        {"do": "row-line", "column": "b", "points": 6},
        {"do": "area", "now": {"fields": ["b2", "c2"], "points": 3}},
        {"do": "shift", "row": 2, "quarters": 2},
        {"do": "arrange", "how": how, **lane},
    )
    assert document["lines"] == lines
    assert document["areas"][0]["fields"] == area
    assert document["shifts"] == shifts


@pytest.mark.parametrize(
    ("how", "lane", "tracks"),
    [
        ("mirror", {"row": 1}, {"c1": "NW", "a2": "NS"}),
        ("mirror", {"column": "a"}, {"a2": "ES", "a1": "NS"}),
        ("copy", {"row": 1}, {"a1": "NE", "a2": "NE", "a3": "NS"}),
        ("copy", {"column": "a"}, {"a1": "NE", "b1": "NE", "a2": "NS", "b2": "NS"}),
    ],
)
def test_tracks_are_turned_round_with_their_row(
    how: str, lane: dict[str, Any], tracks: dict[str, str]
) -> None:
    document = edit(
        SMALL,
        {"do": "marks", "marks": "tracks"},
        {"do": "track", "at": "a1", "shape": "NE"},
        {"do": "track", "at": "a2", "shape": "NS"},
        {"do": "arrange", "how": how, **lane},
    )
    assert document["tracks"] == tracks


@pytest.mark.parametrize(
    ("how", "lane", "reason"),
    [
        ("up", {"row": 1}, "gone"),
        ("down", {"row": 2}, "gone"),
        ("up", {"column": "a"}, "gone"),
        ("mirror", {"column": "d"}, "gone"),
        ("copy", {"row": 26}, "gone"),
    ],
)
def test_missing_row_is_not_arranged(how: str, lane: dict[str, Any], reason: str) -> None:
    with pytest.raises(EditRefused) as refused:
        edit(SMALL, {"do": "arrange", "how": how, **lane})
    assert refused.value.reason == reason


def test_full_sheet_has_no_room_for_a_column_twice() -> None:
    wide = edit(SMALL, {"do": "size", "columns": 26, "rows": 26})
    for lane in ({"column": "z"}, {"row": 26}):
        with pytest.raises(EditRefused) as refused:
            edit(wide, {"do": "arrange", "how": "copy", **lane})
        assert refused.value.reason == "full"


def test_hole_removes_all_references_to_its_field() -> None:
    document = edit(
        SMALL,
        {"do": "area", "now": {"fields": ["a2"], "points": 3}},
        {"do": "chain", "now": {"fields": ["a2", "b2"], "points": 3}},
        {"do": "pair", "kind": "walls", "fields": ["a2", "b2"], "on": True},
        put(a2={"number": "."}),
    )
    assert document["lines"] == [{"fields": ["b2"], "points": 3}]
    assert not {"areas", "walls"} & document.keys()


def test_second_conflicting_change_of_an_area_is_refused() -> None:
    first = {"fields": ["a1", "b1"], "points": 5}
    document = edit(SMALL, {"do": "area", "now": first})
    document = edit(document, {"do": "area", "was": first, "now": first | {"points": 7}})
    with pytest.raises(EditRefused, match="gone"):
        edit(document, {"do": "area", "was": first, "now": None})
    now = first | {"points": 7, "fields": ["b1", "a1"]}
    assert "areas" not in edit(document, {"do": "area", "was": now, "now": None})


def test_edits_of_two_users_are_combined() -> None:
    """One user enters numbers and the other stamps symbols on the same fields."""
    document = edit(
        SMALL, put(a2={"number": "6"}), put(a2={"symbol": "B"}), put(a2={"number": "5"})
    )
    assert grid(document)[1] == "5B 4 6"


@pytest.mark.parametrize(
    "act",
    [
        put(d1={"number": "3"}),
        {"do": "row-line", "row": 3, "points": 1},
        {"do": "row-line", "column": "d", "points": 1},
        {"do": "chain", "now": {"fields": ["a9"], "points": 1}},
        {"do": "pair", "kind": "links", "fields": ["a1", "a1"], "on": True},
        {"do": "remove", "row": 3},
        {"do": "insert", "row": 9},
        {"do": "shift", "row": 3, "quarters": 1},
        {"do": "track", "at": "a1", "shape": "NS"},
    ],
)
def test_edit_of_what_is_gone_is_refused(act: dict[str, Any]) -> None:
    with pytest.raises(EditRefused) as refused:
        edit(SMALL, act)
    assert refused.value.reason == "gone"


@pytest.mark.parametrize(
    "act",
    [put(a1={"symbol": "R"}), put(a1={"printed": True}), {"do": "shift", "row": 1, "quarters": 1}],
)
def test_rail_level_has_no_crosses_rockets_and_shifts(act: dict[str, Any]) -> None:
    with pytest.raises(EditRefused) as refused:
        edit(SMALL, {"do": "marks", "marks": "tracks"}, act)
    assert refused.value.reason == "rails"


def test_all_parts_have_a_maximum_number() -> None:
    full = SMALL | {"areas": [{"fields": ["a1"], "points": n} for n in range(40)]}
    with pytest.raises(EditRefused, match="full"):
        edit(full, {"do": "area", "now": {"fields": ["b1"], "points": 1}})
    wide = SMALL | {"grid": ["1 " * 26]}
    with pytest.raises(EditRefused, match="full"):
        edit(wide, {"do": "insert", "column": "a"})
    with pytest.raises(EditRefused, match="last"):
        edit(wide, {"do": "remove", "row": 1})


def test_an_area_is_stored_and_drawn_before_its_points_are_typed() -> None:
    document = edit(SMALL, {"do": "area", "now": {"fields": ["a1"]}})
    assert document["areas"] == [{"fields": ["a1"]}]
    assert visible_level(document)
    assert "Area 1 has no points yet." in [check.sentence for check in find_errors(document)]
    was, now = {"fields": ["a1"]}, {"fields": ["a1"], "points": 4}
    assert edit(document, {"do": "area", "was": was, "now": now})["areas"] == [now]


MALFORMED: list[dict[str, Any]] = [
    {"do": "nothing"},
    {"do": "squares", "put": {}},
    {"do": "squares", "put": {"a1": {"number": "7"}}},
    {"do": "squares", "put": {"a0": {"number": "3"}}},
    {"do": "squares", "put": {"a1": {"symbol": "G"}}},
    {"do": "squares", "put": {"a1": {"symbol": "By"}}},
    {"do": "grid", "rows": ["1 2", "3"]},
    {"do": "grid", "rows": ["3V"]},
    {"do": "grid", "rows": ["1 " * 27]},
    {"do": "insert"},
    {"do": "insert", "row": 1, "column": "a"},
    {"do": "size", "columns": 27, "rows": 3},
    {"do": "shift", "row": 1, "quarters": 4},
    {"do": "row-line", "row": 1, "points": 100},
    {"do": "area", "now": {"fields": ["a1"], "points": 1, "race": [1]}},
    {"do": "points", "of": "bomb", "points": 1},
    {"do": "points", "of": "gem", "points": 1},
    {"do": "points", "of": "bomb", "colour": "red", "points": -1},
    {"do": "points", "of": "flag", "colour": "red", "points": 1},
    {"do": "points", "of": "gem", "colour": "red", "points": [1]},
    {"do": "count", "of": "dice", "players": "1", "count": 31},
    {"do": "count", "of": "rounds", "players": "7", "count": 3},
    {"do": "ratings", "totals": [1, 2, 3]},
    {"do": "text", "of": "name", "text": "x"},
    {"do": "text", "of": "gem", "language": "en", "text": "x"},
    {"do": "text", "of": "name", "language": "en", "text": "a\u0000b"},
    {"do": "text", "of": "name", "language": "en", "text": "x" * 501},
    {"do": "level-id", "level_id": "No"},
    {"do": "difficulty", "stars": 6},
    {"do": "undo", "more": 1},
]


def test_malformed_edits_are_rejected() -> None:
    accepted = []
    for act in MALFORMED:
        with suppress(ValueError):
            read_batch(json.dumps({"acts": [act]}).encode())
            accepted.append(act)
    assert accepted == []


@pytest.mark.parametrize("text", [b"", b"{}", b'{"acts":[]}', b"[" * 9999, b"\xff", b'{"acts":1}'])
def test_malformed_batch_is_rejected(text: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        read_batch(text)


def test_edits_set_texts_and_values() -> None:
    document = edit(
        SMALL,
        {"do": "text", "of": "name", "language": "de", "text": "Klein"},
        {"do": "text", "of": "about", "language": "en", "text": "Tiny."},
        {"do": "text", "of": "author", "text": "Ana"},
        {"do": "text", "of": "gem yellow", "language": "de", "text": "Zuckerstange"},
        {"do": "count", "of": "dice", "players": "5", "count": 16},
        {"do": "count", "of": "rounds", "players": "1", "count": 12},
        {"do": "ratings", "totals": [1, 2, 3, 4, 5, 6]},
        {"do": "difficulty", "stars": 3},
        {"do": "repeat-last", "on": True},
        {"do": "points", "of": "gem", "colour": "yellow", "points": 4},
        {"do": "level-id", "level_id": "tiny"},
    )
    assert document == SMALL | {
        "id": "tiny",
        "grid": document["grid"],
        "name": {"de": "Klein", "en": "Small"},
        "about": {"en": "Tiny."},
        "author": "Ana",
        "labels": {"gem yellow": {"de": "Zuckerstange"}},
        "dice": {"5": 16},
        "rounds": {"1": 12},
        "ratings": [1, 2, 3, 4, 5, 6],
        "difficulty": 3,
        "repeat_last": True,
        "points": {"gem": {"yellow": 4}},
    }
    assert list(document) == [key for key in ORDER if key in document]
    level = finished_level(document)
    assert (level.dice[5], level.rounds[1]) == (16, 12)
    back = edit(
        document,
        {"do": "text", "of": "about", "language": "en", "text": ""},
        {"do": "text", "of": "author", "text": ""},
        {"do": "text", "of": "gem yellow", "language": "de", "text": ""},
        {"do": "count", "of": "dice", "players": "5", "count": None},
        {"do": "count", "of": "rounds", "players": "1", "count": None},
        {"do": "ratings", "totals": None},
        {"do": "difficulty", "stars": 0},
        {"do": "repeat-last", "on": False},
        {"do": "points", "of": "gem", "colour": "yellow", "points": None},
    )
    assert back.keys() == SMALL.keys()


def test_checks_name_what_is_missing_with_its_fields() -> None:
    document = edit(
        new_draft({"en": "New"}, "own-1", 2, 1), put(a1={"number": "3", "symbol": "Fr"})
    )
    found = [(check.sentence, check.fields, check.tool) for check in find_checks(document)]
    assert found == [
        ("b1 has no number yet.", ("b1",), "numbers"),
        ("How much is it worth? There are no points yet for: red flag.", ("a1",), "points"),
        ("There is no printed cross yet, so nobody can begin.", (), "crosses"),
    ]
    document = edit(
        document,
        put(b1={"number": "3"}),
        {"do": "points", "of": "flag", "colour": "red", "points": [3, 6]},
        {"do": "ratings", "totals": [1, 1, 2, 3, 4, 5]},
        {"do": "text", "of": "name", "language": "en", "text": ""},
    )
    assert [check.sentence for check in find_errors(document)] == [
        "The numbers must not rise: red flag.",
        "Each grade needs more points than the one before it.",
        "The level has no name yet.",
    ]
    nothing = edit(document, put(a1={"number": "."}, b1={"number": "."}))
    assert find_checks(nothing)[0].sentence == "The sheet has no field at all."
    assert visible_level(nothing) is None


def test_design_warnings_name_their_fields() -> None:
    paid = {"do": "points", "of": "gem", "colour": "yellow", "points": 2}
    document = edit(SMALL | {"grid": ["3x 5 1Gy", "2 4 6", ". . 3"], "dice": {"1": 4}}, paid)
    assert not find_checks(document)
    alone = edit(document, put(b1={"number": "."}, b2={"number": "."}))
    found = find_checks(alone)
    assert not any(check.is_error for check in found)
    assert found[0].fields == ("c2", "c3")
    assert found[0].sentence == (
        "Nobody can ever reach these, not even by keys or rockets: c2, c3."
    )


@pytest.mark.parametrize("seed", range(12))
def test_any_edits_keep_a_draft_valid_and_can_be_undone(seed: int) -> None:
    """After random edits a draft is readable, its checks find every fault, and undo works."""
    random = Random(seed)
    start = random.choice([SMALL, *(dict(format_level(x)) for x in shipped_levels().values())])
    document: dict[str, Any] = Draft(start).document()
    whole, steps = document, []
    for _ in range(60):
        act = any_edit(random)
        try:
            changed = edit(document, act)
        except EditRefused:
            continue
        steps.append(difference(changed, document))
        assert apply_difference(document, difference(document, changed)) == changed
        document = changed
        level = visible_level(document)
        errors = list(find_errors(document))
        assert (level is None) == ("The sheet has no field at all." in [e.sentence for e in errors])
        assert all(error.tool for error in errors), errors
        if not errors:
            finished_level(document)
    for step in reversed(steps):
        document = apply_difference(document, step)
    assert document == whole


def any_edit(random: Random) -> dict[str, Any]:
    names = [f"{c}{r}" for c in "abcdef" for r in range(1, 7)]
    fields = random.sample(names, 3)
    symbols = ["Gy", "V", "R", "P", "O", "Fr", "B", ""]
    entry = random.choice([{"points": 3}, {"race": [5, 2]}])
    row_or_column = random.choice(
        [{"row": random.randint(1, 8)}, {"column": random.choice("abcdefgh")}]
    )
    return random.choice(
        [
            put(**{name: {"number": random.choice("123456-?..")} for name in fields}),
            put(**{fields[0]: {"symbol": random.choice(symbols)}}),
            put(**{fields[0]: {"printed": random.random() < 0.5}}),
            {"do": "size", "columns": random.randint(1, 8), "rows": random.randint(1, 8)},
            {"do": "insert", **row_or_column},
            {"do": "remove", **row_or_column},
            {"do": "row-line", **row_or_column, "points": random.choice([5, None])},
            {"do": "chain", "now": {"fields": fields, "points": 2}},
            {"do": "area", "now": {"fields": fields, **entry}},
            {"do": "pair", "kind": "walls", "fields": fields[:2], "on": True},
            {"do": "pair", "kind": "links", "fields": fields[1:], "on": True},
            {"do": "track", "at": fields[0], "shape": "NS"},
            {"do": "shift", "row": random.randint(1, 8), "quarters": random.randint(-3, 3)},
            {"do": "marks", "marks": random.choice(["tracks", "crosses", "crosses"])},
            {"do": "points", "of": "gem", "colour": "yellow", "points": 3},
            {"do": "points", "of": "flag", "colour": "red", "points": [1, 2]},
            {"do": "points", "of": "flag", "colour": "red", "points": [2, 1]},
        ]
    )


def test_missing_parts_hide_no_design_warnings() -> None:
    draft = new_draft({"en": "Fir"}, "own-1", 5, 1) | {"grid": ["1 ?Gy 2Lr 2 2"]}
    draft["lines"] = [{"row": 1, "points": 5}]
    sentences = " ".join(check.sentence for check in find_checks(draft))
    assert "b1 has no number yet" in sentences
    assert "There are no points yet for: yellow gem" in sentences
    advice = [check.sentence for check in find_checks(draft) if not check.is_error]
    assert any("printed cross" in sentence for sentence in advice)
    assert any("key" in sentence for sentence in advice)
    assert any("c1, d1, e1" in sentence or "c1–e1" in sentence for sentence in advice)


def test_open_numbers_are_one_error_and_cause_no_design_warnings() -> None:
    draft = new_draft({"en": "Fir"}, "own-1", 5, 1) | {"grid": ["1x ? ? ? 2"]}
    assert [check.is_error for check in find_checks(draft)] == [True]


def test_empty_sheet_has_no_design_warnings() -> None:
    assert all(check.is_error for check in find_checks(new_draft({"en": "Fir"}, "own-1", 5, 5)))


def test_bought_sheet_has_no_design_warnings() -> None:
    draft = new_draft({"en": "Fir"}, "own-1", 5, 2) | {"grid": ["1x 2 2 2 5Gy", "3 4 6 5 1"]}
    said = [check.sentence for check in find_checks(draft)]
    bought = [check.sentence for check in find_checks(draft, is_bought=True)]
    assert [sentence for sentence in said if sentence not in bought] == [
        "3 fields with a 2 touch each other: b1, c1, d1."
    ]
    assert bought == ["How much is it worth? There are no points yet for: yellow gem."]


def test_many_groups_of_equal_numbers_are_one_sentence() -> None:
    rows = ["1 1 1 2 2 2", "3 3 3 4 4 4", "5 5 5 6x 1 2"]
    found = find_checks(new_draft({"en": "Fir"}, "own-1", 6, 3) | {"grid": rows})
    assert [check.sentence for check in found] == [
        "No open field has a 6: those dice are of no use.",
        "In 5 places three or more equal numbers touch each other.",
    ]
    assert len(found[1].fields) == 15
