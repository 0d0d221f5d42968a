"""Final sheets: valid and refused documents, derived numbers and scores."""

from __future__ import annotations

from typing import Any

import pytest

from sheets.documents.structure import read_sheets
from sheets.levels import find_level
from sheets.rules import DocumentError
from sheets.rules.paper_scoring import Paper, score_paper
from tests.documents.examples import HARBOUR, RAILS, SHEETS, Document, encode
from tests.documents.refusals import not_refused_there

ANA: Document = SHEETS["sheets"][0]
PLAYERS = ["Ana", "Ben", "Cem", "Dora", "Emil", "Fay"]


def read(document: Document) -> Paper:
    return read_sheets(encode(document), find_level)


def second(**marks: Any) -> Document:
    """Return the example with these marks on the second sheet."""
    return {"sheets": [ANA, {"player": "Ben", **marks}]}


def alone(**marks: Any) -> Document:
    """Return a single sheet with these marks."""
    return {"sheets": [{"player": "Ana", **marks}]}


def flags(*marked: Document, **level: Any) -> Document:
    """Return sheets on a level with a race in the first row and flags of two colours below it."""
    document = {
        "format": "dizzle-level/1",
        "id": "flags",
        "name": "Flags",
        "grid": ["1 2 3x 4Fg", "1Fr 2Fr 3xFg 4xFy"],
        "areas": [
            {"fields": ["a2"], "points": 1},
            {"fields": ["a1", "b1", "c1"], "race": [8, 4, 2]},
            {"fields": ["c1"], "race": [9]},
        ],
        "points": {"flag": {"red": [10, 6], "green": [3], "yellow": [7]}},
    }
    entries = [{"player": name, **marks} for name, marks in zip(PLAYERS, marked, strict=False)]
    return {"format": "dizzle-sheets/1", "level": document | level, "sheets": entries}


TWO = "sheets entry 2"

REFUSED: list[tuple[Document, str]] = [
    ({"format": "dizzle-game/1"}, "format"),
    ({"comment": "x"}, ""),
    ({"level": "nowhere"}, "level"),
    ({"level": HARBOUR | {"grid": ["7"]}}, "level grid row 1"),
    ({"sheets": []}, "sheets"),
    ({"sheets": [ANA] * 7}, "sheets"),
    ({"sheets": ANA}, "sheets"),
    ({"sheets": [ANA, "Ben"]}, TWO),
    ({"sheets": [ANA, {"crosses": []}]}, TWO),
    ({"sheets": [ANA, ANA | {"player": ""}]}, f"{TWO} player"),
    ({"sheets": [ANA, ANA | {"player": "B" * 41}]}, f"{TWO} player"),
    ({"solo": True}, "solo"),
    ({"solo": 1}, "solo"),
    ({"solo": None}, "solo"),
    (second(dice=["a1"]), TWO),
    (second(crosses=["z9"]), f"{TWO} crosses"),
    (second(crosses=["f1"]), f"{TWO} crosses"),
    (second(crosses=["A1"]), f"{TWO} crosses entry 1"),
    (second(crosses="a1"), f"{TWO} crosses"),
    (second(crosses=None), f"{TWO} crosses"),
    (second(exploded=["h1"]), f"{TWO} exploded"),
    (second(lava=["h1"]), f"{TWO} lava"),
    (second(crosses=["g1"], exploded=["g1"]), f"{TWO} exploded"),
    (second(crosses=["a1"], lava=["a1"]), f"{TWO} lava"),
    (second(exploded=["d1"]), f"{TWO} exploded"),
    (second(lava=["d1"]), f"{TWO} lava"),
    (second(tracks={"a1": "NS"}), f"{TWO} tracks"),
    (second(flags={"red": 5}), f"{TWO} flags red"),
    (second(flags={"red": 0}), f"{TWO} flags red"),
    (second(flags={"green": 10}), f"{TWO} flags"),
    (second(flags={"pink": 10}), f"{TWO} flags"),
    (second(flags={"red": "10"}), f"{TWO} flags red"),
    (second(flags={"red": 100}), f"{TWO} flags red"),
    (second(flags={"red": None}), f"{TWO} flags red"),
    (second(flags=[10]), f"{TWO} flags"),
    (second(races={"1": 5}), f"{TWO} races 1"),
    (second(races={"0": 6}), f"{TWO} races"),
    (second(races={"2": 8}), f"{TWO} races"),
    (second(races={"01": 8}), f"{TWO} races"),
    (second(races={"١": 8}), f"{TWO} races"),
    (second(races={"-1": 8}), f"{TWO} races"),
    (second(races={"1": 8.0}), f"{TWO} races 1"),
    (alone(exploded=["g1"]), "sheets entry 1 exploded"),
    (alone(exploded=["g1"]) | {"solo": True}, "sheets entry 1 exploded"),
    ({"level": RAILS, **alone(crosses=["a1"])}, "sheets entry 1 crosses"),
    ({"level": RAILS, **alone(tracks={"z9": "NS"})}, "sheets entry 1 tracks"),
    ({"level": RAILS, **alone(tracks={"a1": "SN"})}, "sheets entry 1 tracks a1"),
    ({"level": RAILS, **alone(tracks={"b1": "EW"})}, "sheets entry 1 tracks"),
    ({"level": RAILS, **alone(tracks={"a1": "EW"}, lava=["a1"])}, "sheets entry 1 lava"),
]


def describe(value: Any) -> str | None:
    return str(value)[-60:].encode("unicode_escape").decode() if isinstance(value, dict) else None


def test_refused_naming_the_place() -> None:
    assert not_refused_there(lambda change: read(SHEETS | change), REFUSED) == []


