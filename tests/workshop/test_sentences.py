"""Sentences for design warnings and refused edits, in both languages."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.utils import translation

from sheets.documents.structure import read_level
from sheets.rules import blank_sheet, parse_level, score_sheet
from sheets.rules.design_warnings import DESIGN_WARNINGS, find_design_warnings
from sheets.rules.symbols import SYMBOL_BY_TOKEN, SYMBOLS
from sheets.scoring.sentences import item_name, number_question
from sheets.simulation.balance.sentences import payer_name
from sheets.text.design_warnings import describe_warning
from sheets.workshop.checks import find_errors
from sheets.workshop.paper_checklist import find_checklist_items
from sheets.workshop.sentences import editor_words, refusal_sentence

# Each line is a level with the design warning.
ODD = {
    "no-start": ["1 2"],
    "unreachable": ["1x 2 . 3"],
    "unreachable-symbol": ["1x 2 . 3H"],
    "lock-without-key": ["1x 2Lr"],
    "key-without-lock": ["1x 2Kr"],
    "rocket-without-planet": ["1x 2R"],
    "planet-without-rocket": ["1x -P"],
    "line-twice": ["1x 2 3"],
    "line-never-complete": ["1x 2 . 3"],
    "area-never-complete": ["1x 2 . 3"],
    "puzzle-never-complete": ["1x 2 . 3Jg"],
    "wall-between-strangers": ["1x 2 3"],
    "link-between-neighbours": ["1x 2 3"],
    "equal-neighbours": ["1x 2 2 2"],
    "no-number": ["4x - -", "- - -"],
    "number-missing": ["1x 2"],
    "points-unused": ["1x 2"],
    "line-lacks-rockets": ["1x 2R -P -P"],
    "area-lacks-rockets": ["1x 2R . -P", ". 1 . -P"],
    "line-complete-at-once": ["1x 2x", "3 4"],
    "area-complete-at-once": ["1x .", "3 4"],
    "dice-without-fields": ["1x 2"],
    "symbol-worth-nothing": ["1x 2B 3"],
    "line-worth-nothing": ["1x 2 3"],
    "area-worth-nothing": ["1x 2 3"],
}
MORE: dict[str, dict[str, Any]] = {
    "line-twice": {"lines": [{"row": 1, "points": 3}, {"row": 1, "points": 5}]},
    "wall-between-strangers": {"walls": [["a1", "c1"]]},
    "link-between-neighbours": {"links": [["a1", "b1"]]},
    "area-lacks-rockets": {"areas": [{"fields": ["d1", "d2"], "points": 3}]},
    "area-complete-at-once": {"areas": [{"fields": ["a1"], "points": 3}]},
    "dice-without-fields": {"dice": {"1": 2}},
    "symbol-worth-nothing": {"points": {"bomb": 0}},
    "line-worth-nothing": {"lines": [{"row": 1, "points": 0}]},
    "area-worth-nothing": {"areas": [{"fields": ["b1"], "points": 0}]},
}


@pytest.mark.parametrize("name", DESIGN_WARNINGS)
@pytest.mark.parametrize("language", ["de", "en"])
def test_every_design_warning_has_its_sentence(name: str, language: str) -> None:
    document = {
        "format": "dizzle-level/1",
        "id": "odd",
        "name": "Odd",
        "grid": ODD[name],
        "lines": [{"row": 1, "points": 3}],
        "areas": [{"fields": ["a1", "d1"], "points": 3}] if "." in ODD[name][0] else [],
        "points": {"gem": {"red": 1}, "puzzle": {"green": 3}, "heap": -1},
        **MORE.get(name, {}),
    }
    level = read_level(json.dumps(document).encode())
    (found, *_more) = [advice for advice in find_design_warnings(level) if advice.name == name]
    with translation.override(language):
        sentence = describe_warning(found, level)
    assert sentence.endswith(".")
    assert "%(" not in sentence
    # A row or a column is named instead of its fields.
    for field in found.fields if name != "line-twice" else ["1"]:
        assert field in sentence
    with translation.override("de" if language == "en" else "en"):
        assert describe_warning(found, level) != sentence


def test_races_are_numbered_the_same_way_everywhere() -> None:
    document: dict[str, Any] = {
        "format": "dizzle-level/1",
        "id": "races",
        "name": "Races",
        "grid": ["1x 2 . 3", "4 5 . -V"],
        "areas": [
            {"fields": ["a1"], "points": 3},
            {"fields": ["b1", "d1"], "race": [8, 4]},
            {"fields": ["a2"], "points": 3},
            {"fields": ["b2", "d1"], "race": [5]},
        ],
    }
    level = parse_level(document)
    items = score_sheet(blank_sheet(level), solo=True).items
    assert [item_name(level, item) for item in items] == ["Area 1", "Race 1", "Area 2", "Race 2"]
    assert payer_name(level, "areas", "3") == "Area 2"
    assert (
        number_question(level, level.number_tracks["race 1"]) == "Race 1: which number is circled?"
    )
    assert "Race 2 never pays: nobody can cross d1." in [
        describe_warning(advice, level) for advice in find_design_warnings(level)
    ]
    document["areas"][1]["race"] = []
    document["areas"][2]["fields"] = ["d2"]
    document["areas"][3]["race"] = [5, 6]
    document["areas"].append({"fields": ["d2"], "race": [5]})
    assert [check.sentence for check in find_errors(document)] == [
        "Race 1 has no number yet.",
        "Area 2 has no field that can be crossed.",
        "The numbers of race 2 must not rise.",
        "Race 3 has no field that can be crossed.",
    ]


def test_chains_are_numbered_the_same_way_everywhere() -> None:
    arrows: list[dict[str, Any]] = [{"row": 1, "points": 3}, {"column": "a", "points": 4}]
    document = {
        "format": "dizzle-level/1",
        "id": "chains",
        "name": "Chains",
        "grid": ["1x 2 . 3", "4 5 . -V"],
        "lines": [
            arrows[0],
            {"fields": ["a1", "b2"], "points": 5},
            arrows[1],
            {"fields": ["b1", "d1"], "points": 6},
        ],
    }
    level = parse_level(document)
    items = score_sheet(blank_sheet(level), solo=True).items
    named = [item_name(level, item) for item in items if item.category == "lines"]
    assert named == ["Row 1", "Chain 1", "Column a", "Chain 2"]
    assert payer_name(level, "lines", "fields 4") == "Chain 2"
    said = [describe_warning(advice, level) for advice in find_design_warnings(level)]
    assert "Chain 2 never pays: nobody can cross d1." in said
    assert "The arrow of row 1 never pays: nobody can cross d1." in said
    document["lines"][3]["fields"] = ["d2"]
    document["lines"].append({"column": "d", "points": 1})
    errors = [check.sentence for check in find_errors(document)]
    assert errors == ["Chain 2 has no field."]
    document["grid"] = ["1x 2 . .", "4 5 . -V"]
    errors = [check.sentence for check in find_errors(document)]
    assert errors == ["Arrow 3 has no field.", "Chain 2 has no field."]
    assert [thing.opens for thing in find_checklist_items(document) if "chain" in thing.opens] == [
        "chain 0",
        "chain 1",
    ]


@pytest.mark.parametrize("reason", ["gone", "full", "rails", "last", "nothing"])
def test_every_refusal_has_its_sentence(reason: str) -> None:
    with translation.override("de"):
        german = refusal_sentence(reason)
    assert german != refusal_sentence(reason)


def test_script_has_a_word_for_every_symbol_in_every_colour() -> None:
    words = editor_words(["check"])
    assert len(words["symbols"]) == len(SYMBOLS)
    assert words["written"].keys() == SYMBOL_BY_TOKEN.keys()
    assert all(row["says"] for table in ("symbols", "written") for row in words[table].values())
    assert all(words["say"].values())
