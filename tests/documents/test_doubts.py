"""Each doubt about marks, on minimal sheets."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import translation

from sheets.documents.structure import read_sheets
from sheets.levels import find_level
from sheets.rules.doubts import DOUBTS, Doubt, find_doubts
from sheets.rules.paper_scoring import Paper
from sheets.text.doubts import SENTENCES, describe_doubt
from tests.documents.examples import RAILS, Document, encode


def paper(grid: list[str], *marked: Document, solo: bool | None = None, **level: Any) -> Paper:
    points = {
        "gem": {"yellow": 1},
        "flag": {"red": [10, 6, 3], "green": [5, 0, -2]},
        "bomb": -2,
        "heap": -1,
    }
    document = {
        "format": "dizzle-level/1",
        "id": "small",
        "name": "Small",
        "grid": grid,
        "points": points,
    }
    entries = [
        {"player": name, **marks}
        for name, marks in zip(["Ana", "Ben", "Cem", "Dora"], marked, strict=False)
    ]
    text = {"format": "dizzle-sheets/1", "level": document | level, "sheets": entries}
    text |= {} if solo is None else {"solo": solo}
    return read_sheets(encode(text), find_level)


def crossed(*names: str, **more: Any) -> Document:
    return {"crosses": list(names), **more}


RACE = {"areas": [{"fields": ["b1"], "race": [8, 4]}]}

DOUBTED: list[tuple[str, Paper, Doubt]] = [
    (
        "a lock, its key open",
        paper(["1x 2Lr 3Kr"], crossed("b1")),
        Doubt("lock-without-key", 0, ("b1",)),
    ),
    (
        "a lock, only the other colour's key crossed",
        paper(["3xKg 2Lr 3Kr"], crossed("b1")),
        Doubt("lock-without-key", 0, ("b1",)),
    ),
    (
        "a bomb that is open on another sheet",
        paper(["1x 2B 3"], crossed("b1"), {}),
        Doubt("bomb-still-open", 1, ("b1",)),
    ),
    (
        "a bomb that nobody has crossed",
        paper(["1x 2B 3"], {"exploded": ["b1"]}, {"exploded": ["b1"]}),
        Doubt("bomb-nobody-crossed", -1, ("b1",)),
    ),
    (
        "a cross apart from all others",
        paper(["1x 2 3"], crossed("c1")),
        Doubt("lonely-cross", 0, ("c1",)),
    ),
    (
        "a cross behind a wall",
        paper(["1x 2 3"], crossed("b1"), walls=[["a1", "b1"]]),
        Doubt("lonely-cross", 0, ("b1",)),
    ),
    (
        "crosses, and nothing printed where they begin",
        paper(["1 2 3"], crossed("b1", "c1")),
        Doubt("no-start", -1),
    ),
    (
        "crosses joined only to each other",
        paper(["1x 2 3 4", "1 2 3 4"], crossed("c1", "c2", "d2")),
        Doubt("lonely-cross", 0, ("c1", "c2", "d2")),
    ),
    (
        "a field without a number",
        paper(["1x - 3"], crossed("b1")),
        Doubt("no-number-crossed", 0, ("b1",)),
    ),
    (
        "a volcano",
        paper(["1x -V 3"], crossed("b1")),
        Doubt("no-number-crossed", 0, ("b1",)),
    ),
    (
        "a planet no rocket flew to",
        paper(["1x 2R . -P"], crossed("d1")),
        Doubt("planet-without-rocket", 0, ("d1",)),
    ),
    (
        "more planets than rockets",
        paper(["1x 2R -P -P"], crossed("b1", "c1", "d1")),
        Doubt("planet-without-rocket", 0, ("c1", "d1")),
    ),
    (
        "a rocket that flew nowhere",
        paper(["1x 2R . 4P"], crossed("b1")),
        Doubt("rocket-without-planet", 0, ("b1",)),
    ),
    (
        "an explosion of something else",
        paper(["1x 2H 3"], {"exploded": ["b1"]}, {}),
        Doubt("exploded-no-bomb", 0, ("b1",)),
    ),
    (
        "lava far from the volcano",
        paper(["1x 2 3 4 -V"], {"lava": ["b1", "d1"]}),
        Doubt("lonely-lava", 0, ("b1",)),
    ),
    (
        "lava without any volcano",
        paper(["1x 2 3"], {"lava": ["c1"]}),
        Doubt("lonely-lava", 0, ("c1",)),
    ),
    (
        "a flag's number without the flag",
        paper(["1x 2Fr 3Fr"], {"flags": {"red": 10}}),
        Doubt("number-without-flag", 0, ("b1", "c1"), "flag red"),
    ),
    (
        "a printed flag's number",
        paper(["1x 2xFr"], {"flags": {"red": 10}}),
        Doubt("number-without-flag", 0, ("b1",), "flag red"),
    ),
    (
        "a race's number without the area",
        paper(["1x 2 3"], {"races": {"0": 8}}, **RACE),
        Doubt("number-without-race", 0, ("b1",), "race 0"),
    ),
    (
        "a printed area's number",
        paper(["1 2x 3"], {"races": {"0": 8}}, **RACE),
        Doubt("number-without-race", 0, ("b1",), "race 0"),
    ),
    (
        "second place without a first",
        paper(["1x 2Fr"], *[crossed("b1", flags={"red": 6})] * 2),
        Doubt("numbers-do-not-fit", -1, ("b1",), "flag red"),
    ),
    (
        "second place after two first ones",
        paper(
            ["1x 2Fr"],
            crossed("b1", flags={"red": 10}),
            crossed("b1", flags={"red": 10}),
            crossed("b1", flags={"red": 6}),
        ),
        Doubt("numbers-do-not-fit", -1, ("b1",), "flag red"),
    ),
    (
        "third place with one player whose number is missing",
        paper(["1x 2Fr"], crossed("b1"), crossed("b1", flags={"red": 3})),
        Doubt("numbers-do-not-fit", -1, ("b1",), "flag red"),
    ),
    (
        "second place in a race without a first",
        paper(["1x 2 3"], *[crossed("b1", races={"0": 4})] * 2, **RACE),
        Doubt("numbers-do-not-fit", -1, ("b1",), "race 0"),
    ),
]


def flags(*numbers: int, colour: str = "red", **level: Any) -> Paper:
    """Return a sheet for each of the numbers, with that number circled for the flag."""
    grid = [f"1x 2F{colour[0]}"]
    return paper(grid, *[crossed("b1", flags={colour: n}) for n in numbers], **level)


UNDOUBTED: dict[str, Paper] = {
    "second place next to a player whose number is missing": paper(
        ["1x 2Fr"], crossed("b1"), crossed("b1", flags={"red": 6})
    ),
    "blank sheets": paper(["1x 2B 3Fr"], {}, {}),
    "a chain of crosses": paper(["1x 2 3", "1 2 3"], crossed("b1", "b2", "c2")),
    "crosses joined by a link": paper(["1x 2 3"], crossed("c1"), links=[["a1", "c1"]]),
    "crosses around a planet": paper(["1x 2R . -P 5"], crossed("b1", "d1", "e1")),
    "a planet with a number reached on foot": paper(["1x 2P 3"], crossed("b1")),
    "two rockets and one planet": paper(["1x 2R 3R -P"], crossed("b1", "c1", "d1")),
    "a rocket that flew to another rocket": paper(["1x 2R . 3O 4P"], crossed("b1", "d1")),
    "a rocket that is its own planet": paper(["1x 2O"], crossed("b1")),
    "a rocket when lava took the planet": paper(["1x 2R . 4P -V"], crossed("b1", lava=["d1"])),
    "a printed rocket": paper(["1xR 2 . 4P"], {}),
    "a lock with its key": paper(["1x 2Lr 3Kr"], crossed("b1", "c1")),
    "a lock with a printed key": paper(["1xKr 2Lr"], crossed("b1")),
    "a printed lock": paper(["1xLr 2Kr"], {}),
    "a bomb in company": paper(["1x 2B 3"], crossed("b1"), {"exploded": ["b1"]}),
    "a bomb that two have crossed": paper(["1x 2B 3"], crossed("b1"), crossed("b1")),
    "an exploded bomb, the others' sheets lost": paper(
        ["1x 2B 3"], {"exploded": ["b1"]}, solo=False
    ),
    "a bomb crossed alone": paper(["1x 2B 3"], crossed("b1")),
    "a printed bomb": paper(["1xB 2 3"], {}, {}),
    "a chain of lava": paper(["1x 2 3 4 -V"], {"lava": ["c1", "d1"]}),
    "a bomb under lava": paper(["1x 2B -V"], crossed("b1"), {"lava": ["b1"], "exploded": ["b1"]}),
    "first, second, third, too late": flags(3, 0, 10, 6),
    "two first, then third": flags(10, 3, 10),
    "two first, two third": flags(3, 10, 3, 10),
    "all at once": flags(10, 10, 10, 10),
    "the last number again and again": flags(10, 6, 3, 3, repeat_last=True),
    "less than nothing before too late": flags(5, 0, -2, 0, colour="green"),
    "nothing for two at once": flags(5, 0, 0, colour="green"),
    "one taker's lower number, the others' sheets lost": flags(6),
}


@pytest.mark.parametrize(
    ("sheets", "doubt"), [row[1:] for row in DOUBTED], ids=[row[0] for row in DOUBTED]
)
def test_doubted(sheets: Paper, doubt: Doubt) -> None:
    assert doubt in find_doubts(sheets)
    sentence = describe_doubt(doubt, sheets)
    assert all(name in sentence for name in doubt.fields)
    assert ("Ana" in sentence) == (doubt.player == 0)
    assert "%" not in sentence


@pytest.mark.parametrize("sheets", UNDOUBTED.values(), ids=UNDOUBTED)
def test_not_doubted(sheets: Paper) -> None:
    assert find_doubts(sheets) == []


def test_every_doubt_has_a_case() -> None:
    assert {doubt.name for _, _, doubt in DOUBTED} == set(DOUBTS)


def test_every_doubt_has_its_sentence() -> None:
    assert set(SENTENCES) == set(DOUBTS)


def test_doubts_on_single_players_precede_those_between_players() -> None:
    sheets = paper(["1x 2B 3 4Lr 5Kr"], crossed("d1"), crossed("b1", "d1"))
    assert [(doubt.name, doubt.player) for doubt in find_doubts(sheets)] == [
        ("lock-without-key", 0),
        ("lonely-cross", 0),
        ("lock-without-key", 1),
        ("lonely-cross", 1),
        ("bomb-still-open", 0),
    ]


def test_lonely_tracks_are_doubted_on_rails() -> None:
    document = {
        "format": "dizzle-sheets/1",
        "level": RAILS,
        "sheets": [{"player": "Ana", "tracks": {"c3": "NS", "a1": "NS"}}],
    }
    assert find_doubts(read_sheets(encode(document), find_level)) == [
        Doubt("lonely-cross", 0, ("c3",))
    ]


def test_a_missing_start_is_one_doubt_instead_of_one_for_each_cross() -> None:
    sheets = paper(["1 2 3Lr 4Kr"], crossed("a1", "c1"), crossed("b1"))
    assert find_doubts(sheets) == [
        Doubt("lock-without-key", 0, ("c1",)),
        Doubt("no-start", -1),
    ]
    assert "No printed cross" in describe_doubt(find_doubts(sheets)[1], sheets)
    assert find_doubts(paper(["1 2 3"], crossed())) == []


def test_fields_are_enumerated_in_the_language() -> None:
    sheets = paper(["1x 2 3 4", "1 2 3 4"], crossed("c1", "c2", "d2"))
    (doubt,) = find_doubts(sheets)
    assert "c1, c2 and d2" in describe_doubt(doubt, sheets)
    with translation.override("de"):
        assert "c1, c2" in describe_doubt(doubt, sheets)


def test_sentence_has_the_plural_and_names_the_player_only_on_request() -> None:
    sheets = paper(["1x 2B 3B"], crossed("b1", "c1"), {})
    (doubt,) = find_doubts(sheets)
    sentence = "Somebody crossed the bombs on b1 and c1, so here they must have exploded."
    assert describe_doubt(doubt, sheets) == f"Ben: {sentence}"
    assert describe_doubt(doubt, sheets, is_named=False) == sentence
    with translation.override("de"):
        assert "müssen sie" in describe_doubt(doubt, sheets)