@pytest.mark.parametrize("key", ["format", "level", "sheets"])
def test_missing_required_key_is_refused(key: str) -> None:
    with pytest.raises(DocumentError) as refusal:
        read({k: v for k, v in SHEETS.items() if k != key})
    assert (refusal.value.fault, refusal.value.facts) == ("missing-key", {"key": key})


@pytest.mark.parametrize(
    "change",
    [
        {},
        {"solo": False},
        {"level": "level-1", **alone()},
        alone(crosses=["a1", "a1"]),
        alone() | {"solo": True},
        alone(exploded=["g1"]) | {"solo": False},
        {"sheets": [{"player": name} for name in PLAYERS]},
        second(exploded=["a1"], lava=["a1", "a2"]),
        second(flags={"red": 1}, races={"1": 4}),
        second(crosses=["d1", "d3"]),
        {"level": RAILS, **alone(tracks={"a1": "EW", "b1": "NS"}, crosses=["a1", "b1"])},
    ],
    ids=describe,
)
def test_accepted(change: Document) -> None:
    assert not read(SHEETS | change).unclear


def test_a_single_sheet_is_a_solo_game_by_default() -> None:
    assert read(SHEETS | alone()).is_solo
    assert not read(SHEETS | alone() | {"solo": False}).is_solo
    assert not read(SHEETS).is_solo


def test_printed_marks_need_not_be_listed_and_count() -> None:
    unlisted = score_paper(read(SHEETS | alone()))
    listed = score_paper(read(SHEETS | alone(crosses=["d1", "d2"])))
    assert unlisted == listed
    assert unlisted.scores[0].marks == 2
    rails = score_paper(read(SHEETS | {"level": RAILS} | alone()))
    assert rails == score_paper(read(SHEETS | {"level": RAILS} | alone(tracks={"b1": "NS"})))
    assert rails.scores[0].by_category["tracks"] == 1


def test_scores_of_the_example_are_those_worked_out_by_hand() -> None:
    result = score_paper(read(SHEETS))
    ana, ben = result.scores
    # The gem 1, column c 7, the race 8, the flag 10, the bomb -2; two crosses are printed.
    assert ana.by_category == {
        **dict.fromkeys(ana.by_category, 0),
        "gems": 1,
        "lines": 7,
        "areas": 8,
        "flags": 10,
        "bombs": -2,
    }
    assert (ana.total, ana.marks) == (24, 7)
    assert (ben.total, ben.marks) == (0, 2)
    assert result.outcome.winners == (0,)
    assert result.outcome.rating is None


def test_crossed_bomb_pays_two_points_in_a_solo_game_only() -> None:
    bomb = {"crosses": ["g1"]}
    assert score_paper(read(SHEETS | alone(**bomb))).scores[0].by_category["bombs"] == 2
    assert (
        score_paper(read(SHEETS | alone(**bomb) | {"solo": False})).scores[0].by_category["bombs"]
        == 0
    )
    assert score_paper(read(SHEETS | second(**bomb))).scores[1].by_category["bombs"] == 0


def test_solo_game_has_a_rating() -> None:
    assert score_paper(read(SHEETS | alone())).outcome.rating == 0


def test_single_taker_gets_the_first_number() -> None:
    paper = read(flags({"crosses": ["a2", "a1", "b1"]}, {}))
    assert not paper.unclear
    assert paper.sheets[0].flags == {"red": 10}
    assert paper.sheets[0].races == {1: 8}
    assert paper.sheets[1].flags == {}
    assert score_paper(paper).scores[0].total == 19


def test_single_taker_may_circle_a_lower_number() -> None:
    assert read(flags({"crosses": ["a2"], "flags": {"red": 6}}, {})).sheets[0].flags == {"red": 6}


def test_several_takers_must_each_circle_a_number() -> None:
    red = {"crosses": ["a2"]}
    paper = read(flags(red, {}, red | {"flags": {"red": 6}}, {"crosses": ["b2"]}))
    assert [(u.player, u.track.place) for u in paper.unclear] == [(0, "flag red"), (3, "flag red")]
    assert paper.unclear[0].choices == (10, 6, 0)
    assert paper.sheets[2].flags == {"red": 6}
    assert score_paper(paper).scores[0].by_category["flags"] == 0


def test_choices_of_a_race_depend_on_the_number_of_takers() -> None:
    done = {"crosses": ["a1", "b1"]}
    unclear = read(flags(done, done)).unclear[0]
    assert (unclear.player, unclear.track.place, unclear.choices) == (0, "race 1", (8, 4))
    assert read(flags(done, done, done, done)).unclear[3].choices == (8, 4, 2, 0)
    assert read(flags(done, done, done, done, repeat_last=True)).unclear[3].choices == (8, 4, 2)


@pytest.mark.parametrize(("takers", "repeat_last"), [(2, False), (3, True)])
def test_zero_is_possible_only_if_the_track_can_be_used_up(takers: int, repeat_last: bool) -> None:
    red = {"crosses": ["a2"], "flags": {"red": 10}}
    nothing = {"crosses": ["a2"], "flags": {"red": 0}}
    with pytest.raises(DocumentError, match=r"flags red: not-on-track \(number 0\)"):
        read(flags(nothing, *[red] * (takers - 1), repeat_last=repeat_last))
    assert not read(flags(nothing, red, red)).unclear


def test_printed_flags_and_areas_have_no_taker() -> None:
    paper = read(flags({}, {}))
    assert not paper.unclear
    assert [sheet.flags for sheet in paper.sheets] == [{}, {}]
    assert [sheet.races for sheet in paper.sheets] == [{}, {}]


def test_second_flag_of_a_colour_with_a_printed_one_counts() -> None:
    assert read(flags({"crosses": ["d1"]}, {})).sheets[0].flags == {"green": 3}
